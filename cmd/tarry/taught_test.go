package main

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/bandit"
)

const fourArms = "parameters:\n- {name: arm, type: int, low: 1, high: 4}\n"

// A study of a bandit that was taught begins with a file, has it in its journal, and names what is wrong with another.
func TestABanditIsTaughtByAFile(t *testing.T) {
	dir := folder(t, "echo 0.5")
	spaceOf(t, dir, fourArms)
	s, err := tarry.NewSpace(tarry.Int("arm", 1, 4))
	must(t, err)
	tasks := bandit.Tasks{Space: s, Values: [][]float64{{0.1, 0.9, 0.8, 0.2}}}
	for k := range 4 {
		tasks.Arms = append(tasks.Arms, s.Combination(k))
	}
	k, err := bandit.Learn(tasks, bandit.Settings{Layers: []int{2}, Steps: 3}, rand.New(rand.NewPCG(1, 0)))
	must(t, err)
	text, err := json.Marshal(k)
	must(t, err)
	texts(t, dir, map[string]string{
		"taught.json": string(text), "broken.json": "{", "other.json": `{"explore":0.1}`, "space2.yaml": strings.Replace(fourArms, "4", "5", 1),
	})
	line := func(more ...string) []string {
		return append([]string{"asktell", "--space", "space.yaml", "--budget", "9", "--policy", "meta-mab:best=1"}, more...)
	}
	const ask = `{"op":"ask"}` + "\n"
	for _, more := range [][]string{{"--taught", "taught.json", "--study", "s.db"}, {"--taught", "taught.json", "--study", "s.db"}, nil} {
		if got := callIn(t, dir, ask, line(more...)...); got.code != exitOK || !strings.Contains(got.out, `"arm":`) {
			t.Errorf("%v: %+v", more, got)
		}
	}
	if got := callIn(t, dir, "", "inspect", "s.db", "--explain", "1"); !strings.Contains(got.out, "at the chosen point: probability: 0.25") {
		t.Errorf("%+v", got)
	}
	for want, more := range map[string][]string{
		"--taught: open none.json":                     {"--taught", "none.json"},
		"broken.json is not what a bandit was taught":  {"--taught", "broken.json"},
		"--taught = what 0 tasks taught a bandit":      {"--taught", "other.json"},
		"nothing with policy exp3: it is not taught":   {"--taught", "taught.json", "--policy", "exp3"},
		"found another parameter 1":                    {"--taught", "taught.json", "--space", "space2.yaml"},
		"other.json: study s.db has something else":    {"--taught", "other.json", "--study", "s.db"},
		"a space of at most 10000 points, without con": {"--space", "real.yaml"},
	} {
		texts(t, dir, map[string]string{"real.yaml": "parameters:\n- {name: x, type: float, low: 1, high: 4}\n"})
		if got := callIn(t, dir, ask, line(more...)...); got.code == exitOK || !strings.Contains(got.log+got.out, want) {
			t.Errorf("%v: %+v, want %q", more, got, want)
		}
	}
}
