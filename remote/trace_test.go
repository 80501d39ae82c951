package remote

import (
	"context"
	"testing"

	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/tarry-bo/tarry"
)

// A span of the hub goes from the dispatch of an attempt to its answer, and that of the evaluation in the worker is its child.
func TestSpansGoFromTheDispatchToTheAnswer(t *testing.T) {
	s := serve(t)
	recorder := func() (*tracetest.SpanRecorder, oteltrace.TracerProvider) {
		r := tracetest.NewSpanRecorder()
		return r, trace.NewTracerProvider(trace.WithSpanProcessor(r))
	}
	here, provider := recorder()
	there, workers := recorder()
	hub := newHub(t, connect(t, s), Options{Tracer: provider, Heartbeat: DefaultHeartbeat})
	run := start(t, hub, tarry.Options{Budget: 3, Name: "traced"})
	quit := employ(t, connect(t, s), Worker{Name: "w", Tracer: workers, Objective: func(ctx context.Context, q tarry.Query) (float64, error) {
		if !oteltrace.SpanContextFromContext(ctx).IsValid() {
			t.Error("the objective has no span to go on from")
		}
		return hill(ctx, q)
	}})
	_, err := run.Wait()
	fatal(t, err)
	quit()
	eventually(t, "all spans end", func() bool { return len(here.Ended()) == 3 && len(there.Ended()) == 3 })
	parents := map[oteltrace.SpanID]trace.ReadOnlySpan{}
	for _, span := range here.Ended() {
		parents[span.SpanContext().SpanID()] = span
	}
	for _, span := range there.Ended() {
		parent := parents[span.Parent().SpanID()]
		if parent == nil || parent.SpanContext().TraceID() != span.SpanContext().TraceID() {
			t.Fatalf("%s is no child of a span of the hub", span.Name())
		}
		if span.StartTime().Before(parent.StartTime()) || span.EndTime().After(parent.EndTime()) {
			t.Errorf("the evaluation is from %v to %v, its attempt from %v to %v", span.StartTime(), span.EndTime(), parent.StartTime(), parent.EndTime())
		}
		said := map[string]string{}
		for _, a := range parent.Attributes() {
			said[string(a.Key)] = a.Value.String()
		}
		if said["tarry.study"] != "traced" || said["tarry.worker"] != "w" || said["tarry.attempt"] != "1" || said["tarry.fate"] != "taken" {
			t.Errorf("%v", said)
		}
	}
}
