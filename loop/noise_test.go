package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// scattered plays a study of a model that adapts, whose queries are random points of the square, up to so many answers.
func scattered(t *testing.T, seed uint64, answers int, f func(x space.Unit) float64, noise float64) *driver {
	t.Helper()
	square, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	traits := policies.Traits{Name: "scattered", Model: true, Pending: feedback.Hallucinate, Adapts: true}
	d := drive(t, Config{Space: square, Traits: traits, Budget: answers + 1, Seed: seed})
	points, errors := rng.New(seed, rng.Test, 1), rng.New(seed, rng.Test, 2)
	queue := []Event{WorkerJoined{1, 1}}
	for count := 0; len(queue) > 0 && count < answers; {
		e := queue[0]
		queue = queue[1:]
		for _, effect := range d.step(0, e) {
			switch effect := effect.(type) {
			case Ask:
				queue = append(queue, Proposed{Ask: effect.ID, Proposals: []policies.Proposal{{X: square.Random(points)}}})
			case Fit:
				queue = append(queue, effect.Run())
			case Dispatch:
				count++
				x, err := square.Unit(effect.X)
				if err != nil {
					t.Fatal(err)
				}
				value := outcome.Of(f(x) + noise*errors.NormFloat64())
				queue = append(queue, FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: value})
			}
		}
	}
	for _, e := range queue {
		d.step(0, e)
	}
	return d
}

// Values are noisy where fits found that twice in a row, which they do within some forty answers where the function is smooth. Where
// it is steep two percent of noise cannot be told from it, and the study stays quiet, as it does without noise.
func TestNoiseIsFoundByTheModelWhereItCanBeTold(t *testing.T) {
	const answers, seeds = 42, 4
	wave := func(x space.Unit) float64 { return math.Sin(5*x[0]) * math.Cos(4*x[1]) }
	bowl := func(x space.Unit) float64 { return -math.Pow(x[0]-0.3, 2) - 2*math.Pow(x[1]-0.6, 2) }
	for name, c := range map[string]struct {
		f     func(x space.Unit) float64
		sd    float64 // of the values
		shows bool    // two percent of noise
	}{
		"wave":  {wave, 0.5, true},
		"bowl":  {bowl, 0.3, true},
		"cubed": {func(x space.Unit) float64 { return math.Pow(wave(x), 3) }, 0.3, false},
		"peak":  {func(x space.Unit) float64 { return math.Exp(40 * bowl(x)) }, 0.2, false},
		"cliff": {func(x space.Unit) float64 { return math.Tanh(40 * (x[0] + x[1] - 0.9)) }, 1, false},
		"wild":  {func(x space.Unit) float64 { return math.Sin(25*x[0]) * math.Cos(20*x[1]) }, 0.5, false},
	} {
		found := 0
		for seed := range uint64(seeds) {
			if !scattered(t, seed, answers, c.f, 0).l.quiet() {
				t.Errorf("%s, seed %d: noise where there is none", name, seed)
			}
			if c.shows && !scattered(t, seed, answers, c.f, 0.02*c.sd).l.quiet() {
				found++
			}
		}
		if c.shows && found < seeds-1 {
			t.Errorf("%s: two percent of noise found in %d of %d studies", name, found, seeds)
		}
	}
}

// What the fits say holds until a point has two values: then these do.
func TestTwoValuesAtOnePointDecideWhetherThereIsNoise(t *testing.T) {
	bowl := func(x space.Unit) float64 { return -math.Pow(x[0]-0.3, 2) - 2*math.Pow(x[1]-0.6, 2) }
	for _, difference := range []float64{0, 0.1} {
		d := scattered(t, 1, 42, bowl, 0.02)
		if d.l.quiet() {
			t.Fatal("noise was not found")
		}
		state, err := d.l.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Restore(d.l.Config(), state)
		if err != nil || again.quiet() {
			t.Fatalf("a restored study is quiet, %v", err)
		}
		e := d.l.Evaluations()[5]
		d.step(0, ObservationArrived{X: e.Point(d.l.Config().Space), Value: e.Value + difference})
		d.step(0, ProposeFailed{Ask: d.l.plan.ask.ID})
		if quiet := d.l.quiet(); quiet != (difference == 0) {
			t.Errorf("values %v apart: quiet is %v", difference, quiet)
		}
	}
}
