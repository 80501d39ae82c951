package actors

import "sync"

// threads runs functions, each at once and in a goroutine of its own, and keeps the goroutines for others: those of actors
// live for a message or two, and growing their stacks anew each time took four tenths of the engine's time. It is a
// dispatcher of the actor framework. The zero value is ready.
type threads struct {
	mutex  sync.Mutex
	idle   []chan func()
	closed bool // then nothing is kept
}

// messagesInARow is how many messages a mailbox may handle before others get a turn, as in the framework's own dispatcher.
const messagesInARow = 300

// Throughput is how many messages a mailbox may handle in a row.
func (*threads) Throughput() int { return messagesInARow }

// Schedule runs a function and returns. A function may end its goroutine.
func (t *threads) Schedule(f func()) {
	t.mutex.Lock()
	n := len(t.idle)
	if n == 0 {
		t.mutex.Unlock()
		go t.work(f)
		return
	}
	next := t.idle[n-1]
	t.idle = t.idle[:n-1]
	t.mutex.Unlock()
	next <- f
}

// enduring are threads for a mailbox whose actor may end its goroutine: what of it is left then goes on in another one.
type enduring struct{ *threads }

// Schedule runs what a mailbox has to do and returns.
func (e enduring) Schedule(f func()) {
	e.threads.Schedule(func() {
		returned := false
		defer func() {
			if !returned {
				e.Schedule(f)
			}
		}()
		f()
		returned = true
	})
}

func (t *threads) work(f func()) {
	next := make(chan func(), 1)
	for ok := true; ok; f, ok = <-next {
		f()
		t.mutex.Lock()
		if t.closed {
			t.mutex.Unlock()
			return
		}
		t.idle = append(t.idle, next)
		t.mutex.Unlock()
	}
}

// close ends every goroutine that has nothing to do, now and from now on.
func (t *threads) close() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.closed = true
	for _, next := range t.idle {
		close(next)
	}
	t.idle = nil
}
