package command

import (
	"fmt"
	"strings"
)

const maxHinted = 20 // names that a message lists

// hint returns the end of the message about an unknown name: what may have been meant, and the names there are.
func hint(written string, names []placeholder) string {
	var out strings.Builder
	best, distance := "", 0
	for _, p := range names {
		if len(written) > maxShown { // a script, not a name
			break
		}
		d := editDistance([]rune(strings.ToLower(strings.TrimSpace(written))), []rune(strings.ToLower(p.name)))
		// A third of the letters may be wrong, in short words one.
		if limit := (max(len(written), len(p.name)) + 2) / 3; d <= limit && (best == "" || d < distance) {
			best, distance = p.name, d
		}
	}
	if best != "" {
		fmt.Fprintf(&out, "; did you mean {%s}?", best)
	}
	out.WriteString(" (known: ")
	for i, p := range names {
		if i == maxHinted {
			fmt.Fprintf(&out, " and %d more", len(names)-i)
			break
		}
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(p.name)
	}
	out.WriteString("; a literal { is written {{)")
	return out.String()
}

// editDistance returns how many letters must be inserted, removed, replaced or swapped with their neighbor to make b of
// a, no letter being edited twice (optimal string alignment). It costs O(len(a) len(b)).
func editDistance(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range b {
			replaced := last[j]
			if a[i] != b[j] {
				replaced++
			}
			row[j+1] = min(replaced, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
