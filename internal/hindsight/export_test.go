package hindsight

import (
	"context"

	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// Along is a lengthscale along a parameter, in words.
func Along(p space.Parameter, l float64) string { return along(p, l) }

// Scaled says along which scale of a parameter a warp is even, in words.
func Scaled(p space.Parameter, ratio float64) string { return scaled(p, ratio) }

// RootMeanSquare is of so many numbers.
func RootMeanSquare(of ...float64) float64 { return rootMeanSquare(of) }

// CompareBeside is Compare with a model of its own for the other policy, whichever model that wants.
func CompareBeside(s journal.Source, o Options, each func(Other) error) (Summary, error) {
	c, err := newComparison(s, o)
	if err == nil {
		c.shadow, err = newShadow(shadowed(c.config, o.Policy))
	}
	if err != nil {
		return Summary{}, err
	}
	err = c.run(context.Background(), s, each)
	return c.summed(), err
}

// BesidePending is what the policy would have proposed had nothing been pending, as its model saw it with all that was.
func BesidePending(s journal.Source, number int, policy policies.Policy) (Place, error) {
	e, err := Explain(s, number)
	if err != nil {
		return Place{}, err
	}
	h, err := s.Header()
	if err != nil {
		return Place{}, err
	}
	c, err := find(s, h, number)
	if err != nil {
		return Place{}, err
	}
	j, err := judged(h.Config, policy, c.view)
	return j.at("", e.Without.at), err
}
