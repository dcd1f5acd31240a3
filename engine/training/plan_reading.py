"""Reading of the plan of training from its key in the file; what is wrong in it is told with its place."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from gradwire.engine.base import schema
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.reading_time import TookTooLong, in_time, reading_time
from gradwire.engine.blocktypes.update_rule import RULES, RuleType, UpdateRule
from gradwire.engine.files.json_fields import Record, as_list, as_record, required
from gradwire.engine.files.json_text import JsonFault, shown
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training import schedules
from gradwire.engine.training.plan import Clip, Plan, Rule, Step
from gradwire.engine.training.schedules import Schedule, fixed
from gradwire.engine.training.targets import ALL, Targets
from gradwire.engine.training.until import ConditionReader, Until, guess

T = TypeVar("T")
PLAN_KEYS = ("seed", "steps", "clip", "until", "metrics", "test_every", "checks", "initial", "state")
STEP_KEYS = ("name", "loss", "maximize", "variables", "rule", "clip", "accumulate", "assign", "times", "every", "when")
# Without one of these a step that assigns does nothing else.
_TRAINING_KEYS = ("loss", "maximize", "variables", "rule", "clip", "accumulate")
_CLIPS = ("value", "norm", "global_norm")
_DECAYS = ("coupled", "decoupled")
DEFAULT_RATE = 0.01


def plan_of(graph: Graph) -> Plan:
    """Returns the plan of a graph; without one, a single step `all` by Adam.

    Raises: JsonFault, with the path from the file's root, for anything in it that is wrong or unknown.
    """
    if graph.training is None:
        return Plan((Step("all", _default_rule(), graph.loss),))
    try:
        with reading_time("it"):
            return _plan(as_record(_as_json(graph.training)), Targets(graph))
    except JsonFault as fault:
        raise fault.under("training") from None
    except TookTooLong as end:
        raise JsonFault(end.message.rstrip("."), ("training",)) from None


def with_conditions(plan: Plan, graph: Graph, texts: Iterable[str]) -> Plan:
    """Returns a plan that ends by further conditions too, given as texts.

    Raises: JsonFault for a text that is no condition, or names what the graph does not have.
    """
    reader = _conditions(plan.steps, plan.metrics, Targets(graph))
    added = tuple(map(reader.parsed, texts))
    return replace(plan, until=Until(plan.until.steps, (*added, *plan.until.conditions))) if added else plan


def _as_json(value: object) -> object:
    """Returns a part of the plan with lists as lists; tensors stay."""
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in in_time(value.items())}
    return [_as_json(item) for item in in_time(value)] if isinstance(value, list | tuple) else value


def _plan(record: Record, targets: Targets) -> Plan:
    _refuse_unknown(record, PLAN_KEYS, "a plan")
    metrics = _several(record, "metrics", LIMITS.steps, targets.port)
    clip = _given(record, "clip", _clip, None)
    steps = _several(record, "steps", LIMITS.steps, lambda value: _step(as_record(value), targets, clip))
    if "steps" not in record:
        steps = (Step("all", _default_rule(), targets.loss, clip=clip),)
    if not steps:
        raise JsonFault("steps is empty, so nothing would be trained", ("steps",))
    _refuse_same_names(steps)
    return Plan(
        steps,
        seed=_given(record, "seed", schema.rounds, 0),
        until=_given(
            record,
            "until",
            lambda value: _conditions(steps, metrics, targets).until(as_record(value), schema.rounds),
            Until(),
        ),
        metrics=metrics,
        test_every=_given(record, "test_every", _rounds_from_1, 0),
        checks=_several(record, "checks", LIMITS.checks, as_record),
    )


def _step(record: Record, targets: Targets, clip: Clip | None) -> Step:
    _refuse_unknown(record, STEP_KEYS, "a step")
    always: tuple[int, int | None] = (0, None)
    begin, end = _given(record, "when", _when, always)
    nothing: Mapping[str, str] = {}
    assign = _given(record, "assign", lambda value: _assigned(as_record(value), targets), nothing)
    trains = not assign or any(key in record for key in _TRAINING_KEYS)
    loss = _given(record, "loss", targets.check_loss, None if "loss" in record else targets.loss)
    unnamed = (loss or "all") if trains else next(iter(assign))
    return Step(
        name=_given(record, "name", schema.label, unnamed),
        rule=_given(record, "rule", _rule, _default_rule()) if trains else None,
        loss=loss if trains else None,
        maximize=_given(record, "maximize", schema.boolean, False),
        variables=_given(record, "variables", lambda value: _variables(value, targets), ("*",)),
        clip=_given(record, "clip", _clip, None) if "clip" in record else clip,
        accumulate=_given(record, "accumulate", _rounds_from_1, 1),
        assign=assign,
        times=_given(record, "times", _rounds_from_1, 1),
        every=_given(record, "every", _rounds_from_1, 1),
        begin=begin,
        end=end,
    )


def _given(record: Record, key: str, read: Callable[[object], T], default: T) -> T:
    """Returns the value of a key as `read` reads it; the default where the key is missing, or its value null."""
    return default if record.get(key) is None else required(record, key, read)


def _several(record: Record, key: str, most: int, read: Callable[[object], T]) -> tuple[T, ...]:
    """Returns the entries of a list of limited length, each as `read` reads it; empty where the key is missing."""
    values = required(record, key, lambda value: schema.counted(value, most, key)) if key in record else []
    try:
        return tuple(schema.read_each(values, read))
    except JsonFault as fault:
        raise fault.under(key) from None


def _refuse_unknown(record: Record, known: Iterable[str], owner: str) -> None:
    for key in record:
        if key not in known:
            raise JsonFault(f"{shown(key)} is no key of {owner}{guess(key, known)}", (key,))


def _refuse_same_names(steps: Iterable[Step]) -> None:
    names: set[str] = set()
    for number, step in enumerate(steps):
        if step.name in names:
            raise JsonFault(f"two steps are named {shown(step.name)}; give one of them another name", ("steps", number))
        names.add(step.name)


def _only_key(value: object, known: Iterable[str], owner: str) -> tuple[str, object]:
    record = as_record(value)
    _refuse_unknown(record, known, owner)
    if len(record) != 1:
        raise JsonFault(f"must have one of the keys {', '.join(known)}, not {len(record)}")
    return next(iter(record.items()))


def _clip(value: object) -> Clip:
    kind, limit = _only_key(value, _CLIPS, "clip")
    return Clip(kind, required({kind: limit}, kind, schema.above_0))


def _when(value: object) -> tuple[int, int | None]:
    record = as_record(value)
    _refuse_unknown(record, ("from", "to"), "when")
    begin = _given(record, "from", schema.rounds, 0)
    end = None if record.get("to") is None else required(record, "to", _rounds_from_1)
    if end is not None and end <= begin:
        raise JsonFault(f"ends in round {end:,}, before it begins in {begin:,}: the step would never run", ("to",))
    return begin, end


def _conditions(steps: Iterable[Step], metrics: Iterable[str], targets: Targets) -> ConditionReader:
    """Returns the reader of conditions; a Loss block stands for the step that it alone is the loss of."""
    names = {name: name for name in metrics}
    for step in steps:
        alone = targets.losses if step.loss is None else [step.loss]
        names |= {alone[0]: step.name} if step.rule is not None and len(alone) == 1 else {}
    return ConditionReader(targets, names | {step.name: step.name for step in steps if step.rule is not None})


def _variables(value: object, targets: Targets) -> tuple[str, ...]:
    if isinstance(value, str) and value == ALL:
        return (ALL,)
    found = schema.read_each(schema.counted(value, LIMITS.names, "names"), targets.check_listed)
    if not found:
        raise JsonFault('must name a Variable at least; "*" means all of them')
    return tuple(found)


def _assigned(record: Record, targets: Targets) -> Mapping[str, str]:
    if not record:
        raise JsonFault("must name a Variable and the port whose value it takes")
    schema.counted(list(record), LIMITS.names, "names")
    for key, value in record.items():
        try:
            targets.check_assignable(key)
            targets.port(value)
        except JsonFault as fault:
            raise JsonFault(f"{shown(key)}: {fault.message}", (key,)) from None
    return {key: str(value) for key, value in record.items()}


@functools.cache
def _default_rule() -> Rule:
    kind = RULES["adam"]
    return Rule(kind.name, kind.rule(DEFAULT_RATE), fixed(DEFAULT_RATE), parameters=kind.defaults)


def _rule(value: object) -> Rule:
    record = dict(as_record(value))
    name = required(record, "type", _rule_type)
    kind = RULES[name]
    which, share = _given(record, "decay", _decay, ("", 0.0))
    if "rate" not in record and kind.rate is None:
        raise JsonFault(f"rate is missing; {name} has no usual one")
    rate = required(record, "rate", _schedule) if "rate" in record else fixed(kind.rate or 0.0)
    given = {key: item for key, item in record.items() if key not in ("type", "rate", "decay")}
    _refuse_unknown(given, (*kind.defaults, "type", "rate", "decay"), f"the rule {name}")
    for key in given:
        _update(kind, rate, {key: given[key]}, key)
    update = _update(kind, rate, given)
    coupled, decoupled = (share if which == key else 0.0 for key in _DECAYS)
    return Rule(name, update, rate, coupled, decoupled, {**kind.defaults, **given})


def _decay(value: object) -> tuple[str, float]:
    which, share = _only_key(value, _DECAYS, "decay")
    return which, required({which: share}, which, schema.at_least_0)


def _update(kind: RuleType, rate: Schedule, given: Record, *path: str) -> UpdateRule:
    try:
        return kind.rule(rate.at(0), **given)
    except BlockError as error:
        raise JsonFault(str(error), path) from None


def _rule_type(value: object) -> str:
    if not isinstance(value, str) or value not in RULES:
        raise JsonFault(f"{shown(value)} is no rule{guess(value if isinstance(value, str) else '', RULES)}")
    return value


def _schedule(value: object) -> Schedule:
    if not isinstance(value, dict):
        return fixed(schema.at_least_0(value))
    kind, given = _only_key(value, schedules.KINDS, "rate")
    try:
        return _READERS[kind](as_list(given))
    except JsonFault as fault:
        raise JsonFault(f"{kind} {fault.message}", (kind, *fault.path)) from None


def _numbers(kind: str, values: list[object], *readers: Callable[[object], float]) -> Schedule:
    if len(values) != len(readers):
        raise JsonFault(f"must have {len(readers)} numbers, not {len(values)}")
    waiting = iter(readers)
    return Schedule(kind, tuple(schema.read_each(values, lambda value: next(waiting)(value))))


def _rounds_from_1(value: object) -> int:
    return schema.rounds(value, 1)


def _rounds(value: object) -> float:
    return float(_rounds_from_1(value))


def _warmup(values: list[object]) -> Schedule:
    if len(values) != 3:
        raise JsonFault(f"must have a rate, a number of rounds, and what follows, not {len(values)} values")
    first, rounds = schema.read_each(values[:1], schema.at_least_0)[0], _rounds(values[1])
    try:
        then = _schedule(values[2])
    except JsonFault as fault:
        raise fault.under(2) from None
    return Schedule("warmup", (first, rounds), then)


def _list(values: list[object]) -> Schedule:
    def pair(value: object) -> tuple[int, float]:
        both = as_list(value)
        if len(both) != 2:
            raise JsonFault(f"must be pairs of a round and a rate, not {shown(value)}")
        return schema.rounds(both[0]), schema.at_least_0(both[1])

    pairs = schema.read_each(schema.counted(values, LIMITS.names, "pairs"), pair)
    starts = [start for start, _ in pairs]
    if not pairs or starts[0] != 0 or sorted(set(starts)) != starts:
        raise JsonFault("must begin with round 0, and each round must come after the one before")
    return Schedule("list", tuple(float(number) for both in pairs for number in both))


def _one_cycle(values: list[object]) -> Schedule:
    found = _numbers("one_cycle", values, schema.at_least_0, _rounds)
    if found.numbers[1] < 4:
        raise JsonFault(f"must last 4 rounds at least, not {shown(values[1])}")
    return found


_READERS: dict[str, Callable[[list[object]], Schedule]] = {
    "step": lambda values: _numbers("step", values, schema.at_least_0, _rounds, schema.at_least_0),
    "exponential": lambda values: _numbers("exponential", values, schema.at_least_0, schema.above_0, schema.at_least_0),
    "cosine": lambda values: _numbers("cosine", values, schema.at_least_0, schema.at_least_0, _rounds),
    "warmup": _warmup,
    "list": _list,
    "one_cycle": _one_cycle,
}
