package hindsight

import (
	"context"

	"github.com/tarry-bo/tarry/journal"
)

// CompareBeside is Compare with a model of its own for the other policy, whichever model that wants.
func CompareBeside(s journal.Source, o Options, each func(Other) error) (Summary, error) {
	h, err := header(s)
	if err != nil {
		return Summary{}, err
	}
	end, _, err := journal.Replay(s)
	if err != nil {
		return Summary{}, err
	}
	c, err := newComparison(h, end, o)
	if err != nil {
		return Summary{}, err
	}
	if c.shadow, err = newShadow(h.Config, o.Policy); err != nil {
		return Summary{}, err
	}
	err = c.run(context.Background(), s, each)
	return c.summed(), err
}
