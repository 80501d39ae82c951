package experiment

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/internal/calibration"
	"github.com/tarry-bo/tarry/internal/stat"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "locbo-1d", Title: "Prediction intervals with and without localization", Source: "Kim et al. 2025, the illustration in one dimension",
		About: "x sin 2x + cos πx on [-5, 5] with noise of variance (|x| + 1)/10, which the model takes to be the same everywhere. After a study of locbo the " +
			"model's own 80 % interval and the calibrated set are compared with the true law of a new answer at every x. With kappa = 0 the threshold is " +
			"the same everywhere; with kappa = 2 it is learned near x as well. The queries of locbo gather where the function is great; the same sets are " +
			"issued for queries that are spread evenly, too. One query after the other, no delay.",
		Rounds: 45,
		Plan:   planLine,
	})
}

const (
	lineStudied = "queries of locbo"
	lineSpread  = "queries spread evenly"
	lineMiss    = 0.2 // alpha
	lineOptions = "locbo:alpha=0.2:l=0.1:kappa="
	linePlaces  = 201 // of the grid
	lineEnd     = 5.0 // of the box
)

// lineArms are the heights of the localization kernel.
var lineArms = []struct{ name, kappa string }{{"kappa = 0", "0"}, {"kappa = 2", "2"}}

// lineGroups are the kinds of queries.
var lineGroups = []string{lineStudied, lineSpread}

// Curves of the experiment: over the grid, but for the queries.
const (
	lineMean      = "mean"      // of a new answer
	lineStddev    = "stddev"    // of a new answer
	lineThreshold = "threshold" // of the calibrated set
	lineOwn       = "cover_own" // probability that a new answer is in the model's own 80 % interval, in percent
	lineSet       = "cover_set" // the same for the calibrated set
	lineQueries   = "queries"
	lineAnswers   = "answers"
)

// Single numbers of the experiment, means over the grid.
const (
	lineOwnMean = "cover_own_mean"
	lineSetMean = "cover_set_mean"
	lineOwnOff  = "cover_own_off" // distance from the wanted share
	lineSetOff  = "cover_set_off"
	lineOffMore = "cover_off_more" // how much greater it is for the set
)

// lineProblem is the function with its noise.
func lineProblem(seed uint64) (sim.Problem, error) {
	p, err := sim.NewProblem("locbo1d", seed)
	value := p.Value
	p.Observe = func(x space.Point, stream *rand.Rand) float64 { return value(x) + lineNoise(x[0])*stream.NormFloat64() }
	return p, err
}

// lineNoise is the standard deviation of the noise.
func lineNoise(x float64) float64 { return math.Sqrt((math.Abs(x) + 1) / 10) }

// linePlace is a place of the grid.
func linePlace(i int) float64 { return -lineEnd + 2*lineEnd*float64(i)/(linePlaces-1) }

func planLine(in Input) (Plan, error) {
	var arms []Arm
	for _, group := range lineGroups {
		for _, a := range lineArms {
			s := study{problem: lineProblem, policy: lineOptions + a.kappa, law: "fixed:1", rounds: in.Rounds + 1}
			arms = append(arms, Arm{Group: group, Name: a.name, Policy: s.policy, Steps: paperInitial + s.rounds, Run: func(ctx context.Context, seed uint64, step func()) (Record, error) {
				return lineRun(ctx, s, group == lineSpread, seed, step)
			}})
		}
	}
	facts := []Fact{
		{"model", "Matérn-5/2, hyperparameters and noise learned from the answers"},
		{"constants", "alpha = 0.2, l = 1, eta_t = 0.05 t^-0.05, forgetting 0.004"},
		{"queries", fmt.Sprintf("%d initial ones, uniform, and %d chosen", paperInitial, in.Rounds)},
	}
	return Plan{Arms: arms, Facts: facts, Show: showLine}, nil
}

// lineRun simulates a study with one more query than it is about: what is known when that is chosen is what the study came to.
func lineRun(ctx context.Context, s study, evenly bool, seed uint64, step func()) (Record, error) {
	scenario, err := s.scenario(seed)
	if err != nil {
		return nil, err
	}
	locbo := scenario.Policy.(policies.LOCBO)
	if evenly {
		scenario.Policy = spread{locbo}
	}
	var last policies.View
	outcome, err := sim.Run(ctx, scenario, sim.Dispatches(step), viewed(&last))
	if err != nil {
		return nil, err
	}
	threshold, err := relearned(locbo.Local, last.History)
	if err != nil {
		return nil, err
	}
	return lineRecord(scenario, outcome, last, threshold), nil
}

// viewed keeps what is known when the last query is chosen.
func viewed(last *policies.View) sim.Observer {
	return func(l *loop.Loop, _ loop.Stamped, effects []loop.Effect) error {
		for _, e := range effects {
			if ask, ok := e.(loop.Ask); ok && ask.Round == l.Config().Budget {
				*last = l.View()
			}
		}
		return nil
	}
}

// lineRecord is what the model and the threshold say over the grid, and how often they are right.
func lineRecord(s sim.Scenario, o sim.Performance, v policies.View, threshold *calibration.Localized) Record {
	r := Record{SimpleRegret: o.SimpleRegret}
	add := func(curve string, value float64) { r[curve] = append(r[curve], value) }
	for i := range linePlaces {
		x := linePlace(i)
		u := []float64{float64(i) / (linePlaces - 1)}
		mean, variance := v.Posterior.Predict(u)
		mean, sd := v.Units.From(mean), v.Units.Scale*math.Sqrt(variance+v.Posterior.Prior().Noise)
		level := threshold.At(u)
		truth := law{s.Problem.Value([]float64{x}), lineNoise(x)}
		add(lineMean, mean)
		add(lineStddev, sd)
		add(lineThreshold, level)
		add(lineOwn, 100*truth.within(mean, halfWidth(lineMiss, sd)))
		add(lineSet, 100*truth.within(mean, halfWidth(level, sd)))
	}
	r[lineOwnMean], r[lineSetMean] = []float64{stat.Of(r[lineOwn]).Mean}, []float64{stat.Of(r[lineSet]).Mean}
	r[lineOwnOff], r[lineSetOff] = []float64{lineOff(r[lineOwn]).Mean}, []float64{lineOff(r[lineSet]).Mean}
	r[lineOffMore] = []float64{r[lineSetOff][0] - r[lineOwnOff][0]}
	for _, e := range o.Result.Evaluations[:len(o.Result.Evaluations)-1] {
		add(lineQueries, s.Problem.Space.Value(e.X)[0])
		add(lineAnswers, e.Value)
	}
	return r
}

// halfWidth is that of the set of a threshold: infinite where it is everything, negative where it is empty.
func halfWidth(threshold, sd float64) float64 {
	if threshold > 1 {
		return -1
	}
	return sd * calibration.HalfWidth(threshold)
}

// law is a normal law.
type law struct{ mean, sd float64 }

// within is the probability of an interval around a center.
func (l law) within(center, half float64) float64 {
	if half < 0 {
		return 0
	}
	return calibration.PIT(center+half, l.mean, l.sd) - calibration.PIT(center-half, l.mean, l.sd)
}
