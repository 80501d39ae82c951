"""tarry's suggestions for studies of Optuna: one line changes, and storage, pruners, dashboard and ``n_jobs`` stay.

    import optuna
    from tarry_optuna import TarrySampler

    study = optuna.create_study(sampler=TarrySampler(seed=1), storage="sqlite:///study.sqlite")
    study.optimize(objective, n_trials=100, n_jobs=8)

Optuna's storage is the truth. The sampler keeps a study of tarry beside it, which it tells every trial that the storage has: finished ones with
their values, also those of an earlier run or another process, and running ones, so that the next point is chosen for what is still out.
"""

from __future__ import annotations

import logging
import math
import os
import re
import shutil
import statistics
import tempfile
import threading
import uuid
import weakref
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple, Union

import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.samplers import BaseSampler, RandomSampler
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

try:
    from optuna.search_space import IntersectionSearchSpace
except ImportError:  # before Optuna 3.2
    from optuna.samplers import IntersectionSearchSpace

import tarry

__all__ = ["TarrySampler"]

_log = logging.getLogger("optuna.tarry")
_CONSTRAINTS = "constraints"  # under which Optuna's samplers keep what constraints_func returns
_LARGEST = 2**53  # whole numbers beyond are no floats
_MOST_CHOICES = 4096
_MOST = 100_000  # queries of a study of tarry

Point = Dict[str, Any]


class TarrySampler(BaseSampler):
    """A sampler that asks tarry.

    ``server`` is the address of a server, or a ``tarry.Client``; without one a server of this sampler's own is started as ``tarry.Server``
    does, with its studies in ``folder``, or in one that is deleted in the end. ``policy`` chooses the points, ``options`` are further ones of
    ``Client.create``. ``n_startup_trials`` are at random points; None means as many as tarry would. ``seed`` decides every random choice:
    with one job the same trials follow from it. ``constraints_func`` is as in Optuna's samplers: a trial is feasible where all that it
    returns is at most 0; how much that is, is learned too.

    The parameters that all completed trials had in common, with the same distributions, are chosen together. Others, such as those of a branch or
    of a space that has grown, are drawn by ``independent_sampler``, at random unless it is given; a warning names each of them once. A trial that
    failed keeps the search away from its point, unless failures are scattered. A pruned trial counts with its last intermediate value, or the
    median of the completed ones where that is worse; without such a value it has failed. Studies with several objectives are refused."""

    def __init__(
        self, server: Union[str, tarry.Client, None] = None, *, folder: Optional[str] = None, policy: str = "auto", n_startup_trials: Optional[int] = None,
        independent_sampler: Optional[BaseSampler] = None, seed: Optional[int] = None,
        constraints_func: Optional[Callable[[FrozenTrial], Sequence[float]]] = None, options: Optional[Dict[str, Any]] = None,
    ) -> None:
        if n_startup_trials is not None and not 1 <= n_startup_trials <= _MOST:
            raise ValueError(f"n_startup_trials = {n_startup_trials}: want 1 … {_MOST}, or None")
        self._server, self._folder = server, folder
        self._seed = int.from_bytes(os.urandom(6), "big") if seed is None else seed
        self._options = {"policy": policy, "seed": self._seed, "pending": _MOST, "initial": n_startup_trials or 0, **(options or {})}
        self._independent = independent_sampler or RandomSampler(seed=seed)
        self._constraints_func = constraints_func
        self._search_space = IntersectionSearchSpace()
        self._fresh()

    def _fresh(self) -> None:
        """Know nothing but the settings: at first, in another process, or after unpickling."""
        self._lock = threading.RLock()
        self._pid = os.getpid()
        self._client: Optional[tarry.Client] = None
        self._end: Callable[[], Any] = lambda: None
        self._mirrors: Dict[Tuple[Any, ...], _Mirror] = {}
        self._warned: Set[str] = set()
        self._spent: Set[int] = set()  # trials for which no point was left

    def __getstate__(self) -> Dict[str, Any]:
        hidden = ("_lock", "_pid", "_client", "_end", "_mirrors", "_warned", "_spent")
        return {name: value for name, value in self.__dict__.items() if name not in hidden}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._fresh()

    def close(self) -> None:
        """End the server of this sampler's own. The sampler may be used again."""
        with self._lock:
            if self._client is not None and self._client is not self._server:
                self._client.close()
            self._end()
            self._fresh()

    def reseed_rng(self) -> None:
        self._independent.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        with self._lock:
            space = self._search_space.calculate(study)
        return {name: space[name] for name in sorted(space) if _searched(space[name])}

    def sample_relative(self, study: Study, trial: FrozenTrial, search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        self._raise_error_if_multi_objective(study)
        if not search_space:
            return {}
        with self._lock:
            mirror = self._mirror(study, search_space)
            mirror.catch_up(study.get_trials(deepcopy=False), trial.number)
            suggested = mirror.suggest(trial)
            if not suggested:
                if not self._spent:
                    _log.warning("tarry has no query for trial %d, as when every point of the space was suggested: it is drawn at random, as later ones are that have none.", trial.number)
                self._spent.add(trial.number)
            return suggested

    def sample_independent(self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution) -> Any:
        self._raise_error_if_multi_objective(study)
        with self._lock:
            new = bool(self._mirrors) and trial.number not in self._spent and param_name not in self._warned and _searched(param_distribution)
            if new:
                self._warned.add(param_name)
        if new:
            _log.warning("Parameter %s of trial %d is drawn independently: not all completed trials have it, with this distribution.", param_name, trial.number)
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Optional[Sequence[float]]) -> None:
        if self._constraints_func is not None:
            from optuna.samplers._base import _process_constraints_after_trial

            _process_constraints_after_trial(self._constraints_func, study, trial, state)
            trial = study._storage.get_trial(trial._trial_id)
        self._independent.after_trial(study, trial, state, values)
        finished = _Finished(trial, state, None if values is None else values[0])
        with self._lock:
            for mirror in self._mirrors.values():
                if trial.number in mirror.open:
                    try:
                        mirror.settle(finished)
                    except tarry.TarryError as error:  # the next trial brings it again
                        _log.warning("Trial %d is not told yet: %s", trial.number, error)

    def _mirror(self, study: Study, space: Dict[str, BaseDistribution]) -> _Mirror:
        """The study of tarry for this study of Optuna and this space, which begins where there is none."""
        if self._pid != os.getpid():
            self._fresh()
        names = None
        if self._constraints_func is not None:
            names = next((len(t.system_attrs[_CONSTRAINTS]) for t in study.get_trials(deepcopy=False) if t.system_attrs.get(_CONSTRAINTS)), None)
        key = (id(study._storage), study._study_id, tuple(sorted((name, repr(d)) for name, d in space.items())), names)
        if key not in self._mirrors:
            if self._client is None:
                self._client = self._connect()
            self._mirrors[key] = _Mirror(self._client, study, space, names or 0, self._options)
        return self._mirrors[key]

    def _connect(self) -> tarry.Client:
        if isinstance(self._server, tarry.Client):
            return self._server
        if self._server is not None:
            return tarry.Client(self._server)
        folder = self._folder or tempfile.mkdtemp(prefix="tarry-optuna-")
        server = tarry.Server(folder)
        self._end = weakref.finalize(self, _end, server, None if self._folder else folder, os.getpid())
        return server.client()


def _end(server: tarry.Server, folder: Optional[str], pid: int) -> None:
    if os.getpid() == pid:  # a fork leaves the server to its parent
        server.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _searched(distribution: BaseDistribution) -> bool:
    """Whether tarry chooses a parameter of this distribution."""
    if distribution.single():
        return False  # Optuna sets it without asking
    if isinstance(distribution, IntDistribution):
        return max(abs(distribution.low), abs(distribution.high)) <= _LARGEST
    if isinstance(distribution, CategoricalDistribution):
        return len(distribution.choices) <= _MOST_CHOICES
    return isinstance(distribution, FloatDistribution)


class _Axis:
    """A parameter on both sides."""

    def __init__(self, name: str, theirs: str, distribution: BaseDistribution) -> None:
        self.name, self.theirs, self.distribution = name, theirs, distribution
        self.labels: List[str] = []
        if isinstance(distribution, CategoricalDistribution):
            for k, choice in enumerate(distribution.choices):
                label = re.sub("[^ -~]", "?", str(choice))[:100]
                while not label or label in self.labels:
                    label = f"{k}:{label}"
                self.labels.append(label)

    def parameter(self) -> Point:
        d = self.distribution
        if isinstance(d, CategoricalDistribution):
            return tarry.Categorical(self.labels)
        if isinstance(d, IntDistribution):
            return tarry.Int(d.low, d.high, log=d.log, step=d.step if d.step > 1 else None)
        assert isinstance(d, FloatDistribution)
        return tarry.Float(d.low, d.high, log=d.log, step=d.step)

    def to_tarry(self, value: Any) -> Any:
        """The value as tarry has it; None where it is none of the parameter."""
        try:
            internal = self.distribution.to_internal_repr(value)
            if not self.distribution._contains(internal):
                return None
        except (TypeError, ValueError):
            return None
        if self.labels:
            return self.labels[int(internal)]
        return int(internal) if isinstance(self.distribution, IntDistribution) else float(internal)

    def to_optuna(self, value: Any) -> Any:
        if isinstance(self.distribution, CategoricalDistribution):
            return self.distribution.choices[self.labels.index(value)]
        return int(value) if isinstance(self.distribution, IntDistribution) else float(value)


def _axes(space: Dict[str, BaseDistribution]) -> List[_Axis]:
    """The parameters in the order of their names, each under a name that tarry allows."""
    taken = set(space)
    out = []
    for name in sorted(space):
        theirs = name
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,99}", name):
            theirs = "p-" + re.sub(r"[^A-Za-z0-9_.-]", "_", name)[:80]
            while theirs in taken:
                theirs += "_"
            taken.add(theirs)
        out.append(_Axis(name, theirs, space[name]))
    return out


def _same(a: Optional[Point], b: Optional[Point]) -> bool:
    """Whether two points are one, but for how a value on a grid is rounded."""
    if a is None or b is None or a.keys() != b.keys():
        return False
    return all(a[k] == b[k] if isinstance(a[k], str) else math.isclose(a[k], b[k], rel_tol=1e-9, abs_tol=1e-12) for k in a)


class _Finished:
    """How a trial ended, also before the storage knows."""

    def __init__(self, trial: FrozenTrial, state: TrialState, value: Optional[float]) -> None:
        self.number, self.params, self.state, self.value = trial.number, trial.params, state, value
        if state == TrialState.PRUNED:
            self.value = trial.intermediate_values[trial.last_step] if trial.last_step is not None else None
        self.constraints: Optional[Sequence[float]] = trial.system_attrs.get(_CONSTRAINTS)


class _Mirror:
    """The study of tarry that knows what a study of Optuna knows, in one space."""

    def __init__(self, client: tarry.Client, study: Study, space: Dict[str, BaseDistribution], constraints: int, options: Dict[str, Any]) -> None:
        self.axes = _axes(space)
        self.minimize = study.direction == StudyDirection.MINIMIZE
        self.constraints = [f"c{k}" for k in range(constraints)]
        self.open: Dict[int, tarry.Query] = {}  # by number of the trial
        self.settled: Set[int] = set()
        self.values: List[float] = []  # of completed trials
        self.evaluations = 0  # of tarry's study, all of which this mirror made
        self.over = False
        name = re.sub(r"[^A-Za-z0-9_-]", "_", study.study_name)[:60]
        named: Dict[str, Any] = {}
        if self.constraints:
            named["constraints"] = [{"name": c, "at_most": 0} for c in self.constraints]
        self.study = client.create(
            f"{name or 'study'}-{uuid.uuid4().hex[:12]}", space={axis.theirs: axis.parameter() for axis in self.axes}, minimize=self.minimize, **named, **options,
        )

    def catch_up(self, trials: Sequence[FrozenTrial], mine: int) -> None:
        """Learn what became of all trials but this one."""
        for trial in trials:
            if self.over or trial.number in self.settled or trial.number == mine:
                continue
            if trial.state.is_finished():
                self.settle(_Finished(trial, trial.state, trial.value))
            elif trial.state == TrialState.RUNNING and trial.number not in self.open:
                at = self.point(trial.params)
                query = self.adopt(at) if at is not None else None
                if query is not None:
                    self.open[trial.number] = query

    def suggest(self, trial: FrozenTrial) -> Dict[str, Any]:
        """A point for a trial, as a query of tarry; nothing where tarry has none, as when a finite space is exhausted."""
        fixed = trial.system_attrs.get("fixed_params", {})
        wanted = {axis.theirs: axis.to_tarry(fixed[axis.name]) for axis in self.axes if axis.name in fixed}
        query = self.ask({name: value for name, value in wanted.items() if value is not None})
        if query is None:
            return {}
        self.open[trial.number] = query
        return {axis.name: axis.to_optuna(query[axis.theirs]) for axis in self.axes}

    def ask(self, at: Point) -> Optional[tarry.Query]:
        """The next query; of these values, where there are some."""
        if self.over:
            return None
        try:
            if at:
                self.study.enqueue(at)
            queries = self.study.ask(wait=0)
        except tarry.Ended:
            _log.info("tarry's study has ended: every further trial is at random.")
            self.over = True
            return None
        if not queries:
            return None
        self.count(queries[0].id)
        return queries[0]

    def count(self, number: int) -> None:
        """Give up the queries before this one whose answers were lost with a server that died."""
        for lost in range(self.evaluations + 1, number):
            self.study.cancel(lost)
        self.evaluations = max(self.evaluations, number)

    def adopt(self, at: Point) -> Optional[tarry.Query]:
        """A query at a point that somebody else chose."""
        query = self.ask(at)
        if query is not None and not _same(query.params, at):
            self.study.cancel(query)
            return None
        return query

    def point(self, params: Dict[str, Any]) -> Optional[Point]:
        """The values of a trial as tarry has them; None where one is missing or out of its range."""
        at = {axis.theirs: axis.to_tarry(params[axis.name]) for axis in self.axes if axis.name in params}
        return at if len(at) == len(self.axes) and None not in at.values() else None

    def settle(self, trial: _Finished) -> None:
        """Tell how a trial ended. What tarry asked for and the trial did not do is given up."""
        at = self.point(trial.params)
        query = self.open.get(trial.number)
        if query is not None and not _same(query.params, at):
            self.study.cancel(query)
            del self.open[trial.number]
            query = None
        try:
            if at is not None:
                self.tell(trial, at, query)
        except tarry.Ended:
            self.over = True
        self.settled.add(trial.number)
        self.open.pop(trial.number, None)

    def tell(self, trial: _Finished, at: Point, query: Optional[tarry.Query]) -> None:
        value, margins = trial.value, None
        if value is None or not math.isfinite(value):
            self.fail(at, query, f"trial {trial.number}: {trial.state.name.lower()}, {value}")
            return
        if self.constraints:
            margins = trial.constraints
            if margins is None or len(margins) != len(self.constraints) or not all(map(math.isfinite, margins)):
                self.fail(at, query, f"trial {trial.number}: constraints {margins}", infeasible=True)
                return
        if trial.state == TrialState.PRUNED and self.values:
            value = (max if self.minimize else min)(value, statistics.median(self.values))
        elif trial.state == TrialState.COMPLETE:
            self.values.append(value)
        named = None if margins is None else dict(zip(self.constraints, map(float, margins)))
        if query is None:
            self.count(self.study.observe(at, value, constraints=named))
        else:
            self.study.tell(query, value, constraints=named)

    def fail(self, at: Point, query: Optional[tarry.Query], reason: str, infeasible: bool = False) -> None:
        query = query or self.adopt(at)
        if query is not None:
            self.study.fail(query, reason, infeasible=infeasible)
