package sqlite

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/journal"
)

// More damage than usual: go test ./journal/sqlite -damage 20 -rapid.checks 2000
var much = flag.Int("damage", 1, "how many times as many bytes are damaged, and processes killed, as usual")

// every is the distance of n places in a length, more with -damage. It is odd, so that bytes of all offsets come up.
func every(length, n int) int { return max(1, fewer*length/(n**much)) | 1 }

// meanwhile has something done between the two looks at a log.
func meanwhile(t testing.TB, do func()) {
	before := wait
	wait = func(time.Duration) { do() }
	t.Cleanup(func() { wait = before })
}

// patient has a store renew its bond with the next transaction, and then not for a long time.
func patient(s *Store) {
	s.bonded, s.share, s.most, s.longest = time.Time{}, 10_000_000, math.MaxInt32, math.MaxInt32
}

// scanned is what the scan finds wrong with a log.
func scanned(t testing.TB, log []byte) *wound {
	t.Helper()
	_, w, err := scan(bytes.NewReader(log))
	must(t, err)
	return w
}

// examined is what is wrong with the log of a study at the first look.
func examined(t testing.TB, path string) *wound {
	t.Helper()
	return check(examine(path, check(look(path, path))(t).bond))(t)
}

// looked looks at a log as before a study is opened.
func looked(s *Store) error {
	seen, err := s.look(true)
	if err != nil {
		return err
	}
	return s.unwounded(seen)
}

// impatient takes the second look at once: nobody writes the log.
func impatient(t testing.TB) { meanwhile(t, func() {}) }

// synced is a study of single events, each synced, that was cut off; the log has all of them but the first few.
type synced struct {
	base, log []byte
	events    uint64
	start     []int // of each transaction in the log; the last one is its end
}

func cutOff(t testing.TB, events uint64) synced {
	t.Helper()
	c, _ := crashed(t, events)
	c.start = []int{headBytes}
	for at := headBytes; at < len(c.log); at += frameBytes + usualPage {
		if frame(c.log[at:]).pages() > 0 && frame(c.log[at:]).number() != logPage { // the first one has the mark behind it
			c.start = append(c.start, at+frameBytes+usualPage)
		}
	}
	if uint64(len(c.start)) != events+1 || c.start[events] != len(c.log) {
		t.Fatalf("%d transactions in a log of %d bytes", len(c.start)-1, len(c.log))
	}
	return c
}

// write lays the files of a study out, without an index.
func (c synced) write(t testing.TB, path string) {
	t.Helper()
	must(t, remove(path))
	must(t, os.WriteFile(path, c.base, 0o644))
	must(t, os.WriteFile(path+"-wal", c.log, 0o644))
}

// flipped is the study with one byte of the log changed.
func (c synced) flipped(at int, bits byte) synced {
	c.log = bytes.Clone(c.log)
	c.log[at] ^= bits
	return c
}

// last is where the last transaction begins.
func (c synced) last() int { return c.start[c.events-1] }

// hidesNothing requires the study to be refused as damaged, or to have all its events, but those of the last transaction if
// that is where the damage is.
func (c synced) hidesNothing(t testing.TB, at int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.db")
	for _, way := range []string{"read", "open", "create"} {
		c.write(t, path)
		s, err := ways[way](path)
		if way == "create" && errors.Is(err, ErrExists) {
			continue
		}
		if err != nil {
			if !errors.Is(err, journal.ErrCorruptJournal) {
				t.Fatalf("byte %d: %s: %v", at, way, err)
			}
			if after := check(os.ReadFile(path + "-wal"))(t); !bytes.Equal(c.log, after) {
				t.Fatalf("byte %d: %s: the log was touched", at, way)
			}
			continue
		}
		n := count(t, s)
		if n != c.events && (at < c.last() || n != c.events-1) {
			t.Fatalf("byte %d: %s: %d of %d events, and nobody says so", at, way, n, c.events)
		}
		holds(t, s, n)
		must(t, s.Verify())
		must(t, s.Close())
	}
}

// Every event was acknowledged: none may be lost because of one byte.
func TestADamagedByteInTheLogHidesNothing(t *testing.T) {
	impatient(t)
	c := cutOff(t, 60)
	for at := 0; at < len(c.log); at += every(len(c.log), 12) {
		c.flipped(at, 1<<(at%8)).hidesNothing(t, at)
	}
	for _, begin := range []int{c.start[29], c.start[58], c.last()} { // headers of frames
		for at := begin; at < begin+frameBytes; at += every(frameBytes, 4) {
			c.flipped(at, c.log[at]|0x80).hidesNothing(t, at)
		}
	}
}

// The scan alone, at many more places. It must find what is not in the last transaction, and nothing else: that may be a
// transaction which a loss of power cut off.
func TestTheScanFindsEveryDamagedByteBeforeTheLastTransaction(t *testing.T) {
	c := cutOff(t, 12)
	find := func(at int, bits byte) {
		t.Helper()
		if bits == 0 {
			return
		}
		w := scanned(t, c.flipped(at, bits).log)
		if at >= c.last() {
			if w != nil {
				t.Errorf("byte %d, in the last transaction: %+v", at, w)
			}
			return
		}
		want := int64(0)
		if at >= headBytes {
			want = int64(headBytes + (at-headBytes)/(frameBytes+usualPage)*(frameBytes+usualPage))
		}
		if w == nil || w.at != want || w.behind != int64(len(c.log))-want {
			t.Errorf("byte %d of %d, changed by %#x: %+v", at, len(c.log), bits, w)
		}
	}
	if w := scanned(t, c.log); w != nil {
		t.Fatalf("without damage: %+v", w)
	}
	for at := 0; at < len(c.log); at += every(len(c.log), 150) {
		find(at, 1<<(at%8))
	}
	for at := range c.log {
		if inHeader := at < headBytes || (at-headBytes)%(frameBytes+usualPage) < frameBytes; inHeader {
			find(at, c.log[at]) // to zero, as which the number of pages means something else
			if at%3 == 0 {
				find(at, 0xff)
			}
		}
	}
}

func TestDamageInTheLogIsDescribed(t *testing.T) {
	impatient(t)
	c := cutOff(t, 60)
	path := filepath.Join(t.TempDir(), "s.db")
	third := (len(c.log)/3-headBytes)/(frameBytes+usualPage)*(frameBytes+usualPage) + headBytes
	for at, want := range map[int]string{
		len(c.log) / 3: fmt.Sprintf("%d bytes of acknowledged events are behind a damaged place, byte %d of %s-wal", len(c.log)-third, third, path),
		3:              fmt.Sprintf("%d bytes of acknowledged events are behind a damaged place, byte 0 of %s-wal", len(c.log), path),
	} {
		for way, open := range ways {
			c.flipped(at, 4).write(t, path)
			if _, err := open(path); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), want) {
				t.Errorf("byte %d: %s: %v", at, way, err)
			}
		}
	}
	for name, header := range map[string][]byte{"zeros": make([]byte, headBytes), "a page": bytes.Repeat([]byte("x"), headBytes)} {
		d := c
		d.log = append(bytes.Clone(header), c.log[headBytes:]...)
		d.write(t, path)
		if _, err := Read(path); !errors.Is(err, journal.ErrCorruptJournal) {
			t.Errorf("%s in the place of the header: %v", name, err)
		}
	}
}
