package serve

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
)

// reopened is another server of the same folder, once this one is closed.
func (s *served) reopened() *served {
	s.t.Helper()
	if err := s.Close(); err != nil {
		s.t.Fatal(err)
	}
	return serving(s.t, Config{Folder: s.config.Folder})
}

// latest is the number of the latest event of the study for readers, and of the latest of all.
func (s *served) latest() (told, all uint64) {
	h, p := s.on(nameOf("lr"))
	if p != nil {
		s.t.Fatal(p)
	}
	defer s.shelf.release(h)
	far, _ := from(&http.Request{Header: http.Header{"Last-Event-Id": {"1000000"}}, URL: &url.URL{}}, h)
	return h.news.now(), far.seq
}

// Where only numbers lie between that no reader ever gets, nothing is missing: neither for a reader who comes again after a restart, nor for one who comes
// anew then.
func TestNothingIsMissingWhereAReaderHasSeenAllThatIsForReaders(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(`,"pending":1`))
	for range 2 {
		s.want(200, "", "", "POST", lr+"/ask", "") // the second one is given nothing
	}
	seen, all := s.latest()
	if seen >= all {
		t.Fatal(seen, all, "there is no event that is for no reader")
	}
	s = s.reopened()
	over := s.over()
	readers := []*stream{s.stream(over, "", fmt.Sprint(seen)), s.stream(over, "", "")}
	s.plain().want(200, "", "", "POST", lr+"/evaluations/1/tell", `{"value":1}`)
	for i, r := range readers {
		for e := r.next(); ; e = r.next() {
			if e.kind == "gap" {
				t.Errorf("reader %d hears of a gap", i)
			}
			if e.kind == "feedback-arrived" {
				break
			}
		}
	}
}

// Who has missed events hears of it when he comes again, though nothing happens then; and of the first ones too.
func TestAReaderHearsOfAGapAtOnce(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	for i := range 3 {
		s.want(200, "", "", "POST", lr+"/ask", "")
		s.want(200, "", "", "POST", fmt.Sprintf("%s/evaluations/%d/tell", lr, i+1), `{"value":1}`)
	}
	s = s.reopened()
	over := s.over()
	for _, last := range []string{"0", "2"} {
		again := s.stream(over, "", last)
		if e := again.next(); e.kind != "gap" {
			t.Errorf("after %s: %v", last, e)
		}
		for _, kind := range []string{"resumed", "paused"} { // and no second gap
			if e := again.next(); e.kind != kind {
				t.Errorf("after %s: %v", last, e)
			}
		}
	}
}

// Who was away while a study was paused or resumed hears how it is now.
func TestAReaderWhoComesAgainHearsWhetherTheStudyIsPaused(t *testing.T) {
	s := serving(t, Config{})
	s.want(201, "", "", "PUT", lr, wishing(""))
	for _, on := range []bool{true, false} {
		s.want(200, "", "", "POST", lr+map[bool]string{true: "/pause", false: "/resume"}[on], "")
		s = s.reopened()
		again := s.stream(s.over(), "", "0")
		again.until("resumed")
		s.plain().want(200, "", "", "POST", lr+"/enqueue", `{"x":{"lr":0.5}}`) // so that something comes in any case
		if e := again.next(); e.kind != "paused" || e.data != fmt.Sprintf(`{"paused":%t}`, on) {
			t.Error(on, e)
		}
	}
}
