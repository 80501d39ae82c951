package policies

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tarry-bo/tarry/feedback"
)

// Batch puts any policy behind a barrier: queries are chosen Size at a time, and the next batch starts when every query
// of the last one has an outcome. It is Bayesian optimization in batches, the case of a fixed delay.
type Batch struct {
	Policy Policy
	Size   int
}

var _ = Register(Entry{
	Name:    "batch",
	Summary: "any policy behind a barrier of q queries",
	Source:  "Verma et al. 2022, sec. 4 (batches as fixed delays)",
	Options: "q=5, of=gp-bucb (options of the inner policy with / between them and ~ for =: of=ucb-sdf/nu~1)",
	New:     newBatch,
})

const maxBarrier = 10_000

func newBatch(o *Options) Policy {
	size := o.Int("q", 5, 1, maxBarrier)
	spec := strings.NewReplacer("/", ":", "~", "=").Replace(o.Text("of", "gp-bucb"))
	inner, err := Parse(spec, o.defaults...)
	if err != nil {
		o.Fail("of", spec, fmt.Sprintf("a policy (%v)", err))
		return Batch{}
	}
	if inner.Traits().Barrier > 1 {
		o.Fail("of", spec, "a policy without a barrier of its own")
	}
	return Batch{Policy: inner, Size: size}
}

// Traits are those of the inner policy with the barrier.
func (b Batch) Traits() Traits {
	t := b.inner().Traits()
	t.Name = fmt.Sprintf("batch:q=%d:of=%s", b.size(), strings.NewReplacer(":", "/", "=", "~").Replace(t.Name))
	t.Barrier = b.size()
	return t
}

// Propose asks the inner policy. The loop asks for one query at a time, so the later ones of a batch see the earlier
// ones as pending.
func (b Batch) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return b.inner().Propose(view, count, stream)
}

func (b Batch) inner() Policy {
	if b.Policy == nil {
		return UCB{Pending: feedback.Hallucinate}
	}
	return b.Policy
}

func (b Batch) size() int { return max(b.Size, 1) }
