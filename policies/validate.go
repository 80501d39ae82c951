package policies

import (
	"cmp"
	"strings"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/check"
)

// Validator is a policy whose settings must satisfy more than their ranges. What Parse returns is valid; a policy made in
// code need not be.
type Validator interface {
	// Validate names everything that is wrong. Zero stands for the default throughout.
	Validate() error
}

// Validate returns every setting of a policy that is outside its range, or nil; nil for a nil policy.
func Validate(p Policy) error {
	if p == nil {
		return nil
	}
	var l check.List
	name, _, _ := strings.Cut(p.Traits().Name, ":")
	for _, e := range registry {
		if settings, is := e.of(p); is {
			l.Join(settings.check(name))
			break
		}
	}
	if v, ok := p.(Validator); ok {
		l.Join(v.Validate())
	}
	return l.Err()
}

const maxLevels = 99

// local wants the zero value, or a valid configuration.
func local(l *check.List, policy string, c LocalizedConfig) {
	if c != (LocalizedConfig{}) {
		c.Alpha = cmp.Or(c.Alpha, 0.5) // that of each level takes its place where there are levels
		l.Join(check.Renamed(c.Validate(), "LocalizedConfig", policy))
	}
}

// Validate wants constants that fit each other.
func (p LOCBO) Validate() error {
	var l check.List
	local(&l, "locbo", p.Local)
	return l.Err()
}

// Validate wants constants that fit each other.
func (p LocalOCBO) Validate() error {
	var l check.List
	p.Local.Alpha = 0
	local(&l, "ocbo-l", p.Local)
	return l.Err()
}

// Validate wants pending queries ignored or hallucinated.
func (p UCB) Validate() error { return notCensored("gp-ucb, gp-bucb", p.Pending) }

// Validate wants pending queries ignored or hallucinated.
func (p Thompson) Validate() error { return notCensored("asy-ts, gp-bts", p.Pending) }

func notCensored(policies string, how feedback.Imputation) error {
	var l check.List
	l.Require(how == feedback.Ignore || how == feedback.Hallucinate, policies+": pending", how, "ignore or hallucinate")
	return l.Err()
}

// Validate wants a valid inner policy, without a barrier.
func (b Batch) Validate() error {
	var l check.List
	l.Require(!barred(b.inner()), "batch: of", b.inner().Traits().Name, unbarred)
	l.Join(Validate(b.inner()))
	return l.Err()
}
