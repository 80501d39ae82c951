package tarry

import (
	"fmt"
	"runtime"

	"github.com/tarry-bo/tarry/loop"
)

// Keeping is the wait for the journal to have what AskAhead or AnswerAhead did. The zero value waits for nothing.
type Keeping struct {
	study *Study
	group *group // nil: nothing to wait for
	err   error  // why it will never be kept
}

// group is what is written to the journal together: what happened while the group before it was written.
type group struct {
	done chan struct{} // closed when it is kept, or err says why it is not
	turn chan struct{} // a place for one of those who wait: nobody writes, so that one may
	err  error
}

// Wait returns nil when the journal has it, and before that nobody may act upon it; or an error, as that of Ask and Tell, that says why the
// study cannot go on. What happened while another write was under way is written together, by one of those who wait: who is alone waits
// for one write. It may be called any number of times, from any goroutine.
func (k Keeping) Wait() error {
	if k.group == nil {
		return k.err
	}
	for {
		select {
		case <-k.group.done:
			return k.group.err
		default:
		}
		runtime.Gosched() // who is about to join does, where many call at once
		k.study.lead(k.group)
		select {
		case <-k.group.done:
		case <-k.group.turn: // or somebody was faster, and writes: then it is done soon
		}
	}
}

// lead writes a group, unless somebody writes already.
func (s *Study) lead(g *group) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.open == g && s.flying == nil {
		s.write()
	}
}

// write brings the open group to the journal, and tells of it. The mutex is held, but for the time that the journal takes.
func (s *Study) write() {
	g, err := s.open, error(errBroken) // unless the journal and the readers let it end
	s.open, s.flying = nil, g
	defer func() {
		if err == errBroken {
			s.broken = err
		}
		if s.broken != nil {
			s.driver.Close()
		}
		g.err, s.flying = err, nil
		s.over()
		close(g.done)
		if s.open != nil {
			s.open.turn <- struct{}{} // it has room: a group gets one turn at most
		}
	}()
	if s.broken != nil {
		err = s.broken
		return
	}
	cut := s.driver.Cut()
	refused := s.unlocked(cut.Write)
	before := s.broken
	s.broken = errBroken
	said := s.driver.Written(cut, refused)
	s.broken = before
	s.heed() // what was kept stays said
	if err = said; err != nil {
		err = fmt.Errorf("tarry: the study cannot go on: %w", err)
		s.broken = err
	}
}

// unlocked does something while others may go on.
func (s *Study) unlocked(do func() error) error {
	s.mutex.Unlock()
	defer s.mutex.Lock()
	return do()
}

// join returns the wait for all that happened so far. The mutex is held.
func (s *Study) join() Keeping {
	switch {
	case s.broken != nil:
		return Keeping{err: s.broken}
	case s.driver.Waits():
		if s.open == nil {
			s.open = &group{done: make(chan struct{}), turn: make(chan struct{}, 1)}
		}
		return Keeping{study: s, group: s.open}
	case s.flying != nil:
		return Keeping{study: s, group: s.flying}
	}
	return Keeping{}
}

// sync waits until all that happened so far is kept. The mutex is held, but for that time. After an error the study cannot go on.
func (s *Study) sync() error {
	kept := s.join()
	if kept.group == nil {
		return kept.err
	}
	return s.unlocked(kept.Wait)
}

// AskAhead is Ask for who does not wait for the journal at once: nobody may evaluate the query, or hear of it, before Wait has returned
// nil. Many can be asked for with one wait, the last; and while one waits, others ask and tell. Wait also where there is an error.
func (s *Study) AskAhead(context ...float64) (Query, Keeping, error) {
	context = s.space.ExactContext(context)
	if err := s.space.ContainsContext(context); err != nil {
		return Query{}, Keeping{}, err
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	q, err := s.ask(context)
	return q, s.join(), err
}

// AnswerAhead is Answer for who does not wait for the journal at once: what became of the event is final when Wait has returned nil.
func (s *Study) AnswerAhead(e loop.Event) (loop.Reaction, Keeping, error) {
	take := s.take
	if _, observes := e.(Observation); observes { // which has a number as soon as no ask is open
		s.asking.Lock()
		defer s.asking.Unlock()
		take = s.observe
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	broken := s.broken != nil
	r, err := s.driver.Answer(e, take)
	if err = named(e, err); broken {
		return r, Keeping{}, err // what is known is known
	}
	return r, s.join(), err
}
