package remote

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"go.opentelemetry.io/otel/trace"
	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/outcome"
)

// Worker says how a process works for the studies of a hub. Of Objective, Outcomes and Evaluate one must be set.
type Worker struct {
	Objective tarry.Objective   // returns the value of a query,
	Outcomes  tarry.OutcomeFunc // or a whole outcome,
	// Evaluate is the same for jobs of which it wants to know the study. Its error may be that of Decline.
	Evaluate func(ctx context.Context, j *Job) (tarry.Outcome, error)

	Slots    int      // evaluations at once: 1 … MaxSlots; 0: 1
	Labels   []string // what this worker has, for studies that need it (Hub.With)
	Study    string   // the only one to work for; empty: all
	Name     string   // of this worker, as in its certificate: letters, digits, _ and -; empty: "worker"
	Instance string   // of this process, different from every other with the name; empty: random
	Prefix   string   // of the subjects, as the hub has it; empty: DefaultPrefix

	// Drain, when closed, lets the worker take no more jobs: Work returns nil when those that run have been answered. nil: never.
	Drain <-chan struct{}
	// Drains is called when Drain was closed, with what Work waits for then; not where that is nothing. nil: nobody wants to know.
	Drains func(Left)
	// Grace is how long evaluations have to return when ctx has ended; 0: DefaultGrace.
	Grace time.Duration
	// Keep is how long an answer is repeated to a hub that does not have its study; 0: DefaultKeep.
	Keep   time.Duration
	Logger *zap.Logger          // nil: silent; of one that panics nothing more is wanted, and the worker goes on
	Tracer trace.TracerProvider // of a span for each evaluation, below that of the hub; nil: none
}

// Left is what a worker that takes no more jobs waits for.
type Left struct {
	Running int  // evaluations that have not returned
	Answers int  // what has returned, and no hub has acknowledged
	Away    bool // there is no hub now, or no connection to it
}

// What holds unless a Worker says otherwise.
const (
	DefaultName  = "worker"
	DefaultGrace = 5 * time.Second
	DefaultKeep  = 24 * time.Hour
)

// ErrRefused is wrapped by the error of a worker that its hub does not take, such as one of another version.
var ErrRefused = errors.New("the hub refused the worker")

// Work evaluates for all studies of the hub at the other end of a connection, one job at a time: Worker.Work with an objective and nothing
// else.
func Work(ctx context.Context, conn *nats.Conn, f tarry.Objective) error {
	return Worker{Objective: f}.Work(ctx, conn)
}

// Validate reports every violation at once.
func (w Worker) Validate() error {
	var l check.List
	set := 0
	for _, is := range []bool{w.Objective != nil, w.Outcomes != nil, w.Evaluate != nil} {
		if is {
			set++
		}
	}
	l.Require(set == 1, "Worker.Objective", fmt.Sprintf("%d functions", set), "one of Objective, Outcomes and Evaluate")
	l.Between("Worker.Slots", w.Slots, 0, MaxSlots)
	if err := checkLabels(w.Labels); err != nil {
		l.Add("Worker.Labels", fmt.Sprintf("%.99q", w.Labels), err.Error())
	}
	l.Require(text("", w.Study, maxStudyName) == nil, "Worker.Study", fmt.Sprintf("%.99q", w.Study), fmt.Sprintf("at most %d bytes of UTF-8", maxStudyName))
	const plain = "letters, digits, _ and -, at most 64"
	l.Require(w.Name == "" || isName(w.Name), "Worker.Name", w.Name, plain)
	l.Require(w.Instance == "" || isName(w.Instance), "Worker.Instance", w.Instance, plain)
	l.Require(w.Prefix == "" || isSubject(w.Prefix), "Worker.Prefix", w.Prefix, "names of letters, digits, _ and - with dots between them")
	l.Require(w.Grace >= 0, "Worker.Grace", w.Grace, "a duration ≥ 0; 0 means "+DefaultGrace.String())
	l.Require(w.Keep >= 0, "Worker.Keep", w.Keep, "a duration ≥ 0; 0 means "+DefaultKeep.String())
	return l.Err()
}

func (w Worker) withDefaults() Worker {
	switch {
	case w.Objective != nil:
		w.Evaluate = valued(w.Objective)
	case w.Outcomes != nil:
		f := w.Outcomes
		w.Evaluate = func(ctx context.Context, j *Job) (outcome.Outcome, error) { return f(ctx, j.Query()) }
	}
	w.Slots = max(w.Slots, 1)
	if w.Name == "" {
		w.Name = DefaultName
	}
	if w.Instance == "" {
		var random [8]byte
		rand.Read(random[:]) // it never fails
		w.Instance = hex.EncodeToString(random[:])
	}
	if w.Prefix == "" {
		w.Prefix = DefaultPrefix
	}
	if w.Grace == 0 {
		w.Grace = DefaultGrace
	}
	if w.Keep == 0 {
		w.Keep = DefaultKeep
	}
	w.Logger = guarded(w.Logger)
	return w
}

// Work evaluates for the hub at the other end of a connection until ctx ends, until Drain is closed and everything was answered, or until
// the connection is closed for good. A connection that is lost, and a hub that is not there, are waited for, while what runs goes on.
//
// When ctx ends no more jobs are taken, those that run are given back at once and start elsewhere, their contexts end, and they have Grace
// to return: a value that they bring still counts. A hub that is away is not waited for then, and does not get what it has not acknowledged. The error wraps that of ctx; ErrRefused where the hub does not take the worker; or
// nats.ErrConnectionClosed. It neither owns nor closes the connection, whose options should let it reconnect for ever.
func (w Worker) Work(ctx context.Context, conn *nats.Conn) error {
	var l check.List
	l.Require(ctx != nil, "ctx", nil, "a context")
	l.Require(conn != nil, "conn", nil, "a connection")
	l.Join(w.Validate())
	if err := l.Err(); err != nil {
		return err
	}
	w = w.withDefaults()
	s, err := begin(ctx, w, conn)
	if err != nil {
		return fmt.Errorf("work: %w", err)
	}
	if err := s.run(ctx); err != nil {
		return fmt.Errorf("work: %w", err)
	}
	return nil
}
