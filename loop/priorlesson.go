package loop

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/meta"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/space"
	"github.com/tarry-bo/tarry/surrogate"
)

// PriorSettings say how a prior is learned. The zero value of each field means its default.
type PriorSettings struct {
	Particles int   // 0 means 1: the likeliest; more are moved by Stein variational gradient descent
	Steps     int   // of the learning; 0 means 1000
	Mean      []int // widths of the hidden layers of the network that is the mean; nil means 32, 32
	Features  []int // widths of the layers of the network whose outputs the kernel compares; nil means 32, 32, 8
	Seed      uint64
	// Folds are how many parts of the tasks are left out in turn, to see how well the rest predicts them; 0 means 5, negative none.
	Folds int
	// Alpha is what studies from elsewhere (Past.Source) count for together, where there are others too; 0 means 0.2.
	Alpha float64
	// Contexts are what is known of each study beforehand, by its features, and Next is that of the study to come: then the prior is that of a context, by a mapping of low rank
	// (meta.ByContext), which takes as many steps again. nil: nothing is known. There is one particle then.
	Contexts [][]float64
	Next     []float64
}

const (
	defaultPriorSteps = 1000
	defaultFolds      = 5
	defaultAlpha      = 0.2
	leftSeen          = 5                  // values of a task left out that are seen, at most half of them
	leftMost          = 100                // others that are predicted
	leftLevel         = 1.2815515655446004 // standard normal quantile of an interval of 80 %
)

func (s PriorSettings) withDefaults(tasks int) PriorSettings {
	if s.Particles == 0 {
		s.Particles = 1
	}
	if s.Steps == 0 {
		s.Steps = defaultPriorSteps
	}
	if s.Mean == nil {
		s.Mean = []int{32, 32}
	}
	if s.Features == nil {
		s.Features = []int{32, 32, 8}
	}
	if s.Alpha == 0 {
		s.Alpha = defaultAlpha
	}
	if s.Folds == 0 {
		s.Folds = defaultFolds
	}
	if s.Folds = min(s.Folds, tasks); s.Folds < 2 {
		s.Folds = 0
	}
	return s
}

// PriorLesson is the work of learning a prior from studies, in parts that may be done beside each other: the prior itself, and priors without some of the
// studies, which say how well those would have been predicted. Make it with NewPriorLesson.
type PriorLesson struct {
	settings PriorSettings
	prior    Prior // without particles
	tasks    []meta.Task
	found    *meta.Settings
	taught   taught     // of the first part
	left     []*LeftOut // by task
}

// NewPriorLesson returns the work for studies of functions over the space, of the sense. Their points are matched by the names of the parameters, as in
// LearnFrom, and the notes say in words what does not match. An error names a study that has nothing in common with the space, fewer than two different
// values, or the values of another one.
func NewPriorLesson(where space.Space, sense outcome.Sense, s PriorSettings, past ...Past) (*PriorLesson, []string, error) {
	l := &PriorLesson{settings: s.withDefaults(len(past)), prior: Prior{Space: where, Minimize: bool(sense)}}
	l.prior.Mean, l.prior.Features = l.settings.Mean, l.settings.Features
	var notes []string
	var errs []error
	for i, p := range past {
		if k := slices.IndexFunc(past[:i], p.same); k >= 0 {
			errs = append(errs, fmt.Errorf("%s: the same values as %s", p.Name, past[k].Name))
			continue
		}
		said, err := l.take(p, sense)
		for _, note := range said {
			notes = append(notes, p.Name+": "+note)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
		}
	}
	if len(past) == 0 || len(past) > MaxPriorTasks {
		errs = append(errs, fmt.Errorf("%d studies: want 1 to %d", len(past), MaxPriorTasks))
	}
	if _, has := where.Fidelity(); has {
		errs = append(errs, errors.New("a space with a fidelity: a prior is learned of values of the greatest alone, over a space without it"))
	}
	if len(errs) > 0 {
		return nil, notes, errors.Join(errs...)
	}
	if err := l.settings.checkContexts(len(past)); err != nil {
		return nil, notes, err
	}
	l.left = make([]*LeftOut, len(l.tasks))
	settings := meta.Settings{
		Form: l.prior.form(), Particles: l.settings.Particles, Steps: l.settings.Steps, Alpha: l.settings.Alpha, Units: true,
	}
	l.found = &settings
	if size := l.settings.Particles * settings.Form.Len(); size > maxPriorSize {
		return nil, notes, fmt.Errorf("%d particles of %d numbers: want at most %d together", l.settings.Particles, settings.Form.Len(), maxPriorSize)
	}
	return l, notes, settings.Validate()
}

// checkContexts says what is wrong with what is known of the studies.
func (s PriorSettings) checkContexts(studies int) error {
	if s.Contexts == nil {
		return nil
	}
	if len(s.Contexts) != studies || s.Particles != 1 {
		return fmt.Errorf("%d contexts and %d particles: want one for each of %d studies, and one particle", len(s.Contexts), s.Particles, studies)
	}
	for i, features := range append(slices.Clip(s.Contexts), s.Next) {
		if len(features) != len(s.Contexts[0]) || !outcome.Finite(features...) {
			return fmt.Errorf("context %d: %v, want %d finite numbers, as the first one has", i+1, features, len(s.Contexts[0]))
		}
	}
	return nil
}

// take adds the values of a study.
func (l *PriorLesson) take(p Past, sense outcome.Sense) ([]string, error) {
	study, _, notes, err := p.matched(l.prior.Space, sense)
	if err != nil {
		return notes, err
	}
	if n := len(study.Values); n > MaxPriorValues {
		notes = append(notes, fmt.Sprintf("%d of %d values are looked at", MaxPriorValues, n))
		study = study.thinned(study.worth(l.prior.Space, sense, MaxPriorValues), MaxPriorValues)
	}
	if _, differ := study.standard(sense); !differ {
		return notes, ErrNothingEarlier
	}
	task := meta.Task{X: study.Points, Source: p.Source}
	best := study.Values[0]
	for _, v := range study.Values {
		task.Y = append(task.Y, sense.Sign()*v)
		if sense.Compare(v, best) < 0 {
			best = v
		}
	}
	l.tasks = append(l.tasks, task)
	l.prior.Tasks = append(l.prior.Tasks, PriorTask{Name: p.Name, Values: len(task.X), Best: best, Source: p.Source})
	return notes, nil
}

// Parts returns how many parts the work has.
func (l *PriorLesson) Parts() int { return 1 + l.settings.Folds }

// Steps returns how many steps a part has.
func (l *PriorLesson) Steps() int {
	if l.settings.Contexts != nil {
		return 2 * l.settings.Steps
	}
	return l.settings.Steps
}

// Learn does a part of the work, counted from 0, of which the first is the prior itself. progress is told after some steps how many were made, and the mean loss, the
// negative log density of a value; where it returns false the part ends with errStopped. Different parts may be done at the same time. Cost for each
// step that of the evidence of a few tasks, O(n³).
func (l *PriorLesson) Learn(part int, progress func(step int, loss float64) bool) error {
	if part == 0 {
		prior, err := l.learn(l.tasks, l.settings.Contexts, uint64(part), progress)
		if err != nil {
			return err
		}
		l.taught = prior
		return nil
	}
	var rest []meta.Task
	var contexts [][]float64
	for i, t := range l.tasks {
		if i%l.settings.Folds != part-1 {
			rest = append(rest, t)
			if l.settings.Contexts != nil {
				contexts = append(contexts, l.settings.Contexts[i])
			}
		}
	}
	prior, err := l.learn(rest, contexts, uint64(part), progress)
	if err != nil {
		return err
	}
	for i, t := range l.tasks {
		if i%l.settings.Folds == part-1 {
			theta, law := prior(l.context(i))
			l.left[i] = l.predict(theta, law, t, rng.New(l.settings.Seed, rng.Meta, uint64(len(l.tasks)+i)))
		}
	}
	return nil
}

// errStopped says that the learning was told to stop.
var errStopped = errors.New("stopped")

// progressEvery is after how many steps progress is told.
const progressEvery = 10

// context is that of a study; nil without one.
func (l *PriorLesson) context(i int) []float64 {
	if l.settings.Contexts == nil {
		return nil
	}
	return l.settings.Contexts[i]
}

// taught is what was learned, for a study of some context.
type taught func(features []float64) ([][]float64, surrogate.UnitsLaw)

func (l *PriorLesson) learn(tasks []meta.Task, features [][]float64, index uint64, progress func(int, float64) bool) (taught, error) {
	learner, err := meta.NewLearner(*l.found, tasks, rng.New(l.settings.Seed, rng.Meta, index))
	if err != nil {
		return nil, err
	}
	if !l.climb(0, learner.Step, func(step int) bool { return progress(step, learner.Progress()) }) {
		return nil, errStopped
	}
	all, law := learner.Result()
	if features == nil {
		return func([]float64) ([][]float64, surrogate.UnitsLaw) { return all, law }, nil
	}
	by, err := learner.ByContext(bandit.Contexts{Features: features})
	if err != nil {
		return nil, err
	}
	if !l.climb(l.settings.Steps, by.Step, func(step int) bool { return progress(step, learner.Progress()) }) {
		return nil, errStopped
	}
	return func(features []float64) ([][]float64, surrogate.UnitsLaw) { return [][]float64{by.At(features)}, law }, nil
}

// climb makes the steps after those that were made before, and reports whether it was not told to stop.
func (l *PriorLesson) climb(before int, step func(), progress func(int) bool) bool {
	for k := range l.settings.Steps {
		if step(); k%progressEvery == 0 && !progress(before+k) {
			return false
		}
	}
	return true
}

// Prior returns what was learned, after all parts, for the context of the settings.
func (l *PriorLesson) Prior() (*Prior, error) { return l.PriorAt(l.settings.Next) }

// PriorAt is Prior for another context, by its features.
func (l *PriorLesson) PriorAt(features []float64) (*Prior, error) {
	if l.taught == nil {
		return nil, errors.New("nothing was learned yet")
	}
	p := l.prior
	var law surrogate.UnitsLaw
	p.Particles, law = l.taught(features)
	p.Units = PriorUnits{outcome.Sense(p.Minimize).Sign() * law.Shift, law.ShiftDeviation, law.LogScale, law.LogScaleDeviation}
	p.Tasks = slices.Clone(p.Tasks)
	for i, left := range l.left {
		p.Tasks[i].Left = left
	}
	return &p, p.check()
}

// predict says how well a prior that was learned without a task predicts it; nil where that cannot be said.
func (l *PriorLesson) predict(theta [][]float64, law surrogate.UnitsLaw, t meta.Task, stream *rand.Rand) *LeftOut {
	order := stream.Perm(len(t.X))
	seen := min(leftSeen, len(order)/2)
	pick := func(of []int) (x []space.Unit, y []float64) {
		for _, i := range of {
			x, y = append(x, t.X[i]), append(y, t.Y[i])
		}
		return x, y
	}
	x, y := pick(order[:seen])
	others, values := pick(order[seen:min(len(order), seen+leftMost)])
	_, deviation := moments(t.Y)
	post, shift, scale := l.likeliest(theta, law, x, y)
	fresh, mean, spread, err := l.fresh(x, y)
	if post == nil || err != nil {
		return nil
	}
	out := &LeftOut{Seen: seen}
	n := float64(len(others))
	for i, at := range others {
		mu, variance := post.Predict(at)
		miss := shift + scale*mu - values[i]
		out.Error += miss * miss / n
		if math.Abs(miss) <= leftLevel*scale*math.Sqrt(variance+post.Noise()) {
			out.Coverage += 1 / n
		}
		miss = mean + spread*fresh.Mean(at) - values[i]
		out.Fresh += miss * miss / n
	}
	out.Error, out.Fresh = math.Sqrt(out.Error)/deviation, math.Sqrt(out.Fresh)/deviation
	return out
}

// likeliest is the posterior, with its units, of the particle under which values are the likeliest.
func (l *PriorLesson) likeliest(theta [][]float64, law surrogate.UnitsLaw, x []space.Unit, y []float64) (best *surrogate.Posterior, shift, scale float64) {
	most := math.Inf(-1)
	for _, numbers := range theta {
		prior, err := l.found.Form.Prior(numbers)
		if err != nil {
			continue
		}
		a, b, density, err := prior.Units(law, x, y)
		if err != nil || !(density > most) {
			continue
		}
		u := make([]float64, len(y))
		for i, v := range y {
			u[i] = (v - a) / b
		}
		if post, err := prior.Condition(x, u, nil); err == nil {
			best, shift, scale, most = post, a, b, density
		}
	}
	return best, shift, scale
}

// fresh is the posterior of a model that knows of no other task, with mean and standard deviation of the values.
func (l *PriorLesson) fresh(x []space.Unit, y []float64) (post *surrogate.Posterior, mean, deviation float64, err error) {
	mean, deviation = moments(y)
	if deviation == 0 {
		deviation = 1
	}
	u := make([]float64, len(y))
	for i, v := range y {
		u[i] = (v - mean) / deviation
	}
	prior, err := Config{Space: l.prior.Space}.prior()
	if err != nil {
		return nil, 0, 0, err
	}
	if prior, _, err = surrogate.Fit(prior, x, u, surrogate.FitOptions{}, nil); err != nil {
		return nil, 0, 0, err
	}
	post, err = prior.Condition(x, u, nil)
	return post, mean, deviation, err
}

// moments are mean and standard deviation.
func moments(y []float64) (mean, deviation float64) {
	for _, v := range y {
		mean += v / float64(len(y))
	}
	for _, v := range y {
		deviation += (v - mean) * (v - mean) / float64(len(y))
	}
	return mean, math.Sqrt(deviation)
}
