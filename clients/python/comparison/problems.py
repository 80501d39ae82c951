"""Problems of kinds that test functions leave out: whole numbers, words and switches, many parameters, skewed values and heavy tails, and trials that fail.

All are to be minimized, and drawn anew by a seed. A problem has a space of Optuna's distributions, the value at a point, what is told of it (the value
and noise; None where the trial fails), the least value that a trial can have, and the mean of uniform points.
"""

import itertools
import math
from typing import Any, Callable, Dict, List, NamedTuple, Tuple

import numpy
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

REFERENCE = 20_000  # uniform points, for the mean and the least value where it is not known


class Problem(NamedTuple):
    space: Dict[str, Any]
    value: Callable[[numpy.ndarray], numpy.ndarray]  # of rows: numbers as they are, and the places of choices
    told: Callable[[numpy.random.Generator, float, numpy.ndarray], Any]
    least: float
    mean: float


def reals(count):
    return {f"x{j:02}": FloatDistribution(0, 1) for j in range(count)}


def wholes(count, low, high):
    return {f"n{j}": IntDistribution(low, high) for j in range(count)}


def words(count, choices):
    return {f"w{j}": CategoricalDistribution([f"v{k}" for k in range(choices)]) for j in range(count)}


def row(space, params):
    """A point as numbers."""
    return numpy.array([d.choices.index(params[n]) if isinstance(d, CategoricalDistribution) else params[n] for n, d in space.items()], float)


def uniform(space, chances, count):
    """Uniform rows."""
    columns = []
    for d in space.values():
        if isinstance(d, FloatDistribution):
            columns.append(chances.uniform(d.low, d.high, count))
        else:
            low, high = (0, len(d.choices) - 1) if isinstance(d, CategoricalDistribution) else (d.low, d.high)
            columns.append(chances.integers(low, high + 1, count))
    return numpy.stack(columns, 1).astype(float)


def turned(chances, count):
    """A rotation."""
    return numpy.linalg.qr(chances.standard_normal((count, count)))[0]


def drawn(chances, count, length):
    """A smooth function of so many numbers: 200 waves."""
    waves = chances.standard_normal((200, count)) / length
    phases, heights = chances.uniform(0, 2 * math.pi, 200), chances.standard_normal(200) / 10
    return lambda x: numpy.cos(x @ waves.T + phases) @ heights


def as_it_is(chances, value, x):
    return value


def descended(value, allowed, dim, chances):
    """The least value of a function of numbers from 0 to 1, where that is allowed, as chance finds it near the best of many points."""
    x = chances.random((REFERENCE, dim))
    x = x[allowed(x)]
    x = x[numpy.argsort(value(x))[:20]]
    best, width = value(x), 0.2
    for _ in range(400):
        near = numpy.clip(x[:, None] + width * chances.standard_normal((len(x), 20, dim)), 0, 1).reshape(-1, dim)
        values = numpy.where(allowed(near), value(near), math.inf).reshape(len(x), 20)
        to = values.argmin(1)
        better = values[range(len(x)), to] < best
        x[better], best = near.reshape(len(x), 20, dim)[range(len(x)), to][better], numpy.minimum(best, values.min(1))
        width = max(0.98 * width, 1e-3) if not better.any() else width
    return float(best.min())


def anywhere(x):
    return numpy.ones(len(x), bool)


def problem(space, value, chances, least=None, told=as_it_is, allowed=anywhere):
    if least is None:
        least = descended(value, allowed, len(space), chances)
    x = uniform(space, chances, REFERENCE)
    return Problem(space, value, told, least, float(value(x[allowed(x)]).mean()))


# Whole numbers, words and switches.


def turned_steps(chances):
    center, turn, steep = chances.integers(3, 18, 5), turned(chances, 5), 10 ** numpy.linspace(0, 1, 5)
    return problem(wholes(5, 0, 20), lambda x: numpy.log1p(((x - center) @ turn.T) ** 2 @ steep), chances, 0)


def pairs_of_words(chances):
    alone, pairs = chances.standard_normal((6, 5)), 0.6 * chances.standard_normal((6, 6, 5, 5))

    def value(x):
        w = x.astype(int)
        return sum(alone[i, w[:, i]] for i in range(6)) + sum(pairs[i, j, w[:, i], w[:, j]] for i in range(6) for j in range(i))

    return problem(words(6, 5), value, chances, value(numpy.array(list(itertools.product(range(5), repeat=6)))).min())


def pairs_of_switches(chances):
    alone, pairs = chances.standard_normal(15), chances.standard_normal((15, 15)) * (chances.random((15, 15)) < 0.3)

    def value(x):
        z = 2 * x - 1
        return ((z @ pairs) * z).sum(1) + z @ alone

    space = {f"s{j:02}": CategoricalDistribution([False, True]) for j in range(15)}
    return problem(space, value, chances, value(numpy.array(list(itertools.product([0.0, 1.0], repeat=15)))).min())


def valleys_of_words(chances):
    centers, depths = chances.random((16, 3)), 0.6 * chances.random(16)
    centers[:, 2] = numpy.round(12 * centers[:, 2]) / 12

    def value(x):
        k = (4 * x[:, 3] + x[:, 4]).astype(int)
        return depths[k] + 3 * ((x[:, :3] / [1, 1, 12] - centers[k]) ** 2).sum(1)

    return problem({**reals(2), **wholes(1, 0, 12), **words(2, 4)}, value, chances, depths.min())


def shifted_by_words(chances):
    shifts, costs = chances.uniform(-0.15, 0.15, (3, 3, 3)), 3 * chances.random((3, 3))

    def value(x):
        w = x[:, 3:].astype(int)
        z = 8 * (x[:, :3] - 0.5 - sum(shifts[i, w[:, i]] for i in range(3)))
        hills = 20 + math.e - 20 * numpy.exp(-0.2 * numpy.sqrt((z**2).mean(1))) - numpy.exp(numpy.cos(2 * math.pi * z).mean(1))
        return hills + sum(costs[i, w[:, i]] for i in range(3))

    return problem({**reals(3), **words(3, 3)}, value, chances, costs.min(1).sum())


def orders_of_steps(chances):
    center = chances.integers(2, 60, 4)

    def value(x):
        logs = numpy.log(x) - numpy.log(center)
        return (logs**2).sum(1) + 0.3 * abs(logs[:, 0] + logs[:, 1])

    return problem(wholes(4, 1, 64), value, chances, 0)


# Many parameters.


def turned_bowl(chances):
    center, turn, steep = chances.uniform(0.2, 0.8, 20), turned(chances, 20), 10 ** numpy.linspace(0, -3, 20)
    return problem(reals(20), lambda x: numpy.log1p(30 * ((x - center) @ turn.T) ** 2 @ steep), chances, 0)


def levy(chances):
    center = chances.uniform(0.2, 0.8, 30)

    def value(x):
        w = 1 + 5 * (x - center)
        first, last = numpy.sin(math.pi * w[:, 0]) ** 2, (w[:, -1] - 1) ** 2 * (1 + numpy.sin(2 * math.pi * w[:, -1]) ** 2)
        return first + ((w[:, :-1] - 1) ** 2 * (1 + 10 * numpy.sin(math.pi * w[:, :-1] + 1) ** 2)).sum(1) + last

    return problem(reals(30), value, chances, 0)


def four_of_many(chances):
    matter, f = chances.choice(25, 4, replace=False), drawn(chances, 4, 0.3)
    return problem(reals(25), lambda x: f(x[:, matter]), chances, descended(f, anywhere, 4, chances))


def valley(chances):
    center = chances.uniform(-0.5, 0.5, 20)

    def value(x):
        z = 4 * x - 1 - center
        return numpy.log1p((100 * (z[:, 1:] - z[:, :-1] ** 2) ** 2 + (1 - z[:, :-1]) ** 2).sum(1))

    return problem(reals(20), value, chances, 0)


# Skewed values, outliers and heavy tails.


def skewed_draw(chances):
    f = drawn(chances, 4, 0.4)
    return problem(reals(4), lambda x: -numpy.exp(4 * f(x)), chances)


def narrow_hill(chances):
    center, turn = chances.uniform(0.2, 0.8, 5), turned(chances, 5)
    return problem(reals(5), lambda x: -numpy.exp(-10 * ((x - center) @ turn.T) ** 2 @ [1, 0.5, 2, 0.1, 1]), chances, -1)


def heavy_tails(chances):
    return problem(reals(5), drawn(chances, 5, 0.5), chances, told=lambda noise, value, x: value + 0.3 * noise.standard_t(1.5))


def outliers(chances):
    far = lambda noise, value, x: value + (noise.choice([-1, 1]) * noise.uniform(5, 50) if noise.random() < 0.03 else 0)
    return problem(reals(3), drawn(chances, 3, 0.35), chances, told=far)


def heavy_tails_of_many(chances):
    center = chances.uniform(0.2, 0.8, 10)
    return problem(reals(10), lambda x: abs(x - center).sum(1), chances, 0, lambda noise, value, x: value + 0.2 * noise.standard_t(1.3))


# Trials that fail.


def failing_box(chances):
    f, center = drawn(chances, 3, 0.35), chances.random(3)
    allowed = lambda x: abs(x - center).max(1) >= 0.3
    return problem(reals(3), f, chances, told=lambda noise, value, x: value if allowed(x[None])[0] else None, allowed=allowed)


def failing_by_chance(chances):
    return problem(reals(4), drawn(chances, 4, 0.5), chances, told=lambda noise, value, x: value if noise.random() >= 0.25 else None)


def failing_beyond(chances):
    f, toward = drawn(chances, 4, 0.5), chances.standard_normal(4)
    beyond = lambda x: (x - 0.5) @ toward
    allowed = lambda x: beyond(x) <= 0.1 * abs(toward).sum()
    return problem(
        reals(4), lambda x: f(x) - 1.5 * beyond(x), chances, told=lambda noise, value, x: value if allowed(x[None])[0] else None, allowed=allowed)


KINDS: List[Tuple[str, List[Callable[[numpy.random.Generator], Problem]]]] = [
    ("discrete and mixed", [turned_steps, pairs_of_words, pairs_of_switches, valleys_of_words, shifted_by_words, orders_of_steps]),
    ("20 to 30 dimensions", [turned_bowl, levy, four_of_many, valley]),
    ("skewed, outliers, heavy tails", [skewed_draw, narrow_hill, heavy_tails, outliers, heavy_tails_of_many]),
    ("failing", [failing_box, failing_by_chance, failing_beyond]),
]
