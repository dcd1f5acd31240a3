"""End of a training: a number of rounds, or a condition on the numbers of a round."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from gradwire.engine.base import schema
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.number_text import read_number
from gradwire.engine.files.json_fields import Record, as_record, required
from gradwire.engine.files.json_text import JsonFault, shown
from gradwire.engine.training.round import Round
from gradwire.engine.training.targets import Targets

NUMBER, GRADIENT, VALUE, STATUS = "number", "gradient", "value", "status"
# Keys of the plan, each with its kind of condition.
KEYS = {
    "below": NUMBER,
    "above": NUMBER,
    "gradient_below": GRADIENT,
    "gradient_above": GRADIENT,
    "outside": VALUE,
    "changes": STATUS,
}
FORMS = '"main/L < 0.01", "gradient main/w > 1000", "main/w outside -1..1" or "status main/h.y changes"'
_LONGEST = 1_000
_COMPARED = re.compile(r"(?P<gradient>gradient\s+)?(?P<at>[^<>=]*[^<>=\s])\s*(?P<sign>[<>])\s*(?P<limit>[^<>=\s]+)")
_OUTSIDE = re.compile(r"(?P<at>\S.*?)\s+outside\s+(?P<low>\S+?)\s*\.\.\s*(?P<high>\S+)")
_CHANGES = re.compile(r"status\s+(?P<at>\S.*?)\s+changes")


@dataclass(frozen=True)
class Condition:
    """Condition that ends a training: a number falls below `low` or rises above `high`, or a status changes.

    `at` is the place as the author names it: a loss or metric for a number, a Variable for the norm of its gradient or
    for the range of its elements, a port for a status. `logged` is the name of a number in the log.
    """

    kind: str
    at: str
    low: float = -math.inf
    high: float = math.inf
    logged: str = ""

    @property
    def text(self) -> str:
        """Condition as the command line takes it."""
        if self.kind == STATUS:
            return f"status {self.at} changes"
        if self.kind == VALUE:
            return f"{self.at} outside {self.low:g}..{self.high:g}"
        sign = f"> {self.high:g}" if math.isinf(self.low) else f"< {self.low:g}"
        return f"{'gradient ' * (self.kind == GRADIENT)}{self.at} {sign}"

    @property
    def entry(self) -> tuple[str, object]:
        """Key in the plan, and the condition's value under its place; the place itself for a status."""
        if self.kind == STATUS:
            return "changes", self.at
        if self.kind == VALUE:
            return "outside", (self.low, self.high)
        side, limit = ("above", self.high) if math.isinf(self.low) else ("below", self.low)
        return f"{'gradient_' * (self.kind == GRADIENT)}{side}", limit

    def reason(self, done: Round) -> str | None:
        """Returns why the numbers of a round end the training, without a full stop; None if they do not."""
        if self.kind == STATUS:
            before, now = done.statuses.get(self.at, ("", ""))
            return None if before == now else f"the status of {self.at} changes from {before} to {now}"
        if self.kind == VALUE:
            smallest, largest = done.ranges.get(self.at, (self.low, self.high))
            is_inside = self.low <= smallest and largest <= self.high
            return None if is_inside else f"{self.at} leaves the range from {self.low:g} to {self.high:g}"
        number = self._number(done)
        subject = f"the gradient of {self.at}" if self.kind == GRADIENT else self.at
        if number < self.low:
            return f"{subject} is below {self.low:g}"
        return f"{subject} is above {self.high:g}" if number > self.high else None

    def _number(self, done: Round) -> float:
        if self.kind == GRADIENT:
            return done.sizes[self.at].gradient if self.at in done.sizes else math.nan
        return done.losses.get(self.logged, done.metrics.get(self.logged, math.nan))


@dataclass(frozen=True)
class Until:
    """End of a training: a number of rounds, None where the plan says none, or the first condition that holds."""

    steps: int | None = None
    conditions: tuple[Condition, ...] = ()

    def end_of(self, n: int, usual: int) -> int:
        """Returns the number of rounds after which a training pauses that has run n: it runs as many again and again.

        `usual` counts where the plan says no number.
        """
        steps = usual if self.steps is None else self.steps
        return steps * max(1, math.ceil(n / steps)) if steps else 0

    @property
    def record(self) -> dict[str, object]:
        """Value of the key `until` in a plan."""
        found: dict[str, object] = {} if self.steps is None else {"steps": self.steps}
        for condition in self.conditions:
            key, value = condition.entry
            before = found.get(key)
            if isinstance(before, tuple) or condition.kind == STATUS:
                found[key] = (*(before if isinstance(before, tuple) else ()), value)
            else:
                found[key] = {**(before if isinstance(before, dict) else {}), condition.at: value}
        return found

    def reason(self, done: Round) -> str | None:
        """Returns why a round ends the training, None if it does not."""
        reasons = (condition.reason(done) for condition in self.conditions)
        return next((reason for reason in reasons if reason is not None), None)

    def places(self, kind: str) -> tuple[str, ...]:
        """Returns the places of all conditions of a kind."""
        return tuple(dict.fromkeys(item.at for item in self.conditions if item.kind == kind))


class ConditionReader:
    """Reader of conditions for one graph; `logged` maps each name of a number to its name in the log.

    Its methods raise JsonFault for a condition that nothing can meet.
    """

    def __init__(self, targets: Targets, logged: Mapping[str, str]) -> None:
        self._targets, self._logged = targets, logged

    def until(self, record: Record, count: Callable[[object], int]) -> Until:
        """Returns the end that a plan has under `until`."""
        known = ("steps", *KEYS)
        for key in record:
            if key not in known:
                raise JsonFault(f"{shown(key)} is no key of until{guess(key, known)}", (key,))
        steps = None if record.get("steps") is None else required(record, "steps", count)
        keys = [key for key in KEYS if record.get(key) is not None]
        found = [required(record, key, functools.partial(self._under, key)) for key in keys]
        return Until(steps, tuple(condition for part in found for condition in part))

    def parsed(self, text: str) -> Condition:
        """Returns a condition from the text of a command."""
        if len(text) > _LONGEST:
            raise JsonFault(f"a condition may have at most {_LONGEST:,} letters")
        if (changes := _CHANGES.fullmatch(text.strip())) is not None:
            return self._checked(Condition(STATUS, changes["at"]))
        if (outside := _OUTSIDE.fullmatch(text.strip())) is not None:
            low, high = _parsed(outside["low"]), _parsed(outside["high"])
            return self._checked(Condition(VALUE, outside["at"], low, high))
        compared = _COMPARED.fullmatch(text.strip())
        if compared is None:
            raise JsonFault(f"{shown(text)} is no condition; write for example {FORMS}")
        kind, limit = GRADIENT if compared["gradient"] else NUMBER, _parsed(compared["limit"])
        return self._checked(_beyond(kind, compared["at"], compared["sign"] == "<", limit))

    def _under(self, key: str, value: object) -> list[Condition]:
        if key == "changes":
            ports = schema.read_each(schema.counted(value, LIMITS.names, "ports"), self._targets.port)
            return [Condition(STATUS, at) for at in ports]
        record, found = as_record(value), []
        schema.counted(list(record), LIMITS.names, "conditions")
        for at in record:
            if key == "outside":
                low, high = required(record, at, _pair)
                condition = Condition(VALUE, at, low, high)
            else:
                condition = _beyond(KEYS[key], at, key.endswith("below"), required(record, at, schema.number))
            found.append(self._checked(condition, at))
        return found

    def _checked(self, condition: Condition, *path: str | int) -> Condition:
        """Returns a condition whose place the graph has, with its name in the log."""
        try:
            if condition.kind == NUMBER:
                return replace(condition, logged=self._name_in_log(condition.at))
            if condition.kind == STATUS:
                self._targets.port(condition.at)
            else:
                self._targets.check_assignable(condition.at)
        except JsonFault as fault:
            said = fault.message if condition.at in fault.message else f"{shown(condition.at)} {fault.message}"
            raise JsonFault(said, path) from None
        if condition.kind == VALUE and not condition.low < condition.high:
            raise JsonFault(f"{shown(condition.text)} is no range: its first number has to be the smaller one", path)
        return condition

    def _name_in_log(self, name: str) -> str:
        if name not in self._logged:
            known = guess(name, self._logged)
            raise JsonFault(f"{shown(name)} is not logged: name a step, its loss or a metric{known}")
        return self._logged[name]


def _beyond(kind: str, at: str, is_below: bool, limit: float) -> Condition:
    return Condition(kind, at, low=limit) if is_below else Condition(kind, at, high=limit)


def guess(name: str, names: Iterable[str]) -> str:
    """Returns the end of a sentence about a name that is not known: those like it, or all."""
    found = nearest(name, names)
    return f"; did you mean {' or '.join(found)}?" if found else f"; there are {', '.join(sorted(names))}"


def _pair(value: object) -> tuple[float, float]:
    both = schema.items(value, "two numbers, the smallest and the largest allowed")
    if len(both) != 2:
        raise JsonFault(f"must be two numbers, the smallest and the largest allowed, not {shown(value)}")
    return schema.number(both[0]), schema.number(both[1])


def _parsed(text: str) -> float:
    number = read_number(text)
    if number is None or not math.isfinite(number):
        raise JsonFault(f"{shown(text)} is no number")
    return float(number)
