package claims

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// guide writes a Markdown file and returns its path.
func guide(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "guide.md")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const sound = `# Guide

<!-- claim
takes: 2s
speed: 3
figures:
- after 20 queries it is {}: "branin > gp-bucb > simple regret after 20"
-->

Regret of two policies:

| policy | after 20 | remark |
| --- | --- | --- |
| ` + "`gp-bucb`" + ` | 0.5 ± 0.1 | – |
| random | 7 | 2nd |

As the table says, after 20
queries it is 0.5, and after a while 3 % less.

` + "```sh" + `
go run ./cmd/demo sim -problem branin \
  -seeds 2   # the seeds 1 and 2
` + "```" + `

<!-- end -->
`

func TestAClaimIsReadWithItsTablesWordsAndCommand(t *testing.T) {
	all, err := Read(guide(t, sound))
	if err != nil || len(all) != 1 {
		t.Fatalf("%d claims, %v", len(all), err)
	}
	c := all[0]
	if c.First != 3 || c.Last != 25 || c.Takes.Seconds() != 2 || c.Speed != 3 || c.Run != "go run ./cmd/demo sim -problem branin -seeds 2" {
		t.Errorf("read as %+v", c)
	}
	if len(c.tables) != 1 || c.tables[0].Caption != "Regret of two policies" || c.tables[0].Rows[0][0] != "gp-bucb" || c.tables[0].line != 12 {
		t.Errorf("tables are %+v", c.tables)
	}
	if stands, err := c.standing(c.Figures[0].Words); stands != "0.5" || err != nil {
		t.Errorf("the figure in words is %q, %v", stands, err)
	}
	if lines := c.Conclusions(); len(lines) != 1 || lines[0] != 18 {
		t.Errorf("conclusions in lines %v, want 18", lines)
	}
}

func TestAWrongClaimIsRefusedWithItsLine(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no end":             {"<!-- end -->", "", "line 3: the claim has no end"},
		"an end too many":    {"<!-- end -->", "<!-- end -->\n\n<!-- end -->", "line 27: an end without a beginning"},
		"one in another":     {"Regret of two", "<!-- no claim: why -->\nRegret of two", "the claim before it, of line 3, has no end"},
		"no reason":          {"<!-- claim\n", "<!-- no claim: -->\n\n<!-- end -->\n\n<!-- claim\n", "line 3: no claim, and no reason"},
		"an unknown word":    {"speed: 3", "sped: 3", "line 3: the claim is not understood"},
		"no time":            {"takes: 2s", "takes: soon", `claim.takes = soon: want a time such as 2m30s`},
		"a foreign command":  {"go run ./cmd/demo sim", "rm -r .", "want go run ./cmd/demo or go test"},
		"itself":             {"demo sim", "demo claims", "it would measure itself"},
		"a pipe":             {"-problem branin", "-problem branin | head", "is a shell's"},
		"a slow speed":       {"speed: 3", "speed: 11", "claim.speed = 11: want a factor with 1 < speed ≤ 10"},
		"words that changed": {"queries it is 0.5", "queries it was 0.5", "stands 0 times in the text, want 1"},
		"too few places":     {"takes: 2s", "takes: 2s\ntables:\n- [a, b, c]", "want one place, or 2"},
		"too many tables":    {"takes: 2s", "takes: 2s\ntables:\n- [a]\n- [a]", "claim.tables = 2: want at most 1"},
		"data not read":      {"takes: 2s", "takes: 2s\ndata: x.csv", "want what the command names after -data"},
	} {
		text := strings.Replace(sound, c.old, c.new, 1)
		if _, err := Read(guide(t, text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
}

func TestFiguresOutsideOfClaimsAreSeen(t *testing.T) {
	p, err := parsePage("It takes 3 ms, or as in `4 ± 1`.\n\nIt prints `5 ± 1`.\n\n| n | time |\n| --- | --- |\n| 1 | 2 s |\n\n| name | what |\n| --- | --- |\n| a | 2 of 3 |\n\n```\n5 % of code\n```\n\n" +
		"<!-- no claim: by hand -->\n\nIt takes 4 ms.\n\n<!-- end -->\n")
	if err != nil || len(p.loose) != 2 || !strings.Contains(p.loose[0], "line 1: It takes 3 ms") || !strings.Contains(p.loose[1], "line 5: the table | n | time |") {
		t.Errorf("%q, %v", p.loose, err)
	}
}
