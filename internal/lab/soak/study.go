package soak

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/hostile"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// soakStream is what a study is; its index is the number of the study.
const soakStream rng.Name = "soak"

// study is everything that the number of a study decides.
type study struct {
	number int
	seed   uint64
	large  bool
	replay bool // whether it is played a second time, from its journal
	kind   hostile.Kind
	domain hostile.Domain
	points hostile.Points // of forced proposals
	forced float64        // share of asks that are answered with forced points
	policy policies.Policy
	config loop.Config
	slots  []int // by worker

	misfortunes sim.Misfortunes
}

const (
	replayEvery = 20 // small studies
	maxSlots    = 16
	maxLargeDim = 20 // parameters of a large study, so that it takes minutes
)

// Bounds of the most rows of the active model: of a large study, and of a small one where that is bounded.
const (
	minActive, maxActive           = 100, 400
	minSmallActive, maxSmallActive = 50, 80
)

// draw returns the study of that number.
func (s soaking) draw(number int) study {
	stream := rng.New(s.seed, soakStream, uint64(number))
	t := study{number: number, seed: stream.Uint64(), large: number <= s.large}
	t.replay = !t.large && number%replayEvery == 0
	t.kind = pick(stream, s.kinds)
	t.domain = pick(stream, slices.DeleteFunc(hostile.Domains(), func(d hostile.Domain) bool { return t.large && !t.lasting(d) }))
	t.policy = s.drawPolicy(stream, t.large)
	t.points, t.forced = drawPoints(stream, t.kind.Points)
	t.misfortunes = drawMisfortunes(stream)
	for left := 1 + stream.IntN(maxSlots); left > 0; {
		n := 1 + stream.IntN(left)
		t.slots = append(t.slots, n)
		left -= n
	}
	t.config = t.drawConfig(stream, s.evaluations(number))
	return t
}

// lasting reports whether a large study is large in the domain, and takes minutes.
func (t study) lasting(d hostile.Domain) bool {
	return d.Dim <= maxLargeDim && d.Space(t.seed).Distinct(loop.MaxBudget) == 0
}

func pick[T any](stream *rand.Rand, from []T) T { return from[stream.IntN(len(from))] }

func chance(stream *rand.Rand, p float64) bool { return stream.Float64() < p }

// drawPolicy prefers the policy that most studies have.
func (s soaking) drawPolicy(stream *rand.Rand, large bool) policies.Policy {
	preference := 0.5
	if large {
		preference = 0.8
	}
	usual := slices.IndexFunc(s.policies, func(c console.Contender) bool { return c.Name == policies.Default })
	if preferred, other := chance(stream, preference), pick(stream, s.policies); usual < 0 || !preferred {
		return other.Policy
	}
	return s.policies[usual].Policy
}

// drawPoints leaves the points of three studies in four to the policy, unless the kind of values is about points.
func drawPoints(stream *rand.Rand, own hostile.Points) (hostile.Points, float64) {
	share, other, free := 0.2+0.8*stream.Float64(), pick(stream, hostile.Forced()), chance(stream, 0.75)
	switch {
	case own != hostile.Free:
		return own, share
	case free:
		return hostile.Free, 0
	}
	return other, share
}

// drawMisfortunes leaves each misfortune out of half the studies.
func drawMisfortunes(stream *rand.Rand) sim.Misfortunes {
	upTo := func(most float64) float64 { return most * max(2*stream.Float64()-1, 0) }
	return sim.Misfortunes{
		Fail: upTo(0.3), Late: upTo(0.2), Repeat: upTo(0.2), Contradict: upTo(0.1), Follow: upTo(0.3),
		Stray: upTo(0.1), Leave: upTo(0.05), Outside: upTo(0.2),
	}
}

// drawConfig is the configuration of a study with the given budget.
func (t study) drawConfig(stream *rand.Rand, budget int) loop.Config {
	c := loop.Config{
		Space: t.domain.Space(t.seed), Traits: t.policy.Traits(), Seed: t.seed, Budget: budget,
		Minimize: chance(stream, 0.5), FitBeside: chance(stream, 0.5), FitAbreast: t.seed%2 == 0, FitOnce: t.seed%3 > 0, Retries: stream.IntN(3),
		Design: pick(stream, []space.Design{space.Uniform, space.LatinHypercube, space.Halton}),
	}
	if chance(stream, 0.5) {
		c.Timeout = sim.AdversaryTimeout
	}
	if chance(stream, 0.3) {
		c.Patience = 10 * sim.AdversaryTimeout
	}
	if chance(stream, 0.4) {
		c.Window = feedback.Window{Rounds: 1 + stream.IntN(30), Strict: chance(stream, 0.5)}
	}
	if floor := pick(stream, []float64{0, -1000, 1e300, -1e300, -math.MaxFloat64}); chance(stream, 0.2) {
		c.Floor, c.Range = &floor, pick(stream, []float64{0, 1, 1e-300, 1e300})
	}
	if kernels := surrogate.KernelNames(); chance(stream, 0.25) {
		c.Model.Kernel = pick(stream, kernels)
	}
	switch known := chance(stream, 0.15); {
	case t.kind.Known:
		c.Model.Kernel, c.Model.Noise = "se", 1e-12
		c.Model.Hyper = knownHyper("se", c.Space.Dim(), func() float64 { return 1 })
	case known:
		c.Model.Noise = pick(stream, []float64{1e-12, 1e-300, 1e-6, 1, 1e6})
		c.Model.Hyper = knownHyper(c.Model.Kernel, c.Space.Dim(), func() float64 { return math.Pow(10, 8*stream.Float64()-4) })
	}
	c.Model.Active = t.drawActive(stream)
	return c
}

// drawActive is the most rows that the active model has; 0 stands for the default, which no small study reaches.
func (t study) drawActive(stream *rand.Rand) int {
	bounded := chance(stream, 0.25)
	switch {
	case t.large:
		return minActive + stream.IntN(maxActive-minActive+1)
	case bounded:
		return minSmallActive + stream.IntN(maxSmallActive-minSmallActive+1)
	}
	return 0
}

// knownHyper are the hyperparameters that a kernel has before any data, each times a factor.
func knownHyper(kernel string, dim int, factor func() float64) []float64 {
	if kernel == "" {
		kernel = "matern52"
	}
	prior, err := surrogate.DefaultPrior(kernel, dim)
	if err != nil {
		panic("soak: " + err.Error()) // the name is one of the list
	}
	hyper := prior.Kernel.Params()
	for i, log := range hyper {
		hyper[i] = math.Exp(log) * factor()
	}
	return hyper
}
