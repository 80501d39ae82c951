package jetstream

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry/internal/detour"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// replicated is a group over connections of its own to a cluster.
func replicated(t testing.TB, url string) (*Group, *told) {
	t.Helper()
	log := &told{}
	conn := check(nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(50*time.Millisecond), nats.PingInterval(time.Second), nats.MaxPingsOutstanding(2)))(t)
	t.Cleanup(conn.Close)
	return &Group{Conn: conn, Replicas: 3, Log: log.say}, log
}

// leaderOf is the number of the server that leads a stream.
func leaderOf(t testing.TB, g *Group, term *Term, study string) int {
	t.Helper()
	info := check(g.info(t.Context(), term.js, study))(t)
	name := info.Cluster.Leader
	return check(strconv.Atoi(name[len(name)-1:]))(t)
}

// One of three servers ends, with the leader of the study in the same process. The standby takes over, and nothing is lost. Then the
// server comes back, and another one ends.
func TestOneOfThreeServersMayEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("elections take seconds")
	}
	s := cluster(t, false)
	folder, standby := t.TempDir(), t.TempDir()
	g, _ := replicated(t, s.url())
	other, log := replicated(t, s.url())
	term := lead(t, g, folder)
	a := begun(t, term, folder, "a", 10)
	next := make(chan *Term)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		next <- check(other.Lead(ctx, standby, "standby"))(t)
	}()
	comes(t, file(standby, "a"), 10)
	extend(t, a, 100)
	must(t, a.Sync())

	dies := leaderOf(t, g, term, "a")
	g.Conn.Close() // with the process
	term.lease.stop()
	start := time.Now()
	s.stop(dies)
	second := <-next
	b := check(second.Open(file(standby, "a"), "a"))(t)
	holds(t, b, 100)
	extend(t, b, 101)
	must(t, b.Sync())
	t.Logf("%v from the end of a process with a server to the first event that its successor acknowledged", time.Since(start))
	must(t, a.Close())

	s.start(t, dies)
	waitFor(t, "the server that came back has the stream", func() bool {
		info, err := other.info(t.Context(), second.js, "a")
		if err != nil {
			return false
		}
		for _, r := range info.Cluster.Replicas {
			if !r.Current {
				return false
			}
		}
		return len(info.Cluster.Replicas) == 2
	})
	select {
	case <-second.Lost():
		t.Fatalf("the second leader has lost the lease; it said %s", log.all())
	default:
	}
	dies = leaderOf(t, other, second, "a")
	start = time.Now()
	s.stop(dies)
	extend(t, b, 200)
	if err := b.Sync(); err != nil { // the lease may have been with the same server
		t.Logf("%v after the end of another server: %v", time.Since(start), err)
		is(t, err, ErrFenced)
		must(t, b.Close())
		second = lead(t, other, standby)
		b = check(second.Open(file(standby, "a"), "a"))(t)
		extend(t, b, 200)
		must(t, b.Sync())
	}
	t.Logf("%v from the end of another server to the next event that was acknowledged", time.Since(start))
	holds(t, b, 200)
	third, _ := replicated(t, s.url())
	fresh := t.TempDir()
	follow(t, third, fresh)
	comes(t, file(fresh, "a"), 200)
	must(t, b.Close())
	if names := append(asides(t, folder), asides(t, standby)...); len(names) > 0 {
		t.Errorf("set aside: %q", names)
	}
}

var clusters = flag.Bool("clusters", false, "kill processes with servers of a cluster, as often as -kills says")

// Three processes, each with a server: the one that leads is killed, and one of the others takes over. It is started again, and so on.
func TestOneOfThreeProcessesWithServersIsKilled(t *testing.T) {
	if !*clusters {
		t.Skip("it takes a minute: -clusters")
	}
	t.Setenv(childReplicas, "3")
	var ports string
	var folders [3]string
	var processes [3]*child
	for n := range folders {
		ports += "," + strconv.Itoa(detour.Port(t))
		folders[n] = t.TempDir()
	}
	for n := range processes {
		processes[n] = start(t, "both", strconv.Itoa(n)+ports, folders[n])
	}
	acknowledged := heard{}
	// leads waits until one of the processes says something, and returns it.
	leads := func() int {
		for range 6000 {
			for n, c := range processes {
				if len(c.lines) > 0 {
					return n
				}
			}
			time.Sleep(10 * time.Millisecond)
		}
		t.Fatal("nobody leads")
		return 0
	}
	var times []time.Duration
	leader := leads()
	acknowledged.untilAll(t, processes[leader])
	for range *kills {
		until := time.Now().Add(time.Duration(1000+rand.IntN(1000)) * time.Millisecond)
		for time.Now().Before(until) {
			line, _ := processes[leader].line(t)
			acknowledged.hear(t, line)
		}
		processes[leader].kill()
		killed, dead := time.Now(), leader
		acknowledged.hear(t, processes[dead].rest(t)...)
		processes[dead].lines = nil
		leader = leads()
		acknowledged.untilAll(t, processes[leader])
		times = append(times, time.Since(killed).Round(10*time.Millisecond))
		processes[dead] = start(t, "both", strconv.Itoa(dead)+ports, folders[dead])
		time.Sleep(5 * time.Second) // it has what the others have
	}
	slices.Sort(times)
	t.Logf("from the kill until every study of another had acknowledged an event: %v", times)
	for n, c := range processes {
		c.kill()
		if n == leader {
			acknowledged.hear(t, c.rest(t)...)
		}
	}
	for n, folder := range folders {
		if names := asides(t, folder); len(names) > 0 {
			t.Errorf("process %d has set aside %q", n, names)
		}
		for study := range childStudies {
			s := check(sqlite.Open(file(folder, study)))(t)
			holds(t, s, s.Last())
			if n == leader && s.Last() < acknowledged[study] {
				t.Errorf("study %s has %d events, and %d were acknowledged", study, s.Last(), acknowledged[study])
			}
			must(t, s.Close())
		}
	}
}
