"""TarrySampler beside Optuna's own samplers on models that are really trained, where answers come late, in virtual time.

    python trained.py --seeds 10 --runs trained.jsonl

Time and chances are those of compare.py. Nobody knows the best loss: regret is what is missing to the best of all samplers with a seed, in units of the
distance from that to the median of the ten initial points, and not less than a thousandth of it.
"""

import json
import math
import os
import sys
import warnings

import numpy
import optuna
from compare import INITIAL, MEAN, estimate, main
from models import MODELS, problem
from optuna.samplers import RandomSampler, TPESampler

from tarry_optuna import TarrySampler

FLOOR = 1e-3
SAMPLERS = {
    "tarry": lambda seed, client: TarrySampler(client, seed=seed, n_startup_trials=INITIAL),
    "tarry, gp-bucb": lambda seed, client: TarrySampler(client, seed=seed, n_startup_trials=INITIAL, policy="gp-bucb"),
    "tarry, log-ei": lambda seed, client: TarrySampler(client, seed=seed, n_startup_trials=INITIAL, policy="log-ei"),
    "TPE": lambda seed, client: TPESampler(seed=seed),
    "TPE, constant liar": lambda seed, client: TPESampler(seed=seed, constant_liar=True),
    "TPE, multivariate, constant liar": lambda seed, client: TPESampler(seed=seed, multivariate=True, constant_liar=True),
    "random": lambda seed, client: RandomSampler(seed=seed),
}


def run(model, sampler, seed, queries):
    """The losses of the trials, in order. What is out when the last of them starts is trained too, and counts."""
    loss, chances = problem(model, seed), numpy.random.default_rng([seed, 0])
    delays = numpy.maximum(chances.poisson(MEAN, queries), 1)
    study = optuna.create_study(sampler=sampler)
    uniform = optuna.create_study(sampler=RandomSampler(seed=seed))
    for _ in range(INITIAL):
        study.enqueue_trial(uniform.ask(model.space).params)
    due, losses = {}, []
    for tick in range(1, queries + 1):
        for trial, value in due.pop(tick, []):
            study.tell(trial, value)
        trial = study.ask(model.space)
        losses.append(loss(trial.params))
        due.setdefault(tick + int(delays[tick - 1]), []).append((trial, losses[-1]))
    return losses


def chosen(args):
    return [m for m in MODELS if not args.models or m.name in args.models.split(",")]


def measure(args, client):
    done = {}
    if os.path.exists(args.runs):
        with open(args.runs) as lines:
            done = {tuple(one["run"]): one["losses"] for one in map(json.loads, lines) if len(one["losses"]) == args.queries}
    with open(args.runs, "a") as out:
        for seed in range(args.first, args.first + args.seeds):
            for model in chosen(args):
                for name, make in SAMPLERS.items():
                    key = (model.name, name, seed)
                    if key not in done:
                        done[key] = run(model, make(seed, client), seed, args.queries)
                        out.write(json.dumps({"run": key, "losses": done[key]}) + "\n")
                        out.flush()
            print(f"seed {seed} is done", file=sys.stderr)
    return done


def table(args, done):
    """Markdown: mean log10 of regret over the models, at the end for each of them, and mean ranks."""
    models = [m.name for m in chosen(args)]
    seeds = sorted(seed for seed in {key[2] for key in done} if all((m, s, seed) in done for m in models for s in SAMPLERS))

    def regret(model, sampler, seed, queries):
        best = min(min(done[model, s, seed]) for s in SAMPLERS)
        unit = numpy.median(done[model, sampler, seed][:INITIAL]) - best
        missing = min(done[model, sampler, seed][:queries]) - best
        return math.log10(max(missing / unit, FLOOR)) if missing > 0 else math.log10(FLOOR)

    def rank(model, sampler, seed):
        mine = min(done[model, sampler, seed])
        others = [min(done[model, s, seed]) for s in SAMPLERS]
        return sum(o < mine for o in others) + (sum(o == mine for o in others) + 1) / 2

    def mean(of, sampler, *more):
        return estimate([numpy.mean([of(m, sampler, seed, *more) for m in models]) for seed in seeds])

    print(f"{len(seeds)} seeds, {seeds[0]} … {seeds[-1]}; ± one standard error over the seeds.\n")
    print(f"| sampler | after {args.queries // 2} | after {args.queries} | mean rank of {len(SAMPLERS)} |\n| --- | --- | --- | --- |")
    for s in SAMPLERS:
        print(f"| {s} | {mean(regret, s, args.queries // 2)} | {mean(regret, s, args.queries)} | {mean(rank, s)} |")
    print(f"\nAfter {args.queries}, by model:\n\n| sampler | {' | '.join(models)} |\n{'| --- ' * (len(models) + 1)}|")
    for s in SAMPLERS:
        print(f"| {s} | {' | '.join(estimate([regret(m, s, seed, args.queries) for seed in seeds]) for m in models)} |")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(__doc__, "models", "trained.jsonl", measure, table)
