package policies

import (
	"reflect"
	"slices"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/surrogate"
)

// A view shares the memory of the study: who sorted its History or wrote into a point of it would change what the study knows, and its
// journal would not lead there any more. The policies of this package are tested to leave it alone (policytest), and get the memory itself.
// Any other, whoever registered it, gets a copy, and what it returns is copied as well.

// foreign reports whether a policy, or the one within it, is of another package.
func foreign(p Policy) bool {
	switch b := p.(type) {
	case Batch:
		return foreign(b.inner())
	case *Batch:
		return foreign(b.inner())
	}
	t := reflect.TypeOf(p)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.PkgPath() != reflect.TypeFor[Batch]().PkgPath()
}

// lent returns the view that a policy gets: the same, or a copy for a foreign one.
func (v View) lent(p Policy) View {
	if !foreign(p) {
		return v
	}
	return v.copied()
}

// copied returns the view with memory of its own, as far as its fields and the slices that their methods return go. Cost O(n·d), with a
// list or a pool of N points O(N·d) more, and where there are earlier studies the same for the rows of each.
func (v View) copied() View {
	v.Space, v.Context, v.Pending = v.Space.Clone(), slices.Clone(v.Context), slices.Clone(v.Pending)
	v.Queries, v.History = slices.Clone(v.Queries), slices.Clone(v.History)
	for i := range v.Queries {
		v.Queries[i].X = slices.Clone(v.Queries[i].X)
	}
	for i := range v.History {
		a := &v.History[i]
		a.Query.X, a.Forecast = slices.Clone(a.Query.X), a.Forecast.copied()
	}
	pools := map[*surrogate.Pool]*surrogate.Pool{}
	v.Belief, v.Also = copiedBelief(v.Belief, pools), slices.Clone(v.Also)
	for i, b := range v.Also {
		v.Also[i] = copiedBelief(b, pools)
	}
	v.Constraints = slices.Clone(v.Constraints)
	for i, c := range v.Constraints {
		v.Constraints[i].Belief = copiedBelief(c.Belief, pools)
	}
	v.Earlier = slices.Clone(v.Earlier)
	for i, e := range v.Earlier {
		v.Earlier[i].Posterior = e.Posterior.Clone(pools)
	}
	if v.Taught != nil {
		k := *v.Taught
		k.Space, k.Layers, k.Weights = k.Space.Clone(), slices.Clone(k.Layers), slices.Clone(k.Weights)
		v.Taught = &k
	}
	v.Caution = v.Caution.copied()
	return v
}

// copiedBelief is a belief with memory of its own.
func copiedBelief(b model.Belief, pools map[*surrogate.Pool]*surrogate.Pool) model.Belief {
	b.Posterior, b.Rows, b.Incumbent = b.Posterior.Clone(pools), slices.Clone(b.Rows), slices.Clone(b.Incumbent)
	b.Outliers, b.Blamed, b.Penalties = slices.Clone(b.Outliers), slices.Clone(b.Blamed), slices.Clone(b.Penalties)
	return b
}

// copied is the caution with memory of its own.
func (c Caution) copied() Caution {
	c.Seeds = slices.Clone(c.Seeds)
	for i, x := range c.Seeds {
		c.Seeds[i] = slices.Clone(x)
	}
	if c.Promise != nil {
		p := *c.Promise
		c.Promise = &p
	}
	return c
}

// copied is the forecast with memory of its own.
func (f *Forecast) copied() *Forecast {
	if f == nil {
		return nil
	}
	c := *f
	c.Levels = slices.Clone(c.Levels)
	return &c
}

// taken returns proposals that their policy cannot change any more.
func taken(proposals []Proposal) []Proposal {
	proposals = slices.Clone(proposals)
	for i, p := range proposals {
		proposals[i].X, proposals[i].Forecast = slices.Clone(p.X), p.Forecast.copied()
	}
	return proposals
}
