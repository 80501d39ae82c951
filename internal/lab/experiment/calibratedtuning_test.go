package experiment

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func TestATrainingIsRecordedByItsLeastCost(t *testing.T) {
	r := training{scale: 100}.record(sim.Scenario{}, sim.Performance{SimpleRegret: []float64{0.5, 0.25}})
	if got := r[leastCost]; len(got) != 2 || got[0] != 50 || got[1] != 25 {
		t.Errorf("least costs %v, want 50 and 25", got)
	}
}

// Good settings find nearly the perplexity of the topics that the texts were drawn from; steps that are damped too much do not.
func TestPerplexityDependsOnTheSettings(t *testing.T) {
	c := drawnCollection()
	train, test, err := c.divided(3)
	if err != nil || len(train) != 480 || len(test) != 120 {
		t.Fatalf("%d and %d documents (%v), want 480 and 120", len(train), len(test), err)
	}
	perplexity, truth := must.Get(c.perplexity(3))(t), must.Get(c.truth(3))(t).Perplexity(test)
	good, again, bad := perplexity(space.Point{8, 0.7, 8}), perplexity(space.Point{8, 0.7, 8}), perplexity(space.Point{128, 1, 32})
	if good != again || !(good > truth && good < 1.6*truth && bad > 2*truth && bad < float64(c.words)) {
		t.Errorf("perplexities %g and %g of good settings, %g of bad ones, %g of the truth", good, again, bad, truth)
	}
}

func TestRealTextsAreTrainedOn(t *testing.T) {
	var lines strings.Builder
	for i := range 60 {
		words := []string{"sheep wool shepherd pasture flock ", "ship sail harbour anchor water "}[i%2]
		lines.WriteString(strings.Repeat(words, 10+i%7) + "and the\n")
	}
	path := filepath.Join(t.TempDir(), "texts.txt")
	write(t, path, lines.String())
	c := must.Get(readCollection(path))(t)
	if c.name != "texts" || c.words != 10 || len(c.fingerprint) != 64 || c.topics != ldaTopics {
		t.Errorf("%q, %d words, fingerprint %q", c.name, c.words, c.fingerprint)
	}
	if got := must.Get(c.perplexity(1))(t)(space.Point{4, 0.6, 2}); !(got > 4.9 && got < 7) {
		t.Errorf("perplexity %g of two kinds of texts of five words each", got)
	}
	plan := must.Get(planLDA(Input{Rounds: 3, Data: path}))(t)
	if last := plan.Arms[len(plan.Arms)-1]; last.Name != grownAll || plan.Fingerprint != c.fingerprint {
		t.Errorf("the last arm of real texts is %q", last.Name)
	}
}

func TestTheErrorOfANetworkDependsOnTheSettings(t *testing.T) {
	set, _, err := readImages("")
	if err != nil {
		t.Fatal(err)
	}
	cost := must.Get(networkError(set, 2))(t)
	for _, c := range []struct {
		what      string
		x         space.Point
		low, high float64
	}{
		{"good settings", space.Point{32, 0.01, 1e-5, 1e-5, 24, 24}, 0, 0.05},
		{"a rate far too small", space.Point{32, 1e-7, 1e-5, 1e-5, 24, 24}, 0.5, 1},
	} {
		if got := cost(c.x); !(got >= c.low && got <= c.high) || got != cost(c.x) {
			t.Errorf("%s: error %g", c.what, got)
		}
	}
}

func TestEachSensitivityChangesOneThing(t *testing.T) {
	all, seen := sensitivities(), map[string]bool{}
	for _, s := range all[1:] {
		changed := 0
		for _, differs := range []bool{s.kernel != all[0].kernel, s.of != all[0].of, s.corrected != all[0].corrected, s.initial != all[0].initial, s.design != all[0].design} {
			if differs {
				changed++
			}
		}
		if changed != 1 || seen[s.group] {
			t.Errorf("%s: %d things are changed, or it is there twice", s.group, changed)
		}
		seen[s.group] = true
	}
}

// Nothing that has not been run is shown as a number.
func TestSensitivityIsShownWithoutARun(t *testing.T) {
	plan := must.Get(planSensitivity(Input{Rounds: 3}))(t)
	s := plan.Show(newResults(plan, Options{Seed: 1, Seeds: 2}))
	for _, row := range s[0].Tables[0].Rows {
		if strings.Contains(strings.Join(row, " "), "NaN") {
			t.Errorf("row %q", row)
		}
	}
	var sink strings.Builder
	if err := s[0].Figures[0].Drawing.WriteSVG(&sink); err != nil || strings.Count(sink.String(), "<svg") != 1 {
		t.Errorf("picture without a run: %v", err)
	}
}

func TestANetworkIsTunedOnImagesOfCIFAR(t *testing.T) {
	var content []byte
	for i := range 40 {
		content = append(content, byte(i%10))
		for j := range 3 * 32 * 32 {
			content = append(content, byte((i%10)*20+j%7))
		}
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "data_batch_2.bin"), string(content))
	plan := must.Get(planCalibratedCNN(Input{Rounds: 2, Data: dir}))(t)
	if len(plan.Fingerprint) != 64 || !strings.Contains(plan.Facts[0].Text, "40 of 40 images of 32x32") {
		t.Errorf("facts %v", plan.Facts[0])
	}
	set, _, err := readImages(dir)
	if err != nil {
		t.Fatal(err)
	}
	cost := must.Get(networkError(set, 1))(t)
	if got := cost(space.Point{32, 0.01, 1e-5, 1e-5, 16, 16}); !(got >= 0 && got <= 1) {
		t.Errorf("error %g", got)
	}
	write(t, filepath.Join(dir, "data_batch_3.bin"), string(content[:5000]))
	if _, err := planCalibratedCNN(Input{Rounds: 2, Data: dir}); err == nil || !strings.Contains(err.Error(), "data_batch_3.bin: byte 5000: end of file, want the colors of image 2") {
		t.Errorf("a file that is cut off: %v", err)
	}
}
