"""The functions of the table of names in the stub of the face, and the methods of expressions: make reference."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from gradwire.blocks.names.entry import Meaning
from gradwire.blocks.names.table import names
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.type_help import GIVEN, RESULT

ROOT = Path(__file__).parent.parent
METHODS = ROOT / "engine" / "blocktypes" / "expression_methods.pyi"
HEAD = '''"""The methods of expressions as editors and type checkers see them."""

import builtins
from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from gradwire.engine.blocktypes.expression import Expression

class Methods:
    @property
    def T(self) -> Expression:
        """All axes in the opposite order."""
    @property
    def mT(self) -> Expression:
        """The last two axes exchanged."""
'''
# The annotations of functions in the table, as users read them.
_ALIASES = {
    "Axes": "int | Sequence[int] | None",
    "Order": "float | str | None",
    "Pair": "int | Sequence[int]",
    "list[Any] | tuple[Any, ...]": f"Sequence[{GIVEN}]",
}
_TENSOR = "Operand"


def functions(exported: Collection[str]) -> Iterator[str]:
    """Yields the definition of each function, or its overloads: an expression among the tensors gives an expression."""
    for name, meaning in names().functions():
        if name.isidentifier() and name not in library and name not in DTYPES and name not in exported:
            yield from _forms(name, meaning)


def linalg() -> Iterator[str]:
    """Yields the functions that have their place in `linalg`, as a class of static ones."""
    yield "class _Linalg:\n    def __getattr__(self, name: str) -> Any: ..."
    for name, meaning in names().functions():
        home, _, last = name.partition(".")
        if home == "linalg":
            for form in _forms(last, meaning):
                yield "    " + f"@staticmethod\n{form}".replace("\n", "\n    ")
    yield "linalg: _Linalg"


def methods() -> str:
    """Returns the stub of the class of methods."""
    found = [f"    {line}" for name, meaning in names().methods() for line in _method(name, meaning).splitlines()]
    return f"{HEAD}{chr(10).join(found)}\n"


def _forms(name: str, meaning: Meaning) -> Iterator[str]:
    tensors = [item for item, said in _annotations(meaning).items() if said == _TENSOR]
    makes = not tensors or name in ("tensor", "array", "asarray", "full")
    forms = [("Expression", dict.fromkeys(tensors, GIVEN), 0)] if makes else []
    for place in range(0 if makes else len(tensors)):
        kinds = {
            item: "ArrayLike" if number < place else "Expression" if number == place else GIVEN
            for number, item in enumerate(tensors)
        }
        if place == 0 or list(meaning.own.parameters)[: place + 1] == tensors[: place + 1]:
            forms.append(("Expression", kinds, place + 1))
    forms += [] if makes else [("Array", dict.fromkeys(tensors, "ArrayLike"), 1)]
    for number, (result, kinds, required) in enumerate(forms):
        head = "@overload\n" if len(forms) > 1 else ""
        summary = f'\n    """{meaning.summary}"""'.replace("\\", "\\\\") if number == 0 else " ..."
        arguments = _arguments(meaning, kinds, required)
        yield f"{head}def {name}({', '.join(arguments)}) -> {_returned(meaning, result)}:{summary}"


def _method(name: str, meaning: Meaning) -> str:
    kinds = {item: GIVEN for item, said in _annotations(meaning).items() if said == _TENSOR}
    arguments = ["self", *_arguments(meaning, kinds, 1)[1:]]
    summary = meaning.summary.replace("\\", "\\\\")
    return f'def {name}({", ".join(arguments)}) -> {_returned(meaning, "Expression")}:\n    """{summary}"""'


def _annotations(meaning: Meaning) -> dict[str, str]:
    """Returns the annotation of each argument, `Operand` for tensors."""
    said = {}
    block = library.get(meaning.block) if meaning.block else None
    ports = {port.name for port in block.inputs} if block and meaning.function.__name__ == "function" else set()
    typed = inspect.signature(block).parameters if block and ports else {}
    for name, item in inspect.signature(meaning.function).parameters.items():
        if name in ports or (name == "x" and item.annotation is item.empty):
            said[name] = _TENSOR
        elif item.annotation is not item.empty:
            said[name] = _for_users(str(item.annotation))
        else:
            said[name] = str(typed[name].annotation) if name in typed else "Any"
    return said


def _for_users(annotation: str) -> str:
    for ours, theirs in _ALIASES.items():
        annotation = re.sub(rf"(?<!\w){re.escape(ours)}(?!\w)", theirs, annotation)
    return annotation


def _arguments(meaning: Meaning, kinds: dict[str, str], required: int) -> list[str]:
    """Returns the arguments, so many of them required, at the end those by the frameworks' other words."""
    annotations, own = _annotations(meaning), meaning.own.parameters
    words = _words(meaning)
    written, has_star, may_miss = [], False, False
    for place, (name, item) in enumerate(own.items()):
        if name.startswith("_"):
            continue
        if item.kind is item.KEYWORD_ONLY and not has_star:
            written.append("*")
            has_star = True
        has_star |= item.kind is item.VAR_POSITIONAL
        may_miss |= place >= required and (item.default is not item.empty or name in words.values())
        star = "*" if item.kind is item.VAR_POSITIONAL else ""
        default = " = ..." if may_miss and not star else ""
        written.append(f"{star}{name}: {kinds.get(name) or annotations[name]}{default}")
    written += [] if has_star else ["*"]
    written += [f"{word}: {kinds.get(ours) or annotations[ours]} = ..." for word, ours in sorted(words.items())]
    return [*written, "name: str | None = ..."] if "name" not in own else written


def _words(meaning: Meaning) -> dict[str, str]:
    """Returns our word for each other word of an argument, but for the first one."""
    own = meaning.own.parameters
    first = next(iter(own), "")
    return {
        word: ours
        for signature in (*meaning.signatures, *meaning.of_methods)
        for word, ours in signature.ours(meaning.own).items()
        if ours and ours != first and word not in own and own[ours].kind is not inspect.Parameter.VAR_POSITIONAL
    }


def _returned(meaning: Meaning, result: str) -> str:
    if inspect.signature(meaning.function).return_annotation == "int":
        return "int"
    block = library.get(meaning.block) if meaning.block and meaning.function.__name__ == "function" else None
    return str(inspect.signature(block).return_annotation).replace(RESULT, result) if block else result


def beside_builtins(text: str) -> str:
    """Returns a stub in which Python's own types are meant where functions and methods have their names."""
    tree = ast.parse(text)
    taken = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and hasattr(builtins, node.name)}
    taken |= {"bool"}
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns") and isinstance(value, ast.expr):
                setattr(node, field, _Qualified(taken).visit(value))
    head, body = tree.body[:1], tree.body[1:]
    parts = [ast.unparse(ast.Module(part, [])) for part in (head, body)]
    return (
        f"{parts[0]}\n\n# Made by `make reference` from the declarations in blocks/; not edited by hand.\n{parts[1]}\n"
    )


class _Qualified(ast.NodeTransformer):
    def __init__(self, taken: set[str]) -> None:
        self._taken = taken

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Returns `builtins.int` for a name that is taken."""
        return ast.Attribute(ast.Name("builtins"), node.id) if node.id in self._taken else node
