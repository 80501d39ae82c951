package policies

import (
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/safety"
	"github.com/tarry-bo/tarry/space"
)

// Safety is what a policy wants of the constraints while a study runs. The zero Safety is nothing: constraints decide what is the
// best, and may be violated on the way.
type Safety struct {
	// Seeds says that the policy relies on seeds, points that are known to be safe. The study must have seeds and constraints with
	// names; its initial design are the seeds, it moves no proposal aside, and where the policy fails it queries a seed.
	Seeds bool
	// Promises says that fewer than Alpha·Budget of the queries violate. The study keeps the account, and queries nothing but seeds
	// where the promise is at its limit, whatever the policy proposes.
	Promises          bool
	Alpha, Eta, Delta float64   // of the promise: see safety.Promise
	Risk              float64   // with which probability the promise may fail because of the noise of constraints; 0: they have none
	Sigma             []float64 // with Risk: standard deviation of that noise, of each constraint or of all, in the user's units
	Noise             []float64 // with Risk, in place of Sigma: samples of that noise, of the only constraint
	Tail              float64   // with Noise: with which probability the bound of its tail holds
}

// Equal reports whether two policies want the same.
func (s Safety) Equal(o Safety) bool {
	return s.Seeds == o.Seeds && s.Promises == o.Promises && s.Alpha == o.Alpha && s.Eta == o.Eta && s.Delta == o.Delta &&
		s.Risk == o.Risk && s.Tail == o.Tail && slices.Equal(s.Sigma, o.Sigma) && slices.Equal(s.Noise, o.Noise)
}

// String returns it in words.
func (s Safety) String() string {
	switch {
	case !s.Seeds:
		return "none"
	case !s.Promises:
		return "seeds"
	}
	return fmt.Sprintf("seeds, a rate of violations below %v with eta %v, delta %v and risk %v", s.Alpha, s.Eta, s.Delta, s.Risk)
}

// Promise returns the promise about a study of so many queries.
func (s Safety) Promise(queries int) safety.Promise {
	return safety.Promise{Alpha: s.Alpha, Queries: queries, Eta: s.Eta, Delta: s.Delta}
}

// Caution is what a view knows of the safety of a study. The zero Caution is that of a study without.
type Caution struct {
	Seeds   []space.Unit    // points that are known to be safe, in the order in which they were given
	Promise *safety.Promise // nil without one
	Account safety.Account  // what happened under it
}

// IsSeed reports whether a point is known to be safe.
func (c Caution) IsSeed(x space.Unit) bool {
	return slices.ContainsFunc(c.Seeds, func(s space.Unit) bool { return slices.Equal(s, x) })
}

// Beta returns how cautious the next query must be for the promise to hold, and false without a promise.
func (c Caution) Beta() (beta safety.Beta, promised bool) {
	if c.Promise == nil {
		return safety.Beta{}, false
	}
	return c.Promise.Beta(c.Account), true
}

// started is the caution after one more query.
func (c Caution) started(x space.Unit) Caution {
	if c.IsSeed(x) {
		c.Account.StartSafe()
	} else {
		c.Account.Start()
	}
	return c
}

// without is the caution as if a query that pends had not been started.
func (c Caution) without(x space.Unit) Caution {
	switch {
	case c.Account.Started == 0:
	case c.IsSeed(x):
		c.Account.Started--
	case c.Account.Pending > c.Account.Lost:
		c.Account.Started--
		c.Account.Pending--
	}
	return c
}

// General returns the names of the policies that serve any study, sorted: those that want no seeds and no list of points.
func General() []string {
	var names []string
	for _, e := range registry {
		if t := e.first.Traits(); !t.Safety.Seeds && !t.Bandit {
			names = append(names, e.Name)
		}
	}
	return names
}
