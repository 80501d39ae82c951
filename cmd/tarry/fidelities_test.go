package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const threeFidelities = `parameters:
- {name: lr, type: float, low: 1e-5, high: 1, log: true}
- {name: epochs, type: ordered, values: [1, 3, 9], role: fidelity, costs: [1, 3, 9]}
`

// spaceOf writes a space file.
func spaceOf(t *testing.T, dir, text string) {
	t.Helper()
	must(t, os.WriteFile(filepath.Join(dir, "space.yaml"), []byte(text), 0o644))
}

func TestABudgetInCostIsSpentAndShown(t *testing.T) {
	dir := folder(t, `awk "BEGIN { print 1 - (log($1)/log(10)+2)^2/4 + 5/$2 }"`)
	spaceOf(t, dir, threeFidelities)
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget-cost", "60", "--policy", "mf-mes", "--workers", "2", "--", "./train.sh", "{lr}", "{epochs}")
	if got.code != exitOK || !strings.Contains(got.out+got.log, "of 60") || !strings.Contains(got.out, "epochs=9: ") || !strings.Contains(got.out, "ended: budget spent") {
		t.Fatalf("%d: %s\n%s", got.code, got.out, got.log)
	}
	seen := callIn(t, dir, "", "inspect", "study.db")
	for _, want := range []string{"budget 60 in cost", " at epochs=1 for ", " at epochs=9 for ", " of 60: "} {
		if !strings.Contains(seen.out, want) {
			t.Errorf("%q is missing in:\n%s", want, seen.out)
		}
	}
	best := seen.out[strings.Index(seen.out, "\nbest"):]
	if line, _, _ := strings.Cut(best[1:], "\n"); !strings.Contains(line, "epochs=9") {
		t.Errorf("the best is %s, though values of lower fidelities are greater", line)
	}
	if more := callIn(t, dir, "", "resume", "study.db", "--budget-cost", "20"); more.code == exitOK {
		t.Errorf("a budget below what was spent: %s", more.out)
	}
	if more := callIn(t, dir, "", "resume", "study.db", "--budget-cost", "80"); more.code != exitOK || !strings.Contains(more.out+more.log, "of 80") {
		t.Errorf("%d: %s\n%s", more.code, more.out, more.log)
	}
}

func TestMistakesAboutFidelitiesAreNamed(t *testing.T) {
	for want, c := range map[string]struct {
		text string
		args []string
	}{
		"which one evaluation of the greatest fidelity costs":                                    {threeFidelities, []string{"--budget-cost", "5"}},
		"costs of epochs do not increase: epochs=3 for 3: a greater value costs as much or less": {strings.Replace(threeFidelities, "[1, 3, 9]}", "[1, 3, 3]}", 1), []string{"--budget-cost", "12"}},
		"costs": {strings.Replace(threeFidelities, ", costs: [1, 3, 9]", "", 1), []string{"--budget", "5"}},
	} {
		dir := folder(t, "echo 1")
		spaceOf(t, dir, c.text)
		got := callIn(t, dir, "", append(append([]string{"tune", "--space", "space.yaml"}, c.args...), "--", "./train.sh", "{lr}", "{epochs}")...)
		if !strings.Contains(got.log, want) {
			t.Errorf("%q is missing in: %s", want, got.log)
		}
		if got = callIn(t, dir, "", append([]string{"asktell", "--space", "space.yaml"}, c.args...)...); !strings.Contains(got.log, want) || strings.Contains(got.out, want) {
			t.Errorf("asktell: %q is missing in: %s", want, got.log)
		}
	}
}

// Files of points need no column of the fidelity: the target is meant.
func TestFilesOfPointsMayLeaveTheFidelityOut(t *testing.T) {
	dir := folder(t, `echo "$1"`)
	spaceOf(t, dir, threeFidelities)
	texts(t, dir, map[string]string{"known.csv": "lr,value\n0.1,2\n", "cells.csv": "lr,epochs,value\n0.2,,2\n0.2,3,2\n", "first.csv": "lr\n0.3\n"})
	for file, want := range map[string][]string{"known.csv": {"9", "9"}, "cells.csv": {"9", "3", "9"}} {
		study := file + ".db"
		got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget", "1", "--observe", file, "--enqueue", "first.csv", "--study", study, "--", "./train.sh", "{lr}")
		if got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		_, rows := sheet(t, filepath.Join(dir, study))
		for i, row := range rows {
			if row["epochs"] != want[i] || len(rows) != len(want) {
				t.Errorf("%s: %v", file, row)
			}
		}
	}
}

// A budget in cost that cannot be meant is refused with the flag, what was given, and what may be.
func TestABudgetInCostHasItsRange(t *testing.T) {
	dir := folder(t, "echo $1")
	spaceOf(t, dir, threeFidelities)
	ask := "{\"op\":\"ask\"}\n{\"op\":\"tell\",\"id\":1,\"value\":1,\"cost\":12}\n"
	tuned := []string{"tune", "--space", "space.yaml", "--study", "no.db", "--", "./train.sh", "{lr}"}
	for _, begun := range []called{
		callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget-cost", "20", "--study", "t.db", "--", "./train.sh", "{lr}"),
		callIn(t, dir, ask, "asktell", "--space", "space.yaml", "--budget-cost", "20", "--study", "a.db"),
	} {
		if begun.code != exitOK {
			t.Fatalf("%+v", begun)
		}
	}
	const began, later, floor = "want 0 ≤ budget-cost < inf", "want 0 < budget-cost < inf", ": so much the study has spent already"
	for _, c := range []struct {
		args               []string
		zero, wrong, small string
	}{
		{tuned, "want 0 < budget-cost < inf, or a --budget", began, "want at least 9, which one"},
		{[]string{"asktell", "--space", "space.yaml"}, "", began, "want at least 9, which one"},
		{[]string{"resume", "t.db"}, later, later, floor},
		{[]string{"asktell", "--study", "a.db"}, later, later, "want at least 12" + floor},
	} {
		for flag, want := range map[string]string{"0": c.zero, "-1": c.wrong, "NaN": c.wrong, "+Inf": c.wrong, "-Inf": c.wrong, "4": c.small} {
			args := append([]string{c.args[0], "--budget-cost", flag}, c.args[1:]...)
			got := callIn(t, dir, "", args...)
			if want == "" {
				if got.code != exitOK {
					t.Errorf("%v: %+v", args, got)
				}
			} else if got.code != exitUsage || !strings.Contains(got.log, "--budget-cost = "+flag+": ") || !strings.Contains(got.log, want) {
				t.Errorf("%v: want %s in %+v", args, want, got)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "no.db")); err == nil {
		t.Error("a study was begun all the same")
	}
}

// Of two budgets both are told, and what goes on is advised with the one that is spent.
func TestBothBudgetsAreTold(t *testing.T) {
	dir := folder(t, "echo 0.5")
	spaceOf(t, dir, threeFidelities)
	got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget", "4", "--budget-cost", "600", "--policy", "random", "--", "./train.sh")
	if !strings.Contains(got.out, " of 600, with 4 of 4 evaluations") {
		t.Errorf("%s", got.out)
	}
	if seen := callIn(t, dir, "", "inspect", "study.db"); !strings.Contains(seen.out, "budget 4, 600 in cost") {
		t.Errorf("%s", seen.out)
	}
	for _, flags := range [][]string{nil, {"--budget-cost", "900"}} {
		if again := callIn(t, dir, "", append([]string{"resume", "study.db"}, flags...)...); !strings.Contains(again.log, "tarry resume study.db --budget 8") {
			t.Errorf("%v: %s", flags, again.log)
		}
	}
	if more := callIn(t, dir, "", "resume", "study.db", "--budget", "6"); strings.Contains(more.log, "tarry resume") || !strings.Contains(more.out, "6 of 6") {
		t.Errorf("%s%s", more.log, more.out)
	}
}

// A session goes on with another budget in cost.
func TestTheBudgetInCostOfASessionChanges(t *testing.T) {
	dir := folder(t, "")
	spaceOf(t, dir, threeFidelities)
	ask := "{\"op\":\"ask\"}\n{\"op\":\"tell\",\"id\":1,\"value\":1,\"cost\":12}\n{\"op\":\"ask\"}\n"
	if got := callIn(t, dir, ask, "asktell", "--space", "space.yaml", "--budget-cost", "12", "--study", "a.db"); !strings.Contains(got.out, `"ended":true`) {
		t.Fatalf("%+v", got)
	}
	got := callIn(t, dir, "{\"op\":\"ask\"}\n{\"op\":\"state\"}\n", "asktell", "--study", "a.db", "--budget-cost", "30")
	if got.code != exitOK || !strings.Contains(got.out, `"id":2`) || !strings.Contains(got.out, `"budget_cost":30`) {
		t.Errorf("%+v", got)
	}
}
