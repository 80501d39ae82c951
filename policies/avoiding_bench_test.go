package policies

import (
	"fmt"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// BenchmarkAvoiding is what a suggestion costs besides in a study of which half of the queries failed for their points.
func BenchmarkAvoiding(b *testing.B) {
	for _, d := range []int{3, 6, 12} {
		for _, n := range []int{100, 300} {
			b.Run(fmt.Sprintf("d=%d/n=%d", d, n), func(b *testing.B) {
				v, stream := View{Space: must.Get(space.New(unitFloats(d)...))(b)}, rng.New(1, rng.Test, 0)
				for k := range n {
					q := Query{Number: k + 1, X: v.Space.Random(stream)}
					if v.Queries = append(v.Queries, q); q.X[0] < 0.5 {
						v.History = append(v.History, Answer{Query: q})
					} else {
						v.Blamed = append(v.Blamed, q.Number)
					}
				}
				for b.Loop() {
					v.Avoiding()
				}
			})
		}
	}
}

func unitFloats(d int) (all []space.Parameter) {
	for i := range d {
		all = append(all, space.Float(fmt.Sprintf("x%d", i), 0, 1))
	}
	return all
}
