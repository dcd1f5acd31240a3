"""The text of a program as people copy it: prompts, results between them, fences and magics are taken off."""

from __future__ import annotations

import ast
import contextlib
import re
import textwrap
import warnings
from typing import Final, NamedTuple

from gradwire.engine.base.limits import size_text
from gradwire.engine.base.number_text import MINUS
from gradwire.engine.export.program_text import BACKWARD, CHECKED, STOPPED
from gradwire.interop.code.refusals import CodeRefusal


class Program(NamedTuple):
    """A program as a syntax tree; one that Gradwire exported marks in lines of its own what is stopped.

    `backward_line` begins the gradients that a program computes itself, which are not read.
    """

    tree: ast.Module
    is_exported: bool
    stopped_lines: frozenset[int]
    backward_line: int | None


LONGEST: Final = 2**20
_PROMPT = re.compile(r"[ \t]*(?:>>>|In ?\[\d*\]:)(?: |$)")
_CONTINUED = re.compile(r"[ \t]*(?:\.\.\.:?)(?: |$)")
_ASKING = re.compile(r"autograd\.grad|tape\.gradient")
_COMPUTING = (ast.Call, ast.BinOp, ast.Assign, ast.AugAssign, ast.FunctionDef, ast.With, ast.For, ast.While)
_STATEMENT = re.compile(r"^\s*(?:>>> |import \w|from \w+ import|def \w+\(|[A-Za-z_]\w* = )", re.MULTILINE)
# A matrix before another name, as formulas write their product, where a sign shows that the text is a formula.
_PRODUCT, _SIGN = re.compile(r"\b([A-Z]\d?) +(?=[A-Za-z]\w*)"), re.compile(r"[-=+*/(]")
_OPENED = re.compile(r"'(.)' was never closed")
_MAGIC = re.compile(r"\s*(?:[%!]|```)")
# Signs of books and word processors, as Python writes them.
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("“”", '"'),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("·×", "*"),
        **{MINUS: "-", "÷": "/", "²": "**2", "³": "**3", "≤": "<=", "≥": ">=", "≠": "!=", "√": "sqrt"},
        **{"\N{NO-BREAK SPACE}": " ", "\t": "    "},
    }
)


def program(text: str) -> Program:
    """Returns the program of a text.

    Raises: CodeRefusal if it is none, or too long.
    """
    lines = text.splitlines()
    is_exported = CHECKED in lines
    stopped = {number for number, line in enumerate(lines, 1) if is_exported and line.endswith(STOPPED)}
    backward = _backward(lines[: lines.index(CHECKED)]) if is_exported else None
    return Program(parsed(text), is_exported, frozenset(stopped), None if backward is None else backward + 1)


def is_program(text: str) -> bool:
    """Returns whether a text is a formula or program: it calls, computes or assigns, and is no list of numbers."""
    if len(text) > LONGEST:
        return False
    try:
        tree = parsed(text)
    except CodeRefusal:
        # Lines of a program with a mistake in one of them.
        return _STATEMENT.search(text) is not None
    nodes = list(ast.walk(tree))
    names = any(isinstance(node, ast.Name) for node in nodes)
    return names and any(isinstance(node, _COMPUTING) for node in nodes)


def parsed(text: str) -> ast.Module:
    """Returns the syntax tree of a text; its lines are numbered as in the text.

    Raises: CodeRefusal if it is no program, or too long.
    """
    if len(text) > LONGEST:
        raise CodeRefusal(f"the text is longer than {size_text(LONGEST)}")
    source = plain_source(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            return ast.parse(source)
    except SyntaxError as error:
        if "\n" not in source and _SIGN.search(source) and (product := _PRODUCT.sub(r"\1 @ ", source)) != source:
            with contextlib.suppress(CodeRefusal):
                return parsed(product)
        lines = source.splitlines()
        line = min(max(error.lineno or 1, 1), max(len(lines), 1))
        seen = lines[line - 1].strip() if lines else ""
        if opened := _OPENED.match(error.msg or ""):
            message = f'"{opened[1]}" is never closed in "{seen[:40]}"'
        else:
            message = f'"{seen[:40]}" is no formula, and no line of a program'
        raise CodeRefusal(message, line, max(error.offset or 1, 1)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise CodeRefusal("the text is no formula, and no program") from error


def plain_source(text: str) -> str:
    """Returns the program of a text, line for line; what it prints, and what compares its results, becomes blank."""
    lines = text.translate(_SIGNS).splitlines()
    if any(_PROMPT.match(line) for line in lines):
        lines = [_typed(line) for line in lines]
    lines = ["" if _MAGIC.match(line) else line for line in lines]
    if CHECKED in lines:
        lines = lines[: lines.index(CHECKED)]
        lines = lines[: _backward(lines)]
    return textwrap.dedent("\n".join(lines))


def _backward(lines: list[str]) -> int | None:
    """Returns where a program begins to compute the gradients itself, as NumPy's do; None if a library does."""
    if BACKWARD not in lines:
        return None
    begin = lines.index(BACKWARD)
    return begin if _ASKING.search("\n".join(lines[begin:])) is None else None


def _typed(line: str) -> str:
    """Returns what was typed behind a prompt; a line of results becomes blank."""
    for prompt in (_PROMPT, _CONTINUED):
        found = prompt.match(line)
        if found is not None:
            return line[found.end() :]
    return ""
