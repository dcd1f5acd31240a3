"""Writes gradwire/__init__.pyi, by which editors and type checkers know every block function: make reference."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path

import gradwire.blocks  # noqa: F401  fills the library
from gradwire.engine.base.tensor_spec import type_names
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.type_help import GIVEN, RESULT
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.tools import update_rule
from scripts import make_name_stubs

ROOT = Path(__file__).parent.parent
# The module that has the functions and classes besides the blocks, and the stub of the public face.
FACE, STUB = ROOT / "gradwire" / "face.py", ROOT / "gradwire" / "__init__.pyi"
HEAD = '''"""Gradwire as editors and type checkers see it: every block type is a function."""

import builtins
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.update_rule import Rate
'''


def main() -> None:
    """Writes the stub anew."""
    STUB.write_text(stub(), encoding="utf-8", newline="\n")
    make_name_stubs.METHODS.write_text(methods(), encoding="utf-8", newline="\n")


def methods() -> str:
    """Returns the text of the stub of the methods of expressions."""
    return make_name_stubs.beside_builtins(make_name_stubs.methods())


def stub() -> str:
    """Returns the text of the stub."""
    face = ast.parse(FACE.read_text(encoding="utf-8"))
    exported = {name.value for name in ast.walk(_value(face, "__all__")) if isinstance(name, ast.Constant)}
    types = sorted((item for item in library.for_users() if not item.from_plugin), key=lambda item: item.name)
    definitions = [ast.unparse(node) for node in map(_without_body, _public_definitions(face))]
    functions = [part for item in types if item.name not in exported for part in block_functions(item)]
    functions += [*_rules(exported), *make_name_stubs.functions(exported)]
    imports = _imports(face, exported, "\n".join(definitions + functions))
    constants = ["__version__: str", "HOME: Path", *(f"{name}: np.dtype[Any]" for name in type_names)]
    constants += [f"__all__ = {sorted(exported)}"]
    parts = [HEAD.rstrip(), *imports, *constants, *definitions, *make_name_stubs.linalg(), *functions]
    return make_name_stubs.beside_builtins("\n".join(parts))


def _rules(exported: set[str]) -> Iterator[str]:
    """Yields the function of each update rule that the face does not define itself."""
    for name, kind in sorted(RULES.items()):
        if name not in exported:
            given = "".join(f", {key}: {_kind(value)} = {value!r}" for key, value in kind.defaults.items())
            rate = "Rate" if kind.rate is None else f"Rate = {kind.rate!r}"
            said = (update_rule(name).__doc__ or "").split("\n")[0]
            yield f'def {name}(rate: {rate}{", *" if given else ""}{given}) -> UpdateRule:\n    """{said}"""'


def _kind(value: object) -> str:
    return type(value).__name__ if isinstance(value, bool | str) else "float"


def block_functions(block_type: BlockType) -> Iterator[str]:
    """Yields the function of a block type, or its overloads: an expression among the inputs gives an expression."""
    signature = inspect.signature(block_type)
    keywords = [str(item) for item in signature.parameters.values() if item.kind is item.KEYWORD_ONLY]
    forms = list(_port_forms(block_type))
    for number, (ports, result) in enumerate(forms):
        fixed = [port for port in ports if not port.startswith("*")]
        variadic = [port for port in ports if port.startswith("*")] or ["*"]
        arguments = ", ".join([*fixed, *(["/"] if fixed else []), *variadic, *keywords])
        returned = str(signature.return_annotation).replace(RESULT, result)
        overload = "@overload\n" if len(forms) > 1 else ""
        head = f"{overload}def {block_type.name}({arguments}) -> {returned}:"
        summary = block_type.summary.replace("\\", "\\\\")
        yield f'{head}\n    """{summary}"""' if number == 0 else f"{head} ..."


def _port_forms(block_type: BlockType) -> Iterator[tuple[list[str], str]]:
    """Yields the ports of each overload with its result; no two overloads take the same call."""
    ports = [(port.name, port.optional, port.variadic) for port in block_type.inputs]
    if block_type.needs_no_inputs and not any(variadic for *_, variadic in ports):
        yield [f"{name}: {GIVEN} | None = None" for name, *_ in ports], "Expression"
        return
    if ports[0][2]:
        # The first two of many decide.
        name = ports[0][0]
        yield [f"{name}_0: Expression", f"*{name}: {GIVEN}"], "Expression"
        yield [f"{name}_0: ArrayLike", f"{name}_1: Expression", f"*{name}: {GIVEN}"], "Expression"
        yield [f"*{name}: ArrayLike"], "Array"
        return
    fixed = [port for port in ports if not port[2]]
    for index in range(len(fixed)):
        kinds = ["ArrayLike"] * index + ["Expression"] + [GIVEN] * (len(ports) - index - 1)
        yield _written(ports, kinds, required=index), "Expression"
    yield _written(ports, ["ArrayLike"] * len(ports), required=-1), "Array"


def _written(ports: list[tuple[str, bool, bool]], kinds: list[str], required: int) -> list[str]:
    """Returns ports as a signature writes them; up to the one that is `required` none may be left out."""
    found = []
    for index, ((name, optional, variadic), kind) in enumerate(zip(ports, kinds, strict=True)):
        if variadic:
            found.append(f"*{name}: {kind}")
        elif optional and index != required:
            found.append(f"{name}: {kind} | None{' = None' if index > required else ''}")
        else:
            found.append(f"{name}: {kind}")
    return found


def _public_definitions(face: ast.Module) -> list[ast.stmt]:
    """Returns the functions and classes of the face, without decorators, which change no types."""
    found = [node for node in face.body if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name[0] != "_"]
    for node in found:
        node.decorator_list = []
    return list(found)


def _imports(face: ast.Module, exported: set[str], text: str) -> Iterator[str]:
    """Yields the imports of the face that `text` uses, and those that it exports."""
    known = {item.asname or item.name for node in ast.walk(ast.parse(HEAD)) for item in getattr(node, "names", ())}
    used = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} - known
    for node in ast.walk(face):
        if isinstance(node, ast.ImportFrom) and node.col_offset in (0, 4):
            names = [item.name for item in node.names if item.asname is None and item.name in used | exported]
            written = ", ".join(f"{name} as {name}" if name in exported else name for name in names)
            if names:
                yield f"from {node.module} import {written}"


def _without_body(node: ast.stmt) -> ast.stmt:
    """Returns a function with the first line of its docstring, or a class with its public methods."""
    if isinstance(node, ast.FunctionDef):
        said = (ast.get_docstring(node) or "").split("\n")[0]
        node.body = [ast.Expr(ast.Constant(said or ...))]
    elif isinstance(node, ast.ClassDef):
        fields = [item for item in node.body if isinstance(item, ast.AnnAssign)]
        methods = [item for item in node.body if isinstance(item, ast.FunctionDef) and _is_public(item.name)]
        said = ast.Expr(ast.Constant(ast.get_docstring(node) or ""))
        node.body = [said, *fields, *map(_without_body, methods)]
    return node


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name == "__init__"


def _value(tree: ast.Module, name: str) -> ast.expr:
    return next(
        node.value for node in tree.body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name
    )


if __name__ == "__main__":
    main()
