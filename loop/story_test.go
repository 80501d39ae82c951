package loop

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

var imputations = []feedback.Imputation{feedback.Ignore, feedback.Censor, feedback.Hallucinate}

// story is a study in which chance decides what happens next: answers in any order, failures, values that come after
// the failure, slots that are free before the answer, fits that take long, and what visitors do (see storyvisitors_test.go).
// It keeps the events.
type story struct {
	t       *testing.T
	config  Config
	loop    *Loop
	stream  *rand.Rand
	policy  policies.Policy // answers the asks; nil: points by chance, some of them twice
	quality func(x space.Point) float64
	blind   bool // without a policy nobody looks at the views
	quiet   bool // nobody visits
	slots   int
	now     time.Duration

	events  []Stamped
	digests []uint64   // after each of them, with a policy
	running []Dispatch // that may still be answered
	failed  []Dispatch // that were given up; their values may come all the same
	ask     Ask        // the open one; ID 0 means none
	fit     *Fit       // the open one
	asks    int        // answered
}

func newStory(t *testing.T, c Config, seed uint64, slots int) *story {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	s := &story{t: t, config: c, loop: l, stream: rng.New(seed, rng.Test, 0), slots: slots}
	s.quality = func(x space.Point) float64 { return float64(int(8*x[0])) + s.stream.NormFloat64() } // with ties
	day := 1
	for range 300 * len(c.Space.Contexts()) {
		if !c.poolsContext() || s.stream.IntN(4) == 0 { // a pool stays at a context for a while
			day = 1 + s.stream.IntN(7)
		}
		s.step(ContextArrived{[]float64{float64(day)}})
	}
	s.step(WorkerJoined{Worker: 1, Slots: slots})
	return s
}

// places are the kinds of studies that storyConfig knows.
var places = []string{"box", "list", "context", "known", "actions", "drawn", "fidelity"}

// storyConfig is a study with learned hyperparameters in a box, a list or a box with a context, or in a list with known ones:
// then targets stay as they are once an answer has come, and nothing is built anew. The last ones are a list of actions, and
// few combinations of them for a policy that draws, with a context that the pool follows; and a box with a fidelity, which a policy that
// does not censor chooses.
func storyConfig(t *testing.T, where string, how feedback.Imputation) Config {
	t.Helper()
	var s space.Space
	var err error
	x, y, day := space.Float("x", 0, 1), space.Float("y", 0, 1), space.Int("day", 1, 7).AsContext()
	points := make([]space.Point, 45)
	for i := range points {
		points[i] = []float64{float64(i%9) / 8, float64(i/9) / 4}
	}
	switch where {
	case "box":
		s, err = space.New(x, y)
	case "list", "known":
		s, err = space.List(points, x, y)
	case "context":
		s, err = space.New(x, y, day)
	case "actions":
		s, err = space.List(points, x, y, day)
	case "fidelity":
		s, err = space.New(x, y, space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4))
	case "drawn":
		s, err = space.New(space.Int("level", 0, 8), space.Categorical("kind", "a", "b", "c"), day)
	}
	if err != nil {
		t.Fatal(err)
	}
	traits := policies.Traits{Name: "story", Model: true, Pending: how, Draws: where == "drawn", Adapts: how == feedback.Hallucinate, Fidelities: how != feedback.Censor}
	c := Config{Space: s, Seed: 5, Budget: 1000, Initial: 4, FitBeside: true, Traits: traits, Lease: 5 * time.Second, StopEarly: 0.1}
	if len(s.Contexts()) > 0 {
		c.StopEarly = 0
	}
	if where == "known" {
		c.Model = Model{Hyper: []float64{0.4, 0.5, 1}, Noise: 0.05}
	}
	if how == feedback.Censor {
		c.Window = feedback.Window{Rounds: 12, Strict: true}
	}
	return c
}

// step feeds an event and remembers what the loop wants.
func (s *story) step(e Event) {
	s.t.Helper()
	stamped := Stamped{Seq: uint64(len(s.events) + 1), At: s.now, Event: e}
	s.events = append(s.events, stamped)
	before := standingOf(s.loop)
	reaction, err := s.loop.Step(stamped)
	if err != nil {
		s.t.Fatal(err)
	}
	agree(s.t, s.loop, e, reaction, before)
	if err := s.loop.Check(); err != nil {
		s.t.Fatalf("after event %d, %+v: %v", stamped.Seq, e, err)
	}
	if s.policy != nil {
		s.digests = append(s.digests, s.loop.Digest())
	}
	for _, effect := range reaction.Effects {
		switch effect := effect.(type) {
		case Ask:
			s.ask = effect
		case Fit:
			s.fit = &effect
		case Dispatch:
			s.forget(effect.Evaluation) // the attempt before
			s.running = append(s.running, effect)
		}
	}
}

// until plays on until so many asks were answered and the next one is open.
func (s *story) until(asks int) *story {
	s.t.Helper()
	for turns := 0; s.asks < asks || s.ask.ID == 0; turns++ {
		if s.turn(); turns > 100_000 {
			s.t.Fatalf("ask %d never comes: %+v", asks, s.loop.Counters())
		}
	}
	return s
}

// turn does one of the things that are possible now.
func (s *story) turn() {
	s.t.Helper()
	things := 33
	if s.quiet {
		things = 20
	}
	switch k := s.stream.IntN(things); {
	case k < 7 && s.ask.ID != 0:
		s.answer()
	case k < 13 && len(s.running) > 0:
		s.value(s.take(&s.running))
	case k < 15 && len(s.running) > 0:
		d := s.take(&s.running)
		s.failed = append(s.failed, d)
		s.step(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken"}})
	case k < 16 && len(s.failed) > 0:
		s.value(s.take(&s.failed))
	case k < 17 && len(s.running) > 0:
		d := s.running[s.stream.IntN(len(s.running))]
		s.step(AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt})
	case k < 19 && s.fit != nil:
		s.finishFit()
	case k >= 20:
		s.visit(k - 20)
	}
}

func (s *story) take(from *[]Dispatch) Dispatch {
	i := s.stream.IntN(len(*from))
	d := (*from)[i]
	*from = slices.Delete(*from, i, i+1)
	return d
}

func (s *story) value(d Dispatch) {
	s.t.Helper()
	y := s.quality(d.X)
	if !s.quiet && s.stream.IntN(2) == 0 {
		s.step(Reported{d.Evaluation, d.Attempt, 4, y / 2})
		if s.loop.Evaluations()[d.Evaluation-1].Status == Stopped {
			s.failed = append(s.failed, d)
			return
		}
	}
	s.step(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(y)})
}

// finishFit computes the fit, or without a policy makes one up.
func (s *story) finishFit() {
	s.t.Helper()
	fit := *s.fit
	s.fit = nil
	if s.policy != nil {
		s.step(fit.Run())
		return
	}
	hyper := make([]float64, s.config.Space.Dim()+1)
	for i := range hyper {
		hyper[i] = 0.2 + s.stream.Float64()
	}
	s.step(Fitted{Fit: fit.ID, Hyper: hyper, Noise: 0.01 + s.stream.Float64()/10})
}

// answer answers the open ask.
func (s *story) answer() {
	s.t.Helper()
	ask := s.ask
	s.ask = Ask{}
	s.asks++
	if s.policy != nil {
		s.step(s.loop.Task().Run(s.policy))
		return
	}
	var trouble Trouble
	if !s.blind {
		_, trouble = s.loop.Task().View()
	}
	x := s.config.Space.Random(s.stream)
	if queries := s.loop.ledger.queries; s.stream.IntN(8) == 0 {
		x = queries[s.stream.IntN(len(queries))].X
	}
	s.step(Proposed{Ask: ask.ID, Proposals: []policies.Proposal{{X: x}}, Trouble: trouble})
}

// replay feeds events to a new loop, and visit sees the loop before each of them.
func replay(t *testing.T, c Config, events []Stamped, visit func(l *Loop, next Stamped)) *Loop {
	t.Helper()
	l, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if visit != nil {
			visit(l, e)
		}
		if _, err := l.Step(e); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

// overStories runs a test for each imputation in each kind of space; under the race detector for one in each.
func overStories(t *testing.T, test func(t *testing.T, c Config, seed uint64)) {
	for i, where := range places {
		for j, how := range imputations {
			if raced && (i+j)%3 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", where, how), func(t *testing.T) {
				t.Parallel()
				test(t, storyConfig(t, where, how), uint64(10*i+j+1))
			})
		}
	}
}
