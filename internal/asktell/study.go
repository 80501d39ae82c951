package asktell

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/loop"
)

// Study is what a server needs of a study: a *tarry.Study has it, and so may one that goes on by itself.
type Study interface {
	Space() tarry.Space
	Constraints() []tarry.Constraint
	Budget() int
	Evaluations() int
	Evaluation(number int) (tarry.Evaluation, bool)
	Best() (tarry.Evaluation, bool) // Result.Best
	Result() *tarry.Result
	AskAhead(context ...float64) (tarry.Query, tarry.Keeping, error)
	AnswerAhead(loop.Event) (loop.Reaction, tarry.Keeping, error)
	Cancel(evaluation int, reason string) error
	Enqueue(tarry.Point) error
	Answer(loop.Event) (loop.Reaction, error) // of a tarry.Observation
	Predict(tarry.Point) (tarry.Prediction, error)
	Feasible(tarry.Point) (*tarry.Feasibility, error)
	Recommend(context ...float64) (tarry.Recommendation, error)
	Close()
}

// Server serves a study, which must be set, to one session at a time, and to any number of callers of Do beside it.
type Server struct {
	Study  Study
	paused atomic.Bool

	asking, telling sync.Mutex // of perform
}

// Paused is what holds the queries of a study that somebody paused.
const Paused = "paused"

// Pause lets every ask be answered without queries, from the next one on, or lets them have queries again. What was given out is awaited
// all the same. It is in memory alone, and safe for concurrent use.
func (s *Server) Pause(on bool) { s.paused.Store(on) }

// Paused reports whether the study gives no queries because somebody paused it.
func (s *Server) Paused() bool { return s.paused.Load() }

// perform does what a request wants. What changes the study looks at it before, and so happens one at a time: asks and observations, and
// answers beside them. Nobody may hear what came of it before r.kept.Wait has returned nil, which is for after it: others go on meanwhile.
func (s *Server) perform(ctx context.Context, r *request) (any, error) {
	switch r.operation.name {
	case "ask", "observe":
		s.asking.Lock()
		defer s.asking.Unlock()
	case "tell", "fail", "cancel", "renew":
		s.telling.Lock()
		defer s.telling.Unlock()
	}
	return r.operation.do(s, ctx, r)
}
