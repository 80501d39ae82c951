package experiment

import (
	"fmt"
	"sync"

	"github.com/tarry-bo/tarry/bandit"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim/fidelity"
)

func init() {
	add(Experiment{
		Name: "olpc-meta", Title: "A bandit that learned on other networks", Source: "Zhang 2024, sec. 4.5; the network is a look-alike",
		About: "Power control as in olpc, on a network that a seed draws. Before, a bandit has learned on 50 others how much to explore, how fast to learn, and " +
			"which settings are alike, by what it earns in its first 10 plays. With fewer than 50 rounds it has learned on as many others, in fewer steps.",
		Rounds: 400, Unit: olpcUnit,
		Plan: planOLPCMeta,
	})
	add(Experiment{
		Name: "olpc-context", Title: "A bandit that knows who disturbs whom", Source: "Zhang 2024, sec. 4.5; the network is a look-alike",
		About: "As olpc-meta, with 20 plays, where what was learned also goes with the graph of interference of the network: a mapping of rank 14 of the cosine " +
			"between the numbers of users whom 0, 1, 2, … others disturb, that is whose distance to the base station is less than 1.8 times the user's own.",
		Rounds: 100, Unit: olpcUnit,
		Plan: planOLPCContext,
	})
}

// What is learned from.
const (
	schoolSeed   = 1 << 40 // of the first earlier task, far from those of the experiment
	schoolTasks  = 50
	schoolSteps  = 400
	disturbing   = 1.8 // times the own distance
	metaPlays    = 10
	contextPlays = 20
)

// school is what bandits learn on; with few rounds it is less.
type school struct {
	tasks, steps, plays int
}

func newSchool(rounds, plays int) school {
	return school{min(schoolTasks, max(rounds, 2)), min(schoolSteps, 8*rounds), plays}
}

func (s school) settings() bandit.Settings {
	return bandit.Settings{Plays: s.plays, Steps: s.steps, Noise: olpcNoise / olpcScale}
}

// priorName is what a Gaussian process with a prior of all tasks is called.
func (s school) priorName() string { return "gp-bucb, prior of " + plural(s.tasks, "network") }

// lessons are the earlier tasks.
func (s school) lessons() (bandit.Tasks, []uint64) {
	var seeds []uint64
	for k := range s.tasks {
		seeds = append(seeds, schoolSeed+uint64(k))
	}
	var out bandit.Tasks
	for _, t := range gathered(seeds) {
		values := make([]float64, len(t.values))
		for i, v := range t.values {
			values[i] = min(v/olpcScale, 1)
		}
		out.Space, out.Arms, out.Values = t.space, t.arms, append(out.Values, values)
	}
	return out, seeds
}

// priorSteps are those of learning a prior, fewer in tests.
func (s school) priorSteps() int { return min(defaultPriorSteps, 5*s.steps) }

// prior is what the values of all tasks say of another one, to a Gaussian process; with by, of one with the graph of the network of a seed.
func (s school) prior(of func() (bandit.Tasks, []uint64), by bool) func(seed uint64) (*loop.Prior, error) {
	learn := sync.OnceValues(func() (*loop.PriorLesson, error) {
		tasks, seeds := of()
		settings := loop.PriorSettings{Steps: s.priorSteps(), Folds: -1}
		var past []loop.Past
		for k, values := range tasks.Values {
			p := loop.Past{Name: fmt.Sprintf("network %d", seeds[k]), Space: tasks.Space, Values: values}
			for _, x := range tasks.Arms {
				p.Points = append(p.Points, tasks.Space.Value(x))
			}
			if past = append(past, p); by {
				settings.Next = graphOf(seeds[k]) // of the one that is not asked for
				settings.Contexts = append(settings.Contexts, settings.Next)
			}
		}
		lesson, _, err := loop.NewPriorLesson(tasks.Space, false, settings, past...)
		if err != nil {
			return nil, err
		}
		return lesson, lesson.Learn(0, func(int, float64) bool { return true })
	})
	return func(seed uint64) (*loop.Prior, error) {
		lesson, err := learn()
		if err != nil {
			return nil, err
		}
		return lesson.PriorAt(graphOf(seed))
	}
}

// together is what is learned of all tasks.
func (s school) together(of func() (bandit.Tasks, []uint64)) func() (bandit.Knowledge, error) {
	return sync.OnceValues(func() (bandit.Knowledge, error) {
		tasks, _ := of()
		return bandit.Learn(tasks, s.settings(), rng.New(1, rng.Problem, 1))
	})
}

// byContext is what is learned by the graphs.
func (s school) byContext(of func() (bandit.Tasks, []uint64)) func() (bandit.ByContext, error) {
	return sync.OnceValues(func() (bandit.ByContext, error) {
		tasks, seeds := of()
		c := bandit.Contexts{Kernel: bandit.Cosine}
		for _, seed := range seeds {
			c.Features = append(c.Features, graphOf(seed))
		}
		return bandit.LearnByContext(tasks, c, s.settings(), rng.New(1, rng.Problem, 1))
	})
}

// graphOf has how many users of a network are disturbed by how many.
func graphOf(seed uint64) []float64 {
	return bandit.Degrees(fidelity.UplinkInterference(seed, 0, disturbing))
}

func always(k func() (bandit.Knowledge, error)) func(uint64) (*bandit.Knowledge, error) {
	return func(uint64) (*bandit.Knowledge, error) { found, err := k(); return &found, err }
}

func (s school) fact() Fact {
	return Fact{"earlier tasks", fmt.Sprintf("%d networks, the same for all seeds, so that the errors do not hold the chance of what was learned; episodes of %d plays, %d steps, "+
		"two layers of 12 neurons, a share of at least 0.05 of uniform plays", s.tasks, s.plays, s.steps)}
}

func planOLPCMeta(in Input) (Plan, error) {
	s := newSchool(in.Rounds, metaPlays)
	group := "after " + plural(s.tasks, "task")
	lessons := sync.OnceValues(s.lessons)
	taught := olpcArm{name: "meta-mab", policy: "meta-mab:best=1", taught: always(s.together(lessons))}
	prior := olpcArm{name: s.priorName(), policy: "gp-bucb", prior: s.prior(lessons, false)}
	var arms []Arm
	for _, a := range []olpcArm{exp3Careful, exp3Faster, exp3Greedy, taught, {name: "gp-bucb", policy: "gp-bucb"}, prior, uniformly} {
		a.rounds = in.Rounds
		arms = append(arms, a.arm(group))
	}
	return Plan{Arms: arms, Facts: append([]Fact{s.fact()}, olpcFacts...), Show: func(r Results) []Section {
		return showOLPC(r, "olpc-meta", "Power control "+group, in.Rounds,
			"The source claims that Exp3 reaches 90 % of the optimum after about 175 plays in place of 510 when it has learned on 50 tasks; and that Bayesian optimization with a learned kernel "+
				"does after 50, which it does not without.")
	}}, nil
}

func planOLPCContext(in Input) (Plan, error) {
	const group = "by the graph of interference"
	s := newSchool(in.Rounds, contextPlays)
	lessons := sync.OnceValues(s.lessons)
	by := s.byContext(lessons)
	contextual := olpcArm{name: "meta-mab, by context", policy: "meta-mab:best=1", taught: func(seed uint64) (*bandit.Knowledge, error) {
		b, err := by()
		if err != nil {
			return nil, err
		}
		k := b.At(graphOf(seed))
		return &k, nil
	}}
	taught := olpcArm{name: "meta-mab", policy: "meta-mab:best=1", taught: always(s.together(lessons))}
	var arms []Arm
	prior := olpcArm{name: s.priorName(), policy: "gp-bucb", prior: s.prior(lessons, false)}
	mapped := olpcArm{name: "gp-bucb, prior by context", policy: "gp-bucb", prior: s.prior(lessons, true)}
	for _, a := range []olpcArm{exp3Faster, exp3Greedy, taught, contextual, {name: "gp-bucb", policy: "gp-bucb"}, prior, mapped, uniformly} {
		a.rounds = in.Rounds
		arms = append(arms, a.arm(group))
	}
	return Plan{Arms: arms, Facts: append([]Fact{s.fact()}, olpcFacts...), Show: func(r Results) []Section {
		sections := showOLPC(r, "olpc-context", "Power control with what is known of the network", in.Rounds,
			"The source claims, at the 20th play: Exp3 30 %, learned on earlier tasks 70 %, learned by the context 80 %; for Bayesian optimization 40 %, 80 % and more than 90 %. "+
				"Here the mapping is added to what all tasks have learned together.")
		table := Table{Caption: "What is played, row minus meta-mab, percentage points, seed by seed", Head: []string{"method", "after 10", "after 20", "after 50", "at the end"}}
		row := []string{contextual.name}
		for _, k := range []int{10, 20, 50, Last} {
			row = append(row, r.Difference(group, contextual.name, taught.name, olpcPlayed, k).Signed())
		}
		table.Rows = [][]string{row}
		sections[0].Tables = append(sections[0].Tables, table)
		return sections
	}}, nil
}
