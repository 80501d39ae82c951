package tarry_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	sdk "go.opentelemetry.io/otel/sdk/metric"

	"github.com/tarry-bo/tarry"
)

// A study whose metrics are scraped by Prometheus while one of its answers is awaited.
func ExampleOptions_prometheus() {
	registry := prometheus.NewRegistry()
	reader, err := exporter.New(exporter.WithRegisterer(registry), exporter.WithoutScopeInfo(), exporter.WithoutTargetInfo())
	if err != nil {
		panic(err)
	}
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer server.Close()

	s, err := tarry.NewSpace(tarry.Float("heat", 0, 1))
	if err != nil {
		panic(err)
	}
	started := make(chan tarry.EvaluationID)
	run, err := tarry.Start(context.Background(), s, func(_ context.Context, q tarry.Query) (float64, error) {
		started <- q.ID
		return 0, tarry.ErrAnswerFollows
	}, tarry.Options{Budget: 3, Workers: 3, Name: "furnace", Meter: sdk.NewMeterProvider(sdk.WithReader(reader))})
	if err != nil {
		panic(err)
	}
	ids := []tarry.EvaluationID{<-started, <-started, <-started}
	for k, value := range []float64{0.25, 0.75} {
		if err := run.Tell(ids[k], value); err != nil {
			panic(err)
		}
	}
	scrape(server.URL, `tarry_evaluations{state="observed"`, `tarry_evaluations{state="pending"`, "tarry_incumbent{", "tarry_feedback_delay_seconds_count")
	if err := run.Tell(ids[2], 0.5); err != nil {
		panic(err)
	}
	if _, err := run.Wait(); err != nil {
		panic(err)
	}
	// Output:
	// tarry_evaluations{state="observed",study="furnace"} 2
	// tarry_evaluations{state="pending",study="furnace"} 1
	// tarry_feedback_delay_seconds_count{study="furnace"} 2
	// tarry_incumbent{study="furnace"} 0.75
}

// scrape prints the lines of a page that begin with one of the prefixes.
func scrape(url string, prefixes ...string) {
	page, err := http.Get(url)
	if err != nil {
		panic(err)
	}
	defer page.Body.Close()
	for lines := bufio.NewScanner(page.Body); lines.Scan(); {
		for _, prefix := range prefixes {
			if strings.HasPrefix(lines.Text(), prefix) {
				fmt.Println(lines.Text())
			}
		}
	}
}
