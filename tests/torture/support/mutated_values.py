"""JSON values changed at random places: of another type, out of range, too many, missing, or from elsewhere."""

from __future__ import annotations

import copy
import random
from typing import Any

Json = Any  # Any: as JSON decides
TENSORS: list[Json] = [
    {"dtype": "float64", "shape": [2], "data": [1.0, 2.0]},
    {"dtype": "float64", "shape": [], "data": ["nan"]},
    {"dtype": "bool", "shape": [1], "data": [True]},
    {"dtype": "int64", "shape": [0], "data": []},
    {"dtype": "float32", "shape": [2, 1], "data": [1, "inf"]},
    {"dtype": "float64", "shape": [3], "data": [1]},
]
ODD: list[Json] = [
    *TENSORS, None, True, False, 0, -1, 1, 2, -5, 0.5, 1e30, -1e308, 1.7e308, 5e-324, 2**63, 10**300, "", "x", "*",
    "nan", "main/w", "main/loss.y", "\u202e", "a" * 5000, [], [[]], [1, [2]], [[1, 2], [3]], ["a", 1], {}, {"a": 1},
    {"from": 5}, [0] * 300, [[[[[[[[1]]]]]]]],
]  # fmt: skip
MANY = 100_000


def changed(value: Json, choose: random.Random) -> Json:
    """Returns a copy of a value with one to three changes."""
    found = copy.deepcopy(value)
    for _ in range(choose.choice((1, 1, 1, 2, 3))):
        found = _changed_once(found, choose)
    return found


def _changed_once(value: Json, choose: random.Random) -> Json:
    places = list(_places(value))
    if not places:
        return choose.choice(ODD)
    holder, key = choose.choice(places)
    kind = choose.random()
    if kind < 0.6:
        holder[key] = copy.deepcopy(choose.choice(ODD))
    elif kind < 0.7:
        del holder[key]
    elif kind < 0.8:
        other, at = choose.choice(places)
        holder[key] = copy.deepcopy(other[at]) if at in _keys(other) else None
    elif isinstance(holder, dict):
        holder[choose.choice([f"{key}z", key[1:], *ODD_KEYS])] = holder[key]
    else:
        holder.extend(holder[key : key + 1] * choose.choice((1, 1, 5, 300, MANY if choose.random() < 0.02 else 2)))
    return value


ODD_KEYS = ["", "type", "steps", "loss", "rate", "below", "memory", "main/w", "\u202e"]


def _places(value: Json) -> list[tuple[Json, Json]]:
    found: list[tuple[Json, Json]] = []
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key in _keys(holder):
            found.append((holder, key))
            waiting.append(holder[key])
    return found


def _keys(holder: Json) -> list[Json]:
    if isinstance(holder, dict):
        return list(holder)
    return list(range(min(len(holder), 50))) if isinstance(holder, list) else []
