package bench

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/internal/stat"
)

// record is one line of the JSON output: one number of answers. Times are in seconds; null stands for what was not
// measured.
type record struct {
	N             int    `json:"n"`
	Rows          int    `json:"rows"`
	Dim           int    `json:"dim"`
	Pending       int    `json:"pending"`
	Policy        string `json:"policy"`
	Repeats       int    `json:"repeats"`
	Suggest       amount `json:"suggest_s"`
	SuggestMean   amount `json:"suggest_mean_s"`
	SuggestFits   amount `json:"suggest_mean_and_fits_s"`
	SuggestP90    amount `json:"suggest_p90_s"`
	SuggestMax    amount `json:"suggest_max_s"`
	Model         amount `json:"model_s"`
	Search        amount `json:"search_s"`
	Rebuild       amount `json:"rebuild_s"`
	WithFit       amount `json:"suggest_with_fit_s"`
	Retarget      amount `json:"retarget_s"`
	Fit           amount `json:"fit_s"`
	Evaluations   int    `json:"fit_evaluations"`
	FitRows       int    `json:"fit_rows"`
	HeapMB        amount `json:"heap_mb"`
	HeapPeakMB    amount `json:"heap_peak_mb"`
	Allocated     amount `json:"alloc_bytes"`
	Seed          uint64 `json:"seed"`
	Go            string `json:"go"`
	CPU           string `json:"cpu"`
	MaxProcessors int    `json:"gomaxprocs"`
}

// amount is a number whose NaN is written as null.
type amount float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (a amount) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(a)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(a))
}

// encode writes the line of one number of answers.
func (b benchmark) encode(w io.Writer, c costs) error {
	return json.NewEncoder(w).Encode(record{
		N: c.n, Rows: c.rows, Dim: b.dim, Pending: b.pending, Policy: b.policySpec, Repeats: c.timed,
		Suggest: amount(c.suggest.median), SuggestMean: amount(c.mean), SuggestFits: amount(c.share), SuggestP90: amount(c.suggest.p90), SuggestMax: amount(c.suggest.max),
		Model: amount(c.model), Search: amount(c.search), Rebuild: amount(c.rebuild), WithFit: amount(c.withFit),
		Retarget: amount(c.retarget), Fit: amount(c.fit), Evaluations: c.fitEvaluations, FitRows: c.fitRows,
		HeapMB: amount(c.heapMB), HeapPeakMB: amount(c.heapPeakMB), Allocated: amount(c.allocated),
		Seed: b.seed, Go: runtime.Version(), CPU: processor(), MaxProcessors: b.cpus,
	})
}

// costTable has a row for each number of answers.
func (b benchmark) costTable(all []costs) string {
	t := console.NewTable()
	t.AppendHeader(table.Row{"", "", "suggestion", "suggestion", "suggestion", "mean with", "of that", "of that", "suggestion", "suggestion", "", "", ""})
	t.AppendHeader(table.Row{"n", "rows", "median", "90 %", "mean", "fits", "model", "search", "rebuild", "with fit", "retarget", "fit", "MB"})
	for _, c := range all {
		t.AppendRow(table.Row{
			c.n, c.rows, lapse(c.suggest.median), lapse(c.suggest.p90), lapse(c.mean), lapse(c.share), lapse(c.model), lapse(c.search), lapse(c.rebuild), lapse(c.withFit),
			lapse(c.retarget), lapse(c.fit), fmt.Sprintf("%.2f", c.heapMB),
		})
	}
	t.SetColumnConfigs(console.RightFrom(1, 13))
	return fmt.Sprintf("policy %s on %s, %d-D, %d pending, noise sd %s %% of the values' sd.\n", b.policySpec, b.Problem.Name, b.dim, b.pending, console.Short(100*study.NoiseShare)) +
		t.Render() + `
A suggestion begins with the arrival of an answer and ends with the next query. The model of its time is the posterior,
the search the policy. Mean with fits adds what a suggestion bears of the next fit, which comes when the answers have
grown by a fifth, and of the factor made anew. The first one, whose factor is made from scratch, is under rebuild. The numbers with fit hold
while fits run on one CPU more. A fit starts from the hyperparameters of the last. MB is what the study holds.
`
}

// lapse prints seconds with three digits.
func lapse(seconds float64) string {
	switch {
	case math.IsNaN(seconds):
		return stat.Unknown
	case seconds < 0.9995e-3:
		return strconv.FormatFloat(seconds*1e6, 'g', 3, 64) + " µs"
	case seconds < 0.9995:
		return strconv.FormatFloat(seconds*1e3, 'g', 3, 64) + " ms"
	case seconds < 999.5:
		return strconv.FormatFloat(seconds, 'g', 3, 64) + " s"
	}
	return strconv.FormatFloat(seconds, 'f', 0, 64) + " s"
}

// machine says on what the numbers hold.
func (b benchmark) machine() string {
	return fmt.Sprintf("measured on %s/%s, %s, %s, GOMAXPROCS=%d", runtime.GOOS, runtime.GOARCH, processor(), runtime.Version(), b.cpus)
}

// processor is the model of the CPU, where Linux says it.
func processor() string {
	const none = "unknown CPU"
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return none
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if name, value, _ := strings.Cut(lines.Text(), ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return none
}
