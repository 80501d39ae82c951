"""Tune a random forest of scikit-learn with Optuna, whose sampler is tarry's: the storage, the pruner and the dashboard stay.

    pip install ./clients/python optuna scikit-learn && python examples/with_optuna.py
"""

import optuna
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from tarry_optuna import TarrySampler

X, y = load_digits(return_X_y=True)


def accuracy(trial: optuna.Trial) -> float:
    forest = RandomForestClassifier(
        n_estimators=trial.suggest_int("trees", 4, 16, log=True),
        max_depth=trial.suggest_int("depth", 2, 16),
        max_features=trial.suggest_float("features", 0.05, 0.6),
        criterion=trial.suggest_categorical("criterion", ["gini", "entropy"]),
        random_state=0,
    )
    right = 0
    for fold, (train, test) in enumerate(StratifiedKFold(3).split(X, y)):
        right += (forest.fit(X[train], y[train]).predict(X[test]) == y[test]).sum()
        trial.report(right / len(X) * 3 / (fold + 1), fold)
        if trial.should_prune():
            raise optuna.TrialPruned
    return right / len(X)


if __name__ == "__main__":
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        study_name="digits", storage="sqlite:///digits.sqlite", load_if_exists=True, direction="maximize",
        sampler=TarrySampler(seed=1), pruner=optuna.pruners.MedianPruner(n_startup_trials=8),
    )
    study.optimize(accuracy, n_trials=16, n_jobs=4)
    print(f"accuracy {study.best_value:.3f} with {study.best_params}")
