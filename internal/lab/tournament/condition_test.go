package tournament

import (
	"math"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func TestTheUsualCellsHaveEveryKindInBothHalves(t *testing.T) {
	for _, half := range []string{Tuning, Judging, Reserve} {
		seen, cells := map[any]bool{}, map[string]bool{}
		for _, c := range Usual(problems(t), 60) {
			if c.Problem.Half != half {
				continue
			}
			if cells[c.Name()] {
				t.Errorf("%s is there twice", c.Name())
			}
			cells[c.Name()] = true
			seen["noise "+c.Condition.Noise], seen["delay "+c.Condition.Delay], seen[c.Condition.Workers] = true, true, true
		}
		for _, k := range Noises {
			if !seen["noise "+k.Name] {
				t.Errorf("%s: no cell with %s noise", half, k.Name)
			}
		}
		for _, k := range Delays {
			if !seen["delay "+k.Name] {
				t.Errorf("%s: no cell with %s delays", half, k.Name)
			}
		}
		if !seen[1] || !seen[8] || !seen[32] {
			t.Errorf("%s: not every number of workers", half)
		}
	}
}

func TestTheUsualConditionsOfAProblemDoNotDependOnTheOthers(t *testing.T) {
	all := problems(t)
	whole := Usual(all, 60)
	for i, p := range all {
		for k, c := range Usual([]*Problem{p}, 60) {
			if c.Name() != whole[2*i+k].Name() {
				t.Errorf("alone %s, among all %s", c.Name(), whole[2*i+k].Name())
			}
		}
	}
}

func TestEveryKindOfDelaysIsALaw(t *testing.T) {
	for _, k := range Delays {
		if _, err := delay.ParseLaw(law(k.Name)); err != nil {
			t.Error(err)
		}
	}
}

func TestNoiseIsAsLargeAsItsKindSays(t *testing.T) {
	s, err := unitBox(2)
	if err != nil {
		t.Fatal(err)
	}
	p := sim.Problem{Space: s, Value: func(space.Point) float64 { return 7 }}
	const n, sd = 40_000, 3
	for _, c := range []struct {
		noise string
		x     float64
		want  float64
	}{{"small", 0.5, 0.02}, {"large", 0.5, 0.2}, {"uneven", 0, 0.02}, {"uneven", 1, 0.4}, {"uneven", 0.5, 0.21}} {
		square, stream := 0.0, rng.New(1, rng.Test, 0)
		for range n {
			e := (under(p, c.noise, sd).Observe([]float64{c.x, 0}, stream) - 7) / sd
			square += e * e / n
		}
		if got := math.Sqrt(square); math.Abs(got-c.want) > 0.02*c.want {
			t.Errorf("%s noise at %v: %v, want %v", c.noise, c.x, got, c.want)
		}
	}
	if under(p, "no", sd).Observe != nil {
		t.Error("no noise is noise")
	}
	// P(|T| > 3.182446) is 5 % with three degrees of freedom.
	beyond, stream := 0, rng.New(1, rng.Test, 1)
	for range n {
		if math.Abs(under(p, "heavy", sd).Observe([]float64{0, 0}, stream)-7) > 0.1*sd*3.182446 {
			beyond++
		}
	}
	if share := float64(beyond) / n; math.Abs(share-0.05) > 0.005 {
		t.Errorf("%v beyond the ends, want 0.05", share)
	}
}

func TestKindsThatDoNotExistAreRefused(t *testing.T) {
	var l check.List
	ReadKinds(&l, "-noise", "small,loud,small", Noises)
	const want = "-noise = loud: want each once of no, small, large, uneven, heavy\n-noise = small: want each once of no, small, large, uneven, heavy"
	if l.Err() == nil || l.Err().Error() != want {
		t.Errorf("%v, want\n%s", l.Err(), want)
	}
}
