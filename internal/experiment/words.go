package experiment

import (
	"fmt"
	"strconv"
	"strings"
)

// note says what curves and bands are.
func (r Results) note() string {
	done, all := r.Complete()
	text := fmt.Sprintf("mean ± standard error of %d seeds", r.seeds)
	if r.seeds == 1 {
		text = fmt.Sprintf("seed %d", r.first)
	}
	if done < all {
		text += fmt.Sprintf("; incomplete: %d of %d runs", done, all)
	}
	return text
}

func whole(n int) string { return strconv.Itoa(n) }

// plainLabel is the label of a measure without its unit.
func plainLabel(m measure) string {
	label, _, _ := strings.Cut(m.label, ",")
	return label
}

// plural counts things: 1 query, 2 queries.
func plural(n int, thing string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(thing, "y"):
		thing = strings.TrimSuffix(thing, "y") + "ies"
	default:
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}

// policyNames are the names that the literature uses, by ours.
var policyNames = map[string]string{
	"ucb-sdf": "GP-UCB-SDF", "ts-sdf": "GP-TS-SDF", "gp-ucb": "GP-UCB", "asy-ts": "asy-TS", "gp-bucb": "GP-BUCB", "gp-bts": "GP-BTS",
}
