package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
)

// gotten gets a study of a shelf in a goroutine of its own.
func gotten(s *shelf, by way) <-chan string {
	out := make(chan string, 1)
	go func() {
		h, created, p := s.get("lr", by)
		if p != nil {
			out <- fmt.Sprintf("%d %s", p.Status, p.Detail)
			return
		}
		s.release(h)
		out <- fmt.Sprint("open, created: ", created)
	}()
	return out
}

// Who begins a study is not told what became of somebody who only looked whether it is there, or whose own beginning failed; and who looks is not told
// what became of a beginning.
func TestNobodyIsToldWhatBecameOfTheWayOfAnother(t *testing.T) {
	w, p := wished([]byte(wishing("")))
	if p != nil {
		t.Fatal(p)
	}
	for name, one := range map[string]struct {
		first  bool // creates
		err    error
		second func(s *Server) way
		want   string
	}{
		"begin after look":        {false, fs.ErrNotExist, func(s *Server) way { return way{true, func(h *held) (bool, error) { return s.begin(h, w) }} }, "open, created: true"},
		"begin after wrong begin": {true, errors.New("wrong"), func(s *Server) way { return way{true, func(h *held) (bool, error) { return s.begin(h, w) }} }, "open, created: true"},
		"look after wrong begin":  {true, errors.New("wrong"), func(s *Server) way { return way{open: s.resume} }, "404 there is no study lr"},
		"look after look":         {false, errors.New("wrong"), func(s *Server) way { return way{open: s.resume} }, "500 study lr cannot be opened: wrong"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serving(t, Config{}).Server
			must.Get(os.Create(filepath.Join(s.config.Folder, "lr.db")))(t).Close() // so that who looks begins to open it
			under, fail := make(chan bool), make(chan bool)
			first := gotten(s.shelf, way{one.first, func(*held) (bool, error) {
				close(under)
				<-fail
				return false, one.err
			}})
			<-under
			second := gotten(s.shelf, one.second(s))
			for users := 0; users < 2; { // until it waits
				s.shelf.mutex.Lock()
				users = s.shelf.open["lr"].users
				s.shelf.mutex.Unlock()
			}
			close(fail)
			if got := <-second; got != one.want {
				t.Errorf("%s, want %s; the first: %s", got, one.want, <-first)
			}
		})
	}
}

// What is not there closes nothing that is.
func TestAStudyThatIsNotThereClosesNoOther(t *testing.T) {
	s := serving(t, Config{Open: 1})
	s.want(201, "", "", "PUT", lr, wishing(""))
	first := s.want(200, "", "", "POST", lr+"/ask", "", "Idempotency-Key", "k")
	s.want(404, "study", "there is no study two", "GET", "/v1/studies/two", "")
	if again := s.want(200, "", "", "POST", lr+"/ask", "", "Idempotency-Key", "k"); text(again) != text(first) {
		t.Error(first, again)
	}
}
