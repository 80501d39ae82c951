package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel/attribute"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
)

// Metrics are what GET /metrics has, as Prometheus reads it: the requests, and whatever is measured by the Provider.
type Metrics struct {
	provider *sdk.MeterProvider
	handler  http.Handler
	requests metric.Float64Histogram
}

// requestTimes are the bounds of the buckets of requests, in seconds: from an answer that is at hand, over a policy that thinks and a long poll of a minute, to a
// stream of a day.
var requestTimes = []float64{1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 180, 600, 3600, 24 * 3600}

// NewMetrics returns metrics of which nothing is known yet.
func NewMetrics() (*Metrics, error) {
	registry := prometheus.NewRegistry()
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo())
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	m := &Metrics{provider: sdk.NewMeterProvider(sdk.WithReader(reader))}
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{DisableCompression: true, ErrorHandling: promhttp.ContinueOnError})
	m.requests, err = m.provider.Meter("tarry").Float64Histogram("tarry.requests", metric.WithUnit("s"),
		metric.WithDescription("Time that requests took, waiting included, by the route and the status of the answer."),
		metric.WithExplicitBucketBoundaries(requestTimes...))
	return m, err
}

// Provider is for Options.Meter of the studies.
func (m *Metrics) Provider() metric.MeterProvider { return m.provider }

// Force is how many remote workers there are, the evaluations that they may run at once, and those that they run.
type Force struct{ Workers, Slots, Running int }

// Workers has the remote workers measured whenever the metrics are read.
func (m *Metrics) Workers(now func() Force) error {
	meter := m.provider.Meter("tarry")
	workers, e1 := meter.Int64ObservableGauge("tarry.workers", metric.WithUnit("{worker}"), metric.WithDescription("Remote workers that are connected."))
	slots, e2 := meter.Int64ObservableGauge("tarry.workers.slots", metric.WithUnit("{slot}"), metric.WithDescription("Evaluations that remote workers may run at once."))
	running, e3 := meter.Int64ObservableGauge("tarry.workers.running", metric.WithUnit("{evaluation}"), metric.WithDescription("Evaluations that remote workers run."))
	if err := errors.Join(e1, e2, e3); err != nil {
		return err
	}
	_, err := meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		f := now()
		o.ObserveInt64(workers, int64(f.Workers))
		o.ObserveInt64(slots, int64(f.Slots))
		o.ObserveInt64(running, int64(f.Running))
		return nil
	}, workers, slots, running)
	return err
}

// took keeps how long a request took, by its route: the names of studies are not told apart, so that there are not too many series.
func (m *Metrics) took(to route, status int, since time.Time) {
	m.requests.Record(context.Background(), time.Since(since).Seconds(),
		metric.WithAttributes(attribute.String("route", to.method+" "+to.path), attribute.Int("status", status)))
}

// metrics answers with all of them, to somebody who may look on at all studies.
func (s *Server) metrics(r *http.Request, _ []byte) (answer, *problem) {
	if p := s.everywhere(r, "the metrics"); p != nil {
		return answer{}, p
	}
	page := &scrape{header: http.Header{}, status: http.StatusOK}
	s.config.Metrics.handler.ServeHTTP(page, r)
	if page.status != http.StatusOK {
		return answer{}, problemOf(http.StatusInternalServerError, "metrics", "the metrics cannot be read: %s", shortened(page.String()))
	}
	return answer{kind: page.header.Get("Content-Type"), body: page.Bytes()}, nil
}

// scrape is the page of metrics on its way to an answer.
type scrape struct {
	bytes.Buffer
	header http.Header
	status int
}

func (p *scrape) Header() http.Header    { return p.header }
func (p *scrape) WriteHeader(status int) { p.status = status }

// noted is an answer whose status is remembered.
type noted struct {
	http.ResponseWriter
	status int
}

func (n *noted) Unwrap() http.ResponseWriter { return n.ResponseWriter }

func (n *noted) WriteHeader(status int) {
	n.status = status
	n.ResponseWriter.WriteHeader(status)
}
