package loop

import (
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/policies"
)

// validateBandit reports what a policy whose queries are plays (policies.Traits.Bandit) cannot serve.
func (c *Config) validateBandit() error {
	if !c.Traits.Bandit || c.Space.Dim() == 0 {
		return nil
	}
	var l check.List
	points, contexts := c.Space.Distinct(policies.MaxArms), len(c.Space.Contexts())
	found := fmt.Sprintf("%d points, %d contexts and %d constraints", points, contexts, len(c.Constraints))
	if points == 0 {
		found = "one of real numbers, or of more points"
	}
	l.Require(points > 0 && points <= policies.MaxArms && contexts == 0 && len(c.Constraints) == 0, "Config.Space", found,
		policies.BanditWants+", with policy "+c.Traits.Name)
	return l.Err()
}

// wantsTaught says what is wrong with what tasks taught a bandit.
func (c *Config) wantsTaught() string {
	k := c.Taught
	if k == nil || c.Space.Dim() == 0 {
		return ""
	}
	if !c.Traits.Taught {
		return fmt.Sprintf("nothing with policy %s: it is not taught", c.Traits.Name)
	}
	if what := otherSpace(k.Space, c.Space); what != "" {
		return what
	}
	if err := k.Validate(); err != nil {
		return "sound content: " + err.Error()
	}
	return ""
}
