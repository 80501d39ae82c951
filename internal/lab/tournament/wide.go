package tournament

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// wide are problems whose ranges are as nobody should set them and many do: far wider than what matters within them, or over orders of
// magnitude without a logarithm. The seed draws where in them the best is.
var wide = []Problem{
	{Name: "orders:3", Family: Ranges, Half: Wide, Describe: "a bowl in the orders of magnitude of three floats of 0 … 1000, best from 0.5 to 5", draw: orders},
	{Name: "forgotten-logs", Family: Ranges, Half: Wide, Describe: "a rate of 1e-6 … 1 and a decay of 1e-7 … 0.1 without their logarithms, a depth and a dropout", draw: forgottenLogs},
	{Name: "counts", Family: Ranges, Half: Wide, Describe: "an int of 1 … 100000 and one of 1 … 1000, best at an order of magnitude, and a share", draw: counts},
	{Name: "doses", Family: Ranges, Half: Wide, Describe: "two doses of 0 … 1000 that saturate and harm, best from 1 to 20, and a share", draw: doses},
	{Name: "two-of-five", Family: Ranges, Half: Wide, Describe: "a bowl of five floats, of which two have ranges that are thirty times too wide", draw: twoOfFive},
	{Name: "costs:4", Family: Ranges, Half: Wide, Describe: "sums a/x + bx of four floats of 0.001 … 10: costs that diverge at a bound", draw: costs},
	{Name: "epidemic", Family: Ranges, Half: Wide, Describe: "the likelihood of two rates, of how many were ill at first and of the share that is reported, in ranges as they come to mind", draw: epidemic},
}

// peaked is a problem of a function with its greatest value at a point.
func peaked(at space.Point, f func(space.Point) float64, parameters ...space.Parameter) (sim.Problem, error) {
	s, err := space.New(parameters...)
	if err != nil {
		return sim.Problem{}, err
	}
	return sim.Problem{Space: s, Value: f, Maximizers: []space.Point{at}, Maximum: f(at)}, nil
}

// between is uniform.
func between(stream *rand.Rand, low, high float64) float64 { return low + (high-low)*stream.Float64() }

// decadesOff is how many orders of magnitude two numbers are apart, of those above the least.
func decadesOff(v, from, least float64) float64 { return math.Log10(max(v, least) / from) }

func orders(p *Problem, seed uint64) (sim.Problem, error) {
	stream, at := p.stream(seed, 0), make(space.Point, 3)
	for j := range at {
		at[j] = between(stream, 0.5, 5)
	}
	return peaked(at, func(x space.Point) (sum float64) {
		for j, v := range x {
			by := decadesOff(v, at[j], 1e-3)
			sum -= by * by
		}
		return sum
	}, space.Float("a", 0, 1000), space.Float("b", 0, 1000), space.Float("c", 0, 1000))
}

func forgottenLogs(p *Problem, seed uint64) (sim.Problem, error) {
	stream := p.stream(seed, 0)
	at := space.Point{math.Pow(10, between(stream, -4, -2)), math.Pow(10, between(stream, -5, -2.5)), float64(2 + stream.IntN(6)), between(stream, 0, 0.5)}
	return peaked(at, func(x space.Point) float64 {
		deeper := x[2] - at[2]
		rate, decay := decadesOff(x[0], at[0], 1e-6)-0.1*deeper, decadesOff(x[1], at[1], 1e-7)
		return -0.4*rate*rate - 0.08*decay*decay - 0.03*deeper*deeper - 0.8*(x[3]-at[3])*(x[3]-at[3])
	}, space.Float("rate", 1e-6, 1), space.Float("decay", 1e-7, 0.1), space.Int("depth", 1, 8), space.Float("dropout", 0, 0.6))
}

func counts(p *Problem, seed uint64) (sim.Problem, error) {
	stream := p.stream(seed, 0)
	at := space.Point{math.Round(math.Pow(10, between(stream, 1.3, 3.5))), math.Round(math.Pow(10, between(stream, 0.3, 2))), between(stream, 0.2, 0.8)}
	return peaked(at, func(x space.Point) float64 {
		many, few := decadesOff(x[0], at[0], 1), decadesOff(x[1], at[1], 1)
		return -0.3*many*many - 0.5*few*few - (x[2]-at[2])*(x[2]-at[2])
	}, space.Int("many", 1, 100_000), space.Int("few", 1, 1000), space.Float("share", 0, 1))
}

func doses(p *Problem, seed uint64) (sim.Problem, error) {
	stream := p.stream(seed, 0)
	at := space.Point{math.Exp(between(stream, 0, 3)), math.Exp(between(stream, 0, 3)), between(stream, 0.2, 0.8)}
	effect := func(dose, best float64) float64 { return 2 * (dose / best) / (1 + dose*dose/best/best) }
	return peaked(at, func(x space.Point) float64 {
		return effect(x[0], at[0]) + effect(x[1], at[1]) - (x[2]-at[2])*(x[2]-at[2])
	}, space.Float("first", 0, 1000), space.Float("second", 0, 1000), space.Float("share", 0, 1))
}

func twoOfFive(p *Problem, seed uint64) (sim.Problem, error) {
	stream := p.stream(seed, 0)
	at := space.Point{between(stream, 0.2, 2), between(stream, 0.2, 2), between(stream, 0.2, 0.8), between(stream, 0.2, 0.8), between(stream, 0.2, 0.8)}
	return peaked(at, func(x space.Point) (sum float64) {
		for j, v := range x {
			by := v - at[j]
			if j < 2 {
				by = math.Sqrt(0.2) * math.Log((v+0.05)/(at[j]+0.05))
			}
			sum -= by * by
		}
		return sum
	}, space.Float("a", 0, 30), space.Float("b", 0, 30), space.Float("c", 0, 1), space.Float("d", 0, 1), space.Float("e", 0, 1))
}

func costs(p *Problem, seed uint64) (sim.Problem, error) {
	const dim = 4
	stream := p.stream(seed, 0)
	var less, more [dim]float64
	at, parameters := make(space.Point, dim), make([]space.Parameter, dim)
	for j, name := range []string{"a", "b", "c", "d"} {
		less[j], more[j] = math.Exp(between(stream, -2, 2)), math.Exp(between(stream, -1, 1))
		at[j], parameters[j] = math.Sqrt(less[j]/more[j]), space.Float(name, 1e-3, 10)
	}
	return peaked(at, func(x space.Point) (sum float64) {
		for j, v := range x {
			sum -= less[j]/v + more[j]*v
		}
		return sum
	}, parameters...)
}

func epidemic(p *Problem, seed uint64) (sim.Problem, error) {
	stream := p.stream(seed, 0)
	at := space.Point{between(stream, 0.5, 1.2), between(stream, 0.1, 0.35), between(stream, 1, 20), between(stream, 0.1, 0.6)}
	seen := reported(at)
	return peaked(at, func(x space.Point) (sum float64) { // of Poisson counts, less what is greatest; a count of nothing is a tenth
		for day, n := range reported(x) {
			was := seen[day]
			sum += (was+0.1)*math.Log((n+0.1)/(was+0.1)) - (n - was)
		}
		return sum
	}, space.Float("contacts", 0, 5), space.Float("recovery", 0, 2), space.Float("first", 0, 1000), space.Float("share", 0, 1))
}

// reported are the new cases of sixty days among ten thousand people: contacts and recovery are rates a day.
func reported(x space.Point) []float64 {
	const people, days = 1e4, 60
	ill, cases := x[2], make([]float64, days)
	well := people - ill
	for day := range cases {
		new := min(well, x[0]*well*ill/people)
		well -= new
		ill += new - min(ill, x[1]*ill)
		cases[day] = x[3] * new
	}
	return cases
}
