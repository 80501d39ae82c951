package safety

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/state"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= max(6e-11, 1e-8*math.Abs(want))) {
		t.Errorf("%s = %.12g, want %.12g", what, got, want)
	}
}

func TestWhatIsForgivenWithEachQuery(t *testing.T) {
	for _, c := range []struct {
		queries           int
		alpha, eta, start float64
		want              float64
	}{
		{25, .1, 2, 0, .0416666667}, {25, .3, 2, 0, .25}, {50, .3, 2, 0, .2755102041}, {100, .1, 10, 0, .0898989899}, {25, .04, 2, 0, -.0208333333}, {20, .3, .1, 0, -.2631578947},
	} {
		p := Promise{c.alpha, c.queries, c.eta, c.start}
		near(t, "the formula", alphaAlgo(p.below(), c.queries, c.eta, c.start), c.want)
		if terms := p.Terms(); c.want >= 0 {
			near(t, "the terms", terms.AlphaAlgo, c.want)
		} else if terms.AlphaAlgo != 0 || terms.Why == "" {
			t.Errorf("%+v has the terms %+v", p, terms)
		}
	}
}

func TestCautionGrowsWithDelta(t *testing.T) {
	for _, c := range [][2]float64{{-1, 0}, {0, 0}, {.25, .3186393640}, {.5, .6744897502}, {.9, 1.6448536270}, {.999, 3.2905267315}} {
		near(t, "varphi", varphi(c[0]), c[1])
	}
}

// An error whenever there may be one, and each answer before the next query.
func TestTheWorstRun(t *testing.T) {
	p := Promise{Alpha: .3, Queries: 25, Eta: 2}
	terms := p.Terms()
	var a Account
	for i := range 25 {
		infinite := p.Beta(a).Infinite
		a.Start()
		a.Answer(!infinite)
		// The source forgives with the last query too, after which there is none of the promise.
		delta := p.Delta + terms.Eta*(float64(a.Counted())-terms.AlphaAlgo*float64(a.Started))
		if i == 0 || i == 24 {
			near(t, "delta", delta, 1.5)
		}
	}
	if a.Violations != 7 {
		t.Errorf("%d violations, want 7", a.Violations)
	}
}

// worst returns the violations of the worst run under the formula alone.
func worst(p Promise) (violations int) {
	a, delta := alphaAlgo(p.below(), p.Queries, p.Eta, p.Delta), p.Delta
	for range p.Queries {
		var err float64
		if delta < 1 {
			err = 1
			violations++
		}
		delta += p.Eta * (err - a)
	}
	return violations
}

// worstUnderTheRule is the same with Terms and Beta.
func worstUnderTheRule(p Promise) int {
	var a Account
	for range p.Queries {
		infinite := p.Beta(a).Infinite
		a.Start()
		a.Answer(!infinite)
	}
	return a.Violations
}

func TestTheFormulaAloneBreaksThePromiseWhereItForgivesLessThanNothing(t *testing.T) {
	for _, c := range []struct {
		p          Promise
		raw, under int
	}{
		{Promise{Alpha: .3, Queries: 20, Eta: .1}, 8, 5},
		{Promise{Alpha: .04, Queries: 20, Eta: 2}, 1, 0},
	} {
		if raw := worst(c.p); raw != c.raw || float64(raw) < c.p.below() {
			t.Errorf("%+v: %d violations under the formula alone, want %d", c.p, raw, c.raw)
		}
		if under := worstUnderTheRule(c.p); under != c.under || !(float64(under) < c.p.below()) {
			t.Errorf("%+v: %d violations under the rule, want %d", c.p, under, c.under)
		}
	}
}

func TestTheTermsSayWhatWasChanged(t *testing.T) {
	raised := Promise{Alpha: .3, Queries: 20, Eta: .1}.Terms()
	near(t, "eta", raised.Eta, .2)
	if raised.Allowed != 5 || raised.AlphaAlgo != 0 || raised.Why != "eta is 0.2 instead of 0.1, the least with which the promise of 0.3 in 20 queries holds" {
		t.Errorf("terms are %+v", raised)
	}
	for _, p := range []Promise{{Alpha: .04, Queries: 20}, {Alpha: .1, Queries: 10}, {Alpha: 1. / 3, Queries: 3}, {Alpha: 0, Queries: 100}, {Alpha: 1, Queries: 1}} {
		terms := p.Terms()
		if terms.Allowed != 0 || !strings.Contains(terms.Why, "no violation is affordable") || !p.Beta(Account{}).Infinite {
			t.Errorf("%+v: terms are %+v", p, terms)
		}
		if r := p.Report(Account{}); r.Why != terms.Why || !r.Kept {
			t.Errorf("%+v: report is %+v", p, r)
		}
	}
	if terms := (Promise{Alpha: .1, Queries: 50}).Terms(); terms.Why != "" || terms.Eta != 2 || terms.Allowed != 4 {
		t.Errorf("terms are %+v", terms)
	}
}

// 100·0.07 is 7.000000000000001: seven violations would be allowed, and not six.
func TestRoundOffAllowsNoViolationMore(t *testing.T) {
	alpha, queries := .07, 100
	if !(float64(queries)*alpha > 7) {
		t.Fatal("this product is no example any more")
	}
	if terms := (Promise{Alpha: alpha, Queries: queries}).Terms(); terms.Allowed != 6 {
		t.Errorf("terms are %+v", terms)
	}
}

func TestAQueryWithoutAnAnswerCountsUntilItComes(t *testing.T) {
	p := Promise{Alpha: .3, Queries: 25, Eta: 2}
	var a Account
	a.Start()
	before := p.Report(a)
	near(t, "delta", before.Delta, 2*(1-.25))
	if !before.Beta.Infinite || before.Counted != 1 || before.Left != 6 || !strings.Contains(before.Why, "of 7 violations allowed 0 are known, and 1 may be among the queries without an answer (0 lost)") {
		t.Errorf("report is %+v", before)
	}
	a.Answer(false)
	after := p.Report(a)
	near(t, "delta", after.Delta, -.5)
	if after.Beta != (Beta{}) || after.Why != "" || after.Left != 7 {
		t.Errorf("report is %+v", after)
	}
	a.Start()
	a.Lose()
	if r := p.Report(a); r.Counted != 1 || r.Account.Lost != 1 || r.Account.Pending != 1 {
		t.Errorf("report is %+v", r)
	}
	a.Lost-- // it has come after all
	a.Answer(true)
	if r := p.Report(a); r.Counted != 1 || r.Account != (Account{Started: 2, Violations: 1}) {
		t.Errorf("report is %+v", r)
	}
	a.StartSafe()
	if r := p.Report(a); r.Counted != 1 || r.Account.Started != 3 {
		t.Errorf("report is %+v", r)
	}
}

// Beta is infinite where no violation is left, and also, with most of them left, where they came sooner than they are forgiven.
func TestWhyNothingButSeedsIsQueriedIsTrue(t *testing.T) {
	p := Promise{Alpha: .3, Queries: 25, Eta: 2} // of each query 0.25 is forgiven, so delta falls by 0.5
	for _, c := range []struct {
		account Account
		why     string
	}{
		{Account{Started: 2, Violations: 1}, "only points that are known to be safe are queried for now: of 7 violations allowed 1 are known, and the 6 left are for later, " +
			"since delta is 1 and not below 1 (each query lowers it by 0.5)"},
		{Account{Started: 3, Violations: 1}, ""},
		{Account{Started: 3, Violations: 1, Pending: 1, Lost: 1}, "only points that are known to be safe are queried for now: of 7 violations allowed 1 are known, and 1 may be among the queries without an answer (1 lost), " +
			"and the 5 left are for later, since delta is 2.5 and not below 1 (each query lowers it by 0.5, each answer that a point is safe lowers it by 2)"},
		{Account{Started: 25, Violations: 7}, "only points that are known to be safe are queried for now: of 7 violations allowed 7 are known"},
	} {
		if r := p.Report(c.account); r.Why != c.why || r.Beta.Infinite != (c.why != "") {
			t.Errorf("%+v: %q, want %q", c.account, r.Why, c.why)
		}
	}
}

func TestAnAccountSurvivesItsBytes(t *testing.T) {
	a, back := Account{Started: 9, Pending: 3, Lost: 1, Violations: 5}, Account{}
	if err := state.Read(state.Bytes(nil, a.Visit), back.Visit); err != nil || back != a || back.Validate() != nil {
		t.Errorf("%+v became %+v: %v", a, back, err)
	}
	b := a
	b.Lost++
	if where := state.Difference(a.Visit, b.Visit); where != "Lost: 1, 2" || state.Digest(a.Visit) == state.Digest(b.Visit) {
		t.Errorf("the difference is %q", where)
	}
	err := Account{Started: 4, Pending: 5, Lost: 6, Violations: -1}.Validate()
	for _, want := range []string{"Account.Pending = 5: want 0 ≤ Pending ≤ 4", "Account.Lost = 6: want 0 ≤ Lost ≤ 5", "Account.Violations = -1"} {
		if !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in %v", want, err)
		}
	}
}

func TestABrokenPromiseSaysSo(t *testing.T) {
	p := Promise{Alpha: .2, Queries: 10}
	a := Account{Started: 5, Violations: 1}
	if r := p.Report(a); !r.Kept {
		t.Errorf("report is %+v", r)
	}
	a.StartSafe()
	a.Contradict()
	if r := p.Report(a); r.Kept || r.Left != 0 || !r.Beta.Infinite || !strings.HasPrefix(r.Why, "the promise is broken: 2 violations, allowed are 1, so") {
		t.Errorf("report is %+v", r)
	}
}

func TestAReportCanBeWritten(t *testing.T) {
	for _, a := range []Account{{}, {Started: 9, Pending: 3, Lost: 1, Violations: 7}} {
		r := Promise{Alpha: .3, Queries: 25}.Report(a)
		text, err := json.Marshal(r)
		var back Report
		if err != nil || json.Unmarshal(text, &back) != nil || back != r {
			t.Errorf("%+v became %s, %v", r, text, err)
		}
	}
	if s := (Beta{Infinite: true}).String() + " " + (Beta{Value: 1.25}).String(); s != "infinite 1.25" {
		t.Error(s)
	}
}

func TestWhatCannotBePromisedIsNamedAllAtOnce(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		p    Promise
		want []string
	}{
		{Promise{Alpha: 1.5, Queries: 0, Eta: -1, Delta: 1}, []string{
			"Promise.Alpha = 1.5: want 0 ≤ Alpha ≤ 1", "Promise.Queries = 0: want 1 ≤ Queries ≤", "Promise.Eta = -1: want a finite number > 0, or 0 for 2", "Promise.Delta = 1: want a finite number < 1",
		}},
		{Promise{Alpha: nan, Queries: 1, Eta: nan, Delta: nan}, []string{"Promise.Alpha = NaN", "Promise.Eta = NaN", "Promise.Delta = NaN"}},
		{Promise{Alpha: -.1, Queries: 1, Eta: math.Inf(1), Delta: math.Inf(-1)}, []string{"Promise.Alpha = -0.1", "Promise.Eta = +Inf", "Promise.Delta = -Inf"}},
	} {
		err := c.p.Validate()
		if !errors.Is(err, check.ErrInvalidOption) || strings.Count(err.Error(), "\n") != len(c.want)-1 {
			t.Fatalf("%+v: %v", c.p, err)
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%q is missing in %q", want, err)
			}
		}
	}
	if err := (Promise{Alpha: .1, Queries: 50}).Validate(); err != nil {
		t.Error(err)
	}
}

func TestAnAnswerToNoQueryIsABug(t *testing.T) {
	lost := Account{Started: 1, Pending: 1, Lost: 1}
	for name, tell := range map[string]func(){
		"answer":                     func() { new(Account).Answer(false) },
		"loss":                       func() { new(Account).Lose() },
		"answer to one that is lost": func() { a := lost; a.Answer(true) },
		"loss of one that is lost":   func() { a := lost; a.Lose() },
	} {
		func() {
			defer func() {
				if r, ok := recover().(string); !ok || !strings.HasPrefix(r, "safety: ") {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			tell()
		}()
	}
}
