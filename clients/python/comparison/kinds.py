"""TarrySampler beside Optuna's own samplers on problems of other kinds than test functions, where answers come late, in virtual time.

    python kinds.py --seeds 6 --queries 150 --runs kinds.jsonl

Time and delays are those of compare.py; each sampler begins as it does by itself. Each run is a line of the file, so that a comparison that was
interrupted goes on. Regret is what is missing to the least value at the best trial that did not fail, of those whose answers are known, and at the end of
all, in thousandths of the distance from there to the mean of uniform points.
"""

import json
import math
import sys
import warnings

import numpy
import optuna
from compare import MEAN, estimate, known, main
from optuna.samplers import CmaEsSampler, RandomSampler, TPESampler
from optuna.trial import TrialState
from problems import KINDS, row

from tarry_optuna import TarrySampler

SAMPLERS = {
    "tarry": lambda seed, client: TarrySampler(client, seed=seed),
    "tarry, gp-bucb": lambda seed, client: TarrySampler(client, seed=seed, policy="gp-bucb"),
    "tarry, log-ei": lambda seed, client: TarrySampler(client, seed=seed, policy="log-ei"),
    "TPE": lambda seed, client: TPESampler(seed=seed),
    "TPE, constant liar": lambda seed, client: TPESampler(seed=seed, constant_liar=True),
    "TPE, multivariate, constant liar": lambda seed, client: TPESampler(seed=seed, multivariate=True, constant_liar=True),
    "CMA-ES": lambda seed, client: CmaEsSampler(seed=seed, warn_independent_sampling=False),
    "random": lambda seed, client: RandomSampler(seed=seed),
}


def run(problem, sampler, seed, queries):
    """The regret after two fifths of the trials and at the end, and how many trials had the parameters of another."""
    noise = numpy.random.default_rng([seed, 0])
    delays = numpy.maximum(noise.poisson(MEAN, queries), 1)
    study = optuna.create_study(sampler=sampler)
    due, best, early, asked = {}, math.inf, math.inf, set()

    def answered(tick):
        nonlocal best
        for trial, value, told in due.pop(tick, []):
            if told is None:
                study.tell(trial, state=TrialState.FAIL)
            else:
                study.tell(trial, told)
                best = min(best, value)

    for tick in range(1, queries + 1):
        answered(tick)
        if tick == 2 * queries // 5 + 1:
            early = best
        trial = study.ask(problem.space)
        asked.add(tuple(trial.params.values()))
        x = row(problem.space, trial.params)
        value = float(problem.value(x[None])[0])
        due.setdefault(tick + int(delays[tick - 1]), []).append((trial, value, problem.told(noise, value, x)))
    for tick in sorted(due):
        answered(tick)
    unit = (problem.mean - problem.least) / 1000
    return [max(v - problem.least, 0) / unit for v in (early, best)], queries - len(asked)


def chosen(args):
    wanted = args.problems.split(",") if args.problems else []
    return [(kind, [f for f in made if not wanted or f.__name__ in wanted]) for kind, made in KINDS]


def measure(args, client):
    done = known(args)
    with open(args.runs, "a") as out:
        for seed in range(args.first, args.first + args.seeds):
            for make in (f for _, made in chosen(args) for f in made):
                left = [s for s in SAMPLERS if (make.__name__, s, seed) not in done]
                problem = make(numpy.random.default_rng([seed, *map(ord, make.__name__)])) if left else None
                for name in left:
                    key = (make.__name__, name, seed)
                    regret, repeats = run(problem, SAMPLERS[name](seed, client), seed, args.queries)
                    done[key] = {"run": key, "queries": args.queries, "regret": regret, "repeats": repeats}
                    out.write(json.dumps(done[key]) + "\n")
                    out.flush()
            print(f"seed {seed} is done", file=sys.stderr)
    return done


def table(args, done):
    """Markdown: mean regret by kind, early and at the end, repeats, and regret at the end by problem."""
    kinds = [(kind, [f.__name__ for f in made]) for kind, made in chosen(args) if made]
    problems = [p for _, made in kinds for p in made]
    seeds = sorted(seed for seed in {key[2] for key in done} if all((p, s, seed) in done for p in problems for s in SAMPLERS))

    def mean(sampler, of, i):
        return estimate([numpy.mean([done[p, sampler, seed]["regret"][i] for p in of]) for seed in seeds])

    def rows(first, names, cells):
        print(f"| {' | '.join([first, *SAMPLERS])} |\n{'| --- ' * (len(SAMPLERS) + 1)}|")
        for name, cell in zip(names, cells):
            print(f"| {' | '.join([name, *map(cell, SAMPLERS)])} |")

    print(f"{len(seeds)} seeds, {seeds[0]} … {seeds[-1]}; ± one standard error over the seeds.\n\nRegret:\n")
    times = list(enumerate((2 * args.queries // 5, args.queries)))
    rows("problems", [f"{kind}: after {n}" for kind, _ in kinds for _, n in times], [lambda s, made=made, i=i: mean(s, made, i) for _, made in kinds for i, _ in times])
    names = [p.replace("_", " ") for p in problems]
    print(f"\nAfter {args.queries}:\n")
    rows("problem", names, [lambda s, p=p: mean(s, [p], 1) for p in problems])
    print("\nTrials with the parameters of another:\n")
    rows("problem", names, [lambda s, p=p: f"{numpy.mean([done[p, s, seed]['repeats'] for seed in seeds]):.1f}" for p in problems])


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(__doc__, "problems", "kinds.jsonl", measure, table)
