"""What gradient rules make of the same block with the same specs again and again, made once and then copied.

A rule knows shapes, dtypes and parameters, never numbers; so for two blocks that are alike it applies the same block
types to what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from engine.block_type import BlockType
from engine.expression import Application, Expression, applications_before
from engine.tensor_spec import TensorSpec

# So many fragments are kept; a graph has far fewer kinds of blocks.
_KEPT = 4096
Parts = list[Expression | None]
_PLAIN = bool | int | float | str | None
# What a rule was given comes first, then what each of its applications gives.
_Place = int | None


class _Copy(NamedTuple):
    """One application of a fragment, its inputs by their places."""

    type: BlockType
    inputs: tuple[_Place, ...]
    parameters: Mapping[str, Any]  # Any: the kinds decide
    specs: tuple[TensorSpec, ...]


class _Fragment(NamedTuple):
    applications: tuple[_Copy, ...]
    parts: tuple[_Place, ...]


_known: dict[Hashable, _Fragment] = {}


def made_once(
    block_type: BlockType, given: Sequence[Expression | None], parameters: Mapping[str, Any], rule: Callable[[], Parts]
) -> Parts:
    """What `rule` makes of what it is given: asked the first time, and then copied."""
    key = _key(block_type, given, parameters)
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


def _key(block_type: BlockType, given: Sequence[Expression | None], parameters: Mapping[str, Any]) -> Hashable:
    """All that a rule can tell apart, None if that cannot be said: parameters in full, and which inputs are one."""
    simple = []
    for name, value in parameters.items():
        if not _is_plain(value):
            return None
        # Equal numbers of two types, and the two zeros, are written differently.
        simple.append((name, repr(value)))
    first: dict[Expression | None, int] = {}
    pattern = tuple(first.setdefault(item, place) for place, item in enumerate(given))
    specs = tuple(None if item is None else item.spec for item in given)
    return block_type, block_type.rule, tuple(simple), pattern, specs


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, _PLAIN)


def _fragment(given: Sequence[Expression | None], parts: Parts) -> _Fragment:
    places: dict[Expression, int] = {}
    for place, item in enumerate(given):
        if item is not None:
            places.setdefault(item, place)
    known = {item.application for item in given if item is not None}
    made = applications_before([part for part in parts if part is not None], known=known)
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
