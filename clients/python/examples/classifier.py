"""Tune a support vector machine of scikit-learn, four evaluations at a time, with a constraint on what it remembers.

    pip install ./clients/python scikit-learn && python examples/classifier.py
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import tarry

X, y = load_breast_cancer(return_X_y=True)

SPACE = {
    "C": tarry.Float(1e-2, 1e3, log=True),
    "gamma": tarry.Float(1e-5, 1, log=True),
    "kernel": tarry.Categorical(["rbf", "sigmoid"]),
}


def accuracy(query: tarry.Query) -> tarry.Outcome:
    machine = SVC(**query.params)
    value = cross_val_score(make_pipeline(StandardScaler(), machine), X, y, cv=5).mean()
    machine.fit(StandardScaler().fit_transform(X), y)
    return tarry.Outcome(value, constraints={"vectors": machine.n_support_.sum() / len(X)})


if __name__ == "__main__":
    with tarry.serve("studies") as client:
        study = client.create("breast-cancer", space=SPACE, budget=40, constraints=[{"name": "vectors", "at_most": 0.2}], seed=1)
        best = study.optimize(accuracy, n_jobs=4)
        print(f"accuracy {best.value:.3f} with {best.params}")
