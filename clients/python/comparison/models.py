"""Models of scikit-learn that are really trained, on the data that come with it: what a seed has is a split of them into training and validation.

Each problem has a space of Optuna's distributions, and a loss to be minimized: the share of wrong answers, the logarithmic loss, or what is missing of
the coefficient of determination.
"""

import math
from typing import Any, Callable, Dict, NamedTuple

import numpy
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from sklearn import datasets, ensemble, kernel_ridge, linear_model, neural_network, svm

WORST = 1e6  # loss of a model that diverged


class Model(NamedTuple):
    name: str
    space: Dict[str, Any]
    data: str  # as sklearn.datasets.load_… calls them
    rows: int  # of them for training, and
    judges: int  # for validation
    make: Callable[..., Any]  # of parameters and a seed, the estimator
    loss: Callable[..., float]  # of a fitted estimator and the validation


def wrong(fitted, x, y):
    return 1 - fitted.score(x, y)


def surprise(fitted, x, y):
    p = numpy.clip(fitted.predict_proba(x)[numpy.arange(len(y)), y], 1e-12, 1)
    return float(-numpy.log(p).mean())


def real(low, high):
    return FloatDistribution(low, high, log=True)


def whole(low, high):
    return IntDistribution(low, high, log=True)


def boosting(kind):
    return lambda p, seed: kind(
        learning_rate=p["rate"], n_estimators=p["trees"], max_depth=p["depth"], min_samples_leaf=p["leaf"], subsample=p["rows"],
        max_features=p.get("features"), random_state=seed)


BOOSTING = {"rate": real(1e-3, 1), "trees": whole(5, 120), "depth": IntDistribution(1, 6), "leaf": whole(1, 60), "rows": FloatDistribution(0.3, 1)}
MODELS = [
    Model("svm-digits", {"C": real(1e-3, 1e4), "gamma": real(1e-6, 1e2)}, "digits", 400, 500, lambda p, seed: svm.SVC(C=p["C"], gamma=p["gamma"]), wrong),
    Model(
        "svm-breast", {"C": real(1e-3, 1e4), "gamma": real(1e-6, 10), "weight": FloatDistribution(0.3, 3), "kernel": CategoricalDistribution(["rbf", "poly", "sigmoid"])},
        "breast_cancer", 200, 360, lambda p, seed: svm.SVC(C=p["C"], gamma=p["gamma"], kernel=p["kernel"], class_weight={0: p["weight"], 1: 1}, max_iter=3000), wrong),
    Model(
        "network-digits",
        {"rate": real(1e-5, 1), "decay": real(1e-7, 10), "width": whole(4, 96), "batch": whole(8, 256), "units": CategoricalDistribution(["relu", "tanh", "logistic"])},
        "digits", 350, 400,
        lambda p, seed: neural_network.MLPClassifier(
            (p["width"],), learning_rate_init=p["rate"], alpha=p["decay"], batch_size=p["batch"], activation=p["units"], max_iter=8, random_state=seed), wrong),
    Model(
        "network-diabetes",
        {"rate": real(1e-5, 1), "decay": real(1e-6, 100), "width": whole(4, 128), "layers": IntDistribution(1, 3), "momentum": FloatDistribution(0, 0.99)},
        "diabetes", 250, 190,
        lambda p, seed: neural_network.MLPRegressor(
            (p["width"],) * p["layers"], solver="sgd", learning_rate_init=p["rate"], alpha=p["decay"], momentum=p["momentum"], max_iter=15, random_state=seed), wrong),
    Model(
        "network-breast", {"rate": real(1e-5, 1), "decay": real(1e-7, 10), "first": FloatDistribution(0, 0.95), "second": FloatDistribution(0, 0.999)},
        "breast_cancer", 200, 360,
        lambda p, seed: neural_network.MLPClassifier(
            (16,), learning_rate_init=p["rate"], alpha=p["decay"], beta_1=p["first"], beta_2=p["second"], batch_size=32, max_iter=8, random_state=seed), surprise),
    Model("boosting-diabetes", BOOSTING, "diabetes", 250, 190, boosting(ensemble.GradientBoostingRegressor), wrong),
    Model(
        "boosting-breast", {**BOOSTING, "features": CategoricalDistribution([None, "sqrt", 2])}, "breast_cancer", 200, 360,
        boosting(ensemble.GradientBoostingClassifier), surprise),
    Model(
        "ridge-diabetes", {"alpha": real(1e-6, 1e3), "gamma": real(1e-6, 1e2), "kernel": CategoricalDistribution(["rbf", "laplacian", "polynomial"])},
        "diabetes", 250, 190, lambda p, seed: kernel_ridge.KernelRidge(alpha=p["alpha"], gamma=p["gamma"], kernel=p["kernel"]), wrong),
    Model(
        "linear-digits",
        {
            "alpha": real(1e-7, 1), "rate": real(1e-5, 10), "sparse": FloatDistribution(0, 1),
            "loss": CategoricalDistribution(["hinge", "log_loss", "modified_huber", "squared_hinge"]),
            "schedule": CategoricalDistribution(["constant", "invscaling", "adaptive"]),
        },
        "digits", 500, 600,
        lambda p, seed: linear_model.SGDClassifier(
            loss=p["loss"], penalty="elasticnet", alpha=p["alpha"], eta0=p["rate"], l1_ratio=p["sparse"], learning_rate=p["schedule"], max_iter=6, tol=None,
            random_state=seed), wrong),
]


def problem(model: Model, seed: int) -> Callable[[Dict[str, Any]], float]:
    """The loss of parameters on the split of a seed."""
    x, y = getattr(datasets, f"load_{model.data}")(return_X_y=True)
    order = numpy.random.default_rng([seed, 2]).permutation(len(x))
    train, judge = order[: model.rows], order[model.rows : model.rows + model.judges]
    x = (x - x[train].mean(0)) / (x[train].std(0) + 1e-9)
    if model.data == "diabetes":
        y = (y - y[train].mean()) / y[train].std()

    def loss(parameters):
        try:
            value = model.loss(model.make(parameters, seed).fit(x[train], y[train]), x[judge], y[judge])
        except ValueError:  # weights that are no numbers
            return WORST
        return min(value, WORST) if math.isfinite(value) else WORST

    return loss
