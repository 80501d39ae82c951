package sqlite

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// What a loss of power leaves of the last transaction: the file cut off anywhere, or some of the frames not written, in
// any order. Nobody was told that it was safe.
func TestATransactionThatWasCutOffIsDropped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 0)
	extend(t, s, 1)
	must(t, s.Sync())
	extend(t, s, 150)
	must(t, s.Sync())
	before := size(path + "-wal")
	extend(t, s, 450)
	must(t, s.Sync())
	c := synced{base: check(os.ReadFile(path))(t), log: check(os.ReadFile(path + "-wal"))(t)}
	must(t, s.Close())
	frames := (len(c.log) - int(before)) / (frameBytes + usualPage)
	if frames < 4 {
		t.Fatalf("the last transaction has %d frames", frames)
	}
	opens := func(log []byte) {
		t.Helper()
		synced{base: c.base, log: log}.write(t, path)
		look := check(Read(path))(t)
		holds(t, look, 150)
		must(t, look.Close())
		s := check(Open(path))(t)
		holds(t, s, 150)
		extend(t, s, 151)
		must(t, s.Sync())
		must(t, s.Verify())
		must(t, s.Close())
	}
	for at := int(before); at < len(c.log); at += every(len(c.log)-int(before), 5) {
		opens(c.log[:at])
	}
	for k := 0; k < frames; k += every(frames, 3) {
		log := bytes.Clone(c.log)
		clear(log[int(before)+k*(frameBytes+usualPage):][:frameBytes+usualPage])
		opens(log)
	}
	// The same in the transaction before is damage.
	for k := int(before) - 2*(frameBytes+usualPage); k > 2*(frameBytes+usualPage); k -= frameBytes + usualPage {
		log := bytes.Clone(c.log)
		clear(log[k:][:frameBytes+usualPage])
		if w := scanned(t, log); w == nil || w.at != int64(k) {
			t.Errorf("frame at %d: %+v", k, w)
		}
	}
}

// When all of the log is in the database it is written again from its beginning: behind its end there are transactions of
// another generation.
func TestALogThatIsWrittenAgainIsNotDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.db")
	s := begun(t, path, 0)
	patient(s)
	grow := func(n uint64) {
		for range n {
			extend(t, s, s.last.seq+1)
			must(t, s.Sync())
		}
	}
	grow(20)
	check(s.db.Exec("PRAGMA wal_checkpoint(RESTART)"))(t)
	grow(5)
	log := check(os.ReadFile(path + "-wal"))(t)
	now, old := frame(log[headBytes:]).generation(), frame(log[len(log)-frameBytes-usualPage:]).generation()
	if now == old {
		t.Fatal("the log has one generation")
	}
	if w := examined(t, path); w != nil {
		t.Errorf("%+v", w)
	}
	// Of the last transaction one frame did not get to the disk, so that one of the other generation is still there.
	past := log[len(log)-frameBytes-usualPage:]
	extend(t, s, s.last.seq+300)
	must(t, s.Sync())
	longer := check(os.ReadFile(path + "-wal"))(t)
	for at := len(longer) - len(past); at > 0; at -= len(past) {
		if f := frame(longer[at:]); f.generation() == now && f.pages() == 0 {
			copy(longer[at:], past)
			break
		}
	}
	if w := scanned(t, longer); w != nil || frame(past).pages() == 0 {
		t.Errorf("%+v", w)
	}
	log[headBytes+100] ^= 1
	if w := scanned(t, log); w == nil || w.at != headBytes || w.behind >= int64(len(log))/2 {
		t.Errorf("of a log of %d bytes: %+v", len(log), w)
	}
	must(t, s.Close())
}

// The order of bytes in the checksums is that of the processor that began the log.
func TestALogOfAnotherProcessorIsRead(t *testing.T) {
	c := cutOff(t, 3)
	log := bytes.Clone(c.log)
	binary.BigEndian.PutUint32(log, 0x377f0683)
	put := func(to []byte, s sum) {
		binary.BigEndian.PutUint32(to, s[0])
		binary.BigEndian.PutUint32(to[4:], s[1])
	}
	running := sum{}.over(binary.BigEndian, log[:24])
	put(log[24:], running)
	for at := headBytes; at < len(log); at += frameBytes + usualPage {
		f := log[at:][:frameBytes+usualPage]
		running = running.over(binary.BigEndian, f[:8]).over(binary.BigEndian, f[frameBytes:])
		put(f[16:], running)
	}
	if w := scanned(t, log); w != nil {
		t.Errorf("%+v", w)
	}
	log[headBytes+frameBytes] ^= 1
	if w := scanned(t, log); w == nil {
		t.Error("damage was not found")
	}
	log[headBytes+frameBytes] ^= 1
	c.log = log
	c.hidesNothing(t, 0) // SQLite agrees that it is whole
}
