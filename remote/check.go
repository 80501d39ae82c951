package remote

import (
	"errors"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/tarry-bo/tarry/outcome"
)

// within is an error unless low ≤ n ≤ high.
func within(field string, n, low, high int) error {
	if n < low || n > high {
		return fmt.Errorf("%s = %d: want %d ≤ %s ≤ %d", field, n, low, field, high)
	}
	return nil
}

// text is an error for a text that is too long, or none.
func text(field, s string, most int) error {
	switch {
	case len(s) > most:
		return fmt.Errorf("%s: %d bytes: want at most %d", field, len(s), most)
	case !utf8.ValidString(s):
		return fmt.Errorf("%s: want UTF-8", field)
	}
	return nil
}

// finite is an error for NaN and infinities.
func finite(field string, numbers ...float64) error {
	for _, n := range numbers {
		if !outcome.Finite(n) {
			return fmt.Errorf("%s = %v: want a finite number", field, n)
		}
	}
	return nil
}

// given is an error for a number that is missing or null, and for one that is not finite.
func given(field string, n *float64) error {
	if n == nil {
		return fmt.Errorf("%s = null: want a finite number", field)
	}
	return finite(field, *n)
}

func (i id) check() error {
	err := errors.Join(text("study", i.Study, maxStudyName), within("evaluation", i.Evaluation, 1, math.MaxInt32),
		within("attempt", i.Attempt, 1, math.MaxInt32), text("token", i.Token, 2*tokenBytes))
	if i.Study == "" {
		err = errors.Join(err, errors.New("study is missing"))
	}
	return err
}

func checkAll(all []id) error {
	if err := within("attempts", len(all), 0, maxRunning); err != nil {
		return err
	}
	for _, i := range all {
		if err := i.check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *joinMessage) check() error {
	if m.Version != Version {
		return fmt.Errorf("version = %d: want %d", m.Version, Version)
	}
	if err := errors.Join(within("slots", m.Slots, 0, MaxSlots), text("study", m.Study, maxStudyName), checkAll(m.Running)); err != nil {
		return err
	}
	return checkLabels(m.Labels)
}

// checkLabels is an error for labels that are none.
func checkLabels(labels []string) error {
	if err := within("labels", len(labels), 0, MaxLabels); err != nil {
		return err
	}
	for _, label := range labels {
		if label == "" || text("label", label, maxName) != nil {
			return fmt.Errorf("label %.99q: want 1 to %d bytes of UTF-8", label, maxName)
		}
	}
	return nil
}

func (m *studyMessage) check() error {
	return errors.Join(text("study", m.Study, maxStudyName), within("from", m.From, 0, math.MaxInt32))
}

func (m *beatMessage) check() error {
	return errors.Join(within("slots", m.Slots, 0, MaxSlots), checkAll(m.Running))
}

func (m *resultMessage) check() error {
	said := 0
	for _, is := range []bool{m.Outcome != nil, m.Failure != nil, m.Follows, m.Returned} {
		if is {
			said++
		}
	}
	if said != 1 {
		return errors.New("result: want one of outcome, failure, follows and returned")
	}
	err := m.id.check()
	switch {
	case m.Outcome != nil:
		o := m.Outcome
		return errors.Join(err, given("value", o.Value), finite("cost", o.Cost), finite("constraints", o.Constraints...),
			within("constraints", len(o.Constraints), 0, outcome.MaxConstraints))
	case m.Failure != nil:
		if _, known := verdicts[m.Failure.Kind]; !known && m.Failure.Kind != kindDeclined {
			return fmt.Errorf("failure.kind = %.99q: want %s, %s, %s or %s", m.Failure.Kind, kindFailed, kindInfeasible, kindLost, kindDeclined)
		}
		return errors.Join(err, text("failure.reason", m.Failure.Reason, maxReason))
	}
	return err
}

func (m *reportMessage) check() error {
	return errors.Join(m.id.check(), given("step", m.Step), given("value", m.Value))
}

func (m *leaveMessage) check() error { return text("reason", m.Reason, maxReason) }

func (m *joinReply) check() error {
	if m.Error == "" && (m.Heartbeat <= 0 || m.Heartbeat > maxDuration || m.Missed < 1) {
		return fmt.Errorf("heartbeat = %v, missed = %d: want some time, and at least 1", m.Heartbeat, m.Missed)
	}
	return text("error", m.Error, maxReason)
}

func (m *studyReply) check() error {
	return errors.Join(text("error", m.Error, maxReason), within("total", m.Total, 0, math.MaxInt32), within("part", len(m.Part), 0, maxPart))
}

func (m *beatReply) check() error {
	return errors.Join(checkAll(m.Stop), text("error", m.Error, maxReason))
}

func (m *resultReply) check() error {
	return errors.Join(text("fate", m.Fate, maxName), text("error", m.Error, maxReason))
}

func (m *reportReply) check() error { return text("error", m.Error, maxReason) }
func (m *leaveReply) check() error  { return text("error", m.Error, maxReason) }

func (m *jobMessage) check() error {
	if len(m.Stop) > 0 {
		return checkAll(m.Stop)
	}
	for _, x := range m.X {
		if math.IsInf(x, 0) {
			return errors.New("x: want finite numbers and null")
		}
	}
	return errors.Join(m.id.check(), within("x", len(m.X), 1, maxDimensions), text("about", m.About, maxName), text("traceparent", m.Parent, maxName),
		within("left", int(min(max(m.Left, -1), maxDuration)), 0, maxDuration))
}
