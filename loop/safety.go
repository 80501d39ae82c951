package loop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
)

// Where the traits of the policy want safety, the study begins with seeds, points that are known to be safe, and goes nowhere by itself:
// no proposal is moved aside, and a seed takes the place of a proposal that there is not, or that the promise has no room for. What the
// user enqueues, and what was lost and is asked again, waits as long as the promise has no room for it. Such queries count like any
// other, so that the promise holds with them.
//
// The account follows from the evaluations: a query is an evaluation that was started here, with all of its attempts. It violates if
// any of its margins is below zero, or below the guard band of its noise, or if it was declared infeasible. As long as nobody knows,
// it counts as a violation: while it pends, and also when it failed or was lost. It counts no more when its answer comes after all, when
// an answer at the same point says that the point is safe, or if it was given up before its first attempt. One at a seed counts only
// where the seed was refuted (distrust.go).

// caution is what a configuration says of the safety of a study; zero where the policy wants none.
type caution struct {
	seeds   []space.Unit
	promise *safety.Promise    // nil without one
	bands   []safety.GuardBand // of each constraint; nil where they have no noise
}

// caution returns it, and every reason for which there can be none.
func (c *Config) caution() (caution, error) {
	s := c.Traits.Safety
	if !s.Seeds {
		return caution{}, nil
	}
	var k caution
	for _, x := range c.Seeds {
		if u, err := c.Space.Unit(x); err == nil {
			k.seeds = append(k.seeds, c.Space.Snap(u))
		}
	}
	if !s.Promises {
		return k, nil
	}
	promise := s.Promise(c.Budget)
	k.promise = &promise
	var l check.List
	l.Join(promise.Validate())
	if s.Risk > 0 && l.Err() == nil {
		bands, err := c.bands()
		l.Join(err)
		k.bands = bands
	}
	return k, l.Err()
}

// bands are the guard bands of the constraints.
func (c *Config) bands() ([]safety.GuardBand, error) {
	s, n := c.Traits.Safety, len(c.Constraints)
	policy := func(want string) error {
		return &check.FieldError{Field: "Config.Traits", Value: c.Traits.Name, Want: want}
	}
	switch {
	case s.Noise != nil && n != 1:
		return nil, policy(fmt.Sprintf("a single constraint with samples of noise, not %d: want sd", n))
	case s.Noise != nil:
		band, err := safety.EmpiricalGuardBand(s.Noise, s.Tail, c.Budget, 1-s.Risk)
		if err == nil && band.Why != "" {
			err = policy("noise of which more is known: " + band.Why)
		}
		return []safety.GuardBand{band}, err
	case len(s.Sigma) == 0:
		return nil, policy("what is known of the noise of the constraints: sd=, its standard deviation, or noise=, samples of it")
	case len(s.Sigma) != 1 && len(s.Sigma) != n:
		return nil, policy(fmt.Sprintf("one sd for all constraints, or %d", n))
	}
	bands := make([]safety.GuardBand, n)
	for i := range bands {
		var err error
		if bands[i], err = safety.GaussianGuardBand(s.Sigma[i%len(s.Sigma)], c.Budget, 1-s.Risk); err != nil {
			return nil, err
		}
	}
	return bands, nil
}

// cautious reports whether the policy wants safety.
func (l *Loop) cautious() bool { return l.config.Traits.Safety.Seeds }

// seed returns which of the seeds a point is, −1 for none.
func (l *Loop) seed(x space.Unit) int {
	return slices.IndexFunc(l.caution.seeds, func(s space.Unit) bool { return slices.Equal(s, x) })
}

// chooseSeed makes the first seed that was not measured or asked for yet the next query.
func (l *Loop) chooseSeed() bool {
	for _, x := range l.caution.seeds {
		asked := false
		for range l.ledger.at(x) {
			asked = true
			break
		}
		if !asked {
			l.chosen(policies.Proposal{X: slices.Clone(x)})
			return true
		}
	}
	return false
}

// seedQuery is the seed that takes the place of a proposal: each in turn.
func (l *Loop) seedQuery() policies.Proposal {
	return policies.Proposal{X: slices.Clone(l.caution.seeds[len(l.ledger.evaluations)%len(l.caution.seeds)])}
}

// withheld reports whether the promise has no room for a query at a point. Cost O(n).
func (l *Loop) withheld(x space.Unit) bool {
	if l.caution.promise == nil || l.seed(x) >= 0 {
		return false
	}
	return l.caution.promise.Beta(l.account()).Infinite
}

// account counts what happened so far. Cost O(n).
func (l *Loop) account() safety.Account {
	var a safety.Account
	refuted := l.refuted()
	for i := range l.ledger.evaluations {
		e := &l.ledger.evaluations[i]
		if e.Foreign {
			continue
		}
		if at := l.seed(e.X); at >= 0 {
			a.StartSafe()
			if violated, _ := l.judged(e); violated && refuted[at] != "" {
				a.Contradict()
			}
			continue
		}
		a.Start()
		switch violated, known := l.verdict(e); {
		case known:
			a.Answer(violated)
		case e.Status != Pending:
			a.Lose()
		}
	}
	return a
}

// verdict says whether an evaluation violated a constraint, by its own answer or by one at the same point, or that nobody knows.
// Where there is noise an answer that does not count as a violation says that its point is safe, and another one says nothing.
func (l *Loop) verdict(e *Evaluation) (violated, known bool) {
	if violated, known = l.judged(e); known {
		return violated, true
	}
	if e.Status != Pending && e.Attempt == 0 {
		return false, true // it was never performed
	}
	for o := range l.ledger.at(e.X) {
		violated, known = l.judged(o)
		if known && (l.caution.bands == nil || !violated && !o.Foreign) {
			return violated, true
		}
	}
	return false, false
}

// judged says whether the answer of an evaluation counts as a violation, and false where it has none that says.
func (l *Loop) judged(e *Evaluation) (violated, known bool) {
	named := l.config.Constraints
	if !e.Measured || len(e.Constraints) != len(named) {
		return e.Status == Infeasible, e.Status == Infeasible
	}
	for i, c := range named {
		margin := c.Margin(e.Constraints[i])
		if !(margin >= 0) || l.caution.bands != nil && l.caution.bands[i].Violates(margin) {
			return true, true
		}
	}
	return e.Infeasible, true
}

// showCaution tells a view how the study stands.
func (l *Loop) showCaution(v *policies.View) {
	if l.cautious() {
		v.Caution = policies.Caution{Seeds: l.caution.seeds, Promise: l.caution.promise, Account: l.account()}
	}
}

// wantsSeeds demands seeds where the policy relies on them, and none elsewhere.
func (c *Config) wantsSeeds() string {
	switch {
	case !c.Traits.Safety.Seeds && len(c.Seeds) > 0:
		return "none with policy " + c.Traits.Name + ", which does not keep to them: want one of the policies safe-opt, d-safe-bocp, p-safe-bocp"
	case !c.Traits.Safety.Seeds:
		return ""
	case len(c.Seeds) == 0:
		return "at least one point that is known to be safe: policy " + c.Traits.Name + " begins there"
	case len(c.Seeds) > max(c.Budget, 1):
		return fmt.Sprintf("no more than Budget = %d, since the study begins with them", c.Budget)
	}
	return ""
}

// validateSafety reports everything that a safe policy lacks, but for the number of the seeds.
func (c *Config) validateSafety() error {
	if !c.Traits.Safety.Seeds || c.Space.Dim() == 0 {
		return nil
	}
	var l check.List
	l.Require(len(c.Constraints) > 0, "Config.Constraints", "none", "at least one with a name and a bound: policy "+c.Traits.Name+" keeps them")
	l.Require(len(c.Space.Contexts()) == 0, "Config.Space", fmt.Sprintf("%d contexts", len(c.Space.Contexts())), "no contexts with policy "+c.Traits.Name+": what is safe at one need not be at another")
	for i, x := range c.Seeds {
		if err := c.Space.Contains(c.Space.Exact(x)); err != nil {
			l.Add(fmt.Sprintf("Config.Seeds[%d]", i), x, "a point of the space: "+err.Error())
		}
	}
	if _, err := c.caution(); err != nil && c.Budget >= 1 && len(c.Constraints) > 0 {
		l.Join(err)
	}
	return l.Err()
}

// seedText and parseSeed write and read a point in a file of options, as in (0.5;2).
func seedText(x space.Point) string {
	if x == nil {
		return "-"
	}
	parts := make([]string, len(x))
	for i, v := range x {
		parts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return "(" + strings.Join(parts, ";") + ")"
}

func parseSeed(text string) (space.Point, error) {
	if text == "-" {
		return nil, nil
	}
	inner, opened := strings.CutPrefix(text, "(")
	inner, closed := strings.CutSuffix(inner, ")")
	if !opened || !closed {
		return nil, fmt.Errorf("want a point as in (0.5;2), found %q", text)
	}
	out := space.Point{}
	if inner == "" {
		return out, nil
	}
	for part := range strings.SplitSeq(inner, ";") {
		v, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Fixed returns why the study cannot have another budget; empty where it can.
func (l *Loop) Fixed() string {
	if l.caution.promise == nil {
		return ""
	}
	return fmt.Sprintf("the promise of policy %s is about exactly %d queries", l.config.Traits.Name, l.config.Budget)
}
