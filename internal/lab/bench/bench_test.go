package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

// demo is the program with this command alone.
var demo = consoletest.Program(Command())

// costLines runs a benchmark and returns its lines for machines.
func costLines(t *testing.T, args string) (lines []map[string]any, table string) {
	t.Helper()
	code, out, err := consoletest.Execute(t, demo, append(strings.Fields("bench -json -"), strings.Fields(args)...)...)
	if code != console.ExitOK {
		t.Fatalf("code %d\n%s", code, err)
	}
	for line := range strings.Lines(out) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		lines = append(lines, l)
	}
	return lines, err
}

// positive wants numbers above zero under these keys.
func positive(t *testing.T, line map[string]any, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if v, ok := line[k].(float64); !ok || !(v > 0) {
			t.Errorf("%s = %v, want a number above zero", k, line[k])
		}
	}
}

// missing wants null under these keys.
func missing(t *testing.T, line map[string]any, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if v, some := line[k]; !some || v != nil {
			t.Errorf("%s = %v (there: %v), want null", k, v, some)
		}
	}
}

func TestEachNumberOfAnswersHasALineOfCosts(t *testing.T) {
	processors := runtime.GOMAXPROCS(0)
	lines, table := costLines(t, "-n 20,40 -repeats 2 -pending 3 -dim 2 -policy gp-bucb")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	for i, l := range lines {
		n := []float64{20, 40}[i]
		positive(t, l, "suggest_s", "suggest_p90_s", "suggest_max_s", "model_s", "search_s", "rebuild_s", "suggest_with_fit_s", "retarget_s",
			"fit_s", "fit_evaluations", "heap_mb", "heap_peak_mb", "alloc_bytes")
		// The first suggestion, from scratch, has one answer more; two more follow. Two queries stay pending while a third is chosen.
		if l["n"] != n || l["rows"] != n+3+2 || l["fit_rows"] != n || l["repeats"] != 2. || l["policy"] != "gp-bucb" || l["gomaxprocs"] != 1. || l["go"] != runtime.Version() {
			t.Errorf("%v", l)
		}
		if l["model_s"].(float64)+l["search_s"].(float64) > 2*l["suggest_max_s"].(float64) {
			t.Errorf("the parts take longer than the whole: %v", l)
		}
	}
	consoletest.Contains(t, table, "levy:2, 2-D, 3 pending", "│ suggestion │", "GOMAXPROCS=1\n",
		"reproduce: go run ./cmd/demo bench -n 20,40 -dim 2 -pending 3 -policy gp-bucb -repeats 2 -seed 1 -cpu 1 -json -\n")
	if now := runtime.GOMAXPROCS(0); now != processors {
		t.Errorf("GOMAXPROCS is %d afterwards, was %d", now, processors)
	}
}

func TestAPolicyWithoutAModelIsTimedWithoutFits(t *testing.T) {
	lines, _ := costLines(t, "-n 20 -repeats 3 -policy random")
	positive(t, lines[0], "suggest_s", "search_s", "rebuild_s")
	missing(t, lines[0], "suggest_with_fit_s", "retarget_s", "fit_s")
	if lines[0]["rows"] != 0. || lines[0]["fit_rows"] != 0. {
		t.Errorf("%v", lines[0])
	}
}

func TestEveryWrongFlagOfBenchIsReportedAtOnce(t *testing.T) {
	dir := t.TempDir()
	code, out, err := consoletest.Execute(t, demo, "bench", "-n", "2,40,x,40,20001", "-dim", "0", "-pending", "0", "-policy", "sgd", "-repeats", "-1",
		"-json", dir, "-seed", "-3", "-cpu", "0", "-colour", "red")
	if code != console.ExitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	consoletest.Contains(t, err, `-n = "2": want whole numbers with 3 ≤ n ≤ 20000`, `-n = "x"`, `-n = "20001"`, "-n = 40: want each number once",
		"-dim = 0: want a whole number with 1 ≤ dim ≤ 100", "-pending = 0", `policy "sgd"`, "-repeats = -1",
		"-json = "+dir+": want a file that can be written", "-seed = -3", "-cpu = 0: want a whole number with 1 ≤ cpu ≤ 256", "flag -colour",
		"Run 'go run ./cmd/demo help bench' for help.")
	for args, want := range map[string]string{
		"-policy batch:of=random":        "-policy = batch:of=random: want a policy that makes no batches",
		"-policy exp3":                   "-policy exp3 on problem hartmann6: Config.Space = one of real numbers",
		"-policy d-safe-bocp -dim 3":     "-policy d-safe-bocp on problem levy:3: Config.Seeds = []",
		"-policy d-safe-bocp -study 100": "-policy d-safe-bocp on problem hartmann6: Config.Seeds = []",
	} {
		code, _, err := consoletest.Execute(t, demo, append([]string{"bench"}, strings.Fields(args)...)...)
		if code != console.ExitUsage {
			t.Errorf("%s: code %d", args, code)
		}
		consoletest.Contains(t, err, want)
	}
}

func TestABenchmarkThatIsInterruptedAtOnceSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, err bytes.Buffer
	if code := demo.Run(ctx, strings.Fields("bench -n 20,40 -policy gp-bucb"), &out, &err); code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	consoletest.Contains(t, err.String(), "demo: interrupted: 0 of 2 sizes are complete")
	consoletest.Contains(t, out.String(), "reproduce: go run ./cmd/demo bench")
}

// tripwire ends a context when something is written to it.
type tripwire struct {
	io.Writer
	end context.CancelFunc
}

func (w tripwire) Write(p []byte) (int, error) {
	w.end()
	return w.Writer.Write(p)
}

func TestWhatIsCompleteIsKeptWhenABenchmarkIsInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, err bytes.Buffer
	args := strings.Fields("bench -n 6,20,40 -repeats 1 -dim 1 -policy gp-bucb -json -")
	if code := demo.Run(ctx, args, tripwire{&out, cancel}, &err); code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1 || !json.Valid(out.Bytes()) {
		t.Errorf("%d lines: %s", lines, out.String())
	}
	consoletest.Contains(t, err.String(), "│ 6 │", "interrupted: 1 of 3 sizes are complete, and only they are in the results")
}

func TestCostsGoToAFileBesideTheTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "costs.jsonl")
	code, out, _ := consoletest.Execute(t, demo, "bench", "-n", "6", "-repeats", "1", "-dim", "1", "-policy", "random", "-json", path)
	text, _ := os.ReadFile(path)
	if code != console.ExitOK || !json.Valid(text) {
		t.Errorf("code %d, file %q", code, text)
	}
	if !regexp.MustCompile(`(?s)^policy random on levy:1.*\nmeasured on .*\nreproduce: [^\n]*\n$`).MatchString(out) {
		t.Error(out)
	}
}

func TestHelpOfBenchNamesEveryFlag(t *testing.T) {
	for _, args := range [][]string{{"help", "bench"}, {"bench", "-h"}} {
		code, out, err := consoletest.Execute(t, demo, args...)
		if code != console.ExitOK || err != "" {
			t.Errorf("%v: code %d, %s", args, code, err)
		}
		_, f := newBench()
		for _, name := range f.Names() {
			consoletest.Contains(t, out, "  "+name)
		}
	}
}

func TestTheReproducingBenchmarkMeansTheSame(t *testing.T) {
	r, _ := newBench()
	r.sizeList, r.policySpec, r.dim, r.pending, r.repeats, r.cpus, r.seed = "10,30", "gp-ucb:beta=2", 3, 4, 5, 2, 9
	again, f := newBench()
	args := strings.Fields(strings.TrimPrefix(r.commandLine(), "go run ./cmd/demo bench "))
	if err := f.Read(args); err != nil || f.Errs.Err() != nil || *again != *r {
		t.Errorf("%v, %v\n got %+v\nwant %+v", err, f.Errs.Err(), *again, *r)
	}
	if slices.Contains(args, "-json") {
		t.Errorf("%v writes a file that was not asked for", args)
	}
}
