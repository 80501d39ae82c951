// Package bench is the command bench: what a suggestion and a fit cost, at some numbers of answers or over one long study.
package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/internal/lab/study"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// Command is the command of that name.
func Command() console.Command {
	return console.Flagged("bench", "measure what a suggestion and a fit cost", newBench, measureCosts)
}

// request is what the flags of a benchmark say, each read but not yet judged against the others.
type request struct {
	sizeList, policySpec, json, plot           string
	dim, pending, repeats, cpus, study, active int
	seed                                       uint64
}

// Limits of a benchmark.
const (
	maxAnswers = 20_000
	maxRepeats = 10_000
	maxAxes    = 100
)

func newBench() (*request, *console.Flags) {
	r := &request{
		sizeList: "50,100,200,500,1000,2000,4000", policySpec: policies.Default,
		dim: 6, pending: 8, cpus: 1, seed: 1,
	}
	f := console.NewFlags("bench", helpText)
	f.Text(&r.sizeList, "n", "`LIST` of numbers of answers in the model, separated by commas")
	f.Whole(&r.dim, "dim", 1, maxAxes, "`D` parameters: hartmann6 with 6, otherwise levy in D dimensions")
	f.Whole(&r.pending, "pending", 1, 1024, "`QUERIES` under way at any time")
	f.Text(&r.policySpec, "policy", "`POLICY`; options follow a colon, as in gp-bucb:beta=2 ('demo policies' lists all)")
	f.Whole(&r.repeats, "repeats", 0, maxRepeats, "`SUGGESTIONS` that are timed for each number of answers; 0 means as many as fit in about a second, 5 to 200")
	f.Whole(&r.study, "study", 0, loop.MaxBudget, "`EVALUATIONS` of one whole study that is measured from beginning to end, in place of -n; 0 means none")
	f.Whole(&r.active, "active", 0, loop.MaxBudget, "most `ROWS` of the model of that study; 0 means the default of the engine")
	f.Text(&r.plot, "plot", "picture `FILE` of that study that ends in .png or .svg; both are written")
	f.Text(&r.json, "json", "`FILE` for one JSON object a line for each number of answers, or stretch of a study; - means standard output")
	f.Seed(&r.seed, "seed", "`SEED` of points, noise and policy")
	f.Whole(&r.cpus, "cpu", 1, console.MaxParallel, "`CPUS` that may be used at once (GOMAXPROCS)")
	return r, f
}

// commandLine is the command that measures the same again.
func (r request) commandLine() string {
	if r.study > 0 {
		return r.longCommandLine()
	}
	args := []string{
		"go run ./cmd/demo bench -n", console.Quoted(r.sizeList), "-dim", strconv.Itoa(r.dim), "-pending", strconv.Itoa(r.pending),
		"-policy", console.Quoted(r.policySpec), "-repeats", strconv.Itoa(r.repeats),
	}
	args = append(args, "-seed", strconv.FormatUint(r.seed, 10), "-cpu", strconv.Itoa(r.cpus))
	if r.json != "" {
		args = append(args, "-json", console.Quoted(r.json))
	}
	return strings.Join(args, " ")
}

// benchmark is a request that was found sound.
type benchmark struct {
	request
	study.Setting
	sizes []int
}

// settleBench turns a request into a benchmark that can run. The error is usage with every violation.
func settleBench(r *request, f *console.Flags) (benchmark, error) {
	b := benchmark{request: *r, sizes: readSizes(&f.Errs, r.sizeList)}
	policy, err := policies.Parse(r.policySpec)
	if err != nil {
		f.Errs.Join(console.Blame("-policy", err))
	} else {
		f.Errs.Require(policy.Traits().Barrier <= 1, "-policy", r.policySpec, "a policy that makes no batches")
	}
	if r.json != "" && r.json != console.ToStdout {
		f.Errs.Join(console.Writable("-json", r.json))
	}
	r.judgeLong(f)
	if b.Setting, err = study.NewSetting(policy, r.dim, r.pending); err != nil {
		return b, err
	}
	if b.Policy != nil {
		f.Errs.Join(b.possible())
	}
	return b, f.Refusal()
}

// possible returns nil when the study can be made. What is wrong without -active is the fault of the policy.
func (b benchmark) possible() error {
	on := fmt.Sprintf("-policy %s on problem %s", b.policySpec, b.Problem.Name)
	if err := b.Config(loop.Config{Budget: loop.MaxBudget}, b.seed).Validate(); err != nil || b.study == 0 {
		return console.Blame(on, err)
	}
	return console.Blame("-active", b.Config(b.longConfig(), b.seed).Validate())
}

// readSizes reads a list of different numbers of answers.
func readSizes(l *check.List, list string) []int {
	var out []int
	seen := map[int]bool{}
	for _, text := range strings.Split(list, ",") {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < study.MinAnswers || n > maxAnswers:
			l.Add("-n", strconv.Quote(text), fmt.Sprintf("whole numbers with %d ≤ n ≤ %d, separated by commas", study.MinAnswers, maxAnswers))
		case seen[n]:
			l.Add("-n", n, "each number once")
		default:
			out, seen[n] = append(out, n), true
		}
	}
	return out
}

// measureCosts is the command bench: what a suggestion and a fit cost.
func measureCosts(ctx context.Context, r *request, f *console.Flags, k console.Streams) error {
	b, err := settleBench(r, f)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(b.cpus))
	w := console.Human(b.json, k)
	if b.study > 0 {
		return b.measureLong(ctx, k, w)
	}
	done, err := b.perform(ctx, k)
	if len(done) > 0 {
		fmt.Fprint(w, b.costTable(done), "\n")
	}
	fmt.Fprintf(w, "%s\nreproduce: %s\n", b.machine(), b.commandLine())
	return err
}

// perform measures every size and writes the lines for machines. With an error it returns the sizes that were complete.
func (b benchmark) perform(ctx context.Context, k console.Streams) (done []costs, err error) {
	lines, closeLines, err := console.Lines(b.json, k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeLines()) }()
	note := console.NewNotice(k, b.json == console.ToStdout)
	defer note.Clear()
	for i, n := range b.sizes {
		c, err := b.size(ctx, n, func(what string) {
			note.Show(fmt.Sprintf("%d of %s: n = %d, %s", i, console.Plural(len(b.sizes), "size"), n, what))
		})
		note.Clear()
		switch {
		case err != nil && ctx.Err() != nil:
			return done, console.Interrupted{State: fmt.Sprintf("%d of %s are complete, and only they are in the results", len(done), console.Plural(len(b.sizes), "size"))}
		case err != nil:
			return done, fmt.Errorf("policy %s, n = %d: %w", b.policySpec, n, err)
		}
		done = append(done, c)
		if err := b.encode(lines, c); err != nil {
			return done, err
		}
	}
	return done, nil
}
