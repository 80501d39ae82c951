package claims

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// quick is a guide whose figures take a second.
const quick = `<!-- claim
takes: 1s
tables:
- ["branin > {head} > simple regret after 5"]
figures:
- after five queries it is {} for random: branin > random > simple regret after 5
-->

| problem | random |
| --- | --- |
| branin | %s |

Simple regret after five queries it is %s for random search.

` + "```sh" + `
go run ./cmd/demo sim -problem branin -policies random -rounds 5 -seeds 2 -json runs.jsonl
` + "```" + `

<!-- end -->

<!-- claim
run: go run ./cmd/demo exp sdf-cnn -seeds 20
takes: 2h
-->

| policy | accuracy |
| --- | --- |
| random | 1 |

<!-- end -->

<!-- claim
run: go run ./cmd/demo exp sdf-svm -data pima-diabetes.csv
takes: 5m
data: pima-diabetes.csv
-->

| policy | accuracy |
| --- | --- |
| random | 1 |

<!-- end -->
`

// built is the program, made once for all tests.
var built = bench{root: filepath.Join("..", "..", "..")}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := built.close(); err != nil {
		panic(err)
	}
	os.Exit(code)
}

func measured(t *testing.T, text string) []Result {
	t.Helper()
	return measuredIn(t, guide(t, text))
}

// measuredIn measures the claims of a file.
func measuredIn(t *testing.T, path string) []Result {
	t.Helper()
	all, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var results []Result
	if err := built.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	b := built
	b.printed = map[string]string{} // each measurement runs its commands
	err = b.measure(t.Context(), all, Options{}, func(r Result) { results = append(results, r) })
	if err != nil || len(results) != len(all) {
		t.Fatalf("%d of %d results, %v", len(results), len(all), err)
	}
	return results
}

// The figures of a guide are measured by the command that stands in it: wrong ones are found, and with the measured ones in
// their place the same command agrees to the digit.
func TestFiguresAreMeasuredAgain(t *testing.T) {
	path := guide(t, fmt.Sprintf(quick, "1.5 ± 0.2", "1.5"))
	results := measuredIn(t, path)
	first := results[0]
	if first.Err != nil || !first.Differs() || len(first.Findings) != 2 {
		t.Fatalf("wrong figures gave %+v", first)
	}
	if f := first.Findings[0]; f.What != "branin, random" || f.Line != 11 || f.Stands != "1.5 ± 0.2" || !regexp.MustCompile(`^[\d.]+ ± [\d.]+$`).MatchString(f.Measured) {
		t.Errorf("the cell gave %+v", f)
	}
	if results[1].Skipped != "takes 2h" || results[2].Skipped != "needs pima-diabetes.csv" {
		t.Errorf("skipped because %q and %q", results[1].Skipped, results[2].Skipped)
	}
	if n, err := first.Write(); n != 2 || err != nil {
		t.Fatalf("%d figures were written, %v", n, err)
	}
	if again := measuredIn(t, path)[0]; again.Differs() || !again.Findings[0].Agrees || !again.Findings[1].Agrees {
		t.Errorf("what was measured differs from itself: %+v", again.Findings)
	}
}

func TestACommandThatGivesNothingIsAnError(t *testing.T) {
	text := strings.Replace(fmt.Sprintf(quick, "1", "1"), "> random > simple", "> gp-bucb > simple", 1)
	first := measured(t, text)[0]
	if !first.Differs() || first.Findings[1].Err == nil {
		t.Errorf("a row that is not printed gave %+v", first.Findings)
	}
	text = strings.Replace(fmt.Sprintf(quick, "1", "1"), "-rounds 5", "-rounds none", 1)
	if first := measured(t, text)[0]; first.Err == nil || !first.Differs() {
		t.Errorf("a command that fails gave %+v", first)
	}
}

func TestWhatIsMeasuredIsAsked(t *testing.T) {
	all, err := Read(guide(t, fmt.Sprintf(quick, "1", "1")))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Slow: true, Data: "somewhere", Only: regexp.MustCompile("sdf-(cnn|svm)")}
	if a, b, c := o.Reason(all[0]), o.Reason(all[1]), o.Reason(all[2]); a != "not asked for" || b != "" || c != "" {
		t.Errorf("reasons %q, %q, %q", a, b, c)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	told := 0
	err = Measure(ctx, all, Options{Root: filepath.Join("..", "..", "..")}, func(Result) { told++ })
	if !errors.Is(err, context.Canceled) || told > 0 {
		t.Errorf("after the end %d claims were told, %v", told, err)
	}
}

func TestCommandsWriteNoFiles(t *testing.T) {
	words, err := split(`sim  -plot a.png -rounds 5 -json 'b c.jsonl' "-seeds" 2`)
	if got := fmt.Sprintf("%q", bare(words)); err != nil || got != `["sim" "-rounds" "5" "-seeds" "2"]` {
		t.Errorf("%s, %v", got, err)
	}
	if got := fmt.Sprint(bare([]string{"exp", "batch", "-report", "out", "-seeds", "2"})); got != "[exp batch -seeds 2 -report -]" {
		t.Error(got)
	}
}

// TestEachColumnMayNameItsHeading: the heading stands in the place of one column as in that of all.
func TestEachColumnMayNameItsHeading(t *testing.T) {
	printed := parseOutput("regret\n┌────────┬───┬───┐\n│ policy │ a │ b │\n├────────┼───┼───┤\n│ random │ 1 │ 2 │\n└────────┴───┴───┘\n")
	for _, places := range [][]string{{"regret > {1} > {head}"}, {"regret > {1} > {head}", "regret > {1} > {head}"}} {
		c := Claim{Tables: [][]string{places}, stretch: stretch{tables: []Table{{Head: []string{"policy", "a", "b"}, Rows: [][]string{{"random", "1", "2"}}}}}}
		findings := c.compare(printed)
		if len(findings) != 2 {
			t.Fatalf("%q: %d figures, want 2", places, len(findings))
		}
		for _, f := range findings {
			if !f.Agrees {
				t.Errorf("%q: %s: stands %s, measured %s, %v", places, f.What, f.Stands, f.Measured, f.Err)
			}
		}
	}
}
