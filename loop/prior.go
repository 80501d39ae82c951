package loop

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/meta"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Prior is what many studies of functions that are alike taught of such a function before any of its values: mean and kernel of a Gaussian process by
// networks, in one particle or in several. A study begins with it (Config.Prior). It is plain data, part of the header of a journal, and its JSON a file format; never
// change one that a study has. PriorLesson makes it.
type Prior struct {
	Space     space.Space `json:"space"`
	Minimize  bool        `json:"minimize,omitempty"` // the sense of the values
	Tasks     []PriorTask `json:"tasks"`
	Mean      []int       `json:"mean"`      // widths of the hidden layers of the network that is the mean
	Features  []int       `json:"features"`  // widths of the layers of the network whose outputs the kernel compares
	Units     PriorUnits  `json:"units"`     // in which the values of another task will be
	Particles [][]float64 `json:"particles"` // the best first: weights of the mean, those of the features, and the logarithms of radius, outputscale and noise
}

// PriorTask is a study of which a prior was learned.
type PriorTask struct {
	Name   string  `json:"name"`
	Values int     `json:"values"` // that were looked at
	Best   float64 `json:"best"`
	Source bool    `json:"source,omitempty"` // whether it is from elsewhere, and counted less
	// Left is how well the prior that is learned without this task predicts it; nil where that was not tried.
	Left *LeftOut `json:"left,omitempty"`
}

// LeftOut says how well the values of a task were predicted from a few of them that were drawn at random.
type LeftOut struct {
	Seen     int     `json:"seen"`
	Error    float64 `json:"error"`    // root of the mean squared error at the others, in standard deviations of the task's values
	Fresh    float64 `json:"fresh"`    // the same of a model that knows of no other task
	Coverage float64 `json:"coverage"` // share of the others within their intervals of 80 %
}

// PriorUnits are what tasks say of mean and scale of the values of another one, in the user's sense: normal both, the logarithm of the scale.
type PriorUnits struct {
	Shift             float64 `json:"shift"`
	ShiftDeviation    float64 `json:"shift_deviation"`
	LogScale          float64 `json:"log_scale"`
	LogScaleDeviation float64 `json:"log_scale_deviation"`
}

// Limits on what a prior is learned of, and what it is.
const (
	MaxPriorTasks     = 1000
	MaxPriorParticles = meta.MaxParticles
	MaxPriorSteps     = meta.MaxSteps
	MaxPriorValues    = 200     // of one of them: more are thinned out, the best tenth stays, see EarlierStudy.Learn
	MaxPriorWidth     = 256     // of a layer
	MaxPriorLayers    = 6       // of a network
	maxPriorSize      = 1 << 20 // numbers of all particles
)

// String returns how much it is, as in "a prior learned from 50 studies, as 10 particles".
func (p Prior) String() string {
	text := fmt.Sprintf("a prior learned from %d studies", len(p.Tasks))
	if len(p.Tasks) == 1 {
		text = "a prior learned from one study"
	}
	if len(p.Particles) > 1 {
		text += fmt.Sprintf(", as %d particles", len(p.Particles))
	}
	return text
}

// encoding is how networks see points of a space.
func encoding(s space.Space) surrogate.Encoding {
	e := make(surrogate.Encoding, s.Dim())
	for i, p := range s.Parameters() {
		if worded(p) {
			e[i] = len(p.Words())
		}
	}
	return e
}

func (p Prior) form() meta.Form { return meta.NewForm(encoding(p.Space), p.Mean, p.Features) }

// meta returns the priors of the particles and the law of the units, in the maximization sense. An error says what is wrong with them.
func (p Prior) meta() (*model.Meta, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	u, form := p.Units, p.form()
	m := &model.Meta{Units: surrogate.UnitsLaw{
		Shift: outcome.Sense(p.Minimize).Sign() * u.Shift, ShiftDeviation: u.ShiftDeviation, LogScale: u.LogScale, LogScaleDeviation: u.LogScaleDeviation,
	}}
	for i, theta := range p.Particles {
		prior, err := form.Prior(theta)
		if err != nil {
			return nil, fmt.Errorf("particle %d: %w", i+1, err)
		}
		if !p.predicts(prior) {
			return nil, fmt.Errorf("particle %d: weights so great that what it predicts is beyond %g units", i+1, maxPrediction)
		}
		m.Priors = append(m.Priors, prior)
	}
	return m, nil
}

// maxPrediction is more than the mean of a prior, and the deviation around it, may be in its units: squares of them are still numbers.
const maxPrediction = 1e100

// predicts reports whether what a particle predicts at some points, which fill the space, is a number that a model can work with.
func (p Prior) predicts(prior surrogate.Prior) bool {
	return !slices.ContainsFunc(p.Space.Sample(space.LatinHypercube, probedPoints, rng.New(0, rng.Summary, 2)), func(x space.Unit) bool {
		return !(math.Abs(prior.Trend.At(x)) <= maxPrediction) || !(math.Sqrt(prior.Kernel.Diag(x)) <= maxPrediction)
	})
}

// check says what of the numbers is out of range.
func (p Prior) check() error {
	wide := func(layers []int, least int) bool {
		ok := len(layers) >= least && len(layers) <= MaxPriorLayers
		for _, w := range layers {
			ok = ok && w >= 1 && w <= MaxPriorWidth
		}
		return ok
	}
	u := p.Units
	switch {
	case p.Space.Dim() == 0:
		return fmt.Errorf("no space")
	case !wide(p.Mean, 0) || !wide(p.Features, 1):
		return fmt.Errorf("layers %v and %v, want at most %d of 1 to %d neurons, and one for the features", p.Mean, p.Features, MaxPriorLayers, MaxPriorWidth)
	case len(p.Tasks) < 1 || len(p.Tasks) > MaxPriorTasks:
		return fmt.Errorf("%d tasks, want 1 to %d", len(p.Tasks), MaxPriorTasks)
	case len(p.Particles) < 1 || len(p.Particles) > MaxPriorParticles || len(p.Particles)*p.form().Len() > maxPriorSize:
		return fmt.Errorf("%d particles, want 1 to %d of at most %d numbers together", len(p.Particles), MaxPriorParticles, maxPriorSize)
	case !outcome.Finite(u.Shift, u.ShiftDeviation, u.LogScale, u.LogScaleDeviation) || !(u.ShiftDeviation > 0) || !(u.LogScaleDeviation > 0):
		return fmt.Errorf("units %+v, want finite numbers, and deviations above 0", u)
	case math.Abs(u.LogScale)+6*u.LogScaleDeviation > 300:
		return fmt.Errorf("units %+v, want scales whose logarithms are within 300 of 0, six deviations to either side: those of the studies differ too much", u)
	}
	for i, theta := range p.Particles {
		if len(theta) != p.form().Len() || !outcome.Finite(theta...) {
			return fmt.Errorf("particle %d: %d numbers, want %d finite ones", i+1, len(theta), p.form().Len())
		}
	}
	return nil
}

// Belief is what a prior expects, in numbers that a person understands.
type PriorBelief struct {
	model.Summary
	Best   space.Point // where the mean of the first particle is the best, of many points
	Value  float64     // the mean there, in the user's units, as far as tasks have units in common
	Spread float64     // standard deviation of the function around the mean, in those units
	Effect []float64   // of each parameter: by how much the mean varies with it alone, as a standard deviation in those units
}

// probedPoints is how many points predictions must be numbers at. believedPoints is how many points the best of a mean is looked for at, and how many the effects are averaged over.
const probedPoints, believedPoints, effectPoints, effectSteps = 32, 4096, 128, 16

// Belief returns what the prior expects. An error says what is wrong with it. Cost some ten thousand passes through a network.
func (p Prior) Belief() (PriorBelief, error) {
	m, err := p.meta()
	if err != nil {
		return PriorBelief{}, err
	}
	return p.belief(m), nil
}

func (p Prior) belief(m *model.Meta) PriorBelief {
	scale, dim := math.Exp(m.Units.LogScale), p.Space.Dim()
	b := PriorBelief{Summary: m.Summary(dim), Effect: make([]float64, dim)}
	first := m.Priors[0]
	b.Spread = scale * math.Sqrt(first.Kernel.Diag(make(space.Unit, dim)))
	points := p.Space.Sample(space.LatinHypercube, believedPoints, rng.New(0, rng.Summary, 1))
	best := math.Inf(-1)
	for _, x := range points {
		if v := first.Trend.At(x); v > best {
			best, b.Best = v, p.Space.Value(x)
		}
	}
	b.Value = outcome.Sense(p.Minimize).Sign() * (m.Units.Shift + scale*best)
	for j := range dim {
		b.Effect[j] = scale * p.effect(first.Trend, points[:effectPoints], j)
	}
	return b
}

// effect is the root of the mean over points of the variance of a trend along a coordinate.
func (p Prior) effect(trend surrogate.Trend, points []space.Unit, j int) float64 {
	var total float64
	for _, x := range points {
		at := slices.Clone(x)
		var sum, square float64
		for k := range effectSteps {
			at[j] = (float64(k) + 0.5) / effectSteps
			v := trend.At(p.Space.Canonical(at))
			sum, square = sum+v/effectSteps, square+v*v/effectSteps
		}
		total += max(square-sum*sum, 0) / float64(len(points))
	}
	return math.Sqrt(total)
}

// meta is that of the objective; nil without a prior, which Validate has seen.
func (c Config) meta() *model.Meta {
	if c.Prior == nil {
		return nil
	}
	m, err := c.Prior.meta()
	if err != nil {
		return nil
	}
	return m
}

// wantsPrior says what is wrong with a prior that was learned.
func (c *Config) wantsPrior() string {
	if c.Prior == nil || c.Space.Dim() == 0 {
		return ""
	}
	_, fidelity := c.Space.Fidelity()
	switch {
	case !c.Traits.Model:
		return fmt.Sprintf("nothing with policy %s: it looks at no model", c.Traits.Name)
	case c.Traits.Earlier:
		return fmt.Sprintf("nothing with policy %s: its model knows of others by earlier studies", c.Traits.Name)
	case c.Traits.Particles > 0:
		return fmt.Sprintf("nothing with policy %s: its model knows of others by the tasks before", c.Traits.Name)
	case c.Model.Known():
		return "nothing where hyperparameters are given"
	case fidelity:
		return "nothing where a parameter is a fidelity"
	case c.Prior.Minimize != c.Minimize:
		return fmt.Sprintf("a prior of the same sense, found one of functions that are to be %s", optimized(c.Prior.Minimize))
	}
	for _, w := range c.Traits.Beliefs() {
		if w.Pending == feedback.Censor {
			return fmt.Sprintf("nothing with policy %s: it censors, and the mean that it begins with is the worst value", c.Traits.Name)
		}
	}
	if _, err := c.Prior.meta(); err != nil {
		return "a sound prior: " + err.Error()
	}
	return otherSpace(c.Prior.Space, c.Space)
}

// TakesPrior says what keeps a study from beginning with the prior that it is given; nil: nothing.
func (c Config) TakesPrior() error {
	if want := c.wantsPrior(); want != "" {
		return errors.New("want " + want)
	}
	return nil
}

// Believed says whether a study still holds the prior that it began with, or what earlier tasks taught, for the best explanation of its answers, as of the latest fit; false
// without one.
func (l *Loop) Believed() bool {
	return (l.config.Prior != nil || l.config.Learned != nil) && l.model.Believed()
}
