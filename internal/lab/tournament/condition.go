package tournament

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

// Condition is what surrounds a problem.
type Condition struct {
	Noise, Delay string // names of the lists below
	Workers      int    // each busy for the delay of its query; 0: one query every tick, whatever is pending
}

// String says the condition in words, as in "small noise, poisson, 8 workers".
func (c Condition) String() string {
	workers := fmt.Sprintf("%d workers", c.Workers)
	switch c.Workers {
	case 0:
		workers = "rounds"
	case 1:
		workers = "1 worker"
	}
	return fmt.Sprintf("%s noise, %s, %s", c.Noise, c.Delay, workers)
}

// Kind is a kind of noise or of delays.
type Kind struct {
	Name, Describe string
	law            string // as delay.ParseLaw reads it
}

// Noises are the kinds of noise. What is added is in units of the standard deviation of the values over the space.
var Noises = []Kind{
	{Name: "no", Describe: "none"},
	{Name: "small", Describe: "Gaussian, 2 %"},
	{Name: "large", Describe: "Gaussian, 20 %"},
	{Name: "uneven", Describe: "Gaussian, from 2 % where the first parameter is least to 40 % where it is greatest"},
	{Name: "heavy", Describe: "10 % times Student's t with 3 degrees of freedom, of standard deviation 17 %"},
}

// Delays are the kinds of delays, in ticks. A worker is busy for the delay; what has not come after giveUp ticks never does.
var Delays = []Kind{
	{Name: "equal", Describe: "always 1", law: "fixed:1"},
	{Name: "poisson", Describe: "Poisson with mean 8", law: "poisson:8"},
	{Name: "heavy", Describe: "Pareto, at least 2, of shape 1.5", law: "pareto:2,1.5"},
	{Name: "never", Describe: "Poisson with mean 8, and one in five never comes", law: "never:0.2+poisson:8"},
}

const giveUp = 60 * sim.Tick

// usual are the conditions of the default selection: problem i of a half, from 0, meets two of them, the pair i mod 4, whichever
// problems are chosen.
var usual = []Condition{
	{"no", "poisson", 8}, {"small", "poisson", 8},
	{"no", "equal", 1}, {"large", "heavy", 8},
	{"no", "poisson", 32}, {"uneven", "never", 8},
	{"small", "equal", 1}, {"heavy", "poisson", 8},
}

// Usual returns the default selection of cells: two for each problem.
func Usual(problems []*Problem, budget int) []Cell {
	var out []Cell
	for _, p := range problems {
		first := 2 * p.place % len(usual)
		for _, c := range usual[first : first+2] {
			out = append(out, Cell{p, c, budget})
		}
	}
	return out
}

// Product returns every problem under every combination of kinds of noise, kinds of delays and numbers of workers.
func Product(problems []*Problem, noises, delays []string, workers []int, budget int) []Cell {
	var out []Cell
	for _, p := range problems {
		for _, noise := range noises {
			for _, delay := range delays {
				for _, w := range workers {
					out = append(out, Cell{p, Condition{noise, delay, w}, budget})
				}
			}
		}
	}
	return out
}

// ReadKinds reads names of a list, separated by commas; flag is what errors blame.
func ReadKinds(l *check.List, flag, text string, kinds []Kind) []string {
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	var out []string
	for name := range strings.SplitSeq(text, ",") {
		l.Require(slices.Contains(names, name) && !slices.Contains(out, name), flag, name, "each once of "+strings.Join(names, ", "))
		out = append(out, name)
	}
	return out
}

// law is the text of the law of a kind of delays.
func law(name string) string {
	return Delays[slices.IndexFunc(Delays, func(k Kind) bool { return k.Name == name })].law
}

// timeout is when an evaluation is given up: only where some never end.
func (c Condition) timeout() time.Duration {
	if c.Delay == "never" && c.Workers > 0 {
		return giveUp
	}
	return 0
}

// under returns the problem with the noise of a kind; sd is the standard deviation of its values.
func under(p sim.Problem, noise string, sd float64) sim.Problem {
	var add func(x space.Point, stream *rand.Rand) float64
	switch noise {
	case "small":
		add = func(_ space.Point, stream *rand.Rand) float64 { return 0.02 * stream.NormFloat64() }
	case "large":
		add = func(_ space.Point, stream *rand.Rand) float64 { return 0.2 * stream.NormFloat64() }
	case "uneven":
		first := p.Space.Parameter(0)
		add = func(x space.Point, stream *rand.Rand) float64 {
			return (0.02 + 0.38*first.Unit(x[0])) * stream.NormFloat64()
		}
	case "heavy":
		add = func(_ space.Point, stream *rand.Rand) float64 { return 0.1 * student3(stream) }
	default:
		return p
	}
	value := p.Value
	p.Observe = func(x space.Point, stream *rand.Rand) float64 { return value(x) + sd*add(x, stream) }
	return p
}

// student3 draws from Student's law with three degrees of freedom.
func student3(stream *rand.Rand) float64 {
	z, square := stream.NormFloat64(), 0.0
	for range 3 {
		v := stream.NormFloat64()
		square += v * v
	}
	return z / math.Sqrt(square/3)
}
