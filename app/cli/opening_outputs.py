"""The files that a command names: its outputs are opened before it begins, and never over what it reads."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from gradwire.app.cli.parser import Parser
from gradwire.engine.files.outputs import STANDARD_INPUT, Output, Source, check_folder, check_printing


def open_outputs(options: argparse.Namespace, parser: Parser) -> None:
    """Puts an `Output` in place of each path that the command of this parser writes; `options.outputs` has them all.

    Raises: FileError if one cannot be written, is read, or is written twice.
    """
    inputs, opened = list(_inputs(options, parser)), list[Output]()
    check_printing(inputs)
    for name, kind in parser.outputs.items():
        path = getattr(options, name)
        if path is None:
            continue
        if kind is None:
            check_folder(path)
        else:
            opened.append(Output(path, kind, inputs, others=opened))
            setattr(options, name, opened[-1])
    options.outputs = tuple(opened)


def source(file: str) -> Source:
    """Returns the file that a graph is read from: its path, or the descriptor of standard input."""
    return STANDARD_INPUT if file == "-" else file


def _inputs(options: argparse.Namespace, parser: Parser) -> Iterator[Source]:
    for name in parser.inputs:
        given = getattr(options, name)
        for file in given if isinstance(given, list) else [given]:
            if isinstance(file, str | Path):
                yield source(str(file))
