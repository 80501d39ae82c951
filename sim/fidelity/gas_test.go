package fidelity

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// A source that is found but for its rate, where only one sensor reads anything, by hand.
func TestTheValueOfAGasSourceIsTheMeanSquareOfItsReadings(t *testing.T) {
	p, truth := Gas(1, 0), drawSource(rng.New(1, rng.Problem, 0))
	s := drawSensors(rng.New(1, rng.Task, 0))
	twice := slices.Clone(truth)
	twice[0] *= 2
	want := 0.0
	for _, at := range s {
		c := plume{rate: truth[0], height: truth[3], wind: 3}.concentration(classes[5], at[0]-truth[1], at[1]-truth[2], 1.5)
		d := math.Log10(1+2*c/1e-6) - math.Log10(1+c/1e-6)
		want -= d * d / 64
	}
	must.Near(t, "value at twice the rate", p.Value(twice, 5), want, 1e-12)
	if want > -1e-4 {
		t.Errorf("twice the rate costs %v only", -want)
	}
}

func TestTheTruthIsBestUnderItsOwnStabilityClassOnly(t *testing.T) {
	for seed := range uint64(20) {
		p := Gas(seed, 1)
		truth, _ := p.Optimum()
		last := math.Inf(-1)
		for level := range p.Levels {
			v := p.Value(truth, level)
			if v <= last || v > 0 || (v == 0) != (level == 5) {
				t.Errorf("seed %d, fidelity %d: value %v at the truth, %v at the fidelity below", seed, level, v, last)
			}
			last = v
		}
	}
}

// There are four numbers to find: with four sensors in the plume, they can be.
func TestNearlyAllTasksHaveFourSensorsInThePlume(t *testing.T) {
	few := 0
	for seed := range uint64(20) {
		for task := range 20 {
			readings := drawSensors(rng.New(seed, rng.Task, uint64(task))).readings(drawSource(rng.New(seed, rng.Problem, 0)), classes[5])
			seeing := 0
			for _, r := range readings {
				if r > 0.05 {
					seeing++
				}
			}
			if seeing < 4 {
				few++
			}
		}
	}
	if few > 8 {
		t.Errorf("%d of 400 tasks have fewer", few)
	}
}

func TestEachSensorIsInASquareOfItsOwn(t *testing.T) {
	for i, at := range drawSensors(rng.New(3, rng.Task, 0)) {
		row, column := math.Floor((at[0]+500)/125), math.Floor((at[1]+500)/125)
		if row != float64(i/8) || column != float64(i%8) {
			t.Errorf("sensor %d is at %v", i, at)
		}
	}
}

func BenchmarkGas(b *testing.B) {
	p, x := Gas(1, 0), space.Point{2000, -100, 20, 5}
	for b.Loop() {
		p.Value(x, 5)
	}
}

func BenchmarkHartmann(b *testing.B) {
	p, x := Hartmann(1, 0), space.Point{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}
	for b.Loop() {
		p.Value(x, 3)
	}
}
