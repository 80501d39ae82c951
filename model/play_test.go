package model

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// act is something that happens to a model.
type act struct {
	kind    string // open, reveal, fail, forbid, remove, ask, adopt
	number  int
	round   int // that first sees a value
	at      time.Duration
	x       space.Unit
	output  Output
	what    Measurement
	hyper   Hyper
	context space.Unit
}

// do lets it happen; the output that it is about is that of the model, unless only says that the model has that one alone.
func (a act) do(m *Model, only Output) {
	switch a.kind {
	case "open":
		m.Open(a.number, a.number, a.at, a.x)
	case "reveal":
		switch {
		case only < 0:
			m.Reveal(a.output, a.number, a.what, a.round, a.at)
		case only == a.output:
			m.Reveal(Objective, a.number, a.what, a.round, a.at)
		}
	case "fail", "forbid":
		m.Fail(a.number, a.kind == "forbid")
	case "remove":
		m.Remove(a.number)
	case "ask":
		m.Opened()
		m.Sync()
		if a.context != nil {
			m.Face(a.context)
		}
	case "adopt": // for whichever output it is about
		m.fits.started++
		m.fits.open = m.fits.started
		switch {
		case only < 0:
			m.fits.effect = Fit{ID: m.fits.open, Output: a.output}
		case only == a.output:
			m.fits.effect = Fit{ID: m.fits.open}
		default:
			m.Forgo()
			return
		}
		if err := m.Adopt(a.hyper); err != nil {
			panic(err)
		}
	}
}

// play makes what happens in a study by chance: answers in any order, of two outputs, some with known noise; failures, losses, and
// values after them; fits; contexts that stay for a while.
type play struct {
	stream  *rand.Rand
	outputs int
	noisy   bool // noise is known of some values
	where   space.Space
	now     time.Duration
	queries int
	pending []int
	gone    []int // failed or lost: their values may come all the same
	context space.Unit
}

func newPlay(seed uint64, where space.Space, outputs int, noisy bool) *play {
	return &play{stream: rng.New(seed, rng.Test, 0), outputs: outputs, noisy: noisy, where: where}
}

// turn is what happens up to the next ask.
func (p *play) turn() (acts []act) {
	for range p.stream.IntN(3) {
		acts = append(acts, p.one()...)
	}
	p.queries++
	p.pending = append(p.pending, p.queries)
	x := p.where.Random(p.stream)
	if p.queries > 3 && p.stream.IntN(25) == 0 {
		x = slices.Clone(x)
		x[0] = 0.5
		x = p.where.Snap(x)
	}
	acts = append(acts, act{kind: "open", number: p.queries, at: p.now, x: x})
	if len(p.where.Contexts()) > 0 && (p.context == nil || p.stream.IntN(4) == 0) {
		p.context = []float64{float64(p.stream.IntN(3)) / 2}
	}
	return append(acts, act{kind: "ask", context: p.context})
}

func (p *play) one() []act {
	p.now += time.Second
	take := func(from *[]int) int {
		i := p.stream.IntN(len(*from))
		number := (*from)[i]
		*from = slices.Delete(*from, i, i+1)
		return number
	}
	switch k := p.stream.IntN(12); {
	case k < 7 && len(p.pending) > 0:
		return p.values(take(&p.pending))
	case k == 7 && len(p.gone) > 0:
		return p.values(take(&p.gone))
	case k < 10 && len(p.pending) > 3:
		number := take(&p.pending)
		p.gone = append(p.gone, number)
		return []act{{kind: []string{"fail", "remove", "forbid"}[p.stream.IntN(3)], number: number}}
	case k == 11 && p.queries > 8:
		size := 0.2 + p.stream.Float64()
		return []act{{kind: "adopt", output: Output(p.stream.IntN(p.outputs)), hyper: Hyper{Kernel: []float64{size, 0.4, 1}, Noise: 0.01 + 0.1*p.stream.Float64()}}}
	}
	return nil
}

func (p *play) values(number int) (acts []act) {
	for o := range p.outputs {
		if o > 0 && p.stream.IntN(5) == 0 {
			acts = append(acts, act{kind: "remove", number: number}) // it was not measured
			continue
		}
		what := Measurement{Value: math.Pow(10, float64(o)) * p.stream.NormFloat64()}
		if p.noisy && p.stream.IntN(2) == 0 {
			what.Variance = math.Pow(100, float64(o)) * p.stream.Float64()
		}
		acts = append(acts, act{kind: "reveal", number: number, round: p.queries + 1, at: p.now, output: Output(o), what: what})
	}
	return acts
}

// configOf is a model of these beliefs, about as many outputs as they name.
func configOf(where space.Space, wants ...Want) Config {
	c := Config{Space: where, Seed: 3, Active: MinActive, Most: MinActive, Beliefs: wants}
	if len(where.Contexts()) > 0 {
		c.Window = feedback.Window{Rounds: 9, Strict: true}
	}
	kernel := surrogate.Stationary{Family: surrogate.Matern52, Lengthscales: []float64{0.5, 0.5}, Outputscale: 1}
	for _, w := range wants {
		for len(c.Outputs) <= int(w.Output) {
			c.Outputs = append(c.Outputs, Spec{Prior: surrogate.Prior{Kernel: kernel, Noise: 0.02}})
		}
	}
	return c
}

// places are a box, and a list with a context that the pool follows.
func places(t *testing.T) []space.Space {
	t.Helper()
	points := make([]space.Point, 12)
	for i := range points {
		points[i] = []float64{float64(i) / 11}
	}
	list, err := space.List(points, space.Float("day", 0, 1).AsContext(), space.Float("dose", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	return []space.Space{square(t), list}
}
