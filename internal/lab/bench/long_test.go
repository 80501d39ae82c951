package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/policies"
)

// played plays a long study to its end.
func played(t *testing.T, args ...string) *longStudy {
	t.Helper()
	s, err := mustBench(t, args...).newLongStudy()
	if err == nil {
		err = s.play(t.Context(), func() {})
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTheStretchesOfALongStudyAddUp(t *testing.T) {
	lines, table := costLines(t, "-study 120 -policy gp-bucb")
	if len(lines) != 2 {
		t.Fatalf("%d lines, want 2", len(lines))
	}
	suggestions, next := 0., 1.
	for _, l := range lines {
		positive(t, l, "suggest_s", "suggest_p90_s", "suggest_max_s", "rebuild_s", "fits", "fit_s", "fit_sum_s", "heap_mb", "best", "simple_regret")
		if l["from"] != next || l["study"] != 120. || l["initial"] != 13. || l["active"] != 2500. || l["fit_failures"] != 0. || l["fallbacks_so_far"] != 0. {
			t.Errorf("from %v: %v", next, l)
		}
		// Every query has a row, as pending ones do; the one that is chosen has none yet.
		if l["rows"] != l["to"].(float64)-1 || l["rows_max"] != l["rows"] || l["rebuilds"] != l["fits"] {
			t.Errorf("%v", l)
		}
		if !(l["suggest_s"].(float64) <= l["suggest_p90_s"].(float64) && l["suggest_p90_s"].(float64) <= l["suggest_max_s"].(float64)) {
			t.Errorf("quantiles are not ascending: %v", l)
		}
		suggestions += l["suggestions"].(float64)
		next = l["to"].(float64) + 1
	}
	if suggestions != 120-13 || next != 121 {
		t.Errorf("%v suggestions to evaluation %v", suggestions, next-1)
	}
	consoletest.Contains(t, table, "policy gp-bucb on hartmann6: one study, 120 evaluations, 6-D, 8 pending", "│       1–100 │", "│     101–120 │",
		"reproduce: go run ./cmd/demo bench -study 120 -dim 6 -pending 8 -policy gp-bucb -active 0 -seed 1 -cpu 1 -json -\n")
}

func TestAShorterStudyIsTheBeginningOfALongerOne(t *testing.T) {
	short, long := played(t, "-policy", "gp-bucb", "-study", "104", "-dim", "2"), played(t, "-policy", "gp-bucb", "-study", "130", "-dim", "2")
	a, b := short.stretches[0], long.stretches[0]
	if a.to != 100 || a.best != b.best || a.regret != b.regret || a.rows != b.rows || a.fits != b.fits {
		t.Errorf("%+v\n%+v", a, b)
	}
	if other := played(t, "-policy", "gp-bucb", "-study", "104", "-dim", "2", "-seed", "2").stretches[0]; other.best == a.best {
		t.Error("another seed has the same answers")
	}
}

func TestSuggestionsAfterAFitRebuildTheFactor(t *testing.T) {
	s := played(t, "-policy", "gp-bucb", "-study", "80", "-dim", "2", "-pending", "3")
	after := map[int]bool{}
	for _, f := range s.fits {
		after[f.evaluation+1] = !f.failed
	}
	for _, c := range s.suggestions {
		if c.rebuilt != after[c.evaluation] || c.seconds <= 0 || c.rows != c.evaluation-1 {
			t.Errorf("%+v, after a fit: %v", c, after[c.evaluation])
		}
	}
	if got := s.Loop.Counters().Fits; got != len(s.fits) || got < 5 || s.Answers != 80 || !s.Loop.Finished() {
		t.Errorf("%d fits, %d adopted, %d answers, finished %v", len(s.fits), got, s.Answers, s.Loop.Finished())
	}
}

func TestAStudyThatOutgrowsItsModelRebuildsIt(t *testing.T) {
	s := played(t, "-policy", "gp-bucb", "-study", "120", "-dim", "2", "-active", "50")
	after := map[int]bool{}
	for _, f := range s.fits {
		after[f.evaluation+1] = true
	}
	fell := 0
	for i, c := range s.suggestions {
		if c.rows > 50 {
			t.Errorf("%d rows", c.rows)
		}
		if i > 0 && c.rows < s.suggestions[i-1].rows {
			fell++
			if !c.rebuilt {
				t.Errorf("the rows fell to %d without a rebuild", c.rows)
			}
		} else if c.rebuilt && !after[c.evaluation] {
			t.Errorf("%+v is a rebuild", c)
		}
	}
	if last := s.stretches[len(s.stretches)-1]; fell < 3 || last.mostRows != 50 {
		t.Errorf("the rows fell %d times, %d at most", fell, last.mostRows)
	}
}

func TestThePendingQueriesOfALongStudyAreAnsweredInRandomOrder(t *testing.T) {
	b := mustBench(t, "-study", "60", "-policy", "random", "-dim", "2", "-pending", "4")
	s, err := b.newLongStudy()
	if err != nil {
		t.Fatal(err)
	}
	late := 0 // answers that are not of the oldest query
	err = s.play(t.Context(), func() {
		if s.sent() < 60 && len(s.Pending) != 4 {
			t.Errorf("%d pending after %d", len(s.Pending), s.sent())
		}
		for _, q := range s.Pending {
			if q.Evaluation <= s.Answers {
				late++
				break
			}
		}
	})
	if err != nil || late < 20 {
		t.Errorf("%v, %d late", err, late)
	}
}

func TestTheHeapIsWeighedNowAndThen(t *testing.T) {
	s := played(t, "-study", "220", "-dim", "2", "-policy", "random")
	var at []int
	for _, h := range s.heaps {
		at = append(at, h.evaluation)
	}
	// The initial design has five; after each 50 suggestions, and at 100, 200 and 220.
	want := []int{5, 55, 100, 105, 155, 200, 205, 220}
	if !slices.Equal(at, want) {
		t.Errorf("%v, want %v", at, want)
	}
	if last := s.stretches[len(s.stretches)-1]; last.heapMB <= 0 || last.heapMB != s.heaps[len(s.heaps)-1].mb || last.heapMaxMB < last.heapMB {
		t.Errorf("%+v", last)
	}
}

// broken is a policy that always fails.
type broken struct{ policies.Policy }

func (broken) Propose(policies.View, int, *rand.Rand) ([]policies.Proposal, error) {
	return nil, errors.New("no idea")
}

func TestALongStudyGoesOnWithoutThePolicy(t *testing.T) {
	b := mustBench(t, "-policy", "gp-bucb", "-study", "30", "-dim", "2")
	b.Policy = broken{b.Policy}
	s, err := b.newLongStudy()
	if err == nil {
		err = s.play(t.Context(), func() {})
	}
	if err != nil || len(s.stretches) != 1 || s.stretches[0].fallbacks != 25 || s.stretches[0].suggestions != 25 {
		t.Errorf("%v, %+v", err, s.stretches)
	}
	consoletest.Contains(t, s.table(), "In 25 suggestions the policy failed")
}

func TestMoreSlotsThanAnswersAreFilledWithoutAny(t *testing.T) {
	s := played(t, "-policy", "gp-bucb", "-study", "25", "-dim", "2", "-pending", "40")
	if c := s.stretches[0]; len(s.stretches) != 1 || c.suggestions != 20 || c.fits != 0 || !(c.regret >= 0) {
		t.Errorf("%+v", s.stretches)
	}
}

func TestALongStudyThatIsCutShortKeepsWhatIsComplete(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := mustBench(t, "-study", "300", "-dim", "1", "-policy", "random").newLongStudy()
	if err != nil {
		t.Fatal(err)
	}
	err = s.play(ctx, func() {
		if s.sent() == 130 {
			cancel()
		}
	})
	if cut := s.cutShort(); !errors.Is(err, context.Canceled) || cut != nil {
		t.Fatalf("%v, %v", err, cut)
	}
	if len(s.stretches) != 2 || s.stretches[1].from != 101 || s.stretches[1].to != 130 || s.stretches[1].suggestions != 30 {
		t.Errorf("%+v", s.stretches)
	}
	consoletest.Contains(t, s.table(), "101–130")
	consoletest.Contains(t, s.chart().title, "over the first 130 of 300 evaluations")
}

func TestAnInterruptedLongStudyIsPrintedAndDrawn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var out, err bytes.Buffer
	path := filepath.Join(t.TempDir(), "long.png")
	args := append(strings.Fields("bench -study 300 -dim 1 -policy random -json - -plot"), path)
	if code := demo.Run(ctx, args, tripwire{&out, cancel}, &err); code != console.ExitInterrupted {
		t.Errorf("code %d", code)
	}
	if lines := strings.Count(out.String(), "\n"); lines != 1 || !json.Valid(out.Bytes()) {
		t.Errorf("%d lines: %s", lines, out.String())
	}
	consoletest.Contains(t, err.String(), "1–100", "picture: "+path, "reproduce: ", "interrupted: 97 of 297 suggestions are complete, and only they are in the results")
	consoletest.PictureSize(t, path, 1200, 872)

	out.Reset()
	err.Reset()
	if code := demo.Run(ctx, strings.Fields("bench -study 300 -policy gp-bucb"), &out, &err); code != console.ExitInterrupted {
		t.Errorf("interrupted at once: code %d", code)
	}
	consoletest.Contains(t, err.String(), "interrupted: 0 of 287 suggestions are complete")
	if strings.Contains(out.String(), "│") {
		t.Errorf("a table of nothing:\n%s", out.String())
	}
}

func TestAResultThatIsLostOutranksAnInterruption(t *testing.T) {
	stopped, full := console.Interrupted{State: "half"}, errors.New("disk full")
	if err := lost(stopped, full); err != full {
		t.Errorf("%v", err)
	}
	if err := lost(stopped, nil); !errors.As(err, &console.Interrupted{}) {
		t.Errorf("%v", err)
	}
	if err := lost(errors.New("bad"), full); err.Error() != "bad\ndisk full" {
		t.Errorf("%v", err)
	}
}

func TestALongStudyIsNotCombinedWithSizes(t *testing.T) {
	for args, want := range map[string][]string{
		"-study 50 -n 20 -repeats 3":    {"-n = 20: want no such flag beside -study 50", "-repeats = 3: want no such"},
		"-study 50 -repeats 0":          {"-repeats = 0: want no such flag"},
		"-study -1":                     {"-study = -1: want a whole number with 0 ≤ study ≤ 100000"},
		"-study 50 -active 49":          {"-active: Config.Model.Active = 49"},
		"-study 50 -active 8001":        {"-active: Config.Model.Active = 8001"},
		"-study 50 -plot x.gif":         {"-plot = x.gif: want a file name that ends in .png or .svg"},
		"-study 50 -plot nowhere/x.png": {"-plot = nowhere/x.png: want a file that can be written", "nowhere/x.svg"},
		"-plot x.png -active 60":        {"-plot = x.png: want a -study N beside it", "-active = 60: want a -study N beside it"},
	} {
		code, out, err := consoletest.Execute(t, demo, append([]string{"bench"}, strings.Fields(args)...)...)
		if code != console.ExitUsage || out != "" {
			t.Errorf("%s: code %d, stdout %q", args, code, out)
		}
		consoletest.Contains(t, err, want...)
	}
}

func TestTheReproducingLongStudyMeansTheSame(t *testing.T) {
	r, _ := newBench()
	r.study, r.active, r.dim, r.pending, r.policySpec, r.cpus, r.seed, r.plot, r.json = 500, 99, 3, 4, "gp-ucb:beta=2", 2, 9, "x.png", "y.jsonl"
	again, f := newBench()
	args := strings.Fields(strings.TrimPrefix(r.commandLine(), "go run ./cmd/demo bench "))
	if err := f.Read(args); err != nil || f.Errs.Err() != nil || *again != *r {
		t.Errorf("%v, %v\n got %+v\nwant %+v", err, f.Errs.Err(), *again, *r)
	}
}

func TestThePaceIsThatOfTheLatestSuggestions(t *testing.T) {
	begin := time.Unix(0, 0)
	p := newPace(begin)
	if text, due := p.text(5, 1000, begin.Add(paceEvery/2)); due {
		t.Errorf("%q is too early", text)
	}
	if text, _ := p.text(100, 1000, begin.Add(10*time.Second)); text != "100 of 1000 evaluations, 10s so far, about 1m30s left at this pace" {
		t.Error(text)
	}
	if text, due := p.text(100, 1000, begin.Add(20*time.Second)); due {
		t.Errorf("%q says nothing new", text)
	}
	now := begin.Add(10 * time.Second)
	text := ""
	for i := range paceMarks { // one a second from now on
		now = now.Add(time.Second)
		text, _ = p.text(101+i, 1000, now)
	}
	if text != "140 of 1000 evaluations, 50s so far, about 14m20s left at this pace" || len(p.marks) != paceMarks {
		t.Errorf("%q, %d marks", text, len(p.marks))
	}
}
