package serve

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/tarry-bo/tarry/internal/must"
)

func (g *guarded) scrape(c *http.Client) string {
	got := must.Get(c.Get(g.url + "/metrics"))(g.t)
	defer got.Body.Close()
	return string(must.Get(io.ReadAll(got.Body))(g.t))
}

// The metrics have the requests by their routes, the workers, and what studies measure.
func TestMetricsAreReadAsPrometheusReadsThem(t *testing.T) {
	g := guarding(t, "")
	m := g.config.Metrics
	force := Force{Workers: 2, Slots: 16, Running: 5}
	if err := m.Workers(func() Force { return force }); err != nil {
		t.Fatal(err)
	}
	study := must.Get(m.Provider().Meter("study").Int64Counter("tarry.answers"))(t)
	study.Add(context.Background(), 3, metric.WithAttributes())
	c := g.client(g.ours, "prometheus", time.Time{}, "viewer")
	g.want(c, 404, "study", "", "GET", "/v1/studies/none", "")
	g.want(c, 403, "role", "", "PUT", lr, "{}")
	page := g.scrape(c)
	for _, line := range []string{
		"tarry_workers 2", "tarry_workers_slots 16", "tarry_workers_running 5", "tarry_answers_total 3",
		`tarry_requests_seconds_count{route="GET /v1/studies/{study}",status="404"} 1`, `tarry_requests_seconds_count{route="PUT /v1/studies/{study}",status="403"} 1`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("no line %s in\n%s", line, page)
		}
	}
	for _, bound := range []string{"0.001", "60"} { // they are seconds
		if !strings.Contains(page, `tarry_requests_seconds_bucket{route="PUT /v1/studies/{study}",status="403",le="`+bound+`"}`) {
			t.Errorf("no bucket up to %s s in\n%s", bound, page)
		}
	}
	force.Workers = 1
	if page := g.scrape(c); !strings.Contains(page, "tarry_workers 1\n") {
		t.Error(page)
	}
}

// Metrics are of all studies: somebody with a role in some of them does not see them, and neither does a worker.
func TestMetricsAreForThoseWhoMaySeeAllStudies(t *testing.T) {
	g := guarding(t, `{"roles":[{"name":"some","role":"viewer","studies":["lr"]},{"name":"all","role":"viewer"},{"name":"w","role":"worker"}]}`)
	g.want(g.client(g.ours, "some", time.Time{}), 403, "role", "the metrics are those of all studies", "GET", "/metrics", "")
	g.want(g.client(g.ours, "w", time.Time{}), 403, "role", "needs admin or asker or viewer", "GET", "/metrics", "")
	if page := g.scrape(g.client(g.ours, "all", time.Time{})); !strings.Contains(page, "tarry_requests_seconds_bucket") {
		t.Error(page)
	}
}
