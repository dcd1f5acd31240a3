"""Reading of `.graph` text: mistakes become sentences with a place, tolerable oddities become notices."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from gradwire.engine.base import schema
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.reading_time import in_time, reading_time
from gradwire.engine.base.starts import SHAPE, START
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import PLAIN_KINDS
from gradwire.engine.files.beside.reading import Beside, NothingBeside, tensor_beside
from gradwire.engine.files.disk import Stamp
from gradwire.engine.files.file_writing import (
    BLOCK_KEYS,
    FILE_KEYS,
    FORMAT,
    FRAME_KEYS,
    GRADIENT,
    NOTE_KEYS,
    PAGE_KEYS,
    TEMPLATE,
    TEMPLATE_PARAMETERS,
    parameters_to_save,
)
from gradwire.engine.files.json_fields import (
    Record,
    as_list,
    as_name,
    as_record,
    each,
    optional,
    required,
    unique_names,
)
from gradwire.engine.files.json_places import fault_at, offset_of
from gradwire.engine.files.json_text import JsonFault, Path, decoded, parse, shown
from gradwire.engine.files.tensor_json import BESIDE, TensorBudget, is_tensor, tensor_from_json
from gradwire.engine.graph.graph import (
    CONVENTIONS,
    FIRST_VERSION,
    OWN_GRADIENTS,
    VERSION,
    Block,
    Frame,
    Graph,
    Note,
    Page,
    Port,
    Template,
    Wire,
)

Named = TypeVar("Named", Block, Frame, Note)

# Features that `needs` may name, and upgrades from major version n to n + 1; both grow with the format.
FEATURES = frozenset({OWN_GRADIENTS})
UPGRADES: dict[int, Callable[[Record], Record]] = {}

# What a plan of training keeps as tensors: values before it, what its rules remember, and wanted values.
TRAINING_WITH_TENSORS = ("initial", "state", "checks")
_PAGE_KEYS = (*PAGE_KEYS, GRADIENT)
_TEMPLATE_KEYS = (*_PAGE_KEYS, TEMPLATE, TEMPLATE_PARAMETERS)
_BARE = {int, float, bool, type(None)}
_END = re.compile(r"([A-Za-z][A-Za-z0-9_]{0,63})\.(.+)", re.DOTALL)


class Loaded(NamedTuple):
    """Graph and the text it was read from.

    `notices` describe what the reader changed and other remarks. With `unknown_needs` the graph must not be evaluated
    or saved, because this version does not know its meaning. A graph from a file has its `stamp`.
    """

    graph: Graph
    text: str
    notices: tuple[Problem, ...] = ()
    unknown_needs: tuple[str, ...] = ()
    stamp: Stamp | None = None


@dataclass
class _Reading:
    """Counts and notices collected while one file is read."""

    limits: Limits
    budget: TensorBudget
    beside: Beside
    notices: list[Problem] = field(default_factory=list)
    blocks: int = 0
    wires: int = 0

    def text(self, value: object) -> str:
        if not isinstance(value, str):
            raise JsonFault(f"must be text, not {shown(value)}")
        # A character has at most four bytes, so short texts need no encoding to be measured.
        if len(value) * 4 > self.limits.text_bytes and (size := len(value.encode())) > self.limits.text_bytes:
            raise JsonFault(f"may be a text of at most {size_text(self.limits.text_bytes)}, not {size_text(size)}")
        return value

    def point(self, value: object) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2 or any(type(item) is not int for item in value):
            raise JsonFault(f"must be two whole numbers, not {shown(value)}")
        if max(map(abs, value)) > self.limits.coordinate:
            raise JsonFault(f"must be at most {self.limits.coordinate:,} px, not {shown(value)}")
        return value[0], value[1]

    def width(self, value: object) -> int:
        if type(value) is not int or not 0 <= value <= self.limits.coordinate:
            raise JsonFault(f"must be a whole number from 0 to {self.limits.coordinate:,}, not {shown(value)}")
        return value


def loads(source: str | bytes, limits: Limits = LIMITS, beside: Beside | None = None) -> Loaded:
    """Returns the graph of a file's content; `beside` has the weights that it names.

    Raises: FileError, with the place, for anything but a `.graph` file that this version can read.
    """
    try:
        # Millions of values are made, and none of them is garbage.
        with reading_time("The file", limits.seconds), collection_paused():
            return _loaded(source, limits, beside or NothingBeside())
    except MemoryError:
        raise FileError("There is not enough memory to open this file.") from None


def _loaded(source: str | bytes, limits: Limits, beside: Beside) -> Loaded:
    text, has_mark = decoded(source, limits.file_bytes)
    reading = _Reading(limits, TensorBudget(limits), beside)
    if has_mark:
        message = "The file begins with a byte order mark; saving it leaves the mark out."
        reading.notices.append(Problem("info", "", "bom", message))
    data = parse(text, limits)
    try:
        graph = _graph(data, reading)
    except JsonFault as fault:
        sentence = f"{_described(data, fault.path)}: {fault.message}."
        raise fault_at(text, offset_of(text, fault.path), sentence) from None
    return Loaded(graph, text, tuple(reading.notices), tuple(need for need in graph.needs if need not in FEATURES))


def _described(data: object, path: Path) -> str:
    """Returns the part of the file to which a path leads, as a sentence begins: `Block 3 of page "main"`."""
    if path[:1] != ("pages",) or len(path) < 2:
        return "The file"
    try:
        name = data["pages"][path[1]]["name"]  # type: ignore[index]  # a page without a name is described by its number
    except (LookupError, TypeError):
        name = None
    page = f"page {shown(name)}" if isinstance(name, str) else f"page {int(path[1]) + 1}"
    if len(path) >= 4 and path[2] in PAGE_KEYS:
        return f"{str(path[2])[:-1].capitalize()} {int(path[3]) + 1} of {page}"
    return f"P{page[1:]}"


def _graph(data: object, reading: _Reading) -> Graph:
    record = as_record(data)
    if record.get("format") != FORMAT:
        found = shown(record["format"]) if "format" in record else "missing"
        raise JsonFault(f'format must be "{FORMAT}", not {found}', ("format",) if "format" in record else ())
    version = required(record, "version", _version)
    record = _upgraded(record, version)
    pages = required(record, "pages", as_list)
    if len(pages) > reading.limits.pages:
        raise JsonFault(f"it has {len(pages):,} pages; at most {reading.limits.pages:,} are allowed", ("pages",))
    return Graph(
        loss=optional(record, "loss", reading.text),
        checks=each(record, "checks", lambda value: _check(value, reading)),
        silenced=tuple(dict.fromkeys(each(record, "silenced", reading.text))),
        needs=tuple(need for need in each(record, "needs", reading.text) if need != OWN_GRADIENTS),
        conventions=required(record, "conventions", _conventions),
        version=version if version > VERSION else FIRST_VERSION,
        pages=_pages(record, reading),
        training=optional(record, "training", lambda value: _training(as_record(value), reading)),
        extra=_extra(record, FILE_KEYS, reading),
    )


def _version(value: object) -> tuple[int, int]:
    if not isinstance(value, list) or len(value) != 2 or any(type(item) is not int or item < 0 for item in value):
        raise JsonFault(f"must be two whole numbers, not {shown(value)}")
    major, minor = value
    if major > VERSION[0]:
        known = f"{VERSION[0]}.{VERSION[1]}"
        raise JsonFault(f"{major}.{minor} is newer than this Gradwire, which reads {known} and every {VERSION[0]}.x")
    if major < VERSION[0] and not all(step in UPGRADES for step in range(major, VERSION[0])):
        raise JsonFault(f"{major}.{minor} is unknown; the first one is 1.0")
    return major, minor


def _upgraded(record: Record, version: tuple[int, int]) -> Record:
    for major in range(version[0], VERSION[0]):
        record = UPGRADES[major](record)
    return record


def _conventions(value: object) -> str:
    if value != CONVENTIONS:
        raise JsonFault(f'must be "{CONVENTIONS}", the only conventions that this Gradwire knows, not {shown(value)}')
    return CONVENTIONS


def _check(value: object, reading: _Reading) -> Mapping[str, object]:
    return _plain_record(as_record(value), reading)


def _training(record: Record, reading: _Reading) -> dict[str, object]:
    """Returns the plan of training, with tensors where it may have some; elsewhere they are objects like others."""
    return _plain_record(record, reading, lambda key: key in TRAINING_WITH_TENSORS)


def _pages(record: Record, reading: _Reading) -> tuple[Page, ...]:
    found = each(record, "pages", lambda value: required(as_record(value), "name", as_name))
    names = unique_names(found)
    for old, new in zip(found, names, strict=True):
        if old != new:
            message = f'There are two pages "{old}"; the later one is now "{new}".'
            reading.notices.append(Problem("error", "", "duplicate_id", message))
    following = iter(names)
    return each(record, "pages", lambda value: _page(as_record(value), next(following), reading))


def _page(record: Record, name: str, reading: _Reading) -> Page:
    limits = reading.limits
    reading.blocks = _count(record, "blocks", reading.blocks, limits.blocks)
    reading.wires = _count(record, "wires", reading.wires, limits.wires)
    blocks = each(record, "blocks", lambda value: _block(as_record(value), reading))
    wires, surplus = _wires(each(record, "wires", lambda value: _wire(value, reading)))
    return Page(
        name=name,
        blocks={block.id: block for block in _renamed("block", blocks, name, reading)},
        wires=wires,
        surplus=surplus,
        frames=_renamed(
            "frame", each(record, "frames", lambda value: _frame(as_record(value), reading)), name, reading
        ),
        notes=_renamed("note", each(record, "notes", lambda value: _note(as_record(value), reading)), name, reading),
        gradient=optional(record, GRADIENT, reading.text),
        template=None if TEMPLATE not in record else _template(record, reading),
        extra=_extra(record, _PAGE_KEYS if TEMPLATE not in record else _TEMPLATE_KEYS, reading),
    )


def _template(record: Record, reading: _Reading) -> Template:
    name = required(record, TEMPLATE, reading.text)
    settings = optional(record, TEMPLATE_PARAMETERS, lambda value: _plain_record(as_record(value), reading))
    return Template(name, settings or {})


def _count(record: Record, key: str, before: int, limit: int) -> int:
    count = before + len(required(record, key, as_list))
    if count > limit:
        raise JsonFault(f"the file has more than {limit:,} {key}; that is the most that opens", (key,))
    return count


def _block(record: Record, reading: _Reading) -> Block:
    block_type = required(record, "type", reading.text)
    return Block(
        id=required(record, "id", as_name),
        type=block_type,
        label=optional(record, "label", reading.text),
        at=optional(record, "at", reading.point),
        width=optional(record, "width", reading.width),
        is_collapsed=optional(record, "collapsed", schema.boolean) or False,
        is_muted=optional(record, "muted", schema.boolean) or False,
        parameters=_parameters(record, block_type, reading) if "parameters" in record else {},
        extra=_extra(record, BLOCK_KEYS, reading),
    )


def _parameters(record: Record, block_type: str, reading: _Reading) -> Mapping[str, object]:
    declared = library.get(block_type)
    known = {} if declared is None else declared.parameters

    def is_tensor_due(name: str) -> bool:
        # Where a word or a number is wanted, a tensor is an object like others: it may be compared with anything.
        return name not in known or known[name].kind.name not in PLAIN_KINDS

    found = required(record, "parameters", lambda value: _plain_record(as_record(value), reading, is_tensor_due))
    if declared is not None and declared.is_variable:
        _take_start(found, reading)
    return parameters_to_save(block_type, found, reading.limits)


def _take_start(parameters: Mapping[str, object], reading: _Reading) -> None:
    """Counts the numbers that a start will draw as those of a tensor; one that is too large is a problem of its block.

    Raises: JsonFault if all tensors of the file together are too large.
    """
    shape = parameters.get(SHAPE)
    if START not in parameters or not isinstance(shape, tuple):
        return
    sizes = [size for size in shape if type(size) is int and size >= 0]
    size = math.prod(sizes) * 8
    if len(sizes) == len(shape) and size <= reading.limits.tensor_bytes:
        try:
            reading.budget.take(size)
        except JsonFault as fault:
            raise fault.under("parameters", SHAPE) from None


def _wire(value: object, reading: _Reading) -> Wire:
    if not isinstance(value, list) or len(value) != 2:
        raise JsonFault(f'must be ["block.port", "block.port"], not {shown(value)}')
    return Wire(*schema.read_each(value, lambda end: _port(reading.text(end))))


def _port(value: str) -> Port:
    match = _END.fullmatch(value)
    if match is None:
        raise JsonFault(f'an end must be written "block.port", not {shown(value)}')
    return Port(*match.groups())


def _wires(found: tuple[Wire, ...]) -> tuple[dict[Port, Wire], tuple[Wire, ...]]:
    """Returns the first wire into each port, and the surplus wires in the order in which they are saved."""
    wires: dict[Port, Wire] = {}
    surplus = [wire for wire in found if wires.setdefault(wire.target, wire) is not wire]
    return wires, tuple(sorted(surplus, key=lambda wire: (str(wire.target), str(wire.source))))


def _frame(record: Record, reading: _Reading) -> Frame:
    return Frame(
        id=required(record, "id", as_name),
        title=optional(record, "title", reading.text) or "",
        blocks=each(record, "blocks", reading.text),
        frames=each(record, "frames", reading.text),
        at=optional(record, "at", reading.point),
        size=optional(record, "size", reading.point),
        extra=_extra(record, FRAME_KEYS, reading),
    )


def _note(record: Record, reading: _Reading) -> Note:
    return Note(
        id=required(record, "id", as_name),
        text=required(record, "text", reading.text),
        at=optional(record, "at", reading.point),
        size=optional(record, "size", reading.point),
        extra=_extra(record, NOTE_KEYS, reading),
    )


def _renamed(kind: str, items: tuple[Named, ...], page: str, reading: _Reading) -> tuple[Named, ...]:
    """Returns the items with unique names; wires and frames keep referring to the first of a name."""
    names = unique_names([item.id for item in items])
    renamed = []
    for item, name in zip(items, names, strict=True):
        if item.id == name:
            renamed.append(item)
            continue
        message = f'Page "{page}" has two {kind}s "{item.id}"; the later one is now "{name}".'
        at = f"{page}/{name}" if kind == "block" else ""
        reading.notices.append(Problem("error", at, "duplicate_id", message))
        renamed.append(dataclasses.replace(item, id=name))
    return tuple(renamed)


def _extra(record: Record, known: tuple[str, ...], reading: _Reading) -> Mapping[str, object]:
    """Returns the keys that this version does not know, unchanged."""
    if record.keys() <= set(known):
        return {}
    return _plain_record({key: record[key] for key in record if key not in known}, reading, lambda _: False)


def _plain_record(
    record: Record, reading: _Reading, has_tensors: Callable[[str], bool] = lambda _: True
) -> dict[str, object]:
    """Returns an object of JSON; `has_tensors` says under which of its keys tensors become arrays."""
    found: dict[str, object] = {}
    for key, value in in_time(record.items()):
        try:
            found[reading.text(key)] = _plain(value, reading, has_tensors(key))
        except JsonFault as fault:
            raise JsonFault(f"{shown(key)}: {fault.message}", (key, *fault.path)) from None
    return found


def _plain(value: object, reading: _Reading, with_tensors: bool) -> object:
    """Returns a JSON value with tensors as arrays and lists as tuples."""
    if isinstance(value, str):
        return reading.text(value)
    if isinstance(value, list):
        if set(map(type, value)) <= _BARE:
            return tuple(value)
        return tuple(schema.read_each(value, lambda item: _plain(item, reading, with_tensors)))
    if not isinstance(value, dict):
        return value
    if with_tensors and is_tensor(value):
        if BESIDE in value:
            return tensor_beside(value, reading.budget, reading.beside)
        return tensor_from_json(value, reading.budget)
    return _plain_record(value, reading, lambda _: with_tensors)
