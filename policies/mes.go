package policies

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tarry-bo/tarry/acquisition"
	"github.com/tarry-bo/tarry/feedback"
	"github.com/tarry-bo/tarry/space"
)

// MES maximizes what the next value is expected to tell about the maximum of the function: max-value entropy search. Its noise is
// counted, as Takeno et al. 2020 do. Where the paper takes the maximum from a Gumbel law the default draws it jointly at the best
// points, since the law takes values for independent and is too high: without noise it measured worse, with noise the same. No margin
// is added to what is known to be reached. A share of the queries, Greedy, goes where the posterior mean is greatest, as Hvarfner et al.
// 2022 propose for entropy search (γ-exploit) lest it goes on learning what the model misjudges; here they are every so many queries.
// With Pending = Hallucinate a pending query counts as answered with its posterior mean. Before the first answer it chooses uniformly.
type MES struct {
	Pending feedback.Imputation
	Samples int // of the maximum; 0 means 10
	Maxima  Maxima
	Gain    Gain
	Greedy  float64 // share of the queries that maximize the posterior mean instead
}

// Gain says how information is counted.
type Gain int

// The gains.
const (
	ExactGain   Gain = iota // of the law that a value has when the maximum is told
	MatchedGain             // as if that law were normal, a lower bound (Moss et al. 2021)
)

const (
	defaultGreedy = 0.25
	defaultMaxima = 10
	maxMaxima     = 1000
)

var _ = Register(Entry{
	Name:    "mes",
	Summary: "max-value entropy search; pending queries hallucinated at their posterior mean",
	Source:  "Wang & Jegelka 2017 (MES); noise: Takeno et al. 2020, Moss et al. 2021 (GIBBON); greedy: Hvarfner et al. 2022; pending: Ginsbourger et al. 2010",
}, MES{Pending: feedback.Hallucinate, Greedy: defaultGreedy})

// Settings are the options.
func (p *MES) Settings() Settings {
	return Settings{
		Whole("samples", &p.Samples, defaultMaxima, 1, maxMaxima, "samples of the maximum"),
		p.Maxima.Setting(),
		Choice("gain", &p.Gain, ExactGain, []string{ExactGain: "exact", MatchedGain: "matched"}, "information itself, or a lower bound of it"),
		Exact("greedy", &p.Greedy, defaultGreedy, Range{Low: 0, High: 1}, "share of the queries that maximize the mean"),
		Pending(&p.Pending),
	}
}

// Traits asks for a posterior with pending queries as Pending says.
func (p MES) Traits() Traits {
	return Traits{Name: NameOf("mes", p.Settings()), Model: true, Pending: p.Pending}
}

// Propose maximizes the logarithm of the gain or, when it is its turn, the mean.
func (p MES) Propose(view View, count int, stream *rand.Rand) ([]Proposal, error) {
	return Sequential(view, count, p.Pending, func(v View, avoid []space.Unit) space.Unit {
		if !v.Informed() {
			return v.Random(stream, avoid)
		}
		if turns(p.Greedy, v.Round) {
			return v.Maximize(acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{}}, avoid, stream)
		}
		return v.MaximizeGain(p.gain(v, stream), avoid, stream)
	}), nil
}

// turns reports whether it is the turn of the mean: so that of any number of rounds a share is greedy.
func turns(greedy float64, round int) bool {
	return math.Floor(greedy*float64(round)) > math.Floor(greedy*float64(round-1))
}

// gain is the logarithm of the gain for new samples of the maximum. Roughly it orders points as the probability to be above their
// median does, which it does exactly for one sample without noise.
func (p MES) gain(v View, stream *rand.Rand) acquisition.There {
	count := p.Samples
	if count == 0 {
		count = defaultMaxima
	}
	sampled := p.Maxima.Sample(v, count, stream)
	slices.Sort(sampled)
	return v.informing(sampled, p.Gain == MatchedGain)
}

// informing is the logarithm of what a value tells about the maximum, of which there are some samples in ascending order.
func (v View) informing(sampled []float64, matched bool) acquisition.There {
	return acquisition.There{
		Posterior: v.Posterior, Utility: acquisition.Anywhere{Utility: acquisition.LogEntropyGain{Maxima: sampled, Noise: v.Posterior.Noise(), Matched: matched}},
		Rough: acquisition.LogProbabilityOfImprovement{Best: sampled[len(sampled)/2]},
	}
}

// The names of the samples at both ends.
const (
	leastSample    = "{least|greatest} sample of the {maximum|minimum}"
	greatestSample = "{greatest|least} sample of the {maximum|minimum}"
)

// Explain returns the mean when it is its turn, otherwise the logarithm of the gain with the least, the middle and the greatest sample
// of the maximum.
func (p MES) Explain(v View, stream *rand.Rand) (Explanation, error) {
	if !v.Informed() {
		return uninformed(), nil
	}
	if turns(p.Greedy, v.Round) {
		return Explanation{
			Acquisition: "posterior mean", Of: Level, Why: "some of the queries go where the value is expected to be {greatest|least}, whatever they tell",
			Function: acquisition.At{Posterior: v.Posterior, Utility: acquisition.UpperConfidenceBound{}},
		}, nil
	}
	f := p.gain(v, stream)
	sampled := f.Utility.(acquisition.Anywhere).Utility.(acquisition.LogEntropyGain).Maxima
	return Explanation{
		Acquisition: "log information about the {maximum|minimum}", Of: LogInformation, Why: "how much the value is expected to tell about the {greatest|least} value of the function",
		Numbers: []Figure{
			{leastSample, Level, sampled[0]},
			{"median of the samples", Level, sampled[len(sampled)/2]},
			{greatestSample, Level, sampled[len(sampled)-1]},
		},
		Function: v.IfFeasible(f),
	}, nil
}
