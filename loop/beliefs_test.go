package loop

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
)

// looker looks at its beliefs in one ask, and proposes what the last of them wants queried.
type looker struct {
	traits policies.Traits
	seen   *[][]model.Belief
}

func (p looker) Traits() policies.Traits { return p.traits }

func (p looker) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	var beliefs []model.Belief
	for _, w := range p.traits.Beliefs() {
		beliefs = append(beliefs, v.Model(w.Output, w.Pending))
	}
	*p.seen = append(*p.seen, beliefs)
	v.Belief = beliefs[len(beliefs)-1]
	return policies.UCB{Pending: v.Want.Pending}.Propose(v, count, stream)
}

// looking is a story whose policy looks at the objective in some ways.
func looking(t *testing.T, where string, asks int, hows ...feedback.Imputation) (*story, looker) {
	t.Helper()
	traits := policies.Traits{Name: "looker", Model: true, Pending: hows[0]}
	for _, how := range hows[1:] {
		traits.Also = append(traits.Also, model.Want{Output: model.Objective, Pending: how})
	}
	c := storyConfig(t, where, feedback.Ignore)
	c.Traits = traits
	s := newStory(t, c, 77, 5)
	p := looker{traits, new([][]model.Belief)}
	s.policy = p
	return s.until(asks), p
}

// sameBelief says where two beliefs differ, empty where nowhere.
func sameBelief(c Config, a, b model.Belief) string {
	if what := alike.Posteriors(c.Space, a.Posterior, b.Posterior); what != "" {
		return what
	}
	a.Posterior, b.Posterior = nil, nil
	return differs(a, b)
}

// A policy that looks at the hallucinated and at the plain model in one ask sees the bits that two studies of the same events see,
// one with each belief.
func TestTwoBeliefsInOneAskAreThoseOfTwoStudies(t *testing.T) {
	hows := []feedback.Imputation{feedback.Hallucinate, feedback.Ignore}
	for _, where := range []string{"box", "list", "context", "actions"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			s, p := looking(t, where, 16, hows...)
			compared := 0
			for k, how := range hows {
				c := s.config
				c.Traits.Pending, c.Traits.Also = how, nil
				asks := 0
				replay(t, c, s.events, func(l *Loop, next Stamped) {
					if e, ok := next.Event.(Proposed); ok {
						view := l.View()
						if what := sameBelief(c, view.Belief, (*p.seen)[asks][k]); what != "" {
							t.Fatalf("ask %d, %v: %s", e.Ask, how, what)
						}
						asks++
						compared += bit(len(view.Pending) > 0 && view.Informed())
					}
				})
			}
			if compared < 20 {
				t.Errorf("%d beliefs were compared while queries pended", compared)
			}
		})
	}
}

// A study with several beliefs is the same in a replay, and where it is put away and restored before any event: digests, proposals
// and all beliefs to the bit.
func TestSeveralBeliefsSurviveReplaysAndCuts(t *testing.T) {
	for _, where := range []string{"box", "actions"} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			s, p := looking(t, where, 14, feedback.Censor, feedback.Ignore, feedback.Hallucinate)
			before := len(s.events) - len(s.digests) // before there was a policy
			asks := 0
			replay(t, s.config, s.events, func(l *Loop, next Stamped) {
				if seen := int(next.Seq) - 1; seen > before && l.Digest() != s.digests[seen-before-1] {
					t.Fatalf("another digest after event %d", seen)
				}
				want, ok := next.Event.(Proposed)
				if !ok && next.Seq%4 > 0 {
					return
				}
				restored := cut(t, s.config, l)
				if !ok {
					return
				}
				if got := restored.Task().Run(p); differs(got, next.Event) != "" {
					t.Fatalf("ask %d: %+v, restored %+v", want.Ask, want, got)
				}
				latest := (*p.seen)[len(*p.seen)-1]
				for k := range latest {
					if what := sameBelief(s.config, latest[k], (*p.seen)[asks][k]); what != "" {
						t.Fatalf("ask %d, %v: %s", want.Ask, latest[k].Want, what)
					}
				}
				asks++
			})
			if asks < 14 {
				t.Errorf("%d asks", asks)
			}
		})
	}
}

// prying looks at a belief that its traits do not want.
type prying struct{ looker }

func (p prying) Propose(v policies.View, _ int, _ *rand.Rand) ([]policies.Proposal, error) {
	return nil, fmt.Errorf("there is a posterior of %d rows", v.Model(model.Objective, feedback.Censor).Posterior.Len())
}

// A belief that a policy did not say that it wants is a failed proposal that names it, not an empty model.
func TestABeliefThatWasNotWantedIsAFailedProposal(t *testing.T) {
	s, p := looking(t, "box", 3, feedback.Hallucinate, feedback.Ignore)
	event, ok := s.loop.Task().Run(prying{p}).(ProposeFailed)
	if want := "the traits of the policy do not want a model of the objective, pending censored"; !ok || !strings.Contains(event.Reason, want) {
		t.Fatalf("%+v, want %q", event, want)
	}
	before := s.loop.Counters().Fallbacks
	if s.step(event); s.loop.Counters().Fallbacks != before+1 {
		t.Error("no point took its place")
	}
}

func TestBeliefsThatCannotBeAreRefused(t *testing.T) {
	for name, traits := range map[string]policies.Traits{
		"the first again":             {Model: true, Pending: feedback.Censor, Also: []model.Want{{Pending: feedback.Censor}}},
		"one twice":                   {Model: true, Also: []model.Want{{Pending: feedback.Censor}, {Pending: feedback.Censor}}},
		"another output":              {Model: true, Also: []model.Want{{Output: 1}}},
		"an imputation of no kind":    {Model: true, Also: []model.Want{{Pending: 7}}},
		"of a policy without a model": {Also: []model.Want{{Pending: feedback.Censor}}},
	} {
		c := storyConfig(t, "box", feedback.Ignore)
		c.Traits = traits
		if _, err := New(c); !errors.Is(err, check.ErrInvalidOption) || !strings.Contains(err.Error(), "Config.Traits.Also") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
