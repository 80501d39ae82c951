package survival

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/must"
)

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// Weeks of remission under 6-mercaptopurine (Freireich et al. 1963), the example of many textbooks: its product-limit estimates and the
// standard errors of Greenwood are known.
func TestTheCurveIsTheKnownOneOfATextbook(t *testing.T) {
	var h History
	for _, w := range []float64{6, 6, 6, 7, 10, 13, 16, 22, 23} {
		h.Add(Answered, seconds(w))
	}
	for _, w := range []float64{9, 11, 17, 20, 32, 34} {
		h.Add(Censored, seconds(w))
	}
	pending := []time.Duration{seconds(6), seconds(10), seconds(19), seconds(25), seconds(32), seconds(35)}
	want := []struct{ at, longer, low, high float64 }{
		{6, .8571, .6197, .9516}, {7, .8067, .5631, .9228}, {10, .7529, .5032, .8894}, {13, .6902, .4316, .8491},
		{16, .6275, .3675, .8049}, {22, .5378, .2678, .7468}, {23, .4482, .1881, .6801},
	}
	got := h.Curve(pending)
	if len(got) != len(want) {
		t.Fatalf("%d places, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		must.Near(t, "place", g.At.Seconds(), w.at, 1e-6)
		must.Near(t, "estimate", g.Longer, w.longer, 5e-5)
		must.Near(t, "lower end", g.Low, w.low, 5e-5)
		must.Near(t, "upper end", g.High, w.high, 5e-5)
	}
}

// lawOf is what is learned from n queries, one a second, of which a share is lost and the others take what draw says; ages are those that pend.
func lawOf(n int, lost float64, stream *rand.Rand, draw func() float64) (law Law, ages []time.Duration) {
	var h History
	for i := range n {
		d, age := draw(), float64(n-i)
		if stream.Float64() >= lost && d <= age {
			h.Add(Answered, seconds(d))
			continue
		}
		ages = append(ages, seconds(age))
	}
	return h.Law(ages), ages
}

func TestTheShareThatIsLostIsFound(t *testing.T) {
	for _, c := range []struct{ lost, most float64 }{{0, .02}, {.1, .15}, {.3, .36}} {
		stream := rand.New(rand.NewPCG(1, uint64(100*c.lost)))
		for name, draw := range map[string]func() float64{
			"exponential": func() float64 { return 8 * stream.ExpFloat64() },
			"lognormal":   func() float64 { return math.Exp(1.5 + .5*stream.NormFloat64()) },
			"constant":    func() float64 { return 8 },
		} {
			mean := 0.0
			for range 50 {
				law, _ := lawOf(300, c.lost, stream, draw)
				mean += law.Lost / 50
			}
			if least := c.lost - (c.most - c.lost); mean < least || mean > c.most {
				t.Errorf("%s, %v are lost: %v found, want %v to %v", name, c.lost, mean, least, c.most)
			}
		}
	}
}

// Of the queries that are said to be heard of with 5 % at most, no more than that are heard of, over many worlds.
func TestFewAreGivenUpWronglyByTheLaw(t *testing.T) {
	stream := rand.New(rand.NewPCG(2, 2))
	given, wrong := 0, 0
	for world := range 400 {
		n, shape := 15+stream.IntN(100), .3+stream.Float64()
		lost := []float64{0, .1, .3}[world%3]
		var h History
		var ages []time.Duration
		var comes []bool
		for i := range n {
			d, age := math.Exp(2+shape*stream.NormFloat64()), float64(n-i)
			gone := stream.Float64() < lost
			if !gone && d <= age {
				h.Add(Answered, seconds(d))
				continue
			}
			ages, comes = append(ages, seconds(age)), append(comes, !gone)
		}
		law := h.Law(ages)
		at := law.Age(.05)
		for i, age := range ages {
			if age >= at {
				given++
				if comes[i] {
					wrong++
				}
			}
		}
	}
	if given < 1000 || float64(wrong) > .05*float64(given) {
		t.Errorf("%d of %d given up wrongly, want at most 5 %% of at least 1000", wrong, given)
	}
}

func TestTwoAnswersSayNothing(t *testing.T) {
	var h History
	for range Least - 1 {
		h.Add(Answered, time.Second)
	}
	law := h.Law([]time.Duration{time.Hour})
	if law.Known() || law.Returns(time.Hour) != 1 || law.Longer(time.Hour) != 1 || law.Age(.05) != forever || law.Arrival(.5, 0) != forever {
		t.Errorf("%+v says something", law)
	}
	if h.Parametric(nil) != nil {
		t.Error("and so do families")
	}
	h.Add(Answered, time.Second)
	if !h.Law(nil).Known() {
		t.Error("five answers say nothing")
	}
}

// What fails may do so at once: however many failures there are, what runs longer is expected until there are five values.
func TestFailuresAloneSayNothing(t *testing.T) {
	var h History
	for range 20 {
		h.Add(Failed, time.Second)
	}
	for range Least - 1 {
		h.Add(Answered, time.Hour)
	}
	if law := h.Law(nil); law.Known() || law.Returns(time.Minute) != 1 || law.Age(.05) != forever {
		t.Errorf("%+v says something", law)
	}
	h.Add(Answered, time.Hour)
	if law := h.Law(nil); !law.Known() || law.Longer(time.Minute) > .5 {
		t.Errorf("failures are no delays: %+v", law)
	}
}

// Chances fall with the age, ages with the chance, and each is the other's inverse.
func TestChanceAndAgeAreInverse(t *testing.T) {
	stream := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		law, _ := lawOf(10+stream.IntN(200), .3*stream.Float64(), stream, func() float64 { return math.Exp(2 + stream.NormFloat64()) })
		if !law.Known() {
			continue
		}
		last := 2.0
		for age := time.Duration(0); age < time.Hour; age = age*3/2 + time.Millisecond {
			chance := law.Returns(age)
			if chance > last+1e-12 || chance < 0 {
				t.Fatalf("%v: chance %v after %v", age, chance, last)
			}
			last = chance
		}
		for _, chance := range []float64{.01, .05, .2, .5} {
			at := law.Age(chance)
			if at < forever && law.Returns(at+time.Nanosecond) > chance+1e-9 && law.Longer(at) > .5 {
				t.Fatalf("at %v the chance is %v, want at most %v", at, law.Returns(at), chance)
			}
			if half := law.Arrival(.5, 0); at < half {
				t.Fatalf("given up at %v, before half of the answers have come at %v", at, half)
			}
		}
		if a, b := law.Arrival(.5, 0), law.Arrival(.9, 0); a > b {
			t.Fatalf("half have come at %v, nine tenths at %v", a, b)
		}
		if at := law.Arrival(.5, time.Minute); at < time.Minute {
			t.Fatalf("an answer that has not come in a minute is expected after %v", at)
		}
	}
}

// Whatever comes and is taken back leaves no trace, and nor does the order.
func TestAHistoryIsWhatIsInIt(t *testing.T) {
	stream := rand.New(rand.NewPCG(4, 4))
	var delays []time.Duration
	for range 300 {
		delays = append(delays, time.Duration(math.Exp(25*stream.Float64())*1e3))
	}
	delays = append(delays, -time.Second, 0, math.MaxInt64)
	var a, b History
	for i, d := range delays {
		a.Add(Exit(i%3), d)
	}
	for _, i := range stream.Perm(len(delays)) {
		b.Add(Exit(i%3), delays[i])
		b.Add(Failed, delays[(i*7)%len(delays)])
	}
	for i := range delays {
		b.Remove(Failed, delays[(i*7)%len(delays)])
	}
	if !a.Same(&b) || a.Count(Answered) != 101 {
		t.Errorf("%d and %d cells, %d answered", len(a.cells), len(b.cells), a.Count(Answered))
	}
	if len(a.cells) > 2000 {
		t.Errorf("%d cells", len(a.cells))
	}
}

// Delays of hours that are added up one by one keep their mean, and a cell holds none that differ by more than 4 %.
func TestCellsAreNarrow(t *testing.T) {
	for d := time.Microsecond; d < 100*24*time.Hour; d = d*101/100 + time.Microsecond {
		if next := d + d/20 + 2*time.Microsecond; index(d) == index(next) {
			t.Fatalf("%v and %v are in one cell", d, next)
		}
		if index(d+time.Microsecond) < index(d) {
			t.Fatalf("cells are out of order at %v", d)
		}
	}
}

func TestFamiliesAreFoundAgain(t *testing.T) {
	stream := rand.New(rand.NewPCG(5, 5))
	for family, c := range map[Family]struct {
		draw func() float64
		want []float64
	}{
		Exponential: {func() float64 { return 8 * stream.ExpFloat64() }, []float64{8}},
		LogNormal:   {func() float64 { return math.Exp(1.5 + .8*stream.NormFloat64()) }, []float64{1.5, .8}},
		Pareto:      {func() float64 { return 3 * math.Exp(stream.ExpFloat64()/2.5) }, []float64{3, 2.5}},
	} {
		var h History
		var ages []time.Duration
		for i := range 2000 {
			d, age := c.draw(), float64(2000-i)
			if i%5 > 0 && d <= age {
				h.Add(Answered, seconds(d))
			} else {
				ages = append(ages, seconds(age))
			}
		}
		best := h.Parametric(ages)[0]
		if best.Family != family || !slices.EqualFunc(best.Parameters, c.want, func(a, b float64) bool { return math.Abs(a-b) < .1*math.Abs(b) }) {
			t.Errorf("%+v, want %s %v", best, family, c.want)
		}
		if got, law := best.Longer(seconds(10)), h.Law(ages).Longer(seconds(10)); math.Abs(got-law) > .03 {
			t.Errorf("%s: %v are longer than 10, the law says %v", family, got, law)
		}
	}
}

func TestAPaceIsFoundWhereThereIsOneAndNotElsewhere(t *testing.T) {
	stream := rand.New(rand.NewPCG(6, 6))
	found := 0
	for k := range 300 {
		var features [][]float64
		var with, without []float64
		for range 60 {
			x := []float64{stream.Float64(), stream.Float64(), float64(stream.IntN(2))}
			e := .5 * stream.NormFloat64()
			features, with, without = append(features, x), append(with, math.Exp(2+2*x[0]-x[2]+e)), append(without, math.Exp(2+e))
		}
		p := PaceOf(features, with)
		if !p.Known() {
			t.Fatalf("world %d: no pace was found", k)
		}
		if ratio := p.Factor([]float64{1, .5, 0}) / p.Factor([]float64{0, .5, 1}); ratio < 8 || ratio > 50 { // e³ = 20
			t.Errorf("world %d: ratio %v", k, ratio)
		}
		if PaceOf(features, without).Known() {
			found++
		}
	}
	if found > 3 {
		t.Errorf("%d of 300 worlds without a pace have one", found)
	}
	if p := (Pace{}); p.Factor([]float64{3, 4}) != 1 {
		t.Error("no pace is some pace")
	}
	if PaceOf(nil, nil).Known() || PaceOf([][]float64{{1}}, []float64{1}).Known() {
		t.Error("a pace of next to nothing")
	}
}

func TestTheDependenceOfDelayAndValue(t *testing.T) {
	stream := rand.New(rand.NewPCG(7, 7))
	var delays, slow, other []float64
	for range 60 {
		v := stream.NormFloat64()
		delays, slow, other = append(delays, math.Exp(v+.5*stream.NormFloat64())), append(slow, v), append(other, stream.NormFloat64())
	}
	if rho, chance := Dependence(delays, slow); rho < .6 || chance > 1e-6 {
		t.Errorf("good is slow: %v, %v", rho, chance)
	}
	if rho, chance := Dependence(delays, other); math.Abs(rho) > .35 || chance < .01 {
		t.Errorf("independent: %v, %v", rho, chance)
	}
	if rho, chance := Dependence(delays, make([]float64, 60)); rho != 0 || chance != 1 {
		t.Errorf("equal values: %v, %v", rho, chance)
	}
	if rho, _ := Dependence(delays[:9], slow[:9]); !math.IsNaN(rho) {
		t.Error("nine values say something")
	}
}

func BenchmarkLaw(b *testing.B) {
	stream := rand.New(rand.NewPCG(8, 8))
	var h History
	var ages []time.Duration
	for i := range 1000 {
		if stream.Float64() < .1 {
			ages = append(ages, time.Duration(i)*time.Second)
		} else {
			h.Add(Answered, seconds(math.Exp(1.5+1.08*stream.NormFloat64())))
		}
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			_ = h.Law(ages)
		}
	})
	b.Run("event", func(b *testing.B) {
		for b.Loop() {
			h.Add(Answered, 7*time.Second)
			h.Remove(Answered, 7*time.Second)
		}
	})
}
