package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of six evaluations the first two are of the initial design, and the others have forecasts: all of them count, also those
// of before a resume.
func TestTheSummarySaysHowTheForecastsDid(t *testing.T) {
	const script = `[ $TARRY_EVALUATION = 4 ] && mv train.sh away.sh; echo $TARRY_EVALUATION`
	dir := folder(t, script)
	said := func(text string) string {
		_, rest, _ := strings.Cut(text, "\nforecasts: ")
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	if got := tune(t, dir, "--budget", "6", "--initial", "2", "--workers", "1", "--policy", "locbo"); !strings.Contains(got.log, "stopped after 4 of 6") || !strings.Contains(said(got.out), " of 2 values in the central 80 %; calibrated sets held ") {
		t.Fatalf("%+v", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.sh"), []byte("#!/bin/sh\necho $TARRY_EVALUATION\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	resumed := callIn(t, dir, "", "resume", "s.db")
	if !strings.Contains(said(resumed.out), " of 4 values in the central 80 %; calibrated sets held ") {
		t.Fatalf("%+v", resumed)
	}
	if inspected := callIn(t, dir, "", "inspect", "s.db"); said(inspected.out) != said(resumed.out) {
		t.Errorf("inspect says %q, the summary %q", said(inspected.out), said(resumed.out))
	}
}
