package experiment

import (
	"fmt"
	"math"
	"sync"

	"github.com/tarry-bo/tarry/internal/lab/data"
	"github.com/tarry-bo/tarry/internal/rng"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "sdf-nonstationary", Title: "Tuning an SVM while its data grow", Source: "Verma et al. 2022, sec. 6 (non-stationary)",
		About: "Up to twenty data sets, each holding the one before, 30 queries each; the index of the data set is the context. A query is one of 168 pairs of C and " +
			"gamma, evenly spread over their logarithms, of a support vector machine that is really trained on the rows that there are and judged on held-out rows. " +
			"Delays are Poisson with mean 3 rounds, m = 6, and late answers are thrown away by ucb-sdf and ts-sdf.",
		Rounds: growthSteps*queriesPerTask - paperInitial,
		Data:   "pima-diabetes.csv or its folder; without it the embedded Breast Cancer Wisconsin data",
		Plan:   planNonstationary,
	})
}

const (
	growthSteps = 20
	gridC       = 12 // values of C in [1e-2, 1e3]
	gridGamma   = 14 // values of gamma in [1e-4, 10]
)

func planNonstationary(in Input) (Plan, error) {
	d, err := readSVMData(in.Data)
	if err != nil {
		return Plan{}, err
	}
	g, err := newGrowing(d)
	if err != nil {
		return Plan{}, err
	}
	facts := []Fact{
		{"data", fmt.Sprintf("%s, %d rows of %d features, standardized; another 70/30 split and another order for each seed; the 70 %% grow in %d steps", d.set.Name, len(d.set.X), len(d.set.Features), growthSteps)},
		metOneByOne("data sets", in.Rounds, growthSteps), {"regret", "the best held-out accuracy of the 168 pairs minus that of the query, in percent points"},
	}
	return Plan{Arms: contextualArms(g.problem, in.Rounds), Facts: append(facts, paperModel...), Fingerprint: d.fingerprint, Show: func(r Results) []Section {
		return showContextual(r, "sdf-nonstationary", "Cumulative regret while the data grow", in.Rounds)
	}}, nil
}

// growing is the problem of all seeds. The machines of a seed are trained once, for all arms.
type growing struct {
	data   svmData
	space  space.Space
	points []space.Point
	tables sync.Map // from a seed to its table, a func() (trained, error)
}

// trained are the accuracies of all pairs at all steps, with the greatest of each step.
type trained struct {
	values [growthSteps][]float64
	best   [growthSteps]float64
}

func newGrowing(d svmData) (*growing, error) {
	g := &growing{data: d}
	for i := range gridC {
		for j := range gridGamma {
			g.points = append(g.points, []float64{
				math.Pow(10, -2+5*float64(i)/(gridC-1)), math.Pow(10, -4+5*float64(j)/(gridGamma-1)),
			})
		}
	}
	var err error
	g.space, err = space.List(g.points, space.LogFloat("C", 1e-3, 1e4), space.LogFloat("gamma", 1e-5, 100),
		space.Float("step", 1, growthSteps).AsContext())
	return g, err
}

// table is what was trained for a seed, when it is asked for the first time.
func (g *growing) table(seed uint64) (trained, error) {
	once := sync.OnceValues(func() (trained, error) { return g.train(seed) })
	found, _ := g.tables.LoadOrStore(seed, once)
	return found.(func() (trained, error))()
}

// train trains the machines of all pairs on all data sets of a seed.
func (g *growing) train(seed uint64) (trained, error) {
	var t trained
	train, test, err := g.data.set.Split(rng.New(seed, rng.Split, 0), trainShare)
	if err != nil {
		return t, err
	}
	sets, err := data.Growing(train, rng.New(seed, rng.Split, 1), growthSteps)
	if err != nil {
		return t, err
	}
	errs := make([]error, len(sets))
	var wait sync.WaitGroup
	for step, set := range sets {
		wait.Go(func() { t.values[step], t.best[step], errs[step] = g.step(set, test) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return t, err
		}
	}
	return t, nil
}

// step trains on one data set.
func (g *growing) step(set, test data.Dataset) (values []float64, best float64, err error) {
	h, err := standardized(set, test)
	if err != nil {
		return nil, 0, err
	}
	for _, p := range g.points {
		v := h.svm(p[0], p[1])
		values = append(values, v)
		if v > best {
			best = v
		}
	}
	return values, best, nil
}

// problem is the problem of a seed.
func (g *growing) problem(seed uint64) (sim.Problem, error) {
	t, err := g.table(seed)
	if err != nil {
		return sim.Problem{}, err
	}
	at := func(context float64) int { return min(max(int(math.Round(context))-1, 0), growthSteps-1) }
	floor := 0.0
	return sim.Problem{
		Name: "growing", Space: g.space, Maximum: 1, Initial: paperInitial, Floor: &floor, Range: 1,
		Model: loop.Model{Kernel: "se"}, Options: []string{"sigma=predictive"},
		Value: func(x space.Point) float64 {
			for k, p := range g.points {
				if p[0] == x[0] && p[1] == x[1] {
					return t.values[at(x[2])][k]
				}
			}
			return math.NaN()
		},
		BestIn: func(context space.Point) float64 { return t.best[at(context[0])] },
		ContextOf: func(_ uint64, round int) space.Point {
			return []float64{float64((round-1)/queriesPerTask%growthSteps + 1)}
		},
	}, nil
}
