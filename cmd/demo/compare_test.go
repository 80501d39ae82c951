package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/internal/lab/tournament"
)

// tiny is a tournament of milliseconds.
func tiny(more ...string) []string {
	return append([]string{"compare", "-problems", "branin,choices", "-policies", "gp-bucb,random", "-budget", "8"}, more...)
}

// beforeSeconds is the part of an output that follows from the command.
func beforeSeconds(out string) string {
	text, _, _ := strings.Cut(out, "Milliseconds on the clock")
	return text
}

func TestATournamentWritesTablesPageAndPictures(t *testing.T) {
	dir := t.TempDir()
	code, out, err := consoletest.Execute(t, demo(), tiny("-seeds", "2", "-report", dir)...)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, out, "average rank", "minus gp-bucb", "against the best fixed policy", "branin: no noise, poisson, 8 workers, 8 queries",
		"reproduce: go run ./cmd/demo compare -seeds 2 -seed 1 -budget 8 -problems branin,choices -policies gp-bucb,random -report "+dir)
	for _, name := range []string{"compare.html", "compare.jsonl", "compare-tuning-ranks.png", "compare-judging-regret.png", "compare-both-ranks.png", "compare-tuning-cells.png"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A report is of one tournament: what another one left beside it would be taken for a part of it.
func TestPicturesOfAnotherTournamentDoNotStayBesideAReport(t *testing.T) {
	dir := t.TempDir()
	pictures := func() (names []string) {
		paths, err := filepath.Glob(filepath.Join(dir, "*.png"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			names = append(names, filepath.Base(path))
		}
		return names
	}
	for _, name := range []string{"compare-mine.png", "mine.png"} { // of others
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, more := range [][]string{{"-problems", "branin,choices"}, {"-problems", "choices", "-fresh"}} {
		if code, _, err := consoletest.Execute(t, demo(), tiny(append(more, "-policies", "random", "-seeds", "1", "-report", dir)...)...); code != console.ExitOK {
			t.Fatalf("code %d: %s", code, err)
		}
		page, err := os.ReadFile(filepath.Join(dir, "compare.html"))
		if err != nil {
			t.Fatal(err)
		}
		all := pictures()
		if want := 2 + strings.Count(string(page), "<figure>"); len(all) != want {
			t.Errorf("%v: %d pictures beside the page, want %d: %v", more, len(all), want, all)
		}
	}
	consoletest.Contains(t, strings.Join(pictures(), " "), "compare-mine.png", "mine.png", "compare-judging-ranks.png")
}

func TestTheJSONOfATournamentReproducesItsTables(t *testing.T) {
	code, out, printed := consoletest.Execute(t, demo(), tiny("-seeds", "2", "-json", "-", "-report", "-")...)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, printed)
	}
	var s tournament.Summary
	if err := json.Unmarshal([]byte(out), &s); err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, section := range s.Sections() {
		for _, table := range section.Tables {
			count++
			consoletest.Contains(t, printed, table.Caption+"\n"+rendered(table))
		}
	}
	if count < 10 {
		t.Errorf("%d tables", count)
	}
}

func TestATournamentGoesOnWhereItWas(t *testing.T) {
	_, want, _ := consoletest.Execute(t, demo(), tiny("-seeds", "3", "-report", "-")...)

	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, err bytes.Buffer
	if code := demo().Run(ctx, tiny("-seeds", "3", "-report", dir), &out, &err); code != console.ExitInterrupted {
		t.Errorf("code %d: %s", code, &err)
	}
	consoletest.Contains(t, err.String(), "0 of 24 runs are complete; the same command goes on from there")
	if code, _, err := consoletest.Execute(t, demo(), tiny("-seeds", "1", "-report", dir)...); code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	if code, _, err := consoletest.Execute(t, demo(), tiny("-seeds", "2", "-report", dir, "-problems", "choices")...); code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	code, got, told := consoletest.Execute(t, demo(), tiny("-seeds", "3", "-report", dir)...)
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, told)
	}
	consoletest.Contains(t, told, "12 of 24 runs are there already")
	after := func(text string) string { return text[strings.Index(text, "The half of the problems"):] }
	if after(beforeSeconds(got)) != after(beforeSeconds(want)) {
		t.Errorf("resumed:\n%s\nin one go:\n%s", got, want)
	}
}

func TestTournamentsThatCannotBeAreRefused(t *testing.T) {
	for _, c := range []struct {
		args string
		want []string
	}{
		{"-problems brannin", []string{"-problems = brannin", "classical, gaussian"}},
		{"-problems lists", []string{"-problems = lists", "-data", "tst-svm"}},
		{"-problems branin -half judging", []string{"-half = judging: want tuning or both, since -problems branin is in the half for tuning"}},
		{"-problems hills", []string{"-half = both: want reserve, since -problems hills is in neither half"}},
		{"-problems branin,net:3", []string{"-half = both: want reserve, since -problems net:3 is in neither half"}},
		{"-problems ranges", []string{"-half = both: want wide, since -problems ranges is in neither half"}},
		{"-problems branin -half reserve", []string{"-half = reserve: want tuning or both, since -problems branin is in the half for tuning"}},
		{"-half first -noise loud -delays late -workers x -seeds 0 -floor 2", []string{"-half = first", "-noise = loud", "-delays = late", "-workers = x", "-seeds = 0", "-floor = 2"}},
		{"-policies log-ei,random -reference gp-bucb", []string{"-reference = gp-bucb", "log-ei, random"}},
		{"-floor 0", []string{"-floor = 0: want a number with 0 < floor < 1"}},
		{"-floor 1", []string{"-floor = 1: want a number with 0 < floor < 1"}},
		{"-problems branin,choices -policies exp3,random", []string{"-policies exp3 on problem branin: Config.Space = one of real numbers"}},
		{"-problems choices -policies random,d-safe-bocp", []string{"-policies d-safe-bocp on problem choices: Config.Seeds = []: want at least one point"}},
		{"-policies gp-bucb,batch", []string{"-policies = batch", "wait for batches"}},
		{"-data nowhere", []string{"-data", "nowhere", "tst-svm"}},
		{"-workers 8,8", []string{"-workers = 8: want each number once: this one is repeated"}},
	} {
		code, _, err := consoletest.Execute(t, demo(), append([]string{"compare", "-report", "-"}, strings.Fields(c.args)...)...)
		if code != console.ExitUsage {
			t.Errorf("%s: code %d: %s", c.args, code, err)
		}
		consoletest.Contains(t, err, append(c.want, "demo help compare")...)
	}
}

func TestTheListNamesProblemsConditionsAndCells(t *testing.T) {
	code, out, err := consoletest.Execute(t, demo(), "compare", "-list", "-noise", "no,heavy", "-workers", "1,32", "-problems", "mixed")
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, err)
	}
	consoletest.Contains(t, out, "rosenbrock:10", "svm-lists-judging", "Student's t", "Pareto", "ints: heavy noise, poisson, 32 workers, 80 queries", "\n16 cells.\n")
}

func TestAMistakeIsComplainedOfOnce(t *testing.T) {
	for _, args := range []string{"-policies gp-bucbb,random", "-policies log-ei,gp-bucbb -reference gp-bucbb", "-half first -problems branin", "-floor 0", "-workers 9999"} {
		_, _, err := consoletest.Execute(t, demo(), append([]string{"compare", "-report", "-"}, strings.Fields(args)...)...)
		if got := strings.Count(err, "want "); got != 1 {
			t.Errorf("%s: %d complaints:\n%s", args, got, err)
		}
	}
}

func TestTheReferenceIsTheUsualOneWhereItIsAmongThePoliciesElseTheFirst(t *testing.T) {
	for list, want := range map[string]string{"random,gp-bucb": "gp-bucb", "random,log-ei": "random"} {
		code, out, err := consoletest.Execute(t, demo(), tiny("-policies", list, "-seeds", "1", "-report", "-", "-json", "-")...)
		var s tournament.Summary
		if wrong := json.Unmarshal([]byte(out), &s); code != console.ExitOK || wrong != nil || s.Reference != want {
			t.Errorf("%s: reference %q, want %s (code %d, %v): %s", list, s.Reference, want, code, wrong, err)
		}
	}
}
