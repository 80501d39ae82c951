package jetstream

import (
	"io"
	"net"
	"sync"
	"testing"
)

// proxy is a way to a server that can be cut: then nothing gets through, in either direction, and no connection ends.
type proxy struct {
	listener net.Listener
	mutex    sync.Mutex
	open     chan struct{} // closed while bytes may pass
	conns    []net.Conn
}

func newProxy(t testing.TB, to string) *proxy {
	t.Helper()
	p := &proxy{listener: check(net.Listen("tcp", "127.0.0.1:0"))(t), open: make(chan struct{})}
	close(p.open)
	go func() {
		for {
			from, err := p.listener.Accept()
			if err != nil {
				return
			}
			conn, err := net.Dial("tcp", to)
			if err != nil {
				from.Close()
				continue
			}
			p.mutex.Lock()
			p.conns = append(p.conns, from, conn)
			p.mutex.Unlock()
			go p.pass(from, conn)
			go p.pass(conn, from)
		}
	}()
	t.Cleanup(func() {
		p.listener.Close()
		p.heal()
		p.mutex.Lock()
		defer p.mutex.Unlock()
		for _, c := range p.conns {
			c.Close()
		}
	})
	return p
}

func (p *proxy) url() string { return "nats://" + p.listener.Addr().String() }

func (p *proxy) pass(from, to net.Conn) {
	defer to.Close()
	defer from.Close()
	for b := make([]byte, 64<<10); ; {
		n, err := from.Read(b)
		p.mutex.Lock()
		open := p.open
		p.mutex.Unlock()
		<-open
		if _, failed := to.Write(b[:n]); failed != nil || err == io.EOF || err != nil {
			return
		}
	}
}

// cut lets nothing through from now on; what is under way comes when heal is called.
func (p *proxy) cut() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.open = make(chan struct{})
}

// heal lets through what waits, and all that comes.
func (p *proxy) heal() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	select {
	case <-p.open:
	default:
		close(p.open)
	}
}
