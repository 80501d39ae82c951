package serve

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/cluster"
	"github.com/tarry-bo/tarry/internal/must"
)

// A certificate that is revoked lets nobody in any more, on a connection that is open neither.
func TestARevokedCertificateIsRefusedOnAnOpenConnection(t *testing.T) {
	g := guarding(t, "")
	good, bad := g.client(g.ours, "good", time.Time{}, "viewer"), g.client(g.ours, "bad", time.Time{}, "viewer")
	g.want(bad, 200, "", "", "GET", "/v1/studies", "")
	g.want(good, 200, "", "", "GET", "/v1/studies", "")
	shown := must.Get(x509.ParseCertificate(must.Get(bad.Transport.(*http.Transport).TLSClientConfig.GetClientCertificate(&tls.CertificateRequestInfo{}))(t).Certificate[0]))(t)
	g.write(g.files.Revoked, []byte(cluster.Serial(shown)+" bad\n"))
	g.config.Keys.Reread(g.log)
	g.want(bad, 403, "certificate", "it is revoked", "GET", "/v1/studies", "")
	g.want(good, 200, "", "", "GET", "/v1/studies", "")
	g.write(g.files.Revoked, []byte("nonsense"))
	g.config.Keys.Reread(g.log)
	g.want(bad, 403, "certificate", "it is revoked", "GET", "/v1/studies", "")
	if !g.said("stay as they were", "line 1") {
		t.Error(g.lines)
	}
}

// The certificates that tarry certify makes say here what they say to the server of workers.
func TestCertificatesOfAClusterHaveTheirRolesHere(t *testing.T) {
	dir := t.TempDir()
	if err := cluster.Init(dir, nil); err != nil {
		t.Fatal(err)
	}
	of := cluster.FilesOf(dir, "server")
	keys := must.Get(OpenKeys(KeyFiles{Cert: of.Cert, Key: of.Key, ClientCA: of.CA, Revoked: of.Revoked}))(t)
	for _, name := range []string{cluster.Admin, cluster.Worker} {
		block, _ := pem.Decode(must.Get(os.ReadFile(filepath.Join(dir, name+".pem")))(t))
		cert := must.Get(x509.ParseCertificate(block.Bytes))(t)
		c, err := keys.caller(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{cert}})
		if r, _ := roleOf(name); err != nil || c.name != name || len(c.grants) != 1 || c.grants[0].role != r {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}
