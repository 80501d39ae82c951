package console

import (
	"testing"
)

func TestPlurals(t *testing.T) {
	for want, got := range map[string]string{"1 query": Plural(1, "query"), "2 queries": Plural(2, "query"), "0 seeds": Plural(0, "seed")} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
