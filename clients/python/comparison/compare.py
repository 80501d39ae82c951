"""TarrySampler beside Optuna's own samplers where answers come late, in virtual time.

    python compare.py --seeds 10 --runs runs.jsonl

A trial starts every tick, whatever is still running, and its answer comes after a delay of Poisson(8) ticks, at least one. All samplers meet the same
chances of a seed: ten initial points, delays, noise. Each run is a line of the file, so that a comparison that was interrupted goes on; the table at
the end is of the seeds that every sampler has for every function. Simple regret is what is missing at the best point whose answer is known.
"""

import argparse
import json
import math
import os
import sys
import tempfile
import time
import warnings

import numpy
import optuna
from functions import SUITE
from optuna.distributions import FloatDistribution
from optuna.samplers import CmaEsSampler, QMCSampler, RandomSampler, TPESampler

import tarry
from tarry_optuna import TarrySampler

INITIAL, MEAN = 10, 8
FLOOR = 1e-10  # of regret, for the logarithm
NOISES = {"no noise": 0.0, "2 % noise": 0.02}  # of the standard deviation of the values


def start(function, seed):
    """A point at random: the middle of the box, where CMA-ES begins by itself, is the best point of two of the functions."""
    u = numpy.random.default_rng([seed, 1]).random(len(function.low))
    return {f"x{j}": low + v * (high - low) for j, (low, high, v) in enumerate(zip(function.low, function.high, u))}


SAMPLERS = {
    "tarry": lambda f, seed, client: TarrySampler(client, seed=seed, n_startup_trials=INITIAL),
    "TPE": lambda f, seed, client: TPESampler(seed=seed),
    "TPE, constant liar": lambda f, seed, client: TPESampler(seed=seed, constant_liar=True),
    "TPE, multivariate, constant liar": lambda f, seed, client: TPESampler(seed=seed, multivariate=True, constant_liar=True),
    "CMA-ES": lambda f, seed, client: CmaEsSampler(seed=seed, x0=start(f, seed), warn_independent_sampling=False),
    "quasi-random": lambda f, seed, client: QMCSampler(seed=seed, scramble=True, warn_independent_sampling=False),
    "random": lambda f, seed, client: RandomSampler(seed=seed),
}


def run(function, noise, sampler, seed, queries):
    """The simple regret after each of the queries, and the seconds of all suggestions."""
    space = {f"x{j}": FloatDistribution(low, high) for j, (low, high) in enumerate(zip(function.low, function.high))}
    chances = numpy.random.default_rng([seed, 0])
    delays = numpy.maximum(chances.poisson(MEAN, queries), 1)
    noises = chances.normal(0, 1, queries) * noise * function.stddev
    study = optuna.create_study(sampler=sampler)
    for u in chances.random((INITIAL, len(space))):
        study.enqueue_trial({name: d.low + v * (d.high - d.low) for (name, d), v in zip(space.items(), u)})
    due, best, regrets, seconds = {}, math.nan, [], 0.0
    for tick in range(1, queries + 2):
        for trial, value, regret in due.pop(tick, []):
            begun = time.perf_counter()
            study.tell(trial, value)
            seconds += time.perf_counter() - begun
            best = regret if math.isnan(best) else min(best, regret)
        if tick > 1:
            regrets.append(best)
        if tick <= queries:
            begun = time.perf_counter()
            trial = study.ask(space)
            seconds += time.perf_counter() - begun
            value = function.loss([trial.params[name] for name in space])
            due.setdefault(tick + int(delays[tick - 1]), []).append((trial, value + noises[tick - 1], max(value - function.least, 0)))
    return regrets, seconds


def suite(args):
    return [f for f in SUITE if not args.functions or f.name in args.functions.split(",")]


def after(args):
    return args.queries // 2, args.queries


def known(args):
    """The runs of as many queries that the file has."""
    if not os.path.exists(args.runs):
        return {}
    with open(args.runs) as lines:
        return {tuple(one["run"]): one for one in map(json.loads, lines) if one["queries"] == args.queries}


def measure(args, client):
    done = known(args)
    with open(args.runs, "a") as out:
        for seed in range(args.first, args.first + args.seeds):
            for noise in NOISES:
                for function in suite(args):
                    for name, make in SAMPLERS.items():
                        key = (function.name, noise, name, seed)
                        if key in done:
                            continue
                        regrets, seconds = run(function, NOISES[noise], make(function, seed, client), seed, args.queries)
                        done[key] = {"run": key, "queries": args.queries, "regret": [regrets[k - 1] for k in after(args)], "ms": seconds / args.queries * 1000}
                        out.write(json.dumps(done[key]) + "\n")
                        out.flush()
            print(f"seed {seed} is done", file=sys.stderr)
    return done


def estimate(values):
    """Mean ± standard error, as many digits as give the error two; below a thousandth with an exponent."""
    mean = numpy.mean(values)
    if len(values) < 2:
        return f"{mean:.2g}".replace("-", "−")
    error = numpy.std(values, ddof=1) / math.sqrt(len(values))
    if 0 < abs(mean) < 1e-3:
        text = f"{mean:.1e} ± {error:.1e}"
    else:
        digits = min(max(1 - math.floor(math.log10(error)), 0), 4) if error > 0 else 2
        text = f"{mean:.{digits}f} ± {error:.{digits}f}"
    return text.replace("-", "−")


def table(args, done):
    """Markdown: mean log10 of regret over the functions, regret at the end for each of them, milliseconds of a trial."""
    functions = suite(args)
    complete = [(f.name, n, s) for f in functions for n in NOISES for s in SAMPLERS]
    seeds = sorted(seed for seed in {key[3] for key in done} if all((*one, seed) in done for one in complete))

    def mean_log(noise, sampler, seed, i):
        return numpy.mean([math.log10(max(done[f.name, noise, sampler, seed]["regret"][i], FLOOR)) for f in functions])

    def rows(title, cells):
        print(f"| {' | '.join(title)} |\n{'| --- ' * len(title)}|")
        for sampler in SAMPLERS:
            print(f"| {' | '.join([sampler, *cells(sampler)])} |")

    print(f"{len(seeds)} seeds, {seeds[0]} … {seeds[-1]}; ± one standard error over the seeds.\n")
    print(f"Mean log10 of simple regret over {len(functions)} functions:\n")
    rows(
        ["sampler", *(f"{n}: after {k}" for n in NOISES for k in after(args)), "ms for a trial"],
        lambda s: [estimate([mean_log(n, s, seed, i) for seed in seeds]) for n in NOISES for i in range(2)]
        + [f"{numpy.mean([done[f.name, n, s, seed]['ms'] for f in functions for n in NOISES for seed in seeds]):.0f}"],
    )
    for n in NOISES:
        print(f"\nSimple regret after {args.queries}, {n}:\n")
        rows(["sampler", *(f.name for f in functions)], lambda s: [estimate([done[f.name, n, s, seed]["regret"][1] for seed in seeds]) for f in functions])


def main(doc, things, runs, measure, table):
    """What a command line asks for: measured beside a server of its own, and printed."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--queries", type=int, default=100, help="trials of a run, the initial ones included")
    parser.add_argument(f"--{things}", default="", help=f"names of {things}, with commas; all of them unless given")
    parser.add_argument("--runs", default=runs, help="file of the runs, which it goes on with")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tarry.serve(folder) as served:
        table(arguments, measure(arguments, served))


if __name__ == "__main__":
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    main(__doc__, "functions", "runs.jsonl", measure, table)
