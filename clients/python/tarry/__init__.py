"""Ask and tell for expensive functions whose answers come late: the client of ``tarry serve``, on the standard library alone.

    import tarry

    with tarry.serve("studies") as client:                      # starts a server for this program
        study = client.create("lr", space={"lr": tarry.Float(1e-5, 1, log=True)}, budget=50, minimize=True)
        best = study.optimize(lambda query: train(query["lr"]), n_jobs=8)

A server that is there already is ``tarry.Client("http://127.0.0.1:8080")``. Requests that met a lost connection, a server that
restarts or a limit are sent again; each of them may arrive twice and counts once. Only where a server was killed between writing
down what came and its answer, a value that was observed may be there twice, a point enqueued twice, and an ask gives another
query; a tell counts once all the same. Whatever else goes wrong is a ``TarryError``. A ``Client`` and a ``Study`` may be used by
several threads at once.
"""

from __future__ import annotations

import datetime
import email.utils
import http.client
import json
import logging
import math
import numbers
import os
import random
import re
import shutil
import ssl
import subprocess
import threading
import time
import urllib.parse
import uuid
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Callable, Deque, Dict, Iterator, List, Mapping, Optional, Sequence, Set, SupportsFloat, Tuple, Type, Union

__all__ = [
    "Best", "Bool", "Busy", "Categorical", "Client", "Contradiction", "Ended", "Event", "Exists", "Float", "Forbidden", "Gone", "InUse",
    "Infeasible", "Int", "Invalid", "Lost", "NotAwaited", "NotFound", "Ordered", "Outcome", "Prediction", "Problem", "Queries", "Query",
    "Server", "Study", "TarryError", "Told", "Unreachable", "serve",
]

Params = Dict[str, Any]
Constraints = Union[Mapping[str, SupportsFloat], Sequence[SupportsFloat]]
Seconds = float

_log = logging.getLogger("tarry")


# What goes wrong


class TarryError(Exception):
    """Whatever goes wrong between this program and a server."""


class Unreachable(TarryError, ConnectionError):
    """The server could not be reached, or gave no answer, for as long as the client tries."""


class Problem(TarryError):
    """The server refused. It is the document that the server gave, as RFC 9457 has it."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.document = dict(document)
        self.type = str(document.get("type", "")).rpartition(":")[2]  # a word for programs: docs/http.md lists them
        self.status = int(document.get("status", 0))
        self.title = str(document.get("title", ""))
        self.detail = str(document.get("detail", ""))
        self.violations: Tuple[str, ...] = tuple(document.get("violations", ()))  # all that is wrong with the request
        self.stands: Optional[Dict[str, Any]] = document.get("stands")  # the evaluation that the request contradicts
        super().__init__(self.detail or f"{self.status} {self.title}")


class Invalid(Problem, ValueError):
    """The request is wrong, and changed nothing."""


class NotFound(Problem, LookupError):
    """There is no such study or evaluation."""


class Exists(Problem):
    """There is a study of this name, and it is another."""


class Contradiction(Problem):
    """The evaluation has another answer already, which stands."""


class Ended(Problem):
    """The study has ended: there are no more queries."""


class NotAwaited(Problem):
    """Nobody waits for this attempt any more. A value would count all the same."""


class InUse(Problem):
    """Another process has the file of the study open."""


class Forbidden(Problem):
    """The server does not answer this caller."""


class Gone(Problem):
    """The file of the study was taken away while it was open."""


class Busy(Problem):
    """A limit of the server, for as long as the client tries."""


_problems: Dict[str, Type[Problem]] = {
    "invalid": Invalid, "evaluation": NotFound, "path": NotFound, "exists": Exists, "contradiction": Contradiction, "ended": Ended,
    "not-awaited": NotAwaited, "in-use": InUse, "gone": Gone, "rate": Busy, "busy": Busy, "host": Forbidden, "origin": Forbidden,
}


def _problem(status: int, body: bytes) -> Problem:
    try:
        document = json.loads(body)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        document = {"detail": body[:200].decode("utf-8", "replace")}
    document.setdefault("status", status)
    word = str(document.get("type", "")).rpartition(":")[2]
    if status in (401, 403, 404):
        return (NotFound if status == 404 else Forbidden)(document)
    return _problems.get(word, Problem)(document)


class Infeasible(Exception):
    """Raised by an objective: the point cannot be evaluated, and is never tried again."""


class Lost(Exception):
    """Raised by an objective: there is no value, and the point is not to blame. It is tried again."""


# What a space is made of


def _without_none(**members: Any) -> Params:
    return {name: value for name, value in members.items() if value is not None and value is not False}


def Float(low: float, high: float, *, log: bool = False, step: Optional[float] = None, **more: Any) -> Params:
    """A real number of ``low`` … ``high``; with ``log`` it is searched evenly in the logarithm. ``more`` are the other members of a
    parameter in a space file, such as ``when`` and ``role``."""
    return _without_none(type="float", low=low, high=high, log=log, step=step, **more)


def Int(low: int, high: int, *, log: bool = False, step: Optional[int] = None, **more: Any) -> Params:
    """A whole number of ``low`` … ``high``."""
    return _without_none(type="int", low=low, high=high, log=log, step=step, **more)


def Ordered(values: Sequence[float], **more: Any) -> Params:
    """One of these numbers, searched by rank."""
    return _without_none(type="ordered", values=list(values), **more)


def Categorical(choices: Sequence[Union[str, int, float, bool]], **more: Any) -> Params:
    """One of these words, which have no order. Numbers, True and False are words to the server, as JSON writes them: the study that ``create``
    returns gives them back as they are here, and one of ``Client.study`` as text. Numbers that have an order are for ``Ordered``."""
    return _without_none(type="categorical", choices=list(choices), **more)


def Bool(**more: Any) -> Params:
    """True or false."""
    return _without_none(type="bool", **more)


def _space(
    space: Mapping[str, Any], points: Optional[Sequence[Params]], constraints: Optional[Sequence[Mapping[str, Any]]], seeds: Optional[Sequence[Params]],
) -> Params:
    if not isinstance(space, Mapping):
        raise TypeError(f"space = {space!r}: want a dict with a parameter for each name, as in {{'lr': Float(1e-5, 1)}}")
    if isinstance(space.get("parameters"), list):
        out = dict(space)
    else:
        for name, parameter in space.items():
            if not isinstance(parameter, Mapping):
                raise TypeError(f"space[{name!r}] = {parameter!r}: want what Float, Int, Ordered, Bool or Categorical return")
            _finite(f"space[{name!r}]: ", parameter)
        out = {"parameters": [{"name": name, **parameter} for name, parameter in space.items()]}
    if points is not None:
        out["points"] = [dict(one) for one in points]
    if constraints is not None:
        out["constraints"] = [dict(one) for one in constraints]
    if seeds is not None:
        out["seeds"] = [dict(one) for one in seeds]
    _finite("", out)
    return out


def _finite(path: str, given: Any) -> None:
    """Refuse what JSON cannot say, by the name of where it stands."""
    if isinstance(given, Mapping):
        for name, inside in given.items():
            _finite(f"{path}.{name}" if path and path[-1] != " " else f"{path}{name}", inside)
    elif isinstance(given, (list, tuple)):
        for i, inside in enumerate(given):
            _finite(f"{path}[{i}]", inside)
    elif isinstance(given, numbers.Real) and not isinstance(given, numbers.Rational) and not math.isfinite(given):
        raise ValueError(f"{path} = {given}: want a finite number")


def _label(choice: Any) -> str:
    """The word that a choice is to the server."""
    return choice if isinstance(choice, str) else json.dumps(choice, default=_plain)


class _Kinds:
    """What the values of the parameters of a space are here, and to the server: choices that are no text are words there, and JSON has one kind
    of number. Of a space that a server describes, choices are text, and the numbers of an ordered parameter whole where all of them are."""

    def __init__(self, parameters: Sequence[Mapping[str, Any]]) -> None:
        self.given: Dict[str, Dict[str, Any]] = {}  # choices by their words
        self.floats: Set[str] = set()
        self.ordered: Dict[str, Dict[float, Any]] = {}  # the numbers that were given
        for one in parameters:
            name = one["name"]
            if one["type"] == "float":
                self.floats.add(name)
            elif one["type"] == "ordered":
                self.ordered[name] = {float(value): _plain(value) for value in one["values"]}
            elif one["type"] == "categorical" and not all(isinstance(choice, str) for choice in one["choices"]):
                self.given[name] = {_label(choice): choice for choice in one["choices"]}

    @classmethod
    def described(cls, parameters: Sequence[Mapping[str, Any]]) -> _Kinds:
        """Those of a space that a server describes."""
        kinds = cls(parameters)
        for name, values in kinds.ordered.items():
            if not all(value.is_integer() for value in values):
                kinds.ordered[name] = {value: value for value in values}
        return kinds

    def here(self, params: Mapping[str, Any]) -> Params:
        return {name: self.given[name].get(value, value) if name in self.given else self._numeral(name, value) for name, value in params.items()}

    def there(self, params: Mapping[str, Any]) -> Params:
        return {name: self._word(self.given[name], value) if name in self.given else value for name, value in params.items()}

    def document(self, part: Any) -> Any:
        """A document of the server, or a part of one, in which the numbers of points are as they are here, and choices text."""
        if isinstance(part, dict):
            return {
                name: {p: self._numeral(p, value) for p, value in inside.items()} if name == "x" and isinstance(inside, dict) else self.document(inside)
                for name, inside in part.items()
            }
        return [self.document(inside) for inside in part] if isinstance(part, list) else part

    def _numeral(self, name: str, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return value
        return float(value) if name in self.floats else self.ordered.get(name, {}).get(float(value), value)

    @staticmethod
    def _word(given: Mapping[str, Any], value: Any) -> Any:
        """The word of a choice; what is none goes as it is, for the server to refuse."""
        word = _label(value)
        if word in given:
            return word
        same = (known for known, choice in given.items() if choice == value and not isinstance(choice, bool) and not isinstance(value, bool))
        return next(same, value)


# What is asked and told


@dataclass(frozen=True)
class Query:
    """A point that the study wants a value of."""

    id: int
    params: Params
    attempt: int = 1
    deadline: Optional[datetime.datetime] = None  # after which the value is late; none without a timeout
    cost: Optional[float] = None  # that is expected of its fidelity

    def __getitem__(self, name: str) -> Any:
        return self.params[name]


class Queries(List[Query]):
    """The queries of an ask. Where there are fewer than were asked for, ``held`` says what holds the others back."""

    held: Optional[str] = None
    error: Optional[str] = None  # why there are no more, where nothing holds them back


@dataclass(frozen=True)
class Told:
    """What became of an answer."""

    repeated: bool = False  # it was known already, or an outcome stands: nothing changed
    late: bool = False  # the value counts, though nobody waited for it any more
    stands: Optional[str] = None  # the value that a failure or a cancellation did not change


@dataclass(frozen=True)
class Best:
    """An evaluation with its value."""

    id: int
    params: Params
    value: float


@dataclass(frozen=True)
class Prediction:
    """What the model expects at a point: of the function, how sure it is, and the spread of a measurement around the function."""

    mean: float
    stddev: float
    noise: float
    params: Params = field(default_factory=dict)
    feasible: Optional[float] = None  # probability that every constraint holds


@dataclass(frozen=True)
class Event:
    """Something that happened in a study. The kind ``gap`` says that events before the next one are no longer there."""

    seq: int
    kind: str
    data: Params


@dataclass(frozen=True)
class Outcome:
    """What an objective returns that has more than a value."""

    value: SupportsFloat
    constraints: Optional[Constraints] = None
    cost: Optional[SupportsFloat] = None
    infeasible: bool = False


def _number(what: str, value: Any) -> float:
    if isinstance(value, (str, bytes, bytearray)) or not hasattr(value, "__float__"):
        raise TypeError(f"{what} = {value!r}: want a number")
    try:
        number = float(value)
    except OverflowError:  # an int beyond all floats
        number = math.inf if value > 0 else -math.inf
    if not math.isfinite(number):
        raise ValueError(f"{what} = {number}: want a finite number; an evaluation without one has failed")
    return number


def _point(params: Mapping[str, Any], what: str = "x") -> Params:
    _finite(what, params)
    return dict(params)


def _constraints(given: Constraints) -> Union[Dict[str, float], List[float]]:
    if isinstance(given, Mapping):
        return {name: _number(f"constraints.{name}", value) for name, value in given.items()}
    return [_number(f"constraints[{i}]", value) for i, value in enumerate(given)]


def _time(text: Optional[str]) -> Optional[datetime.datetime]:
    if not text:
        return None
    whole, _, fraction = text.rstrip("Z").partition(".")
    at = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return at + datetime.timedelta(seconds=float("0." + (fraction or "0")))


def _query(document: Mapping[str, Any], kinds: _Kinds) -> Query:
    cost = document.get("cost")
    return Query(
        int(document["id"]), kinds.here(document["x"]), max(int(document.get("attempt", 1)), 1), _time(document.get("deadline")), None if cost is None else float(cost),
    )


def _best(document: Optional[Mapping[str, Any]], kinds: _Kinds) -> Optional[Best]:
    return None if document is None else Best(int(document["id"]), kinds.here(document["x"]), float(document["value"]))


def _prediction(document: Optional[Mapping[str, Any]], params: Params) -> Optional[Prediction]:
    if document is None:
        return None
    feasible = document.get("feasible")
    return Prediction(float(document["mean"]), float(document["stddev"]), float(document["noise"]), params, None if feasible is None else float(feasible))


def _nanoseconds(seconds: Any) -> int:
    """The nearest whole number of nanoseconds: of what is written, so that 0.1 is not a little more."""
    return round(Fraction(repr(float(seconds))) * 10**9)


def _in_seconds(nanoseconds: int) -> str:
    """A time as the server reads it, to the nanosecond."""
    whole, part = divmod(abs(nanoseconds), 10**9)
    return "-" * (nanoseconds < 0) + f"{whole}.{part:09d}".rstrip("0").rstrip(".") + "s"


def _duration(what: str, given: Any) -> str:
    """A time that is an option: a difference, or a number of seconds."""
    if isinstance(given, datetime.timedelta):
        return _in_seconds(given // datetime.timedelta(microseconds=1) * 1000)
    try:
        finite = math.isfinite(given)
    except OverflowError:  # an int beyond all floats
        finite = False
    if not finite:
        raise ValueError(f"{what} = {given}: want a finite number of seconds")
    nanoseconds = _nanoseconds(given)
    if given != 0 and nanoseconds == 0:
        raise ValueError(f"{what} = {given}: want 0, or at least 1e-9, which is a nanosecond: it is in seconds")
    return _in_seconds(nanoseconds)


# The connection

_LONGEST_WAIT = 60.0  # of one long poll; the server allows no more
_LONGEST_PAUSE = 5.0  # between two attempts, but for what the server demands
_SILENCE = 45.0  # after which a stream of events is taken for dead; the server gives a sign of life every 15 s


def _plain(value: Any) -> Any:
    """Numbers of other libraries, such as those of numpy, as plain ones."""
    if isinstance(value, (int, float, str)) and type(value).__module__ == "builtins":
        return value
    item = getattr(value, "item", None)
    if callable(item):
        return item()
    raise TypeError(f"{value!r} cannot be sent: want a number, text, true or false")


def _retry_after(header: Optional[str]) -> Optional[Seconds]:
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        at = email.utils.parsedate_to_datetime(header)
    except (TypeError, ValueError):
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=datetime.timezone.utc)
    return max((at - datetime.datetime.now(datetime.timezone.utc)).total_seconds(), 0.0)


def _hopeless(error: Exception) -> bool:
    """Whether an error of a connection will come again: one of certificates."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return True
    return isinstance(error, ssl.SSLError) and "ALERT" in (error.reason or "").upper()


class Client:
    """A server of studies at ``url``, as in ``http://127.0.0.1:8080``.

    Where the connection fails, no answer comes within ``timeout`` seconds, or the server says that it should come again later, a request is
    sent again for ``retry`` seconds from then on; pauses grow up to five seconds, and are as long as the server says at least. ``ca`` is a file
    with the authorities of the server's certificate, ``cert`` and ``key`` those of the client's own, PEM all of them; ``context``
    is in place of them. ``headers`` go with every request.
    """

    def __init__(
        self, url: str, *, timeout: Seconds = 60.0, retry: Seconds = 60.0, ca: Optional[str] = None, cert: Optional[str] = None,
        key: Optional[str] = None, context: Optional[ssl.SSLContext] = None, headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url = {url!r}: want an address as in http://127.0.0.1:8080")
        for name, value in (("timeout", timeout), ("retry", retry)):
            if not value >= 0 or math.isinf(value):
                raise ValueError(f"{name} = {value!r}: want a number of seconds ≥ 0")
        self.url = url.rstrip("/")
        self._host, self._port, self._path = parts.hostname, parts.port, parts.path.rstrip("/")
        self._timeout, self._retry = timeout, retry
        self._headers = {"Accept": "application/json", **(headers or {})}
        self._context: Optional[ssl.SSLContext] = None
        if parts.scheme == "https":
            self._context = context or ssl.create_default_context(cafile=ca)
            if cert:
                self._context.load_cert_chain(cert, key)
        elif ca or cert or key or context:
            raise ValueError(f"url = {url!r}: want https with certificates")
        self._lock = threading.Lock()
        self._idle: Deque[http.client.HTTPConnection] = deque()
        self._pid = os.getpid()
        self._private = False  # whether the server is this program's own

    def __repr__(self) -> str:
        return f"Client({self.url!r})"

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections that are idle. The client may be used again."""
        with self._lock:
            idle, self._idle = self._idle, deque()
        for connection in idle:
            connection.close()

    def create(
        self, name: str, *, space: Mapping[str, Any], budget: Optional[int] = None, minimize: Optional[bool] = None,
        points: Optional[Sequence[Params]] = None, constraints: Optional[Sequence[Mapping[str, Any]]] = None, seeds: Optional[Sequence[Params]] = None,
        **options: Any,
    ) -> Study:
        """Begin a study, or find the one that is there and is the same; another of this name is ``Exists``. What is not given is not compared:
        without ``minimize`` a study that is new maximizes, and one that is there does as it did.

        ``space`` has a parameter for each name, as ``Float`` and its like make them, or is a whole space as in a space file.
        ``points`` are the only ones that may be queried, with a value for each parameter: ``[{"ph": 7, "kind": "a"}, …]``. ``constraints`` are as there, ``{"name": "latency", "at_most": 0.2}``. ``options`` are named as the flags of ``tarry asktell``,
        with _ for -: ``policy="log-ei"``, ``seed=1``, ``pending=8``, ``lease="10m"``. Times are text, or numbers of seconds."""
        if budget is not None:
            options["budget"] = budget
        if minimize is not None:
            options["minimize"] = minimize
        given = {}
        for option, value in options.items():
            number = isinstance(value, numbers.Real) and not isinstance(value, bool)
            if isinstance(value, datetime.timedelta) or number and option in ("lease", "timeout"):
                value = _duration(option, value)
            given[option.replace("_", "-")] = value
        _finite("options", given)
        whole = _space(space, points, constraints, seeds)
        self._call("PUT", _study_path(name), {"space": whole, "options": given})
        return Study(self, name, _Kinds(whole["parameters"]))

    def study(self, name: str) -> Study:
        """The study of this name. Nothing is asked of the server yet; its space is, once, when the first point is."""
        return Study(self, name)

    def studies(self) -> List[str]:
        """The names of all studies."""
        return [one["name"] for one in self._call("GET", "/v1/studies")["studies"]]

    def _call(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, *, key: Optional[str] = None, wait: Seconds = 0.0,
        retry: Optional[Seconds] = None,
    ) -> Dict[str, Any]:
        answer = self._bytes(method, path, body, key=key, wait=wait, retry=retry)
        try:
            document = json.loads(answer)
        except ValueError:
            document = None
        if not isinstance(document, dict):
            raise TarryError(f"{method} {self.url}{path}: the answer is no object in JSON: {answer[:80]!r}: is this a server of tarry?")
        return document

    def _bytes(
        self, method: str, path: str, body: Optional[Mapping[str, Any]] = None, *, key: Optional[str] = None, wait: Seconds = 0.0,
        retry: Optional[Seconds] = None,
    ) -> bytes:
        """The answer to a request that may arrive more than once, which is why it is sent until it has one."""
        headers = dict(self._headers)
        data = None
        if body is not None:
            data = json.dumps(body, allow_nan=False, default=_plain).encode()
            headers["Content-Type"] = "application/json"
        if key is not None:
            headers["Idempotency-Key"] = key
        until = 0.0  # from the first failure on
        pause = 0.1
        while True:
            again: Optional[Seconds] = None
            failure: TarryError
            cause: Optional[Exception] = None
            try:
                status, answer, later = self._once(method, path, data, headers, self._timeout + wait)
                if status < 300:
                    return answer
                failure, again = _problem(status, answer), _retry_after(later)
                if again is None and status not in (429, 502, 503, 504):
                    raise failure
            except (OSError, http.client.HTTPException) as error:
                failure, cause = Unreachable(f"{method} {self.url}{path}: {error or type(error).__name__}"), error
                if _hopeless(error):
                    raise failure from error
            until = until or time.monotonic() + (self._retry if retry is None else retry)
            sleep = max(min(pause, _LONGEST_PAUSE) * random.uniform(0.5, 1.0), again or 0.0)
            if time.monotonic() + sleep > until:
                raise failure from cause
            if pause > 1:  # not for what passes at once
                _log.warning("%s; trying again for %.0f s", failure, until - time.monotonic())
            pause *= 2
            time.sleep(sleep)

    def _once(self, method: str, path: str, data: Optional[bytes], headers: Dict[str, str], timeout: Seconds) -> Tuple[int, bytes, Optional[str]]:
        while True:
            connection, used = self._connection(timeout)
            try:
                connection.request(method, self._path + path, data, headers)
                response = connection.getresponse()
                answer = response.read()
            except BaseException as error:
                connection.close()
                if used and isinstance(error, (http.client.RemoteDisconnected, ConnectionError)):
                    continue  # the server had closed what was idle
                raise
            if response.will_close:
                connection.close()
            else:
                with self._lock:
                    self._idle.append(connection)
            return response.status, answer, response.headers.get("Retry-After")

    def _connection(self, timeout: Seconds) -> Tuple[http.client.HTTPConnection, bool]:
        with self._lock:
            if self._pid != os.getpid():  # a fork must not write where its parent does
                for theirs in self._idle:
                    theirs.close()
                self._idle, self._pid = deque(), os.getpid()
            connection = self._idle.pop() if self._idle else None
        if connection is None:
            return self._open(timeout), False
        connection.timeout = timeout
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        return connection, True

    def _open(self, timeout: Seconds) -> http.client.HTTPConnection:
        if self._context is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._context)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)


def _study_path(name: str) -> str:
    if not name:
        raise ValueError("name = '': want 1 … 100 letters, digits, _, . and -, the first no . or -")
    return "/v1/studies/" + urllib.parse.quote(name, safe="")


# A study


class Study:
    """A study of a server. Any number of queries may be open at once, and be told in any order, by any program."""

    def __init__(self, client: Client, name: str, kinds: Optional[_Kinds] = None) -> None:
        self.client, self.name, self._known = client, name, kinds
        self._path = _study_path(name)

    def __repr__(self) -> str:
        return f"Study({self.client.url!r}, {self.name!r})"

    def _kinds(self) -> _Kinds:
        """What its values are; the server describes those of a study that this program did not create."""
        if self._known is None:
            self._known = _Kinds.described(self.space()["parameters"])
        return self._known

    def ask(self, n: int = 1, *, wait: Seconds = 30.0, context: Optional[Params] = None) -> Queries:
        """Up to ``n`` queries, as soon as there is one; none, where there is none within ``wait`` seconds. After the end it is ``Ended``."""
        if not isinstance(wait, numbers.Real) or not 0 <= wait < math.inf:
            raise ValueError(f"wait = {wait!r}: want a number of seconds ≥ 0")
        until = time.monotonic() + wait
        while True:
            part = min(max(until - time.monotonic(), 0.0), _LONGEST_WAIT)
            out = self._ask(uuid.uuid4().hex, n, part, context)
            if out or out.error or time.monotonic() >= until:
                return out

    def _ask(self, key: str, n: int, wait: Seconds, context: Optional[Params] = None, retry: Optional[Seconds] = None) -> Queries:
        kinds = self._kinds()  # before there is a query that an error would lose
        body: Params = {"n": n}
        if context is not None:
            body["context"] = kinds.there(_point(context, "context"))
        answer = self.client._call("POST", f"{self._path}/ask?wait={_in_seconds(_nanoseconds(wait))}", body, key=key, wait=wait, retry=retry)
        out = Queries(_query(one, kinds) for one in answer["queries"])
        out.held, out.error = answer.get("held"), answer.get("error")
        return out

    def tell(
        self, query: Union[Query, int], value: SupportsFloat, *, constraints: Optional[Constraints] = None, cost: Optional[SupportsFloat] = None,
        infeasible: bool = False,
    ) -> Told:
        """Bring the value of a query, any time. The same value again changes nothing; another one is a ``Contradiction``. A value that
        is not finite is a ValueError here: such an evaluation has failed."""
        body: Params = {"value": _number("value", value)}
        if constraints is not None:
            body["constraints"] = _constraints(constraints)
        if cost is not None:
            body["cost"] = _number("cost", cost)
        if infeasible:
            body["infeasible"] = True
        return self._answer(query, "tell", body)

    def fail(self, query: Union[Query, int], reason: str = "", *, infeasible: bool = False, lost: bool = False) -> Told:
        """Say that a query has no value. With ``infeasible`` it is never tried again; with ``lost`` the point is not to blame."""
        return self._answer(query, "fail", _without_none(reason=reason or None, infeasible=infeasible, lost=lost))

    def cancel(self, query: Union[Query, int]) -> Told:
        """Give a query up, at no cost to the budget."""
        return self._answer(query.id if isinstance(query, Query) else query, "cancel", {})

    def renew(self, query: Union[Query, int]) -> None:
        """Let the lease of a query begin anew. Where nobody waits for it any more it is ``NotAwaited``."""
        self._answer(query, "renew", {})

    def report(self, query: Union[Query, int], value: SupportsFloat, step: SupportsFloat) -> bool:
        """Say a value on its way to the end, at a step that grows: an epoch, an age. It returns whether the evaluation should stop, since nobody
        waits for its value any more. Another value at the same step is a ``Contradiction``."""
        return bool(self._post(query, "report", {"value": _number("value", value), "step": _number("step", step)}).get("stop"))

    def _answer(self, query: Union[Query, int], verb: str, body: Params, retry: Optional[Seconds] = None) -> Told:
        answer = self._post(query, verb, body, retry)
        return Told(bool(answer.get("repeated")), bool(answer.get("late")), answer.get("stands"))

    def _post(self, query: Union[Query, int], verb: str, body: Params, retry: Optional[Seconds] = None) -> Params:
        number = query
        if isinstance(query, Query):
            number = query.id
            if query.attempt > 1:
                body["attempt"] = query.attempt
        answer: Params = self.client._call("POST", f"{self._path}/evaluations/{number}/{verb}", body, retry=retry)
        return answer

    def _document(self, path: str) -> Dict[str, Any]:
        kinds = self._kinds()
        return dict(kinds.document(self.client._call("GET", path)))

    def _there(self, params: Params) -> Params:
        return self._kinds().there(_point(params))

    def observe(self, params: Params, value: SupportsFloat, *, constraints: Optional[Constraints] = None) -> int:
        """Bring a value that was measured elsewhere, at no cost to the budget. It returns the number of the evaluation; 0 of a study
        that runs a command and was paused while a query was being chosen, where it has none yet. Where the server is killed before it answers,
        the value may be there twice."""
        body: Params = {"x": self._there(params), "value": _number("value", value)}
        if constraints is not None:
            body["constraints"] = _constraints(constraints)
        return int(self.client._call("POST", self._path + "/observe", body, key=uuid.uuid4().hex).get("id", 0))

    def enqueue(self, params: Params) -> None:
        """Name the point of the next query. What is left open is drawn at random. Where the server is killed before it answers, the point
        may be queried twice."""
        self.client._call("POST", self._path + "/enqueue", {"x": self._there(params)}, key=uuid.uuid4().hex)

    def predict(self, params: Params) -> Optional[Prediction]:
        """What the model expects at a point; None without a model."""
        return _prediction(self.client._call("POST", self._path + "/predict", {"x": self._there(params)})["prediction"], params)

    def recommend(self, context: Optional[Params] = None) -> Optional[Prediction]:
        """Where the model expects the best; None without a model."""
        body = {} if context is None else {"context": self._kinds().there(_point(context, "context"))}
        found = self.client._call("POST", self._path + "/recommend", body)["recommendation"]
        return _prediction(found, {} if found is None else self._kinds().here(found["x"]))

    def best(self) -> Optional[Best]:
        """The best value so far; None without one."""
        return _best(self.client._call("GET", self._path + "/best")["best"], self._kinds())

    def state(self) -> Dict[str, Any]:
        """How the study stands: counts, what is pending, best, recommended, and why it has ended if it has."""
        return self._document(self._path)

    def pending(self) -> List[Query]:
        """The queries that are out: given to somebody, and without an answer."""
        return [_query(one, self._kinds()) for one in self.state()["pending"] if not one.get("waiting")]

    def space(self) -> Dict[str, Any]:
        """The parameters, as in a space file."""
        return self.client._call("GET", self._path + "/space")

    def evaluation(self, query: Union[Query, int]) -> Dict[str, Any]:
        """One evaluation as it stands."""
        number = query.id if isinstance(query, Query) else query
        return self._document(f"{self._path}/evaluations/{number}")

    def export(self) -> Dict[str, Any]:
        """All of the study, as ``tarry inspect --json`` writes it."""
        return self._document(self._path + "/export?format=json")

    def export_csv(self) -> str:
        """A line for each evaluation, as ``tarry inspect --csv`` writes it."""
        return self.client._bytes("GET", self._path + "/export?format=csv").decode()

    def events(self, after: Optional[int] = None) -> Iterator[Event]:
        """What happens, as it happens, without an end: from now on, or after the event ``after``, 0 for all that are still there. A
        connection that is lost is made again where it ended, and a pause that began or ended meanwhile is an event ``paused`` as well."""
        until = time.monotonic() + self.client._retry
        paused: Optional[bool] = None if after else False  # as the caller knows it
        while True:
            connection = self.client._open(_SILENCE)
            try:
                headers = {**self.client._headers, "Accept": "text/event-stream"}
                if after is not None:
                    headers["Last-Event-ID"] = str(after)
                connection.request("GET", f"{self.client._path}{self._path}/events", headers=headers)
                response = connection.getresponse()
                if response.status != 200:
                    failure = _problem(response.status, response.read())
                    if response.status not in (429, 503) or time.monotonic() > until:
                        raise failure
                    time.sleep(max(_retry_after(response.headers.get("Retry-After")) or 0.0, 0.5))
                    continue
                for event in _frames(response):
                    until = time.monotonic() + self.client._retry
                    if event.kind != "gap":
                        after = event.seq
                    if event.kind == "paused":  # which the server says to everybody who comes again
                        if event.data.get("paused") == paused:
                            continue
                        paused = event.data.get("paused")
                    if event.kind:  # and not only the number from which the stream begins
                        yield event
            except (OSError, http.client.HTTPException) as error:
                if _hopeless(error) or time.monotonic() > until:
                    raise Unreachable(f"events of {self.name}: {error or type(error).__name__}") from error
            finally:
                connection.close()
            time.sleep(random.uniform(0.2, 0.5))

    def optimize(
        self, objective: Callable[[Query], Union[SupportsFloat, Outcome]], *, n_jobs: int = 1, n_trials: Optional[int] = None,
        timeout: Optional[Seconds] = None, catch: Union[Type[BaseException], Tuple[Type[BaseException], ...]] = (),
        alone: Optional[bool] = None, renew: Optional[Seconds] = None,
    ) -> Optional[Best]:
        """Evaluate queries until the study ends, and return the best.

        ``objective`` takes a query and returns a value or an ``Outcome``; ``Infeasible`` and ``Lost`` are for it to raise. A value that is
        not finite is a failed evaluation, and so is an exception of ``catch``. Any other ends everything and is raised, and so is what cannot be
        told: no number, constraints or a cost that are not finite, missing or unknown. Its evaluation has failed too.

        ``n_jobs`` evaluations run at once, in threads; one runs in the calling thread. ``n_trials`` ends after so many
        evaluations, ``timeout`` starts none after so many seconds. ``alone`` says that no other process evaluates queries of this
        study: then those that are pending were left by one that is gone, and are evaluated too; None means so for a server of one's own.
        With ``renew`` the lease of each query is renewed every so many seconds while it is evaluated.

        Ctrl-C: with one job the evaluation is interrupted, with several those that run are waited for, and left by a second Ctrl-C. What
        was interrupted or left is asked again later. Then KeyboardInterrupt is raised."""
        if n_jobs < 1:
            raise ValueError(f"n_jobs = {n_jobs}: want at least 1")
        return _Work(self, objective, n_jobs, n_trials, timeout, catch, self.client._private if alone is None else alone, renew).run()


def _frames(response: http.client.HTTPResponse) -> Iterator[Event]:
    kind, number, data = "", 0, ""
    while True:
        raw = response.readline()
        if not raw:
            return
        line = raw.decode("utf-8", "replace").rstrip("\r\n")
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "id":
            number = int(value)
        elif name == "event":
            kind = value
        elif name == "data":
            data += value
        elif not line:
            yield Event(number, kind, json.loads(data or "{}"))
            kind, data = "", ""


# Evaluating

_POLL = 2.0  # seconds of one long poll of a worker, after which it looks whether it should end


class _Work:
    """The evaluations of one call of optimize."""

    def __init__(
        self, study: Study, objective: Callable[[Query], Union[SupportsFloat, Outcome]], n_jobs: int, n_trials: Optional[int], timeout: Optional[Seconds],
        catch: Union[Type[BaseException], Tuple[Type[BaseException], ...]], alone: bool, renew: Optional[Seconds],
    ) -> None:
        if n_trials is not None and n_trials < 0:
            raise ValueError(f"n_trials = {n_trials}: want a number ≥ 0, or None for as many as the budget")
        if not all(isinstance(one, type) for one in (catch if isinstance(catch, tuple) else (catch,))):
            raise TypeError(f"catch = {catch!r}: want a kind of exception, or a tuple of them")
        self.study, self.objective, self.n_jobs, self.n_trials = study, objective, n_jobs, n_trials
        self.catch, self.alone, self.renew = catch, alone, renew
        self.until = None if timeout is None else time.monotonic() + timeout
        self.stop = threading.Event()  # nothing new is begun
        self.ended = threading.Event()
        self.asking = threading.Lock()  # held by who gets the next query
        self.lock = threading.Lock()  # guards what follows
        self.running: Dict[int, Query] = {}
        self.gone: Set[threading.Thread] = set()
        self.begun = 0
        self.error: Optional[BaseException] = None
        self.left: List[Query] = []  # guarded by asking: queries that somebody left
        self.seen: Set[int] = set()  # guarded by asking

    def run(self) -> Optional[Best]:
        if self.renew is not None:
            threading.Thread(target=self.keep, args=(self.renew,), daemon=True).start()
        try:
            if self.n_jobs == 1:
                self.work()
            else:
                self.threads()
        finally:
            self.stop.set()
            self.ended.set()
        if self.error is not None:
            raise self.error
        return self.study.best()

    def threads(self) -> None:
        threads = [threading.Thread(target=self.work, name=f"tarry-{i + 1}", daemon=True) for i in range(self.n_jobs)]
        try:
            for thread in threads:
                thread.start()
            self.wait(threads)
        except KeyboardInterrupt:
            try:
                self.stop.set()
                _log.warning("Ctrl-C: waiting for %d evaluations; once more leaves them", len(self.running))
                self.wait(threads)
            except KeyboardInterrupt:
                with self.lock:
                    running = list(self.running.values())
                for query in running:
                    self.give_back(query)
            raise

    def wait(self, threads: Sequence[threading.Thread]) -> None:
        """Wait for the threads that were started. They say themselves that they end: a join that Ctrl-C interrupts takes its thread for
        dead before Python 3.13, and one without an end cannot be interrupted everywhere."""
        while any(thread.ident is not None and thread not in self.gone for thread in threads):
            time.sleep(0.02)

    def work(self) -> None:
        try:
            while True:
                query = self.next()
                if query is None:
                    return
                try:
                    self.evaluate(query)
                finally:
                    with self.lock:
                        self.running.pop(query.id, None)
        except BaseException as error:
            with self.lock:
                self.error = self.error or error
            self.stop.set()
        finally:
            self.gone.add(threading.current_thread())

    def next(self) -> Optional[Query]:
        """The next query; None where there are no more for this call."""
        with self.asking:
            if self.alone and not self.seen and not self.left:
                self.left = self.study.pending()
            while not self.over():
                query = self.left.pop(0) if self.left else self.ask()
                if query is None:
                    return None
                if query.id > 0:
                    self.seen.add(query.id)
                    with self.lock:
                        self.running[query.id] = query
                        self.begun += 1
                    return query
        return None

    def over(self) -> bool:
        late = self.until is not None and time.monotonic() >= self.until
        return self.stop.is_set() or late or self.n_trials is not None and self.begun >= self.n_trials

    def ask(self) -> Optional[Query]:
        """A query; one with the number 0 where there is none now, and None where there are no more."""
        key = uuid.uuid4().hex
        try:
            queries = self.study._ask(key, 1, _POLL)
        except Ended:
            return None
        except KeyboardInterrupt:  # the server may have given one out that is not here
            for query in self.study._ask(key, 1, 0.0, retry=1.0):
                self.give_back(query)
            raise
        if queries and self.stop.is_set():
            self.give_back(queries[0])
            return None
        if queries:
            return queries[0]
        if queries.error:
            raise TarryError(queries.error)
        if not self.running:
            if self.alone:
                self.left = [query for query in self.study.pending() if query.id not in self.seen]
            if not self.left and "budget" in (queries.held or ""):
                return None
        return Query(0, {})

    def evaluate(self, query: Query) -> None:
        study = self.study
        try:
            out = self.objective(query)
        except Infeasible as error:
            study.fail(query, str(error) or "infeasible", infeasible=True)
        except Lost as error:
            study.fail(query, str(error) or "lost", lost=True)
        except self.catch as error:
            study.fail(query, repr(error))
        except Exception as error:
            study.fail(query, repr(error))
            raise
        except BaseException:
            self.give_back(query)
            raise
        else:
            self.tell(query, out if isinstance(out, Outcome) else Outcome(out))

    def tell(self, query: Query, out: Outcome) -> None:
        try:
            try:
                _number("value", out.value)
            except ValueError as error:
                self.study.fail(query, str(error))
                return
            self.study.tell(query, out.value, constraints=out.constraints, cost=out.cost, infeasible=out.infeasible)
        except Contradiction as error:
            _log.warning("%s", error)  # somebody else evaluated it too
        except Exception as error:
            if isinstance(error, TarryError) and not isinstance(error, Invalid):
                raise  # the answer may be right
            self.study.fail(query, str(error) or repr(error))
            if not isinstance(error, self.catch):
                raise

    def give_back(self, query: Query) -> None:
        """Let a query be asked again, by whoever comes next."""
        try:
            self.study._answer(query, "fail", {"reason": "left", "lost": True}, retry=5.0)
        except TarryError as error:
            _log.warning("evaluation %d stays pending: %s", query.id, error)

    def keep(self, every: Seconds) -> None:
        while not self.ended.wait(every):
            with self.lock:
                running = list(self.running.values())
            for query in running:
                try:
                    self.study.renew(query)
                except TarryError as error:
                    _log.debug("%s", error)


# A server of one's own

_served = re.compile(r" is served on (https?://\S+)$")


class Server:
    """``tarry serve FOLDER`` as a child of this program, on a free port of this machine. The folder is made where it is missing.

    The program is ``binary``, or what the environment variable TARRY names, or ``tarry`` in PATH; ``args`` are further flags. The server
    ends with ``close``, or when this program ends, whatever ends it. Ctrl-C in a terminal does not reach it."""

    def __init__(self, folder: Union[str, os.PathLike[str]], *, binary: Optional[str] = None, args: Sequence[str] = (), timeout: Seconds = 30.0) -> None:
        program = binary or os.environ.get("TARRY") or shutil.which("tarry")
        if not program:
            raise TarryError("there is no tarry in PATH: install it with go install ./cmd/tarry, or set TARRY to its path")
        os.makedirs(folder, exist_ok=True)
        if not any(arg.startswith("--tls-cert") for arg in args):
            args = ["--without-tls", *args]
        command = [program, "serve", os.fspath(folder), "--http", "127.0.0.1:0", "--until-eof", *args]
        try:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                start_new_session=True, creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # so that Ctrl-C does not reach it
            )
        except OSError as error:
            raise TarryError(f"{program} cannot be started: {error}") from error
        self.folder, self.url = os.fspath(folder), ""
        self._said: Deque[str] = deque(maxlen=20)
        self._listens = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._listens.wait(timeout) or not self.url:
            self.close()
            raise TarryError(f"{' '.join(command)}: {' / '.join(self._said) or 'it does not listen'}")

    def _read(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as said:
            for line in said:
                line = line.rstrip()
                found = _served.search(line)
                if found and not self.url:
                    self.url = found.group(1)
                    self._listens.set()
                self._said.append(line)
                _log.debug("server: %s", line)
        self._listens.set()

    def client(self, **settings: Any) -> Client:
        """A client of this server, with the settings of ``Client``."""
        client = Client(self.url, **settings)
        client._private = True
        return client

    def close(self) -> None:
        """End the server in good order. What it acknowledged is in the folder."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._reader.join()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def serve(folder: Union[str, os.PathLike[str]], *, binary: Optional[str] = None, args: Sequence[str] = (), **settings: Any) -> Iterator[Client]:
    """A client of a server of one's own for a folder of studies, which ends with the block: ``with tarry.serve("studies") as client``."""
    with Server(folder, binary=binary, args=args) as server, server.client(**settings) as client:
        yield client
