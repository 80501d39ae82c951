package tarry

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/tarry-bo/tarry/actors"
	"github.com/tarry-bo/tarry/loop"
)

// Study is ask and tell, for callers who evaluate queries themselves: the same loop as a Run, with no workers and no
// goroutines of its own. Any number of queries may be open at once. All methods are safe for concurrent use.
//
// Asked and told in turn, a study follows from its seed and the values. Attempts time out, where Options.Timeout says so,
// at the next Ask, Tell or Fail.
type Study struct {
	space   Space
	options Options
	config  actors.Config
	start   time.Time

	asking sync.Mutex // one Ask at a time; held while the policy thinks
	mutex  sync.Mutex // guards what follows; not held while the policy thinks or the journal is written
	driver *actors.Driver
	seeks  bool            // whether an Ask is under way
	todo   []loop.Effect   // what the loop wants of it
	fresh  int             // the evaluation that will be the query for its context, once that is in the loop; 0 before
	left   []loop.Effect   // what a process that is gone left undone: for the next Ask
	spare  []loop.Dispatch // queries to be tried again that came up meanwhile: for the next Asks
	broken error           // why the study cannot go on
	open   *group          // of what happened and is not on its way to the journal yet; nil: nobody waits for that
	flying *group          // that is being written; nil: none
}

// asker is the worker that stands for the caller of Ask.
const asker = 1

// NewStudy returns a study in which nothing has happened, or every violation of space and options.
func NewStudy(s Space, o Options) (*Study, error) {
	if err := o.asked(); err != nil {
		return nil, err
	}
	o.Workers = 0
	c, err := o.config(s)
	if err != nil {
		return nil, err
	}
	c.Workers, c.MaxTime, c.Study.FitBeside, c.Study.Exclusive = 0, 0, false, false
	return newStudy(c, o)
}

func newStudy(c actors.Config, o Options) (*Study, error) {
	driver, err := actors.NewDriver(c)
	if err != nil {
		return nil, renamed(err)
	}
	made := false
	defer func() {
		if !made {
			driver.Close()
		}
	}()
	driver.Ahead()
	s := &Study{space: c.Study.Space, options: o, config: c, start: time.Now().Add(-driver.Elapsed()), driver: driver}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if err := s.begin(); err != nil {
		return nil, err
	}
	made = true
	return s, nil
}

// begin does what comes before the first Ask. The mutex is held.
func (s *Study) begin() error {
	defer s.over()
	events, reopens := s.driver.Resumption()
	if stop, reached := s.driver.Reached(); reached {
		if err := s.step(stop); err != nil {
			return err
		}
	}
	if !s.config.Resume || s.driver.Loop().Finished() && !reopens {
		return s.sync()
	}
	for _, e := range events {
		if err := s.step(e); err != nil {
			return err
		}
	}
	for _, effect := range s.driver.Loop().Outstanding() {
		switch effect.(type) {
		case loop.Ask, loop.Fit:
			s.left = append(s.left, effect)
		}
	}
	if s.driver.Loop().Waiting() > 0 { // what was observed is there when the study is
		if err := s.closeAsk(); err != nil {
			return err
		}
	}
	return s.sync()
}

// look lets the deadlines and leases end that have passed. Nothing else happens in a study by itself.
func (s *Study) look() {
	if !s.driver.Loop().Finished() && s.broken == nil && s.driver.Loop().Due(time.Since(s.start)) {
		if s.step(loop.Woke{}) == nil {
			s.sync() // an error is said by whatever comes next
		}
	}
}

// Space returns where the queries live.
func (s *Study) Space() Space { return s.space }

// Constraints returns those that the study names, in their order; nil without any.
func (s *Study) Constraints() []Constraint { return slices.Clone(s.config.Study.Constraints) }

// Budget returns how many evaluations the study may have in all.
func (s *Study) Budget() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.driver.Loop().Config().Budget
}

// Look calls f with the loop of the study, to be read, and the time since it began, while nothing else happens in the study: f must be
// quick, steps no loop, keeps nothing of it, and calls no method of the Study. It may see what is not kept yet. A nil f is not called.
func (s *Study) Look(f func(l *loop.Loop, elapsed time.Duration)) {
	if f == nil {
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.look()
	f(s.driver.Loop(), max(time.Since(s.start), s.driver.At()))
}

// step takes an event, now. The effects are for the Ask under way.
func (s *Study) step(e loop.Event) error { return said(s.take(e)) }

// take is step that returns what became of the event.
func (s *Study) take(e loop.Event) (loop.Reaction, error) { return s.takeAt(time.Since(s.start), e) }

func (s *Study) stepAt(at time.Duration, e loop.Event) error { return said(s.takeAt(at, e)) }

func (s *Study) takeAt(at time.Duration, e loop.Event) (loop.Reaction, error) {
	if s.heed(); s.broken != nil {
		return loop.Reaction{}, s.broken
	}
	ended := s.driver.Loop().Finished()
	defer func() {
		if s.broken != nil {
			s.driver.Close()
		} else if !ended && s.driver.Loop().Finished() {
			s.driver.Silence()
		}
		s.over()
	}()
	s.broken = errBroken // unless a reader lets the event end
	reaction, err := s.driver.Step(at, e)
	s.broken = nil
	if err != nil {
		s.broken = fmt.Errorf("tarry: the study cannot go on: %w", err)
	}
	if s.seeks {
		s.todo = append(s.todo, reaction.Effects...)
	}
	if stop, reached := s.driver.Reached(); reached && s.broken == nil {
		return reaction, s.stepAt(at, stop)
	}
	return reaction, s.broken
}

// over says in the log how the study ended, if it has and everybody has heard of all that happened, and lets another one have its store.
func (s *Study) over() {
	if s.broken != nil || s.driver.Loop().Finished() && s.flying == nil && !s.driver.Waits() {
		s.driver.LogEnd(s.broken)
		s.driver.Yield()
	}
}

// heed lets the study not go on where its logger has failed.
func (s *Study) heed() {
	if err := s.driver.Broken(); err != nil && s.broken == nil {
		s.broken = fmt.Errorf("tarry: the study cannot go on: %w", err)
		s.driver.Close()
	}
}

var errBroken = fmt.Errorf("tarry: the study cannot go on: OnEvent or the journal panicked: %w", ErrBroken)

// Ask returns the next query: an evaluation that failed and is to be tried again, or a new one. For a space with context
// parameters it takes their values, in order; a query that is tried again keeps its own. Without a query to give now, the
// error wraps ErrBudgetSpent, ErrAwaiting or ErrEnded. Cost O(n²) for n evaluations where the policy keeps a model, and
// O(n³) when hyperparameters are fitted.
func (s *Study) Ask(context ...float64) (Query, error) {
	q, kept, err := s.AskAhead(context...)
	if lost := kept.Wait(); lost != nil {
		return Query{}, lost
	}
	return q, err
}

func (s *Study) ask(context Point) (Query, error) {
	if s.driver.Loop().Finished() {
		return Query{}, ErrEnded
	}
	if q, found := s.again(); found {
		return q, nil
	}
	s.seeks, s.todo, s.left, s.fresh = true, s.left, nil, 0
	defer func() { s.seeks = false }()
	if err := s.step(loop.WorkerJoined{Worker: asker, Slots: 1}); err != nil {
		return Query{}, err
	}
	q, found, err := s.seek()
	if err == nil && !found && s.driver.Loop().Held() == loop.HoldContext {
		s.fresh = len(s.driver.Loop().Evaluations()) + 1
		if err = s.step(loop.ContextArrived{Context: slices.Clone(context)}); err == nil {
			q, found, err = s.seek()
		}
	}
	if err != nil || found {
		return q, err
	}
	if err := s.stepAt(s.driver.At(), loop.WorkerLeft{Worker: asker, Reason: "no query to give"}); err != nil {
		return Query{}, err
	}
	return Query{}, s.nothing()
}

// seek performs what the loop wants until it dispatches a query to the asker, who takes it away.
func (s *Study) seek() (q Query, found bool, err error) {
	for len(s.todo) > 0 && err == nil {
		effect := s.todo[0]
		s.todo = s.todo[1:]
		switch e := effect.(type) {
		case loop.Dispatch:
			if ev := s.driver.Loop().Evaluations()[e.Evaluation-1]; !ev.Running || ev.Attempt != e.Attempt {
				continue // it was answered, or took too long, before it was here
			}
			// In the same instant, so that no time passes for the attempt before the asker has it.
			err = s.stepAt(s.driver.At(), loop.AnswerFollows{Evaluation: e.Evaluation, Attempt: e.Attempt, Retire: true})
			if s.fresh == 0 || e.Evaluation == s.fresh || err != nil {
				return s.query(e), err == nil, err
			}
			s.spare = append(s.spare, e)
			err = s.step(loop.WorkerJoined{Worker: asker, Slots: 1})
		case loop.Ask:
			task := s.driver.Loop().Task()
			err = s.think(func() loop.Event { return task.Run(s.config.Policy) }, actors.Unthought(e))
		case loop.Fit:
			err = s.think(e.Run, e.Failed("fit ended its goroutine"))
		}
	}
	return Query{}, false, err
}

// again returns a query that is to be tried again and is still wanted.
func (s *Study) again() (Query, bool) {
	for len(s.spare) > 0 {
		d := s.spare[0]
		s.spare = s.spare[1:]
		if e := s.driver.Loop().Evaluations()[d.Evaluation-1]; e.Running && e.Attempt == d.Attempt && (d.Deadline == 0 || time.Since(s.start) < d.Deadline) {
			return s.query(d), true
		}
	}
	return Query{}, false
}

func (s *Study) query(d loop.Dispatch) Query {
	q := Query{ID: EvaluationID{d.Evaluation, d.Attempt}, X: slices.Clone(d.X), space: s.space, study: s}
	if d.Deadline > 0 {
		q.Deadline = s.start.Add(d.Deadline)
	}
	return q
}

// think computes an event, while others may tell. What it is computed from does not change any more.
func (s *Study) think(compute func() loop.Event, otherwise loop.Event) error {
	s.mutex.Unlock()
	event := actors.Thought(compute, otherwise)
	s.mutex.Lock()
	return s.step(event)
}

// unanswered says how many queries are.
func unanswered(n int) string {
	if n == 1 {
		return "1 query is unanswered"
	}
	return fmt.Sprintf("%d queries are unanswered", n)
}

// nothing says why there is no query.
func (s *Study) nothing() error {
	l := s.driver.Loop()
	h := l.Held()
	switch h {
	case loop.HoldPending:
		return fmt.Errorf("%w: %s, as many as may be (Options.Pending)", ErrAwaiting, unanswered(l.Pending()))
	case loop.HoldBudget:
		return ErrBudgetSpent
	case loop.HoldBarrier:
		return fmt.Errorf("%w: a batch is complete, and of it %s", ErrAwaiting, unanswered(l.Pending()))
	case loop.HoldPoints:
		return fmt.Errorf("%w: every point that the budget pays for was queried, and %s", ErrAwaiting, unanswered(l.Pending()))
	case loop.HoldEnd:
		return ErrEnded
	}
	return fmt.Errorf("tarry: the study has no query though nothing holds it back (%d): please report this", h)
}

// Stop ends the study: what is open is cancelled, and Ask gives no more queries. Values may still be told. A study that
// is given up should be stopped, so that its metrics fall silent. It returns an error when the journal refuses.
func (s *Study) Stop() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.driver.Loop().Finished() {
		return nil
	}
	if err := s.step(loop.StopRequested{Reason: "stopped by the caller"}); err != nil {
		return err
	}
	return s.sync()
}

// Close gives the study up without ending it: its metrics fall silent, and from its store it can be resumed, also in this program. Once
// it is, nothing more is taken here.
func (s *Study) Close() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.sync() // an error was said, or is by whoever waits
	s.driver.Close()
	s.driver.LogEnd(s.broken)
}

// Result returns what is known now, or in the end; all of it is kept, but for what the journal refused (ErrNotKept). Cost O(n) for n evaluations, and that of
// Predict where the policy keeps a model and nobody has asked since something happened.
func (s *Study) Result() *Result {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.look()
	s.sync() // an error is said by whatever comes next
	elapsed := time.Since(s.start)
	if s.driver.Loop().Finished() {
		elapsed = s.driver.At()
	}
	return newResult(s.space, s.options, s.config.Study.Traits.Name, s.driver.Loop().Result(), elapsed)
}
