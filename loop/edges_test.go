package loop

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// driver steps a loop and keeps count.
type driver struct {
	t   *testing.T
	l   *Loop
	seq uint64
}

func drive(t *testing.T, c Config) *driver {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return &driver{t: t, l: l}
}

func (d *driver) step(at time.Duration, e Event) []Effect {
	d.t.Helper()
	d.seq++
	reaction, err := d.l.Step(Stamped{d.seq, at, e})
	if err != nil {
		d.t.Fatal(err)
	}
	if err := d.l.Check(); err != nil {
		d.t.Fatalf("after %+v: %v", e, err)
	}
	return reaction.Effects
}

// answer plays a study in which every dispatch is answered at once with the next of the values.
func (d *driver) answer(policy policies.Policy, values ...float64) {
	d.t.Helper()
	queue := []Event{WorkerJoined{1, 1}}
	for len(queue) > 0 {
		e := queue[0]
		queue = queue[1:]
		for _, effect := range d.step(0, e) {
			switch effect := effect.(type) {
			case Ask:
				queue = append(queue, Propose(effect, d.l.View(), policy, 1))
			case Fit:
				queue = append(queue, effect.Run())
			case Dispatch:
				queue = append(queue, FeedbackArrived{Evaluation: effect.Evaluation, Attempt: effect.Attempt, Outcome: outcome.Of(values[(effect.Evaluation-1)%len(values)])})
			}
		}
	}
	if !d.l.Finished() {
		d.t.Error("the study did not end")
	}
}

// Values, floors and ranges at the ends of what a float64 can hold neither panic nor poison the model.
func TestExtremeFiniteNumbers(t *testing.T) {
	s, err := space.New(space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	floor := func(v float64) *float64 { return &v }
	known := Model{Kernel: "se", Hyper: []float64{.2, 1}, Noise: .01}
	for name, c := range map[string]struct {
		config Config
		policy string
		values []float64
	}{
		"least floor":        {Config{Floor: floor(-math.MaxFloat64)}, "ucb-sdf", []float64{.3, .15}},
		"tiny range":         {Config{Floor: floor(0), Range: 1e-300}, "ucb-sdf", []float64{1e300, 1}},
		"known model":        {Config{Floor: floor(-1e308), Model: known}, "gp-ucb", []float64{1e308, 0}},
		"huge values":        {Config{}, "gp-bucb", []float64{math.MaxFloat64, -math.MaxFloat64, 1}},
		"tiny values":        {Config{}, "ts-sdf", []float64{5e-324, 0, 1e-310}},
		"huge and censored":  {Config{}, "ucb-sdf", []float64{1e308, -1e308, 3}},
		"constant and large": {Config{}, "gp-bts", []float64{1e20}},
		"last digits":        {Config{}, "asy-ts", []float64{1e20, 1e20 + 1e7, 1e20 - 2e7}},
	} {
		p, err := policies.Parse(c.policy)
		if err != nil {
			t.Fatal(err)
		}
		c.config.Space, c.config.Traits, c.config.Budget, c.config.Initial = s, p.Traits(), 12, 3
		t.Run(name, func(t *testing.T) {
			d := drive(t, c.config)
			d.answer(p, c.values...)
			if r := d.l.Result(); r.Best == nil || r.Recommended == nil || r.Counters.Fallbacks > 0 {
				t.Errorf("best %v, recommended %v, counters %+v", r.Best, r.Recommended, r.Counters)
			}
		})
	}
}

func TestTheLongestTimesDoNotOverflow(t *testing.T) {
	c := valid(t)
	c.Traits = policies.Traits{Name: "random"}
	c.Budget, c.Initial, c.Patience, c.Timeout = 2, 2, math.MaxInt64, math.MaxInt64
	d := drive(t, c)
	d.step(time.Hour, WorkerJoined{1, 2})
	d.step(2*time.Hour, FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(1)})
	d.step(3*time.Hour, Woke{})
	if d.l.Finished() || d.l.Counters().Timeouts > 0 {
		t.Errorf("finished %v, %+v", d.l.Finished(), d.l.Counters())
	}
}

// What is performed again after a replay: what runs on a worker, not what is answered from elsewhere.
func TestOutstanding(t *testing.T) {
	c := valid(t)
	c.Budget, c.Initial, c.Pending = 5, 2, 5
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 1})
	d.step(0, AnswerFollows{Evaluation: 1, Attempt: 1})
	out := d.l.Outstanding()
	if len(out) != 1 || out[0].(Dispatch).Evaluation != 2 {
		t.Errorf("outstanding %+v, want the dispatch of 2", out)
	}
	d.step(0, AnswerFollows{Evaluation: 2, Attempt: 1})
	out = d.l.Outstanding()
	if len(out) != 1 || out[0] != (Ask{1, 3, 1}) {
		t.Errorf("outstanding %+v, want the ask", out)
	}
	d.step(0, StopRequested{"enough"})
	if out := d.l.Outstanding(); len(out) != 0 {
		t.Errorf("a finished study leaves %+v open", out)
	}
}

// Contexts that wait are part of the state.
func TestDigestsSeeWaitingContexts(t *testing.T) {
	digest := func(z float64) uint64 {
		s, err := space.New(space.Float("x", 0, 1), space.Float("z", 0, 1).AsContext())
		if err != nil {
			t.Fatal(err)
		}
		d := drive(t, Config{Space: s, Budget: 5, Traits: policies.Traits{Name: "random"}})
		d.step(0, ContextArrived{[]float64{z}})
		return d.l.Digest()
	}
	first, again := digest(.1), digest(.1)
	if first != again || first == digest(.9) {
		t.Error("digests do not follow the contexts")
	}
}

// A fit whose result makes no prior is a failed one; the hyperparameters stay.
func TestAFitWithoutSenseIsCounted(t *testing.T) {
	c := valid(t)
	c.Budget, c.Initial, c.FitBeside = 20, 4, true
	c.Traits = policies.Traits{Name: "gp-bucb", Model: true, Pending: feedback.Hallucinate}
	d := drive(t, c)
	d.step(0, WorkerJoined{1, 4})
	for k := 1; k <= 4; k++ {
		d.step(0, FeedbackArrived{Evaluation: k, Attempt: 1, Outcome: outcome.Of(float64(k))})
	}
	d.step(0, ProposeFailed{Ask: 1})
	if !d.l.fitting() {
		t.Fatal("no fit is under way")
	}
	before := d.l.Digest()
	d.step(0, Fitted{Fit: 1, Hyper: []float64{1, math.NaN(), 1}, Noise: 1})
	if got := d.l.Counters(); got.FitFailures != 1 || got.Fits != 0 || d.l.fitting() {
		t.Errorf("counters %+v", got)
	}
	if d.l.Digest() == before {
		t.Error("the digest does not see that the fit ended")
	}
	d.step(0, FitFailed{Fit: 1})
	if got := d.l.Counters().Repeated; got != 1 {
		t.Errorf("%d repeated answers", got)
	}
}

// A finite list times the evaluations has a limit where a model is kept.
func TestListsHaveALimit(t *testing.T) {
	points := make([]space.Point, 40_000)
	for i := range points {
		points[i] = []float64{float64(i) / 40_000}
	}
	s, err := space.List(points, space.Float("x", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Space: s, Budget: MaxBudget, Traits: policies.Traits{Name: "gp-ucb", Model: true}, Model: Model{Active: model.MaxActive}}
	if err := c.Validate(); err == nil {
		t.Error("40 000 points and a model of 8000 rows were accepted")
	}
	c.Traits = policies.Traits{Name: "random"}
	if err := c.Validate(); err != nil {
		t.Error(err)
	}
}

// A long reason is cut between two characters.
func TestReasonsAreCutBetweenCharacters(t *testing.T) {
	if got := clip("x" + strings.Repeat("é", maxReason)); len(got) != maxReason-1 || !utf8.ValidString(got) {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
	if got := clip("short"); got != "short" {
		t.Errorf("a short reason became %q", got)
	}
}
