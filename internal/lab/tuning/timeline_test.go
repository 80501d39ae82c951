package tuning

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/stat"
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
	steps := performance{method: method{name: "gp-bucb:beta=2", workers: 2}, course: c}.curve()
	if len(steps.X) != 1 || steps.X[0] != 0.5 || steps.Y[0].Mean != 90 || steps.Name != "gp-bucb:beta=2, 2 workers" || steps.Policy != "gp-bucb:beta=2" {
		t.Errorf("%+v", steps)
	}
	if fateOf(tarry.TimedOut) != failed || fateOf(tarry.Late) != observed {
		t.Error("fates")
	}
}

func TestATimelineHasACurveForEachMethodAndTheLanesOfTheFirst(t *testing.T) {
	tuning := tuned(t, "-wait", "fixed:1", "-time", "2s", "-workers", "3")
	got := tuning.timeline(reached(tuning, 0.97, 0.96, 0.95).performances)
	if len(got.curves) != 3 || got.curves[1].Policy != "random" || got.curves[2].Name != "auto, 1 worker" || got.workers != 3 || got.seconds != 2 || len(got.segments) != 2 {
		t.Errorf("%+v", got)
	}
	consoletest.Contains(t, got.subtitle, "real training plus a simulated wait, fixed:1 seconds; 2 s for each method", "seed 1")
}

func TestTheLegendOfTheLanesHasWhatIsThere(t *testing.T) {
	names := func(t timeline) (out []string) {
		for _, k := range t.fateKeys() {
			out = append(out, k.Name)
		}
		return out
	}
	if got := names(timeline{segments: []segment{{fate: observed}, {fate: cancelled, best: true}}}); !slices.Equal(got, []string{"its value came", "cancelled at the end", "new incumbent"}) {
		t.Errorf("%q", got)
	}
	if got := names(timeline{segments: []segment{{fate: failed}}}); !slices.Equal(got, []string{"failed or took too long"}) {
		t.Errorf("%q", got)
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
	many := timeline{title: "many", subtitle: strings.Repeat("long ", 50), seconds: 1e-3, lanes: method{name: "many", workers: 1024}, workers: 1024}
	at := func(v float64) []stat.Estimate { return []stat.Estimate{{N: 1, Mean: v, SE: math.NaN()}} }
	for k := range 1024 {
		many.segments = append(many.segments, segment{k + 1, 0, 1e-3, fate(k % 3), k%100 == 0})
	}
	for k := range 12 {
		many.curves = append(many.curves, chart.Curve{Name: fmt.Sprintf("a policy with a long name:and=options, %d workers", k), X: []float64{1e-4}, Y: at(100)})
	}
	for name, drawn := range map[string]timeline{
		"many": many, "empty": {seconds: 1, workers: 1, curves: []chart.Curve{{Name: "none"}}},
		"day": {seconds: 86400, workers: 2, curves: []chart.Curve{{Name: "slow", X: []float64{80000}, Y: at(0)}}, segments: []segment{{1, 0, 90000, observed, true}, {2, 0, 0, failed, false}}},
	} {
		path := filepath.Join(dir, name)
		drawing, err := drawn.drawing()
		if err == nil {
			err = chart.Save(path, drawing)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		file := must.Get(os.ReadFile(path + ".png"))(t)
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
