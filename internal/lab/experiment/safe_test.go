package experiment

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/safety"
)

// The source prints a norm of 1.69 and 0.946 at 0, which no h leads to.
func TestTheSafeConstraintIsThatOfTheSource(t *testing.T) {
	square := 0.0
	for i, a := range safeWeights {
		square += a * safeConstraint(safeCenters[i])
	}
	must.Near(t, "norm", math.Sqrt(square), safeNorm, 5e-5)
	must.Near(t, "value at 0", safeConstraint(0), 0.4731, 5e-5)
	w := must.Get(safeLine(safeRight, 0)(1))(t)
	must.Near(t, "value at the seed", w.constraint[w.seed], safeConstraint(0), 1e-12)
}

// Whatever the delays, and although the kernel is wrong, no run has more violations than promised where pending queries count as
// violations; where they count as safe some has.
func TestThePromiseHoldsUnderDelaysOnlyIfPendingQueriesCount(t *testing.T) {
	p := safety.Promise{Alpha: 0.3, Queries: 30, Eta: safeEta}
	broken := map[bool]float64{}
	for _, l := range safeLaws {
		law := must.Get(delay.ParseLaw(l.law))(t)
		for seed := uint64(1); seed <= 2*testSeeds; seed++ {
			for _, asSafe := range []bool{false, true} {
				w := must.Get(safeLine(safeWrong, 0)(seed))(t)
				m := safeMethod{caution: promised(p), law: law, asSafe: asSafe, seedFree: true}
				queries, answers, err := w.run(m, p.Queries, seed, func() {})
				if err != nil {
					t.Fatal(err)
				}
				broken[asSafe] += w.record(p, queries, answers)[safeBroken][0]
			}
		}
	}
	if broken[false] > 0 {
		t.Error("a run has more violations than promised")
	}
	if testShare == 1 && broken[true] == 0 {
		t.Error("pending queries may count as safe, it seems")
	}
}

func TestAReactorWithoutNoiseIsClimbedWithinThePromise(t *testing.T) {
	w := must.Get(safeReactor(0)(1))(t)
	if w.constraint[w.seed] < 0 || w.seed == 0 {
		t.Fatalf("the constraint is %v at candidate %d, which is said to be safe", w.constraint[w.seed], w.seed)
	}
	p := safety.Promise{Alpha: 0.2, Queries: 20}
	queries, answers, err := w.run(must.Get(dSafe(p)(w))(t), p.Queries, 1, func() {})
	r := w.record(p, queries, answers)
	if err != nil || r[safeBroken][0] > 0 || r[safeRatio][19] <= r[safeRatio][0] {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestRatingsAreReadOrRefusedByLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), ratingsFile)
	write(t, path, "7\t30\t4\t881250949\n\n9\t30\t2\t0\n7\t31\t5\t0\n")
	r, fingerprint, err := readRatings(filepath.Dir(path))
	if err != nil || len(r) != 2 || len(r[0]) != 2 || r[0][1] != (rating{1, 5}) || r[1][0] != (rating{0, 2}) || len(fingerprint) != 64 {
		t.Errorf("%v, %v", r, err)
	}
	write(t, path, "7\t30\t4\n7\t31\n")
	if _, _, err := readRatings(path); err == nil || !strings.HasPrefix(err.Error(), path+":2: want a user, a movie and 1 to 5 stars") {
		t.Errorf("error %v", err)
	}
	if _, _, err := readRatings(path + "x"); !os.IsNotExist(err) {
		t.Errorf("error %v", err)
	}
}

// What a taste explains is found again: the factors of one half of the users tell what the others like.
func TestFactorsOfMoviesAreLearnedFromOtherUsers(t *testing.T) {
	from, others := standIn().split(movieUsers)
	learned := must.Get(learnTaste(from))(t)
	before, after := 0.0, 0.0
	for _, user := range others[:10] {
		half := len(user) / 2
		v := ridge(user[:half], learned.factors, learned.mean)
		for _, x := range user[half:] {
			off := x.stars - learned.mean
			before += off * off
			for k, w := range v {
				off -= w * learned.factors[x.movie][k]
			}
			after += off * off
		}
	}
	if !(after < 0.8*before) {
		t.Errorf("squares fall from %v to %v", before, after)
	}
}
