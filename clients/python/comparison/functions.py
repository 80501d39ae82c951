"""The six test functions of docs/benchmarks.md, as sim/functions has them: each is minimized here, and its least value is known.

    python functions.py < points.json      # prints the value at each point of [["branin", [2.5, 7.5]], …], for the test against Go
"""

import json
import math
import sys
from typing import Callable, List, NamedTuple, Sequence

Point = Sequence[float]


class Function(NamedTuple):
    name: str  # as the command demo sim calls it
    low: List[float]
    high: List[float]
    loss: Callable[[Point], float]
    least: float
    stddev: float  # of the values over the box, by which noise is measured


def branin(x: Point) -> float:
    a = x[1] - 5.1 / (4 * math.pi**2) * x[0] ** 2 + 5 / math.pi * x[0] - 6
    return a * a + 10 * (1 - 1 / (8 * math.pi)) * math.cos(x[0]) + 10


def ackley(x: Point) -> float:
    squares = sum(v * v for v in x) / len(x)
    cosines = sum(math.cos(2 * math.pi * v) for v in x) / len(x)
    return -20 * math.exp(-0.2 * math.sqrt(squares)) - math.exp(cosines) + 20 + math.e


PRECISIONS = [[10, 3, 17, 3.5, 1.7, 8], [0.05, 10, 17, 0.1, 8, 14], [3, 3.5, 1.7, 10, 17, 8], [17, 8, 0.05, 10, 0.1, 14]]
CENTRES = [
    [1312, 1696, 5569, 124, 8283, 5886], [2329, 4135, 8307, 3736, 1004, 9991],
    [2348, 1451, 3522, 2883, 3047, 6650], [4047, 8828, 8732, 5743, 1091, 381],
]


def hartmann6(x: Point) -> float:
    total = 0.0
    for depth, precisions, centres in zip([1, 1.2, 3, 3.2], PRECISIONS, CENTRES):
        total += depth * math.exp(-sum(a * (v - 1e-4 * p) ** 2 for a, v, p in zip(precisions, x, centres)))
    return -total


def levy(x: Point) -> float:
    w = [1 + (v - 1) / 4 for v in x]
    total = math.sin(math.pi * w[0]) ** 2
    for v in w[:-1]:
        total += (v - 1) ** 2 * (1 + 10 * math.sin(math.pi * v + 1) ** 2)
    return total + (w[-1] - 1) ** 2 * (1 + math.sin(2 * math.pi * w[-1]) ** 2)


def rosenbrock(x: Point) -> float:
    return sum(100 * (b - a * a) ** 2 + (a - 1) ** 2 for a, b in zip(x, x[1:]))


def alpine1(x: Point) -> float:
    return sum(abs(v * math.sin(v) + 0.1 * v) for v in x)


SUITE = [
    Function("branin", [-5, 0], [10, 15], branin, 10 / (8 * math.pi), 51.257645413746054),
    Function("ackley", [-32.768] * 2, [32.768] * 2, ackley, 0, 2.382001865987986),
    Function("hartmann6", [0] * 6, [1] * 6, hartmann6, -3.3223680114155148, 0.38629512725665005),
    Function("levy:4", [-10] * 4, [10] * 4, levy, 0, 27.823618007098442),
    Function("rosenbrock:4", [-5] * 4, [10] * 4, rosenbrock, 0, 373122.96631501964),
    Function("alpine1:10", [-10] * 10, [10] * 10, alpine1, 0, 7.509775144942711),
]


if __name__ == "__main__":
    by_name = {function.name: function for function in SUITE}
    json.dump([by_name[name].loss(point) for name, point in json.load(sys.stdin)], sys.stdout)
