"""Canonical `.graph` text of a graph: equal graphs give equal bytes, and small edits give small diffs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gradwire.engine.base.absent_tensor import AbsentTensor
from gradwire.engine.base.errors import BlockError, DtypeError, FileError
from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.tensor_spec import Array, as_array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.files.beside.weights import Weights
from gradwire.engine.files.json_text import JsonFault, is_nested_deeper
from gradwire.engine.files.tensor_json import TensorBudget, tensor_to_json
from gradwire.engine.graph.graph import NAME, VERSION, Block, Frame, Graph, Note, Page, Wire, same_value

FORMAT = "gradwire.graph"
FILE_KEYS = ("format", "version", "needs", "conventions", "loss", "checks", "silenced", "pages", "training")
PAGE_KEYS = ("name", "blocks", "wires", "frames", "notes")
GRADIENT, TEMPLATE, TEMPLATE_PARAMETERS = "gradient", "template", "parameters"
BLOCK_KEYS = ("id", "type", "label", "at", "width", "collapsed", "muted", "parameters")
FRAME_KEYS = ("id", "title", "blocks", "frames", "at", "size")
NOTE_KEYS = ("id", "text", "at", "size")
# Order of the keys of a plan of training, of one of its steps and of a rule; others follow by name.
_TRAINING_KEYS = ("seed", "steps", "clip", "until", "metrics", "test_every", "checks", "initial", "state")
_STEP_KEYS = ("name", "loss", "maximize", "variables", "rule", "clip", "accumulate", "assign", "times", "every", "when")

_CHECK_KEYS: tuple[str, ...] = ("title", "at", "wire", "value", "gradient", "gradient_equals", "loss", "other_loss")
_CHECK_KEYS += ("status", "finite", "norm", "rtol", "atol")
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def dumps(graph: Graph, limits: Limits = LIMITS, weights: Weights | None = None) -> str:
    """Returns the text of a graph's file; `weights` takes the large tensors that are to lie beside it.

    Raises: FileError for anything that no file can hold, so that every written file can be read back.
    """
    _check_counts(graph, limits)
    return _Writer(limits, weights).file(graph)


def parameters_to_save(type_name: str, parameters: Mapping[str, object], limits: Limits = LIMITS) -> dict[str, object]:
    """Returns the parameters that differ from their default, by name, with tensor values as arrays.

    Unknown parameters, those of an unknown type and those that do not fit stay as they are.
    """
    block_type = library.get(type_name)
    if block_type is None:
        return {name: parameters[name] for name in sorted(parameters)}
    found = ((name, _tensor_if_due(block_type, name, parameters[name], limits)) for name in sorted(parameters))
    return {name: value for name, value in found if not _is_default(block_type.parameters.get(name), value)}


def _tensor_if_due(block_type: BlockType, name: str, value: object, limits: Limits) -> object:
    parameter = block_type.parameters.get(name)
    if parameter is None or parameter.kind.name != "tensor" or isinstance(value, np.ndarray | AbsentTensor):
        return value
    try:
        array = as_array(value).copy()
    except DtypeError:
        return value
    if array.ndim > limits.rank or array.nbytes > limits.tensor_bytes:
        return value
    array.setflags(write=False)
    return array


def _is_default(parameter: Parameter | None, value: object) -> bool:
    if parameter is None or parameter.is_required:
        return False
    if value is parameter.default:
        return True
    try:
        return same_value(parameter.kind.normalize(value), parameter.kind.normalize(parameter.default))
    except BlockError:
        return False


def _check_counts(graph: Graph, limits: Limits) -> None:
    counts = (
        ("pages", len(graph.pages), limits.pages),
        ("blocks", sum(len(page.blocks) for page in graph.pages), limits.blocks),
        ("wires", sum(len(page.wires) + len(page.surplus) for page in graph.pages), limits.wires),
    )
    for name, count, limit in counts:
        if count > limit:
            raise FileError(f"A file may have at most {limit:,} {name}, not {count:,}.")


class _Writer:
    """Writer of one graph; it adds up the bytes of the tensors."""

    def __init__(self, limits: Limits, weights: Weights | None) -> None:
        self.limits, self.budget, self.weights = limits, TensorBudget(limits), weights
        self.has_tensors_beside = False

    def file(self, graph: Graph) -> str:
        pages = [self.page(page) for page in graph.pages]
        training = None if graph.training is None else self.training(graph.training)
        checks = [self.line(_check_record(check), "The checks", in_order=True) for check in graph.checks]
        version = max(graph.saved_version, VERSION) if self.has_tensors_beside else graph.saved_version
        fields = [
            f'"format": "{FORMAT}"',
            f'"version": {self.line(version, "The file")}',
            f'"needs": {self.line(graph.saved_needs, "The file")}',
            f'"conventions": {self.line(graph.conventions, "The file")}',
            f'"loss": {self.line(graph.loss, "The file")}',
        ]
        if checks:
            fields.append(f'"checks": {_lines(checks, "  ")}')
        if graph.silenced:
            fields.append(f'"silenced": {self.line(graph.silenced, "The file")}')
        fields.append(f'"pages": {_lines(pages, "  ")}')
        if training is not None:
            fields.append(f'"training": {training}')
        fields += self.extra(graph.extra, FILE_KEYS, "The file")
        text = _braced(fields, "") + "\n"
        size = len(text.encode())
        if size > self.limits.file_bytes:
            raise FileError(f"A file may have at most {size_text(self.limits.file_bytes)}, not {size_text(size)}.")
        if is_nested_deeper(text, self.limits.nesting):
            raise FileError(f"A file may nest lists and objects at most {self.limits.nesting} levels deep.")
        return text

    def training(self, plan: Mapping[str, object]) -> str:
        """Returns the plan of training, a step, a check and any other key a line."""
        where, fields = "The plan of training", []
        for key, value in _in_order(plan, _TRAINING_KEYS).items():
            name = self.line(key, where)
            if key in ("steps", "checks") and isinstance(value, list | tuple):
                keys = _STEP_KEYS if key == "steps" else ()
                lines = [self.line(_in_order(item, keys), where, in_order=True) for item in value]
                fields.append(f"{name}: {_lines(lines, '    ')}")
            else:
                fields.append(f"{name}: {self.line(value, where)}")
        return _braced(fields, "  ") if fields else "{}"

    def page(self, page: Page) -> str:
        where = f'Page "{page.name}"'
        _check_name(page.name, where)
        blocks = [self.block(page.blocks[name], page) for name in sorted(page.blocks)]
        fields = [
            f'"name": "{page.name}"',
            f'"blocks": {_lines(blocks, "      ")}',
            f'"wires": {_lines([self.line(_ends(wire, where), where) for wire in _ordered_wires(page)], "      ")}',
        ]
        if page.frames:
            fields.append(f'"frames": {self.short_list(map(_frame_record, page.frames), f"A frame of {where}")}')
        if page.notes:
            fields.append(f'"notes": {self.short_list(map(_note_record, page.notes), f"A note of {where}")}')
        # Newer keys stand among unknown ones by name, where an older program puts them.
        newer: dict[str, object] = {} if page.gradient is None else {GRADIENT: page.gradient}
        newer |= {} if page.template is None else {TEMPLATE: page.template.name}
        if page.template is not None and page.template.parameters:
            newer[TEMPLATE_PARAMETERS] = page.template.parameters
        return _braced(fields + self.extra({**page.extra, **newer}, PAGE_KEYS, where), "    ")

    def block(self, block: Block, page: Page) -> str:
        where = f'Block "{block.id}" of page "{page.name}"'
        _check_name(block.id, where)
        record: dict[str, object] = {"id": block.id, "type": block.type}
        for key, value in (("label", block.label), ("at", block.at), ("width", block.width)):
            if value is not None:
                record[key] = value
        self.check_pixels(record, ("at", "width"), where)
        record |= {"collapsed": True} if block.is_collapsed else {}
        record |= {"muted": True} if block.is_muted else {}
        parameters = parameters_to_save(block.type, block.parameters, self.limits)
        record |= {"parameters": parameters} if parameters else {}
        return self.line(record | _unknown(block.extra, BLOCK_KEYS), where, in_order=True)

    def short_list(self, records: Iterable[dict[str, object]], where: str) -> str:
        lines = []
        for record in records:
            _check_name(str(record["id"]), where)
            self.check_pixels(record, ("at", "size"), where)
            lines.append(self.line(record, where, in_order=True))
        return f"[{lines[0]}]" if len(lines) == 1 else _lines(lines, "      ")

    def check_pixels(self, record: Mapping[str, object], keys: Iterable[str], where: str) -> None:
        for key in record.keys() & keys:
            value = record[key]
            low = 0 if key == "width" else -self.limits.coordinate
            for number in value if isinstance(value, tuple) else (value,):
                is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
                if not is_whole or not low <= int(number) <= self.limits.coordinate:
                    raise FileError(f"{where} cannot be saved: {key} must hold whole numbers of px.")

    def extra(self, extra: Mapping[str, object], known: tuple[str, ...], where: str) -> list[str]:
        found = _unknown(extra, known)
        return [f"{self.line(key, where)}: {self.line(value, where)}" for key, value in found.items()]

    def line(self, value: object, where: str, in_order: bool = False) -> str:
        """Returns the value on one line with sorted keys; `in_order` keeps the order of the outermost keys."""
        try:
            if in_order and isinstance(value, dict):
                value = {self.key(key): self.ready(item, 1) for key, item in value.items()}
            else:
                value = self.ready(value, 0)
            return _ENCODER.encode(value)
        except JsonFault as fault:
            raise FileError(f"{where} cannot be saved: {fault.message}.") from None
        except ValueError:
            raise FileError(f"{where} cannot be saved: a number that is not finite has no place in a file.") from None

    def ready(self, value: object, depth: int) -> object:
        """Returns the value converted for the JSON encoder."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, int | float | np.integer | np.floating | np.bool_):
            return _number(value)
        if isinstance(value, np.ndarray):
            return self.tensor(value)
        if isinstance(value, AbsentTensor):
            self.has_tensors_beside = True
            return value.place.to_json()
        if depth >= self.limits.nesting:
            raise JsonFault(f"it is nested deeper than {self.limits.nesting} levels")
        if isinstance(value, list | tuple):
            return [self.ready(item, depth + 1) for item in value]
        if isinstance(value, Mapping):
            return {self.key(key): self.ready(value[key], depth + 1) for key in sorted(value, key=str)}
        raise JsonFault("it holds something that is neither text, number, list, object nor tensor")

    def tensor(self, array: Array) -> object:
        if array.ndim > self.limits.rank:
            raise JsonFault(f"a tensor may have at most {self.limits.rank} axes, not {array.ndim}")
        if self.weights is None or not self.weights.takes(array):
            self.budget.take(array.nbytes)
            return tensor_to_json(array)
        self.budget.take_beside(array.nbytes)
        self.has_tensors_beside = True
        return self.weights.place(array).to_json()

    def key(self, key: object) -> str:
        if not isinstance(key, str):
            raise JsonFault("the keys of an object must be text")
        return self.text(key)

    def text(self, text: str) -> str:
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise JsonFault("a text holds one half of a surrogate pair") from None
        if size > self.limits.text_bytes:
            raise JsonFault(f"a text may have at most {size_text(self.limits.text_bytes)}, not {size_text(size)}")
        return text


def _number(value: object) -> object:
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, int) and not isinstance(plain, bool):
        # As strict as the reader, which rejects numbers beyond float64.
        try:
            float(plain)
        except OverflowError:
            raise JsonFault("a number is beyond 1.8e308") from None
    return plain


def _check_name(name: str, where: str) -> None:
    if not NAME.fullmatch(name):
        raise FileError(f"{where} cannot be saved: a name has letters, digits and _, at most 64, a letter first.")


def _ends(wire: Wire, where: str) -> tuple[str, str]:
    for port in wire:
        _check_name(port.block, where)
        if not port.name:
            raise FileError(f"{where} cannot be saved: a wire at {port.block} names no port.")
    return str(wire.source), str(wire.target)


def _ordered_wires(page: Page) -> list[Wire]:
    """Returns wires sorted by target; surplus wires come after the one that holds the port.

    The first wire into a port in a file holds the port.
    """
    held = [(str(wire.target), 0, str(wire.source), wire) for wire in page.wires.values()]
    surplus = [(str(wire.target), 1, str(wire.source), wire) for wire in page.surplus]
    return [item[3] for item in sorted(held + surplus)]


def _frame_record(frame: Frame) -> dict[str, object]:
    record: dict[str, object] = {"id": frame.id, "title": frame.title}
    record |= {"blocks": frame.blocks} if frame.blocks else {}
    record |= {"frames": frame.frames} if frame.frames else {}
    return record | _box(frame) | _unknown(frame.extra, FRAME_KEYS)


def _note_record(note: Note) -> dict[str, object]:
    return {"id": note.id, "text": note.text} | _box(note) | _unknown(note.extra, NOTE_KEYS)


def _box(item: Frame | Note) -> dict[str, object]:
    return {key: value for key, value in (("at", item.at), ("size", item.size)) if value is not None}


def _check_record(check: Mapping[str, object]) -> dict[str, object]:
    found: dict[str, object] = _in_order(check, _CHECK_KEYS)
    return found


def _in_order(record: Any, keys: tuple[str, ...]) -> Any:  # Any: what stands in a plan may be no object at all
    """Returns an object with these keys first and the others by name; anything else as it is."""
    if not isinstance(record, Mapping):
        return record
    known = {key: record[key] for key in keys if key in record}
    return known | {key: record[key] for key in sorted(record.keys() - known.keys(), key=str)}


def _unknown(extra: Mapping[str, object], known: tuple[str, ...]) -> dict[str, object]:
    return {key: extra[key] for key in sorted(extra, key=str) if key not in known}


def _lines(items: list[str], indent: str) -> str:
    inner = ",\n".join(f"{indent}  {item}" for item in items)
    return f"[\n{inner}\n{indent}]" if items else "[]"


def _braced(fields: list[str], indent: str) -> str:
    inner = ",\n".join(f"{indent}  {field}" for field in fields)
    return f"{{\n{inner}\n{indent}}}"
