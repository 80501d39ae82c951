package experiment

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/sim/functions"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "locbo-ackley", Title: "locbo and its family on the Ackley function", Source: "Kim et al. 2025, sec. V-C",
		About: "The Ackley function in two dimensions on [-10, 10]², to be maximized after a change of sign, without noise and with noise of variance " +
			"(|x| + 10)/20, which the model takes to be the same everywhere. One query after the other, no delay. Lengths l are in the units of the box; " +
			"l = inf means that the threshold is the same everywhere. Three sweeps vary l, alpha and kappa under noise.",
		Rounds: 50,
		Plan:   planAckley,
	})
	add(Experiment{
		Name: "locbo-ablation", Title: "What carries the gain of locbo", Source: "Kim et al. 2025, sec. V-C",
		About: "The same function with noise, and fewer arms, for many seeds: plain log expected improvement, locbo as in the paper, not localized, with another " +
			"height or length, and with a threshold that learns nothing (a step of zero).",
		Rounds: 50,
		Plan:   planAblation,
	})
}

// Settings of the Ackley experiment.
const (
	groupNoiseFree = "without noise"
	groupUneven    = "noise that grows with |x|"
	groupLengths   = "lengths l, noise that grows with |x|"
	groupAlphas    = "alpha, noise that grows with |x|"
	groupKappas    = "kappa, noise that grows with |x|"
	ackleySide     = 20 // of the box
)

// faster ends the names of methods with ten times the step of the paper.
const faster = ", eta = 0.05"

// conformal are the methods of Kim et al. 2025: their names, and as policies.Parse reads them.
var conformal = []struct{ name, policy string }{
	{"log-ei", "log-ei"},
	{"cbo", "cbo"},
	{"ocbo", "ocbo"},
	{"ocbo-l", "ocbo-l"},
	{"locbo, l = inf", "locbo:l=inf:eta=0.005"},
	{"locbo, l = 5", "locbo:l=0.25:eta=0.005"},
	{"locbo, l = inf" + faster, "locbo:l=inf"},
	{"locbo, l = 5" + faster, "locbo:l=0.25"},
}

// ackleyProblem is the function on the box of the paper.
func ackleyProblem(uneven bool) func(uint64) (sim.Problem, error) {
	return func(uint64) (sim.Problem, error) {
		f, err := functions.Get("ackley", 2)
		if err != nil {
			return sim.Problem{}, err
		}
		s, err := space.New(space.Float("x1", -ackleySide/2, ackleySide/2), space.Float("x2", -ackleySide/2, ackleySide/2))
		value := func(x space.Point) float64 { return f.Value(x) }
		p := sim.Problem{Name: "ackley", Space: s, Value: value, Maximizers: space.PointsOf(f.Maximizers), Maximum: f.Maximum, Initial: paperInitial}
		if uneven {
			p.Observe = func(x space.Point, stream *rand.Rand) float64 {
				return value(x) + unevenNoise(x)*stream.NormFloat64()
			}
		}
		return p, err
	}
}

// unevenNoise is the standard deviation of the noise at x.
func unevenNoise(x space.Point) float64 { return math.Sqrt((math.Hypot(x[0], x[1]) + 10) / 20) }

func planAckley(in Input) (Plan, error) {
	var arms []Arm
	add := func(group, name, policy string, uneven bool) {
		s := study{problem: ackleyProblem(uneven), policy: policy, law: "fixed:1", rounds: in.Rounds}
		arms = append(arms, s.arm(group, name, paperInitial, regretsAndCoverage))
	}
	for _, c := range conformal {
		add(groupNoiseFree, c.name, c.policy, false)
	}
	for _, c := range conformal {
		add(groupUneven, c.name, c.policy, true)
	}
	for _, l := range []float64{1, 2.5, 5, 10, 20} {
		add(groupLengths, fmt.Sprintf("l = %g", l), fmt.Sprintf("locbo:eta=0.005:l=%g", l/ackleySide), true)
	}
	add(groupLengths, "l = inf", "locbo:eta=0.005:l=inf", true)
	for _, a := range []float64{0.05, 0.1, 0.2, 0.3, 0.5} {
		add(groupAlphas, fmt.Sprintf("alpha = %g", a), fmt.Sprintf("locbo:eta=0.005:l=0.25:alpha=%g", a), true)
	}
	for _, k := range []float64{1, 2, 4, 8, 25} {
		add(groupKappas, fmt.Sprintf("kappa = %g", k), fmt.Sprintf("locbo:eta=0.005:l=0.25:kappa=%g", k), true)
	}
	return Plan{Arms: arms, Facts: ackleyFacts(), Show: func(r Results) []Section {
		family := showConformal(r, []string{groupNoiseFree, groupUneven}, "locbo-ackley", "Regret on the Ackley function", "log-ei", in.Rounds)
		sweeps := showConformal(r, []string{groupLengths, groupAlphas, groupKappas}, "locbo-ackley-sweeps", "locbo with other constants", "log-ei", in.Rounds)
		return []Section{family, sweeps}
	}}, nil
}

func ackleyFacts() []Fact {
	return []Fact{
		{"model", "Matérn-5/2, hyperparameters and noise learned from the answers"},
		{"constants", "alpha = 0.2, kappa = 4, eta_t = 0.005 t^-0.05 as in the paper unless it says otherwise, forgetting 0.004; ocbo and ocbo-l follow 9 levels with eta = 0.05, ocbo-l with kappa = 5"},
		{"initial queries", "5, uniform; all methods have the same ones, and the same noise"},
	}
}

// ablations take the parts of locbo away, one at a time.
var ablations = []struct{ name, policy string }{
	{"log-ei", "log-ei"},
	{"locbo, l = 5", "locbo:l=0.25:eta=0.005"},
	{"locbo, l = 5, kappa = 2", "locbo:l=0.25:eta=0.005:kappa=2"},
	{"locbo, l = 20", "locbo:l=1:eta=0.005"},
	{"locbo, l = inf", "locbo:l=inf:eta=0.005"},
	{"threshold frozen at 0.2", "locbo:l=inf:eta=0"},
	{"threshold frozen at 0.01", "locbo:l=inf:eta=0:alpha=0.01"},
}

func planAblation(in Input) (Plan, error) {
	var arms []Arm
	for _, c := range ablations {
		s := study{problem: ackleyProblem(true), policy: c.policy, law: "fixed:1", rounds: in.Rounds}
		arms = append(arms, s.arm(groupUneven, c.name, paperInitial, regretsAndCoverage))
	}
	return Plan{Arms: arms, Facts: ackleyFacts(), Show: func(r Results) []Section {
		return []Section{showConformal(r, []string{groupUneven}, "locbo-ablation", "Regret on the Ackley function", "log-ei", in.Rounds)}
	}}, nil
}

// Curves of the experiments on calibration: shares of the answers judged, one number each.
const (
	coverCentral = "cover_central" // in the central 80 % of the model's own prediction
	coverIssued  = "cover_issued"  // in what the policy made of it
	coverWanted  = "cover_wanted"  // share that this should hold

	observedRegret = "observed_regret" // of the query with the greatest observed value, by queries after the initial ones
)

// regretsAndCoverage records both regrets, and how the forecasts did.
func regretsAndCoverage(s sim.Scenario, o sim.Performance) Record {
	r := regrets(s, o)
	r[observedRegret] = o.ObservedRegret
	r[coverCentral], r[coverIssued], r[coverWanted] = coverage(o.Result.Evaluations)
	return r
}

// coverage judges the forecasts that were issued: the central interval of the model, and the set or the levels of the
// policy. NaN without any.
func coverage(evaluations []loop.Evaluation) (central, issued, wanted []float64) {
	var judged, inside, corrected, held, target float64
	for _, e := range evaluations {
		f := e.Forecast
		if f == nil || !e.Status.Valued() || math.IsNaN(f.Conformity(e.Value)) {
			continue
		}
		judged++
		if f.Central(e.Value) {
			inside++
		}
		if share := f.Wanted(); share > 0 {
			corrected++
			target += share
			if f.Holds(e.Value) {
				held++
			}
		}
	}
	return []float64{100 * inside / judged}, []float64{100 * held / corrected}, []float64{100 * target / corrected}
}
