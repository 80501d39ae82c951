package policies

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/tarry-bo/tarry/feedback"
)

// Batch puts any policy behind a barrier: queries are chosen Size at a time, and the next batch starts when every query
// of the last one has an outcome. The first batch is the initial design, of however many points it has. It is Bayesian optimization in batches, the case of a fixed delay.
type Batch struct {
	Policy Policy
	Size   int // 0 means 5
}

var _ = Register(Entry{
	Name:    "batch",
	Summary: "any policy behind a barrier of q queries",
	Source:  "Verma et al. 2022, sec. 4 (batches as fixed delays)",
}, Batch{Size: defaultBatch})

const defaultBatch, maxBarrier = 5, 10_000

// Settings are the options. Those of the inner policy are written with / between them and ~ for =.
func (b *Batch) Settings() Settings {
	var defaults []string
	read := func(text string) string { return b.read(text, defaults) }
	of := Text("of", defaultInner, func() string { return inner.Replace(b.inner().Traits().Name) }, read,
		"the inner policy, its options with / between them and ~ for =: of=ucb-sdf/nu~1").Bind(&b.Policy)
	of.inherit = func(d []string) {
		defaults = d
		if b.Policy == nil {
			read(defaultInner)
		}
	}
	q := Whole("q", &b.Size, defaultBatch, 1, maxBarrier, "queries of a batch")
	q.standard = func() bool { return false } // a name says both
	of.standard = q.standard
	if b.Size == 0 {
		b.Size = defaultBatch
	}
	return Settings{q, of}
}

const defaultInner = "gp-bucb"

// How the name of the inner policy is written within that of the batch, and read.
var inner, outer = strings.NewReplacer(":", "/", "=", "~"), strings.NewReplacer("/", ":", "~", "=")

func (b *Batch) read(text string, defaults []string) string {
	policy, err := Parse(outer.Replace(text), defaults...)
	switch {
	case err != nil:
		return fmt.Sprintf("a policy (%v)", err)
	case barred(policy):
		return unbarred
	}
	b.Policy = policy
	return ""
}

const unbarred = "a policy without a barrier of its own"

// barred reports whether a policy has a barrier of its own. A batch is refused also where it is of one query: its name could
// not be read within that of another.
func barred(p Policy) bool {
	switch p.(type) {
	case Batch, *Batch:
		return true
	}
	return p.Traits().Barrier > 1
}

// Traits are those of the inner policy with the barrier.
func (b Batch) Traits() Traits {
	t := b.inner().Traits()
	t.Name = NameOf("batch", b.Settings())
	t.Barrier = b.size()
	return t
}

// Propose asks the inner policy. The loop asks for one query at a time, so the later ones of a batch see the earlier
// ones as pending.
func (b Batch) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return b.inner().Propose(view, count, stream)
}

// Explain asks the inner policy.
func (b Batch) Explain(view View, stream *rand.Rand) (Explanation, error) {
	e, err := explained(b.inner(), view, stream)
	e.Numbers = append(e.Numbers, Figure{"queries of a batch", Plain, float64(b.size())})
	return e, err
}

func (b Batch) inner() Policy {
	if b.Policy == nil {
		return UCB{Pending: feedback.Hallucinate}
	}
	return b.Policy
}

func (b Batch) size() int { return cmp.Or(b.Size, defaultBatch) }
