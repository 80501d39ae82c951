package serve

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// authority signs certificates.
type authority struct {
	t    testing.TB
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

var serial int64

func newAuthority(t testing.TB) *authority {
	a := &authority{t: t, key: must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(t)}
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a.cert = template
	a.pem, a.cert = a.sign(template, &a.key.PublicKey)
	return a
}

func (a *authority) sign(template *x509.Certificate, public any) ([]byte, *x509.Certificate) {
	serial++
	template.SerialNumber = big.NewInt(serial)
	if template.NotAfter.IsZero() {
		template.NotAfter = time.Now().Add(time.Hour)
	}
	template.NotBefore = template.NotAfter.Add(-2 * time.Hour)
	der := must.Get(x509.CreateCertificate(rand.Reader, template, a.cert, public, a.key))(a.t)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), must.Get(x509.ParseCertificate(der))(a.t)
}

// issue returns a certificate with its key, PEM; of a caller or of a server at this machine.
func (a *authority) issue(name string, units []string, ends time.Time, use x509.ExtKeyUsage) (cert, key []byte) {
	own := must.Get(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))(a.t)
	cert, _ = a.sign(&x509.Certificate{
		Subject: pkix.Name{CommonName: name, OrganizationalUnit: units}, NotAfter: ends, ExtKeyUsage: []x509.ExtKeyUsage{use}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}, &own.PublicKey)
	der := must.Get(x509.MarshalECPrivateKey(own))(a.t)
	return cert, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der})
}

// guarded is a server behind TLS, as a caller reaches it.
type guarded struct {
	*Server
	t     testing.TB
	ours  *authority
	files KeyFiles
	url   string
	mutex sync.Mutex
	lines []string // of the log
}

func guarding(t testing.TB, roles string) *guarded {
	t.Helper()
	g := &guarded{t: t, ours: newAuthority(t)}
	dir := t.TempDir()
	cert, key := g.ours.issue("server", nil, time.Time{}, x509.ExtKeyUsageServerAuth)
	g.files = KeyFiles{
		Cert: filepath.Join(dir, "s.pem"), Key: filepath.Join(dir, "s.key"), ClientCA: filepath.Join(dir, "ca.pem"),
		Revoked: filepath.Join(dir, "revoked.txt"), RevokedLater: true,
	}
	g.write(g.files.Cert, cert)
	g.write(g.files.Key, key)
	g.write(g.files.ClientCA, g.ours.pem)
	if roles != "" {
		g.files.Roles = filepath.Join(dir, "roles.json")
		g.write(g.files.Roles, []byte(roles))
	}
	keys := must.Get(OpenKeys(g.files))(t)
	s := serving(t, Config{Keys: keys, Log: g.log})
	g.Server = s.Server
	g.Server.log.rates.perSecond = 0 // every line
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	g.url = "https://" + l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, tls.NewListener(l, keys.TLS())) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return g
}

func (g *guarded) log(line string) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.lines = append(g.lines, line)
}

// said reports whether a line of the log has all parts.
func (g *guarded) said(parts ...string) bool {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for _, line := range g.lines {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(line, part)
		}
		if all {
			return true
		}
	}
	return false
}

func (g *guarded) write(file string, text []byte) {
	g.t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		g.t.Fatal(err)
	}
}

// client calls with a certificate of an authority; nil: with none.
func (g *guarded) client(of *authority, name string, ends time.Time, units ...string) *http.Client {
	pool := x509.NewCertPool()
	pool.AddCert(g.ours.cert)
	config := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}
	if of != nil {
		pair := must.Get(tls.X509KeyPair(of.issue(name, units, ends, x509.ExtKeyUsageClientAuth)))(g.t)
		// Whatever authorities the server names: as a caller who does not care would.
		config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
	}
	transport := &http.Transport{TLSClientConfig: config}
	g.t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask does a request and returns the status, with the kind and the detail of a problem.
func (g *guarded) ask(c *http.Client, method, path, body string) (status int, kind, detail string, err error) {
	r := must.Get(http.NewRequest(method, g.url+path, strings.NewReader(body)))(g.t)
	r.Header.Set("Content-Type", "application/json")
	got, err := c.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer got.Body.Close()
	text := must.Get(io.ReadAll(got.Body))(g.t)
	var p problem
	if got.Header.Get("Content-Type") == "application/problem+json" {
		if err := json.Unmarshal(text, &p); err != nil {
			g.t.Errorf("%s: %v", text, err)
		}
	}
	return got.StatusCode, strings.TrimPrefix(p.Type, "urn:tarry:problem:"), p.Detail, nil
}

// want asks and compares.
func (g *guarded) want(c *http.Client, status int, kind, part, method, path, body string) {
	g.t.Helper()
	got, is, detail, err := g.ask(c, method, path, body)
	if err != nil || got != status || is != kind || !strings.Contains(detail, part) {
		g.t.Errorf("%s %s: %d %s %q %v, want %d %s %q", method, path, got, is, detail, err, status, kind, part)
	}
}

// Who has no certificate, one of another authority or one that has ended does not get as far as a request.
func TestOnlyCertificatesOfTheAuthorityAreLetIn(t *testing.T) {
	g := guarding(t, "")
	for name, c := range map[string]*http.Client{
		"none":              g.client(nil, "", time.Time{}),
		"another authority": g.client(newAuthority(t), "a", time.Time{}, "admin"),
		"expired":           g.client(g.ours, "a", time.Now().Add(-time.Minute), "admin"),
		"not begun":         g.client(g.ours, "a", time.Now().Add(3*time.Hour), "admin"),
	} {
		if status, _, _, err := g.ask(c, "GET", "/v1/studies", ""); err == nil {
			t.Errorf("%s: %d", name, status)
		}
	}
	g.want(g.client(g.ours, "a", time.Time{}, "admin"), 200, "", "", "GET", "/v1/studies", "")
	if plain := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}); true {
		got, err := plain.Get(strings.Replace(g.url, "https", "http", 1) + "/v1/studies")
		if err == nil {
			if got.Body.Close(); got.StatusCode != http.StatusBadRequest {
				t.Error("without TLS:", got.Status)
			}
		}
	}
	if !g.said("TLS handshake error") {
		t.Error("the log does not know of it:", g.lines)
	}
}

// Each role may do what the table says, and nothing else; a refusal says who it was, what he is and what it takes, and is in the log.
func TestEachRoleMayDoWhatTheTableSays(t *testing.T) {
	g := guarding(t, "")
	boss := g.client(g.ours, "boss", time.Time{}, "people", "admin")
	g.want(boss, 201, "", "", "PUT", lr, wishing(""))
	g.want(boss, 200, "", "", "POST", lr+"/ask", `{"n":3}`)
	for _, r := range roleNames {
		c := g.client(g.ours, "some-"+r.name, time.Time{}, r.name)
		open := g.permissions(c, "lr")
		for _, to := range table {
			if is, may := slices.Contains(open, to.method+" "+to.path), r.role&(to.may|admin) != 0; is != may && strings.HasPrefix(to.path, studyPath) {
				t.Errorf("%s: %s %s is open: %v", r.name, to.method, to.path, is)
			}
			if to.do == nil {
				continue // it streams: by itself below
			}
			path := strings.NewReplacer("{study}", "lr", "{id}", "1").Replace(to.path)
			status, kind, detail, err := g.ask(c, to.method, path, `{"none":1}`) // which changes nothing
			refused := status == http.StatusForbidden && kind == "role"
			if may := r.role&(to.may|admin) != 0; err != nil || refused == may {
				t.Errorf("%s: %s %s: %d %s %s %v", r.name, to.method, path, status, kind, detail, err)
			}
			if refused && (!strings.Contains(detail, `"some-`+r.name+`" is `+r.name+"; ") || !strings.Contains(detail, "needs admin") || !g.said("refused "+to.method+" "+path, detail)) {
				t.Errorf("%s, and the log has %v", detail, g.lines)
			}
		}
	}
	g.want(g.client(g.ours, "x", time.Time{}, "people"), 403, "role", `"x" has no role: none of the organizational units ["people"] of its certificate is one`, "GET", "/v1/studies", "")
	g.want(g.client(g.ours, "x", time.Time{}), 403, "role", "no role", "GET", lr+"/events", "")
}

// The table of the guide is that of the code.
func TestTheGuideHasTheTableOfRoles(t *testing.T) {
	guide := string(must.Get(os.ReadFile("../../docs/http.md"))(t))
	for _, to := range table {
		who := to.may.String()
		if who == "" {
			who = "nobody"
		}
		if line := "| `" + to.method + " " + strings.TrimPrefix(to.path, "/v1") + "` | " + who + " |"; !strings.Contains(guide, line) {
			t.Error("the guide has no line", line)
		}
	}
	begin := strings.Index(guide, "```json\n") + len("```json\n")
	example, _, _ := bytes.Cut([]byte(guide[begin:]), []byte("```"))
	if r, err := parseRoles(example); err != nil || len(r["gpu-1"]) != 2 {
		t.Error(r, err)
	}
}
