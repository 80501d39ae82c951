package jetstream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/tarry-bo/tarry/internal/detour"
)

// A leader is cut off in the middle of a message, another leads, and then what was under way comes through.
func TestALeaderBehindACutAcknowledgesNothing(t *testing.T) {
	server := serverAt(t, t.TempDir())
	way := detour.New(t, check(url.Parse(server.ClientURL()))(t).Host)
	g, _ := group(t, "nats://"+way.Address())
	other, _ := group(t, server.ClientURL())
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 10)
	next := make(chan *Term)
	go func() { next <- lead(t, other, standby) }()
	way.Freeze()
	start := time.Now()
	extend(t, s, 12)
	err := s.Sync()
	t.Logf("refused after %v: %v", time.Since(start), err)
	is(t, err, ErrFenced)
	<-term.Lost()
	second := <-next
	b := check(second.Open(file(standby, "a"), "a"))(t)
	found := b.Last()
	holds(t, b, found)
	if found != 10 {
		t.Errorf("the other leader found %d events", found)
	}
	way.Thaw()
	extend(t, b, found+5)
	must(t, b.Sync()) // what was under way was refused
	is(t, s.Sync(), ErrFenced)
	must(t, s.Close())
	follow(t, g, folder)
	comes(t, file(folder, "a"), found+5)
	if names := asides(t, folder); len(names) > 0 {
		t.Errorf("set aside: %q", names)
	}
	must(t, b.Close())
}

// Nobody answers for longer than the patience, with a lease that lasts. What was sent may be there: catching up decides, and what
// comes later than the claim is refused.
func TestWhatWasNotAnsweredIsDecidedByCatchingUp(t *testing.T) {
	server := serverAt(t, t.TempDir())
	way := detour.New(t, check(url.Parse(server.ClientURL()))(t).Host)
	g, _ := group(t, "nats://"+way.Address())
	g.Patience = time.Second
	folder := t.TempDir()
	term := lasting(lead(t, g, folder))
	s := begun(t, term, folder, "a", 10)
	way.Freeze()
	extend(t, s, 12)
	err := s.Sync()
	is(t, err, ErrUnanswered)
	if errors.Is(err, ErrFenced) {
		t.Errorf("nobody else leads: %v", err)
	}
	is(t, s.Append(event(13)), ErrUnanswered)
	is(t, s.Sync(), ErrUnanswered)
	must(t, s.Close())
	way.Thaw() // several attempts come through, with one id
	g.Patience = 20 * time.Second
	waitFor(t, "the servers can be reached", func() bool { _, err := g.info(t.Context(), term.js, "a"); return err == nil })
	s = check(term.Open(file(folder, "a"), "a"))(t)
	if n := s.Last(); n != 10 && n != 12 {
		t.Errorf("%d events", n)
	}
	holds(t, s, s.Last())
	extend(t, s, 20)
	must(t, s.Sync())
	must(t, s.Close())
}

// The server is killed and comes back, again and again, while a leader writes. Where it comes back at once the leader goes on; else it
// loses its lease, and leads again. What was acknowledged is there.
func TestAServerThatIsKilledAndComesBackLosesNothing(t *testing.T) {
	folder, storage := t.TempDir(), t.TempDir()
	server := start(t, "serve", "nats://127.0.0.1:-1", storage)
	said, _ := server.line(t)
	var at string
	check(fmt.Sscanf(said, "ready %s", &at))(t)
	g, log := group(t, at)
	random := rand.New(rand.NewPCG(3, 4))
	acknowledged := uint64(0)
	begin := func() (*Term, *Store) {
		term := lead(t, g, folder)
		s := check(term.OpenOrCreate(file(folder, "a"), "a"))(t)
		if _, none := s.Header(); none != nil {
			must(t, s.Begin(header()))
		}
		if s.Last() < acknowledged {
			t.Fatalf("%d events, and %d were acknowledged", s.Last(), acknowledged)
		}
		holds(t, s, s.Last())
		return term, s
	}
	for round := range *kills {
		term, s := begin()
		back, dies, when := make(chan *child), server, time.Duration(random.IntN(500))*time.Millisecond
		go func() {
			time.Sleep(when)
			dies.kill()
			if round%2 == 0 {
				<-term.Lost()
			}
			back <- start(t, "serve", at, storage)
		}()
		append := func() bool {
			if s.failed != nil {
				return false
			}
			extend(t, s, s.Last()+7)
			if err := s.Sync(); err != nil {
				t.Logf("round %d, after %d events: %v", round, acknowledged, err)
				return false
			}
			acknowledged = s.Last()
			return true
		}
		for server = nil; server == nil; {
			select {
			case server = <-back:
			default:
				if !append() {
					server = <-back
				}
			}
		}
		server.line(t)
		for range 50 {
			append()
		}
		why := s.failed
		must(t, s.Close())
		if round%2 == 0 {
			is(t, why, ErrFenced)
		} else if why != nil {
			t.Errorf("the server was back at once, and the leader did not go on: %v", why)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		must(t, term.End(ctx))
		cancel()
	}
	_, s := begin()
	t.Logf("%d events were acknowledged, %d are there", acknowledged, s.Last())
	if names, said := asides(t, folder), log.all(); len(names) > 0 || strings.Contains(said, "study") {
		t.Errorf("set aside: %q; it said %q", names, said)
	}
}

// A follower is killed at any moment, and goes on with the files that it has.
func TestAFollowerThatIsKilledGoesOn(t *testing.T) {
	at := serverAt(t, t.TempDir()).ClientURL()
	g, _ := group(t, at)
	folder, standby := t.TempDir(), t.TempDir()
	term := lead(t, g, folder)
	random := rand.New(rand.NewPCG(5, 6))
	s := begun(t, term, folder, "a", 1)
	for round := range *kills {
		c := start(t, "follow", at, standby)
		end := time.Now().Add(time.Duration(300+random.IntN(500)) * time.Millisecond)
		for time.Now().Before(end) {
			extend(t, s, s.Last()+1+random.Uint64N(200))
			if random.IntN(10) == 0 {
				must(t, s.KeepSnapshot(s.Last(), make([]byte, 3<<20))) // more than one message
			}
			must(t, s.Sync())
		}
		c.kill()
		if said := slices.DeleteFunc(c.rest(t), slow); len(said) > 0 {
			t.Fatalf("round %d: the follower said %q", round, said)
		}
	}
	other, log := group(t, at)
	follow(t, other, standby)
	copied := comes(t, file(standby, "a"), s.Last())
	must(t, copied.Verify())
	if said, names := slices.DeleteFunc(strings.Split(log.all(), "\n"), slow), asides(t, standby); len(said) > 0 || len(names) > 0 {
		t.Errorf("it said %q, set aside are %q", said, names)
	}
}

// slow reports whether nothing was said, or that a busy machine took too long, after which a follower tries again.
func slow(said string) bool {
	return said == "" || strings.Contains(said, context.DeadlineExceeded.Error())
}

// Connections that end lose nothing either.
func TestConnectionsThatEndLoseNothing(t *testing.T) {
	server := serverAt(t, t.TempDir())
	g, _ := group(t, server.ClientURL())
	folder, standby := t.TempDir(), t.TempDir()
	other, _ := group(t, server.ClientURL())
	follow(t, other, standby)
	term := lead(t, g, folder)
	s := begun(t, term, folder, "a", 1)
	for range 10 {
		for _, conn := range []*nats.Conn{g.Conn, other.Conn} {
			must(t, conn.ForceReconnect())
		}
		for range 20 {
			extend(t, s, s.Last()+3)
			must(t, s.Sync())
		}
	}
	holds(t, s, s.Last())
	comes(t, file(standby, "a"), s.Last())
}
