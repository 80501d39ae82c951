package hindsight_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/hindsight"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/policies"
)

// insistent wants a second value at its first point, on purpose, with every third query.
type insistent struct{ policies.Uniform }

func (insistent) Traits() policies.Traits {
	return policies.Traits{Name: "insistent", Model: true, Pending: feedback.Hallucinate}
}

func (p insistent) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	if v.Round%3 == 0 && len(v.History) > 0 {
		return []policies.Proposal{{X: v.History[0].Query.X, Again: true}}, nil
	}
	return p.Uniform.Propose(v, count, stream)
}

// crashing is the journal of a study whose answers come four queries late, of which every seventh is a failure, and which has come to its end.
func crashing(t *testing.T, s tarry.Space, p tarry.Policy, budget int, value func(q tarry.Query) float64) *journal.Memory {
	t.Helper()
	store := &journal.Memory{}
	study := must.Get(tarry.NewStudy(s, tarry.Options{Budget: budget, Journal: store, Policy: p, Seed: 3, Pending: 5}))(t)
	defer study.Close()
	var open []tarry.Query
	for {
		q, err := study.Ask()
		switch {
		case err == nil:
			open = append(open, q)
			continue
		case !errors.Is(err, tarry.ErrAwaiting):
			return store
		}
		if n := open[0].ID.Evaluation; n%7 == 3 {
			err = study.Fail(open[0].ID, errors.New("out of memory"))
		} else {
			err = study.Tell(open[0].ID, value(open[0]))
		}
		if open = open[1:]; err != nil {
			t.Fatal(err)
		}
	}
}

// What a study queried it queried, whatever another model makes of it: a point that was measured again on purpose, or found again where all points of a finite
// space were queried and a model sees no noise, and what a bandit played from the first query on.
func TestAStudyIsFollowedWhereverItWent(t *testing.T) {
	float := must.Get(tarry.NewSpace(tarry.Float("a", 0, 1)))(t)
	grid := must.Get(tarry.NewSpace(tarry.Int("a", 1, 4), tarry.Int("b", 1, 3)))(t)
	value := func(q tarry.Query) float64 { return -(q.X[0] - 0.4) * (q.X[0] - 0.4) }
	noisy := func(q tarry.Query) float64 { return value(q) + 0.3*float64(q.ID.Evaluation*7919%13) }
	random, exp3 := must.Get(policies.Parse("random"))(t), must.Get(policies.Parse("exp3"))(t)
	for name, store := range map[string]*journal.Memory{
		"on purpose": crashing(t, float, insistent{}, 24, value),
		"a grid":     crashing(t, grid, random, 30, noisy),
		"its end":    crashing(t, grid, random, 30, value),
		"a bandit":   crashing(t, grid, exp3, 16, noisy),
	} {
		for _, other := range []string{"log-ei", "asy-ts", "auto"} {
			sum, err := hindsight.Compare(context.Background(), store, asked(t, other), func(hindsight.Other) error { return nil })
			if err != nil || sum.Apart != "" || sum.Asked < 7 {
				t.Errorf("%s: %+v, %v", name, sum, err)
			}
		}
	}
}
