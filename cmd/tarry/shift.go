package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/command"
	"github.com/tarry-bo/tarry/remote"
)

// shift is a worker while it works.
type shift struct {
	*worker
	log   *zap.Logger
	mutex sync.Mutex
	posts map[string]*post // by the folders of studies
	begun int              // attempts
}

// post is what a worker has for one study: another one of its name gets another.
type post struct {
	study    *remote.Study   // as it was described when the runner was made
	runner   *command.Runner // nil before that could be
	failing  *failing
	declined bool // whether the log says that the study is
}

// maxTail is how much of what a command printed goes with its failure.
const maxTail = 4 << 10

// evaluate runs the command once.
func (s *shift) evaluate(ctx context.Context, j *remote.Job) (tarry.Outcome, error) {
	runner, err := s.runner(j.Study)
	if err != nil {
		return tarry.Outcome{}, s.decline(j.Study, err)
	}
	about := s.log.With(zap.String("study", j.Study.Name), zap.Int("evaluation", j.Evaluation), zap.Int("attempt", j.Attempt))
	about.Info("evaluation begins", zap.String("at", j.Study.Space.Format(j.X)))
	began := time.Now()
	if !j.Deadline.IsZero() {
		var end context.CancelFunc
		ctx, end = context.WithDeadline(ctx, j.Deadline)
		defer end()
	}
	report := func(step, value float64) { _ = j.Report(step, value) } // ctx ends where it is to stop
	begun := s.begins(j.Study)
	found, err := runner.RunReporting(ctx, j.Evaluation, j.Attempt, j.X, report)
	took := zap.Duration("took", time.Since(began))
	if err == nil {
		s.of(j.Study, (*failing).ends)
		about.Info("evaluation ended", zap.Float64("value", found.Value), zap.Bool("infeasible", found.Infeasible), zap.Bool("adopted", found.Adopted), took)
		return brought(found)
	}
	about.Warn("evaluation failed", zap.Error(err), took)
	return tarry.Outcome{}, s.judge(ctx, runner, j, begun, err)
}

// judge returns what the study is to hear of an attempt without an outcome. A command that could not be started says nothing of the point:
// the attempt is lost, and the study is declined. So it is where all failed here: a machine that lacks something would be the fastest of all, and get the most.
func (s *shift) judge(ctx context.Context, runner *command.Runner, j *remote.Job, begun int, err error) error {
	var failed *command.Error
	leaves := func(f *failing) { f.leaves(begun) }
	if ctx.Err() != nil || !errors.As(err, &failed) {
		s.of(j.Study, leaves)
		return err
	}
	switch failed.Kind {
	case command.NotStarted:
		return s.decline(j.Study, errors.New(failed.Reason))
	case command.Lost:
		s.of(j.Study, leaves)
		pause(ctx, backoff(tarry.Query{ID: tarry.EvaluationID{Evaluation: j.Evaluation, Attempt: j.Attempt}, Deadline: j.Deadline}))
		return verdict{tarry.ErrLost, "preempted: " + failed.Reason}
	}
	var all error
	s.of(j.Study, func(f *failing) {
		if all = f.fails(begun, failed.Reason); all == nil {
			all = f.doom // what still ran when it was declined, or came after the server had been started again
		}
	})
	if all != nil {
		return s.decline(j.Study, all)
	}
	if tail := runner.Tail(j.Evaluation, j.Attempt, maxTail); strings.Contains(tail, "\n") { // else the error has it
		return fmt.Errorf("%w\n%s", err, tail)
	}
	return err
}

// decline returns what a study is to hear that this worker cannot serve. The log has it once, however many slots find it out.
func (s *shift) decline(study *remote.Study, why error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if p := s.post(study); !p.declined {
		p.declined = true
		s.log.Warn("study declined", zap.String("study", study.Name), zap.Error(why))
	}
	return remote.Decline(why.Error())
}

// begins counts an attempt at a study, and returns its number.
func (s *shift) begins(study *remote.Study) (number int) {
	s.of(study, func(f *failing) {
		s.begun++
		number = s.begun
		f.begins(number)
	})
	return number
}

// of does something with what is known of the failures of a study.
func (s *shift) of(study *remote.Study, do func(*failing)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	do(s.post(study).failing)
}

// folder is that of the attempts at a study: no other one of its name, before it or after it, has the same.
func (s *shift) folder(study *remote.Study) string {
	return filepath.Join(s.Logs, study.Name+"."+study.Identity)
}

// post is that of a study. The mutex is held.
func (s *shift) post(study *remote.Study) *post {
	folder := s.folder(study)
	if s.posts[folder] == nil {
		s.posts[folder] = &post{failing: newFailing(s.MaxFailures)}
	}
	return s.posts[folder]
}

// runner is that of a study as it is described now, whose attempts have a folder of their own.
func (s *shift) runner(study *remote.Study) (*command.Runner, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	p := s.post(study)
	if p.runner != nil && p.study == study {
		return p.runner, nil
	}
	r, err := s.ready(study.Space, study.Constraints, s.folder(study))
	if err == nil {
		p.study, p.runner = study, r
	}
	return r, err
}
