package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/policies"
)

func TestOutputThatCannotBeWrittenIsAFailureOfEveryCommand(t *testing.T) {
	for _, args := range []string{
		"tune -plot " + filepath.Join(t.TempDir(), "x.png"), "sim -problem branin -policies random -rounds 2 -seeds 1", "policies", "problems", "help", "help sim", "sim -h",
	} {
		var text bytes.Buffer
		if code := demo().Run(t.Context(), strings.Fields(args), consoletest.Full{}, &text); code != console.ExitFailure {
			t.Errorf("%s: code %d", args, code)
		}
		consoletest.Contains(t, text.String(), "demo: no space left")
	}
}

func TestTheListOfPoliciesHasEveryOption(t *testing.T) {
	_, listed, _ := consoletest.Execute(t, demo(), "policies")
	consoletest.Contains(t, listed, policies.Default+" (default)")
	for _, e := range policies.All() {
		for _, option := range e.Settings() {
			if !strings.Contains(listed, option.Key+"=") {
				t.Errorf("%s takes %s, and the list does not say so", e.Name, option.Key)
			}
		}
	}
}
