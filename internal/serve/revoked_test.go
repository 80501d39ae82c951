package serve

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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
	if err := os.Remove(g.files.Revoked); err != nil {
		t.Fatal(err)
	}
	g.config.Keys.Reread(g.log)
	g.want(bad, 403, "certificate", "it is revoked", "GET", "/v1/studies", "")
	if !g.said("were read again", "revoked.txt is gone, and whom it named stays revoked (1)") {
		t.Error(g.lines)
	}
}

// A file of revocations that is named must be there, but for one that the first revocation makes.
func TestAFileOfRevocationsThatIsNotThereIsAnError(t *testing.T) {
	g := guarding(t, "")
	files := g.files
	files.RevokedLater = false
	if _, err := OpenKeys(files); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), files.Revoked) {
		t.Error(err)
	}
}

// The certificates that tarry certify makes say here what they say to the server of workers.
func TestCertificatesOfAClusterHaveTheirRolesHere(t *testing.T) {
	dir := t.TempDir()
	if err := cluster.Init(dir, nil); err != nil {
		t.Fatal(err)
	}
	of := cluster.FilesOf(dir, "server")
	keys := must.Get(OpenKeys(KeyFiles{Cert: of.Cert, Key: of.Key, ClientCA: of.CA, Revoked: of.Revoked, RevokedLater: true}))(t)
	for _, name := range []string{cluster.Admin, cluster.Worker} {
		block, _ := pem.Decode(must.Get(os.ReadFile(filepath.Join(dir, name+".pem")))(t))
		cert := must.Get(x509.ParseCertificate(block.Bytes))(t)
		c, err := keys.caller(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{cert}})
		if r, _ := roleOf(name); err != nil || c.name != name || len(c.grants) != 1 || c.grants[0].role != r {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

// Who stays while his certificate ends is cut off in that moment: he hears nothing more, and gets no query.
func TestACertificateThatEndsEndsWhatWaits(t *testing.T) {
	g := guarding(t, "")
	boss := g.client(g.ours, "boss", time.Time{}, "admin")
	g.want(boss, 201, "", "", "PUT", lr, wishing(`,"pending":1`))
	g.want(boss, 200, "", "", "POST", lr+"/ask", "")
	end := time.Now().Truncate(time.Second).Add(2 * time.Second)
	a := g.client(g.ours, "a", end, "asker")
	stream := must.Get(a.Get(g.url + lr + "/events"))(t)
	defer stream.Body.Close()
	refused := make(chan string, 1)
	go func() {
		status, kind, detail, err := g.ask(a, "POST", lr+"/ask?wait=60s", "")
		refused <- fmt.Sprintln(status, kind, detail, err)
	}()
	if rest, err := io.ReadAll(stream.Body); err != nil || strings.Contains(string(rest), "event:") {
		t.Errorf("%q, %v", rest, err)
	}
	if text := <-refused; !strings.HasPrefix(text, "403 certificate ") || !strings.Contains(text, "it ended at") {
		t.Error(text)
	}
	if took := time.Since(end); took < 0 || took > 5*time.Second {
		t.Errorf("the end came %v after that of the certificate", took)
	}
}

// Who loses a role hears nothing more of a study, and gets no query that he waits for, from the moment in which the roles are read again.
func TestARoleThatIsTakenAwayEndsWhatWaits(t *testing.T) {
	some := `{"roles":[{"name":"boss","role":"admin"},{"name":"a","role":"%s"%s}]}`
	g := guarding(t, fmt.Sprintf(some, "asker", ""))
	boss, a := g.client(g.ours, "boss", time.Time{}), g.client(g.ours, "a", time.Time{})
	g.want(boss, 201, "", "", "PUT", lr, wishing(`,"pending":1`))
	g.want(boss, 200, "", "", "POST", lr+"/ask", "")

	stream := must.Get(a.Get(g.url + lr + "/events"))(t)
	defer stream.Body.Close()
	if stream.StatusCode != 200 {
		t.Fatal(stream.Status)
	}
	must.Get(bufio.NewReader(stream.Body).ReadString('\n'))(t) // it is under way
	refused := make(chan string, 1)
	go func() {
		status, kind, detail, err := g.ask(a, "POST", lr+"/ask?wait=60s", "")
		refused <- fmt.Sprintln(status, kind, detail, err)
	}()
	for len(g.asks.taken) < 1 { // until it is under way too
		runtime.Gosched()
	}

	g.write(g.files.Roles, []byte(fmt.Sprintf(some, "asker", `,"studies":["other"]`)))
	begun := time.Now()
	g.config.Keys.Reread(g.log)
	if text := <-refused; !strings.HasPrefix(text, "403 role ") {
		t.Error(text)
	}
	rest, err := io.ReadAll(stream.Body)
	if err != nil || strings.Contains(string(rest), "event:") {
		t.Errorf("%q, %v", rest, err)
	}
	if took := time.Since(begun); took > heartbeat-time.Second {
		t.Errorf("the end came after %v: with a heartbeat", took)
	}
	g.want(boss, 200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	g.want(boss, 200, "", "", "GET", lr+"/evaluations/1", "")
}
