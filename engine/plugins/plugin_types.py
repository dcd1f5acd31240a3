"""The block types of a plug-in: checked, guarded where they run, and described for where none of their code may."""

from __future__ import annotations

import contextlib
import copy
import functools
import io
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

from engine.block_type import BlockType
from engine.errors import EscapeError, PluginError
from engine.graph import NAME
from engine.parameters import Kind, Parameter
from engine.spelling import Spelling

FRAMEWORKS = ("numpy", "tensorflow", "torch", "jax")
# The packages whose code is part of the program, and those that a description refers to.
_OURS = ("engine", "blocks")
_NEEDED = (*_OURS, "numpy", "builtins")

Code = Callable[..., Any]  # Any: each function of a block type takes what its ports and parameters are


def own_types(name: str, module: ModuleType) -> list[BlockType]:
    """The block types that a plug-in's module defines, from now on called `name.Type` and guarded.

    Raises: PluginError if it defines none, or one that is not declared as it must be.
    """
    package = module.__name__.partition(".")[0]
    own = list({id(item): item for item in vars(module).values() if _is_of(item, package)}.values())
    if not own:
        raise PluginError("it defines no block type")
    names = [item.function.__name__ for item in own]
    for twice in {item for item in names if names.count(item) > 1}:
        raise PluginError(f"it defines two block types called {twice}")
    for item in own:
        _check(item)
        item.name, item.plugin = f"{name}.{item.function.__name__}", name
        _guard(item)
    return own


def described(types: Sequence[BlockType]) -> bytes:
    """The block types without their code, for a process that must not import it.

    Raises: PluginError if one holds as a default what only its plug-in knows.
    """
    text = pickle.dumps([_without_code(item) for item in types])
    types_described(text)
    return text


def types_described(text: bytes) -> list[BlockType]:
    """The block types of a description; nothing is imported for it.

    Raises: PluginError if it needs anything that is not part of the program.
    """
    found: list[BlockType] = _Reader(io.BytesIO(text)).load()
    return found


class _Reader(pickle.Unpickler):
    """Reads what refers to nothing but this program and NumPy."""

    def find_class(self, module_name: str, name: str) -> Any:  # Any: classes and functions
        """The class or function of that name."""
        if module_name.partition(".")[0] not in _NEEDED:
            raise PluginError(f"a parameter has a default that only {module_name} knows")
        return super().find_class(module_name, name)


def _is_of(item: object, package: str) -> bool:
    """Whether this is a block type that a package defines itself, not one of ours that it uses."""
    return isinstance(item, BlockType) and item.function.__module__.partition(".")[0] == package


def _check(item: BlockType) -> None:
    """Passes if the declaration says what it must in words of the right kind."""
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
    if not all(isinstance(item.spelling.shown(framework), str) for framework in FRAMEWORKS):
        raise PluginError(f"{own}: each line of its spelling must be a text or a function")


def _guard(item: BlockType) -> None:
    item.function, item.infer = guarded(item.function), _guarded_if_foreign(item.infer)
    item.rule, item.observer = _guarded_if_foreign(item.rule), _guarded_if_foreign(item.observer)
    item.parameters = {key: _guarded_parameter(one, item.plugin) for key, one in item.parameters.items()}
    lines = [getattr(item.spelling, framework) for framework in FRAMEWORKS]
    item.spelling = Spelling(*(line if isinstance(line, str) else guarded(line) for line in lines))


def guarded(function: Code) -> Code:
    """Code of a plug-in that cannot end the program by an exception, nor write among the results on standard output.

    Who stops the program by hand still does.
    """

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        with contextlib.redirect_stdout(sys.stderr):
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
    return replace(parameter, kind=Kind(kind.name, guarded(kind.check), kind.choices, plugin))


def _is_ours(function: Code) -> bool:
    # A check with choices is an object, and says by its class where it comes from.
    module_name = getattr(function, "__module__", None) or type(function).__module__
    inner = getattr(function, "check", None)
    return module_name.partition(".")[0] in _OURS and (inner is None or _is_ours(inner))


def _without_code(item: BlockType) -> BlockType:
    """The same type with nothing of its plug-in: specs that only its own code can infer are as where values decide."""
    found = copy.copy(item)
    found.function, found.observer = _not_here, None
    found.rule = None if item.rule is None else _not_here
    found.infer = item.infer if item.infer is not None and _is_found_by_name(item.infer) else None
    found.parameters = {key: _without_check(one) for key, one in item.parameters.items()}
    found.spelling = Spelling(*(item.spelling.shown(framework) for framework in FRAMEWORKS))
    return found


def _without_check(parameter: Parameter) -> Parameter:
    kind = parameter.kind
    return replace(parameter, kind=replace(kind, check=_as_it_is)) if kind.plugin else parameter


def _is_found_by_name(function: Code) -> bool:
    """Whether this is a function of ours that another process finds under the same name."""
    module = sys.modules.get(function.__module__)
    return _is_ours(function) and getattr(module, function.__qualname__, None) is function


def _not_here(*_: object, **__: object) -> None:
    raise RuntimeError("its code is not in this process")


def _as_it_is(value: object) -> object:
    return value
