"""The user's texts in the source: the sentences of engine and blocks, and the texts of the window."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from gradwire.app.features.conventions.check_outcome import SAID
from gradwire.app.look.glossary import Term
from gradwire.app.look.statuses import CAUSE_LOOKS, LOOKS
from gradwire.app.shell.commands.commands import COMMANDS
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.library import library

ROOT = Path(__file__).resolve().parent.parent.parent
# The functions that translate, and how many of their first arguments are texts.
TRANSLATING = {"tr": 1, "tr_count": 2}
# The calls that show a text to the user; a literal text there would stay English.
SHOWING = {
    "QAction", "QCheckBox", "QLabel", "QMenu", "QPushButton", "QRadioButton", "QToolButton", "addAction", "addMenu",
    "drawText", "setAccessibleDescription", "setAccessibleName", "setPlaceholderText", "setStatusTip", "setText",
    "setTitle", "setToolTip", "setWindowTitle", "showMessage",
}  # fmt: skip
# Texts that are equal in every language, by the reason.
SIGNS = {
    "the name of the program": {"Gradwire", "[*] - Gradwire"},
    "signs of the field": {"|∂L|", "∂L/∂L = 1"},
}
# Files of the window that raise sentences as the engine does; the window translates them when it shows them.
RAISING = (
    "base/table_text.py", "base/tensor_files.py", "canvas/painting/picture.py", "live/editing.py",
    "canvas/painting/monitors/picture_question.py", "canvas/painting/monitors/tensor_pictures.py",
    "live/process/crash_problems.py", "features/console/console_names.py",
)  # fmt: skip
SAYING = {
    "Convention", "Fix", "JsonFault", "Note", "Observation", "Problem", "Rule", "_deviating", "_report", "flow.fix",
    "refusal", "self.fix",
}  # fmt: skip


@cache
@collection_paused()
def sentences() -> frozenset[str]:
    """Returns the patterns of all sentences that the window translates, with numbered braces for fields."""
    raising = [ROOT / "app" / name for name in RAISING]
    speaking = [file for name in ("engine", "blocks", "interop") for file in sorted((ROOT / name).rglob("*.py"))]
    assert len(speaking) > 200, "the engine and the blocks are not where this module looks"
    nodes = [node for file in [*speaking, *raising] for node in _saying(_nodes(file))]
    nodes += [node for file in speaking for node in _whole_sentences(_nodes(file))]
    return frozenset(pattern for node in nodes for pattern in _patterns(node))


@cache
def _nodes(file: Path) -> tuple[ast.AST, ...]:
    """Returns all that is written in a file, its module first."""
    return tuple(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))


def _saying(nodes: Sequence[ast.AST]) -> Iterator[ast.expr]:
    """Yields the texts that are raised, put into problems, or called a message."""
    for node in nodes:
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from node.exc.args[:1]
        elif isinstance(node, ast.Call) and _dotted(node.func) in SAYING:
            yield from node.args
        elif isinstance(node, ast.Assign) and _dotted(node.targets[0]) == "message":
            yield node.value


def _dotted(node: ast.AST) -> str:
    """Returns a name with those of what it belongs to, or an empty text."""
    if isinstance(node, ast.Attribute) and (owner := _dotted(node.value)):
        return f"{owner}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _whole_sentences(nodes: Sequence[ast.AST]) -> Iterator[ast.Constant]:
    """Yields texts with capital and full stop, except docstrings."""
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            text = node.value
            if text[:1].isupper() and text.endswith(".") and " " in text:
                yield node


def _patterns(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from [node.value] if " " in node.value else []
    elif isinstance(node, ast.JoinedStr):
        fields = iter(range(len(node.values)))
        parts = [part.value if isinstance(part, ast.Constant) else f"{{{next(fields)}}}" for part in node.values]
        text = "".join(map(str, parts))
        # A text of only fields, signs and spaces is no sentence.
        yield from [text] if any(letter.isalpha() for letter in text) and " " in text else []
    elif isinstance(node, ast.IfExp):
        yield from [*_patterns(node.body), *_patterns(node.orelse)]
    elif isinstance(node, ast.BinOp):
        left, right = list(_patterns(node.left)), list(_patterns(node.right))
        yield from left + right


@cache
@collection_paused()
def texts() -> frozenset[str]:
    """Returns the texts of the window to translate: `tr` arguments, and those of tables, as of commands and causes."""
    written = {text for file in _app() for text in _translated(_nodes(file))}
    commands = {text for item in COMMANDS for text in (item.text, item.topic, item.subtopic, item.tip) if text}
    causes = {text for cause in Cause for text in (cause.word, cause.clause)}
    said = (text for look in LOOKS.values() for text in (*look[:6], look.step, look.about))
    statuses = {text for text in said if any(map(str.isalpha, text))}
    causes |= {look.because for look in CAUSE_LOOKS.values() if look.because}
    checks = {text for said in SAID.values() for text in (said.word, said.one, said.several) if text}
    terms = {term.value for term in Term}
    categories = {block_type.category for block_type in library}
    return frozenset(written | commands | causes | statuses | checks | categories | terms)


def not_written_out() -> set[str]:
    """Returns the arguments of `tr` that are no literals."""
    return {
        ast.unparse(argument)
        for file in _app()
        for node, constants in _translating(_nodes(file))
        for argument in node.args[: TRANSLATING[_called(node)]]
        if not list(_strings(constants.get(_constant_name(argument), argument)))
    }


def untranslated() -> list[str]:
    """Returns the texts that the window shows without `tr`, as `file:line: text`."""
    return [
        f"{file.relative_to(ROOT)}:{node.lineno}: {text}"
        for file in _app()
        for node in _nodes(file)
        if isinstance(node, ast.Call) and _called(node) in SHOWING
        for argument in node.args
        for text in _words(argument)
        if text not in set.union(*SIGNS.values())
    ]


def _app() -> list[Path]:
    files = sorted((ROOT / "app").rglob("*.py"))
    assert len(files) > 200, "the app is not where this module looks"
    return files


def _called(node: ast.Call) -> str:
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else _dotted(function)


def _translated(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node, constants in _translating(nodes):
        for argument in node.args[: TRANSLATING[_called(node)]]:
            yield from _strings(constants.get(_constant_name(argument), argument))


def _translating(nodes: Sequence[ast.AST]) -> Iterator[tuple[ast.Call, dict[str, ast.expr]]]:
    """Yields the calls that translate, with the constants of their module."""
    module = nodes[0]
    assert isinstance(module, ast.Module)
    constants = {
        ast.unparse(node.targets[0]): node.value
        for node in module.body
        if isinstance(node, ast.Assign) and node.targets
    }
    for node in nodes:
        if isinstance(node, ast.Call) and _called(node) in TRANSLATING:
            yield node, constants


def _constant_name(node: ast.expr) -> str:
    """Returns the name of a constant, also for an entry of a table."""
    return ast.unparse(node.value if isinstance(node, ast.Subscript) else node)


def _strings(node: ast.expr) -> Iterator[str]:
    """Yields the texts that an expression may be: itself, one of two, or the entries of a table."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from [*_strings(node.body), *_strings(node.orelse)]
    elif isinstance(node, ast.Dict):
        yield from (text for value in node.values for text in _strings(value))
    elif isinstance(node, ast.Tuple | ast.List | ast.Set):
        yield from (text for value in node.elts for text in _strings(value))


def _words(node: ast.expr) -> Iterator[str]:
    """Yields the literal words of an argument that is shown."""
    if isinstance(node, ast.IfExp):
        yield from [*_words(node.body), *_words(node.orelse)]
    elif isinstance(node, ast.JoinedStr):
        text = "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
        yield from [text] if any(len(word) > 1 and word.isalpha() for word in text.split()) else []
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from [node.value] if any(letter.isalpha() for letter in node.value) else []
