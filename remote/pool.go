package remote

import "sync"

// pool runs functions, each at once and in a goroutine of its own, and keeps the goroutines for others: growing their stacks anew for each
// message took a tenth of the hub's time. The zero value is ready.
type pool struct {
	mutex sync.Mutex
	idle  []chan func()
	over  bool // then nothing is kept
	busy  sync.WaitGroup
}

// do runs a function and returns, unless the pool was closed; it reports whether it was not.
func (p *pool) do(f func()) bool {
	p.mutex.Lock()
	if p.over {
		p.mutex.Unlock()
		return false
	}
	p.busy.Add(1)
	if n := len(p.idle); n > 0 {
		next := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mutex.Unlock()
		next <- f
		return true
	}
	p.mutex.Unlock()
	go p.work(f)
	return true
}

func (p *pool) work(f func()) {
	next := make(chan func(), 1)
	for ok := true; ok; f, ok = <-next {
		f()
		p.mutex.Lock()
		over := p.over
		if !over {
			p.idle = append(p.idle, next)
		}
		p.mutex.Unlock()
		p.busy.Done()
		if over {
			return
		}
	}
}

// close returns when nothing runs any more.
func (p *pool) close() {
	p.mutex.Lock()
	p.over = true
	for _, next := range p.idle {
		close(next)
	}
	p.idle = nil
	p.mutex.Unlock()
	p.busy.Wait()
}
