package tarry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/option"
	"github.com/tarry-bo/tarry/loop"
)

// given calls with for each option that was given, which is one that is not zero, and that a study has for good.
func (o Options) given(with func(field string, given option.Option, number int)) {
	var c loop.Config
	option.Copy(&c, &o)
	for i, g := range c.Options() {
		if !g.Free && !g.IsZero() {
			with("Options."+option.Path(&c, g.Field), g, i)
		}
	}
}

// foreignToResume lists the options that a study has from its store.
func (o Options) foreignToResume() error {
	var l check.List
	o.given(func(field string, given option.Option, _ int) {
		l.Add(field, given.Now(), "nothing: the study has it from its store")
	})
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
	if o.Policy != nil {
		if given, err := traitsOf(o.Policy); err != nil {
			l.Join(err)
		} else if !given.Equal(c.Traits) {
			l.Add("Options.Policy", given.Name, asStored(c.Traits.Name))
		}
	}
	all := c.Options()
	o.given(func(field string, given option.Option, i int) {
		l.Require(given.Text() == all[i].Text(), field, given.Now(), asStored(all[i].Now()))
	})
	return l.Err()
}

func asStored(has any) string {
	if text := fmt.Sprint(has); text != "" {
		return text + ", as the study in the store has it, or nothing"
	}
	return "nothing, as the study in the store has it"
}

// sameSpace lists the differences of two spaces.
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
	var l check.List
	differs := func(field string, value, has any) {
		l.Add(field, value, fmt.Sprintf("%v, as the study in the store has it", has))
	}
	if n, m := len(a.Parameters), len(b.Parameters); n != m {
		differs("Space", fmt.Sprintf("%d parameters", n), m)
		return l.Err()
	}
	for i := range a.Parameters {
		if !bytes.Equal(a.Parameters[i], b.Parameters[i]) {
			differs(fmt.Sprintf("Space.Parameters[%d]", i), string(a.Parameters[i]), string(b.Parameters[i]))
		}
	}
	if !bytes.Equal(a.Points, b.Points) {
		differs("Space.Points", fmt.Sprintf("%d points", given.Size()), fmt.Sprintf("the %d points", has.Size()))
	}
	return l.Err()
}
