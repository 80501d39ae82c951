package sqlite

import (
	"encoding/binary"
	"os"
	"runtime"
	"sync"
)

// index is what SQLite's index of a log says about it. SQLite writes it to shared memory, the file study.db-shm, after the
// disk has confirmed a transaction: a log with fewer frames than the index counts has lost some that were acknowledged,
// and of a transaction that was cut off before it was safe the index knows nothing. That holds after a loss of power too,
// when the file may be old, since it is never ahead of the log; a part of one is not believed.
type index struct {
	generation generation
	frames     int64 // of whole transactions
	brought    int64 // of these, to the database
}

// The header of the index is there twice. Behind it is how many frames were brought to the database.
// See "WAL-Index File Format", https://sqlite.org/walformat.html.
const (
	indexHeader = 48
	indexBytes  = 2*indexHeader + 4
)

// parseIndex reads the beginning of an index; false when it is not whole, as while SQLite writes it.
func parseIndex(b []byte) (x index, whole bool) {
	if len(b) < indexBytes || string(b[:indexHeader]) != string(b[indexHeader:2*indexHeader]) {
		return x, false
	}
	// The numbers are those of the processor, the salts as in the log.
	order := binary.ByteOrder(binary.LittleEndian)
	const version = 3007000
	if order.Uint32(b) != version {
		order = binary.BigEndian
	}
	want := sum{}.over(order, b[:40])
	if order.Uint32(b) != version || b[12] == 0 || want != (sum{order.Uint32(b[40:]), order.Uint32(b[44:])}) {
		return x, false
	}
	x = index{generation(b[32:40]), int64(order.Uint32(b[16:])), int64(order.Uint32(b[2*indexHeader:]))}
	return x, true
}

// readIndex reads the index of a log; false when there is none that can be believed.
func readIndex(name string) (index, bool) {
	b := make([]byte, indexBytes)
	if runtime.GOOS == "windows" {
		f, err := os.Open(name)
		if err != nil {
			return index{}, false
		}
		defer f.Close()
		n, _ := f.ReadAt(b, 0)
		return parseIndex(b[:n])
	}
	n := indexes.read(name, b)
	return parseIndex(b[:n])
}

// indexes are the files that were opened to read an index. SQLite has its locks on them, and with POSIX locks a process
// that closes a file loses those that it has on it, by whatever connection: they stay open until SQLite has deleted them.
var indexes openFiles

type openFiles struct {
	sync.Mutex
	files []*os.File
}

// read reads the beginning of a file.
func (o *openFiles) read(name string, to []byte) int {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	o.Lock()
	defer o.Unlock()
	var found *os.File
	kept := o.files[:0]
	for _, f := range o.files {
		there, err := f.Stat()
		if err == nil && names(there) == 0 {
			f.Close()
			continue
		}
		kept = append(kept, f)
		if err == nil && os.SameFile(there, info) {
			found = f
		}
	}
	o.files = kept
	if found == nil {
		if found, err = os.Open(name); err != nil {
			return 0
		}
		o.files = append(o.files, found)
	}
	n, _ := found.ReadAt(to, 0)
	return n
}
