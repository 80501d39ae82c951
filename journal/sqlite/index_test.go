package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/journal"
)

// crashed is a study whose process ended in the midst, with the index of its log, and how many events it has.
func crashed(t testing.TB, events uint64) (synced, []byte) {
	t.Helper()
	s := begun(t, filepath.Join(t.TempDir(), "s.db"), 0)
	patient(s)
	for seq := uint64(1); seq <= events; seq++ {
		extend(t, s, seq)
		must(t, s.Sync())
	}
	c := synced{base: check(os.ReadFile(s.path))(t), log: check(os.ReadFile(s.path + "-wal"))(t), events: events}
	x := check(os.ReadFile(s.path + "-shm"))(t)
	must(t, s.Close())
	return c, x
}

// The index counts what was acknowledged: a log that was cut off, wherever that is, has lost something.
func TestALogThatIsShorterThanItsIndexIsRefused(t *testing.T) {
	impatient(t)
	c, x := crashed(t, 40)
	path := filepath.Join(t.TempDir(), "s.db")
	for at := 0; at < len(c.log); at += every(len(c.log), 25) {
		d := c
		d.log = c.log[:at]
		d.write(t, path)
		must(t, os.WriteFile(path+"-shm", x, 0o644))
		want := []string{"-wal does not go with", "missing at the end of"}
		if at == 0 {
			want = []string{"missing at the end of"}
		}
		for _, way := range []string{"read", "open", "create"} {
			_, err := ways[way](path)
			if !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), want[0]) && !strings.Contains(err.Error(), want[len(want)-1]) {
				t.Fatalf("%d of %d bytes: %s: %v", at, len(c.log), way, err)
			}
		}
		if log := check(os.ReadFile(path + "-wal"))(t); !bytes.Equal(log, d.log) {
			t.Fatal("the log was touched")
		}
	}
	c.write(t, path)
	must(t, os.WriteFile(path+"-shm", x, 0o644))
	s := check(Open(path))(t)
	holds(t, s, 40)
	must(t, s.Close())
}

// Of a transaction that was cut off before it was acknowledged the index knows nothing, whatever there is of it.
func TestTheIndexCountsWhatWasAcknowledged(t *testing.T) {
	impatient(t)
	before, _ := crashed(t, 10)
	path := filepath.Join(t.TempDir(), "s.db")
	before.write(t, path)
	s := check(Open(path))(t)
	patient(s)
	extend(t, s, 11)
	must(t, s.Sync())
	base, at := check(os.ReadFile(path))(t), size(path+"-wal")
	x := check(os.ReadFile(path + "-shm"))(t)
	extend(t, s, 60)
	must(t, s.Sync())
	log := check(os.ReadFile(path + "-wal"))(t)
	later := check(os.ReadFile(path + "-shm"))(t)
	must(t, s.Close())
	for ; at < int64(len(log)); at += int64(every(len(log)-int(at), 5)) {
		cut := synced{base: base, log: log[:at]}
		cut.write(t, path)
		must(t, os.WriteFile(path+"-shm", x, 0o644))
		look := check(Read(path))(t)
		holds(t, look, 11)
		must(t, look.Close())
		cut.write(t, path)
		must(t, os.WriteFile(path+"-shm", later, 0o644)) // it was acknowledged after all
		if _, err := Read(path); !errors.Is(err, journal.ErrCorruptJournal) {
			t.Fatalf("%d of %d bytes: %v", at, len(log), err)
		}
	}
}

// An index that is not whole proves nothing, and neither does that of another log.
func TestAnIndexIsBelievedWhenItIsWhole(t *testing.T) {
	c, x := crashed(t, 5)
	index, whole := parseIndex(x)
	if !whole || index.generation != generation(c.log[16:24]) || c.frames(t) != index.frames || index.brought >= index.frames {
		t.Fatalf("%+v, %v; the log has %d frames", index, whole, c.frames(t))
	}
	for at := range 2 * indexHeader {
		damaged := bytes.Clone(x)
		damaged[at] ^= 1 << (at % 8)
		if _, whole := parseIndex(damaged); whole {
			t.Errorf("byte %d is damaged, and it is whole", at)
		}
		damaged[(at+indexHeader)%(2*indexHeader)] ^= 1 << (at % 8) // both of them alike
		if _, whole := parseIndex(damaged); whole {
			t.Errorf("byte %d is damaged twice, and it is whole", at)
		}
	}
	for _, length := range []int{0, 3, indexHeader, indexBytes - 1} {
		if _, whole := parseIndex(x[:length]); whole {
			t.Errorf("%d bytes are whole", length)
		}
	}
	if _, whole := parseIndex(make([]byte, 32768)); whole {
		t.Error("zeros are whole")
	}
	other := bytes.Clone(x[:indexBytes]) // of a processor with the other order of bytes
	for _, at := range []int{0, 8, 16, 20, 24, 28, 40, 44} {
		binary.BigEndian.PutUint32(other[at:], binary.LittleEndian.Uint32(x[at:]))
	}
	binary.BigEndian.PutUint16(other[14:], binary.LittleEndian.Uint16(x[14:]))
	running := sum{}.over(binary.BigEndian, other[:40])
	binary.BigEndian.PutUint32(other[40:], running[0])
	binary.BigEndian.PutUint32(other[44:], running[1])
	copy(other[indexHeader:], other[:indexHeader])
	binary.BigEndian.PutUint32(other[2*indexHeader:], uint32(index.brought))
	if got, whole := parseIndex(other); !whole || got != index {
		t.Errorf("%+v, want %+v", got, index)
	}
}

// frames is how many frames a log has.
func (c synced) frames(t testing.TB) int64 {
	t.Helper()
	chain, _, err := scan(bytes.NewReader(c.log))
	must(t, err)
	return chain.ended
}

// SQLite takes the index away before the log: the index alone says that somebody else took the log away. One that SQLite
// has only just made, which has no header, says nothing.
func TestAMissingLogIsNoticedByItsIndex(t *testing.T) {
	impatient(t)
	path := filepath.Join(t.TempDir(), "s.db")
	must(t, begun(t, path, 5).Close())
	must(t, os.WriteFile(path+"-shm", make([]byte, 32768), 0o644))
	refusedAs(t, "an index alone", path, path+"-wal is missing")
	must(t, os.WriteFile(path+"-shm", make([]byte, 3), 0o644))
	s := check(Open(path))(t)
	holds(t, s, 5)
	must(t, s.Close())
}
