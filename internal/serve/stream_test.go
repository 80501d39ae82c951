package serve

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// over serves a server on a connection, until the test ends.
func (s *served) over() (url string) {
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(s.t)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	s.t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		stop()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// sent is an event as a reader gets it.
type sent struct {
	id         uint64
	kind, data string
}

// stream reads the events of a study one by one.
type stream struct {
	t     testing.TB
	close func() error
	lines *bufio.Scanner
}

func (s *served) stream(url, query, last string) *stream {
	s.t.Helper()
	r := must.Get(http.NewRequest("GET", url+lr+"/events"+query, nil))(s.t)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	got := must.Get(http.DefaultClient.Do(r))(s.t)
	if got.StatusCode != 200 || got.Header.Get("Content-Type") != "text/event-stream" {
		s.t.Fatal(got.Status)
	}
	s.t.Cleanup(func() { got.Body.Close() })
	return &stream{s.t, got.Body.Close, bufio.NewScanner(got.Body)}
}

func (s *stream) next() (e sent) {
	s.t.Helper()
	for s.lines.Scan() {
		name, value, _ := strings.Cut(s.lines.Text(), ": ")
		switch name {
		case "id":
			e.id = must.Get(strconv.ParseUint(value, 10, 64))(s.t)
		case "event":
			e.kind = value
		case "data":
			e.data = value
		case "":
			if e.kind != "" {
				return e
			}
		}
	}
	s.t.Fatal("the stream ended", s.lines.Err())
	return e
}

// until reads up to an event of a kind.
func (s *stream) until(kind string) (all []sent) {
	s.t.Helper()
	for {
		e := s.next()
		if all = append(all, e); e.kind == kind {
			return all
		}
	}
}

// A stream has every event in order, each with its number; one that begins after the last event that a reader has seen goes on there.
func TestAStreamGoesOnAfterTheLastEventThatWasSeen(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	url := s.over()
	live := s.stream(url, "", "")
	for i := range 5 {
		s.plain().want(200, "", "", "POST", lr+"/ask", "")
		s.plain().want(200, "", "", "POST", fmt.Sprintf("%s/evaluations/%d/tell", lr, i+1), `{"value":1}`)
	}
	var all []sent
	for range 5 {
		all = append(all, live.until("feedback-arrived")...)
	}
	for i, e := range all {
		if i > 0 && e.id <= all[i-1].id || !strings.Contains(e.data, fmt.Sprintf(`"seq":%d,`, e.id)) || !strings.Contains(e.data, `"kind":"`+e.kind+`"`) {
			t.Fatalf("after %v came %v", all[max(i-1, 0)], e)
		}
	}
	if best := `"evaluation":5,"status":"observed","value":1,"best":1,"pending":0,"spent":5`; !strings.Contains(all[len(all)-1].data, best) {
		t.Error(all[len(all)-1])
	}
	seen := all[len(all)/2]
	for name, again := range map[string]*stream{
		"header": s.stream(url, "?after=0", fmt.Sprint(seen.id)), // which counts before the query
		"query":  s.stream(url, fmt.Sprintf("?after=%d", seen.id), ""),
	} {
		for _, want := range all[len(all)/2+1:] {
			if got := again.next(); got != want {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}
	}
	s.plain().want(200, "", "", "POST", lr+"/pause", "")
	if e := live.until("paused"); e[len(e)-1].data != `{"paused":true}` {
		t.Error(e)
	}
}

// Where events are no longer there, a reader hears of the gap, and then what is there, without another hole.
func TestAReaderHearsOfAGap(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":2000`))
	url := s.over()
	for number := 1; ; number++ {
		s.plain().want(200, "", "", "POST", lr+"/ask", "")
		s.plain().want(200, "", "", "POST", fmt.Sprintf("%s/evaluations/%d/tell", lr, number), `{"value":1}`)
		h, p := s.on(nameOf("lr"))
		if p != nil {
			t.Fatal(p)
		}
		lost, latest := h.news.lost, h.news.now()
		s.shelf.release(h)
		if lost < 10 { // nothing was dropped yet
			continue
		}
		again := s.stream(url, "", "1")
		if e := again.next(); e.kind != "gap" || e.id >= lost {
			t.Error(e)
		}
		if e := again.next(); e.id <= lost {
			t.Error(e, lost)
		}
		fine := s.stream(url, "", fmt.Sprint(lost))
		if e := fine.next(); e.kind == "gap" || e.id <= lost || e.id > latest {
			t.Error(e, lost)
		}
		return
	}
}

func nameOf(study string) *http.Request {
	r := &http.Request{}
	r.SetPathValue("study", study)
	return r
}

// Fifty readers get the same events; one that reads nothing holds nobody up, and what is kept for all of them is bounded.
func TestFiftyReadersCostLittle(t *testing.T) {
	s := serving(t, Config{Streams: 50})
	s.want(201, "", "", "PUT", lr, wishing(`,"budget":1000`))
	url := s.over()
	var readers []*stream
	for range 50 {
		readers = append(readers, s.stream(url, "", ""))
	}
	s.plain().want(503, "busy", "50 streams", "GET", lr+"/events", "")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const n = 100
	for i := range n {
		s.plain().want(200, "", "", "POST", lr+"/ask", "")
		s.plain().want(200, "", "", "POST", fmt.Sprintf("%s/evaluations/%d/tell", lr, i+1), `{"value":1}`)
	}
	for _, r := range readers[1:] { // the first reads nothing
		for range n {
			r.until("feedback-arrived")
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("%d bytes more than before", grown)
	}
}

// A stream that goes on after an event to which the study has not come says so, and goes on from where the study is: another one had the name.
func TestAStreamFromBeyondTheStudyBeginsWhereThatIs(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	url := s.over()
	live := s.stream(url, "", "500")
	if e := live.next(); e.kind != "gap" || e.id >= 500 {
		t.Errorf("first came %v", e)
	}
	s.plain().want(200, "", "", "POST", lr+"/ask", "")
	s.plain().want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	if all := live.until("feedback-arrived"); all[len(all)-1].id >= 500 {
		t.Errorf("%v", all)
	}
}

// Who reads of a study, or waits for its queries, lets go when its file is taken away, and the name is free at once.
func TestNobodyHoldsAStudyThatWasTakenAway(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(`,"pending":1`))
	url := s.over()
	live := s.stream(url, "?after=0", "")
	s.plain().want(200, "", "", "POST", lr+"/ask", "")
	live.until("answer-follows")
	waits := make(chan int, 1)
	go func() {
		r, err := http.Post(url+lr+"/ask?wait=50s", "application/json", strings.NewReader("{}"))
		if err != nil {
			t.Error(err)
			waits <- 0
			return
		}
		r.Body.Close()
		waits <- r.StatusCode
	}()
	if err := os.Remove(filepath.Join(s.config.Folder, "lr.db")); err != nil {
		t.Fatal(err)
	}
	if got := <-waits; got != http.StatusGone && got != http.StatusInternalServerError { // which is where it came just as the file went
		t.Errorf("who waits for a query is answered by %d", got)
	}
	for live.lines.Scan() {
	}
	if err := live.lines.Err(); err != nil {
		t.Errorf("the stream ended with %v", err)
	}
	s.plain().want(201, "", "", "PUT", lr, wishing(""))
}
