"""No sentence of a library reaches a user: what foreign code raised goes into the log, not into a message."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from gradwire.engine.base import errors

ROOT = Path(__file__).resolve().parents[3]
KINDS = {name: kind for name, kind in vars(errors).items() if isinstance(kind, type)}
OURS = {name for name, kind in KINDS.items() if issubclass(kind, errors.GradwireError)}
# Their texts are written by us, too: they are subclasses of those, or private to their module.
OURS |= {"JsonFault", "TrainingStopped", "_Broken"}
# The words of an exception, and what writes them down.
WORDS = {"strerror", "msg", "errorString"}
WRITING = {"str", "repr", "told", "format", "print", "format_exception", "ImportError"}
# Words of foreign code that answer its author: code of plug-ins, of block types, of the console.
ANSWERS = {
    "app/features/console/console_line.py",
    "engine/base/errors.py",
    "engine/plugins/plugin_trial.py",
    "engine/plugins/plugins.py",
}
# Without Qt there is no log: only the words of the loader say what is missing.
LOADERS = {"app/start/display.py", "app/start/qt_libraries.py"}
# The decoder's messages are keys of a table of ours; a record for the log alone is no message.
KEYS = {"engine/files/json_text.py", "app/shell/documents/recovery_writer.py"}


# Most files catch no exception by name: reading them as Python takes a hundred times as long as looking for the words.
MAY_WRITE = re.compile(rf"\bexcept\b[^:]*\bas\b|\.({'|'.join(sorted(WORDS))})\b")


def sources() -> Iterator[Path]:
    for room in ("app", "blocks", "engine"):
        yield from sorted((ROOT / room).rglob("*.py"))
    yield from sorted((ROOT / "gradwire").glob("*.py"))


def foreign_words(tree: ast.AST) -> Iterator[ast.expr]:
    """Yields the places where the words of an exception that is not ours are written, or asked for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in WORDS:
            yield node
        if isinstance(node, ast.ExceptHandler) and node.name and not caught(node) <= OURS:
            yield from written(node, node.name)


def caught(handler: ast.ExceptHandler) -> set[str]:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {ast.unparse(kind).rpartition(".")[2] for kind in kinds if kind is not None}


def written(handler: ast.ExceptHandler, name: str) -> Iterator[ast.expr]:
    for node in ast.walk(handler):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in WRITING:
            parts = node.args
        elif isinstance(node, ast.FormattedValue) or (isinstance(node, ast.Attribute) and node.attr == "args"):
            parts = [node.value]
        if isinstance(node, ast.expr) and any(isinstance(part, ast.Name) and part.id == name for part in parts):
            yield node


def test_messages_have_no_words_of_foreign_exceptions() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"
        for path in sources()
        if str(path.relative_to(ROOT)) not in ANSWERS | LOADERS | KEYS and MAY_WRITE.search(text := path.read_text())
        for node in foreign_words(ast.parse(text))
    }
    assert not found


def test_such_words_are_found() -> None:
    uses = "f'{error}', str(error), told(error), error.args, error.strerror"
    assert len(list(foreign_words(ast.parse(f"try: f()\nexcept (OSError, FileError) as error:\n    say({uses})")))) == 5
    assert not list(foreign_words(ast.parse("try: f()\nexcept FileError as error:\n    say(str(error))")))
