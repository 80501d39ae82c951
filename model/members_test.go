package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/internal/state"
	"github.com/tarry-bo/tarry/space"
)

// memberConfigs are models with three members, hyperparameters of a kernel and the weights of a network.
func memberConfigs(where space.Space) map[string]Config {
	all := map[string]Config{}
	for name, layers := range map[string][]int{"kernel": nil, "network": {4, 3}} {
		c := configOf(where, Want{Pending: feedback.Hallucinate}, Want{Pending: feedback.Hallucinate, Member: 1}, Want{Pending: feedback.Hallucinate, Member: 2})
		c.Outputs[0].Members = &Members{Count: 3, Layers: layers}
		all[name] = c
	}
	return all
}

// otherParticles are particles that a fit might bring.
func otherParticles(m *Model, k uint64) [][]float64 {
	return m.outputs[0].spec.particles.Start(m.config.Space.Dim(), rng.New(k, rng.Test, 9))
}

// adopting gives acts that adopt hyperparameters the particles that members need.
func adopting(m *Model, acts []act, turn int) []act {
	for i := range acts {
		if acts[i].kind == "adopt" {
			acts[i].hyper = Hyper{Particles: otherParticles(m, uint64(turn))}
		}
	}
	return acts
}

// Each member is at every ask the posterior of its particle's kernel, from scratch, also after a state that was kept.
func TestEachMemberIsThePosteriorOfItsParticle(t *testing.T) {
	for i, where := range places(t) {
		for name, config := range memberConfigs(where) {
			t.Run(fmt.Sprint(i, name), func(t *testing.T) {
				t.Parallel()
				p, m := newPlay(uint64(31+i), where, 1, i == 0), New(config)
				var all []act
				adopted := 0
				for turn := range 60 {
					acts := adopting(m, p.turn(), turn)
					for _, a := range acts {
						a.do(m, -1)
						adopted += bit(a.kind == "adopt")
					}
					all = append(all, acts...)
					beliefs, _ := m.Plan().Think()
					for k, b := range beliefs {
						m.of(k).compare(t, b)
						if got, want := b.Posterior.Prior().Kernel.Name(), m.outputs[0].members[k].Kernel.Name(); got != want {
							t.Fatalf("member %d has kernel %s, want %s", k, got, want)
						}
					}
					if turn%12 != 11 {
						continue
					}
					restored, seen := New(config), New(config)
					replayed(seen, all)
					if err := errors.Join(state.Read(state.Bytes(nil, m.Visit), restored.Visit), restored.Complete(seen, m.beliefs[0].context)); err != nil {
						t.Fatal(err)
					}
					if what := unlikeness(m, restored); what != "" || restored.Check() != nil {
						t.Fatalf("turn %d: %s (%v)", turn, what, restored.Check())
					}
					again, _ := restored.Plan().Think()
					for k := range again {
						if what := sameBelief(where, beliefs[k], again[k]); what != "" {
							t.Fatalf("turn %d, member %d: %s", turn, k, what)
						}
					}
				}
				if adopted < 2 {
					t.Errorf("%d fits", adopted)
				}
			})
		}
	}
}

// answered is a model in which n values came.
func answered(config Config, n int) *Model {
	m, stream := New(config), rng.New(5, rng.Test, 4)
	for k := 1; k <= n; k++ {
		x := config.Space.Random(stream)
		m.Open(k, k, 0, x)
		m.Reveal(Objective, k, Measurement{Value: 100 + 20*math.Sin(6*x[0])}, k+1, 0)
	}
	m.Sync()
	return m
}

func TestAFitMovesParticles(t *testing.T) {
	for name, config := range memberConfigs(square(t)) {
		m := answered(config, 12)
		f, ok := m.BeginFit()
		if !ok || f.Members == nil || !reflect.DeepEqual(f.Particles, m.outputs[0].particles) || f.Steps != fitSteps {
			t.Fatalf("%s: fit %+v", name, f)
		}
		h, err := f.Learn()
		if err != nil || len(h.Particles) != 3 || reflect.DeepEqual(h.Particles, f.Particles) || !(h.Noise > 0) || len(h.Kernel) == 0 {
			t.Fatalf("%s: %+v, %v", name, h, err)
		}
		if again, err := f.Learn(); err != nil || !reflect.DeepEqual(again, h) {
			t.Errorf("%s: the same fit gave another result", name)
		}
		if err := m.Adopt(h); err != nil {
			t.Fatal(err)
		}
		m.Sync()
		if m.Noise(Objective) != h.Noise || !slices.Equal(m.outputs[0].prior.Kernel.Values(), h.Kernel) || !reflect.DeepEqual(m.Particles(Objective), h.Particles) {
			t.Errorf("%s: the best particle is not the kernel of the output", name)
		}
	}
}

// Particles that are none change nothing.
func TestParticlesOfAnotherKernelAreRefused(t *testing.T) {
	for name, config := range memberConfigs(square(t)) {
		m := answered(config, 5)
		good := otherParticles(m, 1)
		for what, theta := range map[string][][]float64{
			"want 3":  good[:2],
			"numbers": {good[0], good[1], good[2][1:]},
			"finite":  {good[0], good[1], append([]float64{math.NaN()}, good[2][1:]...)},
		} {
			if _, ok := m.BeginFit(); !ok {
				m.fits.started++
				m.fits.open, m.fits.effect = m.fits.started, Fit{ID: m.fits.started}
			}
			if err := m.Adopt(Hyper{Particles: theta}); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: %v, want %q", name, err, what)
			}
		}
		if m.outputs[0].next != nil {
			t.Errorf("%s: something was adopted", name)
		}
	}
}

// A task after another begins with its particles, which are also the prior, and what is learned at its end leaves it as it is.
func TestATaskBeginsWithTheParticlesOfTheLast(t *testing.T) {
	for name, config := range memberConfigs(square(t)) {
		first := answered(config, 15)
		before := state.Bytes(nil, first.Visit)
		lesson, ok := first.Lesson(Objective)
		if !ok || lesson.Steps != lessonSteps {
			t.Fatal(name, lesson.Steps, ok)
		}
		lesson.Steps = 50
		h, err := lesson.Learn()
		if err != nil || !slices.Equal(before, state.Bytes(nil, first.Visit)) {
			t.Fatalf("%s: %v, or the study has changed", name, err)
		}
		config.Outputs[0].Members.Learned = h.Particles
		next := New(config)
		if err := config.Outputs[0].CheckMembers(config); err != nil || !reflect.DeepEqual(next.Particles(Objective), h.Particles) {
			t.Errorf("%s: other particles (%v)", name, err)
		}
		if _, mixed := next.outputs[0].spec.particles.Prior.(particles.Mixture); !mixed {
			t.Errorf("%s: the prior is %T", name, next.outputs[0].spec.particles.Prior)
		}
		if _, ok := next.Lesson(Objective); ok {
			t.Errorf("%s: something to learn from nothing", name)
		}
		if first.Believed() || !next.Believed() {
			t.Errorf("%s: nothing taught is believed, or what was taught is not", name)
		}
		next.fits.open = 1
		if err := next.Adopt(Hyper{Particles: otherParticles(next, 3)}); err != nil || next.Believed() != (name == "network") {
			t.Errorf("%s: particles from elsewhere (%v)", name, err)
		}
		config.Outputs[0].Members.Learned = h.Particles[:2]
		if config.Outputs[0].CheckMembers(config) == nil {
			t.Errorf("%s: two particles of three were taken", name)
		}
	}
	if _, ok := answered(configOf(square(t), Want{}), 5).Lesson(Objective); ok {
		t.Error("a model without members has a lesson")
	}
}
