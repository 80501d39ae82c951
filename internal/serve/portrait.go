package serve

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/portrait"
	"github.com/tarry-bo/tarry/loop"
)

// sight is what the page sees of a study that is open here. Its sketch is made when somebody looks, and is used while nothing else happens
// in the study.
type sight struct {
	sketch *portrait.Sketch
	sliced sliced
}

// heard is told each event of the study, which waits meanwhile.
func (h *held) heard(e tarry.Event) {
	h.news.add(e)
	h.seen.touch(e.Reaction.Evaluation)
}

// looked is a study that can be read while nothing else happens in it.
type looked interface {
	Look(func(l *loop.Loop, elapsed time.Duration))
}

// touch says that an event was about an evaluation.
func (s *sight) touch(number int) {
	if s.sketch != nil && number > 0 {
		s.sketch.Touch(number)
	}
}

// sliced are the latest slices of a study, which take the work of a suggestion.
type sliced struct {
	mutex sync.Mutex
	at    time.Time
	seq   uint64
	body  []byte
}

// Bounds of how often a study is looked at again.
const (
	freshSlices  = 2 * time.Second
	freshGlimpse = 2 * time.Second
	maxGlimpses  = 4
)

// rangeOf reads which evaluations a caller has already.
func rangeOf(r *http.Request) (out portrait.Range, p *problem) {
	q := r.URL.Query()
	var err error
	if text := q.Get("after"); text != "" {
		if out.After, err = strconv.ParseUint(text, 10, 64); err != nil {
			return out, invalid("after = " + shortened(text) + ": want the number of an event")
		}
	}
	if text := q.Get("stride"); text != "" {
		if out.Stride, err = strconv.Atoi(text); err != nil || out.Stride < 0 {
			return out, invalid("stride = " + shortened(text) + ": want that of the portrait before")
		}
	}
	return out, nil
}

// portrait is what there is to see of a study; of one that this process cannot open, as its file has it.
func (s *Server) portrait(r *http.Request, _ []byte) (answer, *problem) {
	want, p := rangeOf(r)
	if p != nil {
		return answer{}, p
	}
	h, p := s.seen(r)
	if p != nil {
		return s.glimpsed(r, p, func(g *glimpse) any { return g.sketch.Portrait(g.study, want) })
	}
	defer s.shelf.release(h)
	var out portrait.Portrait
	h.study.(looked).Look(func(l *loop.Loop, elapsed time.Duration) {
		h.follow(l)
		out = h.seen.sketch.Portrait(portrait.Study{
			Name: h.name, Header: h.header, Loop: l, Begun: h.begun, Elapsed: elapsed, Paused: h.server.Paused(), Live: true,
		}, want)
	})
	return answer{body: marshalled(out)}, nil
}

// follow brings the sketch up to now, while nothing else happens.
func (h *held) follow(l *loop.Loop) {
	if h.seen.sketch == nil {
		h.seen.sketch = portrait.NewSketch()
	}
	h.seen.sketch.Follow(l)
}

// slices are what the model of a study expects along each parameter. They are computed beside the study, one at a time in the process, and
// not again within two seconds.
func (s *Server) slices(r *http.Request, _ []byte) (answer, *problem) {
	h, p := s.seen(r)
	if p != nil {
		return s.glimpsed(r, p, func(g *glimpse) any {
			if g.slices == nil {
				g.slices = g.sketch.Model(g.study.Loop).Slices()
			}
			return g.slices
		})
	}
	defer s.shelf.release(h)
	c := &h.seen.sliced
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.body != nil && (c.seq == h.news.now() || time.Since(c.at) < freshSlices) {
		return answer{body: c.body}, nil
	}
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	case <-r.Context().Done():
		return answer{}, busy("the caller has gone")
	}
	c.seq = h.news.now()
	var model portrait.Model
	h.study.(looked).Look(func(l *loop.Loop, _ time.Duration) {
		h.follow(l)
		model = h.seen.sketch.Model(l)
	})
	c.body, c.at = marshalled(model.Slices()), time.Now()
	return answer{body: c.body}, nil
}

func marshalled(v any) []byte {
	out, err := json.Marshal(v)
	if err != nil {
		panic("serve: " + err.Error()) // nothing in it is NaN or infinite
	}
	return out
}

// glimpse is a study that another process has open, or that runs a command, as its file had it.
type glimpse struct {
	mutex  sync.Mutex
	at     time.Time
	study  portrait.Study
	sketch *portrait.Sketch
	slices *portrait.Slices
	err    error
}

// glimpses are those that were looked at last, a few.
type glimpses struct {
	mutex  sync.Mutex
	byName map[string]*glimpse
	names  []string // the one looked at longest ago first
}

// of returns the glimpse of a study.
func (g *glimpses) of(name string) *glimpse {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.byName == nil {
		g.byName = map[string]*glimpse{}
	}
	one, there := g.byName[name]
	if !there {
		if len(g.names) == maxGlimpses {
			delete(g.byName, g.names[0])
			g.names = g.names[1:]
		}
		one = &glimpse{}
		g.byName[name] = one
		g.names = append(g.names, name)
	}
	return one
}

// elsewhere reports whether all that is wrong with a study is that it cannot be opened here: another process has it, or it runs a command.
func (s *Server) elsewhere(p *problem) bool {
	return s.config.Look != nil && (p.Type == "urn:tarry:problem:in-use" || p.Type == "urn:tarry:problem:not-asked")
}

// seen is on for who only looks. A study that is known to run a command is not opened again, which would keep others off it.
func (s *Server) seen(r *http.Request) (*held, *problem) {
	if s.glimpses.runs(r.PathValue("study")) {
		return nil, opening(r.PathValue("study"), errNotAsked)
	}
	h, p := s.on(r)
	if p != nil {
		return nil, p
	}
	if _, can := h.study.(looked); !can || h.store == nil { // it goes on by itself in this process: its file has what can be seen
		s.shelf.release(h)
		return nil, opening(h.name, errNotAsked)
	}
	return h, nil
}

// fileOf is where the study of a name is.
func (s *Server) fileOf(name string) string {
	if l := s.config.Live; l != nil {
		return l.path
	}
	return filepath.Join(s.config.Folder, name+extension)
}

// runs reports whether a study was seen to run a command, as long as its file is there.
func (g *glimpses) runs(name string) bool {
	g.mutex.Lock()
	one, there := g.byName[name]
	g.mutex.Unlock()
	if !there {
		return false
	}
	one.mutex.Lock()
	defer one.mutex.Unlock()
	return one.err == nil && one.study.Command != nil
}

// glimpsed answers for a study that cannot be opened here, where that is all that is wrong with it.
func (s *Server) glimpsed(r *http.Request, why *problem, do func(*glimpse) any) (answer, *problem) {
	if !s.elsewhere(why) {
		return answer{}, why
	}
	name := r.PathValue("study")
	g := s.glimpses.of(name)
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if time.Since(g.at) >= freshGlimpse {
		g.look(s.config.Look, s.fileOf(name), name)
	}
	if g.err != nil {
		return answer{}, opening(name, g.err)
	}
	return answer{body: marshalled(do(g))}, nil
}

// look reads the file again.
func (g *glimpse) look(at func(string) (portrait.Study, error), path, name string) {
	study, err := at(path)
	g.at, g.err = time.Now(), err
	if err != nil {
		return
	}
	before := uint64(0)
	if g.sketch != nil {
		before, _ = g.study.Loop.Now()
	}
	if now, _ := study.Loop.Now(); g.sketch == nil || now != before {
		g.sketch, g.slices = portrait.NewSketch(), nil
		g.sketch.Follow(study.Loop)
		g.study = study
	}
	g.study.Name, g.study.Holder, g.study.Elapsed = name, study.Holder, study.Elapsed
}
