"""Cache of the expressions that gradient rules build, reused for equal blocks with equal specs.

A rule knows shapes, dtypes and parameters, never numbers; for equal blocks it therefore applies the same block types to
its arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.operation import Operation

# Capacity of the cache; a graph has far fewer kinds of blocks.
_KEPT = 4096
Parts = list[Expression | None]
_PLAIN = bool | int | float | str | None
# Numbers the arguments of a rule first, then the outputs of its applications.
_Place = int | None


class _Copy(NamedTuple):
    """One application of a fragment, with its inputs as places."""

    type: Operation
    inputs: tuple[_Place, ...]
    parameters: Mapping[str, Any]  # Any: the kinds of parameters decide
    specs: tuple[TensorSpec, ...]


class _Fragment(NamedTuple):
    applications: tuple[_Copy, ...]
    parts: tuple[_Place, ...]


_known: dict[Hashable, _Fragment] = {}


def cached_rules(
    operation: Operation, given: Sequence[Expression | None], parameters: Mapping[str, Any], rule: Callable[[], Parts]
) -> Parts:
    """Returns the expressions that `rule` builds from its arguments; calls it once per key and copies afterwards.

    Source: memoisation. Cost: O(arguments + parameters) for the key, and O(fragment) for the copy.
    """
    key = _key(operation, given, parameters)
    if key is None:
        return rule()
    fragment = _known.get(key)
    if fragment is not None:
        return _copied(fragment, given)
    parts = rule()
    if len(_known) == _KEPT:
        del _known[next(iter(_known))]
    _known[key] = _fragment(given, parts)
    return parts


def _key(operation: Operation, given: Sequence[Expression | None], parameters: Mapping[str, Any]) -> Hashable:
    """Returns a key of all that a rule can distinguish; None if the parameters are not plain values.

    The key includes which inputs are the same expression.
    """
    simple = []
    for name, value in parameters.items():
        if not _is_plain(value):
            return None
        # `repr` distinguishes equal numbers of two types, and the two zeros.
        simple.append((name, repr(value)))
    first: dict[Expression | None, int] = {}
    pattern = tuple(first.setdefault(item, place) for place, item in enumerate(given))
    specs = tuple(None if item is None else item.spec for item in given)
    return operation, operation.rule, tuple(simple), pattern, specs


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, _PLAIN)


def _fragment(given: Sequence[Expression | None], parts: Parts) -> _Fragment:
    places: dict[Expression, int] = {}
    for place, item in enumerate(given):
        if item is not None:
            places.setdefault(item, place)
    known = {item.application for item in given if item is not None}
    made = topological_order([part for part in parts if part is not None], known=known)
    count = len(given)
    for application in made:
        for output in application.outputs:
            places[output] = count
            count += 1
    return _Fragment(
        tuple(
            _Copy(
                item.type,
                tuple(None if source is None else places[source] for source in item.inputs),
                item.parameters,
                tuple(output.spec for output in item.outputs),
            )
            for item in made
        ),
        tuple(None if part is None else places[part] for part in parts),
    )


def _copied(fragment: _Fragment, given: Sequence[Expression | None]) -> Parts:
    found: Parts = list(given)
    for item in fragment.applications:
        inputs = tuple([None if place is None else found[place] for place in item.inputs])
        found += Application(item.type, inputs, item.parameters, item.specs).outputs
    return [None if place is None else found[place] for place in fragment.parts]
