package actors

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

var (
	parity     = flag.Int("parity", 500, "random scenarios in which engine and simulator are compared")
	parityFrom = flag.Uint64("parity-from", 0, "seed of the first scenario")
)

// The engine, in a bubble where time is virtual, and the simulator go through the same events with the same effects and
// end in the same state, on one processor and on four, some of them with guests in place of workers of the engine's own; and the journal of the engine replays to that state. Under the race
// detector there are fewer scenarios, with every policy and every law of delays among them.
func TestTheEngineIsTheSimulator(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors)
	forgotten, givenUp := 0, 0
	compared, ties, seen := 0, 0, map[string]bool{}
	for k := range *parity {
		seed := *parityFrom + uint64(k)
		s := drawParity(rng.New(seed, rng.World, 1), seed)
		policy, law := s.Policy.Traits().Name, s.Delay.String()
		other := !seen[policy] || !seen[law]
		seen[policy], seen[law] = true, true
		if raced && k >= 24 && !other {
			continue
		}
		runtime.GOMAXPROCS([...]int{1, 4}[compared%2])
		compared++
		want := simulated(t, s)
		var got trace
		guests := s.Workers > 0 && compared%3 == 0
		synctest.Test(t, func(t *testing.T) {
			got = lived(t, s, guests)
			time.Sleep(2 * time.Second) // a message to a guest that has just gone leaves a goroutine of the framework's behind for a second
		})
		if want.tie || got.tie { // the study ended at the second of two in one of them
			ties++
			continue
		}
		if difference := got.differs(want); difference != "" {
			t.Fatalf("scenario %d, guests %v, %s\n%s\nto repeat: go test ./actors -run TestTheEngineIsTheSimulator -parity 1 -parity-from %d",
				seed, guests, describeParity(s), difference, seed)
		}
		forgotten, givenUp = forgotten+want.counts.Forgotten, givenUp+want.counts.GivenUp
	}
	if !raced && (forgotten < compared/50 || givenUp < compared/50) {
		t.Errorf("%d queries were forgotten and %d given up in %d scenarios", forgotten, givenUp, compared)
	}
	t.Logf("%d scenarios compared, %d set aside since two answers fall into the same nanosecond", compared-ties, ties)
	if ties > compared/14+1 { // most of them are answers in the instant in which a timeout is due
		t.Errorf("%d of %d scenarios have two answers in the same nanosecond", ties, compared)
	}
}

// trace is what happened, one line for each event with its effects, and the fingerprint of the state at the end.
type trace struct {
	lines  []string
	last   time.Duration // when the world spoke last, but for reports
	said   time.Duration // when an evaluation reported last,
	who    [2]int        // and which, at which attempt: what one says itself in an instant has an order
	chosen time.Duration // when a policy answered last
	wake   time.Duration // when the last WakeAt is due
	tie    bool          // whether the world spoke twice in the same nanosecond: then the order is chance
	digest uint64
	counts loop.Counters // in the end
}

func (t *trace) add(seq uint64, at time.Duration, e loop.Event, effects []loop.Effect) {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %v %T%+v", seq, at, e, e)
	if p, ok := e.(loop.Proposed); ok { // its forecast is behind a pointer
		b.Reset()
		fmt.Fprintf(&b, "%d %v loop.Proposed %d", seq, at, p.Ask)
		for _, q := range p.Proposals {
			fmt.Fprintf(&b, " %v %+v", q.X, *cmp.Or(q.Forecast, &policies.Forecast{}))
		}
	}
	for _, effect := range effects {
		switch effect := effect.(type) {
		case loop.Fit:
			fmt.Fprintf(&b, " | Fit %d %v %v", effect.ID, effect.X, effect.Y)
		case loop.Finish:
			t.counts = effect.Result.Counters
			fmt.Fprintf(&b, " | Finish %s %+v", effect.Result.Reason, effect.Result.Counters)
		default:
			fmt.Fprintf(&b, " | %T%+v", effect, effect)
		}
	}
	t.lines = append(t.lines, b.String())
	evaluation, attempt, _ := loop.About(e)
	who := [2]int{evaluation, attempt}
	switch e.(type) {
	case loop.Woke:
		t.tie = t.tie || at == t.last
		t.last = at
	case loop.Proposed:
		t.chosen = at
	case loop.Reported:
		t.tie = t.tie || at == t.last || at == t.wake || at == t.said && who != t.who
		t.said, t.who = at, who
	case loop.FeedbackArrived, loop.EvaluationFailed, loop.AnswerFollows, loop.WorkerFreed:
		_, freed := e.(loop.WorkerFreed) // of an attempt that was ended early, at once; and so may a policy answer that heard of it
		if freed {
			t.tie = t.tie || at == t.said && at == t.chosen
		}
		t.tie = t.tie || at == t.last || at == t.wake || at == t.said && !freed && who != t.who
		t.last = at
	}
	for _, effect := range effects {
		if w, ok := effect.(loop.WakeAt); ok {
			t.wake = w.At
		}
	}
}

func (t *trace) differs(want trace) string {
	for i := range min(len(t.lines), len(want.lines)) {
		if t.lines[i] != want.lines[i] {
			return fmt.Sprintf("engine    %s\nsimulator %s", t.lines[i], want.lines[i])
		}
	}
	if len(t.lines) != len(want.lines) || t.digest != want.digest {
		return fmt.Sprintf("engine: %d events, digest %x; simulator: %d events, digest %x", len(t.lines), t.digest, len(want.lines), want.digest)
	}
	return ""
}

func simulated(t *testing.T, s sim.Scenario) trace {
	var out trace
	_, err := sim.Run(context.Background(), s, func(l *loop.Loop, e loop.Stamped, effects []loop.Effect) error {
		out.add(e.Seq, e.At, e.Event, effects)
		out.digest = l.Digest()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// lived is the scenario in the engine, with workers of its own or with guests. It runs in a bubble.
func lived(t *testing.T, s sim.Scenario, guests bool) trace {
	var out trace
	all := &company{}
	store := &journal.Memory{}
	var e *Engine
	ready, finished := make(chan struct{}), false // nothing happens before e is known
	world := workers.Simulated{
		Chances: s.Chances(), Unit: sim.Tick, IgnoreContext: true,
		Case: func(_ space.Point, value float64) delay.Case {
			return delay.Case{Level: s.Level(value)}
		},
		Again: func(t workers.Task, value float64) { _ = e.Tell(t.Evaluation, t.Attempt, value) },
		Report: func(t workers.Task, step, value float64) error {
			r, err := e.Answer(loop.Reported{Evaluation: t.Evaluation, Attempt: t.Attempt, Step: step, Value: value})
			if err == nil && (r.Fate == loop.FateEnded || r.Status == loop.Stopped) {
				return workers.ErrCancelled
			}
			return nil
		},
	}
	if reports := s.Problem.Reports; reports != nil {
		world.Reports = func(t workers.Task) []delay.Interim {
			return reports(t.X, rng.New(s.Seed, rng.Noise, uint64(t.Evaluation)+uint64(t.Attempt-1)<<32))
		}
	}
	config := Config{
		Study: s.Config(), Policy: slow{s.Policy, s.AskTime}, Workers: s.Workers, Journal: store, Grace: 1000 * time.Hour,
		Objective: world.Around(func(_ context.Context, t workers.Task) (float64, error) { return s.Problem.Value(t.X), nil }),
		OnEvent: func(n Notice) {
			<-ready
			if finished {
				return // values that come after the end are heard in a live study; the simulator's world ends
			}
			out.add(n.Seq, n.At, n.Event, n.Reaction.Effects)
			out.digest = e.study.loop.Digest()
			finished = e.study.loop.Finished()
		},
		Fit: func(f loop.Fit) loop.Event {
			if s.FitTime != nil {
				time.Sleep(s.FitTime(f.ID))
			}
			return f.Run()
		},
	}
	if guests {
		all.outcomes, all.here = config.Objective.Outcomes(), make(chan struct{})
		config.Objective, config.Workers = nil, 0
		config.Policy, config.Fit = all.patient(config.Policy), all.fitting(config.Fit)
	}
	e, err := Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	close(ready)
	if guests {
		all.come(t, e, s.Workers)
		defer all.attempts.Wait() // those that ignore their contexts return some time
	}
	if end := e.Wait(); end.Err != nil {
		t.Fatal(end.Err)
	}
	replayed, open, err := journal.Replay(store)
	if err != nil || len(open) > 0 || replayed.Digest() != e.study.loop.Digest() {
		t.Fatalf("replay: %v, %d effects open", err, len(open))
	}
	return out
}

// slow is a policy that takes time to think.
type slow struct {
	policies.Policy
	time func(round int) time.Duration
}

func (p slow) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	if p.time != nil {
		time.Sleep(p.time(v.Round))
	}
	return p.Policy.Propose(v, count, stream)
}

func drawParity(stream *rand.Rand, seed uint64) sim.Scenario {
	pick := func(specs ...string) string { return specs[stream.IntN(len(specs))] }
	policy, err := policies.Parse(pick(append(slices.Repeat([]string{"random"}, 8), policies.General()...)...))
	if err != nil {
		panic(err)
	}
	law, err := delay.ParseLaw(pick("fixed:0", "fixed:1", "fixed:3", "poisson:4", "geometric:0.3", "exponential:2", "lognormal:1,1", "pareto:1,0.8", "value:1,9", "never:0.2+exponential:3"))
	if err != nil {
		panic(err)
	}
	problem, err := sim.NewProblem(pick("forrester", "branin", "sixhump", "gp1d"), seed)
	if err != nil {
		panic(err)
	}
	s := sim.Scenario{
		Problem: problem, Policy: policy, Delay: law, Seed: seed, Rounds: 1 + stream.IntN(20), Initial: 1 + stream.IntN(8),
		Noise: float64(stream.IntN(2)) * 0.1, Workers: 1 + stream.IntN(8), Barrier: stream.IntN(2) * stream.IntN(4), Retries: stream.IntN(3),
	}
	if law.String() != "fixed:0" && stream.IntN(2) == 0 {
		s.Problem.Reports = func(x space.Point, stream *rand.Rand) (out []delay.Interim) {
			for step := range 3 {
				out = append(out, delay.Interim{Share: (float64(step) + stream.Float64()) / 4, Step: float64(step), Value: problem.Value(x) + stream.NormFloat64()})
			}
			return out
		}
		if s.StopEarly = 0.4; s.Config().Validate() != nil {
			s.StopEarly = 0
		}
	}
	if policy.Traits().Model {
		s.Rounds = 1 + s.Rounds/2 // models take their time under the race detector
	}
	if stream.IntN(2) == 0 {
		s.Faults = delay.Faults{Drop: .1, Duplicate: .1, Fail: .15, Stall: .05}
	}
	if stream.IntN(3) == 0 {
		s.Window.Rounds, s.Window.Strict = 1+stream.IntN(5), stream.IntN(2) == 0
	}
	if s.Faults.Drop > 0 || stream.IntN(2) == 0 || strings.HasPrefix(law.String(), "never") {
		s.Timeout = sim.Tick * time.Duration(1+stream.IntN(8))
		s.Exclusive = stream.IntN(2) == 0
		if stream.IntN(2) == 0 { // answers of laws in whole ticks come a few nanoseconds before it and after
			s.Timeout += time.Duration(1 + stream.IntN(12))
		}
	}
	if stream.IntN(3) > 0 { // thinking and fitting take time, and queries may go on meanwhile
		s.FitBeside, s.FitAbreast = stream.IntN(3) > 0, seed%2 == 0
		s.AskTime = func(n int) time.Duration { return pause(seed, 2*uint64(n), 50*time.Millisecond) }
		s.FitTime = func(n int) time.Duration { return pause(seed, 2*uint64(n)+1, 3*time.Second) }
	}
	drawSilence(&s, rng.New(seed, rng.Test, 1<<32))
	if s.Exclusive { // a worker that gives up and a policy that hears of it speak in the same instant, in any order
		s.StopEarly = 0
	}
	return s
}

// drawSilence lets some studies forget what is silent, weigh it or give it up, by what they learn of the delays.
func drawSilence(s *sim.Scenario, stream *rand.Rand) {
	if !s.Window.Strict {
		s.Forget, s.WeighPending = 0.4*float64(stream.IntN(2)), stream.IntN(2) == 0
	}
	s.GiveUp = 0.3 * float64(stream.IntN(2))
}

// pause is a duration up to most that no other has, for all that a test will see.
func pause(seed, key uint64, most time.Duration) time.Duration {
	return 1 + time.Duration(rng.New(seed, rng.Test, key).Int64N(int64(most)))
}

func describeParity(s sim.Scenario) string {
	return fmt.Sprintf("%s on %s, delay %v, faults %v, %d rounds, %d workers, barrier %d, window %+v, timeout %v, exclusive %v, retries %d, beside %v, abreast %v, reports %v",
		s.Policy.Traits().Name, s.Problem.Name, s.Delay, s.Faults, s.Rounds, s.Workers, s.Barrier, s.Window, s.Timeout, s.Exclusive, s.Retries, s.FitBeside, s.FitAbreast, s.Problem.Reports != nil)
}
