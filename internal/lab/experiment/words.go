package experiment

import (
	"fmt"
	"strconv"
	"strings"
)

// note says what curves and their errors are.
func (r Results) note() string { return r.over("mean ± standard error") }

// over says what is shown of all seeds.
func (r Results) over(what string) string {
	text := fmt.Sprintf("%s of %d seeds", what, r.seeds)
	if r.seeds == 1 {
		text = fmt.Sprintf("seed %d", r.first)
	}
	if missing := r.incomplete(); missing != "" {
		text += "; incomplete: " + missing
	}
	return text
}

// incomplete says how many runs there are, and how many seeds of a method, where some are missing; empty when all are there.
func (r Results) incomplete() string {
	done, all := r.Complete()
	if done == all {
		return ""
	}
	least, most := r.seedsOfArms()
	text := fmt.Sprintf("%d of %d runs", done, all)
	if least == most {
		return text + ", " + plural(most, "seed") + " of each method"
	}
	return text + fmt.Sprintf(", %d to %s of a method", least, plural(most, "seed"))
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

// policyNames are our names of policies, by those that the authors use.
var policyNames = map[string]string{
	"GP-UCB-SDF": "ucb-sdf", "GP-TS-SDF": "ts-sdf", "GP-UCB": "gp-ucb", "asy-TS": "asy-ts", "GP-BUCB": "gp-bucb", "GP-BTS": "gp-bts",
}
