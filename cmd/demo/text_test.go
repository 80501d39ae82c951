package main

import "testing"

func TestPlurals(t *testing.T) {
	for want, got := range map[string]string{"1 query": plural(1, "query"), "2 queries": plural(2, "query"), "0 seeds": plural(0, "seed")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
