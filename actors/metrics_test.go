package actors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/workers"
)

func metricConfig(tb testing.TB, policy, name string, provider metric.MeterProvider, study loop.Config) Config {
	tb.Helper()
	p, err := policies.Parse(policy)
	if err != nil {
		tb.Fatal(err)
	}
	if study.Space, err = space.New(space.Float("x", 0, 1)); err != nil {
		tb.Fatal(err)
	}
	return Config{Study: study, Policy: p, Name: name, Meter: provider}
}

func startMetered(t *testing.T, c Config) *Engine {
	t.Helper()
	e, err := Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// sleepUntil sleeps until so long after a time; then everything that was due by then has been done.
func sleepUntil(began time.Time, at time.Duration) {
	time.Sleep(time.Until(began.Add(at)))
	synctest.Wait()
}

func TestMetricsTellTheStoryOfAStudy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newCollector()
		c := metricConfig(t, "random", "story", m, loop.Config{Budget: 6, Initial: 6, Timeout: 10 * time.Second, Retries: 1})
		c.Workers = 3
		c.Objective = func(ctx context.Context, k workers.Task) (float64, error) {
			broken := errors.New("broken")
			switch [2]int{k.Evaluation, k.Attempt} {
			case [2]int{1, 1}:
				time.Sleep(4 * time.Second)
				return 10, nil
			case [2]int{2, 1}:
				time.Sleep(2 * time.Second)
				return 0, broken
			case [2]int{2, 2}:
				time.Sleep(3500 * time.Millisecond)
				return 20, nil
			case [2]int{3, 1}, [2]int{3, 2}:
				<-ctx.Done()
				return 0, ctx.Err()
			case [2]int{4, 1}, [2]int{4, 2}:
				time.Sleep(time.Second)
				return 0, broken
			}
			return 0, workers.ErrAnswerFollows
		}
		c.OnEvent = func(n Notice) {
			got, sum := m.collect(t), 0.0
			for key, v := range got {
				if strings.HasPrefix(key, "tarry.evaluations") {
					sum += v
				}
			}
			if sum != float64(n.Chosen) || got["tarry.evaluations{state=pending,study=story}"] != float64(n.Pending) {
				t.Errorf("event %d: %d chosen, %d pending, but %v", n.Seq, n.Chosen, n.Pending, got)
			}
			if finishes(n) {
				m.expect(t, "at the last event", together(byState("story", 0, 3, 1, 1, 1, 0, 0), map[string]float64{
					"tarry.pending.age.oldest{study=story}": 0,
					"tarry.pending.age.mean{study=story}":   0,
					"tarry.incumbent{study=story}":          30,
				}))
			}
		}
		began := time.Now()
		e := startMetered(t, c)

		sleepUntil(began, time.Second)
		m.expect(t, "before the first value", together(byState("story", 3, 0, 0, 0, 0, 0, 0), map[string]float64{
			"tarry.pending.age.oldest{study=story}": 1,
			"tarry.pending.age.mean{study=story}":   1,
			"tarry.incumbent{study=story}":          math.NaN(),
		}))
		sleepUntil(began, 8*time.Second)
		m.expect(t, "while 3, 5 and 6 are pending", together(byState("story", 3, 2, 0, 1, 0, 0, 0), map[string]float64{
			"tarry.pending.age.oldest{study=story}":           8,
			"tarry.pending.age.mean{study=story}":             (8 + 2.5 + 2.5) / 3,
			"tarry.incumbent{study=story}":                    20,
			"tarry.answers{outcome=tried_again,study=story}":  2,
			"tarry.answers{outcome=given_up,study=story}":     1,
			"tarry.answers{outcome=taken,study=story}":        math.NaN(),
			"tarry.mailbox.length{actor=workers,study=story}": 0,
		}))
		sleepUntil(began, 9*time.Second)
		tellValue(t, e, 5, 1, 30, nil)
		sleepUntil(began, 22*time.Second)
		m.expect(t, "while 6 is pending, at its second attempt", together(byState("story", 1, 3, 0, 1, 1, 0, 0), map[string]float64{
			"tarry.pending.age.oldest{study=story}": 16.5,
			"tarry.pending.age.mean{study=story}":   16.5,
			"tarry.incumbent{study=story}":          30,
		}))
		sleepUntil(began, 23*time.Second)
		tellValue(t, e, 3, 2, 5, nil)
		tellValue(t, e, 1, 1, 10, nil)
		tellValue(t, e, 1, 1, 11, ErrContradiction)
		tellValue(t, e, 9, 1, 0, ErrUnknownEvaluation)
		m.expect(t, "after a late value", byState("story", 1, 3, 1, 1, 0, 0, 0))

		if end := e.Wait(); end.Err != nil || end.At != 25500*time.Millisecond {
			t.Fatalf("ended at %v, %v", end.At, end.Err)
		}
		m.silent(t, "after the study")
		m.expect(t, "after the study", map[string]float64{
			"tarry.feedback.delay.count{study=story}":          4,
			"tarry.feedback.delay.sum{study=story}":            4 + 5.5 + 3.5 + 23,
			"tarry.query.duration.count{study=story}":          math.NaN(),
			"tarry.answers{outcome=tried_again,study=story}":   2,
			"tarry.answers{outcome=given_up,study=story}":      1,
			"tarry.answers{outcome=timed_out,study=story}":     4,
			"tarry.answers{outcome=late,study=story}":          1,
			"tarry.answers{outcome=repeated,study=story}":      1,
			"tarry.answers{outcome=contradictory,study=story}": 1,
			"tarry.answers{outcome=unknown,study=story}":       1,
		})
	})
}

func finishes(n Notice) bool {
	return slices.ContainsFunc(n.Reaction.Effects, func(e loop.Effect) bool { _, ok := e.(loop.Finish); return ok })
}

func tellValue(t *testing.T, e *Engine, evaluation, attempt int, value float64, want error) {
	t.Helper()
	if err := e.Tell(evaluation, attempt, value); !errors.Is(err, want) {
		t.Errorf("evaluation %d is told %v: %v, want %v", evaluation, value, err, want)
	}
}

// thoughtful is a policy that takes its time.
type thoughtful struct {
	policies.Policy
	time time.Duration
}

func (p thoughtful) Propose(v policies.View, count int, stream *rand.Rand) ([]policies.Proposal, error) {
	time.Sleep(p.time)
	return p.Policy.Propose(v, count, stream)
}

func TestMetricsMeasureQueriesAndFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newCollector()
		c := metricConfig(t, "gp-bucb", "", m, loop.Config{Budget: 9, Initial: 4})
		c.Policy = thoughtful{c.Policy, 2 * time.Second}
		c.Fit = func(f loop.Fit) loop.Event {
			time.Sleep(5 * time.Second)
			if f.ID == 1 {
				return loop.FitFailed{Fit: f.ID, Reason: "as told"}
			}
			return f.Run()
		}
		c.Workers = 1
		c.Objective = func(_ context.Context, k workers.Task) (float64, error) { return k.X[0] * (1 - k.X[0]), nil }
		end := startMetered(t, c).Wait()
		counters := end.Result.Counters
		fits := float64(counters.Fits + counters.FitFailures)
		if counters.Fits == 0 || counters.FitFailures != 1 || end.Err != nil {
			t.Fatalf("%+v, %v", counters, end.Err)
		}
		m.expect(t, "after the study", map[string]float64{
			"tarry.query.duration.count{study=study}": 5,
			"tarry.query.duration.sum{study=study}":   10,
			"tarry.fit.duration.count{study=study}":   fits,
			"tarry.fit.duration.sum{study=study}":     5 * fits,
			"tarry.feedback.delay.count{study=study}": 9,
			"tarry.feedback.delay.sum{study=study}":   0,
		})
	})
}

func TestMetricsKeepStudiesApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newCollector()
		config := func(name string, budget, workersWanted int) Config {
			c := metricConfig(t, "random", name, m, loop.Config{Budget: budget, Initial: 1})
			c.Workers = workersWanted
			c.Objective = func(ctx context.Context, k workers.Task) (float64, error) {
				select {
				case <-ctx.Done():
				case <-time.After(time.Duration(k.Evaluation) * time.Second):
				}
				return float64(-budget), ctx.Err()
			}
			return c
		}
		began := time.Now()
		one := config("one", 5, 2)
		one.OnEvent = func(n Notice) {
			if finishes(n) {
				m.expect(t, "when one is stopped", together(byState("one", 0, 2, 0, 0, 0, 0, 2), byState("two", 3, 3, 0, 0, 0, 0, 0)))
			}
		}
		first, second := startMetered(t, one), startMetered(t, config("two", 8, 3))
		sleepUntil(began, 3500*time.Millisecond) // 1 and 2 are done, and 3 of the second
		m.expect(t, "while both go on", together(together(byState("one", 2, 2, 0, 0, 0, 0, 0), byState("two", 3, 3, 0, 0, 0, 0, 0)), map[string]float64{
			"tarry.incumbent{study=one}":            -5,
			"tarry.incumbent{study=two}":            -8,
			"tarry.pending.age.oldest{study=one}":   2.5,
			"tarry.pending.age.oldest{study=two}":   2.5,
			"tarry.feedback.delay.count{study=one}": 2,
			"tarry.feedback.delay.count{study=two}": 3,
		}))
		first.Stop("enough")
		first.Wait()
		m.expect(t, "when one has ended", together(byState("two", 3, 3, 0, 0, 0, 0, 0), map[string]float64{
			"tarry.evaluations{state=cancelled,study=one}": math.NaN(),
			"tarry.incumbent{study=one}":                   math.NaN(),
			"tarry.incumbent{study=two}":                   -8,
		}))
		second.Wait()
		m.silent(t, "when both have ended")
	})
}

func TestMetricsWithoutAMeterCostNothing(t *testing.T) {
	c, err := newCoordinator(context.Background(), metricConfig(t, "random", "", nil, loop.Config{Budget: 1}))
	if err != nil || c.metrics != nil || len(c.readers) > 0 {
		t.Errorf("metrics %v, %d readers, %v", c.metrics, len(c.readers), err)
	}
}

func TestMetricsThatCannotBeReportedAreAllNamed(t *testing.T) {
	wrong := sdk.Stream{Aggregation: sdk.AggregationSum{}}
	m := newCollector(sdk.WithView(sdk.NewView(sdk.Instrument{Name: "tarry.incumbent"}, wrong), sdk.NewView(sdk.Instrument{Name: "tarry.pending.*"}, wrong)))
	_, err := Start(context.Background(), metricConfig(t, "random", "", m, loop.Config{Budget: 1}))
	if err == nil {
		t.Fatal("a study with sums of gauges started")
	}
	for _, name := range []string{"tarry.incumbent", "tarry.pending.age.oldest", "tarry.pending.age.mean"} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%s is missing in %q", name, err)
		}
	}
	m.silent(t, "after a study that could not start")
}

func TestMetricsHaveALabelForEverything(t *testing.T) {
	for _, unknown := range []fmt.Stringer{loop.Status(len(metrics{}.states)), loop.Fate(len(loop.Fates()))} {
		if !strings.Contains(unknown.String(), "(") {
			t.Errorf("%T %v has no label", unknown, unknown)
		}
	}
}

func TestMetricsLeaveNothingWithTheProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &registered{MeterProvider: newCollector()}
		c := metricConfig(t, "random", "", r, loop.Config{Budget: 3, Initial: 1})
		c.Workers, c.Objective = 1, func(context.Context, workers.Task) (float64, error) { return 1, nil }
		c.OnEvent = func(Notice) {
			if n := r.callbacks.Load(); n != 1 {
				t.Errorf("%d callbacks during the study", n)
			}
		}
		startMetered(t, c).Wait()
		synctest.Wait()
		if n := r.callbacks.Load(); n != 0 {
			t.Errorf("%d callbacks after the study", n)
		}
	})
}

func TestMetricsUnderCollectionDoNotHoldAStudyBack(t *testing.T) {
	m := newCollector()
	collecting, release := make(chan bool), make(chan bool)
	gauge, err := m.Meter("of the user").Int64ObservableGauge("pending", metric.WithUnit("1"), metric.WithDescription("of the user"),
		metric.WithInt64Callback(func(context.Context, metric.Int64Observer) error {
			close(collecting)
			<-release
			return nil
		}))
	if err != nil || gauge == nil {
		t.Fatal(err)
	}
	c := metricConfig(t, "random", "", m, loop.Config{Budget: 3, Initial: 1})
	c.Workers, c.Objective = 1, func(context.Context, workers.Task) (float64, error) { <-collecting; return 1, nil }
	e := startMetered(t, c)
	done := make(chan bool)
	go func() {
		m.collect(t)
		close(done)
	}()
	<-e.Ended() // never, where the study waits for a collection, which may wait for the study
	close(release)
	<-done
}

// BenchmarkMetrics is the cost of a study with metrics, and of the reader alone: of an event, and of a collection.
func BenchmarkMetrics(b *testing.B) {
	for _, on := range []bool{false, true} {
		b.Run(fmt.Sprintf("study/metered=%t", on), func(b *testing.B) {
			budget := 50_000
			if testing.Short() {
				budget = 5000
			}
			for b.Loop() {
				c := metricConfig(b, "random", "", nil, loop.Config{Budget: budget, Initial: 1, FitBeside: true})
				if on {
					c.Meter = newCollector()
				}
				c.Workers, c.Objective = 64, func(_ context.Context, t workers.Task) (float64, error) { return t.X[0], nil }
				e, err := Start(context.Background(), c)
				if err != nil {
					b.Fatal(err)
				}
				e.Wait()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*budget), "ns/evaluation")
			b.ReportMetric(0, "ns/op")
		})
	}
	m := newCollector()
	d, err := NewDriver(metricConfig(b, "random", "", m, loop.Config{Budget: loop.MaxBudget, Initial: 1}))
	if err != nil {
		b.Fatal(err)
	}
	all := make([]loop.Evaluation, loop.MaxBudget)
	for k := range all {
		all[k].Number, all[k].Attempt, all[k].Status = k+1, 1, loop.Observed
	}
	d.metrics.read(Notice{Event: loop.Woke{}, Reaction: loop.Reaction{Effects: []loop.Effect{loop.Finish{}}}, Chosen: len(all)}, all)
	b.Run("event", func(b *testing.B) {
		b.ReportAllocs()
		n := Notice{Event: loop.FeedbackArrived{Evaluation: 1, Attempt: 1}, Reaction: loop.Reaction{Evaluation: 1, Attempt: 1}, Evaluation: all[0], Incumbent: all[0], Chosen: len(all)}
		for b.Loop() {
			all[0].Status = loop.Pending
			d.metrics.tally.count(&all[0])
			all[0].Status = loop.Observed
			d.metrics.read(n, all)
		}
	})
	b.Run("collection", func(b *testing.B) {
		for b.Loop() {
			m.collect(b)
		}
	})
}
