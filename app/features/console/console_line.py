"""One line of the console: the evaluator's process runs it and answers with text only."""

from __future__ import annotations

import ast
import contextlib
import io
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.app.features.console.console_names import Given
from gradwire.app.live.parts import Parts
from gradwire.app.live.questions.questions import Lasting
from gradwire.engine.evaluation.evaluate import Evaluation

OUTPUT_LETTERS, OUTPUT_LINES = 10_000, 200
_FILE = "console"


@dataclass(frozen=True)
class ConsoleAnswer:
    """The answer to a line: its output, the number of letters left out (`more`), and the error that ended it.

    `error` is the name of the error's type, "" without an error. `column` counts from 1 if Python cannot parse the
    line, otherwise it is 0.
    """

    output: str = ""
    more: int = 0
    error: str = ""
    message: str = ""
    column: int = 0


@dataclass(frozen=True)
class ConsoleLine(Lasting):
    """A line of Python to run. `number` distinguishes equal lines; `hidden` is the reason why it sees no gradient."""

    number: int
    text: str
    hidden: str = ""
    # A line gets no gradient while some are hidden.
    reveals = ()

    def answer_from(self, kept: Parts, run: Evaluation | None) -> ConsoleAnswer:
        """Returns the output of the line, which knows the names of earlier lines."""
        return kept.part(Namespace).answer(self, run)


class Namespace:
    """The names that lines have defined, beside those that every line is given."""

    def __init__(self, _: object = None) -> None:
        self._given = Given()
        # The given names are builtins: the user's own names take precedence and survive the next run.
        self._names: dict[str, Any] = {"__name__": _FILE, "__builtins__": self._given.names}

    def answer(self, line: ConsoleLine, run: Evaluation | None) -> ConsoleAnswer:
        """Runs a line and returns its output as text."""
        page = _Page()
        self._given.show(run, line.hidden)
        error = self._run(line.text, page)
        # A run holds every tensor, so the namespace must not keep it alive after the line.
        self._given.run = None
        output, more = page.text()
        if error is None:
            return ConsoleAnswer(output, more)
        return ConsoleAnswer(output, more, type(error).__name__, _message(error), _column(error))

    def _run(self, text: str, page: _Page) -> BaseException | None:
        """Runs a line and returns the exception that it raised."""
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
            except (Exception, SystemExit) as raised:  # code of the user: any exception is its answer
                error = raised
        for item in warned:
            page.write(f"{item.category.__name__}: {item.message}\n")
        return error

    def _carry_out(self, tree: ast.Module) -> None:
        """Runs all statements and prints the last one if it is an expression."""
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, _FILE, "exec"), self._names)
        if isinstance(last, ast.Expr):
            found = eval(compile(ast.Expression(last.value), _FILE, "eval"), self._names)
            if found is not None:
                self._names["_"] = found
                print(repr(found))


class _Page(io.TextIOBase):
    """A stream that keeps the beginning of the output and counts the rest."""

    def __init__(self) -> None:
        super().__init__()
        self._kept: list[str] = []
        self._room, self._more = OUTPUT_LETTERS, 0

    def write(self, text: str, /) -> int:
        """Writes the part of a text for which there is room."""
        kept = text[: self._room]
        self._kept.append(kept)
        self._room -= len(kept)
        self._more += len(text) - len(kept)
        return len(text)

    def text(self) -> tuple[str, int]:
        """Returns the kept text without trailing line breaks, and the number of letters left out."""
        whole = "".join(self._kept).rstrip("\n")
        shown = "\n".join(whole.splitlines()[:OUTPUT_LINES])
        return shown, self._more + len(whole) - len(shown)


def _message(error: BaseException) -> str:
    """Returns the message of an error in one line."""
    if isinstance(error, SyntaxError):
        return error.msg or ""
    if isinstance(error, KeyError) and error.args:
        return f"{error.args[0]!r}"[:OUTPUT_LETTERS]
    # The `__str__` of an error that the user has written may raise, too.
    with contextlib.suppress(Exception):
        return " ".join(f"{error}".split())[:OUTPUT_LETTERS]
    return ""


def _column(error: BaseException) -> int:
    return (error.offset or 0) if isinstance(error, SyntaxError) and error.filename == _FILE else 0
