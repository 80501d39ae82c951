package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/tarry-bo/tarry"
	"github.com/tarry-bo/tarry/journal/sqlite"
)

// costsSaid runs a study of nine evaluations in a file, and returns what its log, its metrics and its progress say.
func costsSaid(t *testing.T, path string, fidelity tarry.Parameter) map[string]string {
	t.Helper()
	s, err := tarry.NewSpace(tarry.Float("x", 0, 1), fidelity)
	must(t, err)
	store, err := sqlite.Create(path)
	must(t, err)
	defer store.Close()
	policy, err := tarry.ParsePolicy("mf-mes")
	must(t, err)
	core, logs := observer.New(zapcore.DebugLevel)
	reader := metric.NewManualReader()
	var progress, metrics bytes.Buffer
	show := newProgress(&progress, 0, false)
	o := tarry.Options{Budget: 9, Workers: 1, Seed: 1, Policy: policy, Journal: store, Logger: zap.New(core), Meter: metric.NewMeterProvider(metric.WithReader(reader)), OnEvent: func(e tarry.Event) {
		show.event(e)
		var all metricdata.ResourceMetrics
		if err := reader.Collect(context.Background(), &all); err != nil {
			t.Error(err)
		}
		metrics.Reset()
		for _, scope := range all.ScopeMetrics {
			for _, m := range scope.Metrics {
				fmt.Fprintf(&metrics, "%s %v\n", m.Name, m.Data)
			}
		}
	}}
	run, err := tarry.Start(t.Context(), s, func(_ context.Context, q tarry.Query) (float64, error) { return q.X[0], nil }, o)
	must(t, err)
	_, err = run.Wait()
	must(t, err)
	said := map[string]string{"progress": progress.String(), "extent": show.extent(), "screen": show.pending(), "metrics": metrics.String()}
	for _, entry := range logs.All() {
		text, err := json.Marshal(entry.ContextMap())
		must(t, err)
		said["log: "+entry.Message] += string(text) + "\n"
	}
	return said
}

// With a fidelity whatever shows a study says what it cost; without one nothing speaks of costs, but for columns and members that are
// always there, which hold 0. The name of this test is in the paths that are printed.
func TestWhateverShowsAStudySaysWhatWasSpentWhereThatIsKnown(t *testing.T) {
	for name, c := range map[string]struct {
		parameter tarry.Parameter
		costs     bool
	}{"with": {tarry.Ordered("m", 1, 9).AsFidelity(1.5, 7.25), true}, "without": {tarry.Ordered("m", 1, 9), false}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "s.db")
		said := costsSaid(t, path, c.parameter)
		said["text"] = call(t, "", "inspect", path).out
		said["json"] = call(t, "", "inspect", path, "--json").out
		if got := call(t, "", "inspect", path, "--plot", dir); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		picture, err := os.ReadFile(filepath.Join(dir, "incumbent.svg"))
		must(t, err)
		said["figure"] = string(picture)
		said["json"] = strings.ReplaceAll(said["json"], `"cost": 0,`, "")
		for _, what := range []string{"progress", "extent", "screen", "metrics", "log: study started", "log: feedback arrived", "log: study ended", "text", "json", "figure"} {
			text, there := said[what]
			if !there || strings.Contains(strings.ToLower(text), "cost") != c.costs {
				t.Errorf("%s a fidelity: %s says:\n%s", name, what, text)
			}
		}
		for what, text := range said {
			if !c.costs && strings.Contains(strings.ToLower(text), "cost") {
				t.Errorf("%s says:\n%s", what, text)
			}
		}
		names, rows := sheet(t, path)
		total := 0.0
		for _, row := range rows {
			want := map[bool]map[string]string{true: {"1": "1.5", "9": "7.25"}, false: {"1": "0", "9": "0"}}[c.costs][row["m"]]
			if row["cost"] != want {
				t.Errorf("%s a fidelity: %v\n%v", name, names, row)
			}
			total += map[string]float64{"1": 1.5, "9": 7.25}[row["m"]]
		}
		if end := fmt.Sprintf(`"totalCost":%v}`, total); c.costs && !strings.Contains(strings.ReplaceAll(said["log: study ended"], ",", "}"), end) {
			t.Errorf("want %s in %s", end, said["log: study ended"])
		}
		if want := fmt.Sprintf("cost %v", total); c.costs && !strings.Contains(said["progress"], want) {
			t.Errorf("want %s in %s", want, said["progress"])
		}
	}
}
