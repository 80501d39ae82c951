package claims

import (
	"os"
	"strings"
	"testing"
)

// several is a guide with figures in a table and among words, one of them broken over lines.
const several = `# Figures

<!-- claim
run: go run ./cmd/demo exp batch -seeds 2
takes: 1s
figures:
- after five queries it is {} for random: a > random > b
- and later {}: a > random > c
- from {} on: a > random > d
-->

| policy | regret | share | range |
| --- | --- | --- | --- |
| random | **1.5 ± 0.2** | 27 % | 3 to 5 |
| log-ei | −0.52 | .5 | 1 |

Simple regret after five queries
it is ` + "`1.5`" + ` for random search, and later 0.7 ±
0.1, from 12 to 15 on.

<!-- end -->
`

// find returns a claim's findings with what was measured, by what stands.
func find(t *testing.T, path string, measured map[string]string) Result {
	t.Helper()
	all, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Claim: all[0]}
	for _, f := range all[0].compare(output{}) {
		if found, ok := measured[f.What]; ok {
			f = f.found(found, nil)
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

func TestMeasuredFiguresArePutWhereTheOldOnesStand(t *testing.T) {
	path := guide(t, several)
	measured := map[string]string{
		"random, regret": "2.71 ± 0.33", "random, share": "31.4", "random, range": "9", "log-ei, regret": "-0.617", "log-ei, share": "0.25",
		"after five queries it is {} for random": "2.7113 ± 0.33", "and later {}": "0.9 ± 0.2", "from {} on": "99",
	}
	n, err := find(t, path, measured).Write()
	if err != nil || n != 6 {
		t.Fatalf("%d figures, %v", n, err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("**1.5 ± 0.2** | 27 %", "**2.71 ± 0.33** | 31 %", "−0.52 | .5", "−0.62 | .2", "`1.5`", "`2.7`", "later 0.7 ±\n0.1", "later\n0.9 ± 0.2").Replace(several)
	if string(text) != want {
		t.Errorf("the guide is\n%s\nwant\n%s", text, want)
	}
	for _, f := range find(t, path, measured).Findings {
		if f.Err == nil && f.What != "random, range" && f.What != "from {} on" && !f.Agrees {
			t.Errorf("%s stands as %s after %s was put there", f.What, f.Stands, f.Measured)
		}
	}
	if n, err := find(t, path, measured).Write(); n != 0 || err != nil {
		t.Errorf("once more: %d figures, %v", n, err)
	}
}

// TestAGuideThatHasChangedMeanwhileIsLeft: who edits a guide while its figures are measured loses nothing.
func TestAGuideThatHasChangedMeanwhileIsLeft(t *testing.T) {
	path := guide(t, several)
	r := find(t, path, map[string]string{"random, regret": "2.71 ± 0.33"})
	edited := "# One line more\n" + several
	if err := os.WriteFile(path, []byte(edited), 0o600); err != nil {
		t.Fatal(err)
	}
	if n, err := r.Write(); n != 0 || err == nil || !strings.Contains(err.Error(), "1.5 ± 0.2") {
		t.Errorf("%d figures, %v", n, err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != edited {
		t.Errorf("the guide is\n%s, %v", text, err)
	}
}

func TestFiguresOfAMachineAndThoseThatWereNotFoundStay(t *testing.T) {
	for name, f := range map[string]Finding{
		"a time":           {Stands: "3 s", Speed: 2},
		"a range":          {Stands: "3 to 5"},
		"nothing measured": {Stands: "3", Err: os.ErrNotExist},
		"another unit":     {Stands: "3 ms"},
		"no error":         {Stands: "3 ± 1"},
		"it agrees":        {Stands: "8", Agrees: true},
	} {
		f.Measured = "8 s"
		if figure, ok := f.restated(); ok {
			t.Errorf("%s: %s was put there", name, figure)
		}
	}
}
