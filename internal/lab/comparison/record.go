package comparison

import (
	"encoding/json"
	"io"
	"math"
	"time"

	"github.com/tarry-bo/tarry/loop"
)

// record is one line of the JSON output: one run. All of it but WallMS follows from the command.
type record struct {
	Problem          string        `json:"problem"`
	Policy           string        `json:"policy"`
	Delay            string        `json:"delay"`
	Window           int           `json:"window"` // rounds; 0: none
	Strict           bool          `json:"strict"`
	Forget           float64       `json:"forget"` // chance; 0: never, as give_up
	Weigh            bool          `json:"weigh_pending"`
	GiveUp           float64       `json:"give_up"`
	Share            float64       `json:"window_share"`
	Noise            float64       `json:"noise"` // standard deviation in the problem's units
	Workers          int           `json:"workers"`
	Batch            int           `json:"batch"`
	Context          bool          `json:"context"`
	Seed             uint64        `json:"seed"`
	Initial          int           `json:"initial"`
	Rounds           int           `json:"rounds"`
	Answered         int           `json:"answered"`
	Late             int           `json:"late"`
	Fallbacks        int           `json:"fallbacks"`
	Coverage         loop.Coverage `json:"coverage"`
	SimpleRegret     numbers       `json:"simple_regret"`
	CumulativeRegret numbers       `json:"cumulative_regret"`
	WallMS           float64       `json:"wall_ms"`
}

// numbers is a list whose NaN are written as null.
type numbers []float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n numbers) MarshalJSON() ([]byte, error) {
	values := make([]*float64, len(n))
	for i, v := range n {
		if !math.IsNaN(v) {
			values[i] = &v
		}
	}
	return json.Marshal(values)
}

// recordOf is the line of a run.
func (c comparison) recordOf(r result) record {
	return record{
		Problem: c.problems[r.problem].name, Policy: c.policies[r.policy].Name,
		Delay: c.law.String(), Window: c.window, Strict: c.strict, Forget: c.forget, Weigh: c.weigh, GiveUp: c.giveUp, Share: c.share, Noise: r.noise,
		Workers: c.workers, Batch: c.batch, Context: c.contextual,
		Seed: c.seed + uint64(r.seed), Initial: r.initial, Rounds: c.rounds,
		Answered: r.answered, Late: r.late, Fallbacks: r.fallbacks, Coverage: r.coverage,
		SimpleRegret: r.simple, CumulativeRegret: r.cumulative,
		WallMS: float64(r.wall.Round(time.Microsecond)) / float64(time.Millisecond),
	}
}

// recorder returns a function that writes each run to w as a line.
func (c comparison) recorder(w io.Writer) func(result) error {
	encoder := json.NewEncoder(w)
	return func(r result) error { return encoder.Encode(c.recordOf(r)) }
}
