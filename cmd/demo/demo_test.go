package main

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
)

func TestUnknownCommandsListWhatExists(t *testing.T) {
	for _, args := range [][]string{{"simulate"}, {"help", "simulate"}} {
		code, out, err := consoletest.Execute(t, demo(), args...)
		if code != console.ExitUsage || out != "" {
			t.Errorf("%v: code %d, stdout %q", args, code, out)
		}
		consoletest.Contains(t, err, `"simulate"`, "tune, sim, compare, exp, policies, problems, help")
	}
}

func TestHelpIsNoError(t *testing.T) {
	for _, args := range [][]string{
		{"help"}, {"-h"}, {"--help"}, {"help", "help"}, {"help", "tune"}, {"help", "sim"}, {"help", "compare"}, {"sim", "-h"}, {"sim", "-rounds", "x", "--help"},
		{"policies", "-h"}, {"problems", "--help"}, {"help", "policies"}, {"help", "problems"}, {"help", "-h"},
	} {
		code, out, err := consoletest.Execute(t, demo(), args...)
		if code != console.ExitOK || err != "" || !strings.Contains(out, "go run ./cmd/demo") {
			t.Errorf("%v: code %d, stderr %q, stdout:\n%s", args, code, err, out)
		}
	}
}

func TestListsNameEverything(t *testing.T) {
	code, out, _ := consoletest.Execute(t, demo(), "policies")
	if code != console.ExitOK {
		t.Errorf("policies: code %d", code)
	}
	consoletest.Contains(t, out, "ucb-sdf", "Verma et al. 2022", "random", "nu=")
	code, out, _ = consoletest.Execute(t, demo(), "problems")
	if code != console.ExitOK {
		t.Errorf("problems: code %d", code)
	}
	consoletest.Contains(t, out, "gp1d", "branin", "-0.397887", "hartmann6", "svm-breast")
	for _, args := range [][]string{{"policies", "all"}, {"problems", "-x"}, {"help", "sim", "now"}} {
		if code, _, err := consoletest.Execute(t, demo(), args...); code != console.ExitUsage || !strings.Contains(err, args[len(args)-1]) {
			t.Errorf("%v: code %d, %s", args, code, err)
		}
	}
}

// However somebody asks for it, the help of a command is the same.
func TestEveryCommandHelpsOnBothWays(t *testing.T) {
	for _, c := range demo().Commands {
		_, asked, _ := consoletest.Execute(t, demo(), "help", c.Name)
		code, flagged, err := consoletest.Execute(t, demo(), c.Name, "-h")
		if code != console.ExitOK || err != "" || flagged != asked || !strings.Contains(asked, "go run ./cmd/demo") {
			t.Errorf("%s: code %d, stderr %q, stdout:\n%s\nwant:\n%s", c.Name, code, err, flagged, asked)
		}
	}
	_, unnamed, _ := consoletest.Execute(t, demo(), "-h")
	if _, asked, _ := consoletest.Execute(t, demo(), "help", "tune"); unnamed != asked || !strings.HasSuffix(asked, "Other commands: 'demo help'.\n") {
		t.Errorf("without a command: %s", unnamed)
	}
}
