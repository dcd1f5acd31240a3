"""The commands `gradwire diff` and `gradwire show`: graphs as text, one fact a line."""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Mapping

import numpy as np

from gradwire.app.base.results_json import Json
from gradwire.app.base.terminal import say
from gradwire.app.cli.colour import GREEN, RED, YELLOW, coloured
from gradwire.app.cli.graph_files import FINE, UNREADABLE, print_json, read, report_unreadable
from gradwire.engine.base.errors import FileError, UsageError
from gradwire.engine.base.tensor_spec import Array, spec_of
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.engine.files.tensor_json import flat_tensor
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.outline import Fact, OutlineDiff, outline, outline_diff

DIFFERENT = 1
# A larger tensor is shown by its spec and a checksum.
ELEMENTS_SHOWN = 64
_COLOURS = {"-": RED, "+": GREEN, "!": YELLOW}


def show(options: argparse.Namespace) -> int:
    """Prints a graph in a stable order, so that tools which compare lines can compare graphs."""
    graph = _graph(options.file, False)
    if graph is None:
        return UNREADABLE
    for fact, value in outline(graph, options.places).items():
        say(_line(fact, value))
    return FINE


def diff(options: argparse.Namespace) -> int:
    """Prints the facts that differ between two graphs; the exit code is that of the command diff."""
    if options.a == options.b == "-":
        raise UsageError("Standard input has one graph; give a file for the other.")
    a, b = (_graph(file, options.json) for file in (options.a, options.b))
    if a is None or b is None:
        return UNREADABLE
    found = outline_diff(outline(a, options.places), outline(b, options.places))
    if options.json:
        print_json(_json(options, found))
    else:
        for line in diff_lines(found):
            say(coloured(line, _COLOURS[line[0]], sys.stdout))
    return FINE if found.is_empty else DIFFERENT


def _graph(file: str, as_json: bool) -> Graph | None:
    """Returns the graph of a file, or says why it cannot be read."""
    try:
        return read(file).graph
    except FileError as error:
        report_unreadable(file, error, as_json)
        return None


def diff_lines(found: OutlineDiff) -> Iterator[str]:
    """Yields a line for each fact that differs, which begins with - for a removed one, + for an added one, else !."""
    for fact, value in found.removed.items():
        yield f"- {_line(fact, value)}"
    for fact, value in found.added.items():
        yield f"+ {_line(fact, value)}"
    for fact, (old, new) in found.changed.items():
        yield f"! {_line(fact, old)} => {_text(new)}"


def _json(options: argparse.Namespace, found: OutlineDiff) -> Json:
    changed = [
        {"kind": fact.kind, "name": fact.name, "a": _as_json(old), "b": _as_json(new)}
        for fact, (old, new) in found.changed.items()
    ]
    added, removed = (
        [{"kind": fact.kind, "name": fact.name, "value": _as_json(value)} for fact, value in facts.items()]
        for facts in (found.added, found.removed)
    )
    names = {"a": options.a, "b": options.b, "equal": found.is_empty}
    return {**names, "added": added, "removed": removed, "changed": changed}


def _line(fact: Fact, value: object) -> str:
    # A fact without a value is said by its name alone; no loss is a value.
    has_value = value is not None or fact.kind == "file"
    return plain(f"{fact.kind} {fact.name}" + (f": {_text(value)}" if has_value else ""), LONGEST_PARAGRAPH)


def _text(value: object) -> str:
    if isinstance(value, str):
        return plain(value, LONGEST_PARAGRAPH)
    if isinstance(value, np.ndarray):
        return _tensor_text(value)
    return plain(json.dumps(_as_json(value), ensure_ascii=False), LONGEST_PARAGRAPH)


def _tensor_text(array: Array) -> str:
    if array.size > ELEMENTS_SHOWN:
        return f"{spec_of(array)}, crc32 {zlib.crc32(array.tobytes()):08x}"
    return f"{spec_of(array)} {json.dumps(flat_tensor(array)['data'])}"


def _as_json(value: object) -> object:
    """Returns a value of a file as JSON; tensors as `gradwire run --json` writes them."""
    if isinstance(value, np.ndarray):
        return flat_tensor(value)
    if isinstance(value, Mapping):
        return {str(key): _as_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(item) for item in value]
    return value
