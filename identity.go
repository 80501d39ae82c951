package tarry

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
)

// mark is an option that makes a study what it is: as it was given, and as a study has it.
type mark struct {
	field      string
	given      bool
	value, has any
}

// marks are all of them but the space, the policy and the budget. A Study has no workers, and so nothing to be exclusive.
func (o Options) marks(c loop.Config) []mark {
	floor := func(f *float64) any {
		if f == nil {
			return "none"
		}
		return *f
	}
	m, n := o.Model, c.Model
	return []mark{
		{"Minimize", o.Minimize, o.Minimize, c.Minimize}, {"Initial", o.Initial != 0, o.Initial, c.Initial},
		{"Design", o.Design != 0, o.Design, c.Design}, {"Barrier", o.Barrier != 0, o.Barrier, c.Barrier},
		{"Pending", o.Pending != 0, o.Pending, c.Pending}, {"Seed", o.Seed != 0, o.Seed, c.Seed},
		{"Timeout", o.Timeout != 0, o.Timeout, c.Timeout}, {"Retries", o.Retries != 0, o.Retries, c.Retries},
		{"Lease", o.Lease != 0, o.Lease, c.Lease}, {"Exclusive", o.Exclusive, o.Exclusive, c.Exclusive},
		{"Patience", o.Patience != 0, o.Patience, c.Patience}, {"Window", o.Window != Window{}, o.Window, c.Window},
		{"Floor", o.Floor != nil, floor(o.Floor), floor(c.Floor)}, {"Range", o.Range != 0, o.Range, c.Range},
		{"Model.Kernel", m.Kernel != "", m.Kernel, cmp.Or(n.Kernel, loop.DefaultKernel)}, {"Model.Hyper", m.Hyper != nil, m.Hyper, n.Hyper},
		{"Model.Noise", m.Noise != 0, m.Noise, n.Noise}, {"Model.Active", m.Active != 0, m.Active, n.Active},
	}
}

// foreignToResume lists the options that a study has from its store.
func (o Options) foreignToResume() error {
	var l check.List
	for _, m := range o.marks(loop.Config{}) {
		l.Require(!m.given, "Options."+m.field, m.value, "nothing: the study has it from its store")
	}
	l.Require(o.Journal == nil, "Options.Journal", "a journal", "nothing: the study has it from its store")
	l.Require(o.Known == nil, "Options.Known", fmt.Sprintf("%d values", len(o.Known)), "nothing: the study has begun; want Observe")
	l.Require(o.First == nil, "Options.First", fmt.Sprintf("%d points", len(o.First)), "nothing: the study has begun; want Enqueue")
	return l.Err()
}

// agrees lists what was given and is not as the study has it.
func (o Options) agrees(s Space, c loop.Config) error {
	var l check.List
	if s.Dim() > 0 {
		l.Join(sameSpace(s, c.Space))
	}
	if o.Policy != nil && !o.Policy.Traits().Equal(c.Traits) {
		l.Add("Options.Policy", o.Policy.Traits().Name, asStored(c.Traits.Name))
	}
	for _, m := range o.marks(c) {
		l.Require(!m.given || reflect.DeepEqual(m.value, m.has), "Options."+m.field, m.value, asStored(m.has))
	}
	return l.Err()
}

func asStored(has any) string {
	return fmt.Sprintf("%v, as the study in the store has it, or nothing", has)
}

// sameSpace names the first difference of two spaces.
func sameSpace(given, has Space) error {
	type described struct {
		Parameters []json.RawMessage
		Points     json.RawMessage
	}
	var a, b described
	for _, one := range []struct {
		s Space
		d *described
	}{{given, &a}, {has, &b}} {
		text, err := one.s.MarshalJSON()
		if err = errors.Join(err, json.Unmarshal(text, one.d)); err != nil {
			return err
		}
	}
	differs := func(field string, value, has any) error {
		return &check.FieldError{Field: field, Value: value, Want: fmt.Sprintf("%v, as the study in the store has it", has)}
	}
	if n, m := len(a.Parameters), len(b.Parameters); n != m {
		return differs("Space", fmt.Sprintf("%d parameters", n), m)
	}
	for i := range a.Parameters {
		if !bytes.Equal(a.Parameters[i], b.Parameters[i]) {
			return differs(fmt.Sprintf("Space.Parameters[%d]", i), string(a.Parameters[i]), string(b.Parameters[i]))
		}
	}
	if !bytes.Equal(a.Points, b.Points) {
		return differs("Space.Points", fmt.Sprintf("%d points", given.Size()), fmt.Sprintf("the %d points", has.Size()))
	}
	return nil
}
