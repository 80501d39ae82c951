package safety

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"github.com/tarry-bo/tarry/internal/check"
)

// defaultEta is η where it is not given, as in the experiments of Zhang 2024, section 6.8.
const defaultEta = 2

// Promise is that fewer than Queries·Alpha of the queries violate a constraint, in every case: it rests on nothing but
// that the points which are said to be safe are, and that queries go to none but these while Beta is infinite.
//
// It is about all queries together. On the way their share may be larger than Alpha. Queries after the first T, such as
// those in place of lost ones, are under the promise too: there are fewer than T·α violations however many follow.
type Promise struct {
	Alpha   float64 // α, the share of violations, 0 ≤ Alpha ≤ 1
	Queries int     // T, the number of queries, at least 1; known before the first
	Eta     float64 // η, how much more cautious a violation makes, > 0; zero means 2; too small a one is raised (Terms)
	Delta   float64 // Δ_1, the caution at the start, below 1; at 0 and below β is 0 at first
}

// Validate returns what is wrong with the fields, all at once, as errors that unwrap to check.ErrInvalidOption.
func (p Promise) Validate() error {
	var l check.List
	l.Within("Promise.Alpha", p.Alpha, 0, 1)
	l.Between("Promise.Queries", p.Queries, 1, math.MaxInt32)
	l.Require(p.Eta >= 0 && !math.IsInf(p.Eta, 0), "Promise.Eta", p.Eta, "a finite number > 0, or 0 for 2")
	l.Require(p.Delta < 1 && !math.IsInf(p.Delta, 0), "Promise.Delta", p.Delta, "a finite number < 1")
	return l.Err()
}

// Terms are what a promise comes to.
type Terms struct {
	Allowed   int     // the most violations that keep the promise: the greatest number below T·α
	Eta       float64 // η in effect
	AlphaAlgo float64 // α_algo, what is forgiven with each query; 0 or above
	Why       string  // what is not as it was asked for; empty where all is
}

// Terms returns what the promise comes to. The update of Zhang 2024, chapter 6, forgives
//
//	α_algo = (Tα - 1 - (1 - Δ_1)/η) / (T - 1)
//
// with each query. Its bound needs α_algo ≥ 0, of which the source (eqs. 6.32 to 6.34) does not speak: with T = 20, α = 0.3,
// η = 0.1 there may be 8 violations. So η is raised to (1 - Δ_1)/(Tα - 1), where α_algo is 0, if it is less. Where
// T·α ≤ 1 no violation is affordable and nothing but points known to be safe may be queried.
func (p Promise) Terms() Terms {
	t := Terms{Eta: p.Eta}
	if t.Eta == 0 {
		t.Eta = defaultEta
	}
	below := p.below()
	if below <= 1 {
		t.Why = fmt.Sprintf("no violation is affordable: a rate of %v of %d queries is %.4g, which must be above 1; only points that are known to be safe are queried",
			p.Alpha, p.Queries, below)
		return t
	}
	t.Allowed = int(math.Ceil(below)) - 1
	if least := (1 - p.Delta) / (below - 1); t.Eta < least {
		t.Why = fmt.Sprintf("eta is %.6g instead of %v, the least with which the promise of %v in %d queries holds", least, t.Eta, p.Alpha, p.Queries)
		t.Eta = least
		return t
	}
	t.AlphaAlgo = max(alphaAlgo(below, p.Queries, t.Eta, p.Delta), 0)
	return t
}

// below is T·α, the number that the violations stay below. What is a whole number but for round-off is that number.
func (p Promise) below() float64 {
	product := float64(p.Queries) * p.Alpha
	if whole := math.Round(product); math.Abs(product-whole) <= 1e-9*max(whole, 1) {
		return whole
	}
	return product
}

// alphaAlgo is the formula alone.
func alphaAlgo(below float64, queries int, eta, start float64) float64 {
	return (below - 1 - (1-start)/eta) / float64(queries-1)
}

// Beta is how many standard deviations a constraint must be on the safe side. It may be infinite, and then Value is 0:
// nothing is ever computed with it.
type Beta struct {
	Value    float64
	Infinite bool // only points that are known to be safe
}

// String writes the number, or "infinite".
func (b Beta) String() string {
	if b.Infinite {
		return "infinite"
	}
	return fmt.Sprintf("%.4g", b.Value)
}

// Beta returns the caution of the next query: φ(Δ) with
//
//	Δ = Δ_1 + η (violations + pending - α_algo · min(started, T - 1))
//
// and infinite from Δ = 1 on. Each query whose answer has not come counts as a violation. That, and that nothing is forgiven
// after the first T queries, is what the source does not have: it knows the answer to each query before the next.
//
// The promise holds: let V be the violations among all queries, and the last of them query t. Δ was below 1 when it was
// chosen, and the V - 1 before it were known or pending. So V - 1 < (1 - Δ_1)/η + α_algo (T - 1) = Tα - 1.
func (p Promise) Beta(a Account) Beta {
	t := p.Terms()
	delta := p.delta(t, a)
	// In exact arithmetic the first condition follows from the second: counted ≥ Allowed, and Δ < 1 are never both true.
	if a.Counted() >= t.Allowed || delta >= 1 {
		return Beta{Infinite: true}
	}
	return Beta{Value: varphi(delta)}
}

// delta is Δ under the terms. It is meaningless where nothing is affordable.
func (p Promise) delta(t Terms, a Account) float64 {
	return p.Delta + t.Eta*(float64(a.Counted())-t.AlphaAlgo*float64(min(a.Started, p.Queries-1)))
}

// varphi is Φ⁻¹((1 + Δ)/2) for Δ below 1, 0 for Δ below 0: the half width of the interval that a normal number is in with
// probability Δ.
func varphi(delta float64) float64 {
	if delta <= 0 {
		return 0
	}
	return 0 - mathext.NormalQuantile((1-delta)/2)
}

// Report is the state of a promise for people and journals.
type Report struct {
	Promised float64 // α
	Queries  int     // T
	Terms    Terms   // what that comes to
	Account  Account // what happened
	Counted  int     // violations that are known or must be reckoned with
	Left     int     // how many more the promise has room for
	Delta    float64 // Δ of the next query; 0 where no violation is affordable
	Beta     Beta    // of the next query
	Kept     bool    // whether the known violations are no more than allowed
	Why      string  // what holds the study back, or was changed; empty where nothing does
}

// Report returns the state of the promise.
func (p Promise) Report(a Account) Report {
	r := Report{Promised: p.Alpha, Queries: p.Queries, Terms: p.Terms(), Account: a, Counted: a.Counted(), Beta: p.Beta(a)}
	r.Left = max(r.Terms.Allowed-r.Counted, 0)
	r.Kept = a.Violations <= r.Terms.Allowed
	if r.Terms.Allowed > 0 {
		r.Delta = p.delta(r.Terms, a)
	}
	r.Why = strings.Join(r.reasons(), "; ")
	return r
}

// String returns what is promised, what counts and what is left, in one line.
func (r Report) String() string {
	s := fmt.Sprintf("promised are at most %d violations (%v of %d queries), %d count: %d known, %d without an answer (%d lost); %d more are allowed; caution beta %v",
		r.Terms.Allowed, r.Promised, r.Queries, r.Counted, r.Account.Violations, r.Account.Pending, r.Account.Lost, r.Left, r.Beta)
	if r.Why != "" {
		s += "; " + r.Why
	}
	return s
}

// reasons lists what holds the study back, or was changed.
func (r Report) reasons() (all []string) {
	if !r.Kept {
		all = append(all, fmt.Sprintf("the promise is broken: %d violations, allowed are %d, so a point that was said to be safe is not, or a query was not chosen under the promise",
			r.Account.Violations, r.Terms.Allowed))
	}
	if r.Terms.Why != "" {
		all = append(all, r.Terms.Why)
	}
	if r.Terms.Allowed > 0 && r.Beta.Infinite {
		why := fmt.Sprintf("only points that are known to be safe are queried for now: of %d violations allowed %d are known", r.Terms.Allowed, r.Account.Violations)
		if r.Account.Pending > 0 {
			why += fmt.Sprintf(", and %d may be among the queries without an answer (%d lost)", r.Account.Pending, r.Account.Lost)
		}
		if r.Left > 0 {
			why += r.later()
		}
		all = append(all, why)
	}
	return all
}

// later says why the violations that are left are not for now: they came faster than the promise forgives them, so that Δ is 1 or more.
func (r Report) later() string {
	var lower []string
	if less := r.Terms.Eta * r.Terms.AlphaAlgo; less > 0 && r.Account.Started < r.Queries-1 {
		lower = append(lower, fmt.Sprintf("each query lowers it by %.4g", less))
	}
	if r.Account.Pending > 0 {
		lower = append(lower, fmt.Sprintf("each answer that a point is safe lowers it by %.4g", r.Terms.Eta))
	}
	return fmt.Sprintf(", and the %d left are for later, since delta is %.4g and not below 1 (%s)", r.Left, r.Delta, strings.Join(lower, ", "))
}
