package loop

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// modest is a study in the unit square without a policy: asks fail, and points that fill the space take their place.
type modest struct {
	*driver
	now      time.Duration
	running  []Dispatch // that may still be answered
	finished bool
}

func modestly(t *testing.T, change func(*Config)) *modest {
	t.Helper()
	s, err := space.New(space.Float("x", 0, 1), space.Float("y", 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Space: s, Traits: policies.Traits{Name: "none"}, Budget: 5, Initial: 5}
	change(&c)
	return &modest{driver: drive(t, c)}
}

// say feeds an event, and what it leads to at once.
func (m *modest) say(e Event) {
	m.t.Helper()
	if m.finished {
		return
	}
	for _, effect := range m.step(m.now, e) {
		switch effect := effect.(type) {
		case Ask:
			defer m.say(ProposeFailed{Ask: effect.ID})
		case Dispatch:
			m.running = append(m.running, effect)
		case Finish:
			m.finished = true
		}
	}
}

func (m *modest) take(i int) Dispatch {
	d := m.running[i]
	m.running = append(m.running[:i:i], m.running[i+1:]...)
	return d
}

// own counts the evaluations that were not measured elsewhere, and those of them that are lost or cancelled.
func (m *modest) own() (all, given int) {
	for _, e := range m.l.Evaluations() {
		if !e.Foreign {
			all++
			if e.Status == Lost || e.Status == Cancelled {
				given++
			}
		}
	}
	return all, given
}

// However every evaluation is given up, there are twice as many as the budget, and then the study ends.
func TestWhatIsGivenUpIsReplacedAsOftenAsTheBudget(t *testing.T) {
	for name, giveUp := range map[string]func(m *modest, d Dispatch){
		"cancelled": func(m *modest, d Dispatch) { m.say(CancelRequested{d.Evaluation, "not needed"}) },
		"lease ended": func(m *modest, d Dispatch) {
			m.say(AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt})
			m.now += time.Hour
			m.say(Woke{})
		},
		"preempted for ever": func(m *modest, d Dispatch) {
			m.say(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "preempted", Verdict: outcome.Lost}})
		},
		"workers go down": func(m *modest, d Dispatch) {
			m.say(WorkerLeft{d.Worker, "out of memory"})
			m.say(WorkerJoined{d.Worker, 1})
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := modestly(t, func(c *Config) { c.Lease = time.Hour })
			attempts := 0
			for m.say(WorkerJoined{1, 1}); len(m.running) > 0 && !m.finished; attempts++ {
				giveUp(m, m.take(0))
			}
			all, given := m.own()
			want := 10
			if name == "preempted for ever" || name == "workers go down" {
				want = 10 * (MaxLost + 1)
			}
			if all != 10 || given != 10 || attempts != want || !m.finished || m.l.Result().Reason != ReasonBudget {
				t.Errorf("%d evaluations, %d given up, %d attempts, want %d; finished %v", all, given, attempts, want, m.finished)
			}
		})
	}
}

// A failed evaluation is not given back: it says something about its point.
func TestWhatFailsCostsItsBudget(t *testing.T) {
	m := modestly(t, func(*Config) {})
	m.say(WorkerJoined{1, 1})
	for verdict := outcome.Failed; len(m.running) > 0; verdict = outcome.Infeasible - verdict {
		d := m.take(0)
		m.say(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken", Verdict: verdict}})
	}
	if all, _ := m.own(); all != 5 || !m.finished || m.l.Result().Best != nil {
		t.Errorf("%d evaluations, finished %v", all, m.finished)
	}
}

func TestWhatWasMeasuredElsewhereCostsNothing(t *testing.T) {
	m := modestly(t, func(*Config) {})
	for i := range 40 {
		m.say(ObservationArrived{X: []float64{float64(i) / 40, 0.5}, Value: float64(i)})
	}
	m.say(WorkerJoined{1, 1})
	for len(m.running) > 0 && !m.finished {
		d := m.take(0)
		m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
	}
	if all, _ := m.own(); all != 5 || !m.finished || len(m.l.Evaluations()) != 45 || m.l.Result().Best.Value != 39 {
		t.Errorf("%d evaluations, %d of them own, finished %v", len(m.l.Evaluations()), all, m.finished)
	}
}

// The value of an evaluation that was given up takes its budget again: two values are all that a budget of two buys.
func TestALateValueTakesItsBudgetAgain(t *testing.T) {
	for _, comes := range []bool{true, false} {
		m := modestly(t, func(c *Config) { c.Budget, c.Initial = 2, 2 })
		m.say(WorkerJoined{1, 1})
		m.say(CancelRequested{1, "not needed"})
		if spent := m.l.ledger.spent(2); spent != 1 || len(m.l.Evaluations()) != 2 {
			t.Fatalf("%d of the budget spent on %d evaluations", spent, len(m.l.Evaluations()))
		}
		if comes {
			m.say(FeedbackArrived{Evaluation: 1, Attempt: 1, Outcome: outcome.Of(7)})
		}
		m.say(FeedbackArrived{Evaluation: 2, Attempt: 1, Outcome: outcome.Of(5)})
		if got := len(m.l.Evaluations()); m.finished != comes || comes != (got == 2) {
			t.Errorf("late value %v: finished %v with %d evaluations", comes, m.finished, got)
		}
	}
}

// Whatever happens, the budget spent is what the statuses say, the limit holds, and the study ends.
func TestTheBudgetIsWhatTheStatusesSay(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		budget := rapid.IntRange(1, 6).Draw(r, "budget")
		m := modestly(t, func(c *Config) {
			c.Budget, c.Initial, c.Lease, c.Retries = budget, rapid.IntRange(1, budget).Draw(r, "initial"), 10*time.Second, 1
		})
		m.say(WorkerJoined{1, 3})
		var gone []Dispatch // given up or not, they may still be answered
		for _, action := range rapid.SliceOfN(rapid.IntRange(0, 8), 0, 60).Draw(r, "actions") {
			var d Dispatch
			if len(m.running) > 0 {
				d = m.running[rapid.IntRange(0, len(m.running)-1).Draw(r, "which")]
			}
			switch action {
			case 0:
				m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
			case 1:
				m.say(EvaluationFailed{Evaluation: d.Evaluation, Attempt: d.Attempt, Failure: outcome.Failure{Reason: "broken", Verdict: outcome.Verdict(rapid.IntRange(0, 2).Draw(r, "verdict"))}})
			case 2, 3:
				gone = append(gone, d)
				m.say(CancelRequested{d.Evaluation, "not needed"})
			case 4, 5:
				gone = append(gone, d)
				m.say(AnswerFollows{Evaluation: d.Evaluation, Attempt: d.Attempt})
			case 6:
				m.now += 6 * time.Second
				m.say(Woke{})
			case 7:
				m.say(ObservationArrived{X: []float64{0.5, 0.5}, Value: 2})
			case 8:
				if len(gone) > 0 {
					d = gone[rapid.IntRange(0, len(gone)-1).Draw(r, "late")]
				}
				m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(3)})
			}
			all, given := m.own()
			if spent := m.l.ledger.spent(budget); spent != all-min(given, budget) || all > 2*budget {
				r.Fatalf("%d spent of %d; %d evaluations, %d given back", spent, budget, all, given)
			}
		}
		for turns := 0; !m.finished; turns++ {
			if turns > 10*budget {
				r.Fatalf("no end: %+v", m.l.Evaluations())
			}
			m.now += 11 * time.Second
			m.say(Woke{})
			for _, d := range m.running {
				m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
			}
		}
	})
}

// Whatever was given up, the least budget is the smallest that is taken, and what was spent fits in it.
func TestTheLeastBudgetIsTheLeastThatIsTaken(t *testing.T) {
	for cancelled := range 9 {
		for least := range 12 {
			m := modestly(t, func(c *Config) { c.Budget, c.Initial = 8, 8 })
			m.say(WorkerJoined{1, 3})
			for range cancelled {
				m.say(CancelRequested{m.take(0).Evaluation, "not needed"})
			}
			want := m.l.LeastBudget()
			m.say(BudgetSet{Budget: least})
			if taken := m.l.Config().Budget == least; taken != (least >= want) && least != 8 {
				t.Errorf("%d cancelled: budget %d taken: %v, though the least is %d", cancelled, least, taken, want)
			}
			if err := m.l.Check(); err != nil || m.l.Spent() > m.l.Config().Budget {
				t.Errorf("%d cancelled, budget %d: %d spent, %v", cancelled, m.l.Config().Budget, m.l.Spent(), err)
			}
		}
	}
}

// A study that ended while evaluations were pending gave these up; with more budget it goes on all the same, its snapshot as
// well as its replay, and what comes late still counts.
func TestAStudyThatEndedGoesOnWithMoreBudget(t *testing.T) {
	m := modestly(t, func(c *Config) { c.Patience = time.Second })
	m.say(WorkerJoined{1, 2})
	late := m.take(0)
	for len(m.running) > 0 && m.l.Spent() < 5 || len(m.running) > 1 {
		d := m.take(len(m.running) - 1)
		m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
	}
	m.now += time.Minute
	m.say(Woke{})
	if !m.finished || m.l.Reason() != ReasonPatience || m.l.Evaluations()[late.Evaluation-1].Status != Cancelled {
		t.Fatalf("finished %v: %s", m.finished, m.l.Reason())
	}
	m.finished, m.running = false, nil
	m.say(Resumed{})
	m.say(BudgetSet{Budget: 7})
	state, err := m.l.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := Restore(m.l.Config(), state)
	if err != nil || kept.Digest() != m.l.Digest() || kept.Config().Budget != 7 || kept.Finished() {
		t.Fatalf("the snapshot: %v", err)
	}
	m.say(WorkerJoined{2, 1})
	m.say(FeedbackArrived{Evaluation: late.Evaluation, Attempt: late.Attempt, Outcome: outcome.Of(9)})
	for len(m.running) > 0 && !m.finished {
		d := m.take(0)
		m.say(FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(1)})
	}
	if r := m.l.Result(); !m.finished || r.Reason != ReasonBudget || r.Best.Value != 9 || r.Spent != 7 || r.Budget != 7 {
		t.Errorf("%+v", r)
	}
}
