"""The NumPy functions of block types as source text, with all that they use, for programs that stand alone."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.operation import Operation

# What programs call modules, and what they take out of some: no block is called so.
MODULES = frozenset({"np", "scipy", "tf", "torch", "jax", "jnp", "math", "base64", "functools", "itertools", "string"})
_OURS = ("gradwire.engine.", "gradwire.blocks.")
_IMPORTED = (FunctionType, BuiltinFunctionType, type)


class FunctionSources:
    """Definitions in the order in which a program needs them; `take_name` gives each a name that is free there."""

    def __init__(self, take_name: Callable[[str], str]) -> None:
        self.take_name = take_name
        self._names: dict[int, str] = {}
        self._kept: list[object] = []  # an id means its object only as long as that lives
        self.definitions: list[str] = []
        # Names of the functions for own gradients of pages, by their text.
        self.own_gradients: dict[str, str] = {}
        self.imports: set[str] = set()

    def name_of(self, block_type: Operation) -> str:
        """Returns the name of the function that computes a block type; it is defined from now on."""
        return self._define_function(block_type.function, snake_case(block_type.name.rpartition(".")[2]))

    def refer_to(self, name: str, value: Any) -> str:  # Any: whatever a module or a closure holds
        """Returns the expression that stands for a global of a function, defined or imported if it has to be.

        Raises: TypeError for an object that has no source text.
        """
        if isinstance(value, Operation):
            return self.name_of(value)
        if isinstance(value, ModuleType):
            return self._import_as(value, f"import {value.__name__}", value.__name__, name)
        if isinstance(value, type) and issubclass(value, GradwireError):
            return "ValueError"
        if isinstance(value, FunctionType | type) and value.__module__.startswith(_OURS):
            return self._define_class(value, name) if isinstance(value, type) else self._define_function(value, name)
        if isinstance(value, _IMPORTED) and value.__module__ not in (None, "builtins"):
            return self._import(value, value.__name__)
        return literal(value) if _is_short(value) else self._define_constant(value, name)

    def rename(self, name: str) -> str:
        """Returns a second name, for use where the first one means something else."""
        other = self.take_name(name)
        self.definitions.append(f"{other} = {name}")
        return other

    def _import(self, value: object, name: str) -> str:
        if getattr(np, name, None) is value:
            self.imports.add("import numpy as np")
            return f"np.{name}"
        return self._import_as(value, f"from {value.__module__} import {name}", name, name)

    def _import_as(self, value: object, line: str, imported: str, wanted: str) -> str:
        """Imports something by a name that no block has; modules that all programs know keep theirs."""
        if id(value) not in self._names:
            self._register(value, wanted)
            if wanted in MODULES:
                self._names[id(value)] = wanted
        name = self._names[id(value)]
        self.imports.add(line if imported == name else f"{line} as {name}")
        return name

    def _define_constant(self, value: object, wanted: str) -> str:
        if id(value) not in self._names:
            self._register(value, wanted)
            text = self._constant_text(value)
            self.definitions.append(f"{self._names[id(value)]} = {text}")
        return self._names[id(value)]

    def _constant_text(self, value: object) -> str:
        """Returns a constant as source; a table may hold functions, which are defined before it."""
        if isinstance(value, dict):
            return f"{{{', '.join(f'{literal(key)}: {self._constant_text(item)}' for key, item in value.items())}}}"
        return self.refer_to(value.__name__, value) if isinstance(value, FunctionType) else literal(value)

    def _define_function(self, function: Any, wanted: str) -> str:
        function = inspect.unwrap(function)
        if id(function) not in self._names:
            name = self._register(function, wanted)
            known = inspect.getclosurevars(function)
            self._define(function, name, {**function.__globals__, **known.nonlocals})
        return self._names[id(function)]

    def _define_class(self, value: type, wanted: str) -> str:
        if id(value) not in self._names:
            name = self._register(value, wanted)
            self._define(value, name, vars(sys.modules[value.__module__]))
        return self._names[id(value)]

    def _register(self, value: object, wanted: str) -> str:
        self._kept.append(value)
        self._names[id(value)] = self.take_name(wanted)
        return self._names[id(value)]

    def _define(self, item: object, name: str, known: Mapping[str, Any]) -> None:
        text, local = _plain_source(item)
        tree = ast.parse(text).body[0]
        assert isinstance(tree, ast.FunctionDef | ast.ClassDef)
        tree.name = name
        done = _Renamer(self, known, local).visit(tree)
        self.definitions.append(ast.unparse(done))


class _WithoutAnnotations(ast.NodeTransformer):
    """Leaves out decorators of ours and annotations; fields of a record keep one, as they need it."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.decorator_list = [item for item in node.decorator_list if _is_builtin_decorator(item)]
        node.returns = None
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        for item in node.body:
            if isinstance(item, ast.AnnAssign):
                item.annotation = ast.Name("object", ast.Load())
            else:
                self.visit(item)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return None if node.value is None else ast.Assign([node.target], node.value)


class _Renamer(ast.NodeTransformer):
    """Replaces the globals of a function by what a program calls them; the function of a type by its name."""

    def __init__(self, sources: FunctionSources, known: Mapping[str, Any], local: frozenset[str]) -> None:
        self._sources, self._known, self._local = sources, known, local

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        owner = node.value
        is_type = isinstance(owner, ast.Name) and isinstance(self._known.get(owner.id), Operation)
        return self.visit(owner) if is_type and node.attr == "function" else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self._local or node.id not in self._known:
            return node
        text = self._sources.refer_to(node.id, self._known[node.id])
        if text in self._local:
            text = self._sources.rename(text)
        return ast.parse(text, mode="eval").body


# Every program of a graph needs the same functions, and reading them takes longer than all else.
@functools.lru_cache(maxsize=1000)
def _plain_source(item: Any) -> tuple[str, frozenset[str]]:  # Any: a function or a class
    """Returns the source of a definition without annotations and long docstrings, and the names bound inside it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item))).body[0]
    plain = _WithoutAnnotations().visit(tree)
    _shorten_docstrings(plain)
    return ast.unparse(ast.fix_missing_locations(plain)), frozenset(_local_names(plain))


def _is_builtin_decorator(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and hasattr(builtins, node.id)


def _shorten_docstrings(tree: ast.AST) -> None:
    """Keeps the first line of each docstring: in a program the rest of a help page is in the way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            text = ast.get_docstring(node)
            if text is not None:
                node.body[0] = ast.Expr(ast.Constant(text.split("\n")[0]))


def _local_names(tree: ast.AST) -> set[str]:
    """Returns every name that is bound somewhere inside a definition."""
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    inner = (node for node in ast.walk(tree) if node is not tree and isinstance(node, ast.FunctionDef))
    imported = (item for node in ast.walk(tree) if isinstance(node, ast.Import) for item in node.names)
    return names | {node.name for node in inner} | {(item.asname or item.name).partition(".")[0] for item in imported}


def snake_case(name: str) -> str:
    """Returns the name of a block type as Python names functions: `conv2d_transpose`, `reduce_log_sum_exp`."""
    text = re.sub(r"(\d)D", r"\1d", name)
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", text).lower()


def literal(value: Any) -> str:  # Any: numbers, texts, dtypes, arrays, and tuples, lists and dictionaries of them
    """Returns the source text of a constant.

    Raises: TypeError for an object that has none.
    """
    if isinstance(value, np.dtype):
        return f"np.dtype({value.name!r})"
    if isinstance(value, np.ufunc | type):
        is_numpy = getattr(np, value.__name__, None) is value
        return f"np.{value.__name__}" if is_numpy else value.__name__
    if isinstance(value, float) and value != value:
        return "np.nan"
    if isinstance(value, float) and value in (np.inf, -np.inf):
        return "np.inf" if value > 0 else "-np.inf"
    if isinstance(value, np.ndarray):
        return f"np.array({literal(value.tolist())}, {literal(value.dtype)})"
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({literal(value.item())})"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{literal(key)}: {literal(item)}' for key, item in value.items())}}}"
    if isinstance(value, bool | int | float | str | None):
        return repr(value)
    raise TypeError(f"{value!r} has no source text")


def _is_short(value: object) -> bool:
    return isinstance(value, bool | int | float | str | np.generic | np.dtype | np.ufunc | type | None)
