package soak

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// spoiled is a policy that is good until round 14.
type spoiled struct {
	policies.Policy
	spoil func(p []policies.Proposal) ([]policies.Proposal, error)
}

func (s spoiled) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	p, err := s.Policy.Propose(v, count, stream)
	if err != nil || v.Round < 14 {
		return p, err
	}
	return s.spoil(p)
}

func TestWhatBreaksARuleIsPrintedWithItsCommand(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(p []policies.Proposal) ([]policies.Proposal, error)
		want  string
	}{
		"panic":   {func([]policies.Proposal) ([]policies.Proposal, error) { panic("out of ideas") }, "policy panicked: out of ideas"},
		"error":   {func([]policies.Proposal) ([]policies.Proposal, error) { return nil, errors.New("no idea") }, "round 14: no proposal: {Ask:"},
		"outside": {func(p []policies.Proposal) ([]policies.Proposal, error) { p[0].X[0] = 1.5; return p, nil }, "unit coordinate of x1 = 1.5, want [0, 1]"},
		"none":    {func([]policies.Proposal) ([]policies.Proposal, error) { return nil, nil }, "0 proposals for 1"},
		"forecast": {func(p []policies.Proposal) ([]policies.Proposal, error) {
			p[0].Forecast = &policies.Forecast{Mean: math.NaN(), Scale: 1}
			return p, nil
		}, "Forecast.Mean = NaN"},
	} {
		t.Run(name, func(t *testing.T) {
			s := mustSoak(t, "-tells", "400", "-size", "20", "-policies", "gp-bucb", "-only", "smooth")
			s.policies[0].Policy = spoiled{s.policies[0].Policy, c.spoil}
			s.study = onABox(t, s)
			var out, text bytes.Buffer
			err := s.perform(context.Background(), console.Streams{Stdout: &out, Stderr: &text})
			if code := console.Report(err, &text); code != console.ExitFailure {
				t.Errorf("code %d: %v", code, err)
			}
			consoletest.Contains(t, out.String(), c.want, "repeat: go run ./cmd/demo soak -tells 400", "-only smooth -study ", "│ smooth │       1 │")
			consoletest.Contains(t, text.String(), "demo: 1 of 1 study broke a rule")
		})
	}
}

// onABox returns a study in a space of floats only, whose first parameter is called x1.
func onABox(t *testing.T, s soaking) int {
	t.Helper()
	for number := 1; number <= s.studies; number++ {
		if d := s.draw(number); strings.HasPrefix(d.config.Space.Parameter(0).Name, "x1") {
			return number
		}
	}
	t.Fatal("no study on a box")
	return 0
}

func TestPanicsOutsideThePolicyAreViolationsToo(t *testing.T) {
	d := mustSoak(t, "-tells", "40", "-size", "20", "-policies", "gp-bucb").draw(1)
	_, err := d.play(context.Background(), func(int) { panic("nobody listens") })
	if err == nil || !strings.HasPrefix(err.Error(), "panic: nobody listens\n") {
		t.Errorf("%v", err)
	}
	d.config.Budget = 0
	if _, err := d.play(context.Background(), func(int) {}); err == nil || !strings.Contains(err.Error(), "configuration: Config.Budget = 0") {
		t.Errorf("%v", err)
	}
}

func TestProposalsMustBePointsOfTheSpaceAtItsContext(t *testing.T) {
	s := must.Get(space.New(space.Int("n", 1, 4), space.Float("z", 0, 1).AsContext()))(t)
	view := policies.View{Space: s, Context: []float64{0.5}}
	for _, c := range []struct {
		x    []float64
		want string // empty: none
	}{
		{[]float64{0.375, 0.5}, ""},
		{[]float64{0.4, 0.5}, "is no point of the space"},
		{[]float64{0.375, 0.25}, "is not at the context [0.5]"},
		{[]float64{math.NaN(), 0.5}, "want [0, 1]"},
		{[]float64{0.375}, "1 coordinates, want 2"},
	} {
		if err := inside(view, c.x); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.x, err, c.want)
		}
	}
}

func TestAReplayToAnotherStateIsSeen(t *testing.T) {
	d := mustSoak(t, "-tells", "40", "-size", "20", "-policies", "gp-bucb").draw(2)
	d.replay = true
	w := must.Get(d.play(context.Background(), func(int) {}))(t)
	if _, err := w.Loop.Step(loop.Stamped{Seq: uint64(len(w.store.All()) + 1), Event: loop.Woke{}}); err != nil {
		t.Fatal(err)
	}
	if err := w.again(); err == nil || !strings.Contains(err.Error(), "replay: digest ") {
		t.Errorf("%v", err)
	}
}

func TestTheBestValueMustBeTheBest(t *testing.T) {
	valued := func(v float64) loop.Evaluation { return loop.Evaluation{Status: loop.Observed, Outcome: outcome.Of(v)} }
	result := func(best int, values ...float64) loop.Result {
		var r loop.Result
		for _, v := range values {
			r.Evaluations = append(r.Evaluations, valued(v))
		}
		if best >= 0 {
			r.Best, r.Recommended = &r.Evaluations[best], &r.Evaluations[0]
		}
		return r
	}
	unrecommended := result(0, 1)
	unrecommended.Recommended = nil
	for _, c := range []struct {
		name     string
		minimize bool
		result   loop.Result
		want     string // empty: nothing is wrong
	}{
		{"greatest", false, result(1, 2, 3), ""},
		{"least", true, result(0, 2, 3), ""},
		{"not the least", true, result(1, 2, 3), "best value 3, greatest 2"},
		{"no values", false, loop.Result{}, ""},
		{"none", false, result(-1, 2), "no best evaluation"},
		{"infinite", false, result(0, math.Inf(1)), "best value +Inf"},
		{"unrecommended", false, unrecommended, "nothing valued is recommended"},
	} {
		w := &world{study: study{config: loop.Config{Minimize: c.minimize}}}
		if err := w.best("result", c.result); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func TestOnlyFitsThatPanicAreViolations(t *testing.T) {
	if err := unbroken(loop.FitFailed{Reason: "fit panicked: index out of range"}); err == nil {
		t.Error("a panic is no violation")
	}
	for _, e := range []loop.Event{loop.Fitted{}, loop.FitFailed{Reason: "no start has an evidence"}} {
		if err := unbroken(e); err != nil {
			t.Error(err)
		}
	}
}
