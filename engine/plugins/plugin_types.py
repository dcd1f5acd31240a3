"""Block types of a plug-in: checked, guarded where they run, and described for processes without their code."""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import io
import linecache
import pickle
import sys
import traceback
from collections.abc import Callable, Iterable, Sequence
from types import FrameType, ModuleType
from typing import Any

from gradwire.engine.base.errors import EscapeError, PluginError
from gradwire.engine.base.processes.interruption import INTERRUPTION
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.parameters import Kind, Parameter
from gradwire.engine.blocktypes.spelling import NATIVE, Spelling
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.graph.graph import NAME

# Packages whose code is part of the program, and those that a description may refer to.
_OURS = ("gradwire.engine", "gradwire.blocks")
_NEEDED = (*_OURS, "numpy", "builtins")

# The version of `gradwire.api`, and the name under which a plug-in says which one it was made for.
API_VERSION, MADE_FOR = 1, "GRADWIRE_API"
# The packages that plug-ins imported from before there was `gradwire.api`.
_BEFORE_API = ("engine", "blocks", "lint")

Code = Callable[..., Any]  # Any: the arguments of a block type's function depend on its ports and parameters


def own_types(name: str, module: ModuleType) -> list[BlockType]:
    """Returns the block types that a plug-in's module defines, renamed to `name.Type` and guarded.

    Raises: PluginError for an invalid one, or if the module defines neither a block type nor a target.
    """
    check_version(getattr(module, MADE_FOR, API_VERSION))
    package = module.__name__.partition(".")[0]
    own = list({id(item): item for item in vars(module).values() if _is_of(item, package)}.values())
    if not own and not own_targets(module):
        raise PluginError("it defines neither a block type nor a target")
    names = [item.function.__name__ for item in own]
    for twice in {item for item in names if names.count(item) > 1}:
        raise PluginError(f"it defines two block types called {twice}")
    return [own_type(name, item) for item in own]


def own_targets(module: ModuleType) -> tuple[Target, ...]:
    """Returns the targets of the export that a plug-in's module defines, each based on one of ours.

    Raises: PluginError for one that is not, or whose key is taken.
    """
    own = tuple({item.key: item for item in vars(module).values() if isinstance(item, Target)}.values())
    for item in own:
        if item.based_on not in NATIVE or item.key in NATIVE or NAME.fullmatch(item.key) is None:
            raise PluginError(
                f"its target {item.key} must have a key of its own and be based on one of {', '.join(NATIVE)}"
            )
    return own


def own_type(name: str, item: BlockType) -> BlockType:
    """Returns a block type under the name of the plug-in or script that declares it: renamed, checked and guarded.

    Raises: PluginError for an invalid declaration.
    """
    _check(item)
    item.name, item.plugin = f"{name}.{item.function.__name__}", name
    _guard(item)
    return item


def check_version(made_for: object) -> None:
    """Passes if this program has the version of `gradwire.api` that a plug-in was made for.

    Raises: PluginError if it has another one.
    """
    if made_for != API_VERSION:
        raise PluginError(
            f"it was made for version {made_for} of gradwire.api, and this Gradwire has version {API_VERSION}: "
            "install versions of the two that fit"
        )


def line_to_write(error: ImportError) -> str:
    """Returns the import line that replaces one of before `gradwire.api`; "" if the error is about something else."""
    if (error.name or "").partition(".")[0] not in _BEFORE_API or error.__traceback__ is None:
        return ""
    *_, (frame, number) = traceback.walk_tb(error.__traceback__)
    statements = [
        item for item in ast.walk(_parsed(frame)) if isinstance(item, ast.ImportFrom) and _covers(item, number)
    ]
    names = ", ".join(name.name for item in statements for name in item.names) or "..."
    return f"from gradwire.api import {names}"


def _parsed(frame: FrameType) -> ast.Module:
    try:
        return ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except SyntaxError:
        return ast.Module([], [])


def _covers(statement: ast.stmt, number: int) -> bool:
    return statement.lineno <= number <= (statement.end_lineno or statement.lineno)


def is_within(module: str, packages: Iterable[str]) -> bool:
    """Returns whether a module is one of the packages, or lies in one."""
    return any(module == package or module.startswith(f"{package}.") for package in packages)


def described(added: Sequence[BlockType | Target]) -> bytes:
    """Returns what a plug-in adds, pickled without its code, for a process that must not import it.

    Raises: PluginError if a default needs a class that only the plug-in has.
    """
    text = pickle.dumps([_without_code(item) if isinstance(item, BlockType) else item for item in added])
    read_described(text)
    return text


def read_described(text: bytes) -> list[BlockType | Target]:
    """Returns the block types and targets of a description without importing anything.

    Raises: PluginError if it needs anything that is not part of the program.
    """
    found: list[BlockType | Target] = _Reader(io.BytesIO(text)).load()
    return found


class _Reader(pickle.Unpickler):
    """Unpickler restricted to this program and NumPy."""

    def find_class(self, module_name: str, name: str) -> Any:  # Any: classes and functions
        """Returns the class or function of that name."""
        if not is_within(module_name, _NEEDED):
            raise PluginError(f"a parameter has a default that only {module_name} knows")
        return super().find_class(module_name, name)


def _is_of(item: object, package: str) -> bool:
    """Returns whether a package defines this block type itself, rather than imports it from us."""
    return isinstance(item, BlockType) and item.function.__module__.partition(".")[0] == package


def _check(item: BlockType) -> None:
    """Checks the fields of a block type's declaration and their types."""
    own = item.function.__name__
    texts = (item.category, item.formula, item.gradient_formula, item.source)
    names = [own, *(port.name for port in item.inputs), *(port.name for port in item.outputs), *item.parameters]
    wrong = [name for name in names if not isinstance(name, str) or NAME.fullmatch(name) is None]
    if wrong:
        raise PluginError(f"{own}: {wrong[0]} is no name; a name is a letter, then letters, digits and underscores")
    if not all(isinstance(text, str) for text in texts) or not item.category:
        raise PluginError(f"{own}: category, formulas and source must be texts")
    if not isinstance(item.spelling, Spelling):
        raise PluginError(f"{own}: its spelling must be a Spelling")
    if not all(isinstance(item.spelling.shown(target), str) for target in item.spelling):
        raise PluginError(f"{own}: each line of its spelling must be a text or a function")


def _guard(item: BlockType) -> None:
    item.function, item.infer = guarded(item.function), _guarded_if_foreign(item.infer)
    item.rule, item.observer = _guarded_if_foreign(item.rule), _guarded_if_foreign(item.observer)
    item.decomposition = _guarded_if_foreign(item.decomposition)
    item.parameters = {key: _guarded_parameter(one, item.plugin) for key, one in item.parameters.items()}
    item.spelling = item.spelling.with_functions(guarded)


def guarded(function: Code) -> Code:
    """Wraps code of a plug-in: its exceptions cannot end the program, and its prints go to standard error.

    An interrupt by the user still ends the program. Explanations are not given up in the midst of foreign code, which
    may be left in any state.
    """

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        with INTERRUPTION.put_off(), contextlib.redirect_stdout(sys.stderr):
            try:
                return function(*arguments, **keywords)
            except (Exception, KeyboardInterrupt):
                raise
            except BaseException as error:
                raise EscapeError(error) from error

    return call


def _guarded_if_foreign(function: Code | None) -> Code | None:
    return function if function is None or _is_ours(function) else guarded(function)


def _guarded_parameter(parameter: Parameter, plugin: str) -> Parameter:
    kind = parameter.kind
    if _is_ours(kind.check):
        return parameter
    return parameter._replace(kind=Kind(kind.name, guarded(kind.check), kind.choices, plugin))


def _is_ours(function: Code) -> bool:
    # A check with choices is an object; its class names its module.
    module_name = str(getattr(function, "__module__", ""))
    inner = getattr(function, "check", None)
    return is_within(module_name, _OURS) and (inner is None or _is_ours(inner))


def _without_code(item: BlockType) -> BlockType:
    """Returns the type without code of its plug-in; without its `infer`, specs count as value-dependent."""
    item.read_declaration()
    found = copy.copy(item)
    found.function, found.observer = _not_here, None
    found.rule = None if item.rule is None else _not_here
    found.decomposition = None if item.decomposition is None else _not_here
    found.infer = item.infer if item.infer is not None and _is_found_by_name(item.infer) else None
    found.parameters = {key: _without_check(one) for key, one in item.parameters.items()}
    found.spelling = Spelling(**{target: item.spelling.shown(target) for target in item.spelling})
    return found


def _without_check(parameter: Parameter) -> Parameter:
    kind = parameter.kind
    return parameter._replace(kind=kind._replace(check=_as_it_is)) if kind.plugin else parameter


def _is_found_by_name(function: Code) -> bool:
    """Returns whether this is a function of ours that another process finds under the same name."""
    module = sys.modules.get(function.__module__)
    return _is_ours(function) and getattr(module, function.__qualname__, None) is function


def _not_here(*_: object, **__: object) -> None:
    raise RuntimeError("its code is not in this process")


def _as_it_is(value: object) -> object:
    return value
