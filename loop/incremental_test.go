package loop

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/alike"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// The posterior that follows a study step by step is that of all its rows at once.
func TestThePosteriorIsThatOfItsRows(t *testing.T) {
	var reports atomic.Int64
	t.Run("stories", func(t *testing.T) {
		overStories(t, func(t *testing.T, c Config, seed uint64) {
			s := newStory(t, c, seed, 6)
			for asks := 1; asks <= 40; asks += 3 {
				s.until(asks)
				compareWithScratch(t, s.loop)
				reports.Add(int64(len(reportsOf(s.loop, lookAt(s.loop)))))
			}
			if got := s.loop.Counters(); got.Fits < 3 && !c.Model.Known() || got.Failures == 0 || got.LateValues == 0 || got.Reports == 0 {
				t.Errorf("too little happened: %+v", got)
			}
		})
	})
	if reports.Load() == 0 {
		t.Error("no report had a row")
	}
}

// compareWithScratch makes the posterior anew from the buffer. The variance is that of all rows; the mean is that of those
// that are not hallucinated: pending queries, where the policy wants that, and failures that are forgiven, or all of them.
func compareWithScratch(t *testing.T, l *Loop) {
	t.Helper()
	m := lookAt(l)
	view := l.View()
	post, prior := view.Posterior, m.prior
	if want := blamedByHand(m); !slices.Equal(view.Blamed, want) {
		t.Fatalf("queries %v are blamed for their failures, want %v", view.Blamed, want)
	}
	x, y, known, meansX, meansY, meansKnown := rowsFromBuffer(t, m)
	for _, r := range reportsOf(l, m) {
		x, y, known = append(x, r.x), append(y, r.target), append(known, r.known)
		meansX, meansY, meansKnown = append(meansX, r.x), append(meansY, r.target), append(meansKnown, r.known)
	}
	all := must.Get(prior.ConditionKnown(x, y, known, post.Pool()))(t)
	means := must.Get(prior.ConditionKnown(meansX, meansY, meansKnown, post.Pool()))(t)
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-8) {
			t.Fatalf("%s is %.12g, from scratch %.12g (%d rows, %d edits)", what, got, want, len(m.rows), len(m.Edits))
		}
	}
	stream := rng.New(uint64(len(x)), rng.Test, 2)
	for range 10 {
		u := l.config.Space.Random(stream)
		mean, variance := post.Predict(u)
		_, wantVariance := all.Predict(u)
		near(fmt.Sprintf("mean at %v", u), mean, means.Mean(u))
		near(fmt.Sprintf("variance at %v", u), variance, wantVariance)
	}
	where := l.config.Space
	hasPool := len(where.Contexts()) == 0 && (len(where.Held()) == 0 || where.Size() == 0 && where.Combinations() == 0)
	if hasPool = hasPool || l.config.poolsContext() && m.Filled != model.NotFilled; hasPool != (post.Pool() != nil) || len(post.PoolMean()) != len(all.PoolMean()) {
		t.Fatalf("a pool: %v, want %v; %d means", post.Pool() != nil, hasPool, len(post.PoolMean()))
	}
	for i := range post.PoolMean() {
		near(fmt.Sprintf("mean of pool point %d", i), post.PoolMean()[i], means.PoolMean()[i])
		near(fmt.Sprintf("variance of pool point %d", i), post.PoolVariance()[i], all.PoolVariance()[i])
	}
}

// rowsFromBuffer returns points, targets and known noise of all rows by number, and of those that decide the mean. Only failures may have
// no row.
func rowsFromBuffer(t *testing.T, m modelNow) (x []space.Unit, y, known []float64, meansX []space.Unit, meansY, meansKnown []float64) {
	t.Helper()
	set := m.buffer.View(m.how, m.Units)
	valueless := valuelessByHand(m, set)
	for i, number := range set.Numbers {
		if !m.has(number) {
			if m.how == feedback.Censor && m.has(-number) {
				continue // its report takes its place
			}
			if failed, hopeless := m.buffer.Failed(number); !failed || hopeless && !m.blank || !slices.Contains(m.Spared, number) {
				t.Fatalf("query %d has no row", number)
			}
			continue
		}
		point := m.queries[number-1].X
		noise := badNoiseByHand(m, number)
		x, y, known = append(x, point), append(y, set.Targets[i]), append(known, noise)
		unanswered := slices.Contains(set.Unanswered, i)
		if !(unanswered && m.how == feedback.Hallucinate) && !valueless[number] {
			meansX, meansY, meansKnown = append(meansX, point), append(meansY, set.Targets[i]), append(meansKnown, noise)
		}
	}
	return x, y, known, meansX, meansY, meansKnown
}

// badNoiseByHand is the noise of the row of a query that failed, 0 for any other: a fourth for each doubling of their number.
func badNoiseByHand(m modelNow, number int) float64 {
	if failed, _ := m.buffer.Failed(number); !failed || m.blank {
		return 0
	}
	failures, noise := 0, 0.03
	for k := range m.queries {
		failed, _ := m.buffer.Failed(k + 1)
		failures += bit(failed)
	}
	for ; failures > 1; failures /= 2 {
		noise /= 4
	}
	if m.known {
		noise *= m.prior.Kernel.Diag(m.queries[number-1].X)
	}
	return noise
}

// valuelessByHand says which queries of the set failed and stand at the mean: those that are forgiven, or all.
func valuelessByHand(m modelNow, set buffer.Set) map[int]bool {
	if !m.blank {
		return forgivenByHand(m, set)
	}
	out := map[int]bool{}
	for _, number := range set.Numbers {
		out[number], _ = m.buffer.Failed(number)
	}
	return out
}

// blamedByHand are the queries that failed for their points, as far as the model looks at them.
func blamedByHand(m modelNow) (out []int) {
	set := m.buffer.View(m.how, m.Units)
	forgiven := forgivenByHand(m, set)
	for _, number := range slices.Sorted(slices.Values(slices.Concat(m.rows, m.Spared))) {
		if number > 0 {
			if failed, _ := m.buffer.Failed(number); failed && m.blank && !forgiven[number] {
				out = append(out, number)
			}
		}
	}
	return out
}

// forgivenByHand says which queries of the set, and of those without a row, failed and are forgiven: the three nearest settled
// neighbors are found by sorting all, and the probabilities of the mixture are products.
func forgivenByHand(m modelNow, set buffer.Set) map[int]bool {
	k := m.prior.Kernel
	numbers := slices.Clone(set.Numbers)
	for _, number := range m.Spared {
		if !slices.Contains(numbers, number) {
			numbers = append(numbers, number)
		}
	}
	point := func(j int) space.Unit { return m.queries[numbers[j]-1].X }
	near := func(i, j int) float64 {
		a, b := point(i), point(j)
		return k.Eval(a, b) / (math.Sqrt(k.Diag(a)) * math.Sqrt(k.Diag(b))) // the same bits: ties are broken by place
	}
	order := slices.Concat(m.rows, m.Spared)
	place := func(j int) int { return slices.Index(order, numbers[j]) }
	bad := func(j int) bool { failed, _ := m.buffer.Failed(numbers[j]); return failed }
	var settled []int
	failures := 0.0
	for j := range numbers {
		if !slices.Contains(set.Unanswered, j) {
			settled, failures = append(settled, j), failures+float64(bit(bad(j)))
		}
	}
	rate := (failures + 1) / float64(len(settled)+2)
	beside := max(0.8, 0.5+rate/2)
	var mine []int
	var ifFault, ifNot []float64 // likelihoods of the neighbors
	for _, i := range settled {
		if _, hopeless := m.buffer.Failed(numbers[i]); !bad(i) || hopeless {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(settled), func(j int) bool { return j == i || near(i, j) <= 0 })
		slices.SortStableFunc(others, func(a, b int) int {
			return cmp.Or(cmp.Compare(near(i, b), near(i, a)), cmp.Compare(place(a), place(b)))
		})
		yes, no := 1.0, 1.0
		for _, j := range others[:min(3, len(others))] {
			if bad(j) {
				yes, no = yes*math.Pow(beside, near(i, j)), no*math.Pow(rate, near(i, j))
			} else {
				yes, no = yes*math.Pow(1-beside, near(i, j)), no*math.Pow(1-rate, near(i, j))
			}
		}
		mine, ifFault, ifNot = append(mine, i), append(ifFault, yes), append(ifNot, no)
	}
	out := map[int]bool{}
	share := 0.5
	for range 20 {
		sum := 1.0
		for n, i := range mine {
			p := share * ifFault[n] / (share*ifFault[n] + (1-share)*ifNot[n])
			out[numbers[i]] = p <= 0.499
			sum += p
		}
		share = sum / float64(len(mine)+2)
	}
	return out
}

// When the algebra was done leaves no trace in its bits: not in the posterior, not in what is recommended. On that rests
// that a replay, which does it once at its end, goes on as the study would have.
func TestWhenTheAlgebraWasDoneLeavesNoTrace(t *testing.T) {
	overStories(t, func(t *testing.T, c Config, seed uint64) {
		s := newStory(t, c, seed, 6)
		lengths := []int{1, 30, 140}                             // at the end more rows than two panels of the factor hold
		if c.Space.Size() == 0 && len(c.Space.Contexts()) == 0 { // a pool of a thousand points
			lengths = []int{1, 30, 75} // more than one
		}
		for _, asks := range lengths {
			s.until(asks)
			once := replay(t, c, s.events, nil)
			sometimes := replay(t, c, s.events, func(l *Loop, next Stamped) {
				if e, ok := next.Event.(Proposed); ok && e.Ask%7 == 0 {
					l.View()
				}
			})
			want, again := s.loop.View(), s.loop.View()
			for name, v := range map[string]policies.View{"again": again, "once": once.View(), "sometimes": sometimes.View()} {
				if what := alike.Posteriors(c.Space, want.Posterior, v.Posterior); what != "" || !slices.Equal(want.Rows, v.Rows) {
					t.Fatalf("ask %d, %s: another posterior: %s", asks, name, what)
				}
			}
		}
	})
}

// A row that is removed between others with the same target leaves them where they are, and yet all behind it are solved
// anew: here the last row of a panel of the factor.
func TestARowRemovedBetweenEqualTargetsIsMissed(t *testing.T) {
	c := storyConfig(t, "known", feedback.Censor)
	c.Initial, c.Window = 70, feedback.Window{}
	s := newStory(t, c, 12, 71)
	for number := 1; number <= 60; number++ {
		s.step(FeedbackArrived{Evaluation: number, Attempt: 1, Outcome: outcome.Of(float64(number % 5))})
	}
	s.proposeIn(Trouble{})
	s.step(AnswerFollows{Evaluation: 71, Attempt: 1})
	compareWithScratch(t, s.loop) // rows 61 … 71 are censored
	s.step(CancelRequested{Evaluation: 64, Reason: "not needed"})
	s.proposeIn(Trouble{})
	if now := lookAt(s.loop); now.Generation != 1 || now.Edits[len(now.Edits)-2] != (model.Edit{Row: 63}) {
		t.Fatalf("generation %d, last edits %+v", now.Generation, now.Edits[len(now.Edits)-2:])
	}
	compareWithScratch(t, s.loop)
}

// What is recommended while an ask is open is computed beside the algebra of its task, and is the same in a replay.
func TestWhatIsRecommendedSurvivesAReplay(t *testing.T) {
	overStories(t, func(t *testing.T, c Config, seed uint64) {
		s := newStory(t, c, seed, 6)
		for asks := 5; asks <= 45; asks += 20 {
			s.until(asks)
			task := s.loop.Task() // under way
			before := s.loop.Result().Recommended
			again := replay(t, c, s.events, nil).Result().Recommended
			if before == nil && again == nil && asks < 40 && c.cheapest() > 0 {
				continue // nothing of the greatest fidelity has come
			}
			if before == nil || again == nil || before.Number != again.Number {
				t.Fatalf("recommended %+v, in the replay %+v", before, again)
			}
			view, _ := task.View()
			if got := replay(t, c, s.events, nil).View(); alike.Posteriors(c.Space, view.Posterior, got.Posterior) != "" {
				t.Fatal("a result in between changed the posterior of the task")
			}
			if after := s.loop.Result().Recommended; after.Number != before.Number {
				t.Fatalf("recommended %d, then %d", before.Number, after.Number)
			}
		}
		task, open := s.loop.Task(), replay(t, c, s.events, nil)
		s.value(s.take(&s.running))
		s.step(StopRequested{"enough"})
		late, _ := task.View() // of the ask that was open
		if what := alike.Posteriors(c.Space, late.Posterior, open.View().Posterior); what != "" {
			t.Fatalf("the end changed what the task of the open ask sees: %s", what)
		}
		end, again := withoutNaN(s.loop.Result()), withoutNaN(replay(t, c, s.events, nil).Result())
		if !reflect.DeepEqual(end, again) {
			t.Fatalf("result %+v, in the replay %+v", end.Recommended, again.Recommended)
		}
	})
}

// withoutNaN is a result that is equal to itself: what was given of a point is NaN where nothing was.
func withoutNaN(r Result) Result {
	for i := range r.Evaluations {
		e := &r.Evaluations[i]
		e.Given = slices.Clone(e.Given)
		for j, v := range e.Given {
			if math.IsNaN(v) {
				e.Given[j] = math.Inf(-1)
			}
		}
	}
	return r
}

// What arrives while an ask is open may come in any order: values, failures, values after a failure, and what visitors say.
func TestTheOrderBetweenTwoAsksLeavesNoTrace(t *testing.T) {
	overStories(t, func(t *testing.T, c Config, seed uint64) {
		s := newStory(t, c, seed, 14).until(20)
		for len(s.running) < 9 {
			s.answer()
			s.until(s.asks)
		}
		prefix := slices.Clip(s.events)
		x := c.Space.Value(c.Space.Random(s.stream))
		between := []Event{ObservationArrived{X: x, Value: 99}, QueryEnqueued{x}} // the numbers of two would follow their order
		for i, d := range s.running {
			between = append(between, s.about(d, i))
		}
		for i, d := range s.failed {
			between = append(between, FeedbackArrived{Evaluation: d.Evaluation, Attempt: d.Attempt, Outcome: outcome.Of(float64(i))})
		}
		var first *Loop
		for trial := range 5 {
			events := prefix
			for _, i := range rng.New(seed, rng.Test, uint64(trial)).Perm(len(between)) {
				events = append(events, Stamped{Seq: uint64(len(events) + 1), At: s.now, Event: between[i]})
			}
			events = append(events, Stamped{Seq: uint64(len(events) + 1), Event: ProposeFailed{Ask: s.ask.ID}})
			if s.fit != nil {
				events = append(events, Stamped{Seq: uint64(len(events) + 1), Event: FitFailed{Fit: s.fit.ID}})
			}
			l := replay(t, c, events, nil)
			if first == nil {
				first = l
			}
			a, b := first.View(), l.View()
			if what := alike.Posteriors(c.Space, a.Posterior, b.Posterior); what != "" || first.Digest() != l.Digest() || !reflect.DeepEqual(a.History, b.History) {
				t.Fatalf("order %d: another state: %s", trial, what)
			}
		}
	})
}
