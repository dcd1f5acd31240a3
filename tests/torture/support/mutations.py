"""Random changes of documents by knowledge of their structure: swapped types, repeated keys, broken wires."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.blocktypes.library import library

Json = Any  # what JSON holds
Way = tuple[str | int, ...]

# Prefix of strings that are written raw, because the encoder would not write them.
_RAW = "\0raw:"
_RAW_TEXT = re.compile(r'"\\u0000raw:((?:[^"\\]|\\.)*)"')

ODD_TEXTS = (
    "", " ", "x", "x.y", "x.y.z", ".", ".y", "x.", "main", "main/x", "main/loss", "inner", "inner/add", "gone/gone",
    "/", "//", "main/", "nan", "inf", "-inf", "NaN", "null", "true", "1", "1e400", "\0", "\n", "\t\r\n", "\u202eabc",
    "\ufeff", "\ud7ff", "\U0001f600", "é" * 40, "m" * 64, "m" * 65, "a" * 70_000, "<b>x</b>", "__import__('os')",
    "class", "values_0", "values_1", "values_99999999999999999999", "values_-1", "xs_0", "g_0", "float64", "complex128",
    "object", "O", "M8[s]", "AAAA", "====", "deadbeef", "sum", "mean", "SAME", "VALID", "../../etc/passwd", "x y",
)  # fmt: skip
ODD_NUMBERS = (
    0, 1, -1, 2, 3, 7, 16, 17, 64, 65, 1024, 1025, 0.5, -0.5, -0.0, 1e-320, 1e308, -1e308, 2**31 - 1, 2**31, -(2**31),
    2**53 + 1, 2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64, 10**18, 10**100, 10**308,
)  # fmt: skip
RAW_TEXTS = (
    "NaN", "Infinity", "-Infinity", "1e400", "-1e400", "9" * 400, "01", "1.", ".5", "+1", "0x10", "tru", "'x'",
    '"\\ud800"', '"\\udc00\\ud800"', '"\\x"', "[1,]", '{"a":1,}', "[", "]", "{", "}", ",", ":", "", "//", "-",
)  # fmt: skip
TENSORS = (
    {"dtype": "float64", "shape": [], "data": [1]},
    {"dtype": "float64", "shape": [0], "data": []},
    {"dtype": "float32", "shape": [2, 3], "data": [1, 2, 3, 4, 5, 6]},
    {"dtype": "int64", "shape": [1], "data": [2**63 - 1]},
    {"dtype": "bool", "shape": [1, 1], "data": [True]},
    {"dtype": "float64", "shape": [3], "data": ["nan", "inf", "-inf"]},
    {"dtype": "float64", "shape": [2**30, 2**30], "data": []},
    {"dtype": "uint8", "shape": [3], "bytes": 3, "crc32": "352441c2", "base64": "YWJj"},
)
KEYS = (
    "format", "version", "needs", "conventions", "loss", "checks", "pages", "name", "blocks", "wires", "frames",
    "notes", "id", "type", "label", "at", "width", "collapsed", "muted", "parameters", "title", "size", "text",
    "value", "dtype", "shape", "data", "bytes", "crc32", "zlib", "base64", "page", "axis", "", "\0", "é",
)  # fmt: skip
_TYPES = tuple(sorted(block_type.name for block_type in library))


def mutated(record: Json, random: Random) -> bytes:
    """Returns the bytes of a document after one to four changes."""
    for _ in range(random.choice((1, 1, 2, 4))):
        record = _changed(record, random)
    content = text_of(record).encode("utf-8", "surrogatepass")
    return _damaged(content, random) if random.random() < 0.1 else content


def text_of(record: Json) -> str:
    """Returns the JSON text of a record with possible repeated keys and values outside JSON."""
    text = json.dumps(record)
    if "\\u0000" not in text:
        return text
    return _RAW_TEXT.sub(lambda match: json.loads(f'"{match[1]}"'), text.replace('\\u0000"', '"'))


def _changed(record: Json, random: Random) -> Json:
    """Returns the record with another value at a random place; copies only the path to it."""
    if random.random() < 0.6:
        return _rebuilt(record, random)
    way = _way(record, random)
    change = random.choice(_CHANGES)
    return _with(record, way, lambda value: change(value, record, random))


def _way(record: Json, random: Random) -> Way:
    """Returns a path from the outside in, mostly deep into a page."""
    value: Json = record
    way: Way = ()
    while isinstance(value, dict | list) and value and random.random() < (0.99 if len(way) < 3 else 0.8):
        steps = list(value) if isinstance(value, dict) else range(len(value))
        step = "pages" if not way and "pages" in steps and random.random() < 0.9 else random.choice(steps)
        way, value = (*way, step), value[step]
    return way


def _with(value: Json, way: Way, change: Callable[[Json], Json]) -> Json:
    if not way:
        return change(value)
    copied = value.copy()
    copied[way[0]] = _with(value[way[0]], way[1:], change)
    return copied


def _anything(_: Json, record: Json, random: Random) -> Json:
    kind = random.randrange(9)
    if kind == 0:
        return random.choice(ODD_NUMBERS)
    if kind == 1:
        return random.choice(ODD_TEXTS)
    if kind == 2:
        return _RAW + random.choice(RAW_TEXTS)
    if kind == 3:
        return random.choice(TENSORS)
    if kind == 4:
        return random.choice(_TYPES)
    if kind == 5:
        return f"{random.choice(_ids(record))}.{random.choice(('x', 'y', 'z', 'a', 'b', 'product', 'value', 'grad'))}"
    return random.choice((None, True, False, [], {}, [[]], [{}], {"": {}}))


def _elsewhere(_: Json, record: Json, random: Random) -> Json:
    """Returns the value from another place of the document: other types, pages within pages, foreign ids."""
    value = record
    for step in _way(record, random):
        value = value[step]
    return value


def _altered_list(value: Json, record: Json, random: Random) -> Json:
    """Returns a list or object with an entry more, less, twice, elsewhere, or under another name."""
    if isinstance(value, dict) and value:
        return _altered_record(value, record, random)
    if not isinstance(value, list) or not value:
        return _anything(value, record, random)
    kind, place, copied = random.randrange(5), random.randrange(len(value)), value.copy()
    if kind == 0:
        del copied[place]
    elif kind == 1:
        copied.insert(random.randrange(len(value)), value[place])
    elif kind == 2:
        copied.insert(place, _anything(None, record, random))
    elif kind == 3:
        random.shuffle(copied)
    else:
        copied *= random.choice((0, 2, 20))
    return copied


def _altered_record(value: dict[str, Json], record: Json, random: Random) -> Json:
    kind, key, copied = random.randrange(5), random.choice(list(value)), value.copy()
    if kind == 0:
        del copied[key]
    elif kind == 1:
        copied[key + "\0"] = random.choice((value[key], _anything(None, record, random)))
    elif kind == 2:
        copied[random.choice((*KEYS, key + "x", key.upper()))] = copied.pop(key)
    elif kind == 3:
        copied[random.choice((*KEYS, *value))] = _elsewhere(None, record, random)
    else:
        copied[random.choice(KEYS)] = _anything(None, record, random)
    return copied


def _number(value: Json, _: Json, random: Random) -> Json:
    """Returns another number, slightly or far off."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return random.choice(ODD_NUMBERS)
    return random.choice((value + 1, value - 1, -value, value * 1000, float(value), random.choice(ODD_NUMBERS)))


def _nested(value: Json, _: Json, random: Random) -> Json:
    """Returns the value inside up to a hundred lists and objects."""
    for _ in range(random.choice((1, 2, 10, 57, 64, 100))):
        value = [value] if random.random() < 0.5 else {random.choice(KEYS): value}
    return value


def _part(_: Json, record: Json, random: Random) -> Json:
    """Returns any part of a page, for a place where it does not belong."""
    return random.choice(list(_PARTS.values()))(record, random)


def _rebuilt(record: Json, random: Random) -> Json:
    """Returns the document with a part added, removed or replaced; it mostly opens, with an odd meaning."""
    key = random.choice(("blocks", "blocks", "blocks", "wires", "wires", "frames", "notes", "checks"))
    pages = record.get("pages") if isinstance(record, dict) else None
    if not isinstance(pages, list) or not pages:
        return record
    way: Way = ("checks",) if key == "checks" else ("pages", random.randrange(len(pages)), key)
    made = _PARTS[key](record, random)

    def change(value: Json) -> Json:
        copied = list(value) if isinstance(value, list) else []
        place, kind = random.randrange(len(copied) + 1), random.randrange(4)
        copied[place : place + (0 if kind == 0 else 1)] = [] if kind == 1 else [made]
        return copied

    try:
        return _with(record, way, change)
    except (LookupError, TypeError, AttributeError):  # The list is gone, or is not a list.
        return record


def _a_block(record: Json, random: Random) -> Json:
    """Returns a block of any type, or a use of a page, with odd parameters."""
    name = "Page" if random.random() < 0.2 else random.choice(_TYPES)
    block = {"id": random.choice(_ids(record)), "type": name}
    if name == "Page":
        return block | {"parameters": {"page": random.choice(("main", "inner", "gone"))}}
    for key, values in (("muted", (True, False)), ("collapsed", (True,)), ("at", ([0, 0], [2**31 - 1, -(2**31) + 1]))):
        block |= {key: random.choice(values)} if random.random() < 0.3 else {}
    wanted = [key for key in library[name].parameters if random.random() < 0.7]
    return block | {"parameters": {key: _anything(None, record, random) for key in wanted}}


def _a_wire(record: Json, random: Random) -> Json:
    ports = ("x", "y", "z", "a", "b", "product", "sum", "left", "values_0", "values_9", "xs_0", "g_0", "odd port")
    return [f"{random.choice(_ids(record))}.{random.choice(ports)}" for _ in range(2)]


def _a_frame(record: Json, random: Random) -> Json:
    names = ["all", "few", *_ids(record)]
    frame = {"id": random.choice(names), "title": "t", "blocks": random.choices(names, k=3)}
    return frame | {"frames": random.choices(names[:3], k=2)}


def _a_note(record: Json, random: Random) -> Json:
    return {"id": random.choice(("why", "x")), "text": random.choice(ODD_TEXTS), "at": [random.choice((0, 9**9)), -5]}


def _a_check(record: Json, random: Random) -> Json:
    ends = [f"main/{end}" for end in _a_wire(record, random)]
    wanted = random.choice(
        (
            {"finite": random.choice((1, True, "x"))},
            {"status": random.choice(("zero", "odd", 5)), "wire": random.choice((ends, ends[:1], "x"))},
            {"norm": random.choice(([0, 1], [1, 0], ["a"], 5, [None, None]))},
            {"gradient": random.choice((*TENSORS, 5, "x"))},
            {"value": random.choice(TENSORS), "rtol": random.choice((-1, "x", 1e300, None))},
            {"gradient_equals": random.choice((*ends, 5)), "loss": random.choice(("main/loss", "gone", 5))},
        )
    )
    return wanted if random.random() < 0.1 else {"at": ends[0], **wanted}


def _ids(record: Json) -> list[str]:
    return [*itertools.islice(_found_ids(record), 20), "gone", "x", "stop"]


def _found_ids(record: Json) -> Iterator[str]:
    pages = record.get("pages") if isinstance(record, dict) else None
    for page in pages if isinstance(pages, list) else ():
        found = page.get("blocks") if isinstance(page, dict) else None
        for block in found if isinstance(found, list) else ():
            if isinstance(block, dict) and isinstance(block.get("id"), str):
                yield block["id"]


_PARTS = {"blocks": _a_block, "wires": _a_wire, "frames": _a_frame, "notes": _a_note, "checks": _a_check}
_CHANGES = (_anything, _elsewhere, _altered_list, _altered_list, _number, _nested, _part)


def _damaged(content: bytes, random: Random) -> bytes:
    """Removes, doubles, flips or inserts some bytes."""
    start = random.randrange(len(content) + 1)
    end = min(len(content), start + random.choice((0, 1, 1, 2, 50)))
    odd = random.choice(
        (b"", b"\0", b"\xff", b'"', b"[", b"}", b",", b"\\", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"[" * 200)
    )
    return content[:start] + random.choice((odd, content[start:end] * 2)) + content[end:]
