package experiment

import (
	"bytes"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/chart"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
)

// small is the number of queries with which an experiment is tested.
var small = map[string]int{"delay-lab": 2, "delay-law": 12, "forget": 8, "langevin": 3, "locbo-ackley": 5, "locbo-ablation": 5, "locbo-delayed": 4, "locbo-radio": 1, "locbo-1d": 4, "calibrated": 5, "calibrated-cnn": 2, "calibrated-lda": 2, "calibrated-sensitivity": 4, "constrained": 2, "meta-classify": 4, "meta-sinusoids": 4, "mf-hartmann": 3, "mf-radio": 2, "mf-gas": 3, "mf-misleading": 4, "mf-training": 2, "maturing": 4, "olpc": 8, "olpc-meta": 3, "olpc-context": 3, "safe-synthetic": 10, "safe-noise": 6, "safe-reactor": 4, "safe-movies": 5, "safe-delayed": 8, "transfer-svm": 6, "workers": 2, "sdf-cnn": 3, "sdf-svm": 6, "sdf-logreg": 6, "sdf-multitask": 40, "sdf-nonstationary": 31}

// madeUp writes data for the experiments that need some, and returns the folder.
func madeUp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	stream := rng.New(5, rng.Problem, 0)
	var rows strings.Builder
	rows.WriteString("a,b,Outcome\n")
	for i := range 120 {
		class := i % 2
		fmt.Fprintf(&rows, "%.3f,%.3f,%d\n", stream.NormFloat64()+2*float64(class), 50*stream.NormFloat64(), class)
	}
	write(t, filepath.Join(dir, pimaFile), rows.String())
	var curves strings.Builder
	curves.WriteString("setting,method,iteration,n_runs,n_runs_with_feedback,best_observed_mean,best_observed_se,best_observed_floor_mean,best_observed_floor_se,best_queried_mean,best_queried_se\n")
	for _, setting := range []string{"stoch_mu10_m20", "fixed_delay10"} {
		for k := range 101 {
			fmt.Fprintf(&curves, "%s,GP-UCB-SDF,%d,10,10,0.7,0.01,0.7,0.01,0.7,0.01\n", setting, k)
		}
	}
	write(t, filepath.Join(dir, curvesFile), curves.String())
	for task := range 3 {
		var lines strings.Builder
		meta := strings.Repeat(fmt.Sprintf(" %g", float64(task/2)/2), 22) // the first two are alike
		for i := range 12 {
			fmt.Fprintf(&lines, "%.4f 1 0 0 %g %g 0%s\n", math.Abs(math.Sin(float64(task+i))), float64(i%3), float64(i/3), meta)
		}
		write(t, filepath.Join(dir, tasksFolder, fmt.Sprintf("task%d", task)), lines.String())
	}
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// alike are experiments, by how their names begin, that do nothing which others of their kind do not.
var alike = []string{"olpc", "mf-radio", "mf-training", "mf-gas", "mf-misleading", "maturing", "delay-lab", "meta-classify", "calibrated-cnn"}

func TestEveryExperimentRunsAndReports(t *testing.T) {
	dir := madeUp(t)
	for i, e := range All() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			if testSeeds == 1 && slices.ContainsFunc(alike, func(of string) bool { return strings.HasPrefix(e.Name, of) }) {
				t.Skip("with the race detector others of their kind are enough")
			}
			in := Input{Rounds: 25}
			if rounds, ok := small[e.Name]; ok {
				in.Rounds = rounds
			}
			if e.Name == "sdf-svm" || e.Name == "sdf-multitask" || e.Name == "sdf-nonstationary" || e.Name == "transfer-svm" {
				in.Data = dir
			}
			seeds := testSeeds
			if e.Name == "locbo-radio" {
				seeds = 1
			}
			r := performed(t, e, in, seeds)
			if i%testShare == 0 {
				checkReport(t, r)
			}
		})
	}
}

// performed runs an experiment and returns its report.
func performed(t *testing.T, e Experiment, in Input, seeds int) Report {
	plan := must.Get(e.Prepare(in))(t)
	for _, a := range plan.Arms {
		name, _, _ := strings.Cut(a.Name, ",")
		if a.Policy == "" {
			continue // a method that is no policy
		}
		if !chart.HasLook(a.Policy) || chart.HasLook(name) && chart.LookOf(name).Color != chart.LookOf(a.Policy).Color {
			t.Errorf("%s: %q is not drawn in the color of %s", a.Group, a.Name, a.Policy)
		}
	}
	var some []Arm
	for i := 0; i < len(plan.Arms); i += (len(plan.Arms) + testArms - 1) / testArms {
		some = append(some, plan.Arms[i])
	}
	plan.Arms = some // what is shown must do without the others
	o := Options{Seed: 3, Seeds: seeds, Parallel: runtime.GOMAXPROCS(0)}
	results := must.Get(plan.Perform(t.Context(), o))(t)
	if done, all := results.Complete(); done != all || all != len(plan.Arms)*seeds {
		t.Fatalf("%d of %d runs", done, all)
	}
	for _, run := range results.Runs() {
		for name, curve := range run.Record {
			if len(curve) == 0 {
				t.Errorf("%s, %s: no %s", run.Group, run.Arm, name)
			}
		}
	}
	h, version, err := NewHeader(e, plan, in.Rounds)
	if err != nil {
		t.Fatal(err)
	}
	return Report{Experiment: e, Plan: plan, Results: results, Header: h, Version: version, Command: "the <command> & its flags"}
}

// checkReport looks at everything that a report writes.
func checkReport(t *testing.T, r Report) {
	dir := t.TempDir()
	paths := must.Get(r.Write(dir))(t)
	for _, p := range paths {
		content := must.Get(os.ReadFile(p))(t)
		switch filepath.Ext(p) {
		case ".png":
			if _, err := png.Decode(bytes.NewReader(content)); err != nil {
				t.Errorf("%s: %v", p, err)
			}
		case ".html":
			checkPage(t, string(content), r.Experiment)
		}
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != len(paths) {
		t.Errorf("%d files in the folder, %d reported", len(entries), len(paths))
	}
}

var loads = regexp.MustCompile(`(?:src|href|url)\s*[=(]\s*"?(https?:)?//`)

// checkPage looks for what a page must have, and for what would need a network.
func checkPage(t *testing.T, page string, e Experiment) {
	t.Helper()
	for _, want := range []string{"<svg", "<table", "<figcaption", e.Title, "the &lt;command&gt; &amp; its flags", "go1."} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, never := range []string{"<script", "NaN", "&lt;svg", "<no value>", "%!"} {
		if strings.Contains(page, never) {
			t.Errorf("the page has %q", never)
		}
	}
	if found := loads.FindString(page); found != "" {
		t.Errorf("the page loads %q", found)
	}
	if opened, closed := strings.Count(page, "<svg"), strings.Count(page, "</svg>"); opened != closed {
		t.Errorf("%d svg elements begin and %d end", opened, closed)
	}
}

func TestPlansAreTheSameForTheSameInput(t *testing.T) {
	for _, e := range All() {
		if e.Name == "sdf-multitask" || e.Name == "transfer-svm" {
			continue // needs data
		}
		first := must.Get(e.Prepare(Input{}))(t)
		seen := map[string]bool{}
		for _, a := range first.Arms {
			if key := a.Group + "\x00" + a.Name; seen[key] {
				t.Errorf("%s: two arms %s in %s", e.Name, a.Name, a.Group)
			} else {
				seen[key] = true
			}
		}
		again, err := e.Prepare(Input{})
		if err != nil || len(again.Arms) != len(first.Arms) {
			t.Errorf("%s: %d arms, then %d (%v)", e.Name, len(first.Arms), len(again.Arms), err)
		}
		if e.Rounds < 1 || e.Title == "" || e.About == "" {
			t.Errorf("%s does not say what it is", e.Name)
		}
	}
}

func TestRefusals(t *testing.T) {
	dir := madeUp(t)
	texts := func(name, content string) string {
		path := filepath.Join(dir, name)
		write(t, path, content)
		return path
	}
	for _, c := range []struct {
		name string
		in   Input
		want string
	}{
		{"sdf-delays", Input{Data: dir}, "sdf-delays reads no data; those that do are calibrated-cnn, calibrated-lda, safe-movies, sdf-cnn, sdf-multitask, sdf-nonstationary, sdf-svm"},
		{"sdf-delays", Input{Rounds: -1}, "-rounds"},
		{"sdf-multitask", Input{}, "tst-svm"},
		{"transfer-svm", Input{}, "tst-svm"},
		{"transfer-svm", Input{Data: filepath.Join(dir, "nowhere")}, "nowhere"},
		{"sdf-multitask", Input{Data: filepath.Join(dir, "nowhere")}, "nowhere"},
		{"sdf-svm", Input{Data: filepath.Join(dir, "nowhere.csv")}, "nowhere.csv"},
		{"sdf-svm", Input{Data: filepath.Join(dir, curvesFile)}, "Outcome"},
		{"sdf-nonstationary", Input{Data: t.TempDir()}, pimaFile},
		{"sdf-cnn", Input{Data: t.TempDir()}, "train-images"},
		{"safe-movies", Input{Data: t.TempDir()}, ratingsFile},
		{"calibrated-cnn", Input{Data: t.TempDir()}, "data_batch_1.bin"},
		{"calibrated-lda", Input{Data: filepath.Join(dir, "nowhere")}, "nowhere: does not exist, want a text file with one document in each line"},
		{"calibrated-lda", Input{Data: t.TempDir()}, "no text, want a text file"},
		{"calibrated-lda", Input{Data: texts("one.txt", strings.Repeat("word word\n", 40))}, "one.txt: words = 0: want at least two words of 3 letters and more that are in at least 5 of the 40 texts"},
		{"calibrated-lda", Input{Data: texts("few.txt", "some words\nand others\n")}, "few.txt: documents = 2: want at least 20"},
		{"calibrated-lda", Input{Data: texts("binary.txt", "some words\n\x00")}, "binary.txt:2: byte 11 of the file is 0x00"},
	} {
		e := must.Get(Get(c.name))(t)
		if _, err := e.Prepare(c.in); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %+v: error %v, want one with %q", c.name, c.in, err, c.want)
		}
	}
	if _, err := Get("sdf"); err == nil || !strings.Contains(err.Error(), "one of batch, calibrated, calibrated-cnn, calibrated-lda, calibrated-sensitivity, conditional") {
		t.Errorf("unknown name: %v", err)
	}
}

func TestTasksWithEqualContextsAreToldApart(t *testing.T) {
	e := must.Get(Get("sdf-multitask"))(t)
	plan := must.Get(e.Prepare(Input{Data: madeUp(t)}))(t)
	for _, f := range plan.Facts {
		if f.Name == "equal contexts" {
			return
		}
	}
	t.Error("the report does not say that two tasks have the same meta-features")
}
