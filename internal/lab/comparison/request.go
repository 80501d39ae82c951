package comparison

import (
	"runtime"
	"strconv"
	"strings"

	"github.com/tarry-bo/tarry/delay"
	"github.com/tarry-bo/tarry/internal/lab/console"
	"github.com/tarry-bo/tarry/loop"
)

// request is what the flags of a comparison say, each read but not yet judged against the others.
type request struct {
	problemList, policyList, lawSpec, noiseSpec, faultSpec string
	window, rounds, seeds, initial                         int
	seed                                                   uint64
	strict, contextual, weigh                              bool
	forget, giveUp, share                                  float64 // chances, and a share of the delays, as loop.Config has them
	workers, batch, retries, parallel                      int
	timeout                                                float64 // ticks
	json, plot                                             string
}

// maxNumbers bounds the rounds of all runs together, which are kept until the end.
const maxNumbers = 10_000_000

// addFlags are the flags of a comparison.
func (r *request) addFlags(f *console.Flags) {
	f.Text(&r.problemList, "problem", "`LIST` of problems, separated by commas; a dimension may follow, as in ackley:5 ('demo problems' lists all)")
	f.Text(&r.noiseSpec, "noise", "`SD` of the noise in the problem's units, or in percent of the sd of its values, as in 2%; empty means the problem's own")
	f.Whole(&r.initial, "initial", 0, loop.MaxBudget/2, "`QUERIES` of the initial design; 0 means the problem's own number")
	f.Toggle(&r.strict, "strict", "late answers never enter the model of policies that censor, as in Verma et al. 2022 (needs -window)")
	f.Number(&r.forget, "forget", 0, 0.5, "`CHANCE` of ever being heard of, as the delays so far say, at which the model leaves a pending query out; 0 means never")
	f.Toggle(&r.weigh, "weigh-pending", "a pending query counts in the model by that chance")
	f.Number(&r.giveUp, "give-up", 0, 0.5, "that `CHANCE` at which a pending query is lost, and its budget comes back; 0 means never")
	f.Number(&r.share, "window-share", 0, 0.99, "`SHARE` of the delays, as they are learned, that the window of a policy that censors holds; 0 means that -window says it")
	f.Toggle(&r.contextual, "context", "the world draws the first parameter of each query, the policy chooses the others")
	f.Whole(&r.workers, "workers", 0, loop.MaxWorkers, "`W` workers, each busy for the delay of its query; 0 means one query every tick, whatever is pending")
	f.Whole(&r.batch, "batch", 0, loop.MaxBudget, "`Q` queries a batch: the next starts when all of the last have an outcome; 0 means none")
	f.Number(&r.timeout, "timeout", 0, delay.MaxDelay, "`TICKS` after which an evaluation is given up; 0 means never")
	f.Whole(&r.retries, "retries", 0, loop.MaxRetries, "`NUMBER` of further attempts at an evaluation that failed or timed out")
	f.Text(&r.faultSpec, "faults", "`FAULTS` and their probabilities, as in drop:0.1,duplicate:0.05,fail:0.02,stall:0.01")
	f.Text(&r.json, "json", "`FILE` for one JSON object a line for each problem, policy and seed; - means standard output")
	f.Text(&r.policyList, "policies", "`LIST` of policies, separated by commas; options follow a colon, as in ucb-sdf:nu=1 ('demo policies' lists all)")
	f.Text(&r.lawSpec, "delay", "`LAW` of the delays, in ticks: "+strings.Join(delay.Laws(), ", "))
	f.Whole(&r.window, "window", 0, loop.MaxBudget, "`ROUNDS` after which an answer is late for policies that censor; 0 means never")
	f.Whole(&r.rounds, "rounds", 1, loop.MaxBudget, "`QUERIES` of a run after the initial ones")
	f.Whole(&r.seeds, "seeds", 1, console.MaxSeeds, "`NUMBER` of runs of each policy, with the seeds seed, seed+1, ...")
	f.Seed(&r.seed, "seed", "first `SEED`; it decides everything but the time it takes")
	f.Whole(&r.parallel, "parallel", 1, console.MaxParallel, "`RUNS` at once; changes the time only")
	f.Text(&r.plot, "plot", "picture `FILE` that ends in .png or .svg; both are written")
}

func newRequest() request {
	return request{lawSpec: "poisson:10", seed: 1, parallel: min(runtime.GOMAXPROCS(0), console.MaxParallel)}
}

// commandLine is the command that reproduces the results, to the bit.
func (r request) commandLine() string {
	args := []string{"go", "run", "./cmd/demo", "sim"}
	add := func(name, text string, given bool) {
		if given {
			args = append(args, "-"+name, console.Quoted(text))
		}
	}
	add("problem", r.problemList, true)
	add("policies", r.policyList, true)
	add("delay", r.lawSpec, true)
	add("window", strconv.Itoa(r.window), true)
	if r.strict {
		args = append(args, "-strict")
	}
	add("forget", console.Short(r.forget), r.forget > 0)
	if r.weigh {
		args = append(args, "-weigh-pending")
	}
	add("give-up", console.Short(r.giveUp), r.giveUp > 0)
	add("window-share", console.Short(r.share), r.share > 0)
	add("rounds", strconv.Itoa(r.rounds), true)
	add("initial", strconv.Itoa(r.initial), r.initial > 0)
	add("seeds", strconv.Itoa(r.seeds), true)
	add("seed", strconv.FormatUint(r.seed, 10), true)
	add("noise", r.noiseSpec, r.noiseSpec != "")
	add("workers", strconv.Itoa(r.workers), r.workers > 0)
	add("batch", strconv.Itoa(r.batch), r.batch > 0)
	if r.contextual {
		args = append(args, "-context")
	}
	add("faults", r.faultSpec, r.faultSpec != "")
	add("timeout", console.Short(r.timeout), r.timeout > 0)
	add("retries", strconv.Itoa(r.retries), r.retries > 0)
	add("json", r.json, r.json != "")
	add("plot", r.plot, r.plot != "")
	return strings.Join(args, " ")
}
