package policies

import (
	"math"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
)

func TestWordsFollowTheSenseOfAStudy(t *testing.T) {
	for words, want := range map[string][2]string{
		"{upper|lower} bound, {above|below} {it|}": {"upper bound, above it", "lower bound, below "},
		"no {braces}, a | b":                       {"no {braces}, a | b", "no {braces}, a | b"},
	} {
		if up, down := Worded(words, outcome.Maximize), Worded(words, outcome.Minimize); up != want[0] || down != want[1] {
			t.Errorf("%q: %q and %q", words, up, down)
		}
	}
	if zero := Level.In(feedback.Units{Scale: 1}, outcome.Minimize, 0); math.Signbit(zero) {
		t.Error("there is a negative zero")
	}
}

// Whatever a policy says of the mean and of bounds says so in the sense of the study.
func TestNoExplanationKnowsOneSenseOnly(t *testing.T) {
	v, said := levelled(t, 1), 0
	for _, name := range General() {
		p, err := Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Explain(p, v, rng.New(1, rng.Test, 0))
		if err != nil {
			continue
		}
		words := e.Acquisition + "; " + e.Why
		for _, f := range e.Numbers {
			words += "; " + f.Name
		}
		words = Worded(words, outcome.Minimize)
		said++
		for _, wrong := range []string{"upper confidence", "above the mean", "greatest mean", "the maximum", "upper quantile"} {
			if strings.Contains(words, wrong) {
				t.Errorf("%s, minimizing: %q in %q", name, wrong, words)
			}
		}
	}
	if said < 15 {
		t.Errorf("%d policies say something", said)
	}
}

// Under a warp distances grow exponentially: there a forecast gets no wider than what holds nearly all values.
func TestAForecastUnderAWarpIsWidenedWithinReason(t *testing.T) {
	bent := feedback.Warp{Bend: feedback.Bend{Shape: feedback.Both, Scale: 0.1}}
	for _, c := range []struct {
		warp             feedback.Warp
		stddev, by, want float64
	}{{feedback.Warp{}, 0.5, 20, 10}, {bent, 0.05, 20, 1}, {bent, 0.5, 20, 2}, {bent, 3, 20, 3}, {bent, 3, 0.5, 1.5}, {bent, 0.5, 0.5, 0.25}} {
		if got := widened(Forecast{Warp: c.warp, Stddev: c.stddev}, c.by); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v by %v: %v, want %v", c.stddev, c.by, got, c.want)
		}
	}
}
