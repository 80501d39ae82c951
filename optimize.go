package tarry

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

// Maximize evaluates the objective on in-process workers until the budget is spent, and returns what was found. When ctx
// ends first, the result so far comes back with an error that wraps ctx.Err(), once objectives that ignore it have had Options.Grace and a
// fit that is under way is complete, which with thousands of values takes seconds. When no evaluation had a value, the error
// wraps ErrNoValue and names the last failure. Only a nil Result says that nothing was started; then the error lists
// every violation of space and options.
func Maximize(ctx context.Context, s Space, f Objective, o Options) (*Result, error) {
	var l check.List
	l.Require(!o.Minimize, "Options.Minimize", true, "false with Maximize: did you mean Minimize?")
	return optimize(ctx, s, f, o, l.Err())
}

// Minimize is Maximize for an objective whose smallest value is the best.
func Minimize(ctx context.Context, s Space, f Objective, o Options) (*Result, error) {
	o.Minimize = true
	return optimize(ctx, s, f, o, nil)
}

// optimize is Maximize, or Minimize, unless it was called wrongly.
func optimize(ctx context.Context, s Space, f Objective, o Options, misused error) (*Result, error) {
	if len(s.Contexts()) > 0 {
		misused = errors.Join(misused, contextual{s})
	}
	if misused != nil {
		return nil, errors.Join(misused, o.startable(ctx, s, f != nil))
	}
	run, err := Start(ctx, s, f, o)
	if err != nil {
		return nil, err
	}
	return run.Wait()
}

// contextual is the error of a space with contexts where there is nobody to offer them.
type contextual struct{ space Space }

// Error names the contexts, and who takes them.
func (e contextual) Error() string {
	var names []string
	for _, i := range e.space.Contexts() {
		names = append(names, strconv.Quote(e.space.Parameter(i).Name))
	}
	const remedy = "which Maximize and Minimize do not know: want Start and Run.Offer, or Study.Ask"
	if len(names) == 1 {
		return "tarry: the parameter " + names[0] + " is a context: the world sets its value, " + remedy
	}
	last := len(names) - 1
	return "tarry: the parameters " + strings.Join(names[:last], ", ") + " and " + names[last] + " are contexts: the world sets their values, " + remedy
}

// Unwrap returns the violation, which is of the first context.
func (e contextual) Unwrap() error {
	i := e.space.Contexts()[0]
	return &check.FieldError{
		Field: fmt.Sprintf("Space.Parameters[%d].Role", i), Value: e.space.Parameter(i).Role, Want: "a role that the policy chooses, or Start and Run.Offer, or Study.Ask",
	}
}
