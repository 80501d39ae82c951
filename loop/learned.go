package loop

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tarry-bo/tarry/model"
	"github.com/tarry-bo/tarry/outcome"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/space"
)

// MaxParticles is how many members a model has at most.
const MaxParticles = 100

// Learned is what studies of tasks that are alike, one after another, learned of the kernel of their functions, for the study of the next task: particles of its
// parameters. A study begins with it (Config.Learned), and its result has a Lesson of which the next one begins. It is plain data and its JSON a file format; never change
// one that a study has.
type Learned struct {
	Space     space.Space   `json:"space"`            // of every study
	Kernel    string        `json:"kernel,omitempty"` // whose hyperparameters the particles are; empty: those of a network, and its weights
	Layers    []int         `json:"layers,omitempty"` // of that network
	Tasks     []LearnedTask `json:"tasks"`            // in their order
	Particles [][]float64   `json:"particles"`        // the best first; logarithms of hyperparameters, and weights before them
}

// LearnedTask is a study of which something was learned.
type LearnedTask struct {
	Name        string   `json:"name"`           // that it was given
	Evaluations int      `json:"evaluations"`    // with a value
	Cost        float64  `json:"cost,omitempty"` // of all evaluations
	Best        *float64 `json:"best"`           // value, in the user's units; nil without one
}

// String returns how much it is, as in "what 3 tasks taught, as 10 particles".
func (k Learned) String() string {
	tasks := "tasks"
	if len(k.Tasks) == 1 {
		tasks = "task"
	}
	return fmt.Sprintf("what %d %s taught, as %d particles", len(k.Tasks), tasks, len(k.Particles))
}

// config is that of a study which begins with it, as far as it decides the model.
func (k Learned) config() Config {
	c := Config{Space: k.Space, Learned: &k, Model: Model{Kernel: k.Kernel}, Traits: policies.Traits{Model: true, Particles: len(k.Particles), Layers: k.Layers}}
	for m := 1; m < len(k.Particles); m++ {
		c.Traits.Also = append(c.Traits.Also, model.Want{Member: m})
	}
	return c
}

// Summary returns what was learned in numbers that a person understands: of each parameter, in their order, by how much values differ at points
// that are a tenth of its range apart, and of a fidelity at neighboring ones; and how much of the variance of a value is noise. An error
// says what is wrong with it.
func (k Learned) Summary() (model.Summary, error) {
	c := k.config()
	if c.Space.Dim() == 0 {
		return model.Summary{}, errors.New("no space")
	}
	if _, err := c.prior(); err != nil {
		return model.Summary{}, err
	}
	if want := cmp.Or(c.wantsParticles(), c.wantsLayers(), c.wantsLearned()); want != "" {
		return model.Summary{}, errors.New("want " + want)
	}
	whole := c.withDefaults().model()
	return whole.Outputs[model.Objective].Summarize(whole)
}

// members are those of the objective; nil where the policy wants none.
func (c Config) members() *model.Members {
	if c.Traits.Particles == 0 || c.Model.Known() {
		return nil
	}
	m := &model.Members{Count: c.Traits.Particles, Layers: c.Traits.Layers}
	if c.Learned != nil {
		m.Learned = c.Learned.Particles
	}
	return m
}

// memberKernel is the name of the kernel whose hyperparameters members are; empty for that of a network.
func (c Config) memberKernel() string {
	if c.Traits.Layers != nil {
		return ""
	}
	return cmp.Or(c.Model.Kernel, DefaultKernel)
}

func (c *Config) wantsParticles() string {
	n := 0
	for _, w := range c.Traits.Also {
		n += bit(w.Member > 0)
	}
	switch t := c.Traits; {
	case t.Particles == 0:
		return ""
	case !t.Model || t.Adapts:
		return "0 where fits choose the kernel, or the policy looks at no model"
	case n != t.Particles-1:
		return fmt.Sprintf("as many as the policy looks at: %d", n+1)
	}
	return ""
}

func (c *Config) wantsLayers() string {
	switch few := func(n int) bool { return n < 1 || n > 1000 }; {
	case c.Traits.Layers == nil:
		return ""
	case c.Traits.Particles == 0:
		return "none without particles"
	case len(c.Traits.Layers) > 10 || slices.ContainsFunc(c.Traits.Layers, few):
		return "at most 10, of 1 to 1000 neurons each"
	case c.Model.Kernel != "" && c.Model.Kernel != DefaultKernel:
		return "none where a kernel is named"
	}
	return ""
}

// wantsLearned says what is wrong with what earlier tasks taught.
func (c *Config) wantsLearned() string {
	if c.Learned == nil || c.Space.Dim() == 0 {
		return ""
	}
	k := c.Learned
	switch {
	case c.Model.Known():
		return "nothing where hyperparameters are given"
	case c.Traits.Particles == 0:
		return fmt.Sprintf("nothing with policy %s: it does not learn over tasks", c.Traits.Name)
	case len(k.Particles) != c.Traits.Particles:
		return fmt.Sprintf("%d particles, as policy %s has, found %d", c.Traits.Particles, c.Traits.Name, len(k.Particles))
	case k.Kernel != c.memberKernel():
		const network = "network" // whose kernel has no name
		return fmt.Sprintf("kernel %s, as policy %s has it, found %s", cmp.Or(c.memberKernel(), network), c.Traits.Name, cmp.Or(k.Kernel, network))
	case !slices.Equal(k.Layers, c.Traits.Layers):
		return fmt.Sprintf("a network of layers %v, as policy %s has it, found %v", c.Traits.Layers, c.Traits.Name, k.Layers)
	}
	if what := otherSpace(k.Space, c.Space); what != "" {
		return what
	}
	if err := c.checkLearned(); err != nil {
		return "sound particles: " + err.Error()
	}
	return ""
}

func (c *Config) checkLearned() error {
	if t := c.Learned.Tasks; len(t) == 0 || slices.ContainsFunc(t, func(t LearnedTask) bool {
		return t.Evaluations < 0 || !outcome.Finite(t.Cost) || t.Best != nil && !outcome.Finite(*t.Best)
	}) {
		return fmt.Errorf("tasks %+v", t)
	}
	return c.model().Outputs[model.Objective].CheckMembers(c.model())
}

// otherSpace says how the space of what was learned differs; empty where it does not.
func otherSpace(learned, here space.Space) string {
	a, b := stated(learned), stated(here)
	if len(a) != len(b) {
		return fmt.Sprintf("a space of %d parameters, found %d", len(b), len(a))
	}
	one, err := learned.MarshalJSON()
	other, err2 := here.MarshalJSON()
	if err != nil || err2 != nil || bytes.Equal(one, other) {
		return ""
	}
	for i := range b {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("the space of this study, found another parameter %d: %s in place of %s", i+1, a[i], b[i])
		}
	}
	return "the list of points of this study, found another one"
}

// stated are the parameters of a space as its JSON has them.
func stated(s space.Space) []json.RawMessage {
	var parts struct {
		Parameters []json.RawMessage `json:"parameters"`
	}
	if whole, err := s.MarshalJSON(); err != nil || json.Unmarshal(whole, &parts) != nil {
		return nil
	}
	return parts.Parameters
}

// Lesson is the work of learning, from all answers of a study, what the study of the next task begins with. Nothing in it changes any more: it
// may run anywhere.
type Lesson struct {
	fit     model.Fit
	learned Learned
	task    LearnedTask
}

// lesson is that work; false where the policy learns nothing over tasks, or nothing was answered.
func (l *Loop) lesson() (Lesson, bool) {
	fit, ok := l.model.Lesson(model.Objective)
	if !ok {
		return Lesson{}, false
	}
	c := l.config
	k := Learned{Space: c.Space, Kernel: c.memberKernel(), Layers: c.Traits.Layers}
	if c.Learned != nil {
		k.Tasks = c.Learned.Tasks
	}
	task := LearnedTask{Cost: l.Cost()}
	for i := range l.ledger.evaluations {
		task.Evaluations += bit(l.ledger.evaluations[i].Status.Valued())
	}
	if best := l.Best(); best != nil {
		value := best.Value
		task.Best = &value
	}
	return Lesson{fit, k, task}, true
}

// Learn does the work, and returns what was learned of all tasks so far; name is that of the last of them. Cost that of some hundred steps of the
// particles: some seconds with hundreds of answers.
func (l Lesson) Learn(name string) (Learned, error) {
	h, err := l.fit.Learn()
	l.task.Name = name
	l.learned.Tasks = append(slices.Clone(l.learned.Tasks), l.task)
	l.learned.Particles = h.Particles
	return l.learned, err
}
