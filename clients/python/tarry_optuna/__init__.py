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
from decimal import Decimal
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple, Union

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
    of a space that has grown, and those whose range tarry refuses, are drawn by ``independent_sampler``, at random unless it is given; a warning names
    each of them once. Where tarry cannot be asked, the trial has failed and the error is raised; a server of the sampler's own that died is started anew. A trial that
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
        self._forget()
        self._warned: Set[str] = set()
        self._refused: Dict[Tuple[str, str], str] = {}  # by name and distribution: why tarry does not search it
        self._early: Set[int] = set()  # trials that began before one had completed
        self._spent: Set[int] = set()  # trials for which there was no query
        self._held: Optional[str] = None  # what the latest trial had no query for

    def _forget(self) -> None:
        """Know no server, and no study of one."""
        self._client: Optional[tarry.Client] = None
        self._own: Optional[tarry.Server] = None
        self._end: Callable[[], Any] = lambda: None
        self._mirrors: Dict[Tuple[Any, ...], _Mirror] = {}

    def __getstate__(self) -> Dict[str, Any]:
        hidden = ("_lock", "_pid", "_client", "_own", "_end", "_mirrors", "_warned", "_refused", "_early", "_spent", "_held")
        return {name: value for name, value in self.__dict__.items() if name not in hidden}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._fresh()

    def close(self) -> None:
        """End the server of this sampler's own. The sampler may be used again."""
        with self._lock:
            self._part()
            self._fresh()

    def _part(self) -> None:
        """End what is this sampler's own, and forget it."""
        if self._client is not None and self._client is not self._server:
            self._client.close()
        self._end()
        self._forget()

    def _revive(self) -> None:
        """Begin anew where the server of this sampler's own has died: the next study is told all trials."""
        if self._own is not None and self._pid == os.getpid() and self._own.process.poll() is not None:
            _log.warning("The server of this sampler has ended: another one is started, and told all trials.")
            self._part()

    def reseed_rng(self) -> None:
        self._independent.reseed_rng()

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> Dict[str, BaseDistribution]:
        first = not study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        with self._lock:
            space = self._search_space.calculate(study)
            if first and not space:
                self._early.add(trial.number)
        return {name: space[name] for name in sorted(space) if not space[name].single()}  # which Optuna sets without asking

    def sample_relative(self, study: Study, trial: FrozenTrial, search_space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        try:
            self._raise_error_if_multi_objective(study)
            with self._lock:
                return self._sample(study, trial, search_space)
        except (Exception, KeyboardInterrupt) as error:
            if isinstance(error, (tarry.Gone, tarry.NotFound)):
                with self._lock:
                    self._mirrors.clear()  # the next trial begins another study
            study._storage.set_trial_state_values(trial._trial_id, TrialState.FAIL)  # it would be running for ever
            raise

    def _sample(self, study: Study, trial: FrozenTrial, space: Dict[str, BaseDistribution]) -> Dict[str, Any]:
        mirror = self._mirror(study, space)
        if mirror is None:
            return {}
        mirror.catch_up(study.get_trials(deepcopy=False), trial.number)
        suggested = mirror.suggest(trial)
        if suggested:
            self._held = None
            return suggested
        why = "the study is paused" if mirror.held == "paused" else mirror.held or "as when every point of the space was suggested"
        if why != self._held:
            _log.warning("tarry has no query for trial %d: %s. It is drawn at random, as later ones are that have none.", trial.number, why)
        self._held = why
        self._spent.add(trial.number)
        return {}

    def sample_independent(self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution) -> Any:
        self._raise_error_if_multi_objective(study)
        with self._lock:
            refused = self._refused.get((param_name, repr(param_distribution)))
            at_random = trial.number in self._early or trial.number in self._spent
            new = param_name not in self._warned and not at_random and not param_distribution.single()
            if new and (refused or self._mirrors):
                self._warned.add(param_name)
                why = f"tarry refuses it: {refused}" if refused else "not all trials that had completed when it began have it, with this distribution"
                _log.warning("Parameter %s of trial %d is drawn independently: %s.", param_name, trial.number, why)
        return self._independent.sample_independent(study, trial, param_name, param_distribution)

    def after_trial(self, study: Study, trial: FrozenTrial, state: TrialState, values: Optional[Sequence[float]]) -> None:
        if self._constraints_func is not None:
            from optuna.samplers._base import _process_constraints_after_trial

            _process_constraints_after_trial(self._constraints_func, study, trial, state)
            trial = study._storage.get_trial(trial._trial_id)
        self._independent.after_trial(study, trial, state, values)
        finished = _Finished(trial, state, None if values is None else values[0])
        with self._lock:
            self._revive()
            for mirror in self._mirrors.values():
                if trial.number in mirror.open:
                    try:
                        mirror.settle(finished)
                    except tarry.TarryError as error:  # the next trial brings it again
                        _log.warning("Trial %d is not told yet: %s", trial.number, error)

    def _mirror(self, study: Study, space: Dict[str, BaseDistribution]) -> Optional[_Mirror]:
        """The study of tarry for this study of Optuna and this space, which begins where there is none. What tarry refuses of the space is
        left out; None where nothing stays."""
        if self._pid != os.getpid():
            self._fresh()
        self._revive()
        self._refused.update({(name, repr(d)): why for name, d in space.items() for why in [_refusal(d)] if why})
        names = None
        if self._constraints_func is not None:
            names = next((len(t.system_attrs[_CONSTRAINTS]) for t in study.get_trials(deepcopy=False) if t.system_attrs.get(_CONSTRAINTS)), None)
        while True:
            space = {name: d for name, d in space.items() if (name, repr(d)) not in self._refused}
            if not space:
                return None
            key = (id(study._storage), study._study_id, tuple(sorted((name, repr(d)) for name, d in space.items())), names)
            if key in self._mirrors:
                return self._mirrors[key]
            if self._client is None:
                self._client = self._connect()
            try:
                self._mirrors[key] = _Mirror(self._client, study, space, names or 0, self._options)
            except tarry.Invalid as error:
                refused = _blamed(error, sorted(space))
                if not refused:
                    raise
                self._refused.update({(name, repr(space[name])): why for name, why in refused.items()})

    def _connect(self) -> tarry.Client:
        if isinstance(self._server, tarry.Client):
            return self._server
        if self._server is not None:
            return tarry.Client(self._server)
        folder = self._folder or tempfile.mkdtemp(prefix="tarry-optuna-")
        server = self._own = tarry.Server(folder)
        self._end = weakref.finalize(self, _end, server, None if self._folder else folder, os.getpid())
        return server.client()


def _end(server: tarry.Server, folder: Optional[str], pid: int) -> None:
    if os.getpid() == pid:  # a fork leaves the server to its parent
        server.close()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


def _refusal(distribution: BaseDistribution) -> Optional[str]:
    """What need not be asked: why tarry does not search a parameter of this distribution."""
    if isinstance(distribution, CategoricalDistribution):
        return f"{len(distribution.choices)} choices, where {_MOST_CHOICES} are the most" if len(distribution.choices) > _MOST_CHOICES else None
    if isinstance(distribution, IntDistribution):
        return "whole numbers beyond 2^53, not all of which are floats" if max(abs(distribution.low), abs(distribution.high)) > _LARGEST else None
    if isinstance(distribution, FloatDistribution):
        return None if math.isfinite(distribution.low) and math.isfinite(distribution.high) else "no finite range"
    return f"a distribution that it does not know, {type(distribution).__name__}"


def _blamed(error: tarry.Invalid, names: Sequence[str]) -> Dict[str, str]:
    """Why the server refuses which of these parameters; nothing where something else is wrong too."""
    out: Dict[str, str] = {}
    for violation in error.violations:
        found = re.match(r"space: parameters\[(\d+)\]\.(.*)", violation, re.DOTALL)
        if not found or int(found[1]) >= len(names):
            return {}
        out.setdefault(names[int(found[1])], found[2])
    return out


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
            if isinstance(self.distribution, FloatDistribution) and self.distribution.step is not None:
                return _stepped(self.distribution, internal)
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
        if isinstance(self.distribution, IntDistribution):
            return int(value)
        assert isinstance(self.distribution, FloatDistribution)
        return next((v for v in _near(self.distribution, value) if self.distribution._contains(v)), float(value))


def _stepped(d: FloatDistribution, value: float) -> Optional[float]:
    """The number that tarry has for a value on a grid: the decimal. None where the value is not on it, as far as floats of its size can say."""
    assert d.step is not None
    if not d.low <= value <= d.high:
        return None
    rank = (value - d.low) / d.step
    rounded = 4 * (math.ulp(max(abs(d.low), abs(d.high))) / d.step + math.ulp(rank))
    if abs(rank - round(rank)) > max(1e-8, rounded):
        return None
    return min(float(Decimal(repr(d.low)) + round(rank) * Decimal(repr(d.step))), d.high)


def _near(d: FloatDistribution, value: float) -> Iterator[float]:
    """Values about one of tarry's, the nearest first: Optuna takes one whose quotient by the step is whole, which of a fine grid few are."""
    yield float(value)
    if d.step is None:
        return
    rank = round((value - d.low) / d.step)
    for k in (rank + sign * far for far in range(100) for sign in (1, -1)):
        at = min(max(k * d.step + d.low, d.low), d.high)
        yield from (at, math.nextafter(at, d.low), math.nextafter(at, d.high))


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
        self.named = 0  # points that were enqueued and not given out yet
        self.held: Optional[str] = None  # why there was no query
        self.over = False
        name = re.sub(r"[^A-Za-z0-9_-]", "_", study.study_name)[:60].lstrip("-")
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
        query = self.ask(self.name({name: value for name, value in wanted.items() if value is not None}))
        if query is None:
            return {}
        self.open[trial.number] = query
        return {axis.name: axis.to_optuna(query[axis.theirs]) for axis in self.axes}

    def name(self, at: Point) -> bool:
        """Name values of the next query; whether there are some, and tarry takes them."""
        if self.over or not at or self.held == "paused" and self.study.state().get("paused"):
            return False
        try:
            self.study.enqueue(at)
        except tarry.Ended as ended:
            self.end(ended)
            return False
        except tarry.Invalid as error:
            _log.debug("%s", error)
            return False
        self.named += 1
        return True

    def end(self, why: tarry.Ended) -> None:
        """Every further trial is at random."""
        self.over, self.held = True, str(why)

    def ask(self, named: bool) -> Optional[tarry.Query]:
        """The next query, or the one that was just named. What was named before, and not given out for a pause, is given up."""
        while not self.over:
            try:
                queries = self.study.ask(wait=0)
            except tarry.Ended as ended:
                self.end(ended)
                break
            self.held = None if queries else queries.held or queries.error
            if not queries:
                break
            self.count(queries[0].id)
            stale = self.named > int(named)
            self.named -= int(stale or named)
            if not stale:
                return queries[0]
            self.study.cancel(queries[0])
        return None

    def count(self, number: int) -> None:
        """Give up the queries before this one whose answers were lost with a server that died."""
        for lost in range(self.evaluations + 1, number):
            self.study.cancel(lost)
        self.evaluations = max(self.evaluations, number)

    def adopt(self, at: Point) -> Optional[tarry.Query]:
        """A query at a point that somebody else chose."""
        query = self.ask(True) if self.name(at) else None
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
        except tarry.Ended as ended:
            self.end(ended)
        except tarry.Invalid as error:
            _log.warning("Trial %d is not told: %s", trial.number, error)
            if query is not None:
                self.study.cancel(query)
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
