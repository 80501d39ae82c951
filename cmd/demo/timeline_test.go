package main

import (
	"bytes"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/tarry-bo/tarry"
)

func TestPicturesOfTheLanesShowWhatBecameOfEachEvaluation(t *testing.T) {
	c := told(2, goes(0, 1, 1, 2, 2), comes(500*ms, 1, 0.9, true, 3, 1), fails(1000*ms, 2), comes(1500*ms, 3, 0.8, false), goes(1500*ms, 4, 2),
		stops(2000*ms, cut(4, 2, 2000*ms)))
	got := c.segments()
	want := []segment{{1, 0, 0.5, observed, true}, {2, 0, 1, failed, false}, {1, 0.5, 1.5, observed, false}, {2, 1.5, 2, cancelled, false}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i, s := range got {
		if s != want[i] {
			t.Errorf("segment %d: %+v, want %+v", i, s, want[i])
		}
	}
	if steps := c.steps(); len(steps) != 1 || steps[0].X != 0.5 || steps[0].Y != 90 {
		t.Errorf("steps %v", steps)
	}
	if fateOf(tarry.TimedOut) != failed || fateOf(tarry.Late) != observed {
		t.Error("fates")
	}
}

func TestATimelineHasACurveForEachMethodAndTheLanesOfTheFirst(t *testing.T) {
	tuning := tuned(t, "-wait", "fixed:1", "-time", "2s", "-workers", "3")
	got := tuning.timeline(reached(tuning, 0.97, 0.96, 0.95).performances)
	if len(got.curves) != 3 || !got.curves[1].baseline || got.curves[2].name != "gp-bucb, 1 worker" || got.workers != 3 || got.seconds != 2 || len(got.segments) != 2 {
		t.Errorf("%+v", got)
	}
	contains(t, got.subtitle, "real training plus a simulated wait, fixed:1 seconds; 2 s for each method", "seed 1")
}

func TestTheAccuracyAxisIsLogarithmicInTheError(t *testing.T) {
	var s accuracyScale
	if got := s.Normalize(90, 99, 90+9*0.75); math.Abs(got-0.488) > 0.001 { // log(10/3.25) / log(10)
		t.Errorf("%v", got)
	}
	if s.Normalize(96, 99, 96) != 0 || s.Normalize(96, 99, 99) != 1 || math.IsInf(s.Normalize(50, 100, 100), 0) {
		t.Error("the ends are 0 and 1, also with an error of nothing")
	}
	for _, c := range []struct {
		points    []float64
		low, high float64
	}{{[]float64{62.8, 97.24}, 55, 97.6}, {[]float64{97.5}, 97.2, 97.8}, {[]float64{0, 100}, 0, 100}, {nil, 0, 90}} {
		var points plotter.XYs
		for _, v := range c.points {
			points = append(points, plotter.XY{Y: v})
		}
		low, high := accuracyRange([]curve{{points: points}})
		if low < c.low || high > c.high || !(low < high) {
			t.Errorf("%v: %v to %v", c.points, low, high)
		}
		ticks := accuracyTicks{}.Ticks(low, high)
		if len(ticks) < 2 && len(c.points) != 1 || len(ticks) > 16 {
			t.Errorf("%v: %d ticks", c.points, len(ticks))
		}
		for i, a := range ticks {
			for _, b := range ticks[:i] {
				if math.Abs(s.Normalize(low, high, a.Value)-s.Normalize(low, high, b.Value)) < nearestTicks {
					t.Errorf("%v: the ticks %s and %s are too close", c.points, a.Label, b.Label)
				}
			}
		}
	}
}

func TestWorkerTicks(t *testing.T) {
	for workers, want := range map[int]string{1: "1", 3: "1 2 3", 16: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16", 32: "1 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32",
		100: "1 10 20 30 40 50 60 70 80 90 100", 1024: "1 100 200 300 400 500 600 700 800 900 1000"} {
		var labels []string
		for _, k := range workerTicks(workers) {
			labels = append(labels, k.Label)
		}
		if got := strings.Join(labels, " "); got != want {
			t.Errorf("%d: %s, want %s", workers, got, want)
		}
	}
}

func TestPicturesOfExtremeTimelines(t *testing.T) {
	dir := t.TempDir()
	many := timeline{title: "many", subtitle: strings.Repeat("long ", 50), seconds: 1e-3, lanes: "many, 1024 workers", workers: 1024}
	for k := range 1024 {
		many.segments = append(many.segments, segment{k + 1, 0, 1e-3, fate(k % 3), k%100 == 0})
	}
	for k := range 12 {
		many.curves = append(many.curves, curve{"a policy with a long name:and=options, 8 workers", k == 0, plotter.XYs{{X: 1e-4, Y: 100}}})
	}
	for name, drawn := range map[string]timeline{
		"many": many, "empty": {seconds: 1, workers: 1, curves: []curve{{name: "none"}}},
		"day": {seconds: 86400, workers: 2, curves: []curve{{"slow", false, plotter.XYs{{X: 80000, Y: 0}}}}, segments: []segment{{1, 0, 90000, observed, true}, {2, 0, 0, failed, false}}},
	} {
		path := filepath.Join(dir, name)
		if err := (picture{path + ".png", path + ".svg", drawn.drawing()}).write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file, err := os.ReadFile(path + ".png")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if svg, _ := os.ReadFile(path + ".svg"); !bytes.Contains(svg, []byte("wall-clock time, s")) || bytes.Contains(svg, []byte("NaN")) {
			t.Errorf("%s.svg", name)
		}
	}
}

func TestTheTimeAxisIsNotLongerThanItMustBe(t *testing.T) {
	tuning := tuned(t, "-time", "2s")
	done := reached(tuning, 0.97, 0.96, 0.95)
	done.performances[1].course.at = 2300 * ms // the engine was slow to stop
	if got := tuning.timeline(done.performances).seconds; got != (2300 * time.Millisecond).Seconds() {
		t.Errorf("%v s", got)
	}
}
