package policies

import (
	"math"
	"runtime"
	"testing"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/space"
)

// amongAnswers is a view of the square of whose queries every tenth pends, among n in all.
func amongAnswers(t *testing.T, n int) View {
	t.Helper()
	stream := rng.New(9, rng.Test, 0)
	v := answered(t, n, 0.4, func(x space.Unit, _ int) float64 { return math.Sin(7*x[0]) + x[1] + 0.1*stream.NormFloat64() })
	v.Want.Pending = feedback.Hallucinate
	var came []Answer
	for k, a := range v.History {
		if k%10 == 3 {
			v.Pending = append(v.Pending, a.Query.Number)
		} else {
			came = append(came, a)
		}
	}
	v.History = came
	prior := v.Posterior.Prior()
	prior.Noise = 1e-2
	sample := v.Sample()
	v.Posterior = must.Get(prior.Condition(sample.X, sample.U, nil))(t).Hallucinate(sample.U, v.pendingRows())
	return v
}

// What the answers alone say is told beside the model of all, as a model says that was made of them.
func TestWhatTheAnswersAloneSayIsThatOfTheirModel(t *testing.T) {
	v := amongAnswers(t, 120)
	got, want := v.alone(), alone{View: v.Ignoring()}
	if got.left == nil || want.Posterior.Len() != 108 {
		t.Fatal("a model was made")
	}
	must.Near(t, "log evidence", got.logEvidence(), want.logEvidence(), 1e-7)
	must.Near(t, "best lower bound", got.bestLower(1.8), want.bestLower(1.8), 1e-9)
	stream := rng.New(9, rng.Test, 1)
	for range 20 {
		x := v.Space.Random(stream)
		a, b := got.forecast(x), want.forecast(x)
		must.Near(t, "mean", a.Mean, b.Mean, 1e-9)
		must.Near(t, "deviation", a.Stddev, b.Stddev, 1e-9)
	}
	if known := v.withAlone().alone(); known.left == nil || v.withAlone().WithPending(v.Space.Random(stream), feedback.Hallucinate).alone().left.Posterior() == v.Posterior {
		t.Error("what was computed of one model is said of another")
	}
	v.Want.Pending = feedback.Censor
	if a := v.alone(); a.left != nil || a.Posterior.Len() != 108 {
		t.Error("means of other targets were taken for those of the answers")
	}
	must.Near(t, "evidence, with what is imputed left out", v.withAlone().alone().logEvidence(), want.logEvidence(), 0)
}

// On a list pure exploration is that of two models, one of them of the answers alone.
func TestExplorationOnAListIsThatOfTwoModels(t *testing.T) {
	s := lineOf(t, 60)
	x, y, seen := historyOf(s, 12, 2)
	seen[3], seen[7], seen[11] = 0, 0, 0
	v := told(t, s, shortPrior(1), feedback.Hallucinate, x, y, seen)
	v.Want.Pending = feedback.Hallucinate
	f, threshold := UCBPE{}.exploration(v)
	two, want := UCBPE{}.exploration(func() View { v.Want.Pending = feedback.Ignore; return v }())
	if _, is := f.(acquisition.LeftOut); !is {
		t.Errorf("two models were made: %T", f)
	}
	must.Near(t, "best lower bound", threshold, want, 1e-9)
	pool := v.Posterior.Pool()
	got := acquisition.PoolValues(f, pool)
	for i, w := range acquisition.PoolValues(two, pool) {
		must.Near(t, "worth", got[i], w, 1e-7)
	}
}

// Queries that pend among the answers cost what they have of the model: no posterior is made without them, in any turn.
func TestWhatPendsAmongAnswersCostsItsShare(t *testing.T) {
	v := amongAnswers(t, 500)
	factor := uint64(v.Posterior.Len() * v.Posterior.Len() * 4)
	for _, p := range []Policy{Auto{}, UCBPE{}} {
		for v.Round = 501; v.Round < 507; v.Round++ {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			must.Get(Propose(p, v, 1, rng.New(9, rng.Test, 2)))(t)
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 2*factor {
				t.Errorf("%T, round %d: %d bytes are allocated, where the factor has %d", p, v.Round, used, factor)
			}
		}
	}
}
