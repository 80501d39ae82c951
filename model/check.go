package model

import (
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry/outcome"
)

// Check returns nil when every invariant holds, otherwise all violations. Cost O(n).
func (m *Model) Check() error {
	var errs []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	for i := range m.outputs {
		n := m.outputs[i].buffer.Len()
		want(n == len(m.points), "%v: %d entries for %d queries", Output(i), n, len(m.points))
	}
	for i := range m.beliefs {
		b := &m.beliefs[i]
		want(len(b.rows.now) <= len(m.points)+len(m.outputs[b.want.Output].interims) && len(b.targets) == len(b.rows.now), "%v: %d rows, %d targets for %d queries", b.want, len(b.rows.now), len(b.targets), len(m.points))
		want(len(b.rows.now) <= m.config.Active || m.config.Blind, "%v: %d rows, at most %d", b.want, len(b.rows.now), m.config.Active)
		want(b.rows.filled >= NotFilled && b.rows.filled <= len(b.rows.edits), "%v: pool filled after %d of %d edits", b.want, b.rows.filled, len(b.rows.edits))
		for row, y := range b.targets {
			want(outcome.Finite(y), "%v: row %d has target %v", b.want, row, y)
		}
	}
	return errors.Join(errs...)
}
