package hindsight_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
)

// Whatever the policy, each of its choices is found again to the bit, and its explanation is JSON.
func TestEveryChoiceIsExplained(t *testing.T) {
	s := twoParameters(t)
	for _, name := range everyPolicy() {
		store := played(t, s, tarry.Options{Budget: 14, Initial: 4, Minimize: name == "log-ei"}, name, 2, bowl)
		policy, acquired := 0, 0
		for number := 1; number <= 14; number++ {
			e, err := hindsight.Explain(store, number)
			if err != nil {
				t.Fatalf("%s, #%d: %v", name, number, err)
			}
			if _, err := json.Marshal(e); err != nil {
				t.Errorf("%s, #%d: %v", name, number, err)
			}
			if number <= 4 {
				if e.How != hindsight.ByDesign || e.Asked {
					t.Errorf("%s, #%d: %+v", name, number, e)
				}
				continue
			}
			if e.How == hindsight.ByPolicy {
				policy++
			}
			if e.Same == nil || !*e.Same || e.Differs != "" || name != "batch" && (len(e.Imputed) != 2 || e.Without == nil) {
				t.Errorf("%s, #%d: %+v", name, number, e)
			}
			if e.Acquisition != nil && e.Chosen.Acquisition.Finite() && e.Chosen.Mean.Finite() && e.Model.Answers == e.Answers {
				acquired++
			}
		}
		if policy != 10 || name != "random" && acquired != 10 {
			t.Errorf("%s: %d choices of the policy, %d with an acquisition", name, policy, acquired)
		}
	}
}

// The means are those of the function in the user's sense, and near what was measured where that has no noise.
func TestExplanationsSpeakTheUnitsOfTheUser(t *testing.T) {
	cost := func(q tarry.Query) float64 { return 1000 - 100*bowl(q) }
	store := played(t, twoParameters(t), tarry.Options{Budget: 30, Initial: 10, Minimize: true}, "log-ei", 1, cost)
	e := must.Get(hindsight.Explain(store, 30))(t)
	best := e.Others[0]
	if e.Incumbent == nil || best.What != "best observed" || best.Evaluation != e.Incumbent.Evaluation || math.Abs(float64(best.Mean-e.Incumbent.Value)) > 3 {
		t.Errorf("%+v, the incumbent %+v", best, e.Incumbent)
	}
	if target := float64(e.Acquisition.Numbers[0].Value); target < 890 || target > 1100 {
		t.Errorf("improvement on %v", target)
	}
	if w := float64(*e.Chosen.Worth); !(w > 0) || w > 100 {
		t.Errorf("an expected improvement of %v", w)
	}
	words := map[string]string{}
	for _, l := range e.Model.Lengthscales {
		words[l.Parameter] = l.Words
	}
	if !strings.HasPrefix(words["lr"], "a factor of ") || !strings.Contains(words["kind"], "lengthscales apart") || words["layers"] == "" {
		t.Errorf("%q", words)
	}
}

// What stands in for a value is the value below all others, or the mean without the query, or nothing.
func TestWhatStoodInForValuesThatHadNotCome(t *testing.T) {
	for policy, as := range map[string]string{"ucb-sdf": "censored", "gp-bucb": "hallucinated", "gp-ucb": "ignored"} {
		store := played(t, twoParameters(t), tarry.Options{Budget: 12, Initial: 6}, policy, 2, bowl)
		e := must.Get(hindsight.Explain(store, 12))(t)
		if len(e.Imputed) != 2 {
			t.Fatalf("%s: %+v", policy, e.Imputed)
		}
		end, _, err := journal.Replay(store)
		if err != nil {
			t.Fatal(err)
		}
		worst := math.Inf(1)
		for _, ev := range end.Evaluations()[:9] {
			worst = min(worst, ev.Value)
		}
		for i, p := range e.Imputed {
			if p.Evaluation != 10+i || !p.Pending || p.As != as || (p.Value == nil) != (as == "ignored") {
				t.Errorf("%s: %+v", policy, p)
			}
			if as == "censored" && float64(*p.Value) > worst {
				t.Errorf("%s: censored at %v, above the worst value %v", policy, *p.Value, worst)
			}
		}
	}
}

// What would have been proposed had nothing been pending is seen without it too: the model is surer with what pends, and where it takes that for the
// worst it expects less.
func TestWhatWouldHaveBeenProposedIsSeenWithoutWhatPended(t *testing.T) {
	for _, name := range []string{"gp-bucb", "ucb-sdf"} {
		store := played(t, twoParameters(t), tarry.Options{Budget: 14, Initial: 5}, name, 3, bowl)
		surer, worse := 0, 0
		for number := 10; number <= 14; number++ {
			e := must.Get(hindsight.Explain(store, number))(t)
			beside := must.Get(hindsight.BesidePending(store, number, must.Get(policies.Parse(name))(t)))(t)
			if e.Without.Stddev < beside.Stddev-1e-9 {
				t.Errorf("%s, #%d: %v without what pended, %v with it", name, number, e.Without.Stddev, beside.Stddev)
			}
			surer += btoi(beside.Stddev < e.Without.Stddev-1e-6)
			worse += btoi(beside.Mean < e.Without.Mean-1e-6)
		}
		if surer == 0 || name == "ucb-sdf" && worse == 0 {
			t.Errorf("%s: surer with what pends in %d cases, and expecting less in %d", name, surer, worse)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// The default's model is explained with its warp, whatever it maximizes.
func TestTheModelOfTheDefaultIsExplainedWithItsWarp(t *testing.T) {
	steep := func(q tarry.Query) float64 { return 3 + math.Exp(6*(1-bowl(q))) }
	store := played(t, twoParameters(t), tarry.Options{Budget: 30, Initial: 10, Minimize: true}, "auto", 2, steep)
	warped := 0
	for number := 11; number <= 30; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		for _, p := range e.Imputed {
			if p.As != "hallucinated" {
				t.Errorf("#%d, %q: pending queries are %s", number, e.Acquisition.Name, p.As)
			}
		}
		w := e.Model.Warp
		if w == nil {
			continue
		}
		warped++
		if w.Shape == "below" && math.Abs(float64(w.Anchor-e.Incumbent.Value)) > 1e-9 || !(w.Scale > 0) || !(e.Model.Noise >= 0) || e.Model.Noise > w.Scale || e.Model.Outputscale.Finite() {
			t.Errorf("#%d: %+v with the warp %+v, best %v", number, e.Model, w, e.Incumbent.Value)
		}
	}
	if warped < 10 {
		t.Errorf("%d of 20 models with a warp", warped)
	}
}

// A parameter whose range spans orders of magnitude is explained along the scale that the fit has found.
func TestTheScaleOfAParameterIsExplained(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("dose", 0, 1000), tarry.Float("share", 0, 1)))(t)
	f := func(q tarry.Query) float64 {
		by := math.Log10((q.Float("dose") + 0.1) / 3)
		return by*by + math.Pow(q.Float("share")-0.4, 2)
	}
	e := must.Get(hindsight.Explain(played(t, s, tarry.Options{Budget: 40, Initial: 10, Minimize: true}, "auto", 2, f), 40))(t)
	if !strings.HasPrefix(e.Model.Kernel, "warped-") || len(e.Model.Lengthscales) != 2 {
		t.Fatalf("%+v", e.Model)
	}
	for _, o := range e.Model.Other {
		if strings.HasPrefix(o.Name, "ratio") {
			t.Errorf("%s is told twice", o.Name)
		}
	}
	if l := e.Model.Lengthscales[0]; !(l.Ratio > 50) || !strings.Contains(l.Words, "by the logarithm of its distance from 0 plus ") {
		t.Errorf("dose: %+v", l)
	}
	if l := e.Model.Lengthscales[1]; !(l.Ratio > 0.05 && l.Ratio < 20) {
		t.Errorf("share: %+v", l)
	}
}

// Parameters with a scale of their own are not told of in the units of a range.
func TestScalesInWords(t *testing.T) {
	for _, c := range []struct {
		p     tarry.Parameter
		ratio float64
		want  string
	}{
		{tarry.Float("x", 2, 12), 101, "by the logarithm of its distance from 2 plus 0.1"},
		{tarry.Float("x", 2, 12), 1. / 101, "by the logarithm of its distance from 12 plus 0.1"},
		{tarry.Float("x", 2, 12), 1.4, ""}, {tarry.Float("x", 2, 12), 0.7, ""},
		{tarry.LogFloat("x", 0.01, 1), 20, "20 times as finely near 0.01 as at the other end"},
		{tarry.Ordered("x", 1, 5, 25), 0.1, "10 times as finely near 25 as at the other end"},
	} {
		if got := hindsight.Scaled(c.p, c.ratio); got != c.want {
			t.Errorf("%s at %v: %q, want %q", c.p.Name, c.ratio, got, c.want)
		}
	}
}

// Values that diverged are named as outliers, as long as the model looks at them as such.
func TestOutliersAreNamed(t *testing.T) {
	diverged := func(q tarry.Query) float64 {
		if q.ID.Evaluation%9 == 4 {
			return bowl(q) - 40 - float64(q.ID.Evaluation)
		}
		return bowl(q)
	}
	store := played(t, twoParameters(t), tarry.Options{Budget: 40, Initial: 10}, "auto", 1, diverged)
	named := map[int]bool{}
	for number := 11; number <= 40; number++ {
		for _, n := range must.Get(hindsight.Explain(store, number))(t).Model.Outliers {
			if named[n] = true; n >= number || n%9 != 4 {
				t.Errorf("#%d: #%d is an outlier", number, n)
			}
		}
	}
	if len(named) < 3 {
		t.Errorf("%d outliers are named", len(named))
	}
}

// Whoever chose a point is named.
func TestWhoChoseAPoint(t *testing.T) {
	p := must.Get(policies.Parse("gp-bucb"))(t)
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 2})
	d.step(loop.QueryEnqueued{X: []float64{0.5, 3, 1}})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})                     // #1, enqueued
	d.step(loop.ObservationArrived{X: []float64{0.1, 2, 0}, Value: 3}) // #2
	d.value(1, p)                                                      // #3, by the policy
	d.value(3, nil)                                                    // #4, a fallback
	d.value(4, p)
	for number, want := range []hindsight.How{hindsight.Enqueued, hindsight.Elsewhere, hindsight.ByPolicy, hindsight.Fallback, hindsight.ByPolicy} {
		e := must.Get(hindsight.Explain(d.store, number+1))(t)
		if e.How != want {
			t.Errorf("#%d: %v (%s), want %v", number+1, e.How, e.Words, want)
		}
		if want == hindsight.Fallback && (!strings.Contains(e.Words, "it was too tired") || e.Same == nil || *e.Same || e.Differs == "") {
			t.Errorf("%+v", e)
		}
	}
}

// Before any value a policy chooses at random, and a lost evaluation is tried again under another number.
func TestAtRandomAndAgain(t *testing.T) {
	p := must.Get(policies.Parse("log-ei"))(t)
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 1, Lease: 10, Pending: 5})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	d.step(loop.AnswerFollows{Evaluation: 1, Attempt: 1})
	d.step(d.loop.Task().Run(p)) // #2, nothing is known
	if e := must.Get(hindsight.Explain(d.store, 2))(t); e.How != hindsight.AtRandom || !strings.Contains(e.Words, "uniform") || e.Model != nil || len(e.Imputed) != 1 {
		t.Errorf("%+v", e)
	}
	_, _, err := d.steps.Step(100, loop.AnswerFollows{Evaluation: 2, Attempt: 1}) // the lease of #1 has ended: #3 repeats it
	if err != nil {
		t.Fatal(err)
	}
	if e := must.Get(hindsight.Explain(d.store, 3))(t); e.How != hindsight.Again || e.Again != 1 {
		t.Errorf("%+v", e)
	}
}

// What comes while a policy chooses was pending for it, and is said to have been.
func TestAnAnswerWhileThePolicyChoseWasPendingForIt(t *testing.T) {
	p := must.Get(policies.Parse("gp-bucb"))(t)
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 2, Pending: 3})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 2})
	d.step(loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(1)})
	proposed := d.loop.Task().Run(p) // #3, while #2 pends
	d.step(loop.FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(2)})
	d.step(proposed)
	if e := must.Get(hindsight.Explain(d.store, 3))(t); len(e.Imputed) != 1 || e.Imputed[0].Evaluation != 2 || !e.Imputed[0].Pending || e.Imputed[0].Status != "pending" {
		t.Errorf("%+v", e.Imputed)
	}
}

// A query that was silent for so long that the model left it out was pending too.
func TestWhatWasForgottenIsTold(t *testing.T) {
	p := must.Get(policies.Parse("gp-bucb"))(t)
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 2, Pending: 3, ForgetAfter: 10})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 2})
	if _, _, err := d.steps.Step(20, loop.FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(1)}); err != nil {
		t.Fatal(err)
	}
	d.answer(p) // #3, while #2 is not expected any more
	e := must.Get(hindsight.Explain(d.store, 3))(t)
	if len(e.Imputed) != 1 || e.Imputed[0].Evaluation != 2 || !e.Imputed[0].Pending || e.Imputed[0].As != "forgotten" || e.Imputed[0].Value != nil {
		t.Errorf("%+v", e.Imputed)
	}
}

// A parameter matters by what the function changes along it, not by its lengthscale alone.
func TestWhatHardlyMattersIsSaid(t *testing.T) {
	for _, c := range []struct {
		slope  float64
		matter bool
	}{{1, true}, {1e-3, false}} {
		s := must.Get(tarry.NewSpace(tarry.Float("a", 0, 1), tarry.Float("b", 0, 1)))(t)
		line := func(q tarry.Query) float64 { return q.Float("a") + c.slope*q.Float("b") }
		e := must.Get(hindsight.Explain(played(t, s, tarry.Options{Budget: 30, Initial: 10}, "log-ei", 1, line), 30))(t)
		for _, l := range e.Model.Lengthscales {
			if hardly := strings.Contains(l.Words, "hardly matters"); hardly != (l.Parameter == "b" && !c.matter) {
				t.Errorf("slope %v: %+v, outputscale %v", c.slope, l, e.Model.Outputscale)
			}
		}
	}
}

// A failed query has a bad value in the model, and is told apart from one that pends.
func TestFailuresAreTold(t *testing.T) {
	p := must.Get(policies.Parse("gp-bucb"))(t)
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: p.Traits(), Budget: 20, Initial: 4})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	for number := 1; number < 8; number++ {
		if number == 3 {
			d.step(loop.EvaluationFailed{Evaluation: 3, Attempt: 1, Failure: outcome.Failure{Reason: "crash", Verdict: outcome.Infeasible}})
			d.answer(p)
		} else {
			d.value(number, p)
		}
	}
	e := must.Get(hindsight.Explain(d.store, 8))(t)
	if len(e.Imputed) != 1 || e.Imputed[0].Evaluation != 3 || e.Imputed[0].Pending || e.Imputed[0].As != "failed" || e.Imputed[0].Value == nil || e.Without != nil {
		t.Errorf("%+v", e.Imputed)
	}
	if e.Model.Rows != 7 || e.Model.Answers != 6 {
		t.Errorf("%+v", e.Model)
	}
}

func TestContextsStayInExplanations(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("price", 0, 9), tarry.Float("hour", 0, 24).AsContext()))(t)
	store := played(t, s, tarry.Options{Budget: 12, Initial: 3}, "gp-bucb", 1, func(q tarry.Query) float64 { return q.Float("price") * (9 - q.Float("price")) })
	e := must.Get(hindsight.Explain(store, 12))(t)
	if e.Same == nil || !*e.Same {
		t.Errorf("%+v", e)
	}
	for _, p := range append(slices.Clone(e.Others[1:]), *e.Chosen, *e.Without) {
		if p.X.X[1] != 7.5 {
			t.Errorf("%s at another context: %v", p.What, p.X)
		}
	}
}

// The best value may have come at another context, where the query could not go.
func TestTheBestOfAnotherContextIsCalledSo(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("price", 0, 9), tarry.Float("hour", 0, 24).AsContext()))(t)
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: 20, Initial: 6, Journal: store, Policy: must.Get(tarry.ParsePolicy("auto"))(t)}))(t)
	defer study.Close()
	for k := range 20 {
		q := must.Get(study.Ask(float64(6 * (k % 2))))(t) // the best comes at hour 6
		if err := study.Tell(q.ID, q.Float("hour")-math.Pow(q.Float("price")-3, 2)); err != nil {
			t.Fatal(err)
		}
	}
	for number, want := range map[int]string{19: "best observed, at another context", 20: "best observed"} {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Others[0].What != want {
			t.Errorf("#%d: %q, want %q", number, e.Others[0].What, want)
		}
		if abroad := number == 19; abroad && (e.Missed || *e.Others[0].Acquisition <= *e.Chosen.Acquisition) {
			t.Errorf("#%d could not be chosen elsewhere: %+v", number, e)
		}
	}
}

// What is inactive at a point has no value in an explanation.
func TestInactiveParametersStayOutOfExplanations(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Categorical("kind", "adam", "sgd"), tarry.Float("beta", 0.8, 1).When("kind", "adam")))(t)
	store := played(t, s, tarry.Options{Budget: 14, Initial: 4, Minimize: true}, "gp-bucb", 1, func(q tarry.Query) float64 {
		if q.Choice("kind") == "sgd" {
			return 0.1
		}
		return q.Float("beta")
	})
	for number := 5; number <= 14; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		for _, p := range append(slices.Clone(e.Others), *e.Chosen) {
			text := string(must.Get(json.Marshal(p))(t))
			if sgd := p.X.X[0] == 1; sgd == strings.Contains(text, "beta") || strings.Contains(text, "NaN") || !*e.Same {
				t.Errorf("#%d: %s", number, text)
			}
		}
	}
}

// A policy that is no part of this program cannot be asked, and everything else is told.
func TestThePolicyOfAProgramIsNotAsked(t *testing.T) {
	p := must.Get(policies.Parse("gp-bucb"))(t)
	traits := policies.Traits{Name: "mine", Model: true, Pending: feedback.Hallucinate}
	d := drive(t, loop.Config{Space: twoParameters(t), Traits: traits, Budget: 20, Initial: 3})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	for number := 1; number < 6; number++ {
		d.value(number, p)
	}
	e := must.Get(hindsight.Explain(d.store, 6))(t)
	if e.How != hindsight.ByPolicy || e.Same != nil || e.Acquisition != nil || !strings.Contains(e.Differs, "program") || !e.Chosen.Mean.Finite() || len(e.Others) != 3 {
		t.Errorf("%+v", e)
	}
}

func TestUnknownEvaluationsAndOtherFormats(t *testing.T) {
	store := played(t, twoParameters(t), tarry.Options{Budget: 3}, "random", 0, bowl)
	for _, number := range []int{-1, 0, 4} {
		if _, err := hindsight.Explain(store, number); !errors.Is(err, hindsight.ErrNoEvaluation) || !strings.Contains(err.Error(), "1 … 3") {
			t.Errorf("#%d: %v", number, err)
		}
	}
	h := must.Get(store.Header())(t)
	empty := journal.NewMemory(h)
	if _, err := hindsight.Explain(empty, 1); !errors.Is(err, hindsight.ErrNoEvaluation) || !strings.Contains(err.Error(), "none yet") {
		t.Error(err)
	}
	h.Format++
	if _, err := hindsight.Explain(journal.NewMemory(h), 1); !errors.Is(err, journal.ErrCorruptJournal) || !strings.Contains(err.Error(), fmt.Sprint("format ", h.Format)) {
		t.Error(err)
	}
}

// For a policy that adapts what failed has no value and no part in the region where points are compared.
func TestWhatFailsIsNotComparedByPoliciesThatAdapt(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	p := must.Get(policies.Parse("auto"))(t)
	d := drive(t, loop.Config{Space: s, Traits: p.Traits(), Budget: 30, Initial: 10})
	d.step(loop.WorkerJoined{Worker: 1, Slots: 1})
	for number := 1; number < 26; number++ {
		x := d.loop.Evaluations()[number-1].X
		if x[0] <= 0.6 {
			d.step(loop.FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(x[0] + 0.1*x[1])})
		} else {
			d.step(loop.EvaluationFailed{Evaluation: number, Attempt: 1, Failure: outcome.Failure{Reason: "crash"}})
		}
		d.answer(p)
	}
	e := must.Get(hindsight.Explain(d.store, 26))(t)
	failed := 0
	for _, i := range e.Imputed {
		if failed++; i.As != "hallucinated" || i.Pending {
			t.Errorf("%+v", i)
		}
	}
	for _, o := range e.Others {
		if o.X.X[0] > 0.7 {
			t.Errorf("%s lies where queries fail: %v", o.What, o.X.X)
		}
	}
	if failed == 0 || len(e.Others) < 3 {
		t.Errorf("%d failures, %d places", failed, len(e.Others))
	}
}

// Where no value may be the best the noise is that at the anchor of the warp.
func TestTheNoiseIsANumberWithoutABest(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{
		Budget: 24, Seed: 4, Journal: store, Minimize: true, Initial: 14, Constraints: []tarry.Constraint{tarry.AtMost("heat", 0)},
	}))(t)
	defer study.Close()
	for range 24 {
		q := must.Get(study.Ask())(t)
		off := math.Hypot(q.Float("x")-0.3, q.Float("y")-0.6)
		if err := study.TellOutcome(q.ID, tarry.Outcome{Value: math.Exp(20 * off), Constraints: []float64{1}}); err != nil {
			t.Fatal(err)
		}
	}
	warped := 0
	for number := 15; number <= 24; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Model == nil || e.Model.Warp == nil {
			continue
		}
		warped++
		if e.Incumbent != nil || !e.Model.Noise.Finite() {
			t.Errorf("#%d: noise %v, best %+v", number, e.Model.Noise, e.Incumbent)
		}
	}
	if warped == 0 {
		t.Error("no model warps the values")
	}
}

// A lengthscale of whole numbers or of steps is that of the same values in order: the levels of both own equal shares of the unit interval.
func TestLengthscalesOfLevelsAreThoseOfTheirShares(t *testing.T) {
	for name, c := range map[string]struct {
		p    tarry.Parameter
		want string // of a lengthscale of 1, or of a hundred times it
	}{
		"int": {tarry.Int("x", 1, 8), "8"}, "stepped int": {tarry.Int("x", 10, 30).Stepped(10), "30"}, "log int": {tarry.LogInt("x", 1, 15), "a factor of 16"},
		"float": {tarry.Float("x", 1, 9), "8"}, "stepped float": {tarry.Float("x", 0, 1).Stepped(0.25), "1.25"}, "log float": {tarry.LogFloat("x", 0.01, 1), "a factor of 100"},
		"no number": {tarry.LogFloat("x", 1e-300, 1e300), "1 times the range"}, "ordered": {tarry.Ordered("x", 1, 5, 25), "3 ranks"}, "choices": {tarry.Categorical("x", "a", "b"), "two choices are 1 lengthscales apart"},
	} {
		if got := hindsight.Along(c.p, 1); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// With a fidelity a point is chosen at the greatest: what was maximized is greatest there for the point that was chosen, whatever fidelity it
// is queried at. The last query that the budget pays for is of what is expected to be the best.
func TestAChoiceWithAFidelityIsExplainedAtTheGreatest(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Ordered("part", 1, 3, 9).AsFidelity(1, 3, 9)))(t)
	f := func(q tarry.Query) float64 { return math.Pow(q.Float("x")-0.3, 2) + 0.1/q.Float("part") }
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: 100, BudgetCost: 100, Minimize: true, Journal: store, Seed: 2}))(t)
	n := 0
	for {
		q, err := study.Ask()
		if err != nil {
			break
		}
		if err := study.Tell(q.ID, f(q)); err != nil {
			t.Fatal(err)
		}
		n++
	}
	lower, last, bounds := 0, 0, 0
	for number := 1; number <= n; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Acquisition == nil {
			continue
		}
		if e.Acquisition.Name == "posterior mean" {
			last = number
			continue
		}
		least := float64(*e.Chosen.Acquisition)
		if e.Evaluation.Point(s)[1] < 9 {
			lower++
			if reach := e.Chosen.Numbers; len(reach) > 0 && least > 0 {
				if bounds++; reach[0].Value > e.Acquisition.Numbers[0].Value+1e-9 {
					t.Errorf("#%d does not reach the best bound: %+v, %+v", number, reach, e.Acquisition.Numbers)
				}
			}
		}
		for _, o := range e.Others {
			if float64(*o.Acquisition) > least+0.05*math.Abs(least) && !e.Settled && e.Near == 0 {
				t.Errorf("#%d has %v, %q has %v", number, least, o.What, *o.Acquisition)
			}
		}
	}
	if lower < 3 || last != n || bounds == 0 {
		t.Errorf("%d queries below the greatest fidelity, %d with a bound, the last one is %d of %d", lower, bounds, last, n)
	}
}

// A safe policy counts what pends as answered where it looks for the least certain: so do the words and the standard deviations.
func TestWhatPendsIsSeenAsASafePolicySeesIt(t *testing.T) {
	store, late := &journal.Memory{}, 4
	study := must.Get(tarry.NewStudy(must.Get(tarry.NewSpace(tarry.Float("x", 0, 1)))(t), tarry.Options{
		Budget: 20, Journal: store, Policy: must.Get(tarry.ParsePolicy("safe-opt"))(t), Constraints: []tarry.Constraint{tarry.AtMost("c", 0.9)}, Seeds: []tarry.Point{{0.1}, {0.2}},
	}))(t)
	defer study.Close()
	var open []tarry.Query
	for range 20 {
		q := must.Get(study.Ask())(t)
		if open = append(open, q); len(open) > late {
			x := open[0].Float("x")
			if err := study.TellOutcome(open[0].ID, tarry.Outcome{Value: math.Sin(3 * x), Constraints: []float64{x}}); err != nil {
				t.Fatal(err)
			}
			open = open[1:]
		}
	}
	for number := 12; number <= 20; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if len(e.Imputed) != late || e.Same == nil || !*e.Same {
			t.Fatalf("#%d: %+v", number, e)
		}
		for _, i := range e.Imputed {
			if i.As != "awaited" || !i.Pending || i.Value == nil || math.Abs(float64(*i.Value)) > 2 {
				t.Errorf("#%d: %+v", number, i)
			}
		}
		if sd := e.Evaluation.Forecast.Scale * e.Evaluation.Forecast.Stddev; !(float64(e.Chosen.Stddev) < sd) {
			t.Errorf("#%d: ± %v with what pends, and the forecast by the answers alone is ± %v", number, e.Chosen.Stddev, sd)
		}
		if least := e.Others[len(e.Others)-1]; !strings.HasPrefix(least.What, "least certain") || least.Evaluation > 0 {
			t.Errorf("#%d: the least certain is where another query pends: %+v", number, least)
		}
	}
}

// A query that the study moved is said to be moved, from where and why.
func TestWhatTheStudyMovedIsSaidToBeMoved(t *testing.T) {
	store := shoved(t, "gp-bucb")
	for number := 6; number <= 20; number++ {
		want, from := fmt.Sprintf("the policy chose it, as query %d", number), 0
		switch number {
		case 12:
			want, from = "the policy proposed, as query 12, the point of #8, whose value is known, so that a second one would tell next to nothing: the study moved it to another point", 8
		case 16:
			want, from = "the policy proposed, as query 16, the point of #15, which pends: the study moved it to another point", 15
		}
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Words != want || e.How != hindsight.ByPolicy || (e.Proposed == nil) != (from == 0) || from > 0 && e.Proposed.Evaluation != from {
			t.Errorf("#%d: %q, want %q; proposed %+v", number, e.Words, want, e.Proposed)
		}
	}
}

// What a policy proposed itself is no point that its search did not find.
func TestWhatAPolicyProposedIsNoPointThatItMissed(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Categorical("k", "a", "b"), tarry.Float("p", 0, 1).When("k", "a"), tarry.Int("q", 1, 5).When("k", "b")))(t)
	store := played(t, s, tarry.Options{Budget: 45}, "auto", 20, func(q tarry.Query) float64 {
		if q.Choice("k") == "b" {
			return 1 + 0.1*float64(q.Int("q")) - 0.03*math.Pow(float64(q.Int("q"))-3, 2)
		}
		return math.Sin(3*q.Float("p")) / 2
	})
	moved := 0
	for number := 6; number <= 45; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Proposed == nil {
			continue
		}
		if moved++; e.Missed || !strings.Contains(e.Words, "the study moved it") {
			t.Errorf("#%d: missed %t, %q; proposed %+v among %+v", number, e.Missed, e.Words, e.Proposed, e.Others)
		}
	}
	if moved == 0 {
		t.Error("no query was moved: the test is too easy")
	}
}

// Where a parameter is discrete the default takes a point for known sooner than others do: that is no point that it did not find.
func TestWhatTheDefaultTakesForKnownIsNoPointThatItMissed(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Int("k", 1, 4)))(t)
	store := played(t, s, tarry.Options{Budget: 30}, "auto", 3, func(q tarry.Query) float64 {
		return math.Sin(9*q.Float("x")) - math.Pow(q.Float("x")-0.4, 2) - 0.1*float64(q.Int("k"))
	})
	settled := 0
	for number := 10; number <= 30; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if strings.HasSuffix(e.Acquisition.Name, "bound") && e.Missed {
			t.Errorf("#%d: %+v, chosen %+v", number, e.Others, e.Chosen)
		}
		settled += btoi(e.Settled)
	}
	if settled == 0 {
		t.Error("there always was something to learn")
	}
}

// What a query kept away from is no point that the search did not find, also where one that is compared lies just outside and is greater by a hair.
func TestAPointThatIsTooCloseIsNoneThatTheDefaultMissed(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	store := played(t, s, tarry.Options{Budget: 50}, "auto", 1, func(q tarry.Query) float64 {
		return -math.Abs(q.Float("x")-0.3) - math.Abs(q.Float("y")-0.6)
	})
	near, hair := 0, 0
	for number := 30; number <= 50; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Acquisition == nil || len(e.Others) == 0 {
			continue
		}
		close, greatest := false, -1
		for i, o := range e.Others {
			if *o.Acquisition <= *e.Chosen.Acquisition {
				continue
			}
			if greatest < 0 || *o.Acquisition > *e.Others[greatest].Acquisition {
				greatest = i
			}
			close = close || o.Evaluation == 0 && tooClose(e.Others[0].X.X, o.X.X)
		}
		if !close || e.Settled {
			continue
		}
		near++
		hair += btoi(!tooClose(e.Others[0].X.X, e.Others[greatest].X.X))
		if e.Missed || e.Near == 0 {
			t.Errorf("#%d: %+v, chosen %+v", number, e.Others, e.Chosen)
		}
	}
	if near == 0 || hair == 0 {
		t.Errorf("%d queries kept away from another one, and %d had a greater point just outside", near, hair)
	}
}

// tooClose reports whether two points are within a thousandth of each other, in the units of the unit square.
func tooClose(a, b tarry.Point) bool {
	return math.Abs(a[0]-b[0]) <= 1e-3 && math.Abs(a[1]-b[1]) <= 1e-3
}

// Where the best feasible point is known nothing is expected of any other one, and it is said that this chose all the same, and where it is not likely to
// be feasible.
func TestWhatPromisesNothingIsSaidToDoSo(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{
		Budget: 24, Seed: 1, Journal: store, Constraints: []tarry.Constraint{{Name: "latency", Bound: 0.2}, {Name: "recall", Least: true, Bound: 0.5}},
	}))(t)
	for range 24 {
		q := must.Get(study.Ask())(t)
		x, y := q.Float("x"), q.Float("y")
		if err := study.TellOutcome(q.ID, tarry.Outcome{Value: x + y, Constraints: []float64{x * x / 2, 1 - y*y}}); err != nil {
			t.Fatal(err)
		}
	}
	vain, unlikely := 0, 0
	for number := 10; number <= 24; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if (e.Vain || e.Unlikely) && !e.Settled {
			t.Errorf("#%d: %+v", number, e)
		}
		vain, unlikely = vain+btoi(e.Vain), unlikely+btoi(e.Unlikely)
		if e.Unlikely && number%4 != 0 {
			t.Errorf("#%d is not likely to be feasible: %+v", number, e.Chosen)
		}
	}
	if vain == 0 || unlikely == 0 {
		t.Errorf("%d promised nothing, %d were not likely to be feasible", vain, unlikely)
	}
}

// Where queries fail the acquisition may be greater: that is said. The point of the greatest mean is none that is below the chosen one.
func TestWhereQueriesFailTheReasonIsSaid(t *testing.T) {
	s := must.Get(tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("y", 0, 1)))(t)
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: 60, Journal: store, Seed: 1}))(t)
	for range 60 {
		q := must.Get(study.Ask())(t)
		x := q.Float("x")
		var err error
		if x > 0.5 {
			err = study.Fail(q.ID, errors.New("too far"))
		} else {
			err = study.Tell(q.ID, x-math.Pow(q.Float("y")-0.7, 2))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	outside := 0
	for number := 45; number <= 60; number++ {
		e := must.Get(hindsight.Explain(store, number))(t)
		if e.Acquisition == nil {
			continue
		}
		if e.Outside {
			outside++
		}
		least := float64(*e.Chosen.Acquisition)
		for _, o := range e.Others {
			if strings.HasPrefix(o.What, "greatest mean, of what") && o.Mean < e.Chosen.Mean-1e-12 && expectedOf(e.Chosen) >= 0.5 {
				t.Errorf("#%d is at mean %v, %q at %v", number, e.Chosen.Mean, o.What, o.Mean)
			}
			if float64(*o.Acquisition) > least+1e-6*math.Abs(least) && !e.Settled && e.Near == 0 && !e.Outside && !e.Missed {
				t.Errorf("#%d has %v, %q has %v", number, least, o.What, *o.Acquisition)
			}
		}
	}
	if outside == 0 {
		t.Error("the acquisition was never greater where queries fail")
	}
}

// expectedOf is the outcome that was expected at a point, −1 where nothing is said of it.
func expectedOf(p *hindsight.Place) float64 {
	for _, n := range p.Numbers {
		if strings.HasPrefix(n.Name, "outcome that is expected") {
			return float64(n.Value)
		}
	}
	return -1
}
