package experiment

import (
	"math"
	"math/rand/v2"

	"github.com/tarry-bo/tarry/sim"
	"github.com/tarry-bo/tarry/space"
)

func init() {
	add(Experiment{
		Name: "locbo-delayed", Title: "Calibrated error bars when answers come late",
		About: "Four workers, each busy until its answer comes; forecasts are judged when their answers come, as they were issued. Delays are Poisson, " +
			"heavy-tailed (lognormal), or never end for 30 % of the queries; after 30 ticks a query is given up and has failed. The models are wrong in three ways: " +
			"noise that grows with |x| (Ackley), noise with heavy tails (Branin; Student's t with two degrees of freedom), and a function that is not " +
			"smooth where a smooth kernel is used (Alpine, SE kernel).",
		Rounds: 60,
		Plan:   planDelayed,
	})
}

// delayedLaws are the delays, in ticks.
var delayedLaws = []struct{ name, law string }{
	{"Poisson(5)", "poisson:5"},
	{"lognormal, mean 5", "lognormal:0.9,1.18"},
	{"30 % never", "never:0.3+poisson:5"},
}

// misspecified are problems whose model is wrong.
var misspecified = []struct {
	name    string
	problem func(uint64) (sim.Problem, error)
}{
	{"Ackley, uneven noise", ackleyProblem(true)},
	{"Branin, heavy tails", heavyTailed},
	{"Alpine, SE kernel", roughAlpine},
}

// delayedMethods have the constants that are the defaults here.
var delayedMethods = []struct{ name, policy string }{
	{"log-ei", "log-ei"},
	{"cbo", "cbo"},
	{"ocbo", "ocbo"},
	{"ocbo-l", "ocbo-l"},
	{"locbo, not localized", "locbo:l=inf"},
	{"locbo", "locbo"},
	{"gp-bucb", "gp-bucb"},
	{"random", "random"},
}

const (
	delayedWorkers = 4
	delayedTimeout = 30 // ticks
	tailScale      = 5  // of the noise with heavy tails; the values of Branin have a standard deviation of 51
	alpineNoise    = 0.1
)

// heavyTailed is Branin with noise of Student's t with two degrees of freedom, which has no variance.
func heavyTailed(seed uint64) (sim.Problem, error) {
	p, err := sim.NewProblem("branin", seed)
	value := p.Value
	p.Observe = func(x space.Point, stream *rand.Rand) float64 {
		return value(x) + tailScale*studentTwo(stream)
	}
	return p, err
}

// studentTwo draws from Student's t with two degrees of freedom: a normal over the root of an exponential.
func studentTwo(stream *rand.Rand) float64 {
	return stream.NormFloat64() / math.Sqrt(stream.ExpFloat64())
}

// roughAlpine is the Alpine function in four dimensions under a kernel that takes it to be smooth.
func roughAlpine(seed uint64) (sim.Problem, error) {
	p, err := sim.NewProblem("alpine1:4", seed)
	p.Model.Kernel, p.Noise = "se", alpineNoise
	return p, err
}

func planDelayed(in Input) (Plan, error) {
	var arms []Arm
	for _, m := range misspecified {
		for _, law := range delayedLaws {
			for _, c := range delayedMethods {
				s := study{problem: m.problem, policy: c.policy, law: law.law, rounds: in.Rounds, adjust: func(c *sim.Scenario) {
					c.Workers, c.Initial, c.Timeout = delayedWorkers, labInitial, delayedTimeout*sim.Tick
				}}
				arms = append(arms, s.arm(m.name+", "+law.name, c.name, labInitial, regretsAndCoverage))
			}
		}
	}
	facts := []Fact{
		{"workers", "4, busy until the answer comes"},
		{"initial queries", "10, uniform; all methods have the same ones, and the same noise and delays"},
	}
	return Plan{Arms: arms, Facts: facts, Show: func(r Results) []Section {
		return []Section{coverageSection(r), showConformal(r, r.Groups(), "locbo-delayed", "Regret under late answers", "log-ei", in.Rounds)}
	}}, nil
}

// coverageSection has the coverage of every method in all settings.
func coverageSection(r Results) Section {
	s := Section{Title: "Coverage under delay, want 80 %"}
	for _, c := range []struct{ caption, curve string }{
		{"Answers inside the model's own 80 % interval, %", coverCentral},
		{"Answers inside what the policy issued for 80 %, %", coverIssued},
	} {
		t := Table{Caption: c.caption, Head: append([]string{"method"}, r.Groups()...)}
		for _, arm := range r.Arms(r.Groups()[0]) {
			if arm == "random" {
				continue // issues no forecast
			}
			row := []string{arm}
			for _, g := range r.Groups() {
				row = append(row, r.At(g, arm, c.curve, 1).String())
			}
			t.Rows = append(t.Rows, row)
		}
		s.Tables = append(s.Tables, t)
	}
	return s
}
