package comparison

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tarry-bo/tarry/internal/lab/console/consoletest"
	"github.com/tarry-bo/tarry/space"
)

// decay makes results without a simulation: policy p halves the regret every 10·(p+1) queries.
func decay(c comparison) []result {
	var out []result
	for _, j := range c.jobs() {
		r := result{job: j, wall: 1500 * time.Microsecond, initial: 5, answered: 40 + j.seed, fallbacks: j.policy * j.seed}
		sum := 0.0
		for k := range c.rounds {
			v := (1 + 0.1*float64(j.seed)) * math.Pow(0.5, float64(k)/(10*float64(j.policy+1)))
			sum += v
			if j.policy == 0 && k > 55 {
				v = 0
			}
			if j.policy == 1 && j.seed == 2 && k < 12 {
				v = nan
			}
			r.simple, r.cumulative, r.values = append(r.simple, v), append(r.cumulative, sum), append(r.values, 1-v/10)
		}
		r.best = []float64{float64(10 * (j.seed + 1)), 0.01}
		out = append(out, r)
	}
	return out
}

func TestRegretTable(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "batch:of=random,random", "-window", "20", "-strict", "-rounds", "60", "-seeds", "3", "-noise", "0.01")
	consoletest.Golden(t, "regret.txt", c.regretTable(0, decay(c)))
}

func TestRegretTableOfOneSeed(t *testing.T) {
	c := mustCompare(t, "-problem", "branin", "-policies", "random", "-workers", "4", "-batch", "2", "-context", "-faults", "fail:0.1", "-rounds", "5", "-seeds", "1", "-noise", "2%")
	consoletest.Golden(t, "oneseed.txt", c.regretTable(0, decay(c)))
}

func TestAccuracyTable(t *testing.T) {
	c := mustCompare(t, "-problem", "svm-breast", "-policies", "batch:of=random,random", "-rounds", "60", "-seeds", "5")
	c.problems[0].first.HeldOut = func(x space.Point) float64 { return 0.9 + x[0]/1000 }
	consoletest.Golden(t, "accuracy.txt", c.accuracyTable(0, decay(c)))
}

// Any number of rounds and seeds makes a table: the writer of tables has failed on narrow ones.
func TestNarrowTables(t *testing.T) {
	for rounds := 1; rounds <= 10; rounds++ {
		for _, seeds := range []string{"1", "2"} {
			c := mustCompare(t, "-problem", "branin", "-policies", "random", "-delay", "fixed:1", "-rounds", strconv.Itoa(rounds), "-seeds", seeds)
			if text := c.regretTable(0, decay(c)); !strings.Contains(text, "random") {
				t.Errorf("%d rounds, %s seeds:\n%s", rounds, seeds, text)
			}
		}
	}
}
