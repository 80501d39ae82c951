package hostile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// Domain is a kind of space.
type Domain struct {
	Name, What string
	Dim        int // number of parameters, contexts included
	make       func(stream *rand.Rand) (space.Space, error)
}

var domains = []Domain{
	{"line", "one float", 1, floats(1)},
	{"six", "six floats", 6, floats(6)},
	{"twenty", "twenty floats", 20, floats(20)},
	{"hundred", "a hundred floats", 100, floats(100)},
	{"wide", "ranges near the ends of what a float64 can hold", 3, of(
		space.Float("huge", -8e307, 8e307), space.LogFloat("scale", 1e-300, 1e300), space.Int("count", 0, 1<<39))},
	{"mixed", "a logarithmic float, an int, a logarithmic int and a choice", 4, of(
		space.LogFloat("rate", 1e-6, 1), space.Int("layers", 1, 8), space.LogInt("width", 1, 1024), choice("activation"))},
	{"discrete", "eighteen points: an int and two choices", 3, of(
		space.Int("layers", 1, 3), choice("activation"), space.Categorical("bias", "no", "yes"))},
	{"bit", "two points", 1, of(space.Categorical("side", "left", "right"))},
	{"list", "a list of 200 points, some of them twice", 2, list(200)},
	{"single", "a list of one point", 2, list(1)},
	{"context", "two floats and two contexts", 4, of(
		space.Float("x", 0, 1), space.Int("day", 1, 7).AsContext(), space.Float("y", -5, 5), space.LogFloat("load", 0.01, 100).AsContext())},
	{"context-list", "a list of 50 points and a context", 3, contextList},
	{"steps", "numbers in steps, numbers by rank, a bool, and a float that is fixed", 6, of(
		space.Float("dropout", 0, 0.5).Stepped(0.05), space.Float("rate", -1, 1).Stepped(1e-3), space.Int("width", 8, 1<<30).Stepped(8),
		space.Ordered("batch", 1, 16, 32, 1e9), space.Bool("bias"), space.Float("fixed", 3, 3))},
	{"fixed", "one point: every parameter is fixed, and a context too", 4, of(
		space.LogFloat("rate", 0.1, 0.1), space.Int("layers", 3, 3), space.Categorical("kind", "adam"), space.Float("hour", 6, 6).AsContext())},
	{"nearly-fixed", "a float among parameters that are fixed", 4, of(
		space.Int("layers", 3, 3), space.Float("x", -1, 3), space.Ordered("batch", 32), space.LogInt("width", 5, 5))},
	{"branches", "parameters that depend on others, and on a context", 7, of(
		space.Float("beta", 0, 1).When("kind", "adam"), space.Categorical("kind", "adam", "sgd", "lion"), space.Bool("nesterov").When("kind", "sgd"),
		space.Float("momentum", 0, 1).When("nesterov", true), space.Int("layers", 1, 3), space.LogInt("width", 1, 64).WhenAtLeast("layers", 2).When("day", 6, 7),
		space.Int("day", 1, 7).AsContext())},
	{"few-branches", "nine points: a choice, and ints that depend on it", 3, of(
		space.Categorical("kind", "a", "b", "c"), space.Int("x", 1, 3).When("kind", "a"), space.Int("y", 1, 5).When("kind", "b"))},
}

// Domains returns every domain.
func Domains() []Domain { return slices.Clone(domains) }

// Space returns a space of the domain; the seed decides the points of a list. Cost O(N·d) for a list of N points.
func (d Domain) Space(seed uint64) space.Space {
	s, err := d.make(rng.New(seed, domainStream, 0))
	if err != nil {
		panic("hostile: domain " + d.Name + ": " + err.Error())
	}
	return s
}

func of(parameters ...space.Parameter) func(*rand.Rand) (space.Space, error) {
	return func(*rand.Rand) (space.Space, error) { return space.New(parameters...) }
}

func floats(dim int) func(*rand.Rand) (space.Space, error) {
	parameters := make([]space.Parameter, dim)
	for i := range parameters {
		parameters[i] = space.Float(fmt.Sprintf("x%d", i+1), -1, 3)
	}
	return of(parameters...)
}

func choice(name string) space.Parameter { return space.Categorical(name, "relu", "tanh", "gelu") }

// points are n points of [0, 1]²; every fourth is the one before it.
func points(n int, stream *rand.Rand) []space.Point {
	out := make([]space.Point, n)
	for i := range out {
		out[i] = []float64{stream.Float64(), stream.Float64()}
		if i%4 == 3 {
			out[i] = out[i-1]
		}
	}
	return out
}

func list(n int) func(*rand.Rand) (space.Space, error) {
	return func(stream *rand.Rand) (space.Space, error) {
		return space.List(points(n, stream), space.Float("x", 0, 1), space.Float("y", 0, 1))
	}
}

func contextList(stream *rand.Rand) (space.Space, error) {
	return space.List(points(50, stream), space.Float("x", 0, 1), space.Float("y", 0, 1), space.Float("z", 0, 1).AsContext())
}

// Context returns the context of a round in user units, with a value for each context parameter of the space.
func Context(s space.Space, seed uint64, round int) space.Point {
	stream := rng.New(seed, contextStream, uint64(round))
	z := make(space.Point, 0, len(s.Contexts()))
	for _, i := range s.Contexts() {
		z = append(z, s.Parameter(i).Value(stream.Float64()))
	}
	return z
}

// BadContext returns what is no context of the space: outside, no number, or of the wrong length.
func BadContext(s space.Space, seed uint64, round int) space.Point {
	z := Context(s, seed, round)
	if len(z) == 0 || round%4 == 0 {
		return append(z, 0)
	}
	z[len(z)-1] = [...]float64{math.NaN(), math.Inf(1), -1e300}[round%3]
	return z
}
