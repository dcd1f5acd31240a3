"""The command `gradwire code`: a formula or a program as a graph."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path

from gradwire.app.base.results_json import Json
from gradwire.app.base.terminal import say, say_text
from gradwire.app.cli.graph_files import FINE, named, print_error, print_json, report_unreadable
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.files.files import dumps
from gradwire.engine.files.other_formats import other_format, other_format_sentence
from gradwire.interop.code.from_code import Read, read_code
from gradwire.interop.code.refusals import CodeRefusal
from gradwire.interop.code.source_text import LONGEST


def code(options: argparse.Namespace) -> int:
    """Writes the graph of a formula or program, by default to standard output; nothing of it is run."""
    # A text of several lines is no path.
    is_path = "\n" not in options.text and (os.path.isfile(options.text) or bool(_clause(options.text)))
    is_file = options.text == "-" or is_path
    name = options.text if is_file else "text"
    try:
        read = read_code(_content(options.text) if is_file else options.text, options.rest)
    except CodeRefusal as error:
        return report_unreadable(name, FileError(error.message, error.line, error.column), options.json)
    except FileError as error:
        return report_unreadable(name, error, options.json)
    graph = dumps(read.graph)
    if options.output is not None:
        options.output.write(graph.encode())
    elif not options.json:
        say_text(graph.removesuffix("\n"))
    for refusal in read.refused:
        print_error(name, refusal.message, refusal.line, refusal.column)
    if options.json:
        print_json(_json(name, read))
    else:
        for notice in read.notices:
            say(f"{named(name)}: {notice}", sys.stderr)
    return FINE


def _content(path: str) -> str:
    """Returns the text of a file or of standard input.

    Raises: FileError if it cannot be read.
    """
    try:
        content = sys.stdin.buffer.read(LONGEST + 1) if path == "-" else _bytes(path)
        return content.decode("utf-8-sig")
    except OSError as error:
        raise FileError(f"It cannot be read: {reason_of(error)}.") from error
    except UnicodeDecodeError as error:
        raise FileError("It is no text in UTF-8.") from error


def _bytes(path: str) -> bytes:
    if _clause(path) and (sentence := other_format_sentence(path)):
        raise FileError(sentence)
    return Path(path).read_bytes()


def _clause(path: str) -> str:
    """Returns what a file is that is no program, by its name alone."""
    is_name = re.fullmatch(r"[^\s()=*]+", path) is not None and not path.casefold().endswith(".py")
    return other_format(path) if is_name else ""


def _json(name: str, read: Read) -> Json:
    blocks = [{"name": block.id, "type": block.type} for page in read.graph.pages for block in page.blocks.values()]
    return {"file": name, "ok": True, "blocks": blocks, "notices": list(read.notices)}
