package jetstream

import (
	"maps"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
	"time"
)

// heard is what leaders said was acknowledged, of each study; under a name that ends in ? how many events the last one found.
type heard map[string]uint64

// hear hears lines of a leader, and requires that nothing is acknowledged twice.
func (h heard) hear(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		what, study, n := numbers(t, line)
		if what == "opened" {
			h[study+"?"] = n
		}
		switch {
		case what == "opened" && n < h[study]:
			t.Fatalf("study %s has %d events, and %d were acknowledged", study, n, h[study])
		case what == "acknowledged" && n <= h[study]:
			t.Fatalf("study %s: event %d was acknowledged after event %d", study, n, h[study])
		case what == "acknowledged":
			h[study] = n
		}
	}
}

// untilAll hears a leader until it has opened every study and acknowledged something.
func (h heard) untilAll(t testing.TB, c *child) {
	t.Helper()
	for before := maps.Clone(h); ; {
		line, more := c.line(t)
		if !more {
			t.Fatal("the leader has ended")
		}
		h.hear(t, line)
		waits := false
		for study := range childStudies {
			waits = waits || h[study] == before[study]
		}
		if !waits {
			return
		}
	}
}

// Leaders are killed, one after the other, at any moment of a batch. What each had acknowledged its successor has, and nothing
// twice: every event is the one of its number.
func TestWhatALeaderAcknowledgedBeforeItWasKilledItsSuccessorHas(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	folders := []string{t.TempDir(), t.TempDir()}
	random := rand.New(rand.NewPCG(1, 2))
	acknowledged := heard{}
	leader := start(t, "lead", url, folders[0])
	acknowledged.untilAll(t, leader)
	for round := range *kills {
		standby := start(t, "lead", url, folders[1-round%2])
		for range 100 + random.IntN(200) {
			line, _ := leader.line(t)
			acknowledged.hear(t, line)
			if strings.HasPrefix(line, "lost ") { // a machine that stands still for seconds takes the lease away, too
				break
			}
		}
		leader.kill()
		killed := time.Now()
		acknowledged.hear(t, leader.rest(t)...)
		acknowledged.untilAll(t, standby)
		took := time.Since(killed)
		t.Logf("round %d: %v from the kill until every study of the other had acknowledged an event", round, took)
		if took > 10*time.Second {
			t.Errorf("the takeover took %v", took)
		}
		leader = standby
	}
	leader.kill()
	acknowledged.hear(t, leader.rest(t)...)
	g, log := group(t, url)
	for n, folder := range folders { // each in its turn leads, and has everything
		term := lead(t, g, folder)
		for study := range childStudies {
			least := acknowledged[study]
			s := check(term.Open(file(folder, study), study))(t)
			if s.Last() < least {
				t.Errorf("folder %d: study %s has %d events, and %d were acknowledged", n, study, s.Last(), least)
			}
			holds(t, s, s.Last())
			must(t, s.Verify())
			must(t, s.Close())
		}
		must(t, term.End(t.Context()))
		if names := asides(t, folder); len(names) > 0 {
			t.Errorf("set aside: %q", names)
		}
	}
	if said := log.all(); said != "" {
		t.Errorf("it said %q", said)
	}
}

// A leader stands still for longer than its lease, in the middle of anything, and goes on when another leads.
func TestALeaderThatStoodStillAcknowledgesNothingMore(t *testing.T) {
	url := serverAt(t, t.TempDir()).ClientURL()
	folders := []string{t.TempDir(), t.TempDir()}
	for round := range max(1, *kills/4) {
		acknowledged := heard{}
		old := start(t, "lead", url, folders[round%2])
		acknowledged.untilAll(t, old)
		standby := start(t, "lead", url, folders[1-round%2])
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		must(t, old.command.Process.Signal(syscall.SIGSTOP))
		stopped := time.Now()
		later := heard{}
		later.untilAll(t, standby)
		t.Logf("%v from the stop until every study of the other had acknowledged an event", time.Since(stopped))
		must(t, old.command.Process.Signal(syscall.SIGCONT))
		for line, more := old.line(t); more; line, more = old.line(t) {
			acknowledged.hear(t, line)
			if what, _, _ := numbers(t, line); what == "lost" {
				break
			} else if what != "acknowledged" {
				t.Fatalf("the old leader said %q", line)
			}
		}
		old.kill()
		standby.kill()
		later.hear(t, standby.rest(t)...)
		g, _ := group(t, url)
		term := lead(t, g, folders[round%2]) // whose file was the old leader's
		for study := range childStudies {
			s := check(term.Open(file(folders[round%2], study), study))(t)
			holds(t, s, s.Last())
			if s.Last() < later[study] || later[study+"?"] < acknowledged[study] {
				t.Errorf("study %s has %d events; %d were acknowledged, then %d were found, and %d acknowledged", study, s.Last(), acknowledged[study], later[study+"?"], later[study])
			}
			must(t, s.Close())
		}
		must(t, term.End(t.Context()))
		if names := asides(t, folders[round%2]); len(names) > 0 {
			t.Errorf("set aside: %q", names)
		}
	}
}
