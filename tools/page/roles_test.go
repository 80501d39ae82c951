package page

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// guarded is a server with certificates, as those see it who have them: at the address of a proxy each that shows his.
func guarded(t *testing.T, roles ...string) map[string]*served {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	dir, folder := filepath.Join(t.TempDir(), "cluster"), t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if out, err := exec.Command(path, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	run("serve", "--init", dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	real := started(t, folder, "--tls-cert", in("server.pem"), "--tls-key", in("server.key"), "--client-ca", in("ca.pem"))
	all := map[string]*served{}
	for _, role := range roles {
		run("certify", dir, "--role", role, "--name", "the-"+role)
		pair, err := tls.LoadX509KeyPair(in("the-"+role+".pem"), in("the-"+role+".key"))
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(real.url)
		if err != nil {
			t.Fatal(err)
		}
		front := httptest.NewServer(&httputil.ReverseProxy{
			Rewrite: func(r *httputil.ProxyRequest) {
				r.SetURL(to)
				r.Out.Header.Del("Origin")
				r.Out.Header.Del("Sec-Fetch-Site")
			},
			Transport:     &http.Transport{TLSClientConfig: &tls.Config{Certificates: []tls.Certificate{pair}, InsecureSkipVerify: true}},
			FlushInterval: -1,
		})
		t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
		all[role] = &served{t: t, folder: folder, url: front.URL}
	}
	return all
}

// Who only looks on sees the study as it goes on, and no button that would be refused.
func TestThePageHasTheButtonsOfARole(t *testing.T) {
	b, s := browse(t), guarded(t, "admin", "asker", "viewer")
	play(s["admin"])
	buttons := `[!document.getElementById("pause").hidden, document.querySelectorAll("#pending button").length > 0, !document.getElementById("enqueue").hidden].join()`
	for role, want := range map[string]string{"admin": "true,true,true", "asker": "false,true,true", "viewer": "false,false,false"} {
		one := b.another()
		open(one, s[role])
		one.until(buttons + ` === "` + want + `"`)
		quiet(one)
	}
	viewer := b.another()
	open(viewer, s["viewer"])
	s["admin"].call("POST", study+"/evaluations/22/tell", map[string]any{"value": 7.5})
	viewer.front()
	viewer.until(`document.getElementById("best").textContent === "7.5"`)
	if got := get[string](viewer, buttons); got != "false,false,false" {
		t.Error("after an update:", got)
	}
	viewer.do(chromedp.Navigate("about:blank"))
}

// A role that is taken away takes its buttons with it, at the first that is refused.
func TestARoleThatIsTakenAwayTakesItsButtons(t *testing.T) {
	b, s := browse(t), played(t)
	open(b, s)
	b.do(chromedp.Evaluate[chromedp.Void](`{
		const real = fetch;
		window.fetch = (path, options) => path.endsWith("/cancel") ? Promise.resolve(new Response('{"detail":"is viewer"}', { status: 403 }))
			: path.endsWith("/permissions") ? Promise.resolve(new Response('{"may":["GET /v1/studies/{study}"]}')) : real(path, options);
	}`))
	b.do(chromedp.Click("#pending button"))
	b.until(`document.getElementById("message").textContent === "is viewer" && document.querySelectorAll("#pending button").length === 0 && document.getElementById("pause").hidden && document.getElementById("enqueue").hidden`)
	if text := get[string](b, `document.getElementById("pending").textContent`); strings.Contains(text, "Cancel") {
		t.Error(text)
	}
}
