package tarry_test

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

// Whatever a caller may get wrong where a study begins, the error says with the root's own names which field it is.
func TestEveryViolationIsAFieldError(t *testing.T) {
	zero := func(context.Context, tarry.Query) (float64, error) { return 0, nil }
	maximize := func(s tarry.Space, f tarry.Objective, o tarry.Options) error {
		_, err := tarry.Maximize(t.Context(), s, f, o)
		return err
	}
	options := func(o tarry.Options) error { return o.Validate(unitSpace(t)) }
	study := func(o tarry.Options) error {
		_, err := tarry.NewStudy(unitSpace(t), o)
		return err
	}
	parsed := func(spec string) error {
		_, err := tarry.ParsePolicy(spec)
		return err
	}
	space := func(parameters ...tarry.Parameter) error {
		_, err := tarry.NewSpace(parameters...)
		return err
	}
	contextual, err := tarry.NewSpace(tarry.Float("x", 0, 1), tarry.Float("hour", 0, 24).AsContext())
	if err != nil {
		t.Fatal(err)
	}
	nan, full := math.NaN(), tarry.Options{Budget: 9}
	bad := func(change func(*tarry.Options)) error {
		o := full
		change(&o)
		return options(o)
	}
	for name, err := range map[string]error{
		"Space.Parameters":              space(),
		"Space.Parameters[0].High":      space(tarry.Float("x", 1, 0)),
		"Space.Parameters[0].Values":    space(tarry.Ordered("x")),
		"Space":                         maximize(tarry.Space{}, zero, full),
		"Space.Parameters[1].Role":      maximize(contextual, zero, full),
		"objective":                     maximize(unitSpace(t), nil, full),
		"Options.Minimize":              maximize(unitSpace(t), zero, tarry.Options{Budget: 9, Minimize: true}),
		"Options.Budget":                study(tarry.Options{}),
		"Options.Workers":               bad(func(o *tarry.Options) { o.Workers = -1 }),
		"Options.Initial":               bad(func(o *tarry.Options) { o.Initial = 10 }),
		"Options.Design":                bad(func(o *tarry.Options) { o.Design = 9 }),
		"Options.Barrier":               bad(func(o *tarry.Options) { o.Barrier = -1 }),
		"Options.Timeout":               bad(func(o *tarry.Options) { o.Timeout = -1 }),
		"Options.Pending":               bad(func(o *tarry.Options) { o.Pending = -1 }),
		"Options.Retries":               bad(func(o *tarry.Options) { o.Retries = -1 }),
		"Options.Lease":                 bad(func(o *tarry.Options) { o.Lease = -1 }),
		"Options.Patience":              bad(func(o *tarry.Options) { o.Patience = -1 }),
		"Options.Target":                bad(func(o *tarry.Options) { o.Target = &nan }),
		"Options.MaxTime":               bad(func(o *tarry.Options) { o.MaxTime = -time.Second }),
		"Options.Known[0]":              bad(func(o *tarry.Options) { o.Known = []tarry.Observation{{X: []float64{7}}} }),
		"Options.First[0]":              bad(func(o *tarry.Options) { o.First = []tarry.Point{{7}} }),
		"Options.Window.Rounds":         bad(func(o *tarry.Options) { o.Window.Rounds = -1 }),
		"Options.Floor":                 bad(func(o *tarry.Options) { o.Floor = &nan }),
		"Options.Range":                 bad(func(o *tarry.Options) { o.Range = -1 }),
		"Options.Model.Kernel":          bad(func(o *tarry.Options) { o.Model.Kernel = "cubic" }),
		"Options.Model.Active":          bad(func(o *tarry.Options) { o.Model.Active = 1 }),
		"Options.Grace":                 bad(func(o *tarry.Options) { o.Grace = -1 }),
		"Options.Handler":               bad(func(o *tarry.Options) { o.Logger, o.Handler = zap.NewNop(), slog.DiscardHandler }),
		"gp-qucb: p":                    bad(func(o *tarry.Options) { o.Policy = policies.QUCB{P: 2} }),
		"Options.Policy":                bad(func(o *tarry.Options) { o.Policy = liar{policies.Uniform{}} }),
		"policy of simulated-annealing": parsed("simulated-annealing"),
		"policy of ucb-sdf:":            parsed("ucb-sdf:"),
		"policy of ucb-sdf:nu":          parsed("ucb-sdf:nu"),
		"policy of ucb-sdf:nu=1:nu=2":   parsed("ucb-sdf:nu=1:nu=2"),
		"ucb-sdf:nu=-1: nu":             parsed("ucb-sdf:nu=-1"),
		"batch:of=nothing: of":          parsed("batch:of=nothing"),
		"store":                         resumed(nil, tarry.Options{}),
		"Options.Seed":                  resumed(begun(t), tarry.Options{Seed: 1}),
		"Options.Known":                 resumed(begun(t), tarry.Options{Known: []tarry.Observation{{}}}),
	} {
		var violation *tarry.FieldError
		if !errors.As(err, &violation) || !errors.Is(err, tarry.ErrInvalidOption) {
			t.Errorf("%s: %v is no FieldError", name, err)
		} else if want, _, _ := strings.Cut(name, " of "); violation.Field != want || violation.Want == "" {
			t.Errorf("%s: the first violation is of %q (%v)", name, violation.Field, err)
		}
	}
}

// liar has the name of another policy.
type liar struct{ policies.Policy }

func (liar) Traits() policies.Traits { return policies.Traits{Name: "gp-ucb"} }

func resumed(store tarry.Store, o tarry.Options) error {
	_, err := tarry.ResumeStudy(store, o)
	return err
}

// begun is the store of a study that has begun.
func begun(t *testing.T) tarry.Store {
	t.Helper()
	store := &journal.Memory{}
	if _, err := tarry.NewStudy(unitSpace(t), tarry.Options{Budget: 9, Journal: store}); err != nil {
		t.Fatal(err)
	}
	return store
}
