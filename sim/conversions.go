package sim

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// The world of conversions: an offer at a price, with an emphasis of its page, is shown to some visitors. Each buys with a probability
// that falls with the price and is greatest at some emphasis, and takes a time for it, exponential, that is longer where the price
// is higher. What is wanted is what a visitor pays within seven days, on average. What was paid within the first day says much of it and is
// greatest at a lower price, so that who looks at that alone ends with the wrong offer.
const (
	conversionVisitors = 1000 // for each offer
	conversionDays     = 7
	quickest, slowest  = 0.5, 3.5 // mean days that a purchase takes at the lowest price and at the highest
	lowPrice           = 1.0
	highPrice          = 10.0
)

// conversionAges are the days at which is reported what was paid so far.
var conversionAges = [...]float64{1, 2, 3, 5}

func init() {
	Register("conversions", "price and emphasis of an offer: what a visitor pays within seven days, reported after one, two, three and five", conversions)
}

// offer is a world of conversions that was drawn.
type offer struct {
	middle, width float64 // of the prices at which half of those who might buy do
	share         float64 // of visitors who might buy, at the best emphasis
	best          float64 // emphasis
}

func conversions(seed uint64) (Problem, error) {
	stream := rng.New(seed, rng.Problem, 0)
	o := offer{middle: 4 + 3*stream.Float64(), width: 0.8 + 0.7*stream.Float64(), share: 0.1 + 0.1*stream.Float64(), best: 0.2 + 0.6*stream.Float64()}
	s, err := space.New(space.Float("price", lowPrice, highPrice), space.Float("emphasis", 0, 1))
	floor := 0.0
	p := Problem{
		Space: s, Floor: &floor,
		Value:   func(x space.Point) float64 { return o.paid(x, conversionDays) },
		Observe: func(x space.Point, stream *rand.Rand) float64 { return o.counted(x, stream)[len(conversionAges)] },
		Reports: func(x space.Point, stream *rand.Rand) []delay.Interim {
			counted := o.counted(x, stream)
			out := make([]delay.Interim, len(conversionAges))
			for i, age := range conversionAges {
				out[i] = delay.Interim{Share: age / conversionDays, Step: age, Value: counted[i]}
			}
			return out
		},
	}
	price := o.bestPrice()
	p.Maximizers = []space.Point{{price, o.best}}
	p.Maximum = p.Value(p.Maximizers[0])
	return p, err
}

// buys is the probability that a visitor ever buys.
func (o offer) buys(x space.Point) float64 {
	d := (x[1] - o.best) / 0.25
	return o.share * math.Exp(-d*d/2) / (1 + math.Exp((x[0]-o.middle)/o.width))
}

// takes is the mean time of a purchase, in days.
func (o offer) takes(x space.Point) float64 {
	return quickest * math.Pow(slowest/quickest, (x[0]-lowPrice)/(highPrice-lowPrice))
}

// paid is what a visitor pays on average within so many days.
func (o offer) paid(x space.Point, days float64) float64 {
	return x[0] * o.buys(x) * -math.Expm1(-days/o.takes(x))
}

// counted is what each of the visitors paid on average by each of the ages, and by the last day.
func (o offer) counted(x space.Point, stream *rand.Rand) (paid [len(conversionAges) + 1]float64) {
	buys, takes := o.buys(x), o.takes(x)
	for range conversionVisitors {
		bought, after := stream.Float64() < buys, stream.ExpFloat64()*takes
		if !bought || after > conversionDays {
			continue
		}
		for i, age := range conversionAges {
			if after <= age {
				paid[i] += x[0] / conversionVisitors
			}
		}
		paid[len(conversionAges)] += x[0] / conversionVisitors
	}
	return paid
}

// bestPrice is the price at which most is paid, whatever the emphasis: the greatest on a grid, refined.
func (o offer) bestPrice() float64 {
	low, high := lowPrice, highPrice
	for range 12 {
		best, step := low, (high-low)/64
		for i := range 65 {
			if at := low + step*float64(i); o.paid(space.Point{at, o.best}, conversionDays) > o.paid(space.Point{best, o.best}, conversionDays) {
				best = at
			}
		}
		low, high = max(best-step, lowPrice), min(best+step, highPrice)
	}
	return (low + high) / 2
}
