package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// BenchmarkAskTell asks and tells over many connections, on one study or on several. One operation is an ask and the tell that answers
// it: two requests, each kept before it is answered.
func BenchmarkAskTell(b *testing.B) {
	for _, c := range []struct{ studies, callers int }{{1, 1}, {1, 8}, {1, 64}, {1, 256}, {16, 1}, {16, 16}} {
		b.Run(fmt.Sprintf("%dx%d", c.studies, c.callers), func(b *testing.B) {
			benchmarkAskTell(b, c.studies, c.callers)
		})
	}
}

func benchmarkAskTell(b *testing.B, studies, callers int) {
	syncs := atomic.Int64{}
	s := serving(b, Config{Store: func(path, study string, create bool) (Store, error) {
		store, err := inFile(path, study, create)
		return &counted{store, &syncs}, err
	}})
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(b)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	var all []*asking
	for i := range studies {
		path := fmt.Sprintf("/v1/studies/s%d", i)
		for range callers {
			all = append(all, &asking{Conn: must.Get(net.Dial("tcp", l.Addr().String()))(b), path: path})
			all[len(all)-1].in = bufio.NewReader(all[len(all)-1])
		}
		must.Get(all[len(all)-1].do("PUT", path, wishing(`,"pending":512`)))(b)
	}
	syncs.Store(0)
	b.ReportAllocs()
	b.ResetTimer()
	left, working := atomic.Int64{}, sync.WaitGroup{}
	left.Store(int64(b.N))
	for _, c := range all {
		working.Go(func() {
			for left.Add(-1) >= 0 {
				if err := c.askTell(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	working.Wait()
	b.StopTimer()
	b.ReportMetric(2*float64(b.N)/b.Elapsed().Seconds(), "requests/s")
	b.ReportMetric(2*float64(b.N)/float64(syncs.Load()), "requests/sync")
	for _, c := range all {
		c.Close()
	}
	stop()
	if err := <-ended; err != nil {
		b.Error(err)
	}
}

// counted is a store that counts how often it waits for the disk.
type counted struct {
	Store
	syncs *atomic.Int64
}

func (c *counted) Sync() error {
	c.syncs.Add(1)
	return c.Store.Sync()
}

// asking is a client that does as little as it can: what is measured is the server.
type asking struct {
	net.Conn
	in   *bufio.Reader
	path string
	out  []byte
}

func (c *asking) askTell() error {
	asked, err := c.do("POST", c.path+"/ask", "{}")
	if err != nil {
		return err
	}
	_, after, found := bytes.Cut(asked, []byte(`"id":`))
	id, _, _ := bytes.Cut(after, []byte(","))
	if !found {
		return fmt.Errorf("no query: %s", asked)
	}
	_, err = c.do("POST", c.path+"/evaluations/"+string(id)+"/tell", `{"value":1}`)
	return err
}

// do sends a request and returns the body of its answer.
func (c *asking) do(method, path, body string) ([]byte, error) {
	c.out = fmt.Appendf(c.out[:0], "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", method, path, len(body), body)
	if _, err := c.Write(c.out); err != nil {
		return nil, err
	}
	lines := textproto.NewReader(c.in)
	status, err := lines.ReadLine()
	if err != nil {
		return nil, err
	}
	length := 0
	for {
		line, err := lines.ReadLineBytes()
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			break
		}
		if text, is := bytes.CutPrefix(line, []byte("Content-Length: ")); is {
			length, _ = strconv.Atoi(string(text))
		}
	}
	answer := make([]byte, length)
	for got := 0; got < length; {
		n, err := c.in.Read(answer[got:])
		if err != nil {
			return nil, err
		}
		got += n
	}
	if status != "HTTP/1.1 200 OK" && status != "HTTP/1.1 201 Created" {
		return nil, errors.New(status + " " + string(answer))
	}
	return answer, nil
}
