package remote

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/outcome"
)

// errLate is why the context of an attempt ends whose time is up by the clock of the study, which is ahead of the worker's by as long as the
// job was on its way.
var errLate = fmt.Errorf("%w: its time is up: %w", tarry.ErrCancelled, context.DeadlineExceeded)

// exclusive reports whether an attempt that was stopped has its slot until it has returned. Before the study is known nothing of it runs.
func (st *served) exclusive() bool {
	select {
	case <-st.known:
		return st.study.Exclusive
	default:
		return false
	}
}

// stop ends an attempt: nobody waits for it, or its time is up.
func (s *session) stop(name id, late bool) {
	s.mutex.Lock()
	a := s.attempts[name]
	if a == nil || a.stopped {
		s.mutex.Unlock()
		return
	}
	a.stopped = true
	if !a.study.exclusive() {
		s.vacate(a)
	}
	begun, expire := a.begun, a.expire
	s.waiting = slices.DeleteFunc(s.waiting, func(w *attempt) bool { return w == a })
	s.next()
	s.mutex.Unlock()
	if begun {
		if late && expire != nil {
			expire(errLate)
		}
		a.study.runner.Cancel(a.Evaluation, a.Attempt)
		return
	}
	go s.answer(name, outcome.Answer{Evaluation: a.Evaluation, Attempt: a.Attempt, Returned: true})
}

// vacate frees the slot of an attempt, once.
func (s *session) vacate(a *attempt) {
	if a.busy {
		a.busy = false
		s.busy--
	}
	if a.enforce != nil {
		a.enforce.Stop()
	}
}
