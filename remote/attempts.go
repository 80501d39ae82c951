package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/workers"
)

// served is a study that a worker evaluates for.
type served struct {
	described
	runner *workers.Runner
	count  workers.Attempts
	known  chan struct{} // closed when study is there
	study  *Study
	users  int // attempts
}

// described names a description of a study.
type described struct{ name, about string }

// maxServed is how many studies a worker remembers without need.
const maxServed = 64

// attempt is a job at a worker.
type attempt struct {
	id
	job      *jobMessage
	study    *served
	begun    bool      // it runs, or did
	busy     bool      // it takes a slot
	stopped  bool      // nobody waits for it
	answered bool      // what came of it is on its way
	deadline time.Time // zero: none
	enforce  *time.Timer
	declined *declined
	expire   context.CancelCauseFunc // ends its context since its time is up; nil: nothing of it runs
}

// receive takes a job, or stops some.
func (s *session) receive(m *nats.Msg) {
	j := &jobMessage{}
	if err := decode(m.Data, j); err != nil {
		s.log.Warn("job refused", zap.Error(err))
		return
	}
	if !s.client.current(j.Epoch) {
		s.log.Warn("job of an older hub ignored", zap.Uint64("epoch", j.Epoch), zap.Uint64("latest", s.client.epoch.Load()))
		return
	}
	for _, i := range j.Stop {
		s.stop(i.name(), j.Late)
	}
	if len(j.Stop) > 0 {
		return
	}
	name := j.name()
	if s.outdated(j) {
		s.stop(name, false)
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.over || s.attempts[name] != nil || s.doubled(j) {
		return // it is sent again where it is not known
	}
	a := &attempt{id: j.id, job: j, study: s.serve(described{j.Study, j.About})}
	a.study.users++
	if j.Left > 0 {
		a.deadline = time.Now().Add(j.Left)
		// One clock decides, that of the study. But it may be out of reach.
		a.enforce = time.AfterFunc(j.Left+time.Duration(DefaultMissed)*s.heartbeat, func() { s.stop(name, true) })
	}
	s.attempts[name] = a
	s.open.Add(1)
	s.waiting = append(s.waiting, a)
	s.next()
}

// outdated reports whether what runs here under the name of a job was given out for a study that is gone: the two have other tokens.
func (s *session) outdated(j *jobMessage) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	a := s.attempts[j.name()]
	return a != nil && a.Token != j.Token
}

// doubled reports whether an older attempt at the evaluation of a job is under way here, or its answer is: a hub that was started anew
// does not know. Cost O(n) for n attempts.
func (s *session) doubled(j *jobMessage) bool {
	for name, a := range s.attempts {
		same := a.study.described == described{j.Study, j.About} && name.Evaluation == j.Evaluation && name.Attempt < j.Attempt && len(a.job.X) == len(j.X)
		for i := 0; same && i < len(j.X); i++ {
			same = a.job.X[i] == j.X[i] || a.job.X[i] != a.job.X[i] && j.X[i] != j.X[i]
		}
		if same && !a.stopped {
			return true
		}
	}
	return false
}

// next starts what waits, as long as slots are free.
func (s *session) next() {
	for len(s.waiting) > 0 && s.busy < s.worker.Slots && !s.over {
		a := s.waiting[0]
		s.waiting = s.waiting[1:]
		a.begun, a.busy = true, true
		s.busy++
		if log := s.log.Check(zap.DebugLevel, "evaluation begins"); log != nil {
			log.Write(zap.String("study", a.Study), zap.Int("evaluation", a.Evaluation), zap.Int("attempt", a.Attempt))
		}
		a.study.runner.Start(workers.Task{Evaluation: a.Evaluation, Attempt: a.Attempt, X: []float64(a.job.X), Deadline: a.deadline})
	}
}

// serve returns what the worker knows of a study.
func (s *session) serve(d described) *served {
	name, st := d.name, s.studies[d]
	if st == nil {
		if len(s.studies) >= maxServed {
			maps.DeleteFunc(s.studies, func(_ described, st *served) bool { return st.users == 0 })
		}
		st = &served{described: d, known: make(chan struct{})}
		of := func(evaluation, number int) id { return id{Study: name, Evaluation: evaluation, Attempt: number} }
		evaluate := func(ctx context.Context, t workers.Task) (outcome.Outcome, error) {
			return s.evaluate(ctx, st, t, of(t.Evaluation, t.Attempt))
		}
		st.runner = workers.NewRunner(s.base, evaluate, func(a outcome.Answer) { s.answer(of(a.Evaluation, a.Attempt), a) }, &st.count)
		st.runner.Returned = func(evaluation, number int) {
			s.answer(of(evaluation, number), outcome.Answer{Evaluation: evaluation, Attempt: number, Returned: true})
		}
		s.studies[d] = st
		go s.learn(st)
	}
	return st
}

// learn asks for the description of a study until it is there, or not needed any more.
func (s *session) learn(st *served) {
	var text []byte
	for s.needs(st) {
		var reply studyReply
		err := s.client.ask(s.end, "study", studyMessage{Epoch: s.client.epoch.Load(), Study: st.name, From: len(text)}, &reply, s.interval())
		switch {
		case err == nil && reply.Error != "":
			err = errors.New(reply.Error)
		case err == nil:
			text = append(text, reply.Part...)
			if len(text) < reply.Total {
				continue
			}
			if st.study, err = readStudy(text, st.about); err == nil {
				close(st.known)
				return
			}
			text = nil
		}
		s.log.Warn("study not described", zap.String("study", st.name), zap.Error(err))
		pause(s.end, nil, s.interval())
	}
}

// needs reports whether somebody waits for the description of a study, which is forgotten otherwise.
func (s *session) needs(st *served) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	needed := st.users > 0 && s.end.Err() == nil
	if !needed {
		delete(s.studies, st.described)
	}
	return needed
}

// evaluate evaluates one attempt.
func (s *session) evaluate(ctx context.Context, st *served, t workers.Task, of id) (outcome.Outcome, error) {
	select {
	case <-st.known:
	case <-ctx.Done():
		return outcome.Outcome{}, context.Cause(ctx)
	}
	if len(t.X) != st.study.Space.Dim() {
		return outcome.Outcome{}, fmt.Errorf("%w: %d numbers for %d parameters", outcome.ErrLost, len(t.X), st.study.Space.Dim())
	}
	ctx, expire := context.WithCancelCause(ctx)
	defer expire(nil)
	s.mutex.Lock()
	a := s.attempts[of]
	a.expire = expire
	s.mutex.Unlock()
	ctx, end := s.spans.evaluation(ctx, a.job.Parent, of, s.client.key)
	defer end()
	j := &Job{Study: st.study, Evaluation: t.Evaluation, Attempt: t.Attempt, X: t.X, Deadline: t.Deadline, report: func(step, value float64) error {
		return s.report(ctx, a.id, step, value)
	}}
	found, err := s.worker.Evaluate(ctx, j)
	if refused := asDeclined(err); refused != nil {
		s.mutex.Lock()
		a.declined = refused
		s.mutex.Unlock()
	}
	return found, err
}

// report brings a value from the way to the end.
func (s *session) report(ctx context.Context, of id, step, value float64) error {
	if err := finite("step and value", step, value); err != nil {
		return err
	}
	var reply reportReply
	err := s.client.ask(ctx, "report", reportMessage{Epoch: s.client.epoch.Load(), id: of, Step: &step, Value: &value}, &reply, s.interval())
	switch {
	case ctx.Err() != nil, err == nil && reply.Stop:
		s.stop(of.name(), reply.Late)
		return tarry.ErrCancelled
	case err != nil:
		s.log.Debug("report lost", zap.Error(err))
		return nil
	case reply.Error != "":
		return errors.New(reply.Error)
	}
	return nil
}

// pause waits, unless the context ends before, or there are news.
func pause(ctx context.Context, news <-chan struct{}, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-news:
	case <-ctx.Done():
	}
}

func validUTF8(s string) string { return strings.ToValidUTF8(s, "") }
