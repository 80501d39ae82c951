package serve

import (
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/asktell"
	"github.com/tarry-bo/tarry/loop"
)

// Live is one study that goes on in this process, and is served while it does. Nothing of it is opened or closed by the server.
type Live struct {
	name, path string
	news       *news
	server     *asktell.Server
	config     loop.Config
	rest       func() // how a study that goes on by itself is paused; nil: it gives no queries
}

// NewLive returns the study of a name, which is served under the nearest one that a study may have, before it has begun; path is its
// file, empty where it has none.
func NewLive(name, path string) *Live {
	if !isStudyName(name) {
		name = "study"
	}
	return &Live{name: name, path: path, news: newNews()}
}

// Name is the name of the study.
func (l *Live) Name() string { return l.name }

// Heard takes an event of the study: it is for OnEvent.
func (l *Live) Heard(e tarry.Event) { l.news.add(e) }

// Asked says that the study, of this configuration, is the one of a server, which may have a session beside.
func (l *Live) Asked(s *asktell.Server, c loop.Config) { l.server, l.config = s, c }

// Running says that the study is one that goes on by itself. Rest pauses it for whoever resumes it from its file.
func (l *Live) Running(r *tarry.Run, c loop.Config, rest func()) {
	study := &running{config: c}
	study.run.Store(r)
	l.server, l.config, l.rest = &asktell.Server{Study: study}, c, rest
}

// held is the study as the shelf has it.
func (l *Live) held() *held {
	h := &held{
		name: l.name, path: l.path, study: l.server.Study, server: l.server, news: l.news, rest: l.rest,
		ready: make(chan struct{}), asking: make(chan struct{}, 1), users: 1, // which is never given back: so it stays
	}
	h.header.Config = l.config
	close(h.ready)
	return h
}

// running is a study that goes on by itself, for callers who ask and tell: its own workers evaluate what it asks.
type running struct {
	run    atomic.Pointer[tarry.Run]
	config loop.Config
}

func (r *running) Space() tarry.Space              { return r.config.Space }
func (r *running) Constraints() []tarry.Constraint { return r.config.Constraints }
func (r *running) Close()                          {}

// Result is what is known. A run that was paused, or whose journal takes nothing more, has a reason for its end, and the study has not ended:
// it goes on with whoever resumes it.
func (r *running) Result() *tarry.Result {
	run := r.run.Load()
	result := run.Snapshot()
	if result.Reason == "" {
		return result
	}
	ended := false
	run.Look(func(l *loop.Loop, _ time.Duration) { ended = l.Finished() })
	select {
	case <-run.Done():
		_, err := run.Wait()
		ended = ended && !errors.Is(err, tarry.ErrNotKept) && !errors.Is(err, tarry.ErrBroken)
	default:
	}
	if !ended {
		result.Reason = ""
	}
	return result
}

func (r *running) Look(f func(l *loop.Loop, elapsed time.Duration)) { r.run.Load().Look(f) }
func (r *running) Evaluations() (n int) {
	r.Look(func(l *loop.Loop, _ time.Duration) { n = len(l.Evaluations()) })
	return n
}

func (r *running) Budget() (n int) {
	r.Look(func(l *loop.Loop, _ time.Duration) { n = l.Config().Budget })
	return n
}

func (r *running) Evaluation(number int) (tarry.Evaluation, bool) {
	all := r.Result().Evaluations
	if number < 1 || number > len(all) {
		return tarry.Evaluation{}, false
	}
	return all[number-1], true
}

func (r *running) Best() (tarry.Evaluation, bool) {
	if best := r.Result().Best; best != nil {
		return *best, true
	}
	return tarry.Evaluation{}, false
}

func (r *running) Cancel(evaluation int, reason string) error {
	return r.run.Load().Cancel(evaluation, reason)
}
func (r *running) Enqueue(x tarry.Point) error { return r.run.Load().Enqueue(x) }

func (r *running) Answer(e loop.Event) (loop.Reaction, error) { return r.run.Load().Answer(e) }

func (r *running) Predict(x tarry.Point) (tarry.Prediction, error) { return r.run.Load().Predict(x) }

func (r *running) Feasible(x tarry.Point) (*tarry.Feasibility, error) {
	return r.run.Load().Feasible(x)
}

func (r *running) Recommend(context ...float64) (tarry.Recommendation, error) {
	return r.run.Load().Recommend(context...)
}

var errItself = fmt.Errorf("%w: its own workers evaluate what it asks", errNotAsked)

func (r *running) AskAhead(...float64) (tarry.Query, tarry.Keeping, error) {
	return tarry.Query{}, tarry.Keeping{}, errItself
}

func (r *running) AnswerAhead(loop.Event) (loop.Reaction, tarry.Keeping, error) {
	return loop.Reaction{}, tarry.Keeping{}, errItself
}

// alone is the problem of a study that is not the one that is served.
func alone(name, served string) *problem {
	return problemOf(http.StatusNotFound, "study", "there is no study %s: this process serves %s alone", name, served)
}
