package loop

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// longEvaluations is the length of the study that is put away, of a tenth with -short.
const longEvaluations = 10_000

// longStudy is a study of many evaluations in six dimensions, as gp-bucb wants it, with eight slots; the points are chosen
// by chance. It is played once, and its events are kept.
var longStudy = sync.OnceValues(func() (Config, []Stamped) {
	const dim, slots = 6, 8
	parameters := make([]space.Parameter, dim)
	for j := range parameters {
		parameters[j] = space.Float(fmt.Sprintf("x%d", j), 0, 1)
	}
	where, err := space.New(parameters...)
	if err != nil {
		panic(err)
	}
	c := Config{Space: where, Budget: MaxBudget, Traits: policies.Traits{Name: "gp-bucb", Model: true, Pending: feedback.Hallucinate}}
	l, err := New(c)
	if err != nil {
		panic(err)
	}
	stream := rng.New(1, rng.Test, 0)
	wanted := longEvaluations
	if testing.Short() {
		wanted /= 10
	}
	var events []Stamped
	queue := []Event{WorkerJoined{1, slots}}
	for len(l.Evaluations()) < wanted {
		seq := uint64(len(events) + 1)
		e := Stamped{Seq: seq, At: time.Duration(seq) * time.Millisecond, Event: queue[0]}
		queue, events = queue[1:], append(events, e)
		reaction, err := l.Step(e)
		if err != nil {
			panic(err)
		}
		for _, effect := range reaction.Effects {
			switch e := effect.(type) {
			case Ask:
				queue = append(queue, Proposed{Ask: e.ID, Proposals: []policies.Proposal{{X: where.Random(stream), Forecast: &policies.Forecast{Stddev: 1, Scale: 1}}}})
			case Fit:
				queue = append(queue, Fitted{Fit: e.ID, Hyper: []float64{1, 1, 1, 1, 1, 1, 1 + stream.Float64()}, Noise: 0.1})
			case Dispatch:
				queue = append(queue, FeedbackArrived{Evaluation: e.Evaluation, Attempt: e.Attempt, Outcome: outcome.Of(stream.NormFloat64())})
			}
		}
	}
	return c, events
})

// replayLong feeds the events of the long study to a new loop, looking at no posterior.
func replayLong(b *testing.B) *Loop {
	b.Helper()
	c, events := longStudy()
	l, err := New(c)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range events {
		if _, err := l.Step(e); err != nil {
			b.Fatal(err)
		}
	}
	return l
}

// BenchmarkSnapshot puts away a study of ten thousand evaluations.
func BenchmarkSnapshot(b *testing.B) {
	l := replayLong(b)
	b.ReportAllocs()
	for b.Loop() {
		state, err := l.Snapshot()
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(state)), "bytes")
	}
}

// BenchmarkDigest sums it up, as after every event of a test.
func BenchmarkDigest(b *testing.B) {
	l := replayLong(b)
	b.ReportAllocs()
	for b.Loop() {
		l.Digest()
	}
}

// BenchmarkRestore brings it back.
func BenchmarkRestore(b *testing.B) {
	c, _ := longStudy()
	state, err := replayLong(b).Snapshot()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Restore(c, state); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay is what Restore takes the place of: all events of the same study.
func BenchmarkReplay(b *testing.B) {
	longStudy()
	b.ReportAllocs()
	for b.Loop() {
		replayLong(b)
	}
}
