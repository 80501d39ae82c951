package serve

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// A role that a file gives is one of the studies that it names, and of no other; the list of studies has no others either.
func TestARoleOfSomeStudiesIsNoneOfOthers(t *testing.T) {
	g := guarding(t, `{"roles":[{"name":"boss","role":"admin"},{"name":"w","role":"worker","studies":["net-*"]},{"name":"w","role":"viewer","studies":["lr"]}]}`)
	boss, w := g.client(g.ours, "boss", time.Time{}), g.client(g.ours, "w", time.Time{}, "admin")
	for _, name := range []string{"lr", "net-1", "other"} {
		g.want(boss, 201, "", "", "PUT", "/v1/studies/"+name, wishing(""))
	}
	g.want(w, 200, "", "", "POST", "/v1/studies/net-1/ask", "")
	g.want(w, 403, "role", `"w" is worker of net-* and viewer of lr; POST /v1/studies/{study}/ask needs admin or asker or worker of lr`, "POST", lr+"/ask", "")
	g.want(w, 200, "", "", "GET", lr, "")
	g.want(w, 403, "role", "of other", "GET", "/v1/studies/other", "")
	g.want(w, 403, "role", "of none", "GET", "/v1/studies/none", "")
	g.want(g.client(g.ours, "x", time.Time{}, "admin"), 403, "role", "the file of roles does not name it", "GET", lr, "")
	if all, one := g.permissions(w, "net-1"), g.permissions(w, "lr"); !slices.Contains(all, "POST "+studyPath+"/ask") || slices.Contains(one, "POST "+studyPath+"/ask") || !slices.Contains(one, "GET "+studyPath) {
		t.Error(all, one)
	}
	if names := g.names(w); names != `{"studies":[{"name":"lr"},{"name":"net-1"}]}` {
		t.Error(names)
	}
}

// permissions are what the server says that is open to a client.
func (g *guarded) permissions(c *http.Client, study string) []string {
	got := must.Get(c.Get(g.url + "/v1/studies/" + study + "/permissions"))(g.t)
	defer got.Body.Close()
	var out struct{ May []string }
	if err := json.Unmarshal(must.Get(io.ReadAll(got.Body))(g.t), &out); err != nil {
		g.t.Error(err)
	}
	return out.May
}

func (g *guarded) names(c *http.Client) string {
	got := must.Get(c.Get(g.url + "/v1/studies"))(g.t)
	defer got.Body.Close()
	return strings.TrimSpace(string(must.Get(io.ReadAll(got.Body))(g.t)))
}

// What the files say from now on holds for connections that are open; files that are wrong change nothing.
func TestRolesAndAuthoritiesChangeWhileConnectionsAreOpen(t *testing.T) {
	g := guarding(t, `{"roles":[{"name":"a","role":"admin"}]}`)
	a := g.client(g.ours, "a", time.Time{})
	g.want(a, 201, "", "", "PUT", lr, wishing(""))
	keys := g.config.Keys
	g.write(g.files.Roles, []byte(`{"roles":[{"name":"a","role":"amdin"}]}`))
	keys.Reread(g.log)
	g.want(a, 200, "", "", "POST", lr+"/pause", "")
	if !g.said("stay as they were", "did you mean admin?") {
		t.Error(g.lines)
	}
	g.write(g.files.Roles, []byte(`{"roles":[{"name":"a","role":"viewer"}]}`))
	keys.Reread(g.log)
	g.want(a, 403, "role", "is viewer", "POST", lr+"/resume", "")
	g.want(a, 200, "", "", "GET", lr, "")
	if !g.said("were read again") {
		t.Error(g.lines)
	}
	if changed, err := keys.Reload(); changed || err != nil {
		t.Error("nothing changed:", changed, err)
	}
	other := newAuthority(t)
	g.write(g.files.ClientCA, other.pem)
	if changed, err := keys.Reload(); !changed || err != nil {
		t.Error(changed, err)
	}
	g.want(a, 403, "certificate", "lets nobody in any more", "GET", lr, "")
	g.want(g.client(other, "a", time.Time{}), 200, "", "", "GET", lr, "")
	if err := os.Remove(g.files.Cert); err != nil {
		t.Fatal(err)
	}
	keys.Reread(g.log)
	if g.want(g.client(other, "a", time.Time{}), 200, "", "", "GET", lr, ""); !g.said("stay as they were", g.files.Cert) {
		t.Error(g.lines)
	}
}

// A connection that outlives its certificate is of no use.
func TestACertificateEndsWhileItsConnectionIsOpen(t *testing.T) {
	g := guarding(t, "")
	ends := time.Now().Add(time.Hour)
	a := g.client(g.ours, "a", ends, "admin")
	g.want(a, 200, "", "", "GET", "/v1/studies", "")
	later := ends.Add(time.Second)
	g.config.Keys.clock.Store(&later)
	g.want(a, 403, "certificate", "it ended at "+ends.UTC().Format(time.RFC3339), "GET", "/v1/studies", "")
}

func TestAFileOfRolesNamesAllThatIsWrong(t *testing.T) {
	for text, want := range map[string][]string{
		`{"roles":[{"name":"","role":"wroker"},{"name":"a","role":"admin","studies":[]},{"name":"b","role":"viewer","studies":["[",""]}]}`: {
			"roles[0].role = wroker: want one of admin, asker, worker, viewer: did you mean worker?", "roles[0].name", "roles[1].studies = []", "roles[2].studies[0] = [", "roles[2].studies[1]",
		},
		`{"rolls":[]}`: {`unknown field "rolls"`}, `{"roles":1}`: {"want {"}, `{} {}`: {"something follows"}, `{"roles":[]}}`: {"something follows"}, "": {"EOF"}, `[]`: {"want {"},
	} {
		_, err := parseRoles([]byte(text))
		for _, part := range want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v, want %s", text, err, part)
			}
		}
	}
	if r, err := parseRoles([]byte(`{"roles":[]}`)); err != nil || len(r) != 0 {
		t.Error(r, err)
	}
}

// Callers who are refused again and again do not fill the log.
func TestTheLogIsBounded(t *testing.T) {
	var lines []string
	c := newChronicle(func(line string) { lines = append(lines, line) })
	clock := time.Now()
	c.rates.now = func() time.Time { return clock }
	for range 1000 {
		c.say("a\nb")
	}
	if len(lines) != maxLines || lines[0] != "a; b" {
		t.Error(len(lines), lines[0])
	}
	clock = clock.Add(time.Second)
	c.say("c")
	if last := lines[len(lines)-1]; last != "c (and 980 lines that are left out)" {
		t.Error(last)
	}
}
