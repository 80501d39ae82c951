package tarry_test

import (
	"testing"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/journal"
	"github.com/tarry-bo/tarry/loop"
)

// left is what a process leaves that was killed with an ask open, after nine answers.
func left(t *testing.T) *journal.Memory {
	t.Helper()
	all := &journal.Memory{}
	study := newStudy(t, tarry.Options{Budget: 30, Journal: all, Minimize: true})
	for range 9 {
		q := ask(t, study)
		if err := study.Tell(q.ID, bump(q)); err != nil {
			t.Fatal(err)
		}
	}
	ask(t, study)
	cut := 0
	for i, r := range all.All() {
		if _, is := r.Event.Event.(loop.WorkerJoined); is {
			cut = i + 1
		}
	}
	return part(t, all, cut)
}

// lies reports whether a study has the value where it is said to be, and it is its best.
func lies(t *testing.T, study *tarry.Study, number int, value float64) {
	t.Helper()
	e, there := study.Evaluation(number)
	if best := study.Result().Best; !there || !e.Foreign || e.Value != value || best == nil || best.ID != e.ID {
		t.Errorf("%v is said to be evaluation %d, which is %+v; the best is %v", value, number, e, best)
	}
}

// What is observed is an evaluation at once, and says which, also where a process that was killed left an ask open: the query that it asked for comes
// first, and is the next one.
func TestWhatIsObservedIsThereAlsoWhereAnAskWasLeftOpen(t *testing.T) {
	study := must.Get(tarry.ResumeStudy(left(t), tarry.Options{}))(t)
	if n := study.Evaluations(); n != 9 {
		t.Fatal(n)
	}
	for k := range 2 {
		became, err := study.Answer(tarry.Observation{X: tarry.Point{0.5, 0.5}, Value: float64(-7 - k)})
		if err != nil || became.Evaluation != 11+k || became.Status != loop.Observed {
			t.Errorf("%+v, %v", became, err)
		}
		lies(t, study, became.Evaluation, float64(-7-k))
	}
	if q := ask(t, study); q.ID.Evaluation != 10 {
		t.Error("the next query is", q.ID)
	}
	if q := ask(t, study); q.ID.Evaluation != 13 {
		t.Error("and the one after it", q.ID)
	}
}

// What an earlier program took while an ask was open is there once the study is resumed.
func TestWhatWasObservedWhileAnAskWasOpenIsThereWhenTheStudyIsResumed(t *testing.T) {
	store := left(t)
	l, recorder, err := journal.Resume(store)
	if err != nil {
		t.Fatal(err)
	}
	_, at := l.Now()
	if _, _, err := recorder.Step(at, loop.ObservationArrived{X: tarry.Point{0.5, 0.5}, Value: -7}); err != nil {
		t.Fatal(err)
	}
	if err := recorder.Sync(); err != nil {
		t.Fatal(err)
	}
	recorder.Yield()
	study := must.Get(tarry.ResumeStudy(store, tarry.Options{}))(t)
	if n := study.Evaluations(); n != 11 {
		t.Errorf("%d evaluations", n)
	}
	lies(t, study, 11, -7)
	if q := ask(t, study); q.ID.Evaluation != 10 {
		t.Error("the next query is", q.ID)
	}
}
