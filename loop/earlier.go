package loop

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Limits on what a study knows of earlier ones.
const (
	MaxEarlier       = 200 // studies
	MaxEarlierValues = 500 // of one of them: more are thinned out, the best tenth stays, see EarlierStudy.Learn
)

// Earlier are studies of functions of the same kind that were made before: for policies that look at their models
// (policies.Traits.Earlier). It is plain data, part of the header of a journal, and its JSON a file format; never change one that a study
// has. EarlierStudy.Learn makes the hyperparameters.
type Earlier struct {
	Space    space.Space    `json:"space,omitzero"`     // that points and hyperparameters are of; empty: not said
	Minimize bool           `json:"minimize,omitempty"` // the sense of the values, where the space is said
	Studies  []EarlierStudy `json:"studies"`
}

// EarlierStudy is one of them.
type EarlierStudy struct {
	Name   string       `json:"name"`
	Points []space.Unit `json:"points"` // in the unit cube of the new study's space
	Values []float64    `json:"values"` // one each, in the new study's units and sense
	Hyper  []float64    `json:"hyper"`  // hyperparameters of kernel matern52 over that space, not logarithms
	Noise  float64      `json:"noise"`  // variance of the noise in units of the values' variance
}

// String returns how much it is, as in "3 earlier studies with 120 values".
func (e Earlier) String() string {
	values := 0
	for _, s := range e.Studies {
		values += len(s.Values)
	}
	if len(e.Studies) == 1 {
		return fmt.Sprintf("an earlier study with %d values", values)
	}
	return fmt.Sprintf("%d earlier studies with %d values", len(e.Studies), values)
}

// ErrNothingEarlier says that an earlier study has nothing to learn from.
var ErrNothingEarlier = errors.New("fewer than two different values")

// Learn returns the study with hyperparameters that were fitted to its values, thinned out to MaxEarlierValues: the best tenth of them, or where values have noise
// those at the best places by a model of some, and of the others every so many in their order. An error wraps ErrNothingEarlier where all values are alike, or says what of the data is no
// point or no number. Cost that of a fit of its values.
func (s EarlierStudy) Learn(where space.Space, sense outcome.Sense) (EarlierStudy, error) {
	s = s.thinned(s.worth(where, sense, MaxEarlierValues), MaxEarlierValues)
	c := Config{Space: where}
	if err := s.check(where); err != nil {
		return s, err
	}
	y, ok := s.standard(sense)
	if !ok {
		return s, ErrNothingEarlier
	}
	prior, err := c.prior()
	if err != nil {
		return s, err
	}
	prior, _, err = surrogate.Fit(prior, s.Points, y, surrogate.FitOptions{}, rand.New(rand.NewPCG(1, uint64(len(y)))))
	if err != nil {
		return s, err
	}
	s.Noise, s.Hyper = prior.Noise, nil
	for _, theta := range prior.Kernel.Params() {
		s.Hyper = append(s.Hyper, math.Exp(theta))
	}
	return s, nil
}

// noisy is the variance of the noise, of that of the values, from which on the best values are the luckiest ones, and no model may be of them without the unlucky ones.
const noisy = 1e-6

// worth is by which values are the best: the greater, the better. They are the values themselves, in the maximization sense, or where these have noise what is expected in their places by a
// model of at most so many, evenly spread. Cost that of a fit to these where there are more.
func (s EarlierStudy) worth(where space.Space, sense outcome.Sense, most int) []float64 {
	out := s.greater(sense)
	if len(out) <= most {
		return out
	}
	some, err := s.evenly(most).Learn(where, sense)
	if err != nil || some.Noise < noisy {
		return out
	}
	prior, err := Config{Space: where}.prior()
	if err != nil {
		return out
	}
	y, _ := some.standard(sense)
	if p, err := model.WithHyper(prior, some.Hyper, some.Noise).Condition(some.Points, y, nil); err == nil {
		for i, x := range s.Points {
			out[i] = p.Mean(x)
		}
	}
	return out
}

// greater are the values in the maximization sense.
func (s EarlierStudy) greater(sense outcome.Sense) []float64 {
	out := make([]float64, len(s.Values))
	for i, v := range s.Values {
		out[i] = sense.Sign() * v
	}
	return out
}

// evenly has so many of the values, in their order.
func (s EarlierStudy) evenly(most int) EarlierStudy {
	out := EarlierStudy{Name: s.Name}
	for k := range most {
		i := k * len(s.Values) / most
		out.Points, out.Values = append(out.Points, s.Points[i]), append(out.Values, s.Values[i])
	}
	return out
}

// thinned has at most so many values: the best tenth by what they are worth, and of the others every so many.
func (s EarlierStudy) thinned(worth []float64, most int) EarlierStudy {
	n := len(s.Values)
	if n <= most {
		return s
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	keep := make([]bool, n)
	best := most / 10
	for _, i := range order[:best] {
		keep[i] = true
	}
	rest := most - best
	for k := range rest {
		i := k * n / rest
		for keep[i] {
			i = (i + 1) % n
		}
		keep[i] = true
	}
	out := EarlierStudy{Name: s.Name}
	for i, kept := range keep {
		if kept {
			out.Points, out.Values = append(out.Points, s.Points[i]), append(out.Values, s.Values[i])
		}
	}
	return out
}

// check says what of the data is no point of the space, or no number.
func (s EarlierStudy) check(where space.Space) error {
	if len(s.Points) != len(s.Values) {
		return fmt.Errorf("%d points and %d values", len(s.Points), len(s.Values))
	}
	if len(s.Values) > MaxEarlierValues {
		return fmt.Errorf("%d values, want at most %d", len(s.Values), MaxEarlierValues)
	}
	for i, x := range s.Points {
		if len(x) != where.Dim() {
			return fmt.Errorf("point %d: %d coordinates, want %d", i+1, len(x), where.Dim())
		}
		for _, u := range x {
			if !(u >= 0 && u <= 1) {
				return fmt.Errorf("point %d: %v, want numbers from 0 to 1", i+1, u)
			}
		}
		if !outcome.Finite(s.Values[i]) {
			return fmt.Errorf("value %d: %v, want a finite number", i+1, s.Values[i])
		}
	}
	return nil
}

// standard are the values with mean 0 and standard deviation 1, the greatest the best; false where all are alike.
func (s EarlierStudy) standard(sense outcome.Sense) ([]float64, bool) {
	n, mean, square := float64(len(s.Values)), 0.0, 0.0
	largest := 0.0
	for _, v := range s.Values {
		largest = max(largest, math.Abs(v))
	}
	if len(s.Values) < 2 || largest == 0 {
		return nil, false
	}
	out := make([]float64, len(s.Values))
	for i, v := range s.Values {
		out[i] = sense.Sign() * (v / largest)
		mean += out[i] / n
	}
	for i := range out {
		out[i] -= mean
		square += out[i] * out[i] / n
	}
	if !(square > 1e-24) {
		return nil, false
	}
	for i := range out {
		out[i] /= math.Sqrt(square)
	}
	return out, true
}

// earlier are the models of the earlier studies. Cost O(n³) for n values each, and over a list of N points O(n²N).
func (c Config) earlier() ([]policies.Earlier, error) {
	if c.Earlier == nil {
		return nil, nil
	}
	var out []policies.Earlier
	for i, s := range c.Earlier.Studies {
		posterior, err := s.posterior(c)
		if err != nil {
			return nil, fmt.Errorf("study %d, %s: %w", i+1, s.Name, err)
		}
		out = append(out, policies.Earlier{Name: s.Name, Posterior: posterior})
	}
	return out, nil
}

func (s EarlierStudy) posterior(c Config) (*surrogate.Posterior, error) {
	if err := s.check(c.Space); err != nil {
		return nil, err
	}
	y, ok := s.standard(c.Sense())
	if !ok {
		return nil, ErrNothingEarlier
	}
	prior, err := Config{Space: c.Space}.prior()
	if err != nil {
		return nil, err
	}
	if want := len(prior.Kernel.Params()); len(s.Hyper) != want {
		return nil, fmt.Errorf("%d hyperparameters, want %d", len(s.Hyper), want)
	}
	prior = model.WithHyper(prior, s.Hyper, s.Noise)
	var pool *surrogate.Pool
	if points := c.listed(); points != nil {
		pool = surrogate.NewPool(prior.Kernel, points, false)
	}
	return prior.Condition(s.Points, y, pool)
}

// listed are the points of a finite space without contexts, as the model has them.
func (c Config) listed() []space.Unit {
	if len(c.Space.Held()) > 0 {
		return nil
	}
	if points := c.Space.UnitPoints(); points != nil {
		return points
	}
	return c.Space.Grid()
}

// wantsEarlier says what is wrong with the earlier studies.
func (c *Config) wantsEarlier() string {
	if c.Earlier == nil || c.Space.Dim() == 0 {
		return ""
	}
	switch n := len(c.Earlier.Studies); {
	case !c.Traits.Earlier:
		return fmt.Sprintf("nothing with policy %s: it looks at no earlier studies, as %s and rgpe do", c.Traits.Name, policies.EarlierDefault)
	case c.Model.Known():
		return "nothing where hyperparameters are given"
	case n < 1 || n > MaxEarlier:
		return fmt.Sprintf("1 to %d studies, found %d", MaxEarlier, n)
	}
	if want := c.wantsOfEarlier(); want != "" {
		return want
	}
	if _, err := c.earlier(); err != nil {
		return "sound studies: " + err.Error()
	}
	return ""
}

// wantsOfEarlier says how what was learned of earlier studies is for another one; empty where it is for this one, or does not say.
func (c *Config) wantsOfEarlier() string {
	switch e := c.Earlier; {
	case e.Space.Dim() == 0:
		return ""
	case e.Minimize != c.Minimize:
		return fmt.Sprintf("studies that were learned for the same sense, found values that are to be %s", optimized(e.Minimize))
	default:
		return otherSpace(e.Space, c.Space)
	}
}

// optimized is a sense in words.
func optimized(minimize bool) string {
	if minimize {
		return "minimized"
	}
	return "maximized"
}
