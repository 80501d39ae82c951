package loop

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// standIn is a policy of these traits that is never asked.
type standIn struct{ traits policies.Traits }

func (p standIn) Traits() policies.Traits { return p.traits }

func (standIn) Propose(policies.View, int, *rand.Rand) ([]policies.Proposal, error) {
	panic("a policy was asked")
}

// A policy that was changed since the study began is not asked: its name would say what it is not.
func TestAPolicyThatWasChangedIsNotAsked(t *testing.T) {
	s := newStory(t, storyConfig(t, "box", feedback.Hallucinate), 3, 4)
	for _, d := range slices.Clone(s.running) {
		s.value(d)
	}
	policy := &standIn{s.loop.Config().Traits}
	policy.traits.Name = "story:p=0.99"
	event, ok := s.loop.Task().Run(policy).(ProposeFailed)
	if !ok || event.Ask != s.ask.ID || !strings.Contains(event.Reason, `"story:p=0.99"`) || !strings.Contains(event.Reason, `want "story"`) {
		t.Fatalf("%+v", event)
	}
}

// hopeless is a kernel with covariances that no noise can make a positive definite matrix of.
type hopeless struct{ surrogate.Kernel }

func (hopeless) Eval(a, b space.Unit) float64 { return -1e99 }

func (hopeless) Row(dst []float64, x space.Unit, xs []space.Unit) {
	for i := range xs {
		dst[i] = -1e99
	}
}

func (k hopeless) WithParams(log []float64) surrogate.Kernel {
	return hopeless{k.Kernel.WithParams(log)}
}

// A model that nothing can save is a policy that failed: the study goes on with a point that fills the space.
func TestAModelThatPanicsIsAFailedProposal(t *testing.T) {
	c := storyConfig(t, "box", feedback.Hallucinate)
	c.Model = Model{Kernel: "se", Hyper: []float64{0.3, 0.3, 1}, Noise: 1e-2}
	s := newStory(t, c, 3, 4)
	broken := s.config.withDefaults().model()
	broken.Outputs[0].Prior.Kernel = hopeless{broken.Outputs[0].Prior.Kernel}
	s.loop.model = *model.New(broken)
	for _, q := range s.loop.ledger.queries {
		s.loop.model.Open(q.Number, q.Round, q.At, q.X)
	}
	for _, d := range slices.Clone(s.running) {
		s.value(d)
	}
	before := len(s.loop.Evaluations())
	event, ok := s.loop.Task().Run(standIn{c.Traits}).(ProposeFailed)
	if !ok || event.Ask != s.ask.ID || !strings.HasPrefix(event.Reason, "model panicked: model: ") || !strings.Contains(event.Reason, "not positive definite") {
		t.Fatalf("%+v", event)
	}
	s.step(event)
	if got := len(s.loop.Evaluations()); got != before+1 || s.loop.Counters().Fallbacks != 1 || s.ask.ID != 2 {
		t.Errorf("%d evaluations, ask %d, %+v", got, s.ask.ID, s.loop.Counters())
	}
}
