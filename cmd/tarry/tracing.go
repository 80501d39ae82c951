package main

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// tracing is where the spans of evaluations go: a collector that speaks OTLP over HTTP, or nobody.
type tracing struct {
	url      string
	provider *sdk.TracerProvider
}

const tracingUsage = "`URL` of a collector for OpenTelemetry traces, as in http://localhost:4318; none without it"

// open returns what makes spans; nil where they go nowhere. Spans are sent beside the work, and those that cannot be sent are dropped.
func (t *tracing) open(what string) (trace.TracerProvider, error) {
	if t.url == "" {
		return nil, nil
	}
	if u, err := url.Parse(t.url); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, usage(fmt.Errorf("--otlp %s: want a URL as in http://localhost:4318", t.url))
	}
	to, err := url.JoinPath(t.url, "v1/traces")
	if err != nil {
		return nil, usage(fmt.Errorf("--otlp %s: %w", t.url, err))
	}
	exporter, err := otlptracehttp.New(context.Background(), otlptracehttp.WithEndpointURL(to))
	if err != nil {
		return nil, failure(fmt.Errorf("--otlp %s: %w", t.url, err))
	}
	t.provider = sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", what))))
	return t.provider, nil
}

// close sends what is left, for a few seconds at most.
func (t *tracing) close() {
	if t.provider == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	_ = t.provider.Shutdown(ctx) // a collector that is away is no failure of the studies
}
