package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/journal/sqlite"
	"github.com/tarry-bo/tarry/loop"
)

// crewName is what the crew of a study is kept under, beside its journal.
const crewName = "remote"

// crew is who evaluates what a study asks, where that is not whoever asks over HTTP: remote workers.
type crew struct {
	Needs []string `json:"needs,omitempty"` // labels that a worker must have
	Ended bool     `json:"ended,omitempty"` // nothing is left to be evaluated
}

// Bounds of the labels of a study.
const maxNeeds = 32

var label = regexp.MustCompile(`^[A-Za-z0-9_.=:/-]{1,64}$`)

// crew is that of the study, nil where it has none.
func (h *held) crew() *crew {
	if h.manned == nil {
		return nil
	}
	return &crew{Needs: h.manned.crew.Needs}
}

// crewOf is the crew of a study, nil where it has none.
func crewOf(store Texts) (*crew, error) {
	text, err := store.Kept(crewName)
	if err != nil || text == nil {
		return nil, err
	}
	c := &crew{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("what is kept of its remote workers: %w", err)
	}
	return c, nil
}

// Crewed reports whether remote workers evaluate what a study asks.
func Crewed(store Texts) (bool, error) {
	c, err := crewOf(store)
	return c != nil, err
}

// Recall lets the next server go on with a study that remote workers evaluate, also where it had ended: it has another budget now.
func Recall(store Texts) error {
	c, err := crewOf(store)
	if err != nil || c == nil || !c.Ended {
		return err
	}
	c.Ended = false
	return c.keep(store)
}

// keep keeps the crew beside the journal.
func (c *crew) keep(store Texts) error {
	return store.Keep(crewName, marshalled(c))
}

var errNoRemote = errors.New("its queries are evaluated by remote workers, and this server has none")

// manned is a study that goes on by itself while its server does: remote workers evaluate what it asks. Its run goes on while it is paused, and
// only gets no slots of any worker: what they do comes to its end, also where another server gave it to them, and answers are taken.
type manned struct {
	running
	server *Server
	held   *held
	crew   *crew
	change sync.Mutex // held by who pauses, resumes or closes
	closed bool
}

// man lets remote workers evaluate what a study asks: one that is begun with options, or, without, one that is there.
func (s *Server) man(h *held, c *crew, w *wish) error {
	if s.config.Remote == nil {
		return fmt.Errorf("%w: %w", errNotAsked, errNoRemote)
	}
	m := &manned{server: s, held: h, crew: c}
	h.study, h.server, h.manned = m, &asktell.Server{Study: m}, m
	paused, err := false, error(nil)
	if w == nil {
		if err = h.recall(); err == nil {
			paused = h.server.Paused()
		}
	}
	if err == nil {
		err = m.start(w, paused)
	}
	if err == nil {
		h.header, err = h.store.Header()
	}
	m.config = h.header.Config
	return err
}

// start begins the study, or goes on with it. Of one that is paused nothing is given to anybody.
func (m *manned) start(w *wish, paused bool) error {
	o := tarry.Options{Name: m.held.name, OnEvent: m.held.heard}
	if w != nil {
		o = w.options
		o.Journal, o.Name, o.OnEvent = m.held.store, m.held.name, m.held.heard
		o.Exclusive = true // a worker runs no more at once than it has slots
	}
	o.Meter = m.server.config.Metrics.Provider()
	m.server.config.Remote(&o, m.held.name, m.crew.Needs)
	m.server.config.Hold(m.held.name, paused)
	var run *tarry.Run
	var err error
	if w != nil {
		run, err = tarry.StartOutcomes(context.Background(), w.description.Space, nil, o)
	} else {
		run, err = tarry.ResumeOutcomes(context.Background(), m.held.store, nil, o)
	}
	if err != nil {
		return err
	}
	m.run.Store(run)
	go m.await(run)
	return nil
}

// await says how a run has ended, and keeps it.
func (m *manned) await(run *tarry.Run) {
	result, err := run.Wait()
	m.held.news.stir()
	log, name := m.server.log, m.held.name
	if err == nil && result.Reason == tarry.ReasonPaused {
		return
	}
	if errors.Is(err, tarry.ErrNotKept) || errors.Is(err, tarry.ErrBroken) || errors.Is(err, tarry.ErrStalled) {
		log.say("study %s: %v", name, err)
		m.server.shelf.broken(m.held)
		return
	}
	if err == nil {
		log.say("study %s has ended: %s", name, result.Reason)
	} else {
		log.say("study %s has ended: %s: %v", name, result.Reason, err)
	}
	m.change.Lock()
	defer m.change.Unlock()
	if m.crew.Ended = true; !m.closed {
		if err := m.crew.keep(m.held.store); err != nil {
			log.say("study %s: %v", name, err)
		}
	}
}

// busy reports whether something of the study is evaluated, or is about to be, so that it stays open.
func (m *manned) busy() bool {
	select {
	case <-m.run.Load().Done():
		return false
	default:
		return !m.held.server.Paused() || m.out()
	}
}

// out reports whether a worker is at something of it.
func (m *manned) out() (some bool) {
	m.Look(func(l *loop.Loop, _ time.Duration) {
		some = slices.ContainsFunc(l.Evaluations(), func(e loop.Evaluation) bool { return e.Status == loop.Pending && e.Holds })
	})
	return some
}

// pause lets what runs come to its end and starts nothing more, or goes on.
func (m *manned) pause(on bool) {
	m.change.Lock()
	defer m.change.Unlock()
	if !m.closed {
		m.server.config.Hold(m.held.name, on)
	}
}

// Close leaves the study as it is: the next one to open it goes on with it.
func (m *manned) Close() {
	m.change.Lock()
	defer m.change.Unlock()
	m.closed = true
	run := m.run.Load()
	if run == nil {
		return // it never began
	}
	run.Pause(true)
	<-run.Done()
}

// Wake opens the studies of the folder that remote workers evaluate and that have not ended, as many as may be open, and returns. What
// stands against one is logged.
func (s *Server) Wake() {
	if s.config.Remote == nil {
		return
	}
	names, err := s.names()
	if err != nil {
		s.log.say("%s: %v", s.config.Folder, err)
	}
	for _, name := range names {
		if !s.calls(name) {
			continue
		}
		h, _, p := s.shelf.get(name, way{open: s.resume})
		if p != nil {
			s.log.say("study %s is not gone on with: %s", name, p.Detail)
			continue
		}
		s.shelf.release(h)
	}
}

// calls reports whether a study that is not open waits for remote workers.
func (s *Server) calls(name string) bool {
	store, err := sqlite.Read(s.fileOf(name))
	if err != nil {
		if !errors.Is(err, os.ErrNotExist) {
			s.log.say("study %s: %v", name, err)
		}
		return false
	}
	defer store.Close()
	c, err := crewOf(store)
	if err != nil {
		s.log.say("study %s: %v", name, err)
	}
	return c != nil && !c.Ended
}

// needs says in words what a crew must be able to do.
func (c *crew) needs() string {
	return cmp.Or(strings.Join(c.Needs, ", "), "nothing")
}

// differs says in what the crew of a study is not the one that is wished for.
func (c *crew) differs(has *crew) (wrong []string) {
	switch {
	case c == nil:
	case has == nil:
		wrong = append(wrong, "remote: the study is evaluated by whoever asks")
	case !slices.Equal(c.Needs, has.Needs):
		wrong = append(wrong, fmt.Sprintf("remote.needs = %s: want %s, as the study has it", c.needs(), has.needs()))
	}
	return wrong
}
