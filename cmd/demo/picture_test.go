package main

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/stat"
)

func TestARegretFigureHasACurveForEachPolicy(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "batch:of=random,random", "-rounds", "60", "-seeds", "3")
	f := c.regretFigure(0, decay(c))
	contains(t, f.Title, "branin: regret")
	contains(t, f.Note, "mean ± standard error of 3 seeds")
	if len(f.Panels) != 2 || !f.Panels[0].LogY || !f.Panels[0].Steps || f.Panels[1].LogY || f.Panels[1].Low != 0 {
		t.Fatalf("%+v", f.Panels)
	}
	for i, p := range f.Panels {
		if len(p.Curves) != 2 || p.Curves[0].Name != "batch:of=random" || p.Curves[0].Baseline || !p.Curves[1].Baseline || len(p.Curves[1].Y) != 60 {
			t.Errorf("panel %d: %+v", i, p.Curves)
		}
	}
	// The regret of seed s of policy 1 is (1 + s/10)·Σ 0.5^(k/20), of which the mean and the standard error are 1.1 and
	// 0.1/√3 times the sum.
	sum := (1 - math.Pow(0.5, 3)) / (1 - math.Pow(0.5, 1./20))
	if want := (1.1 + 0.1/math.Sqrt(3)) * sum; math.Abs(f.Panels[1].High-want) > 1e-9 {
		t.Errorf("cumulative regret up to %v, want %v", f.Panels[1].High, want)
	}
}

func TestAFigureOfNothingKnownIsDrawn(t *testing.T) {
	unknown := []chart.Curve{{Name: "p", Y: []stat.Estimate{stat.Of(nil)}}}
	if high := top(unknown); !math.IsInf(high, -1) {
		t.Errorf("top %v", high)
	}
	if err := (chart.Figure{Panels: []chart.Panel{{High: top(unknown), Curves: unknown}}}).WriteSVG(&bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}

func TestPicturesAreWrittenToBothFiles(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "random", "-rounds", "60", "-seeds", "3")
	base := filepath.Join(t.TempDir(), "regret")
	drawn := picture{base + ".png", base + ".svg", c.regretFigure(0, decay(c))}
	if err := drawn.write(); err != nil {
		t.Fatal(err)
	}
	pictureSize(t, drawn.png, 1200, 750)
	if svg, err := os.ReadFile(drawn.svg); err != nil || !bytes.Contains(svg, []byte("simple regret")) {
		t.Errorf("%v: %.80s", err, svg)
	}
	drawn.svg = filepath.Join(base, "nowhere.svg")
	if err := drawn.write(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a picture in no folder: %v", err)
	}
}
