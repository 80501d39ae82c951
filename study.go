package tarry

import (
	"fmt"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
)

// Study is ask and tell, for callers who evaluate queries themselves: the same loop as a Run, with no workers and no
// goroutines of its own. Any number of queries may be open at once. All methods are safe for concurrent use.
//
// Asked and told in turn, a study follows from its seed and the values. Attempts time out, where Options.Timeout says so,
// at the next call of a method.
type Study struct {
	space   Space
	options Options
	config  actors.Config
	start   time.Time

	asking sync.Mutex // one Ask at a time; held while the policy thinks
	mutex  sync.Mutex // guards what follows; not held while the policy thinks
	driver *actors.Driver
	todo   []loop.Effect // what the loop wants of the Ask under way
	broken error         // why the study cannot go on
}

// asker is the worker that stands for the caller of Ask.
const asker = 1

// NewStudy returns a study in which nothing has happened, or every violation of space and options.
func NewStudy(s Space, o Options) (*Study, error) {
	o.Workers = 0
	c, err := o.config(s)
	if err != nil {
		return nil, err
	}
	c.Workers, c.Study.FitBeside = 0, false
	driver, err := actors.NewDriver(c)
	if err != nil {
		return nil, renamed(err)
	}
	return &Study{space: s, options: o, config: c, start: time.Now(), driver: driver}, nil
}

// step takes an event. The effects are for the Ask under way.
func (s *Study) step(e loop.Event) error {
	if s.broken != nil {
		return s.broken
	}
	effects, err := s.driver.Step(time.Since(s.start), e)
	if err != nil {
		s.broken = fmt.Errorf("tarry: the study cannot go on: %w", err)
		return s.broken
	}
	s.todo = append(s.todo, effects...)
	if s.driver.Loop().Finished() {
		s.driver.Close()
	}
	return nil
}

// Ask returns the next query: an evaluation that failed and is to be tried again, or a new one. For a space with context
// parameters it takes their values, in order; a query that is tried again keeps its own. Without a query to give, the
// error wraps ErrBudgetSpent, ErrAwaiting or ErrEnded. Cost O(n²) for n evaluations where the policy keeps a model, and
// O(n³) when hyperparameters are fitted.
func (s *Study) Ask(context ...float64) (Query, error) {
	if err := s.space.ContainsContext(context); err != nil {
		return Query{}, err
	}
	s.asking.Lock()
	defer s.asking.Unlock()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.driver.Loop().Finished() {
		return Query{}, ErrEnded
	}
	s.todo = nil
	if err := s.step(loop.WorkerJoined{Worker: asker, Slots: 1}); err != nil {
		return Query{}, err
	}
	q, found, err := s.seek()
	if err == nil && !found && s.driver.Loop().Held() == loop.HoldContext {
		if err = s.step(loop.ContextArrived{Context: context}); err == nil {
			q, found, err = s.seek()
		}
	}
	if err != nil || found {
		return q, err
	}
	if err := s.step(loop.WorkerLeft{Worker: asker, Reason: "no query to give"}); err != nil {
		return Query{}, err
	}
	return Query{}, nothing(s.driver.Loop().Held())
}

// seek performs what the loop wants until it dispatches a query to the asker, who takes it away.
func (s *Study) seek() (q Query, found bool, err error) {
	for len(s.todo) > 0 {
		effect := s.todo[0]
		s.todo = s.todo[1:]
		switch e := effect.(type) {
		case loop.Dispatch:
			q = Query{ID: EvaluationID{e.Evaluation, e.Attempt}, X: e.X, space: s.space}
			if e.Deadline > 0 {
				q.Deadline = s.start.Add(e.Deadline)
			}
			return q, true, s.step(loop.AnswerFollows{Evaluation: e.Evaluation, Attempt: e.Attempt, Retire: true})
		case loop.Ask:
			view := s.driver.Loop().View()
			err = s.think(func() loop.Event { return loop.Propose(e, view, s.config.Policy, s.config.Study.Seed) })
		case loop.Fit:
			err = s.think(e.Run)
		}
		if err != nil {
			return Query{}, false, err
		}
	}
	return Query{}, false, nil
}

// think computes an event, while others may tell. What it is computed from does not change any more.
func (s *Study) think(compute func() loop.Event) error {
	s.mutex.Unlock()
	event := compute()
	s.mutex.Lock()
	return s.step(event)
}

func nothing(h loop.Hold) error {
	switch h {
	case loop.HoldBudget:
		return ErrBudgetSpent
	case loop.HoldBarrier:
		return ErrAwaiting
	}
	return ErrEnded
}

// Tell brings the value of a query, in the objective's units; any time. It returns nil when the value was taken or was
// known already, after the journal has it, also when the study has ended. Otherwise nothing was changed, and the error
// wraps ErrUnknownEvaluation, ErrContradiction, or ErrInvalidOption for a value that is not finite.
func (s *Study) Tell(id EvaluationID, value float64) error {
	return named(id, s.answer(actors.Tell{Evaluation: id.Evaluation, Attempt: id.Attempt, Value: value}))
}

// Fail says that an attempt ended without a value. Ask may return the query again, as Options.Retries says. Errors are
// those of Tell.
func (s *Study) Fail(id EvaluationID, reason error) error {
	return named(id, s.answer(actors.Fail{Evaluation: id.Evaluation, Attempt: id.Attempt, Reason: reasonOf(reason)}))
}

func (s *Study) answer(message any) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.driver.Answer(message, s.step)
}

// Result returns what is known now, or in the end. Cost O(n²) where the policy keeps a model.
func (s *Study) Result() *Result {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return newResult(s.space, s.options, s.config.Study.Traits.Name, s.driver.Loop().Result(), s.driver.At())
}
