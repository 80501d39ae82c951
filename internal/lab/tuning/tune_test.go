package tuning

import (
	"bytes"
	"context"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/space"
)

// demo is the program with this command alone.
var demo = consoletest.Program(Command())

// What is trained is real. The clock is that of a bubble, so that a machine which has much else to do trains in no time too.
func TestTuneTrainsLiveAndJudges(t *testing.T) {
	synctest.Test(t, trainsAndJudges)
}

func trainsAndJudges(t *testing.T) {
	t.Cleanup(func() { time.Sleep(time.Minute) }) // whatever the engine leaves behind is gone then
	dir := t.TempDir()
	plot, log := filepath.Join(dir, "svm.png"), filepath.Join(dir, "events.jsonl")
	begin := time.Now()
	code, out, progress := consoletest.Execute(t, demo, "-time", "1s", "-wait", "exponential:0.1", "-workers", "4", "-seed", "3", "-plot", plot, "-log", log)
	if code != console.ExitOK || time.Since(begin) < 3*time.Second {
		t.Fatalf("code %d after %v\n%s", code, time.Since(begin), progress)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if !strings.HasPrefix(lines[0], "Tuning C and gamma") {
		t.Errorf("it does not say first what will happen:\n%s", out)
	}
	if last := lines[len(lines)-1]; last != "reproduce: go run ./cmd/demo -problem svm-breast -policy auto -workers 4 -wait exponential:0.1 -time 1s -seed 3 -plot "+plot+" -log "+log {
		t.Errorf("last line: %s", last)
	}
	rows := regexp.MustCompile(`(?m)^│ (auto|random), \d workers? +│ +\d+ │ C=\S+ gamma=\S+ +│ +\d\d\.\d\d │ +\d\d\.\d\d │ .* m?s │ +\d+ % │$`).FindAllString(out, -1)
	if len(rows) != 3 {
		t.Errorf("%d rows of methods with values:\n%s", len(rows), out)
	}
	consoletest.Contains(t, out, "auto, 1 worker: one evaluation at a time", " + simulated wait ", "held-out %", "Best: C=", "svm.png")
	consoletest.Contains(t, progress, "method 1 of 3: auto, 4 workers: ", "method 3 of 3: auto, 1 worker: ")
	if strings.Contains(out+progress, "\x1b") {
		t.Error("control sequences without a terminal")
	}
	for _, path := range []string{plot, filepath.Join(dir, "svm.svg")} {
		if info, err := os.Stat(path); err != nil || info.Size() < 5000 {
			t.Errorf("%s: %v", path, err)
		}
	}
	if file, err := os.Open(plot); err != nil {
		t.Error(err)
	} else if _, err := png.Decode(file); err != nil {
		t.Error(err)
	}
	file, _ := os.ReadFile(log)
	for line := range strings.Lines(string(file)) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
	}
	consoletest.Contains(t, string(file), "auto, 1 worker", "study started", "new incumbent", "study interrupted")
}

func TestAnInterruptedTuningPrintsWhatItReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) }) // whatever the engine leaves behind is gone then
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel) // in the second method
		var out, progress bytes.Buffer
		args := []string{"-time", "2s", "-wait", "fixed:0.3", "-workers", "2", "-policy", "ts-sdf", "-plot", filepath.Join(t.TempDir(), "x.png")}
		if code := demo.Run(ctx, args, &out, &progress); code != console.ExitInterrupted {
			t.Errorf("code %d", code)
		}
		consoletest.Contains(t, out.String(), "Interrupted: this is what was reached.", "│ ts-sdf, 2 workers ", "│ random, 2 workers (interrupted) ",
			"│        6 │", "Best: C=", "No picture, since not all methods had their time.", "reproduce: go run ./cmd/demo")
		consoletest.Contains(t, progress.String(), "demo: interrupted: 1 of 3 methods had their time")
		if strings.Contains(out.String(), "ts-sdf, 1 worker ") {
			t.Errorf("a method that never began is in the table:\n%s", out.String())
		}
	})
}

func TestATuningInterruptedBeforeItBegins(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, progress bytes.Buffer
	if code := demo.Run(ctx, []string{"-plot", filepath.Join(t.TempDir(), "x.png")}, &out, &progress); code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	consoletest.Contains(t, out.String(), "Nothing was tuned.")
}

func TestAnswersThatNeverComeAreGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		t.Cleanup(func() { time.Sleep(time.Minute) })
		var out, progress bytes.Buffer
		args := []string{"-problem", "logreg-breast", "-time", "5s", "-wait", "never:0.5+fixed:0.2", "-timeout", "500ms", "-workers", "2", "-policy", "random", "-plot", filepath.Join(t.TempDir(), "x.png")}
		if code := demo.Run(t.Context(), args, &out, &progress); code != console.ExitOK {
			t.Errorf("code %d: %s", code, progress.String())
		}
		if !regexp.MustCompile(`random, 2 workers: \d+ evaluations failed or took too long\.`).MatchString(out.String()) {
			t.Errorf("no timeouts:\n%s", out.String())
		}
		consoletest.Contains(t, out.String(), "simulated wait 0.20 s (seconds drawn from never:0.5+fixed:0.2)", "rate=")
	})
}

func TestTheWaitIsThatOfTheLawAndTrainingIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tuning := tuned(t, "-wait", "input:0,8", "-seed", "5")
		tuning.problem.Value = func(x space.Point) float64 { // what trains in no time in a bubble
			time.Sleep(20 * ms)
			return x[0]
		}
		var s stopwatch
		f := s.around(tuning)
		for k := range 200 {
			begin := time.Now()
			x := []float64{1e-3, 0.01}
			if k%2 == 1 {
				x[0] = 1e4 // the other end: eight seconds on average
			}
			value, err := f(t.Context(), tarry.Query{ID: tarry.EvaluationID{Evaluation: k + 1, Attempt: 1}, X: x})
			if err != nil || value != x[0] {
				t.Fatalf("%v, %v", value, err)
			}
			if wait := time.Since(begin); k%2 == 0 && wait > 21*ms {
				t.Errorf("evaluation %d waited %v", k+1, wait)
			}
		}
		mean := s.waiting.Seconds() / 100 // of those that wait at all
		if s.count != 200 || s.training != 4*time.Second || mean < 7 || mean > 9 {
			t.Errorf("%d evaluations, training %v, mean wait %v s", s.count, s.training, mean)
		}
		consoletest.Contains(t, s.means(), "training 20 ms + simulated wait ")
	})
}

func TestACancelledWaitIsNotMeasured(t *testing.T) {
	tuning := tuned(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var s stopwatch
	if _, err := s.around(tuning)(ctx, tarry.Query{ID: tarry.EvaluationID{Evaluation: 1, Attempt: 1}, X: []float64{1, 1}}); err == nil || s.means() != "" {
		t.Errorf("%v, %q", err, s.means())
	}
}

func TestEveryWrongFlagOfTuneIsReportedAtOnce(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo, "tune", "-problem", "branin", "-policy", "sgd:nu=2", "-workers", "0", "-wait", "poisson:-1", "-time", "1", "-timeout", "-1s",
		"-seed", "x", "-plot", "a.gif", "-log", filepath.Join(t.TempDir(), "no", "x"), "-colour", "red", "more")
	if code != console.ExitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	consoletest.Contains(t, err,
		"-problem = branin: want a problem with held-out data, one of logreg-breast, svm-breast", `-policy: policy "sgd": want one of asy-ts, `,
		"-workers = 0: want a whole number with 1 ≤ workers ≤ 1024", "-wait: poisson.MEAN = -1: want 0 ≤ MEAN ≤ 1e+09",
		"-time = 1: want a duration such as 1m30s with 100ms ≤ time ≤ 24h", "-timeout = -1s", "-seed = x", "-plot = a.gif: want a file name that ends in .png or .svg",
		filepath.Join("no", "x")+": want a file that can be written", "flag -colour: want one of -log, ", `argument "more"`, "Run 'go run ./cmd/demo help tune' for help.")
	for args, want := range map[string]string{
		"-problem nowhere":                   `-problem = "nowhere": want one of ackley, `,
		"-wait loud":                         `-wait = "loud": want one of exponential:MEAN`,
		"-wait never:0.1+fixed:1":            "-timeout = 0: want a duration > 0",
		"-policy batch:of=random/x~1":        "-policy: policy",
		"-policy ucb-sdf:nu=-1 -wait fixed:": "nu = -1",
	} {
		code, out, err := consoletest.Execute(t, demo, strings.Fields(args+" -plot x.png")...)
		if code != console.ExitUsage || out != "" {
			t.Errorf("%s: code %d, stdout %q", args, code, out)
		}
		consoletest.Contains(t, err, want)
	}
}

func TestHelpOfTuneNamesEveryFlagAndGivesExamples(t *testing.T) {
	_, out, _ := consoletest.Execute(t, demo, "help", "tune")
	_, f := newTune()
	for _, name := range f.Names() {
		consoletest.Contains(t, out, "  "+name)
	}
	consoletest.Contains(t, out, "(default exponential:0.6)", "(default 7.5s)", "  go run ./cmd/demo -policy ts-sdf:nu=1")
}

func TestTheReproducingTuneCommandMeansTheSame(t *testing.T) {
	r := request{problemName: "logreg-breast", policySpec: "ucb-sdf:nu=1", lawSpec: "never:0.1+lognormal:-1,1", workers: 3, allowance: 90 * time.Second, timeout: 2500 * ms, seed: 9, plot: "p.svg", log: "l.jsonl"}
	again, f := newTune()
	if err := f.Read(strings.Fields(strings.TrimPrefix(r.commandLine(), "go run ./cmd/demo "))); err != nil || f.Errs.Err() != nil || *again != r {
		t.Errorf("%v, %v\n got %+v\nwant %+v", err, f.Errs.Err(), *again, r)
	}
	again, f = newTune()
	settled, err := again.settle(f)
	if err != nil || settled.plot != "demo-svm-breast.png" || strings.Contains(settled.commandLine(), "-plot") {
		t.Errorf("%v, %s", err, settled.commandLine())
	}
}
