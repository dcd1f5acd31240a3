"""Checks of a training that its file holds: values after some rounds, a number that only rises, who trains whom."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from gradwire.engine.base import schema
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.json_fields import Record, optional, required
from gradwire.engine.files.json_text import JsonFault, shown
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.contract import Row
from gradwire.engine.training.held_out import has_rows, with_test_part
from gradwire.engine.training.targets import Targets

RTOL, ATOL = 1e-9, 1e-12
_KINDS = ("value", "below", "above", "trains", "monotone", "differs")
_KEYS = ("title", "after", "at", *_KINDS, "step", "until", "run_without", "part", "rtol", "atol")
TEST = "test"


@dataclass(frozen=True)
class TrainingCheck:
    """Check of a kind; `after` rounds for a value, `until` that many for a number that never falls.

    `wanted` is a tensor, a limit, or a set of names; `without` names a StopGradient that is ignored. With `is_test` the
    value is that of the rows which training holds back.
    """

    title: str
    kind: str
    after: int
    at: str
    wanted: object
    without: str | None
    is_test: bool
    rtol: float
    atol: float


@dataclass(frozen=True)
class Outcome:
    """Outcome of a check: None where the training ended before it, or ignores other StopGradients."""

    title: str
    is_met: bool | None
    sentence: str


def read_check(record: Record, graph: Graph, steps: Iterable[str]) -> TrainingCheck:
    """Returns a check of the plan.

    Raises: JsonFault, with the path inside the check, for anything that is wrong or unknown.
    """
    for key in record:
        if key not in _KEYS:
            raise JsonFault(f"{shown(key)} is no key of a check", (key,))
    kinds = [key for key in _KINDS if key in record]
    if len(kinds) != 1:
        raise JsonFault(f"a check has one of {', '.join(_KINDS)}, not {len(kinds)}")
    kind, targets = kinds[0], Targets(graph)
    at, after = "", 0
    if kind == "trains":
        at = required(record, "step", lambda value: _one_of(value, steps))
        wanted: object = tuple(required(record, "trains", lambda value: _names(value, targets)))
    else:
        place = "monotone" if kind == "monotone" else "at"
        at = required(record, place, targets.port)
        after = required(record, "until" if kind == "monotone" else "after", schema.rounds)
        wanted = None if kind == "monotone" else required(record, kind, _WANTED[kind])
    title = optional(record, "title", schema.text)
    return TrainingCheck(
        title=f"{kind} {at}" if title is None else title,
        kind=kind,
        after=after,
        at=at,
        wanted=wanted,
        without=None if "run_without" not in record else required(record, "run_without", targets.check_stop),
        is_test="part" in record and required(record, "part", lambda value: _part(value, graph)) == TEST,
        rtol=required({"rtol": RTOL, **record}, "rtol", schema.at_least_0),
        atol=required({"atol": ATOL, **record}, "atol", schema.at_least_0),
    )


def value_of(check: TrainingCheck, graph: Graph) -> Array:
    """Returns the value that a check asks for in a graph as it is; NaN, with which no check is met, if it has none."""
    value = evaluate(with_test_part(graph) if check.is_test else graph).port(check.at).value
    return np.array(np.nan) if value is None else value


def compare(check: TrainingCheck, value: Array, plain: Callable[[], Array]) -> Outcome:
    """Returns the outcome of a check of one value; `plain` gives that of the training with all of its stops."""
    if check.kind in ("below", "above"):
        limit = _limit(check)
        is_met = bool((value < limit).all() if check.kind == "below" else (value > limit).all())
        return Outcome(check.title, is_met, f"{check.at} is {_text_of(value)}, wanted {check.kind} {limit:g}")
    if check.kind == "differs":
        other = plain()
        share, finite = check.rtol if check.wanted is None else _limit(check), other[np.isfinite(other)]
        least = share * float(np.max(np.abs(finite), initial=0.0))
        is_met = value.shape != other.shape or not np.allclose(value, other, 0, least, equal_nan=True)
        return Outcome(check.title, is_met, f"{check.at} is {_text_of(value)} and {_text_of(other)}")
    wanted = np.asarray(check.wanted)
    is_met = value.shape == wanted.shape and np.allclose(value, wanted, check.rtol, check.atol, equal_nan=True)
    return Outcome(check.title, bool(is_met), f"{check.at} is {_text_of(value)}, wanted {_text_of(wanted)}")


def compare_trained(check: TrainingCheck, rows: Iterable[Row]) -> Outcome:
    """Returns the outcome of a check of who trains whom: exactly these variables."""
    trained = next(set(row.trains) for row in rows if row.step == check.at)
    assert isinstance(check.wanted, tuple)
    more, less = sorted(trained - set(check.wanted)), sorted(set(check.wanted) - trained)
    parts = [f"also {', '.join(more)}"] * bool(more) + [f"not {', '.join(less)}"] * bool(less)
    return Outcome(check.title, not parts, f"step {check.at} trains {'; '.join(parts) or 'exactly these'}")


def compare_monotone(check: TrainingCheck, values: Mapping[int, float]) -> Outcome:
    """Returns the outcome of a check of a number that never falls, from round to round."""
    rounds = sorted(n for n in values if n <= check.after)
    falls = (n for n in rounds[1:] if values[n] < values[n - 1] - check.atol - check.rtol * abs(values[n - 1]))
    n = next(falls, None)
    sentence = "it never falls" if n is None else f"it falls in round {n:,}, from {values[n - 1]:g} to {values[n]:g}"
    return Outcome(check.title, n is None, f"{check.at}: {sentence}")


def _names(value: object, targets: Targets) -> list[str]:
    return list(
        targets.variables_of(schema.read_each(schema.counted(value, LIMITS.names, "names"), targets.check_listed))
    )


def _one_of(value: object, steps: Iterable[str]) -> str:
    if not isinstance(value, str) or value not in steps:
        raise JsonFault(f"{shown(value)} is no step of the plan; there are {', '.join(steps)}")
    return value


def _part(value: object, graph: Graph) -> str:
    part = schema.choice(value, ("train", TEST))
    if part == TEST and not has_rows(graph):
        raise JsonFault("is test, but no Data block holds back rows")
    return part


def _difference(value: object) -> float | None:
    """Returns the least relative difference; None for true, which stands for the tolerance."""
    return None if value is True else schema.one_number(value)


def _limit(check: TrainingCheck) -> float:
    assert isinstance(check.wanted, float)
    return check.wanted


_WANTED: dict[str, Callable[[object], object]] = {
    "value": schema.tensor,
    "below": schema.one_number,
    "above": schema.one_number,
    "differs": _difference,
}


def _text_of(value: Array) -> str:
    return f"{value.item():.12g}" if value.size == 1 else np.array2string(value, threshold=8, precision=6)
