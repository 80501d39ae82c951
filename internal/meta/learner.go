package meta

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/tarry-bo/tarry/internal/network"
	"github.com/tarry-bo/tarry/internal/particles"
	"github.com/tarry-bo/tarry/surrogate"
)

// Learner moves θ, step by step, to where tasks were likely. It is for one goroutine. Memory: that of surrogate.FeatureEvidence for each task, and 40
// bytes for each number of each particle.
type Learner struct {
	settings Settings
	belief   belief
	tasks    []*task
	kinds    [2][]int // of the target tasks and of the source tasks, in the order in which they come next
	next     [2]int
	swarm    *particles.Swarm
	adam     *particles.Adam
	stream   *rand.Rand
	law      surrogate.UnitsLaw
	steps    int
	failures int
	losses   []float64 // of the particles, smoothed
}

// task is a Task with room for its evidence.
type task struct {
	Task
	shift, scale float64
	evidence     *surrogate.FeatureEvidence
	in           []float64 // what the networks see
	pass         *network.Pass
	classes      *classes // of a task of labels
	dmean        []float64
	grad         []float64 // by what comes behind the weights of the mean
}

// NewLearner returns a learner of the tasks, at least one, each with at least one value. Its first θ and the order of the tasks are drawn by the stream.
// Settings out of range, and points and values that are not finite, are errors (check.FieldError).
func NewLearner(s Settings, tasks []Task, stream *rand.Rand) (*Learner, error) {
	values := 0
	for i, t := range tasks {
		if bad := func(v float64) bool { return v != 0 && v != 1 }; t.Labels && (s.Units || slices.ContainsFunc(t.Y, bad)) {
			return nil, fmt.Errorf("task %d: labels %v, want 0 and 1, and no units", i+1, t.Y)
		}
		if len(t.X) == 0 || len(t.X) != len(t.Y) {
			return nil, fmt.Errorf("task %d: %d points and %d values, want as many, and at least one", i+1, len(t.X), len(t.Y))
		}
		values += len(t.X)
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if len(tasks) == 0 {
		return nil, errors.New("no task")
	}
	s = s.withDefaults(values)
	l := &Learner{settings: s, belief: belief{s.Deviation, s.Fixed}, stream: stream, losses: make([]float64, s.Particles)}
	start := make([][]float64, s.Particles)
	for i := range start {
		start[i] = l.belief.draw(s.Form, stream)
	}
	l.swarm, l.adam = particles.NewSwarm(start), particles.NewAdam(s.Particles, s.Form.Len(), particles.SecondMoment)
	l.swarm.Narrow = narrow
	for i, t := range tasks {
		one, err := s.room(t, start[0])
		if err != nil {
			return nil, fmt.Errorf("task %d: %w", i+1, err)
		}
		kind := 0
		if t.Source {
			kind = 1
		}
		l.tasks, l.kinds[kind] = append(l.tasks, one), append(l.kinds[kind], i)
	}
	if s.Units {
		l.standardize()
	}
	for kind := range l.kinds {
		l.shuffle(kind)
	}
	return l, nil
}

// room returns a task with its evidence.
func (s Settings) room(t Task, theta []float64) (*task, error) {
	_, rest, _ := s.Form.split(theta)
	k, err := surrogate.NewEncodedFeatures(s.Form.Features, rest[:len(rest)-hypers], s.Form.Encoding)
	if err != nil {
		return nil, err
	}
	e, err := surrogate.NewFeatureEvidence(k, t.X, t.Y, nil)
	if err != nil {
		return nil, err
	}
	one := &task{Task: t, scale: 1, evidence: e, pass: s.Form.Mean.NewPass(len(t.X)), dmean: make([]float64, len(t.X)), grad: make([]float64, e.Len())}
	if t.Labels {
		one.classes = &classes{s.Form.Features.NewPass(len(t.X)), make([]float64, len(t.X)*s.Form.Features.Outputs())}
	}
	for _, x := range t.X {
		one.in = s.Form.Encoding.Append(one.in, x)
	}
	return one, nil
}

func (l *Learner) shuffle(kind int) {
	of := l.kinds[kind]
	l.stream.Shuffle(len(of), func(i, j int) { of[i], of[j] = of[j], of[i] })
	l.next[kind] = 0
}

// loss returns -log density of the task's targets, each, and adds weight times its gradient to grad; +Inf where it cannot be computed.
func (t *task) loss(f Form, theta []float64, weight float64, grad []float64) float64 {
	if t.Labels {
		return t.lossOfLabels(f, theta, weight, grad)
	}
	mean, rest, _ := f.split(theta)
	each := 1 / float64(len(t.X))
	value, err := t.evidence.AtMean(rest, t.pass.Forward(mean, t.in), t.grad, t.dmean)
	if size := floats.Norm(t.grad, 1); err != nil || math.IsNaN(size+value) || math.IsInf(size+value, 0) {
		return math.Inf(1)
	}
	w := len(mean)
	floats.AddScaled(grad[w:], -weight*each, t.grad)
	floats.Scale(-weight*each, t.dmean)
	t.pass.Backward(t.dmean, grad[:w], nil)
	return -value * each
}

// weights are what the target tasks and the source tasks count for.
func (l *Learner) weights() [2]float64 {
	switch {
	case len(l.kinds[0]) == 0:
		return [2]float64{0, 1}
	case len(l.kinds[1]) == 0:
		return [2]float64{1, 0}
	}
	return [2]float64{1 - l.settings.Alpha, l.settings.Alpha}
}

// Loss returns L(θ): the mean over all tasks of the negative log density of their targets, each, where tasks of both kinds count as Settings.Alpha
// says. Unless grad is nil its gradient is added to it.
func (l *Learner) Loss(theta, grad []float64) float64 {
	if grad == nil {
		grad = make([]float64, len(theta))
	}
	var sum float64
	for kind, weight := range l.weights() {
		for _, i := range l.kinds[kind] {
			w := weight / float64(len(l.kinds[kind]))
			sum += w * l.tasks[i].loss(l.settings.Form, theta, w, grad)
		}
	}
	return sum
}

// Step moves all particles once, by the gradient of some of the tasks, which come in a random order until each has had its turn. Cost O(n³ + n·weights) for
// each task of n values.
func (l *Learner) Step() {
	if l.settings.Units && l.steps > 0 && l.steps%unitsEvery == 0 {
		l.measure()
	}
	var batch [2][]int
	for kind, weight := range l.weights() {
		if weight > 0 {
			batch[kind] = l.draw(kind)
		}
	}
	for v := range l.swarm.Len() {
		l.score(l.swarm.Particle(v), l.swarm.Score(v), batch, v)
	}
	rate := l.rate(l.steps)
	l.steps++
	l.adam.Move(l.swarm, l.swarm.Direction(0), rate)
	for v := range l.swarm.Len() {
		l.belief.bound(l.swarm.Particle(v))
	}
}

// rate is that of a step, counted from 0.
func (l *Learner) rate(step int) float64 {
	return l.settings.Rate * math.Pow(lastRate, min(float64(step)/float64(l.settings.Steps), 1))
}

// clip is the greatest norm of the gradient of the loss of a step.
const clip = 5

// narrow is how much narrower the kernel of the particles is than that by the median distance (particles.Swarm). With that one the gradients of the other particles, which
// are about other weights, count for as much as a particle's own, and losses grew without end on tasks of five values and networks of four layers; from 6
// on they fall as those of one particle do.
const narrow = 8

// smoothing is what the last step's loss counts for in what Progress says.
const smoothing = 0.05

// score fills grad with the gradient of the log density of θ.
func (l *Learner) score(theta, grad []float64, batch [2][]int, particle int) {
	clear(grad)
	var sum float64
	for kind, weight := range l.weights() {
		for _, i := range batch[kind] {
			w := weight / float64(len(batch[kind]))
			sum += w * l.tasks[i].loss(l.settings.Form, theta, w, grad)
		}
	}
	if math.IsInf(sum, 1) {
		l.failures++
	} else if l.steps == 0 {
		l.losses[particle] = sum
	} else {
		l.losses[particle] += smoothing * (sum - l.losses[particle])
	}
	if size := floats.Norm(grad, 2); size > clip {
		floats.Scale(clip/size, grad)
	}
	floats.Scale(-l.settings.Gamma, grad)
	l.belief.addLog(theta, grad)
}

// draw returns the next tasks of a kind.
func (l *Learner) draw(kind int) []int {
	of := l.kinds[kind]
	n := min(l.settings.Batch, len(of))
	if l.next[kind]+n > len(of) {
		l.shuffle(kind)
	}
	at := l.next[kind]
	l.next[kind] += n
	return of[at : at+n]
}

// Failures returns how often the density of a task could not be computed.
func (l *Learner) Failures() int { return l.failures }

// Progress returns the mean loss of the last steps: what to watch.
func (l *Learner) Progress() float64 { return floats.Sum(l.losses) / float64(len(l.losses)) }

// Result returns copies of the particles, those of the least loss over all tasks with what was believed before counted in first; and what the tasks say of
// the units of another one, which is the standard law where Settings.Units is not set. Cost that of Loss for each.
func (l *Learner) Result() ([][]float64, surrogate.UnitsLaw) {
	if l.settings.Units {
		l.measure()
	}
	values, order := make([]float64, l.swarm.Len()), make([]int, l.swarm.Len())
	for v := range order {
		theta := l.swarm.Particle(v)
		values[v], order[v] = l.settings.Gamma*l.Loss(theta, nil)-l.belief.addLog(theta, make([]float64, len(theta))), v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	all := make([][]float64, len(order))
	for i, v := range order {
		all[i] = slices.Clone(l.swarm.Particle(v))
	}
	return all, l.law
}

// standardize gives each task units in which its values have mean 0 and standard deviation 1, unless they are the same but for round-off.
func (l *Learner) standardize() {
	for _, t := range l.tasks {
		n := float64(len(t.Y))
		t.shift = floats.Sum(t.Y) / n
		var square float64
		for _, y := range t.Y {
			square += (y - t.shift) * (y - t.shift) / n
		}
		t.scale = max(math.Sqrt(square), unitsRoundoff*math.Abs(t.shift))
		if t.scale == 0 {
			t.scale = 1
		}
	}
	l.adopt()
}

// measure gives each task the units that are the likeliest under the first particle, given those of the others.
func (l *Learner) measure() {
	prior, err := l.settings.Form.Prior(l.swarm.Particle(0))
	if err != nil {
		return
	}
	for _, t := range l.tasks {
		if shift, scale, _, err := prior.Units(l.law, t.X, t.Y); err == nil {
			t.shift, t.scale = shift, scale
		}
	}
	l.adopt()
}

// adopt makes the law and the targets follow the units of the tasks.
func (l *Learner) adopt() {
	var shifts, scales []float64
	for _, t := range l.tasks {
		shifts, scales = append(shifts, t.shift), append(scales, t.scale)
		y := make([]float64, len(t.Y))
		for i, v := range t.Y {
			y[i] = (v - t.shift) / t.scale
		}
		t.evidence.Retarget(y)
	}
	l.law = law(shifts, scales)
}

// Units returns shift and scale of each task as of now.
func (l *Learner) Units() (shifts, scales []float64) {
	for _, t := range l.tasks {
		shifts, scales = append(shifts, t.shift), append(scales, t.scale)
	}
	return shifts, scales
}
