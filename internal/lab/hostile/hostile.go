// Package hostile makes data that an optimizer must survive: kinds of values (constant, huge, heavy-tailed, no numbers
// at all), kinds of space, and points that lie where no policy would put them. Everything follows from a seed.
//
//	kind, _ := hostile.Find("outliers")
//	domain := hostile.Domains()[0]
//	s := domain.Space(7)
//	y := kind.Value(hostile.Query{Seed: 7, Number: 1, X: kind.Points.At(7, 1, s.Dim())})
//
// The package is pure, and its values are safe for concurrent use.
package hostile

import (
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The streams of the room, with what their index counts.
const (
	valueStream   rng.Name = "hostile value"   // index: evaluation
	pointStream   rng.Name = "hostile point"   // index: point
	domainStream  rng.Name = "hostile domain"  // index: 0
	contextStream rng.Name = "hostile context" // index: round
)

// Kind is a kind of values, and of what goes with them.
type Kind struct {
	Name, What string
	Points     Points // where the points are forced to lie; Free leaves them to the policy
	Known      bool   // whether the hyperparameters of the study should be given, with next to no noise
	value      func(q Query, stream *rand.Rand) float64
}

// Query asks for the value of an evaluation.
type Query struct {
	Seed   uint64     // of the study
	Number int        // of the evaluation, from 1
	Order  int        // how many were asked for before, which only the kind "order" looks at
	X      space.Unit // in the unit cube
}

// Value returns the value of a query. It depends on the query alone; some kinds return NaN or an infinity. Cost O(d).
func (k Kind) Value(q Query) float64 {
	return k.value(q, rng.New(q.Seed, valueStream, uint64(q.Number)))
}

// Kinds returns every kind; "smooth", which is not hostile at all, comes first.
func Kinds() []Kind { return slices.Clone(kinds) }

// Names returns the names of the kinds, in the order of Kinds.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.Name
	}
	return names
}

// Find returns the kind of that name, false when there is none.
func Find(name string) (Kind, bool) {
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == name })
	if i < 0 {
		return Kind{}, false
	}
	return kinds[i], true
}
