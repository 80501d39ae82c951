package main

import (
	"strings"
	"testing"
)

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
