package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/internal/check"
	"github.com/tarry-bo/tarry/loop"
	"github.com/tarry-bo/tarry/policies"
)

// benchCommand is the command of that name.
func benchCommand() command {
	return command{"bench", "measure what a suggestion and a fit cost", measureCosts, func(w io.Writer) error {
		_, f := newBench()
		return f.explain(w)
	}}
}

// benchRequest is what the flags of a benchmark say, each read but not yet judged against the others.
type benchRequest struct {
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

func newBench() (*benchRequest, *flags) {
	r := &benchRequest{
		sizeList: "50,100,200,500,1000,2000,4000", policySpec: "gp-bucb",
		dim: 6, pending: 8, cpus: 1, seed: 1,
	}
	f := newFlags("bench", benchHelp)
	f.text(&r.sizeList, "n", "`LIST` of numbers of answers in the model, separated by commas")
	f.whole(&r.dim, "dim", 1, maxAxes, "`D` parameters: hartmann6 with 6, otherwise levy in D dimensions")
	f.whole(&r.pending, "pending", 1, 1024, "`QUERIES` under way at any time")
	f.text(&r.policySpec, "policy", "`POLICY`; options follow a colon, as in gp-bucb:beta=2 ('demo policies' lists all)")
	f.whole(&r.repeats, "repeats", 0, maxRepeats, "`SUGGESTIONS` that are timed for each number of answers; 0 means as many as fit in about a second, 5 to 200")
	f.whole(&r.study, "study", 0, loop.MaxBudget, "`EVALUATIONS` of one whole study that is measured from beginning to end, in place of -n; 0 means none")
	f.whole(&r.active, "active", 0, loop.MaxBudget, "most `ROWS` of the model of that study; 0 means the default of the engine")
	f.text(&r.plot, "plot", "picture `FILE` of that study that ends in .png or .svg; both are written")
	f.text(&r.json, "json", "`FILE` for one JSON object a line for each number of answers, or stretch of a study; - means standard output")
	f.seed(&r.seed, "seed", "`SEED` of points, noise and policy")
	f.whole(&r.cpus, "cpu", 1, maxParallel, "`CPUS` that may be used at once (GOMAXPROCS)")
	return r, f
}

// commandLine is the command that measures the same again.
func (r benchRequest) commandLine() string {
	if r.study > 0 {
		return r.longCommandLine()
	}
	args := []string{
		"go run ./cmd/demo bench -n", quoted(r.sizeList), "-dim", strconv.Itoa(r.dim), "-pending", strconv.Itoa(r.pending),
		"-policy", quoted(r.policySpec), "-repeats", strconv.Itoa(r.repeats),
	}
	args = append(args, "-seed", strconv.FormatUint(r.seed, 10), "-cpu", strconv.Itoa(r.cpus))
	if r.json != "" {
		args = append(args, "-json", quoted(r.json))
	}
	return strings.Join(args, " ")
}

// benchmark is a request that was found sound.
type benchmark struct {
	benchRequest
	setting
	sizes []int
}

// settleBench turns a request into a benchmark that can run. The error is usage with every violation.
func settleBench(r *benchRequest, f *flags) (benchmark, error) {
	b := benchmark{benchRequest: *r, sizes: readSizes(&f.errs, r.sizeList)}
	policy, err := policies.Parse(r.policySpec)
	if err != nil {
		f.errs.Join(blame("-policy", err))
	} else {
		f.errs.Require(policy.Traits().Barrier <= 1, "-policy", r.policySpec, "a policy that makes no batches")
	}
	if r.json != "" && r.json != toStdout {
		f.errs.Join(writable("-json", r.json))
	}
	r.judgeLong(f)
	if b.setting, err = newSetting(policy, r.dim, r.pending); err != nil {
		return b, err
	}
	if b.study > 0 && b.policy != nil {
		f.errs.Join(blame("-active", b.config(b.longConfig(), b.seed).Validate()))
	}
	return b, f.refusal()
}

// readSizes reads a list of different numbers of answers.
func readSizes(l *check.List, list string) []int {
	var out []int
	seen := map[int]bool{}
	for _, text := range strings.Split(list, ",") {
		n, err := strconv.Atoi(text)
		switch {
		case err != nil || n < minAnswers || n > maxAnswers:
			l.Add("-n", strconv.Quote(text), fmt.Sprintf("whole numbers with %d ≤ n ≤ %d, separated by commas", minAnswers, maxAnswers))
		case seen[n]:
			l.Add("-n", n, "each number once")
		default:
			out, seen[n] = append(out, n), true
		}
	}
	return out
}

// measureCosts is the command bench: what a suggestion and a fit cost.
func measureCosts(ctx context.Context, args []string, k console) error {
	r, f := newBench()
	if err := f.parse(args, k); err != nil {
		return err
	}
	b, err := settleBench(r, f)
	if err != nil {
		return err
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(b.cpus))
	w := k.stdout
	if b.json == toStdout {
		w = k.stderr
	}
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
func (b benchmark) perform(ctx context.Context, k console) (done []costs, err error) {
	lines, closeLines, err := b.openLines(k)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closeLines()) }()
	note := newNotice(k, b.json == toStdout)
	defer note.clear()
	for i, n := range b.sizes {
		c, err := b.size(ctx, n, func(what string) {
			note.show(fmt.Sprintf("%d of %s: n = %d, %s", i, plural(len(b.sizes), "size"), n, what))
		})
		note.clear()
		switch {
		case err != nil && ctx.Err() != nil:
			return done, interrupted{fmt.Sprintf("%d of %s are complete, and only they are in the results", len(done), plural(len(b.sizes), "size"))}
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

// openLines returns what takes the lines for machines, and what ends it.
func (b benchmark) openLines(k console) (io.Writer, func() error, error) {
	nothing := func() error { return nil }
	switch b.json {
	case "":
		return io.Discard, nothing, nil
	case toStdout:
		return k.stdout, nothing, nil
	}
	file, err := os.Create(b.json)
	if err != nil {
		return nil, nil, err
	}
	return file, file.Close, nil
}
