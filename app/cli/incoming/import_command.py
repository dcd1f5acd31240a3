"""The command `gradwire import`: a model of another program as a graph."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from gradwire.app.base.feed_values import array_of_text
from gradwire.app.base.tensor_files import read_tensor_file
from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.graph_files import FINE, named
from gradwire.engine.base.errors import FileError, GradwireError, UsageError
from gradwire.engine.files.files import dumps, load, save_output
from gradwire.engine.files.outputs import Output
from gradwire.engine.graph.graph import Graph
from gradwire.interop.model_files.formats import read_model
from gradwire.interop.models.again import kept_from
from gradwire.interop.models.inputs import Drawn, Given

_RANDOM = "random:"


def import_model(options: argparse.Namespace) -> int:
    """Writes the graph of a model, by default to standard output, and its notices to standard error.

    Over a graph that is there already, what the user added to that stays.
    """
    inputs = dict(_given(text) for text in options.input)
    before = _before(options.output)
    read = read_model(Path(options.model), inputs, options.loss)
    if before is not None:
        read = kept_from(before, read)
    if options.output is not None:
        save_output(read.graph, options.output)
    else:
        say_text(_text_of(read.graph))
    if not options.quiet:
        for notice in read.notices:
            say(f"{named(options.model)}: {notice}", sys.stderr)
    return FINE


def _text_of(graph: Graph) -> str:
    """Returns the text of a graph, with all its numbers.

    Raises: FileError if that is more than a file may have.
    """
    try:
        return dumps(graph).removesuffix("\n")
    except FileError as error:
        raise FileError(f"{error} With -o OUT.graph large tensors lie beside the file.") from error


def _before(output: Output | None) -> Graph | None:
    """Returns the graph that an output holds already; None without one.

    Raises: FileError if it cannot be read, and so would be lost.
    """
    if output is None or output.is_stream or not output.path.exists() or not output.path.stat().st_size:
        return None
    loaded = load(output.path)
    if loaded.unknown_needs:
        needs = ", ".join(loaded.unknown_needs)
        raise FileError(f'"{output.path}" needs {needs}, which this version does not have; choose another file.')
    return loaded.graph


def _given(text: str) -> tuple[str, Given]:
    """Returns the name of an input and its numbers.

    Raises: UsageError for anything else; FileError for a file that cannot be read.
    """
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise UsageError(f'--input needs NAME=VALUE, such as x=[1,2,3], x=x.npy or x=random:1, not "{text}".')
    if value.startswith(_RANDOM):
        seed = value.removeprefix(_RANDOM)
        if not seed.isascii() or not seed.isdigit():
            raise UsageError(f'--input {name}: a seed is a whole number, not "{seed}".')
        return name, Drawn(int(seed))
    if value.endswith(".npy"):
        return name, read_tensor_file(Path(value))
    try:
        return name, array_of_text(value)
    except GradwireError as error:
        raise UsageError(f"--input {name}: {error}") from error
