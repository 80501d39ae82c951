package sim

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

var (
	swarm     = flag.Int("swarm", 150, "random worlds to simulate")
	swarmFrom = flag.Uint64("swarm-from", 0, "seed of the first world")
)

// TestSwarm simulates random worlds. A seed draws the space, the objective, the policy, delays, faults, the pace and a
// stream of hostile events; invariants are checked after every step, and the journal must replay to the same bits. Under the
// race detector a few worlds of each policy and each law of delays are enough.
func TestSwarm(t *testing.T) {
	seen := map[string]bool{}
	for k := range *swarm {
		seed := *swarmFrom + uint64(k)
		if other := anotherKind(seen, drawScenario(rng.New(seed, rng.World, 0), seed)); raced && k >= 8 && !other {
			continue
		}
		if err := simulateWorld(seed); err != nil {
			t.Fatalf("world %d: %v\nto replay: go test ./sim -run TestSwarm -swarm 1 -swarm-from %d", seed, err, seed)
		}
	}
	if *swarm >= 100 && !seen["prior true"] {
		t.Error("no world had a prior")
	}
}

// anotherKind reports whether the policy or the law of delays of a scenario was in none before, or whether it has a prior.
func anotherKind(seen map[string]bool, s Scenario) bool {
	policy, law, prior := s.Policy.Traits().Name, s.Delay.String(), fmt.Sprint("prior ", s.Prior != nil)
	other := !seen[policy] || !seen[law] || !seen[prior]
	seen[policy], seen[law], seen[prior] = true, true, true
	return other
}

func simulateWorld(seed uint64) (err error) {
	stream := rng.New(seed, rng.World, 0)
	s := drawScenario(stream, seed)
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: panic: %v", describe(s), r)
		}
	}()
	first, digest, err := playWorld(s, stream.Uint64())
	if err != nil {
		return fmt.Errorf("%s: %w", describe(s), err)
	}
	if err := checkPerformance(first); err != nil {
		return fmt.Errorf("%s: %w", describe(s), err)
	}
	// The hostile events are drawn anew from the same seed: the second run must be the first.
	again := drawScenario(rng.New(seed, rng.World, 0), seed)
	chaosSeed := rng.New(seed, rng.World, 0)
	drawScenario(chaosSeed, seed)
	_, digest2, err := playWorld(again, chaosSeed.Uint64())
	if err != nil || digest2 != digest {
		return fmt.Errorf("%s: digests %x and %x of two runs (%v)", describe(s), digest, digest2, err)
	}
	return nil
}

// playWorld runs a world with hostile events, checking as it goes, and then replays its journal, asking the policy again
// at every Ask.
func playWorld(s Scenario, chaosSeed uint64) (Performance, uint64, error) {
	if s.Contextual {
		p, err := s.Problem.contextual()
		if err != nil {
			return Performance{}, 0, err
		}
		s.Problem = p
	}
	if err := s.Validate(); err != nil {
		return Performance{}, 0, err
	}
	l, err := loop.New(s.Config())
	if err != nil {
		return Performance{}, 0, err
	}
	store := journal.NewMemory(journal.NewHeader(l.Config()))
	values := map[int]bool{} // evaluations for which a usable value was told
	watch := func(l *loop.Loop, e loop.Stamped, effects []loop.Effect) error {
		if f, ok := e.Event.(loop.FeedbackArrived); ok && f.Evaluation >= 1 && f.Evaluation <= len(l.Evaluations()) {
			if ev := l.Evaluations()[f.Evaluation-1]; !math.IsNaN(f.Value) && !math.IsInf(f.Value, 0) && f.Attempt >= 1 && f.Attempt <= ev.Attempt {
				values[f.Evaluation] = true
			}
		}
		for number := range values {
			if !l.Evaluations()[number-1].Status.Valued() {
				return fmt.Errorf("the value of evaluation %d was lost", number)
			}
		}
		return l.Check()
	}
	w := newWorld(s, l, journaled(store, 7), watch)
	w.addChaos(rng.New(chaosSeed, rng.World, 1))
	if err := w.run(context.Background()); err != nil {
		return Performance{}, 0, err
	}
	digest := l.Digest()
	replayed, open, err := journal.Replay(store)
	switch {
	case err != nil:
		return Performance{}, 0, err
	case replayed.Digest() != digest:
		return Performance{}, 0, fmt.Errorf("replay has digest %x, the run %x", replayed.Digest(), digest)
	case len(open) > 0:
		return Performance{}, 0, fmt.Errorf("a finished study leaves %d effects open", len(open))
	}
	return w.performance(), digest, recompute(s, store)
}

// recompute replays a journal and compares every recorded proposal with what the policy says to the view of that
// moment.
func recompute(s Scenario, store *journal.Memory) error {
	h, _ := store.Header()
	l, err := loop.New(h.Config)
	if err != nil {
		return err
	}
	answers := map[int][]policies.Proposal{}
	for _, r := range store.All() {
		if p, ok := r.Event.Event.(loop.Proposed); ok && answers[p.Ask] != nil {
			if !reflect.DeepEqual(answers[p.Ask], p.Proposals) {
				return fmt.Errorf("ask %d was answered %v, now %v", p.Ask, p.Proposals, answers[p.Ask])
			}
			delete(answers, p.Ask)
		}
		reaction, err := l.Step(r.Event)
		if err != nil {
			return err
		}
		for _, effect := range reaction.Effects {
			if ask, ok := effect.(loop.Ask); ok {
				if answers[ask.ID], err = s.recompute(l, ask); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// addChaos schedules events that a well-behaved world would not produce.
func (w *world) addChaos(stream *rand.Rand) {
	for range stream.IntN(20) {
		at := time.Duration(stream.Float64() * 40 * float64(Tick))
		n := 1 + stream.IntN(w.loop.Config().Budget+3)
		var e loop.Event
		switch stream.IntN(11) {
		case 0:
			e = loop.WorkerJoined{Worker: 50 + stream.IntN(3), Slots: 1 + stream.IntN(2)}
		case 1:
			e = loop.WorkerLeft{Worker: stream.IntN(4), Reason: "chaos"}
			w.queue.push(at+Tick, loop.WorkerJoined{Worker: 1, Slots: 1})
		case 2:
			e = loop.FeedbackArrived{Evaluation: n, Attempt: 1 + stream.IntN(2), Outcome: outcome.Of(stream.NormFloat64())}
		case 3:
			e = loop.FeedbackArrived{Evaluation: n, Attempt: 1, Outcome: outcome.Of(math.NaN())}
		case 4:
			e = loop.EvaluationFailed{Evaluation: n, Attempt: stream.IntN(3), Failure: outcome.Failure{Reason: "chaos"}}
		case 5:
			e = loop.AnswerFollows{Evaluation: n, Attempt: stream.IntN(3)}
		case 6:
			e = loop.Fitted{Fit: stream.IntN(4), Hyper: []float64{math.NaN()}, Noise: -1}
		case 7:
			e = loop.FitFailed{Fit: stream.IntN(9), Reason: "chaos"}
		case 8:
			e = loop.ProposeFailed{Ask: stream.IntN(30), Reason: "chaos"}
		case 10:
			e = loop.Reported{Evaluation: n, Attempt: stream.IntN(3), Step: stream.NormFloat64(), Value: stream.NormFloat64()}
		case 9:
			e = loop.Woke{}
		}
		w.queue.push(at, e)
	}
}

func checkPerformance(o Performance) error {
	for k := range o.SimpleRegret {
		switch {
		case o.SimpleRegret[k] < 0 || o.CumulativeRegret[k] < 0:
			return fmt.Errorf("negative regret after %d queries", k+1)
		case k == 0:
		case o.SimpleRegret[k] > o.SimpleRegret[k-1]:
			return fmt.Errorf("simple regret rises after %d queries", k+1)
		case math.IsNaN(o.SimpleRegret[k]) && !math.IsNaN(o.SimpleRegret[k-1]):
			return fmt.Errorf("simple regret is forgotten after %d queries", k+1)
		case o.CumulativeRegret[k] < o.CumulativeRegret[k-1]:
			return fmt.Errorf("cumulative regret falls after %d queries", k+1)
		}
	}
	return nil
}

func describe(s Scenario) string {
	return fmt.Sprintf("%s on %s, delay %v, faults %v, %d rounds, workers %d, barrier %d, window %+v, timeout %v, exclusive %v, retries %d, contextual %v, beside %v, abreast %v, reports %v, ended early %v",
		s.Policy.Traits().Name, s.Problem.Name, s.Delay, s.Faults, s.Rounds, s.Workers, s.Barrier, s.Window, s.Timeout, s.Exclusive, s.Retries, s.Contextual, s.FitBeside, s.FitAbreast, s.Problem.Reports != nil, s.StopEarly)
}

func drawScenario(stream *rand.Rand, seed uint64) Scenario {
	pick := func(specs ...string) string { return specs[stream.IntN(len(specs))] }
	variants := append(policies.General(), "random", "ucb-sdf:nu=1", "asy-ts:features=32", "gp-bts:features=32", "batch:q=3:of=gp-bucb")
	policy, err := policies.Parse(pick(variants...))
	if err != nil {
		panic(err)
	}
	law, err := delay.ParseLaw(pick("fixed:0", "fixed:3", "poisson:4", "geometric:0.3", "exponential:2", "lognormal:1,1", "pareto:1,0.8", "input:1,9", "value:1,9", "never:0.2+poisson:3"))
	if err != nil {
		panic(err)
	}
	s := Scenario{
		Problem: drawProblem(stream), Policy: policy, Delay: law, Seed: seed,
		Rounds: 1 + stream.IntN(14), Initial: 1 + stream.IntN(5), Noise: float64(stream.IntN(2)) * 0.1,
		Workers: stream.IntN(2) * (1 + stream.IntN(4)), Barrier: stream.IntN(2) * stream.IntN(4), Retries: stream.IntN(3),
		FitBeside: stream.IntN(2) == 0, FitAbreast: seed%2 == 0,
	}
	if stream.IntN(3) == 0 {
		s.Window = feedback.Window{Rounds: 1 + stream.IntN(5), Strict: stream.IntN(2) == 0}
		if stream.IntN(2) == 0 {
			s.Window.Duration = Tick * time.Duration(1+stream.IntN(6))
		}
	}
	if stream.IntN(3) == 0 {
		s.Faults = delay.Faults{Drop: .1, Duplicate: .1, Fail: .15, Stall: .05}
	}
	if stream.IntN(3) == 0 || s.mayStall() {
		s.Timeout = Tick * time.Duration(1+stream.IntN(8))
	}
	s.Exclusive = s.Workers > 0 && stream.IntN(2) == 0
	s.Contextual = len(s.Problem.Space.Actions()) > 1 && s.Problem.Space.Size() == 0 && stream.IntN(4) == 0
	s.drawReports(seed)
	s.drawPrior(seed)
	s.drawSilence(rng.New(seed, rng.World, 3))
	return s
}

// drawSilence lets some studies forget what is silent, give it up, or learn their window.
func (s *Scenario) drawSilence(stream *rand.Rand) {
	if !s.Window.Strict && stream.IntN(2) == 0 {
		s.Forget = 0.3
		s.ForgetAfter = Tick * time.Duration(stream.IntN(2)*(2+stream.IntN(9)))
	}
	s.WeighPending = !s.Window.Strict && stream.IntN(3) == 0
	if stream.IntN(2) == 0 {
		s.GiveUp = 0.2
	}
	if !s.Window.Limited() && stream.IntN(2) == 0 {
		s.Window.Share = 0.9
	}
}

// drawReports lets the evaluations of one world of two report on their way, and the study end some of them early where it may.
func (s *Scenario) drawReports(seed uint64) {
	stream := rng.New(seed, rng.World, 2)
	if stream.IntN(2) == 0 {
		return
	}
	value, odd := s.Problem.Value, stream.IntN(4) == 0
	s.Problem.Reports = func(x space.Point, stream *rand.Rand) (out []delay.Interim) {
		for step := range 4 {
			y := value(x)*float64(step+1)/5 + 0.05*stream.NormFloat64()
			if odd && stream.IntN(4) == 0 {
				y = math.Inf(1)
			}
			out = append(out, delay.Interim{Share: float64(step) / 4, Step: float64((step + stream.IntN(2)) % 4), Value: y})
		}
		return out
	}
	s.IgnoreReports = stream.IntN(6) == 0
	if s.StopEarly = 0.3; s.Config().Validate() != nil || stream.IntN(2) == 0 {
		s.StopEarly = 0
	}
}

// drawPrior gives one study of four, where it may have one, a prior that was learned of a few random values.
func (s *Scenario) drawPrior(seed uint64) {
	stream := rng.New(seed, rng.Meta, 0)
	where := s.Config().Space
	if stream.IntN(4) > 0 {
		return
	}
	p := loop.Past{Name: "before", Space: where, Sense: outcome.Maximize}
	for range 4 {
		p.Points, p.Values = append(p.Points, where.Value(where.Random(stream))), append(p.Values, stream.NormFloat64())
	}
	lesson, _, err := loop.NewPriorLesson(where, p.Sense, loop.PriorSettings{Particles: 2, Steps: 20, Mean: []int{4}, Features: []int{4, 2}, Seed: seed}, p)
	if err != nil {
		return // a fidelity, or points that are all one
	}
	if err := lesson.Learn(0, func(int, float64) bool { return true }); err != nil {
		panic(err)
	}
	if s.Prior, err = lesson.Prior(); err != nil {
		panic(err)
	}
	if s.Config().TakesPrior() != nil {
		s.Prior = nil
	}
}

// drawProblem is a smooth bump with holes, on a box of mixed parameters or a list of points. Where the first of three parameters
// has few values the last one is active for some of them only.
func drawProblem(stream *rand.Rand) Problem {
	dim := 1 + stream.IntN(3)
	parameters := make([]space.Parameter, dim)
	for i := range parameters {
		name := string(rune('a' + i))
		parameters[i] = []space.Parameter{
			space.Float(name, -2, 3), space.LogFloat(name, 1e-4, 10), space.Int(name, 1, 6), space.Categorical(name, "u", "v", "w"),
		}[stream.IntN(4)]
	}
	if dim == 3 {
		switch parameters[0].Kind {
		case space.KindInt:
			parameters[2] = parameters[2].WhenAtLeast("a", 3)
		case space.KindCategorical:
			parameters[2] = parameters[2].When("a", "u", "w")
		}
	}
	if stream.IntN(5) == 0 {
		parameters = append(parameters, space.Ordered("part", 1, 2, 4).AsFidelity(1, 2, 4))
	}
	s, err := space.New(parameters...)
	if err == nil && stream.IntN(4) == 0 {
		var points []space.Point
		for range 5 + stream.IntN(30) {
			points = append(points, s.Value(s.Random(stream))[:dim])
		}
		s, err = space.List(points, parameters...)
	}
	if err != nil {
		panic(err)
	}
	centre := make([]float64, dim)
	for i := range centre {
		centre[i] = stream.Float64()
	}
	hole := stream.Float64() * 0.2
	box := slices.Clone(parameters)
	value := func(x space.Point) float64 {
		sum := 0.0
		for i, v := range x[dim:] {
			sum += (4 - v) * (0.01 + 0.05*x[i])
		}
		for i, v := range x[:dim] {
			if math.IsNaN(v) { // inactive
				continue
			}
			d := box[i].Unit(v) - centre[i]
			sum += d * d
			if box[i].Unit(v) < hole*float64(1-min(i, 1)) {
				return math.NaN()
			}
		}
		return math.Exp(-3 * sum)
	}
	return Problem{Name: fmt.Sprintf("bump-%d", dim), Space: s, Value: value, Maximum: 1}
}

// journaled returns an observer that keeps every event in the store, with a digest every so many events; 0 means none.
func journaled(store *journal.Memory, every uint64) Observer {
	return func(l *loop.Loop, e loop.Stamped, _ []loop.Effect) error {
		r := journal.Record{Event: e}
		if every > 0 && e.Seq%every == 0 {
			r.Digest = l.Digest()
		}
		return store.Append(r)
	}
}

// recompute returns the answer that the policy of the scenario gives to the open Ask of a loop.
func (s Scenario) recompute(l *loop.Loop, ask loop.Ask) ([]policies.Proposal, error) {
	event := l.Task().Run(s.Policy)
	if p, ok := event.(loop.Proposed); ok {
		return p.Proposals, nil
	}
	return nil, fmt.Errorf("recompute ask %d: %+v", ask.ID, event)
}
