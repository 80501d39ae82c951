package loop

import (
	"math"
	"slices"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/buffer"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// crowdedStory is a study of 400 evaluations with 60 rows and ten slots.
func crowdedStory(t *testing.T, how feedback.Imputation) *story {
	t.Helper()
	c := storyConfig(t, "box", how)
	c.Budget, c.Model.Active, c.Window = 400, 60, feedback.Window{}
	s := newStory(t, c, 40+uint64(how), 10)
	s.blind = true
	return s
}

// However long a study is, its rows stay few: those without an answer among them, and no other that does not belong.
func TestRowsStayBounded(t *testing.T) {
	for _, how := range imputations {
		if raced && how != feedback.Hallucinate {
			continue
		}
		t.Run(how.String(), func(t *testing.T) {
			t.Parallel()
			s := crowdedStory(t, how)
			choices := 0
			for asks := 1; asks <= 340; asks++ { // enqueued points are the rest of the budget
				before := lookAt(s.loop).Generation
				checkBounded(t, s.until(asks).loop)
				if m := lookAt(s.loop); m.Generation > before && len(m.queries) > 100 {
					choices++
					if asks%4 == 0 {
						compareBounded(t, s.loop)
					}
				}
			}
			if choices < 15 {
				t.Errorf("rows were chosen %d times", choices)
			}
			if again := replay(t, s.config, s.events, nil); again.Digest() != s.loop.Digest() {
				t.Error("another digest in the replay")
			}
		})
	}
}

// checkBounded looks at the rows as of the open ask.
func checkBounded(t *testing.T, l *Loop) {
	t.Helper()
	m, how := lookAt(l), l.config.Traits.Pending
	reports := map[int]reportRow{}
	for _, r := range reportsOf(l, m) {
		reports[-r.number] = r
	}
	if len(m.rows) > 60 {
		t.Fatalf("%d rows", len(m.rows))
	}
	for _, number := range l.ledger.pending {
		if _, reported := reports[-number]; m.has(number) != (how == feedback.Hallucinate || how == feedback.Censor && !reported) {
			t.Fatalf("query %d is pending, its row: %v", number, m.has(number))
		}
	}
	for i, number := range m.rows {
		if r, is := reports[number]; is || number < 0 {
			if m.Targets[i] != r.target || slices.Contains(m.Unanswered, i) {
				t.Fatalf("row %d, a report of query %d: target %v, want %+v", i, -number, m.Targets[i], r)
			}
			continue
		}
		target, answered := m.buffer.Target(number, how, m.Units)
		if !m.buffer.Member(number, how) || m.Targets[i] != target || slices.Contains(m.Unanswered, i) == answered {
			t.Fatalf("row %d, query %d: target %v, answered %v", i, number, m.Targets[i], answered)
		}
	}
	if !m.has(m.Best.Number) && m.Best.Number > 0 {
		t.Fatalf("the best query, %d, has no row", m.Best.Number)
	}
}

// compareBounded compares the posterior with one of its rows made anew.
func compareBounded(t *testing.T, l *Loop) {
	t.Helper()
	v := l.View()
	m := lookAt(l)
	var x []space.Unit
	known := make([]float64, len(v.Rows))
	var set buffer.Set
	for i, number := range v.Rows {
		x = append(x, m.queries[max(number, -number)-1].X)
		if known[i] = v.Posterior.Known(i); number < 0 {
			continue
		}
		if slices.Contains(m.Unanswered, i) {
			set.Unanswered = append(set.Unanswered, len(set.Numbers))
		}
		set.Numbers, set.Targets = append(set.Numbers, number), append(set.Targets, m.Targets[i])
	}
	valueless := valuelessByHand(m, set)
	var hallucinated []int
	for i := range v.Rows {
		pending := slices.Contains(m.Unanswered, i) && l.config.Traits.Pending == feedback.Hallucinate
		if pending || valueless[v.Rows[i]] {
			hallucinated = append(hallucinated, i)
		}
	}
	want := must.Get(m.prior.ConditionKnown(x, m.Targets, known, v.Posterior.Pool()))(t).Hallucinate(m.Targets, hallucinated)
	for i, mean := range v.Posterior.PoolMean() {
		if math.Abs(mean-want.PoolMean()[i]) > 1e-8 || math.Abs(v.Posterior.PoolVariance()[i]-want.PoolVariance()[i]) > 1e-8 {
			t.Fatalf("pool point %d has mean %v, want %v", i, mean, want.PoolMean()[i])
		}
	}
}

// A long study with few rows still finds the maximum of a paraboloid.
func TestAStudyWithFewRowsFindsTheMaximum(t *testing.T) {
	for _, spec := range []string{"gp-bucb", "ucb-sdf", "gp-ucb"} {
		if raced && spec != "gp-bucb" {
			continue
		}
		t.Run(spec, func(t *testing.T) {
			t.Parallel()
			policy, err := policies.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			c := storyConfig(t, "box", policy.Traits().Pending)
			c.Traits, c.Budget, c.Model.Active, c.Window = policy.Traits(), 90, 50, feedback.Window{}
			s := newStory(t, c, 8, 4)
			s.policy, s.quiet = policy, true
			s.quality = func(x space.Point) float64 { return 1 - 4*(x[0]-0.3)*(x[0]-0.3) - 2*(x[1]-0.6)*(x[1]-0.6) }
			for s.loop.plan.reason == "" {
				s.turn()
			}
			r := s.loop.Result()
			if got := s.quality(c.Space.Value(r.Recommended.X)); got < 0.99 || r.Counters.Fallbacks > 0 || lookAt(s.loop).Generation < 4 {
				t.Errorf("recommended %v with %v; %d generations, %+v", r.Recommended.X, got, lookAt(s.loop).Generation, r.Counters)
			}
		})
	}
}
