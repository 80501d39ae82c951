package bench

import (
	"fmt"
	"math"
	"runtime"
	"strconv"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/stat"
)

// stretchRecord is one line of the JSON output: one stretch of a study. Times are in seconds; null stands for what there
// was none of.
type stretchRecord struct {
	Study         int    `json:"study"`
	From          int    `json:"from"`
	To            int    `json:"to"`
	Initial       int    `json:"initial"`
	Suggestions   int    `json:"suggestions"`
	Suggest       amount `json:"suggest_s"`
	SuggestP90    amount `json:"suggest_p90_s"`
	SuggestMax    amount `json:"suggest_max_s"`
	Rebuilds      int    `json:"rebuilds"`
	Rebuild       amount `json:"rebuild_s"`
	Fits          int    `json:"fits"`
	FitFailures   int    `json:"fit_failures"`
	Fit           amount `json:"fit_s"`
	FitMax        amount `json:"fit_max_s"`
	FitSum        amount `json:"fit_sum_s"`
	Rows          int    `json:"rows"`
	MostRows      int    `json:"rows_max"`
	HeapMB        amount `json:"heap_mb"`
	HeapMaxMB     amount `json:"heap_max_mb"`
	Fallbacks     int    `json:"fallbacks_so_far"`
	Best          amount `json:"best"`
	Regret        amount `json:"simple_regret"`
	Problem       string `json:"problem"`
	Dim           int    `json:"dim"`
	Pending       int    `json:"pending"`
	Policy        string `json:"policy"`
	Active        int    `json:"active"`
	Seed          uint64 `json:"seed"`
	Go            string `json:"go"`
	CPU           string `json:"cpu"`
	MaxProcessors int    `json:"gomaxprocs"`
}

// record is the line of a stretch.
func (s *longStudy) record(c stretch) stretchRecord {
	return stretchRecord{
		Study: s.benchmark.study, From: c.from, To: c.to, Initial: s.initial, Suggestions: c.suggestions,
		Suggest: amount(c.suggest.median), SuggestP90: amount(c.suggest.p90), SuggestMax: amount(c.suggest.max),
		Rebuilds: c.rebuilds, Rebuild: amount(c.rebuild), Fits: c.fits, FitFailures: c.fitFailures,
		Fit: amount(c.fit), FitMax: amount(c.fitMax), FitSum: amount(c.fitSum), Rows: c.rows, MostRows: c.mostRows,
		HeapMB: amount(c.heapMB), HeapMaxMB: amount(c.heapMaxMB), Fallbacks: c.fallbacks, Best: amount(c.best), Regret: amount(c.regret),
		Problem: s.Problem.Name, Dim: s.benchmark.dim, Pending: s.benchmark.pending, Policy: s.benchmark.policySpec, Active: s.Loop.Config().Model.Active,
		Seed: s.Seed, Go: runtime.Version(), CPU: processor(), MaxProcessors: s.benchmark.cpus,
	}
}

// conditions says in words what is played.
func (s *longStudy) conditions() string {
	text := fmt.Sprintf("%d-D, %d pending, noise sd %s %% of the values' sd, ", s.benchmark.dim, s.benchmark.pending, console.Short(100*study.NoiseShare))
	if s.Policy.Traits().Model {
		text += fmt.Sprintf("at most %d rows in the model, ", s.Loop.Config().Model.Active)
	}
	return text + fmt.Sprintf("seed %d", s.Seed)
}

// table has a row for each stretch.
func (s *longStudy) table() string {
	t := console.NewTable()
	t.AppendHeader(table.Row{"", "suggestion", "suggestion", "suggestion", "rebuild", "rebuild", "fit", "fit", "fit", "", "", "best", "simple"})
	t.AppendHeader(table.Row{"evaluations", "median", "90 %", "max", "n", "median", "n", "median", "sum", "rows", "MB", "answer", "regret"})
	for _, c := range s.stretches {
		t.AppendRow(table.Row{
			fmt.Sprintf("%d–%d", c.from, c.to), lapse(c.suggest.median), lapse(c.suggest.p90), lapse(c.suggest.max), c.rebuilds, lapse(c.rebuild),
			c.fits, lapse(c.fit), lapse(c.fitSum), c.rows, fmt.Sprintf("%.2f", c.heapMB), known(c.best), known(c.regret),
		})
	}
	t.SetColumnConfigs(console.RightFrom(1, 13))
	text := fmt.Sprintf("policy %s on %s: one study, %s, %s.\n", s.benchmark.policySpec, s.Problem.Name, s.extent(), s.conditions()) +
		t.Render() + fmt.Sprintf(`
A suggestion begins with the arrival of an answer and ends with the next query; the initial design, %s,
takes none. A rebuild is a suggestion right after new hyperparameters, or one with fewer rows than the one before; it
is a suggestion like the others and counted among them. Fits are made beside and are in no suggestion. Rows, MB, best
answer and regret hold at the end of a stretch. MB is what the study holds. The regret is the maximum less the
noise-free value where the best answer came from.
`, console.Plural(s.initial, "evaluation"))
	if n := s.Loop.Counters().Fallbacks; n > 0 {
		text += fmt.Sprintf("In %s the policy failed, and a point that fills the space took its place.\n", console.Plural(n, "suggestion"))
	}
	return text
}

// known prints a number with four digits.
func known(v float64) string {
	if math.IsNaN(v) {
		return stat.Unknown
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
