package policies

import (
	"cmp"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Any acquisition can be put under recalibrated error bars. Without a correction it chooses what it would by itself, and
// with one it sees a law of the spread that the answers had.
func TestAnyAcquisitionCanBeRecalibrated(t *testing.T) {
	prior := must.Get(surrogate.DefaultPrior("matern52", 2))(t)
	prior.Noise = 0.01
	stream := rng.New(1, rng.Test, 41)
	x, y := scattered(2, 20, stream)
	for range 60 {
		x = append(x, anywhere(2, stream))
	}
	v := moment(t, listOf(t, x), prior, x[:20], y, feedback.Hallucinate)
	for i, q := range v.Queries {
		v.History = append(v.History, Answer{Query: q, Value: y[i]})
	}
	mine := func(View) acquisition.Utility { return acquisition.UpperConfidenceBound{Beta: 4} }
	for _, set := range []CalibrationSet{Nothing, Forward, LeaveOneOut} {
		p := Recalibrated{Set: set, Utility: mine}
		if name := p.Traits().Name; name == (Recalibrated{Set: set}).Traits().Name {
			t.Errorf("set %d: %s is the name of two policies", set, name)
		}
		deployed, err := p.learned(v)
		if err != nil {
			t.Fatal(err)
		}
		law := p.utility(v, deployed.Map).(acquisition.MomentMatched)
		if corrected := law.Mean != 0 || law.Variance != 1; corrected != (set != Nothing) {
			t.Errorf("set %d: the law is %+v", set, law)
		}
		proposals, err := p.Propose(v, 1, rng.New(3, rng.Policy, uint64(v.Round)))
		if err != nil {
			t.Fatal(err)
		}
		best := slices.MaxFunc(x, func(a, b space.Unit) int {
			return cmp.Compare(law.Of(v.Posterior.Predict(a)), law.Of(v.Posterior.Predict(b)))
		})
		if got := proposals[0].X; !slices.Equal(got, best) {
			t.Errorf("set %d chose %v, want %v", set, got, best)
		}
	}
	p := Recalibrated{Set: Nothing, Utility: mine, Pending: feedback.Hallucinate}
	proposals, err := p.Propose(v, 3, rng.New(3, rng.Policy, uint64(v.Round)))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range chosen(t, "gp-bucb:beta=4", v, 3) {
		if !slices.Equal(proposals[i].X, want) {
			t.Errorf("without a correction query %d is %v, want %v", i+1, proposals[i].X, want)
		}
	}
}
