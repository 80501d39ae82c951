package hindsight

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/space"
)

// How says who or what chose the point of an evaluation.
type How string

// The ways in which a point is chosen.
const (
	ByDesign  How = "initial design"
	ByPolicy  How = "policy"
	AtRandom  How = "random" // by the policy, before anything was known
	Fallback  How = "fallback"
	Enqueued  How = "enqueued"
	Again     How = "again"
	Elsewhere How = "elsewhere"
)

// way says how an evaluation was chosen, in words too, and which evaluation it repeats.
func (c choice) way(number int) (how How, words string, again int) {
	all := c.study.Evaluations()
	e := all[number-1]
	switch {
	case e.Foreign:
		return Elsewhere, "it was measured elsewhere and brought to the study", 0
	case c.ask.ID != 0 && c.fate == loop.FateFellBack && c.study.Config().Traits.Safety.Seeds:
		return Fallback, "the policy failed, or the promise had no room for its point, and a seed took its place: " + c.answer.failure, 0
	case c.ask.ID != 0 && c.fate == loop.FateFellBack:
		return Fallback, "the policy failed, and a point that fills the space took its place: " + c.answer.failure, 0
	case c.ask.ID != 0:
		return ByPolicy, fmt.Sprintf("the policy chose it, as query %d", e.Round), 0
	}
	if k := seedOf(c.study.Config(), e); k > 0 {
		return ByDesign, fmt.Sprintf("it is seed %d of %d, points that are known to be safe", k, len(c.study.Config().Seeds)), 0
	}
	if e.AgainOf > 0 {
		return Again, fmt.Sprintf("it repeats the point of #%d, which was lost", e.AgainOf), e.AgainOf
	}
	if e.Requested(c.study.Config().Space) {
		return Enqueued, "it was enqueued by the user", 0
	}
	return ByDesign, fmt.Sprintf("it is point %d of the %d of the initial design", number, c.study.Config().Initial), 0
}

// moved says in words that the study moved an evaluation away from the point that its policy proposed, from where, and why: of the queries that
// were there by then one that pends or failed says so first, and else it has a value.
func (c choice) moved(from space.Unit, e loop.Evaluation) string {
	all := c.study.Evaluations()[:e.Number-1]
	at, why := 0, ""
	for i := range all {
		o := &all[i]
		if !slices.Equal(o.X, from) {
			continue
		}
		switch {
		case o.Status == loop.Pending:
			at, why = o.Number, "which pends"
		case o.Status.Valued() && at == 0:
			at, why = o.Number, "whose value is known, so that a second one would tell next to nothing"
		case !o.Status.Valued() && (at == 0 || all[at-1].Status.Valued()):
			at, why = o.Number, fmt.Sprintf("which is %v", o.Status)
		}
	}
	if at == 0 {
		return fmt.Sprintf("the policy proposed another point, as query %d, and the study moved it", e.Round)
	}
	return fmt.Sprintf("the policy proposed, as query %d, the point of #%d, %s: the study moved it to another point", e.Round, at, why)
}

// seedOf is the number of the seed at which an evaluation is, from 1; 0 for none.
func seedOf(c loop.Config, e loop.Evaluation) int {
	return 1 + slices.IndexFunc(c.Seeds, func(x space.Point) bool {
		u, err := c.Space.Unit(x)
		return err == nil && slices.Equal(c.Space.Snap(u), e.X)
	})
}
