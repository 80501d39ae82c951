package tuning

import (
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/space"
)

// tuned is a sound request; the flags come after the defaults.
func tuned(t *testing.T, args ...string) tuning {
	t.Helper()
	r, f := newTune()
	r.plot = t.TempDir() + "/x.png"
	if err := f.Parse(args, console.Streams{}); err != nil {
		t.Fatal(err)
	}
	return must.Get(r.settle(f))(t)
}

// judgedBy replaces the held-out data: the accuracy is 0.9 for C = 1, 0.91 for C = 2, and so on.
func judgedBy(t tuning) tuning {
	t.problem.HeldOut = func(x space.Point) float64 { return 0.89 + x[0]/100 }
	return t
}

// reached is a program in which the three methods had the given best values.
func reached(t tuning, values ...float64) program {
	done := program{stopwatch: &stopwatch{}}
	for i, v := range values {
		m := t.methods[i]
		c := told(m.workers, goes(0, 1, 1), comes(time.Duration(i+1)*100*ms, 1, v, true, 2, 1), stops(t.allowance, cut(2, 1, t.allowance)))
		done.performances = append(done.performances, performance{m, c, true})
		done.stopwatch.add(5*ms, time.Duration(i+1)*100*ms)
	}
	return done
}

func TestVerdict(t *testing.T) {
	tuning := judgedBy(tuned(t, "-wait", "fixed:1", "-time", "2s"))
	done := reached(tuning, 0.9741, 0.9712, 0.9612)
	done.performances[1].course.apply(goes(0, 3, 2))
	done.performances[1].course.apply(fails(1000*ms, 3))
	done.performances[0].course.blind = 1
	consoletest.Golden(t, "verdict.txt", tuning.verdict(done))
}

func TestVerdictAdmitsWhatDidAsWellOrBetter(t *testing.T) {
	tuning := tuned(t)
	consoletest.Contains(t, tuning.verdict(reached(tuning, 0.97, 0.97, 0.98)),
		"Best: C=1 gamma=0.5, 98.00 % in cross-validation",
		"In this run random with 8 workers did as well as auto with 8 workers: the best came after 0.20 s against 0.10 s.",
		"In this run auto with 1 worker did better than auto with 8 workers, by 1.00 points.")
}

func TestOfEqualsTheFirstFoundIsTheBest(t *testing.T) {
	tuning := tuned(t)
	done := reached(tuning, 0.97, 0.97, 0.97)
	done.performances[0].course.spans[0].ended = 900 * ms
	consoletest.Contains(t, tuning.verdict(done), "held out (random, 8 workers, after 0.20 s)")
}

func TestVerdictWithoutValues(t *testing.T) {
	tuning := tuned(t)
	done := program{stopwatch: &stopwatch{}}
	if got := tuning.verdict(done); got != "Nothing was tuned.\n" {
		t.Error(got)
	}
	c := told(8, goes(0, 1, 1), stops(time.Second, cut(1, 1, time.Second)))
	done.performances = []performance{{tuning.methods[0], c, false}}
	text := tuning.verdict(done)
	consoletest.Contains(t, text, "auto, 8 workers (interrupted)", "│ -", "No evaluation came to its end")
	if strings.Contains(text, "On average") {
		t.Errorf("a mean of nothing:\n%s", text)
	}
}

func TestAMethodThatWasInterruptedIsNotCompared(t *testing.T) {
	tuning := tuned(t)
	done := reached(tuning, 0.97, 0.99)
	done.performances[1].complete = false
	if text := tuning.verdict(done); strings.Contains(text, "In this run") {
		t.Error(text)
	}
}

func TestTheMethodsDiffer(t *testing.T) {
	for args, want := range map[string]string{
		"":                          "auto, 8 workers|random, 8 workers|auto, 1 worker",
		"-policy random -workers 3": "random, 3 workers|random, 1 worker",
		"-policy ts-sdf -workers 1": "ts-sdf, 1 worker|random, 1 worker",
		"-policy random -workers 1": "random, 1 worker",
	} {
		var got []string
		for _, m := range tuned(t, strings.Fields(args)...).methods {
			got = append(got, m.label())
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: %v", args, got)
		}
	}
}
