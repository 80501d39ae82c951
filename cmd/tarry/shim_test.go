package main

import (
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/shim"
)

// A program that is called as a shim does nothing else: the packages that a shim has no use for do not even begin.
func TestAShimIsNothingElse(t *testing.T) {
	begun := func(args ...string) (string, int) {
		cmd := program(t, t.TempDir(), args...)
		cmd.Env = append(cmd.Env, "GODEBUG=inittrace=1")
		var log strings.Builder
		cmd.Stderr = &log
		_ = cmd.Run() // the shim has nothing to run, and says so
		return log.String(), cmd.ProcessState.ExitCode()
	}
	all, code := begun("--version")
	if code != exitOK {
		t.Fatalf("the program ends with %d: %s", code, all)
	}
	few, code := begun(shim.Word)
	if !strings.Contains(few, "started without a command to run") {
		t.Errorf("a shim without a command ends with %d and says\n%s", code, few)
	}
	for _, room := range []string{"gonum.org/v1/plot", "net/http", "google.golang.org/grpc", "github.com/prometheus/client_golang/prometheus", "github.com/tarry-bo/tarry/internal/serve"} {
		if line := "init " + room + " @"; strings.Contains(few, line) || !strings.Contains(all, line) {
			t.Errorf("%s begins in a shim: %v; in the program: %v", room, strings.Contains(few, line), strings.Contains(all, line))
		}
	}
}
