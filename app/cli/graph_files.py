"""Graphs that commands read, one file after the other, and the sentences about them."""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gradwire.app.base.mistake_sentences import mistake_sentence
from gradwire.app.base.results_json import Json, error_json
from gradwire.app.base.terminal import say
from gradwire.app.cli.colour import DIM, RED, YELLOW, coloured
from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, json_escaped, plain
from gradwire.engine.files.files import Loaded, load, loads
from gradwire.engine.files.problem_places import ProblemPlaces
from gradwire.engine.files.wanted_files import paths_read, wanted_files
from gradwire.engine.graph.graph import Graph

Outcome = TypeVar("Outcome")
FINE, PROBLEMS, UNREADABLE = 0, 1, 2
NOTICE_COLOURS = {"warning": YELLOW, "info": DIM}


@dataclass(frozen=True)
class Fault:
    """Reason why a command could not deal with a file, and the exit code; line 0 means that no place is to blame."""

    file: str
    code: int
    line: int
    column: int
    message: str


def guarded(file: str, carry_out: Callable[[], Outcome]) -> Outcome | Fault:
    """Returns the outcome of a command for one file of several, or what kept it from dealing with it."""
    try:
        return carry_out()
    except GradwireError as error:
        return _unreadable(file, error)
    except MemoryError:
        return Fault(file, PROBLEMS, 0, 0, "There is not enough memory for this graph.")
    except OSError:  # The output is at fault, not the file.
        raise
    except Exception as error:  # A mistake of ours in one file must not keep the next one from being read.
        return Fault(file, PROBLEMS, 0, 0, mistake_sentence(error))


def read(file: str) -> Loaded:
    """Returns the graph of a file or of standard input.

    Raises: FileError if it cannot be read, or needs features that this version does not have.
    """
    # One byte above the limit is enough to refuse it.
    loaded = loads(sys.stdin.buffer.read(LIMITS.file_bytes + 1)) if file == "-" else load(file)
    if loaded.unknown_needs:
        raise FileError(f"The file needs {', '.join(loaded.unknown_needs)}, which this version does not have.")
    return loaded


def read_apart(options: argparse.Namespace) -> Loaded:
    """Returns the graph of a command that writes, as `read` does; no output is a file that the graph names.

    Raises: FileError if it cannot be read, or an output is such a file.
    """
    loaded = read(options.file)
    for output in options.outputs:
        output.keep_off(paths_read(loaded.graph, None if options.file == "-" else options.file))
    return loaded


def with_allowed_data(graph: Graph, file: str, is_allowed: bool, is_quiet: bool = False) -> Graph:
    """Returns a graph with the content of the files of data that it names.

    Unless quiet it says how each was read, and whether it has changed.

    Raises: FileError if such a file may not be read, or nobody has allowed it.
    """
    wanted = wanted_files(graph)
    if not wanted:
        return graph
    if not is_allowed:
        names = ", ".join(item.file for item in wanted)
        raise FileError(f"The graph wants to read {names}; --allow-data allows it.")
    from gradwire.engine.files.given_files import with_files  # readers of tables and archives

    found, notes = with_files(graph, "." if file == "-" else Path(file).parent)
    for note in () if is_quiet else notes:
        say(note, sys.stderr)
    return found


def report_unreadable(file: str, error: GradwireError, as_json: bool) -> int:
    """Prints why a file cannot be read, and returns the exit code for it."""
    return print_fault(_unreadable(file, error), as_json)


def print_fault(fault: Fault, as_json: bool) -> int:
    """Prints why a command could not deal with a file, and returns the exit code for it."""
    if as_json:
        print_json(error_json(fault.file, fault.line, fault.column, fault.message))
    else:
        print_error(fault.file, fault.message, fault.line, fault.column)
    return fault.code


def _unreadable(file: str, error: GradwireError) -> Fault:
    line, column = (error.line, error.column) if isinstance(error, FileError) else (0, 0)
    return Fault(file, UNREADABLE, line, column, str(error))


def print_problems(file: str, loaded: Loaded, problems: Sequence[Problem], is_quiet: bool = False) -> None:
    """Prints errors to standard error with their place in the file, and notices, unless quiet, below the table."""
    places = ProblemPlaces(loaded)
    for problem in listed(problems):
        at = f"{plain(problem.at)}: " if problem.at else ""
        if problem.severity == "error":
            print_error(file, at + problem.message, *places.find(problem))
        elif not is_quiet:
            # The name of a rule is what --silence takes.
            rule = f" [{problem.code.removeprefix('lint_')}]" if problem.code.startswith("lint_") else ""
            word = coloured(problem.severity, NOTICE_COLOURS[problem.severity], sys.stdout)
            say(f"{word}: {at}{problem.message}{rule}")


def print_error(file: str, sentence: str, line: int = 0, column: int = 0) -> None:
    """Prints a line to standard error; line 0 means that no place in the file is to blame."""
    place = f"{named(file)}:{line}:{column}" if line else named(file)
    program = coloured("gradwire:", RED, sys.stderr)
    # A sentence about the file itself begins with its name, which stands there already.
    text = re.sub(rf'^"{re.escape(file)}"', "It", sentence)
    say(f"{program} {place}: {text}", sys.stderr)


def named(file: str) -> str:
    """Returns the name of a file, safe for a terminal."""
    return plain(file, LONGEST_PARAGRAPH)


def print_json(value: Json | list[Json]) -> None:
    """Prints one line of JSON; the sign of a workflow command is written as JSON may write it."""
    text = json_escaped(json.dumps(value, ensure_ascii=False, allow_nan=False))
    say(text.replace("##[", "##\\u005b"))
    sys.stdout.flush()
