package main

import (
	"strings"
	"testing"
)

// Who means a logarithm is told how to say so, when the study begins and never again.
func TestARangeOverOrdersOfMagnitudeIsRemarked(t *testing.T) {
	const note = `lr goes evenly from 0.001 to 1: nine in ten of its values are above 0.101; with "log": true`
	for parameter, want := range map[string]bool{
		"{name: lr, type: float, low: 1e-3, high: 1}":                                                 true,
		"{name: lr, type: float, low: 1e-3, high: 1, log: true}":                                      false,
		"{name: lr, type: float, low: 2e-3, high: 1}":                                                 false,
		"{name: lr, type: float, low: 0, high: 1}":                                                    false,
		"{name: lr, type: float, low: -1, high: 1000}":                                                false,
		"{name: lr, type: float, low: 1e-3, high: 1, step: 1e-3}":                                     false,
		"{name: lr, type: int, low: 1, high: 5000}":                                                   false,
		"{name: lr, type: float, low: 1e-3, high: 1, role: context}\n- {name: x, type: bool}":         false,
		"{name: other, type: float, low: 1, high: 2}\n- {name: lr, type: bool}":                       false,
		"{name: other, type: float, low: 0, high: 1}\n- {name: lr, type: float, low: 0.001, high: 1}": true,
	} {
		dir := folder(t, "echo 1")
		spaceOf(t, dir, "parameters:\n- "+parameter+"\n")
		args := []string{"asktell", "--space", "space.yaml", "--budget", "4", "--study", "study.db"}
		got := callIn(t, dir, `{"op":"state"}`+"\n", args...)
		if got.code != exitOK || strings.Contains(got.log, note) != want {
			t.Errorf("%s: %d, %s", parameter, got.code, got.log)
		}
		if again := callIn(t, dir, `{"op":"state"}`+"\n", "asktell", "--study", "study.db"); again.code != exitOK || strings.Contains(again.log, "evenly") {
			t.Errorf("%s, again: %d, %s", parameter, again.code, again.log)
		}
	}
	dir := folder(t, "echo 1")
	spaceOf(t, dir, "parameters:\n- {name: lr, type: float, low: 1e-3, high: 1}\n")
	if got := callIn(t, dir, "", "tune", "--space", "space.yaml", "--budget", "2", "--", "./train.sh", "{lr}"); got.code != exitOK || !strings.Contains(got.log, note) {
		t.Errorf("%d: %s", got.code, got.log)
	}
}
