package meta

import (
	"math"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// Task is what was measured of one function.
type Task struct {
	X []space.Unit
	Y []float64
	// Source says that the task is from another environment than that in which the prior will be used: see Settings.Alpha.
	Source bool
	// Labels says that the values are labels, 0 or 1, of a classifier (Laplace).
	Labels bool
}

// Settings say how a prior is learned. The zero value of each field but Form means its default.
type Settings struct {
	Form  Form
	Fixed *Hyper // hyperparameters that are not learned; nil: all are
	// Particles are how many θ are learned, as by Stein variational gradient descent; 0 means 1, the θ of the greatest density.
	Particles int
	Steps     int     // 0 means 1000
	Batch     int     // tasks that a step looks at; 0 means 4. Where there are source tasks it looks at as many of these
	Rate      float64 // of the first step, falling to a tenth; 0 means 0.02
	Deviation float64 // of a weight before any task; 0 means 3
	// Gamma is what the mean loss over tasks counts for against what was believed of θ before: q(θ) ~ p(θ) exp(-γ L(θ)); 0 means the number of all values.
	Gamma float64
	// Alpha is what source tasks count for together, the others count for the rest (WFEM, Zhang 2024, eq. 3.12). It is looked at where there are tasks of
	// both kinds.
	Alpha float64
	// Units says that the targets of each task are its values in units of its own, which are learned too; otherwise they are the values.
	Units bool
}

const (
	defaultSteps, defaultBatch         = 1000, 4
	defaultRate, lastRate              = 0.02, 0.1 // the last as a share of the first
	defaultDeviation                   = 3
	unitsEvery                         = 100   // steps
	unitsRoundoff                      = 1e-14 // deviation of a task's values, of their mean, that is none
	leastShiftDeviation, leastLogScale = 0.02, 0.02
)

func (s Settings) withDefaults(values int) Settings {
	orDefault(&s.Particles, 1)
	orDefault(&s.Steps, defaultSteps)
	orDefault(&s.Batch, defaultBatch)
	orDefault(&s.Rate, defaultRate)
	orDefault(&s.Deviation, defaultDeviation)
	orDefault(&s.Gamma, float64(values))
	return s
}

func orDefault[T comparable](v *T, standard T) {
	var zero T
	if *v == zero {
		*v = standard
	}
}

// Limits of settings.
const (
	MaxParticles = 50
	MaxSteps     = 1_000_000
)

// Validate reports every field out of range, as check.FieldError. Zeros are in range.
func (s Settings) Validate() error {
	s = s.withDefaults(1)
	var l check.List
	l.Join(s.Form.Validate())
	l.Between("Settings.Particles", s.Particles, 1, MaxParticles)
	l.Between("Settings.Steps", s.Steps, 1, MaxSteps)
	l.Between("Settings.Batch", s.Batch, 1, 1000)
	l.Positive("Settings.Rate", s.Rate)
	l.Positive("Settings.Deviation", s.Deviation)
	l.Positive("Settings.Gamma", s.Gamma)
	l.Within("Settings.Alpha", s.Alpha, 0, 1)
	if h := s.Fixed; h != nil {
		l.Positive("Settings.Fixed.Radius", h.Radius)
		l.Positive("Settings.Fixed.Outputscale", h.Outputscale)
		l.Positive("Settings.Fixed.Noise", h.Noise)
	}
	return l.Err()
}

// Gamma returns 1/(1/N + 1/M), where N are the tasks and M is the harmonic mean of their numbers of values: what the source lets the mean loss
// count for (Zhang 2024, eq. 3.9). PACOH at first had 1/(1/N + 1/(N M)), which counts more (Rothfuss et al. 2021).
func Gamma(tasks []Task) float64 {
	n := float64(len(tasks))
	var inverse float64
	for _, t := range tasks {
		inverse += 1 / float64(len(t.X)) / n
	}
	return 1 / (1/n + inverse)
}

// law is what the units of some tasks say of those of another one. Few say little: as if two more tasks lay half a unit off.
func law(shifts, scales []float64) surrogate.UnitsLaw {
	n := float64(len(shifts))
	var l surrogate.UnitsLaw
	for i, s := range shifts {
		l.Shift += s / n
		l.LogScale += math.Log(scales[i]) / n
	}
	scale := math.Exp(l.LogScale)
	shift, log := 2*0.25*scale*scale, 2*0.25
	for i, s := range shifts {
		a, b := s-l.Shift, math.Log(scales[i])-l.LogScale
		shift, log = shift+a*a, log+b*b
	}
	l.ShiftDeviation = max(math.Sqrt(shift/(n+1)), leastShiftDeviation*scale)
	l.LogScaleDeviation = max(math.Sqrt(log/(n+1)), leastLogScale)
	return l
}
