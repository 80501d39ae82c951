package actors

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/tarry-bo/tarry/loop"
)

// metrics reports a study to a meter provider. It reads the notices, from the driver's goroutine; the provider calls
// observe, from goroutines of its own. Studies that share a provider are told apart by their names.
//
// What is observed (evaluations, pending ages, incumbent, mailboxes) is reported from the making of the study until its
// ending is announced: the last event, with the final values, comes before, and OnEvent is called with it when they can
// be collected already. From then on a study that is gone is silent. Histograms and counters stay with the provider.
type metrics struct {
	instruments
	study       metric.MeasurementOption // its name
	record      []metric.RecordOption    // the same
	states      [loop.Stopped + 1]metric.MeasurementOption
	actors      [parts]metric.MeasurementOption
	counted     [3]metric.MeasurementOption // violations by what is known of them
	fates       [][]metric.AddOption        // by what became of an event
	forecastsBy [2][]metric.AddOption       // whether the value was outside, central
	setsBy      [2][]metric.AddOption       // whether the value was missed, held

	tally        tally
	mailboxes    *mailboxes
	ask, fit     span // under way; for the driver's goroutine only
	registration metric.Registration
}

// instruments are what a study is measured by. Values that are not counts are in seconds or in the user's units.
type instruments struct {
	evaluations, mailbox    metric.Int64ObservableUpDownCounter
	oldest, mean, incumbent metric.Float64ObservableGauge
	cost, budgetCost        metric.Float64ObservableGauge
	delay, query, fitting   metric.Float64Histogram
	violations, allowed     metric.Int64ObservableUpDownCounter
	answers                 metric.Int64Counter
	forecasts, sets         metric.Int64Counter
}

// maker makes instruments and keeps what goes wrong.
type maker struct {
	meter metric.Meter
	errs  []error
}

func newInstruments(meter metric.Meter) (instruments, error) {
	m := maker{meter: meter}
	in := instruments{
		evaluations: m.count("tarry.evaluations", "{evaluation}", "Evaluations by state; together, the queries chosen so far."),
		oldest:      m.gauge("tarry.pending.age.oldest", "s", "Time since the oldest pending evaluation was first dispatched; 0 when none is pending."),
		mean:        m.gauge("tarry.pending.age.mean", "s", "Mean time since pending evaluations were first dispatched; 0 when none is pending."),
		incumbent:   m.gauge("tarry.incumbent", "{value}", "Best value so far, in the units of the objective; absent before the first."),
		cost:        m.gauge("tarry.cost", "{cost}", "What the evaluations cost so far, pending ones included, in units of the user's; absent where nothing says what they cost."),
		budgetCost:  m.gauge("tarry.cost.budget", "{cost}", "What all evaluations may cost together; absent without such a limit."),
		violations:  m.count("tarry.constraint.violations", "{evaluation}", "Queries that count as violations of the constraints, by what is known of them; absent where constraints need not be kept."),
		allowed:     m.count("tarry.constraint.allowed", "{evaluation}", "Violations that the promise has room for still; absent without a promise."),
		mailbox:     m.count("tarry.mailbox.length", "{message}", "Messages that wait for an actor of the study; those of its own workers together."),
		delay:       m.duration("tarry.feedback.delay", "Time from the first dispatch of an evaluation to its value."),
		query:       m.duration("tarry.query.duration", "Time the policy takes to choose a query."),
		fitting:     m.duration("tarry.fit.duration", "Time a fit of the hyperparameters takes."),
	}
	in.answers = m.counter("tarry.answers", "{event}", "Events that did not simply do what they say, by what became of them.")
	in.forecasts = m.counter("tarry.forecasts", "{forecast}", "Forecasts that were judged by the values that came, by whether these were in their central 80 %.")
	in.sets = m.counter("tarry.forecast.sets", "{set}", "Calibrated sets that were judged by the values that came, by whether they held these.")
	return in, errors.Join(m.errs...)
}

func (m *maker) check(name string, err error) {
	if err != nil {
		m.errs = append(m.errs, fmt.Errorf("metric %s: %w", name, err))
	}
}

func (m *maker) count(name, unit, description string) metric.Int64ObservableUpDownCounter {
	in, err := m.meter.Int64ObservableUpDownCounter(name, metric.WithUnit(unit), metric.WithDescription(description))
	m.check(name, err)
	return in
}

func (m *maker) counter(name, unit, description string) metric.Int64Counter {
	in, err := m.meter.Int64Counter(name, metric.WithUnit(unit), metric.WithDescription(description))
	m.check(name, err)
	return in
}

func (m *maker) gauge(name, unit, description string) metric.Float64ObservableGauge {
	in, err := m.meter.Float64ObservableGauge(name, metric.WithUnit(unit), metric.WithDescription(description))
	m.check(name, err)
	return in
}

// duration is in seconds, with buckets from a microsecond to a day.
func (m *maker) duration(name, description string) metric.Float64Histogram {
	in, err := m.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(description), metric.WithExplicitBucketBoundaries(
		1e-6, 1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 60, 180, 600, 1800, 3600, 3*3600, 12*3600, 24*3600,
	))
	m.check(name, err)
	return in
}

// addMetrics makes metrics one of the readers, if there is a provider.
func (d *Driver) addMetrics() error {
	if d.config.Meter == nil {
		return nil
	}
	meter := d.config.Meter.Meter("github.com/tarry-bo/tarry/actors")
	in, err := newInstruments(meter)
	if err != nil {
		return err
	}
	of := func(more ...attribute.KeyValue) metric.MeasurementOption {
		return metric.WithAttributeSet(attribute.NewSet(append(more, attribute.String("study", d.config.Name))...))
	}
	m := &metrics{instruments: in, study: of(), record: []metric.RecordOption{of()}, mailboxes: newMailboxes()}
	for s := range m.states {
		m.states[s] = of(attribute.String("state", snake(loop.Status(s))))
	}
	for p := range m.actors {
		m.actors[p] = of(attribute.String("actor", part(p).String()))
	}
	for k, known := range [...]string{"known", "pending", "lost"} {
		m.counted[k] = of(attribute.String("state", known))
	}
	for _, f := range loop.Fates() {
		m.fates = append(m.fates, []metric.AddOption{of(attribute.String("outcome", snake(f)))})
	}
	for k, verdict := range [2]string{"outside", "central"} {
		m.forecastsBy[k] = []metric.AddOption{of(attribute.String("value", verdict))}
	}
	for k, verdict := range [2]string{"missed", "held"} {
		m.setsBy[k] = []metric.AddOption{of(attribute.String("value", verdict))}
	}
	m.registration, err = meter.RegisterCallback(m.observe, in.evaluations, in.oldest, in.mean, in.incumbent, in.mailbox, in.violations, in.allowed, in.cost, in.budgetCost)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	d.metrics = m
	d.readers = append(d.readers, func(n Notice) { m.read(n, d.loop.Evaluations()) })
	return nil
}

func snake(words fmt.Stringer) string { return strings.ReplaceAll(words.String(), " ", "_") }

// Close ends the reporting of metrics, and lets another study have the journal. A coordinator does so itself when it announces its ending.
func (d *Driver) Close() {
	d.Silence()
	d.Yield()
}

// Silence ends the reporting of metrics.
func (d *Driver) Silence() {
	if d.metrics != nil {
		d.metrics.close()
	}
}

// close silences what is observed. The callback is taken away beside: a collection under way holds the lock of its
// provider, and may itself be waiting for the study.
func (m *metrics) close() {
	if m.tally.close() {
		go m.registration.Unregister()
	}
}

// read takes a notice and the evaluations as they are after it. Cost O(1), unless attempts vanished with a worker.
func (m *metrics) read(n Notice, evaluations []loop.Evaluation) {
	ctx := context.Background()
	if m.tally.take(n, evaluations[:n.Chosen]) {
		m.delay.Record(ctx, (n.At - n.Evaluation.Dispatched).Seconds(), m.record...)
	}
	if r := n.Reaction; r.Fate != loop.FateTaken {
		m.answers.Add(ctx, 1, m.fates[r.Fate]...)
	}
	if n.Reaction.Judged {
		m.judge(ctx, n.Reaction.Judgment)
	}
	m.ask.end(n.Reaction.Ask, n.At, m.query, m.record)
	m.fit.end(n.Reaction.Fit, n.At, m.fitting, m.record)
	for _, effect := range n.Reaction.Effects {
		switch e := effect.(type) {
		case loop.Ask:
			m.ask = span{e.ID, n.At}
		case loop.Fit:
			m.fit = span{e.ID, n.At}
		}
	}
}

// judge counts a forecast that was judged, and its set where it had one.
func (m *metrics) judge(ctx context.Context, j loop.Judgment) {
	index := func(b bool) int {
		if b {
			return 1
		}
		return 0
	}
	m.forecasts.Add(ctx, 1, m.forecastsBy[index(j.Central)]...)
	if j.Target > 0 {
		m.sets.Add(ctx, 1, m.setsBy[index(j.Held)]...)
	}
}

// observe reports how the study stands.
func (m *metrics) observe(_ context.Context, o metric.Observer) error {
	s, open := m.tally.standing()
	if !open {
		return nil
	}
	for k, count := range s.states {
		o.ObserveInt64(m.evaluations, int64(count), m.states[k])
	}
	o.ObserveFloat64(m.oldest, s.oldest, m.study)
	o.ObserveFloat64(m.mean, s.mean, m.study)
	if s.valued {
		o.ObserveFloat64(m.incumbent, s.best, m.study)
	}
	if s.costs {
		o.ObserveFloat64(m.cost, s.cost, m.study)
	}
	if s.budgetCost > 0 {
		o.ObserveFloat64(m.budgetCost, s.budgetCost, m.study)
	}
	if k := s.safety; k != nil {
		a := k.Account
		for i, n := range [...]int{a.Violations, a.Pending - a.Lost, a.Lost} {
			o.ObserveInt64(m.violations, int64(n), m.counted[i])
		}
		if k.Promises {
			o.ObserveInt64(m.allowed, int64(k.Left), m.study)
		}
	}
	for p, length := range m.mailboxes.lengths() {
		o.ObserveInt64(m.mailbox, int64(length), m.actors[p])
	}
	return nil
}

// span is one thing that takes time, by its ID; 0 means none.
type span struct {
	id    int
	began time.Duration
}

// end records how long it took, if it is the one under way.
func (s *span) end(id int, at time.Duration, in metric.Float64Histogram, options []metric.RecordOption) {
	if s.id == id && id > 0 {
		in.Record(context.Background(), (at - s.began).Seconds(), options...)
		s.id = 0
	}
}
