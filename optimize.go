package tarry

import (
	"context"
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
)

// Maximize evaluates the objective on in-process workers until the budget is spent, and returns what was found. When ctx
// ends first, the result so far comes back with an error that wraps ctx.Err(). When no evaluation had a value, the error
// wraps ErrNoValue and names the last failure. Only a nil Result says that nothing was started; then the error lists
// every violation of space and options.
func Maximize(ctx context.Context, s Space, f Objective, o Options) (*Result, error) {
	if o.Minimize {
		return nil, &check.FieldError{Field: "Options.Minimize", Value: true, Want: "false with Maximize: did you mean Minimize?"}
	}
	return optimize(ctx, s, f, o)
}

// Minimize is Maximize for an objective whose smallest value is the best.
func Minimize(ctx context.Context, s Space, f Objective, o Options) (*Result, error) {
	o.Minimize = true
	return optimize(ctx, s, f, o)
}

func optimize(ctx context.Context, s Space, f Objective, o Options) (*Result, error) {
	if n := len(s.Contexts()); n > 0 {
		return nil, fmt.Errorf("tarry: %d parameters of the space are contexts, which somebody must offer: %w", n,
			&check.FieldError{Field: "Space", Value: "with contexts", Want: "none here; Start and Run.Offer, or Study.Ask"})
	}
	run, err := Start(ctx, s, f, o)
	if err != nil {
		return nil, err
	}
	return run.Wait()
}
