package tarry_test

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
)

// Progress, logs and metrics are made from one stream, in a Run and in a Study alike.
func TestAStudyIsWatched(t *testing.T) {
	for name, play := range map[string]func(t *testing.T, o tarry.Options) *tarry.Result{"run": playRun, "study": playStudy} {
		t.Run(name, func(t *testing.T) {
			var improvements, events []tarry.Event
			core, logs := observer.New(zapcore.InfoLevel)
			reader := metric.NewManualReader()
			provider := metric.NewMeterProvider(metric.WithReader(reader))
			var collected metricdata.ResourceMetrics
			result := play(t, tarry.Options{
				Budget: 12, Name: "watched", Logger: zap.New(core), Meter: provider, Policy: policy(t, "random"),
				OnEvent: func(e tarry.Event) {
					events = append(events, e)
					if e.Improved {
						improvements = append(improvements, e)
					}
					if e.Pending == 0 && e.Chosen == e.Budget {
						if err := reader.Collect(context.Background(), &collected); err != nil {
							t.Error(err)
						}
					}
				},
			})
			if n := len(improvements); n == 0 || improvements[n-1].Incumbent.Number != result.Best.ID.Evaluation || n != len(result.Incumbents()) {
				t.Errorf("%d improvements, incumbents %v", n, result.Incumbents())
			}
			for i, e := range events {
				if e.Seq != uint64(i+1) || e.Study != "watched" {
					t.Fatalf("event %d is number %d of %q", i+1, e.Seq, e.Study)
				}
			}
			if n := logs.FilterMessage("new incumbent").Len(); n != len(improvements) {
				t.Errorf("%d log lines for %d improvements", n, len(improvements))
			}
			if n := observed(collected); n != 12 {
				t.Errorf("%d evaluations were observed, say the metrics", n)
			}
			if err := reader.Collect(t.Context(), &collected); err != nil || observed(collected) != 0 {
				t.Errorf("a study that has ended still reports %d evaluations (%v)", observed(collected), err)
			}
		})
	}
}

// observed is the metric of that state.
func observed(m metricdata.ResourceMetrics) int64 {
	for _, scope := range m.ScopeMetrics {
		for _, metric := range scope.Metrics {
			sum, ok := metric.Data.(metricdata.Sum[int64])
			if !ok || metric.Name != "tarry.evaluations" {
				continue
			}
			for _, point := range sum.DataPoints {
				if state, _ := point.Attributes.Value("state"); state.AsString() == "observed" {
					return point.Value
				}
			}
		}
	}
	return 0
}

func playRun(t *testing.T, o tarry.Options) *tarry.Result {
	r, err := tarry.Maximize(t.Context(), unitSpace(t), func(_ context.Context, q tarry.Query) (float64, error) { return bump(q), nil }, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func playStudy(t *testing.T, o tarry.Options) *tarry.Result {
	study := newStudy(t, o)
	for range o.Budget {
		q := ask(t, study)
		if err := study.Tell(q.ID, bump(q)); err != nil {
			t.Fatal(err)
		}
	}
	return study.Result()
}
