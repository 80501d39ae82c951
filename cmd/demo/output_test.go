package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/policies"
)

func TestOutputThatCannotBeWrittenIsAFailureOfEveryCommand(t *testing.T) {
	for _, args := range []string{
		"tune -plot " + filepath.Join(t.TempDir(), "x.png"), "sim -problem branin -policies random -rounds 2 -seeds 1", "policies", "problems", "help", "help sim", "sim -h",
	} {
		var text bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), full{}, &text); code != exitFailure {
			t.Errorf("%s: code %d", args, code)
		}
		contains(t, text.String(), "demo: no space left")
	}
}

func TestOutputStopsAtTheFirstError(t *testing.T) {
	var b bytes.Buffer
	o := output{to: &b}
	if n, err := o.Write([]byte("one")); n != 3 || err != nil {
		t.Error(n, err)
	}
	o.to = full{}
	if _, err := o.Write([]byte("two")); err == nil {
		t.Error("no error")
	}
	o.to = &b
	if _, err := o.Write([]byte("three")); err == nil || b.String() != "one" {
		t.Errorf("%v, %q", err, b.String())
	}
}

// The parser knows which options a policy takes, and says so when it meets another one.
func TestTheListOfPoliciesHasEveryOption(t *testing.T) {
	_, listed, _ := execute(t, "policies")
	for _, e := range policies.All() {
		_, err := policies.Parse(e.Name + ":none=1")
		_, options, found := strings.Cut(err.Error(), "want one of the options ")
		if !found {
			continue
		}
		for option := range strings.SplitSeq(options, ", ") {
			if !strings.Contains(e.Options, option+"=") || !strings.Contains(listed, option+"=") {
				t.Errorf("%s takes %s, but lists %q", e.Name, option, e.Options)
			}
		}
	}
}
