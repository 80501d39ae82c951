package house

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var (
	mapRow  = regexp.MustCompile(`(?m)^\| (\d+) \| ([^|]+) \|`)
	mapRoom = regexp.MustCompile("`([^`]+)`( \\*)?")
)

// The map of ARCHITECTURE.md has the rooms of the import table with their ranks, and a star at those of the core.
func TestTheMapIsTheTable(t *testing.T) {
	product, wing, found := strings.Cut(read(t, "ARCHITECTURE.md"), "| rank | room of `"+laboratory+"` |")
	if !found {
		t.Fatal("the laboratory has no map")
	}
	seen := map[string]bool{"policies/policytest": true, laboratory + "/console/consoletest": true} // which stand in the text
	rows := func(text, below string) {
		for _, row := range mapRow.FindAllStringSubmatch(text, -1) {
			for _, m := range mapRoom.FindAllStringSubmatch(row[2], -1) {
				name := m[1]
				switch {
				case name == "tarry":
					name = ""
				case !strings.HasPrefix(name, "cmd/"):
					name = below + name
				}
				r, listed := table[name]
				if rank, _ := strconv.Atoi(row[1]); !listed || seen[name] || r.rank != rank {
					t.Errorf("the map has %q in rank %s, the table has it: %v, in rank %d; twice: %v", name, row[1], listed, r.rank, seen[name])
				}
				if pure := m[2] != ""; pure != slices.Contains(core, name) {
					t.Errorf("the map says that %q is of the core: %v", name, pure)
				}
				seen[name] = true
			}
		}
	}
	rows(product, "")
	rows(wing, laboratory+"/")
	for name := range table {
		if !seen[name] {
			t.Errorf("the map has no %q", name)
		}
	}
}
