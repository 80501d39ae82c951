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

QUERIES, INITIAL, MEAN = 100, 10, 8
AFTER = (50, 100)
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


def run(function, noise, sampler, seed):
    """The simple regret after 1 … QUERIES queries, and the seconds of all suggestions."""
    space = {f"x{j}": FloatDistribution(low, high) for j, (low, high) in enumerate(zip(function.low, function.high))}
    chances = numpy.random.default_rng([seed, 0])
    delays = numpy.maximum(chances.poisson(MEAN, QUERIES), 1)
    noises = chances.normal(0, 1, QUERIES) * noise * function.stddev
    study = optuna.create_study(sampler=sampler)
    for u in chances.random((INITIAL, len(space))):
        study.enqueue_trial({name: d.low + v * (d.high - d.low) for (name, d), v in zip(space.items(), u)})
    due, best, regrets, seconds = {}, math.nan, [], 0.0
    for tick in range(1, QUERIES + 2):
        for trial, value, regret in due.pop(tick, []):
            begun = time.perf_counter()
            study.tell(trial, value)
            seconds += time.perf_counter() - begun
            best = regret if math.isnan(best) else min(best, regret)
        if tick > 1:
            regrets.append(best)
        if tick <= QUERIES:
            begun = time.perf_counter()
            trial = study.ask(space)
            seconds += time.perf_counter() - begun
            value = function.loss([trial.params[name] for name in space])
            due.setdefault(tick + int(delays[tick - 1]), []).append((trial, value + noises[tick - 1], max(value - function.least, 0)))
    return regrets, seconds


def measure(args, client):
    done = {}
    if os.path.exists(args.runs):
        with open(args.runs) as lines:
            done = {tuple(one["run"]): one for one in map(json.loads, lines)}
    with open(args.runs, "a") as out:
        for seed in range(args.first, args.first + args.seeds):
            for noise in NOISES:
                for function in SUITE:
                    for name, make in SAMPLERS.items():
                        key = (function.name, noise, name, seed)
                        if key in done:
                            continue
                        regrets, seconds = run(function, NOISES[noise], make(function, seed, client), seed)
                        done[key] = {"run": key, "regret": [regrets[k - 1] for k in AFTER], "ms": seconds / QUERIES * 1000}
                        out.write(json.dumps(done[key]) + "\n")
                        out.flush()
            print(f"seed {seed} is done", file=sys.stderr)
    return done


def estimate(values, form="{:.2f}"):
    values = numpy.array(values)
    error = values.std(ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{form.format(values.mean())} ± {form.format(error)}".replace("-", "−")


def table(done):
    """Markdown: mean log10 of regret over the functions, regret at the end for each of them, milliseconds of a suggestion."""
    complete = [(f.name, n, s) for f in SUITE for n in NOISES for s in SAMPLERS]
    seeds = sorted(seed for seed in {key[3] for key in done} if all((*one, seed) in done for one in complete))
    print(f"{len(seeds)} seeds, {seeds[0]} … {seeds[-1]}; ± one standard error over the seeds.\n")
    print("Mean log10 of simple regret over the six functions:\n")
    print("| sampler | " + " | ".join(f"{n}: after {k}" for n in NOISES for k in AFTER) + " | ms for a trial |\n" + "| --- " * (2 + len(NOISES) * len(AFTER)) + "|")
    for s in SAMPLERS:
        cells = []
        for n in NOISES:
            for i in range(len(AFTER)):
                cells.append(estimate([numpy.mean([math.log10(max(done[f.name, n, s, seed]["regret"][i], FLOOR)) for f in SUITE]) for seed in seeds]))
        cells.append(f"{numpy.mean([done[f.name, n, s, seed]['ms'] for f in SUITE for n in NOISES for seed in seeds]):.0f}")
        print(f"| {s} | " + " | ".join(cells) + " |")
    for n in NOISES:
        print(f"\nSimple regret after {AFTER[-1]}, {n}:\n\n| sampler | " + " | ".join(f.name for f in SUITE) + " |\n" + "| --- " * (1 + len(SUITE)) + "|")
        for s in SAMPLERS:
            print(f"| {s} | " + " | ".join(estimate([done[f.name, n, s, seed]["regret"][-1] for seed in seeds], "{:.2g}") for f in SUITE) + " |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--runs", default="runs.jsonl", help="file of the runs, which it goes on with")
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, tarry.serve(folder) as served:
        table(measure(arguments, served))
