package actors

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// collector is a meter provider that is collected by hand.
type collector struct {
	*sdk.MeterProvider
	reader *sdk.ManualReader
}

func newCollector(options ...sdk.Option) collector {
	r := sdk.NewManualReader()
	return collector{sdk.NewMeterProvider(append(options, sdk.WithReader(r))...), r}
}

// collect returns what is reported, by name and attributes: `tarry.evaluations{state=pending,study=s}`. A histogram is
// reported as its count and its sum.
func (m collector) collect(tb testing.TB) map[string]float64 {
	tb.Helper()
	var all metricdata.ResourceMetrics
	if err := m.reader.Collect(context.Background(), &all); err != nil {
		tb.Error(err)
	}
	out := map[string]float64{}
	put := func(name string, of attribute.Set, v float64) {
		out[name+"{"+of.Encoded(attribute.DefaultEncoder())+"}"] = v
	}
	for _, scope := range all.ScopeMetrics {
		for _, one := range scope.Metrics {
			if one.Description == "" || one.Unit == "" {
				tb.Errorf("%s has description %q and unit %q", one.Name, one.Description, one.Unit)
			}
			switch data := one.Data.(type) {
			case metricdata.Sum[int64]:
				for _, p := range data.DataPoints {
					put(one.Name, p.Attributes, float64(p.Value))
				}
			case metricdata.Gauge[float64]:
				for _, p := range data.DataPoints {
					put(one.Name, p.Attributes, p.Value)
				}
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					put(one.Name+".count", p.Attributes, float64(p.Count))
					put(one.Name+".sum", p.Attributes, p.Sum)
				}
			default:
				tb.Errorf("%s is a %T", one.Name, data)
			}
		}
	}
	return out
}

// expect compares what is reported with what is wanted; names that are not wanted may be reported, unless want has them
// with NaN.
func (m collector) expect(t *testing.T, when string, want map[string]float64) {
	t.Helper()
	got := m.collect(t)
	for _, key := range slices.Sorted(maps.Keys(want)) {
		value, reported := got[key]
		switch {
		case math.IsNaN(want[key]):
			if reported {
				t.Errorf("%s: %s = %v, want none", when, key, value)
			}
		case !reported:
			t.Errorf("%s: %s is missing, want %v", when, key, want[key])
		case math.Abs(value-want[key]) > 1e-9:
			t.Errorf("%s: %s = %v, want %v", when, key, value, want[key])
		}
	}
}

// byState is what tarry.evaluations should say, in the order pending, observed, late, failed, timed out, lost, cancelled.
func byState(study string, counts ...int) map[string]float64 {
	out := map[string]float64{}
	for k, s := range []string{"pending", "observed", "late", "failed", "timed_out", "lost", "cancelled", "infeasible", "stopped"}[:len(counts)] {
		out["tarry.evaluations{state="+s+",study="+study+"}"] = float64(counts[k])
	}
	return out
}

func together(m map[string]float64, more map[string]float64) map[string]float64 {
	maps.Copy(m, more)
	return m
}

// silent fails if anything is reported that should end with a study.
func (m collector) silent(t *testing.T, when string) {
	t.Helper()
	for key := range m.collect(t) {
		for _, name := range []string{"tarry.evaluations", "tarry.pending", "tarry.incumbent", "tarry.mailbox", "tarry.constraint"} {
			if strings.HasPrefix(key, name) {
				t.Errorf("%s: %s is reported", when, key)
			}
		}
	}
}

// registered counts the callbacks that a provider has.
type registered struct {
	metric.MeterProvider
	callbacks atomic.Int64
}

type registeringMeter struct {
	metric.Meter
	of *registered
}

type registeredCallback struct {
	metric.Registration
	of *registered
}

func (r *registered) Meter(name string, options ...metric.MeterOption) metric.Meter {
	return registeringMeter{r.MeterProvider.Meter(name, options...), r}
}

func (m registeringMeter) RegisterCallback(f metric.Callback, of ...metric.Observable) (metric.Registration, error) {
	m.of.callbacks.Add(1)
	r, err := m.Meter.RegisterCallback(f, of...)
	return registeredCallback{r, m.of}, err
}

func (r registeredCallback) Unregister() error {
	r.of.callbacks.Add(-1)
	return r.Registration.Unregister()
}
