package command

import (
	"fmt"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
)

const maxHinted = 20 // names that a message lists

// hint returns the end of the message about an unknown name: what may have been meant, and the names there are.
func hint(written string, names []placeholder) string {
	var out strings.Builder
	known := make([]string, len(names))
	for i, p := range names {
		known[i] = p.name
	}
	if best := check.Meant(strings.TrimSpace(written), known); best != "" {
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
