package loop

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/internal/must"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// drawnPrior is a prior of small networks with random weights.
func drawnPrior(where space.Space, minimize bool, stream *rand.Rand) *Prior {
	p := &Prior{
		Space: where, Minimize: minimize, Tasks: []PriorTask{{Name: "a", Values: 3, Best: 1}}, Mean: []int{3}, Features: []int{3, 2},
		Units: PriorUnits{Shift: 0.1, ShiftDeviation: 0.5, LogScale: -0.1, LogScaleDeviation: 0.3},
	}
	for range 2 {
		theta := make([]float64, p.form().Len())
		for i := range theta {
			theta[i] = stream.NormFloat64()
		}
		p.Particles = append(p.Particles, theta)
	}
	return p
}

// drawPrior gives a study a prior, with a chance of a third, where it may have one.
func (c *Config) drawPrior(stream *rand.Rand) {
	if stream.IntN(3) > 0 {
		return
	}
	if c.Prior = drawnPrior(c.Space, c.Minimize, stream); c.TakesPrior() != nil {
		c.Prior = nil
	}
}

// waves are studies of sines that differ little.
func waves(t testing.TB, count, values int) (space.Space, []Past) {
	t.Helper()
	where := must.Get(space.New(space.Float("x", 0, 1), space.Categorical("kind", "a", "b")))(t)
	var past []Past
	for k := range count {
		stream := rng.New(5, rng.Test, uint64(k))
		p := Past{Name: string(rune('a' + k)), Space: where, Sense: outcome.Minimize}
		for range values {
			x := space.Point{stream.Float64(), float64(stream.IntN(2))}
			p.Points = append(p.Points, x)
			p.Values = append(p.Values, 10+wave(x, stream))
		}
		past = append(past, p)
	}
	return where, past
}

func wave(x space.Point, stream *rand.Rand) float64 {
	return 3*(x[0]-0.7)*(x[0]-0.7)*4 + x[1] + 0.05*stream.NormFloat64()
}

func TestAPriorIsLearnedFromStudies(t *testing.T) {
	where, past := waves(t, 6, 15)
	lesson, notes, err := NewPriorLesson(where, outcome.Minimize, PriorSettings{Steps: 400, Folds: 2}, past...)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	told := 0
	for part := range lesson.Parts() {
		if err := lesson.Learn(part, func(int, float64) bool { told++; return true }); err != nil {
			t.Fatal(err)
		}
	}
	p := must.Get(lesson.Prior())(t)
	b := must.Get(p.Belief())(t)
	if told < 3*400/progressEvery || lesson.Parts() != 3 {
		t.Errorf("progress was told %d times in %d parts", told, lesson.Parts())
	}
	if b.Best[1] != 0 || b.Best[0] < 0.6 || b.Best[0] > 0.8 || b.Value < 9.3 || b.Value > 10.7 || b.Effect[0] < 2*b.Effect[1] {
		t.Errorf("belief %+v", b)
	}
	for _, task := range p.Tasks {
		if l := task.Left; l == nil || l.Error > 0.5 || l.Error > l.Fresh || l.Seen != 5 {
			t.Errorf("task %s: %+v", task.Name, l)
		}
	}
	text := must.Get(json.Marshal(p))(t)
	var back Prior
	if err := json.Unmarshal(text, &back); err != nil || back.Space.Dim() != 2 {
		t.Fatal(err)
	}
	if back.Space = p.Space; !reflect.DeepEqual(back, *p) {
		t.Error("the prior does not come back from its JSON")
	}
	stop, _, _ := NewPriorLesson(where, outcome.Minimize, PriorSettings{}, past...)
	if err := stop.Learn(0, func(int, float64) bool { return false }); err != errStopped {
		t.Errorf("learning that was stopped ended with %v", err)
	}
}

func TestStudiesThatTeachNoPriorAreNamed(t *testing.T) {
	where, past := waves(t, 2, 6)
	other := must.Get(space.New(space.Float("z", 0, 1)))(t)
	flat := past[0]
	flat.Name, flat.Values = "flat", make([]float64, 6)
	empty := Past{Name: "empty", Space: where}
	for want, of := range map[string][]Past{
		"no studies":             nil,
		"flat: fewer than two":   {flat},
		"empty: no value":        {empty, past[0]},
		"a: the same values":     {past[0], past[0]},
		"z: no parameter in com": {past[0], {Name: "z", Space: other, Points: []space.Point{{0}, {1}}, Values: []float64{1, 2}}},
	} {
		_, _, err := NewPriorLesson(where, outcome.Minimize, PriorSettings{}, of...)
		if err == nil || want != "no studies" && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	fidelity := must.Get(space.New(space.Float("x", 0, 1), space.Ordered("epochs", 1, 9).AsFidelity(1, 9)))(t)
	if _, _, err := NewPriorLesson(fidelity, outcome.Minimize, PriorSettings{}, past...); err == nil {
		t.Error("a space with a fidelity was taken")
	}
}

func TestAPriorThatAStudyCannotBeginWithIsRefused(t *testing.T) {
	where, _ := waves(t, 1, 2)
	good := func() Config {
		c := Config{Space: where, Traits: policies.Traits{Name: "own", Model: true, Pending: feedback.Hallucinate}, Budget: 10, Minimize: true, Pending: 10}
		c.Prior = drawnPrior(where, true, rng.New(1, rng.Test, 1))
		return c
	}
	if err := func() error { c := good(); return c.Validate() }(); err != nil {
		t.Fatal(err)
	}
	short := must.Get(space.New(space.Float("x", 0, 2), space.Categorical("kind", "a", "b")))(t)
	for want, change := range map[string]func(*Config){
		"same sense":       func(c *Config) { c.Minimize = false },
		"it censors":       func(c *Config) { c.Traits.Pending = feedback.Censor },
		"looks at no mode": func(c *Config) { c.Traits = policies.Traits{Name: "own"} },
		"earlier studies":  func(c *Config) { c.Traits.Earlier = true },
		"the tasks before": func(c *Config) { c.Traits.Particles = 1 },
		"hyperparameters":  func(c *Config) { c.Model.Hyper, c.Model.Noise = []float64{1, 1, 1}, 1 },
		"another paramete": func(c *Config) { c.Prior.Space = short },
		"sound prior: par": func(c *Config) { c.Prior.Particles[1] = c.Prior.Particles[1][1:] },
		"1 to 50":          func(c *Config) { c.Prior.Particles = nil },
		"tasks":            func(c *Config) { c.Prior.Tasks = nil },
		"beyond 1e+100":    func(c *Config) { c.Prior.Particles[1][c.Prior.form().Mean.Weights()-1] = 1e300 },
		"layers":           func(c *Config) { c.Prior.Features = nil },
		"units":            func(c *Config) { c.Prior.Units.ShiftDeviation = 0 },
	} {
		c := good()
		change(&c)
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Studies whose contexts are alike count, and those of a context that is not there do not.
func TestAPriorIsOfAContext(t *testing.T) {
	where := must.Get(space.New(space.Float("x", 0, 1)))(t)
	var past []Past
	settings := PriorSettings{Steps: 300, Folds: -1, Next: []float64{1, 0}}
	for k := range 10 {
		stream := rng.New(8, rng.Test, uint64(k))
		p := Past{Name: string(rune('a' + k)), Space: where}
		for range 8 {
			x := stream.Float64()
			p.Points, p.Values = append(p.Points, space.Point{x}), append(p.Values, float64(1-2*(k%2))*x+0.02*stream.NormFloat64())
		}
		past, settings.Contexts = append(past, p), append(settings.Contexts, []float64{float64(1 - k%2), float64(k % 2)})
	}
	lesson, _, err := NewPriorLesson(where, false, settings, past...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lesson.Prior(); err == nil {
		t.Error("a prior before anything was learned")
	}
	last := 0
	if err := lesson.Learn(0, func(step int, _ float64) bool { last = step; return true }); err != nil || last < lesson.Steps()-progressEvery {
		t.Fatal(err, last)
	}
	rising := must.Get(must.Get(lesson.Prior())(t).Belief())(t)
	falling := must.Get(must.Get(lesson.PriorAt([]float64{0, 1}))(t).Belief())(t)
	if rising.Best[0] < 0.8 || falling.Best[0] > 0.2 {
		t.Errorf("best at %v and %v", rising.Best, falling.Best)
	}
	settings.Next = []float64{1}
	if _, _, err := NewPriorLesson(where, false, settings, past...); err == nil {
		t.Error("a context of another length was taken")
	}
	settings.Next, settings.Contexts = []float64{1, 0}, settings.Contexts[1:]
	if _, _, err := NewPriorLesson(where, false, settings, past...); err == nil {
		t.Error("too few contexts were taken")
	}
}
