package serve

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

// A body that does not come is not waited for.
func TestABodyThatComesTooSlowlyIsRefused(t *testing.T) {
	s := serving(t, Config{})
	s.patience = 100 * time.Millisecond
	url := s.over()
	c := must.Get(net.Dial("tcp", strings.TrimPrefix(url, "http://")))(t)
	defer c.Close()
	fmt.Fprintf(c, "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", lr)
	got := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
	defer got.Body.Close()
	if got.StatusCode != http.StatusRequestTimeout {
		t.Error(got.Status)
	}
}

// Nor is one that nobody wants: a stream of events has none, and would wait for it for ever.
func TestAStreamDoesNotWaitForABody(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	s.patience = 100 * time.Millisecond
	url := s.over()
	c := must.Get(net.Dial("tcp", strings.TrimPrefix(url, "http://")))(t)
	defer c.Close()
	fmt.Fprintf(c, "GET %s/events HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{", lr)
	got := must.Get(http.ReadResponse(bufio.NewReader(c), nil))(t)
	defer got.Body.Close()
	if got.StatusCode != http.StatusRequestTimeout {
		t.Error(got.Status)
	}
}

// A body without a length is read as far as it may be long, and no further.
func TestABodyWithoutALengthIsBoundedToo(t *testing.T) {
	s := serving(t, Config{Body: 1000})
	url := s.over()
	endless := readerOf(func(p []byte) (int, error) { return copy(p, strings.Repeat(" ", len(p))), nil })
	r := must.Get(http.NewRequest("PUT", url+lr, endless))(t)
	r.Header.Set("Content-Type", "application/json")
	got := must.Get(http.DefaultClient.Do(r))(t)
	defer got.Body.Close()
	if got.StatusCode != http.StatusRequestEntityTooLarge {
		t.Error(got.Status)
	}
}

type readerOf func([]byte) (int, error)

func (r readerOf) Read(p []byte) (int, error) { return r(p) }

// Of more studies than may be open at once, all in use, the last has to come again; and so has a request where too many are under way.
func TestWhereThereIsNoRoomACallerComesAgain(t *testing.T) {
	s := serving(t, Config{Open: 1})
	s.want(201, "", "", "PUT", lr, wishing(""))
	h, p := s.on(nameOf("lr"))
	if p != nil {
		t.Fatal(p)
	}
	s.want(404, "study", "there is no study two", "GET", "/v1/studies/two", "")
	s.want(503, "busy", "1 studies are open and in use", "PUT", "/v1/studies/two", wishing(""))
	s.shelf.release(h)
	s.want(404, "study", "there is no study two", "GET", "/v1/studies/two", "")
	few := serving(t, Config{Requests: 1})
	few.requests.enter()
	few.want(503, "busy", "1 requests are under way", "GET", "/v1/studies", "")
	few.requests.leave()
	few.want(200, "", "", "GET", "/v1/studies", "")
}

// Those who wait for a query, and those who read events, take no place from those whose answers they wait for.
func TestWhoWaitsKeepsNoAnswerOut(t *testing.T) {
	s := serving(t, Config{Requests: 1, Asks: 2, Streams: 1})
	s.want(201, "", "", "PUT", lr, wishing(`,"pending":1`))
	s.want(200, "", "", "POST", lr+"/ask", "")
	s.stream(s.over(), "", "")
	got := make(chan map[string]any, 2)
	for range cap(got) {
		go func() { got <- s.plain().want(200, "", "", "POST", lr+"/ask?wait=60s", "") }()
	}
	for len(s.asks.taken) < cap(got) { // until they wait
		runtime.Gosched()
	}
	s.want(503, "busy", "2 asks are under way", "POST", lr+"/ask?wait=60s", "")
	for i := range cap(got) {
		s.want(200, "", "", "POST", fmt.Sprintf("%s/evaluations/%d/tell", lr, i+1), `{"value":1}`)
		if out := <-got; len(out["queries"].([]any)) != 1 {
			t.Error(out)
		}
	}
}

// The rate is that of each address, and comes back with time.
func TestTheRateIsOfEachAddress(t *testing.T) {
	clock := time.Now()
	r := rates{perSecond: 2, now: func() time.Time { return clock }}
	if first, second := r.take("a"), r.take("a"); first != 0 || second != 0 || r.take("b") != 0 {
		t.Error("a burst is refused")
	}
	if wait := r.take("a"); wait != 500*time.Millisecond {
		t.Error(wait)
	}
	clock = clock.Add(500 * time.Millisecond)
	if first, second := r.take("a"), r.take("a"); first != 0 || second == 0 {
		t.Error("one has come back, and no second")
	}
	for i := range 2 * maxBuckets {
		r.take(fmt.Sprint(i))
	}
	if len(r.buckets) > maxBuckets {
		t.Error(len(r.buckets), "addresses are remembered")
	}
}

// A number that is text, an evaluation of another study, and a value that is no number change nothing.
func TestWhatIsNoNumberOrOfAnotherStudyIsRefused(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	s.want(201, "", "", "PUT", "/v1/studies/two", wishing(""))
	s.want(200, "", "", "POST", lr+"/ask", `{"n":2}`)
	s.want(404, "evaluation", "study two has no evaluation 2: it has 0", "POST", "/v1/studies/two/evaluations/2/tell", `{"value":1}`)
	for body, part := range map[string]string{
		`{"value":"1"}`: "without the quotes", `{"value":NaN}`: "NaN is not JSON", `{"value":1e999}`: "a finite number", `{"value":null}`: "a finite number",
		`{"value":1,"value":2}`: "given twice", `{}`: "value: missing", `{"value":1}x`: "not JSON", "\xff": "not UTF-8", `{"value":1,"id":1}`: "id: unknown member",
	} {
		s.want(400, "invalid", part, "POST", lr+"/evaluations/1/tell", body)
	}
	for _, n := range []string{`"2"`, "0", "1.5", "1001", "-1", "null"} {
		s.want(400, "invalid", "a whole number in 1 … 1000", "POST", lr+"/ask", `{"n":`+n+`}`)
	}
	s.want(400, "invalid", "reason: unknown member (want none)", "POST", lr+"/evaluations/1/cancel", `{"reason":"no"}`)
	if out := s.want(400, "invalid", "x.kin: unknown parameter: did you mean kind?", "POST", lr+"/enqueue", `{"x":{"lr":0.5,"kin":3}}`); len(out["violations"].([]any)) != 1 {
		t.Error(out)
	}
	if out := s.want(200, "", "", "GET", lr, ""); len(out["pending"].([]any)) != 2 {
		t.Error(out)
	}
}

// A journal that refuses acknowledges nothing: what was told before stands, what was refused did not happen, and the study goes on when
// the disk takes it again.
func TestAJournalThatRefusesAcknowledgesNothing(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	s.want(200, "", "", "POST", lr+"/ask", `{"n":2}`)
	s.want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	h, p := s.on(nameOf("lr"))
	if p != nil {
		t.Fatal(p)
	}
	file := filepath.Join(s.config.Folder, "lr.db")
	if err := os.Truncate(file+"-wal", 100); err != nil { // as a sick disk would
		t.Fatal(err)
	}
	s.want(500, "not-kept", "nothing was acknowledged", "POST", lr+"/evaluations/2/tell", `{"value":2}`)
	s.shelf.release(h)
	status, out := s.call("GET", lr, "")
	if detail, _ := out["detail"].(string); status != 500 || !strings.Contains(detail, "cannot be opened") {
		t.Error("what lost its log is opened:", status, out)
	}
}

// Where nothing can be written, nothing begins.
func TestAFolderThatCannotBeWrittenIsSaid(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere")
	}
	s := serving(t, Config{})
	if err := os.Chmod(s.config.Folder, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.config.Folder, 0o700)
	s.want(500, "study", "cannot be opened", "PUT", lr, wishing(""))
}
