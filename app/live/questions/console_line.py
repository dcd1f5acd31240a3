"""One line of the console: it is run in the evaluator's process, and answered by text alone."""

from __future__ import annotations

import ast
import contextlib
import io
import warnings
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.live.console_names import Given
from engine.evaluate import Evaluation

OUTPUT_LETTERS, OUTPUT_LINES = 10_000, 200
_FILE = "console"


@dataclass(frozen=True)
class ConsoleAnswer:
    """What a line gave: what it printed, `more` letters of it left out, and the error that ended it.

    `error` is the name of its type, "" where there is none; `column` counts from 1, where Python does not understand
    the line, else it is 0.
    """

    output: str = ""
    more: int = 0
    error: str = ""
    message: str = ""
    column: int = 0


@dataclass(frozen=True)
class ConsoleLine:
    """A line of Python to run; `number` tells equal lines apart, `hidden` says why it is told no gradient."""

    number: int
    text: str
    hidden: str = ""

    @property
    def topic(self) -> Hashable:
        """One line is run at a time."""
        return ConsoleLine

    def answer(self, run: Evaluation) -> ConsoleAnswer:
        """What the line alone gives; a `Namespace` also has the names of lines before it."""
        return Namespace().answer(self, run)


class Namespace:
    """The names that lines have made, beside those that every line is given."""

    def __init__(self) -> None:
        self._given = Given()
        # As builtins: a name of the user's own goes first, and is still there after the next run.
        self._names: dict[str, Any] = {"__name__": _FILE, "__builtins__": self._given.names}

    def answer(self, line: ConsoleLine, run: Evaluation | None) -> ConsoleAnswer:
        """Runs a line, and gives what it says as text."""
        page = _Page()
        self._given.show(run, line.hidden)
        error = self._run(line.text, page)
        # A run holds every tensor: it must not outlive the next one.
        self._given.run = None
        output, more = page.text()
        if error is None:
            return ConsoleAnswer(output, more)
        return ConsoleAnswer(output, more, type(error).__name__, _message(error), _column(error))

    def _run(self, text: str, page: _Page) -> BaseException | None:
        """Carries a line out; gives what it raised."""
        with (
            contextlib.redirect_stdout(page),
            contextlib.redirect_stderr(page),
            warnings.catch_warnings(record=True) as warned,
            np.errstate(),
        ):
            warnings.simplefilter("always")
            try:
                self._carry_out(ast.parse(text, _FILE))
                error = None
            except (Exception, SystemExit) as raised:  # code of the user: whatever it raises is its answer
                error = raised
        for item in warned:
            page.write(f"{item.category.__name__}: {item.message}\n")
        return error

    def _carry_out(self, tree: ast.Module) -> None:
        """Runs all statements, and prints the last if it is an expression."""
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, _FILE, "exec"), self._names)
        if isinstance(last, ast.Expr):
            found = eval(compile(ast.Expression(last.value), _FILE, "eval"), self._names)
            if found is not None:
                self._names["_"] = found
                print(repr(found))


class _Page(io.TextIOBase):
    """Keeps the beginning of what is printed, and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] = []
        self._room, self._more = OUTPUT_LETTERS, 0

    def write(self, text: str, /) -> int:
        """Takes what fits."""
        kept = text[: self._room]
        self._kept.append(kept)
        self._room -= len(kept)
        self._more += len(text) - len(kept)
        return len(text)

    def text(self) -> tuple[str, int]:
        """What was kept, without line breaks at its end, and how many letters were not."""
        whole = "".join(self._kept).rstrip("\n")
        shown = "\n".join(whole.splitlines()[:OUTPUT_LINES])
        return shown, self._more + len(whole) - len(shown)


def _message(error: BaseException) -> str:
    """What an error says, in one line."""
    if isinstance(error, SyntaxError):
        return error.msg or ""
    if isinstance(error, KeyError) and error.args:
        return f"{error.args[0]!r}"[:OUTPUT_LETTERS]
    # An error that somebody wrote here may fail to say what it is.
    with contextlib.suppress(Exception):
        return " ".join(f"{error}".split())[:OUTPUT_LETTERS]
    return ""


def _column(error: BaseException) -> int:
    is_here = isinstance(error, SyntaxError) and error.filename == _FILE
    return error.offset or 0 if is_here and isinstance(error, SyntaxError) else 0
