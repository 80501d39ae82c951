package remote

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// spans begins the spans of attempts.
type spans struct{ tracer trace.Tracer }

func newSpans(p trace.TracerProvider) spans {
	if p == nil {
		return spans{}
	}
	return spans{p.Tracer("github.com/tarry-bo/tarry/remote")}
}

// span is one of an attempt. The zero value does nothing.
type span struct {
	ctx  context.Context
	span trace.Span
}

const parentHeader = "traceparent"

// begin begins the span of an attempt that is sent to a worker.
func (s spans) begin(of id, to key) span {
	if s.tracer == nil {
		return span{}
	}
	ctx, sp := s.tracer.Start(context.Background(), "tarry.attempt", trace.WithSpanKind(trace.SpanKindProducer), trace.WithAttributes(attributes(of, to)...))
	return span{ctx, sp}
}

// evaluation returns a context with the span of an evaluation whose attempt has the given parent, and what ends it.
func (s spans) evaluation(ctx context.Context, parent string, of id, at key) (context.Context, func()) {
	if s.tracer == nil {
		return ctx, func() {}
	}
	ctx = propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{parentHeader: parent})
	ctx, sp := s.tracer.Start(ctx, "tarry.evaluate", trace.WithSpanKind(trace.SpanKindConsumer), trace.WithAttributes(attributes(of, at)...))
	return ctx, func() { sp.End() }
}

func attributes(of id, at key) []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.String("tarry.study", of.Study), attribute.Int("tarry.evaluation", of.Evaluation), attribute.Int("tarry.attempt", of.Attempt),
		attribute.String("tarry.worker", at.name), attribute.String("tarry.instance", at.instance),
	}
}

// parent is how the span is named to its children in another process; empty without one.
func (s span) parent() string {
	if s.span == nil {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(s.ctx, carrier)
	return carrier[parentHeader]
}

// end ends the span, with what became of the attempt.
func (s span) end(how string) {
	if s.span != nil {
		s.span.SetAttributes(attribute.String("tarry.fate", how))
		s.span.End()
	}
}
