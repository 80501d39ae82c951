package jetstream

import (
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal/sqlite"
)

func newCopier(t testing.TB) (*copier, *sqlite.Store) {
	t.Helper()
	s := check(sqlite.Create(file(t.TempDir(), "s")))(t)
	t.Cleanup(func() { s.Close() })
	return check(copierTo(s))(t), s
}

// stream makes messages that follow on each other.
type stream struct {
	last  uint64
	chain string
}

func (s *stream) next(part, parts int, data string) message {
	s.last++
	m := message{seq: s.last, epoch: 1, leader: "x", part: part, parts: parts, data: []byte(data)}
	m.chain = link(s.chain, m)
	s.chain = m.chain
	return m
}

func TestAPartOfABatchWithoutTheRestDoesNotCount(t *testing.T) {
	c, s := newCopier(t)
	var from stream
	var l lines
	must(t, l.header(header(), time.Unix(1, 0)))
	half := len(l) / 2
	one, two := events(t, 1, 3), events(t, 1, 4)
	for _, m := range []message{
		from.next(1, 3, one[:5]), // its writer died
		from.next(1, 2, string(l[:half])),
		from.next(2, 2, string(l[half:])),
		from.next(1, 3, one[:5]),
		from.next(2, 3, one[5:]),
		from.next(1, 2, two[:100]), // another writer
		from.next(2, 2, two[100:]),
		from.next(3, 3, "what has no beginning"),
		from.next(2, 2, "what has no beginning either"),
		from.next(1, 2, events(t, 5, 6)),
	} {
		must(t, c.take(m))
	}
	must(t, c.sync())
	holds(t, s, 4)
	if at := check(positionOf(s))(t); at.Sequence != 7 || at.Events != 4 || at.Epoch != 1 || at.Leader != "x" {
		t.Errorf("the file is at %+v", at)
	}
	again := check(copierTo(s))(t) // as another process would
	for _, m := range []message{{seq: 9}, {seq: 8, chain: "another"}, {seq: 7}} {
		is(t, again.take(m), ErrDiffers)
	}
	holds(t, s, 4)
}

func TestWhatDoesNotFollowInAStreamIsNotTold(t *testing.T) {
	for name, text := range map[string]string{
		"a gap":                "{\"event\":7,\"at\":1,\"kind\":\"woke\",\"body\":{}}",
		"an event twice":       events(t, 4, 4),
		"a mark too late":      "{\"mark\":3,\"digest\":\"1\"}",
		"a digest of zero":     "{\"mark\":5,\"digest\":\"0\"}",
		"an unknown event":     "{\"event\":6,\"at\":1,\"kind\":\"whatever\",\"body\":{}}",
		"a header that is odd": "{\"header\":{\"format\":99},\"created\":\"2024-02-29T00:00:00Z\"}",
	} {
		t.Run(name, func(t *testing.T) {
			c, s := newCopier(t)
			var from stream
			var l lines
			must(t, l.header(header(), time.Unix(1, 0)))
			must(t, c.take(from.next(1, 1, string(l))))
			must(t, c.take(from.next(1, 1, events(t, 1, 4))))
			must(t, c.sync())
			is(t, c.take(from.next(1, 1, events(t, 5, 5)+text)), ErrUnreadable)
			must(t, c.sync())
			must(t, s.Close()) // what was told of the message goes
			s = check(sqlite.Open(s.Path()))(t)
			defer s.Close()
			holds(t, s, 4)
		})
	}
}

func events(t testing.TB, from, to uint64) string {
	t.Helper()
	var l lines
	for seq := from; seq <= to; seq++ {
		r := event(seq)
		must(t, l.event(r))
		if r.Digest != 0 {
			l.mark(seq, r.Digest)
		}
	}
	return string(l)
}
