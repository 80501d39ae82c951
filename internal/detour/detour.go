// Package detour is for tests: a way to a server that can be cut and frozen, and ports for servers that start later or again.
package detour

import (
	"net"
	"sync"
)

// Test is what this package needs of a test.
type Test interface {
	Helper()
	Fatal(args ...any)
	Cleanup(func())
}

// Way leads each connection on to a server. It ends with its test.
type Way struct {
	listener net.Listener
	to       string
	ice      sync.RWMutex // locked while nothing gets through
	mutex    sync.Mutex   // guards what follows
	frozen   bool
	open     map[net.Conn]bool
	done     sync.WaitGroup
}

// New returns a way to an address, which need not be heard yet: as long as it is not, connections end at once.
func New(t Test, to string) *Way {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &Way{listener: l, to: to, open: map[net.Conn]bool{}}
	w.done.Go(w.accept)
	t.Cleanup(func() {
		l.Close()
		w.Thaw()
		w.Cut()
		w.done.Wait()
	})
	return w
}

// Address is where the way begins.
func (w *Way) Address() string { return w.listener.Addr().String() }

// Cut ends every connection; new ones may be made.
func (w *Way) Cut() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for c := range w.open {
		c.Close()
	}
}

// Freeze lets nothing through from now on, in either direction, and ends no connection. What is under way comes after Thaw.
func (w *Way) Freeze() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if !w.frozen {
		w.frozen = true
		w.ice.Lock()
	}
}

// Thaw lets through what waits, and all that comes.
func (w *Way) Thaw() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.frozen {
		w.frozen = false
		w.ice.Unlock()
	}
}

func (w *Way) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("tcp", w.to)
		if err != nil {
			near.Close()
			continue
		}
		w.mutex.Lock()
		w.open[near], w.open[far] = true, true
		w.mutex.Unlock()
		w.done.Go(func() { w.carry(near, far) })
		w.done.Go(func() { w.carry(far, near) })
	}
}

func (w *Way) carry(from, to net.Conn) {
	for buffer := make([]byte, 16<<10); ; {
		n, err := from.Read(buffer)
		w.thawed()
		if n > 0 {
			if _, failed := to.Write(buffer[:n]); err == nil {
				err = failed
			}
		}
		if err != nil {
			from.Close()
			to.Close()
			w.mutex.Lock()
			delete(w.open, from)
			delete(w.open, to)
			w.mutex.Unlock()
			return
		}
	}
}

// thawed returns when nothing is frozen.
func (w *Way) thawed() {
	w.ice.RLock()
	defer w.ice.RUnlock()
}
