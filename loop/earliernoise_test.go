package loop

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// Of a long earlier study with noise not the luckiest values are looked at: of two hills, the lower of which had most of the queries, the higher one is expected
// to be higher.
func TestALongEarlierStudyIsNotKnownByItsLuckiestValues(t *testing.T) {
	t.Parallel()
	where := must.Get(space.New(space.Float("u", 0, 1)))(t)
	hill := func(u float64) float64 { return math.Exp(-200*(u-.75)*(u-.75)) + .85*math.Exp(-200*(u-.25)*(u-.25)) }
	for seed, minimize := range map[uint64]bool{0: false, 3: true} {
		stream := rng.New(seed, rng.Test, 11)
		s := EarlierStudy{Name: "before"}
		for k := range 6000 {
			u := stream.Float64()
			if k%5 > 0 {
				u = min(max(.25+.03*stream.NormFloat64(), 0), 1)
			}
			s.Points, s.Values = append(s.Points, space.Unit{u}), append(s.Values, hill(u)+.3*stream.NormFloat64())
		}
		c := Config{Space: where, Minimize: minimize}
		for i := range s.Values {
			s.Values[i] *= c.Sense().Sign()
		}
		learned := must.Get(s.Learn(where, c.Sense()))(t)
		p := must.Get(learned.posterior(c))(t)
		low, high := p.Mean(space.Unit{.25}), p.Mean(space.Unit{.75})
		if len(learned.Values) != MaxEarlierValues || !(high > low) {
			t.Errorf("seed %d, minimize %v: of %d values %v is expected at the lower hill and %v at the higher one", seed, minimize, len(learned.Values), low, high)
		}
	}
}
