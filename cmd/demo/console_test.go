package main

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// execute runs the program as the shell would.
func execute(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = run(context.Background(), args, &out, &err)
	return code, out.String(), err.String()
}

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew); got:\n%s", path, got)
	}
}

// contains wants every part in text.
func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("missing %q in:\n%s", p, text)
		}
	}
}

func TestUnknownCommandsListWhatExists(t *testing.T) {
	for _, args := range [][]string{{"simulate"}, {"help", "simulate"}} {
		code, out, err := execute(t, args...)
		if code != exitUsage || out != "" {
			t.Errorf("%v: code %d, stdout %q", args, code, out)
		}
		contains(t, err, `"simulate"`, "tune, sim, exp, policies, problems, help")
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, args := range [][]string{
		{"help"}, {"-h"}, {"--help"}, {"help", "help"}, {"help", "tune"}, {"help", "sim"}, {"sim", "-h"}, {"sim", "-rounds", "x", "--help"},
		{"policies", "-h"}, {"problems", "--help"}, {"help", "policies"}, {"help", "problems"}, {"help", "-h"},
	} {
		code, out, err := execute(t, args...)
		if code != exitOK || err != "" || !strings.Contains(out, "go run ./cmd/demo") {
			t.Errorf("%v: code %d, stderr %q, stdout:\n%s", args, code, err, out)
		}
	}
}

func TestHelpOfSimNamesEveryFlag(t *testing.T) {
	_, out, _ := execute(t, "help", "sim")
	_, f := newSim()
	f.set.VisitAll(func(g *flag.Flag) { contains(t, out, "  -"+g.Name) })
	contains(t, out, "(default poisson:10)", "-json - > runs.jsonl")
}

func TestListsNameEverything(t *testing.T) {
	code, out, _ := execute(t, "policies")
	if code != exitOK {
		t.Errorf("policies: code %d", code)
	}
	contains(t, out, "ucb-sdf", "Verma et al. 2022", "random", "nu=")
	code, out, _ = execute(t, "problems")
	if code != exitOK {
		t.Errorf("problems: code %d", code)
	}
	contains(t, out, "gp1d", "branin", "-0.397887", "hartmann6", "svm-breast")
	for _, args := range [][]string{{"policies", "all"}, {"problems", "-x"}, {"help", "sim", "now"}} {
		if code, _, err := execute(t, args...); code != exitUsage || !strings.Contains(err, args[len(args)-1]) {
			t.Errorf("%v: code %d, %s", args, code, err)
		}
	}
}

func TestEveryWrongFlagIsReportedAtOnce(t *testing.T) {
	code, out, err := execute(t, "sim", "-problem", "branin,nowhere,branin,ackley:x", "-policies", "ucb-sdf:mu=1,sgd,random,random", "-delay", "poisson:-1",
		"-window", "-3", "-rounds", "many", "-seeds", "0", "-seed", "-1", "-noise", "loud", "-initial", "1.5", "-faults", "burn:1", "-timeout", "NaN",
		"-retries", "1e3", "-parallel", "0", "-workers", "5000", "-batch", "-1", "-strict=perhaps", "-plot", "x.gif", "-colour", "red", "extra", "-json")
	if code != exitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	contains(t, err,
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
		{"-problem branin -strict", []string{"-strict = true: want false, or a window to be strict about"}},
		{"-problem branin -workers 4 -delay never:0.1+poisson:3", []string{"-timeout = 0: want a duration > 0"}},
		{"-problem branin -batch 4 -faults drop:0.1 -strict", []string{"-timeout = 0", "-strict = true"}},
		{"-problem branin -rounds 99999", []string{"-rounds = 99999: want 1 ≤ Rounds ≤ 99995"}},
		{"-problem branin -rounds 90000 -seeds 1000", []string{"-rounds = 90000: want at most 10000000 rounds in all runs together; there are 1000 runs"}},
		{"-problem branin -seed 18446744073709551615 -seeds 2", []string{"-seed = 18446744073709551615"}},
	} {
		code, out, err := execute(t, append(strings.Fields("sim -policies random"), strings.Fields(c.args)...)...)
		if code != exitUsage || out != "" {
			t.Errorf("%s: code %d, stdout %q", c.args, code, out)
		}
		contains(t, err, c.want...)
	}
}

func TestPathsAreTriedBeforeTheRuns(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept.png")
	if err := os.WriteFile(kept, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, err := execute(t, "sim", "-problem", "branin", "-policies", "random", "-json", dir, "-plot", filepath.Join(dir, "no", "x.svg"))
	if code != exitUsage || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
	contains(t, err, "-json = "+dir+": want a file that can be written, but: is a directory", filepath.Join("no", "x.svg")+": want a file that can be written, but: no such file or directory")
	execute(t, "sim", "-problem", "branin", "-policies", "random", "-json", dir, "-plot", kept)
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
	r.timeout, r.retries, r.json, r.plot = 30.5, 2, "it's $HOME.jsonl", "a b.svg"
	line := r.commandLine()
	contains(t, line, "go run ./cmd/demo sim -problem", `'it'\''s $HOME.jsonl'`, "'a b.svg'")
	line = strings.NewReplacer(`'it'\''s $HOME.jsonl'`, "JSON", "'a b.svg'", "PLOT").Replace(line)
	args := strings.Fields(strings.TrimPrefix(line, "go run ./cmd/demo sim "))
	args[slices.Index(args, "JSON")], args[slices.Index(args, "PLOT")] = r.json, r.plot
	again, f := newSim()
	if err := f.parse(args); err != nil || f.errs.Err() != nil || *again != r {
		t.Errorf("%v, %v\n got %+v\nwant %+v", err, f.errs.Err(), *again, r)
	}
}
