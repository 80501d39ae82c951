package comparison

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

func TestHelpOfSimNamesEveryFlag(t *testing.T) {
	_, out, _ := consoletest.Execute(t, demo, "help", "sim")
	_, f := newSim()
	for _, name := range f.Names() {
		consoletest.Contains(t, out, "  "+name)
	}
	consoletest.Contains(t, out, "(default poisson:10)", "-json - > runs.jsonl")
}

func TestEveryWrongFlagIsReportedAtOnce(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo, "sim", "-problem", "branin,nowhere,branin,ackley:x", "-policies", "ucb-sdf:mu=1,sgd,random,random", "-delay", "poisson:-1",
		"-window", "-3", "-rounds", "many", "-seeds", "0", "-seed", "-1", "-noise", "loud", "-initial", "1.5", "-faults", "burn:1", "-timeout", "NaN",
		"-retries", "1e3", "-parallel", "0", "-workers", "5000", "-batch", "-1", "-strict=perhaps", "-plot", "x.gif", "-colour", "red", "extra", "-json")
	if code != console.ExitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	consoletest.Contains(t, err,
		`-problem = "nowhere": want one of ackley, `, "-problem = branin: want each problem once", "ackley.Dim = x",
		"ucb-sdf:mu=1: mu = 1: want one of the options nu", `policy "sgd": want one of asy-ts, `, "-policies = random: want each policy once",
		"-delay: poisson.MEAN = -1: want 0 ≤ MEAN ≤ 1e+09", "-window = -3: want a whole number with 0 ≤ window ≤ 100000", "-rounds = many: want a whole number",
		"-seeds = 0", "-seed = -1", "-noise = loud: want a standard deviation", "-initial = 1.5", `-faults = "burn:1": want drop:P`, "-timeout = NaN",
		"-retries = 1e3", "-parallel = 0", "-workers = 5000", "-batch = -1", "-strict = perhaps", "-plot = x.gif: want a file name that ends in .png or .svg",
		"flag -colour: want one of -batch, -context, ", `argument "extra"`, "flag -json: want a value after it", "Run 'go run ./cmd/demo help sim' for help.")
	if strings.Contains(err, "\"red\"") {
		t.Errorf("the value of an unknown flag is no second violation:\n%s", err)
	}
}

func TestImpossibleCombinationsAreRefusedBeforeAnythingRuns(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"-problem forrester -context", []string{"-context = true: want false, since forrester has one parameter"}},
		{"-problem branin -strict", []string{"-strict = true: want false, or a window to be strict about: set -window"}},
		{"-problem branin -strict -window 5 -forget 0.1 -weigh-pending -window-share 0.5", []string{"-forget = 0.1: want 0 with a strict window", "-weigh-pending = true: want false with a strict window", "-window-share = 0.5: want 0 with -window, which says how long"}},
		{"-problem branin -workers 4 -delay never:0.1+poisson:3", []string{"-timeout = 0: want a duration > 0"}},
		{"-problem branin -batch 4 -faults drop:0.1 -strict", []string{"-timeout = 0", "-strict = true"}},
		{"-problem branin -rounds 99999", []string{"-rounds = 99999: want 1 ≤ Rounds ≤ 99995"}},
		{"-problem branin -rounds 90000 -seeds 1000", []string{"-rounds = 90000: want at most 10000000 rounds in all runs together; there are 1000 runs"}},
		{"-problem branin -seed 18446744073709551615 -seeds 2", []string{"-seed = 18446744073709551615: want seed + 1 below 2^64, since 2 seeds are wanted"}},
	} {
		code, out, err := consoletest.Execute(t, demo, append(strings.Fields("sim -policies random"), strings.Fields(c.args)...)...)
		if code != console.ExitUsage || out != "" {
			t.Errorf("%s: code %d, stdout %q", c.args, code, out)
		}
		consoletest.Contains(t, err, c.want...)
	}
}

func TestPathsAreTriedBeforeTheRuns(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.png")
	if err := os.WriteFile(kept, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, err := consoletest.Execute(t, demo, "sim", "-problem", "branin", "-policies", "random", "-json", dir, "-plot", filepath.Join(dir, "no", "x.svg"))
	if code != console.ExitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	consoletest.Contains(t, err, "-json = "+dir+": want a file that can be written, but: is a directory", filepath.Join("no", "x.svg")+": want a file that can be written, but: no such file or directory")
	consoletest.Execute(t, demo, "sim", "-problem", "branin", "-policies", "random", "-json", dir, "-plot", kept)
	names, _ := filepath.Glob(filepath.Join(dir, "*"))
	if text, _ := os.ReadFile(kept); string(text) != "old" || !slices.Equal(names, []string{kept}) {
		t.Errorf("a refused command left traces: %q, %v", text, names)
	}
}

func TestTheReproducingCommandMeansTheSame(t *testing.T) {
	r := newRequest()
	r.problemList, r.policyList, r.lawSpec = "branin,ackley:5", "ucb-sdf:nu=1,random", "never:0.2+lognormal:2,1"
	r.window, r.strict, r.rounds, r.seeds, r.initial, r.seed = 20, true, 30, 4, 7, 9
	r.noiseSpec, r.workers, r.batch, r.contextual, r.faultSpec = "2%", 3, 2, true, "drop:0.1,fail:0.2"
	r.forget, r.weigh, r.giveUp, r.share = 0.05, true, 0.01, 0.9
	r.timeout, r.retries, r.json, r.plot = 30.5, 2, "it's $HOME.jsonl", "a b.svg"
	line := r.commandLine()
	consoletest.Contains(t, line, "go run ./cmd/demo sim -problem", `'it'\''s $HOME.jsonl'`, "'a b.svg'")
	line = strings.NewReplacer(`'it'\''s $HOME.jsonl'`, "JSON", "'a b.svg'", "PLOT").Replace(line)
	args := strings.Fields(strings.TrimPrefix(line, "go run ./cmd/demo sim "))
	args[slices.Index(args, "JSON")], args[slices.Index(args, "PLOT")] = r.json, r.plot
	again, f := newSim()
	if err := f.Read(args); err != nil || f.Errs.Err() != nil || *again != r {
		t.Errorf("%v, %v\n got %+v\nwant %+v", err, f.Errs.Err(), *again, r)
	}
}

func TestTheLastSeedThereIsCanBeUsed(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo, strings.Fields("sim -problem branin -policies random -rounds 3 -seeds 1 -seed 18446744073709551615")...)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, out, "Seed 18446744073709551615 only")
}
