"""Calls of a program: functions of the frameworks, methods of tensors, and functions of the program itself."""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from gradwire.blocks.names.table import names, ours
from gradwire.engine.base.errors import GradwireError, ParameterError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.binding import Binding
from gradwire.interop.code.builtins_read import BUILTINS
from gradwire.interop.code.classes import Class, Instance, instance_of, method_called, module_called
from gradwire.interop.code.gradients import Gradients
from gradwire.interop.code.layers import layer_called
from gradwire.interop.code.machine import DEEPEST, Machine
from gradwire.interop.code.modules import CUSTOMARY, canonical, constant_of, root_of
from gradwire.interop.code.own_pages import OwnPages
from gradwire.interop.code.refusals import CodeRefusal, refusal, shown
from gradwire.interop.code.sources import Sources
from gradwire.interop.code.texts import has_unread
from gradwire.interop.code.texts import method as text_method
from gradwire.interop.code.torch_pairs import pair_of
from gradwire.interop.code.transforms import TRANSFORMS
from gradwire.interop.code.values import (
    Bound,
    Builtin,
    Data,
    Draws,
    Function,
    GradientOf,
    Ignored,
    Layer,
    Module,
    Scope,
    Value,
)
from gradwire.interop.typed.array_makers import ELEMENTWISE, MAKERS, checked_size

if TYPE_CHECKING:
    from gradwire.interop.code.expressions import Expressions

Arguments = list[Value]
Keywords = dict[str, Value]
# Methods that give the same tensor here.
_SAME: Final = {"clone", "contiguous", "cpu", "cuda", "copy", "block_until_ready", "retain_grad", "read_value", "value"}
# Methods that give its numbers, for which no gradient is asked.
_NUMBERS: Final = {"numpy", "item", "tolist", "detach_"}
# Methods that give a tensor the shape of another one.
_LIKE: Final = {"view_as": "reshape", "reshape_as": "reshape", "expand_as": "broadcast_to"}
# Methods that change a tensor in place.
_CHANGES: Final = {"assign", "assign_add", "assign_sub", "zero_", "copy_", "fill_", "normal_", "uniform_"}
# Reductions by what joins two elements.
_REDUCED: Final = {
    "np.add.reduce": "np.sum",
    "np.multiply.reduce": "np.prod",
    "np.maximum.reduce": "np.max",
    "np.minimum.reduce": "np.min",
    "np.logaddexp.reduce": "logsumexp",
}
# Words of formulas.
_SAID: Final = {
    **dict.fromkeys(("stop", "sg"), "stop_gradient"),
    **dict.fromkeys(("sigma", "σ"), "sigmoid"),
    **{"ln": "log", "Σ": "sum", "mse": "mse_loss"},
}
_OF_LISTS: Final = {"append", "extend", "copy", "index", "count", "insert"}
_OF_MAPPINGS: Final = {"items", "keys", "values", "get", "copy", "update"}
_MOST_ITEMS: Final = 10_000


class Calls:
    """Reader of calls."""

    def __init__(self, machine: Machine, expressions: Expressions) -> None:
        self._machine, self._expressions = machine, expressions
        self.gradients = Gradients(machine, self)
        self.sources = Sources(machine)
        self.own_pages = OwnPages(machine, self)
        self.layers_made = 0
        self.bind = Binding(machine, expressions).bind
        # Runs the body of a function and returns its result; statements set it.
        self.run_body: Callable[[ast.FunctionDef], Value]

    def call(self, node: ast.Call) -> Value:
        """Returns what a call gives.

        Raises: CodeRefusal with the name and the line of a function that is not known.
        """
        callee = self._callee(node.func)
        if isinstance(callee, Builtin) and callee.name == "print":
            return callee.call(node, list(node.args), {})
        args = self._expressions.values(node.args)
        keywords: Keywords = {}
        for item in node.keywords:
            value = self._expressions.value(item.value)
            if item.arg is None and not isinstance(value, Mapping):
                raise refusal(item.value, f'"{shown(item.value)}" is no dictionary of arguments')
            keywords.update({item.arg: value} if item.arg is not None else value)
        return self._guarded(node, callee, args, keywords)

    def _guarded(self, node: ast.Call, callee: Value, args: Arguments, keywords: Keywords) -> Value:
        """Returns what a value gives when it is called with these arguments.

        Raises: CodeRefusal, whatever a function says about arguments that nobody gives it.
        """
        try:
            return self.called(node, callee, args, keywords)
        except CodeRefusal:
            raise
        except GradwireError as error:
            raise refusal(node, str(error), self.blamed(args)) from error
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise refusal(node, "the arguments do not fit", self.blamed(args)) from error

    def _callee(self, node: ast.expr) -> Value:
        """Returns what is called; a name that is a function only where it is called."""
        if isinstance(node, ast.Name) and self._machine.scope.find(node.id) is None:
            return self._free_function(node)
        if isinstance(node, ast.Attribute):
            return self._method_of(node)
        return self._expressions.value(node)

    def _method_of(self, node: ast.Attribute) -> Value:
        owner = self._expressions.value(node.value)
        if isinstance(owner, Module | Ignored | Builtin | Class):
            return self._expressions.attribute(node, owner, node.attr)
        return Bound(owner, node.attr)

    def _free_function(self, node: ast.Name) -> Value:
        name = node.id
        if name in BUILTINS:
            return Builtin(name, lambda at, args, keywords: BUILTINS[name](self, at, args, keywords))
        if name in CUSTOMARY and name not in ("random", "layers"):
            return Module(CUSTOMARY[name])
        if self._machine.framework:
            home = {"numpy": "np", "tensorflow": "tf", "jax": "jax.numpy"}.get(self._machine.framework)
            if home and names().find(name) is None and names().find(f"{home}.{name}") is not None:
                return Module(f"{home}.{name}")
        return Module(f"gw.{_SAID.get(name, name)}")

    def unbound(self, node: ast.Name) -> Value:
        """Returns what a name stands for that nothing in the program binds: a module, or an Input."""
        name = node.id
        if name in ("__name__", "__file__"):
            return "__main__"
        if name in CUSTOMARY:
            return Module(CUSTOMARY[name])
        if name in TRANSFORMS:
            return Module(name)
        if name in BUILTINS:
            return Builtin(name, lambda at, args, keywords: BUILTINS[name](self, at, args, keywords))
        if name == "pi":
            return np.pi
        if name in ("inf", "nan"):
            return float(name)
        return self._machine.unbound(name)

    def called(self, node: ast.AST, callee: Value, args: Arguments, keywords: Keywords) -> Value:
        """Returns what a value gives when it is called."""
        self._machine.step(node)
        if isinstance(callee, Function):
            return self._own(node, callee, args, keywords)
        if isinstance(callee, Builtin | Layer):
            return callee.call(node, args, keywords)
        if isinstance(callee, Class):
            return instance_of(self, node, callee, args, keywords)
        if isinstance(callee, Instance):
            return module_called(self, node, callee, args, keywords)
        if isinstance(callee, Module):
            return self.function(node, canonical(callee.name), args, keywords)
        if isinstance(callee, Bound):
            return self._method(node, callee.owner, callee.name, args, keywords)
        if isinstance(callee, Ignored):
            return self._ignored(node, callee, args, keywords)
        if isinstance(callee, np.dtype):
            return self._cast(node, callee, args)
        called = shown(node.func) if isinstance(node, ast.Call) else "this"
        raise refusal(node, f"{called} is no function that is known here")

    # Functions of the frameworks

    def function(self, node: ast.AST, name: str, args: Arguments, keywords: Keywords) -> Value:
        """Returns what a function of a framework gives, by its name with its module."""
        special = self.gradients.special(name)
        if special is not None:
            return special(node, args, keywords)
        made = self.sources.made(node, name, args, keywords)
        if made is not None:
            return made
        layer = layer_called(self, node, name, args, keywords)
        if layer is not None:
            return layer
        dtype = constant_of(name)
        if dtype is not None and isinstance(dtype[0], np.dtype):
            return self._cast(node, dtype[0], args)
        last = name.rpartition(".")[2]
        folded = (
            self._folded(node, last, args, keywords) if root_of(name) or name.startswith(("math.", "gw.")) else None
        )
        if folded is not None:
            return folded
        pair = pair_of(name, args, keywords) if name.startswith("torch.") else None
        if pair is not None:
            return self._machine.applied(node, pair, *args, **keywords)
        spoken = names().find(_REDUCED.get(name, name).removeprefix("gw.").removeprefix("math."))
        if name in _REDUCED:
            keywords.setdefault("axis", 0)
        if spoken is not None:
            return self.applied(node, spoken, args, keywords)
        if name.startswith("gw.") and last in library and not library[last].is_part:
            return self.applied(node, library[last], args, keywords)
        raise refusal(node, self._unknown(name))

    def applied(self, node: ast.AST, function: Callable[..., Value], args: Arguments, keywords: Keywords) -> Value:
        """Returns what a function of the table gives; numbers alone become a source, so that blocks show the work."""
        keywords = {key: item for key, item in keywords.items() if not isinstance(item, Ignored) and key != "name"}
        args = [self._machine.expression(node, item) if self._machine.is_tensor(item) else item for item in args]
        if args and not any(_has_tensor(item) for item in [*args, *keywords.values()]):
            first = args[0]
            if isinstance(first, int | float | list | tuple) and not isinstance(first, bool):
                args = [self._machine.expression(node, first), *args[1:]]
        return self._machine.applied(node, function, *args, **keywords)

    def _folded(self, node: ast.AST, name: str, args: Arguments, keywords: Keywords) -> Value:
        """Returns the result of a function of numbers that no block holds yet; None if it is another function."""
        is_data = any(isinstance(item, Data) for item in args)
        if not args or not all(_is_plain(item) for item in [*args, *keywords.values()]):
            return None
        if is_data and not (
            self._machine.folds and all(item.kind != "Variable" for item in args if isinstance(item, Data))
        ):
            return None
        table = ELEMENTWISE if name in ELEMENTWISE else MAKERS
        if name not in table or (not is_data and not self._machine.folds and not _is_static_list(args[0])):
            return None
        given = [item.array if isinstance(item, Data) else item for item in args]
        try:
            with np.errstate(all="ignore"):
                if table is ELEMENTWISE:
                    checked_size(np.broadcast_shapes(*map(np.shape, given)))
                result = table[name](*given, **keywords)
        except ParameterError as error:
            raise refusal(node, str(error)) from error
        except (TypeError, ValueError):
            return None
        first = next((item for item in args if isinstance(item, Data)), None)
        if first is None and np.ndim(result) == 0:
            return np.asarray(result).item()
        array = self._machine.counted(node, np.asarray(result))
        return Data(array, "Input" if first is None else first.kind, None if first is None else first.choice)

    def _unknown(self, name: str) -> str:
        said = name.removeprefix("gw.")
        near = names().nearest(said.rpartition(".")[2])
        hint = f"; similar names: {', '.join(near)}" if near else ""
        return f"{said} is not known here{hint}"

    def _cast(self, node: ast.AST, dtype: np.dtype[np.generic], args: Arguments) -> Value:
        if len(args) == 1 and isinstance(args[0], bool | int | float | list | tuple):
            return self.sources.data(node, args[0], dtype)
        return self._machine.applied(node, ours("cast"), *args, dtype)

    # Methods

    def _method(self, node: ast.AST, owner: Value, name: str, args: Arguments, keywords: Keywords) -> Value:
        if name.startswith("__"):
            raise refusal(node, f"{name} is not read here")
        if isinstance(owner, Layer | Instance):
            return method_called(self, node, owner, name, args, keywords)
        if isinstance(owner, Draws):
            return self.sources.drawn(node, name, args, keywords, owner)
        if isinstance(owner, Expression | Data | GradientOf):
            return self._tensor_method(node, owner, name, args, keywords)
        if isinstance(owner, str):
            return text_method(owner, name, args, keywords)
        if name in ("get", "index", "count") and has_unread(args):
            raise refusal(node, f"{_said(node, name)} is given a text that nobody knows while a program is read")
        if isinstance(owner, list | tuple) and name in _OF_LISTS:
            if name == "extend" and len(owner) + len(self.rows(node, args[0])) > _MOST_ITEMS:
                raise refusal(node, "a list would have too many items")
            return getattr(owner, name)(*args, **keywords)
        if isinstance(owner, Mapping) and name in _OF_MAPPINGS:
            return _listed(getattr(owner, name)(*args, **keywords))
        raise refusal(node, f"{_said(node, name)} is not known here")

    def _tensor_method(self, node: ast.AST, owner: Value, name: str, args: Arguments, keywords: Keywords) -> Value:
        if name == "backward":
            return self.gradients.backward(node, owner, args, keywords)
        if name in _SAME or (name == "to" and all(isinstance(item, Ignored | str) for item in args)):
            return owner
        if name in ("requires_grad_", "requires_grad") and isinstance(owner, Data):
            return Data(owner.array, "Variable", owner.choice)
        if name == "requires_grad_":
            self.gradients.ask(owner)
            return owner
        if name == "item" and args:
            shape = owner.array.shape if isinstance(owner, Data) else self._machine.expression(node, owner).shape
            owner = self._expressions.item(node, owner, _place(node, shape, args))
        if isinstance(owner, GradientOf) and name in _NUMBERS:
            return owner
        if name in _NUMBERS:
            return owner if isinstance(owner, Data) else self._machine.stopped(self._machine.expression(node, owner))
        if name in _CHANGES:
            return self._changed(node, name)
        if isinstance(owner, Data):
            folded = self._folded(node, name, [owner, *args], keywords)
            if folded is not None:
                return folded
        if name in ("size", "dim") and isinstance(owner, Expression):
            return _size(owner, name, args)
        if name in _LIKE and len(args) == 1:
            shape = list(self._machine.expression(node, args[0]).shape)
            return self._machine.applied(node, ours(_LIKE[name]), owner, shape)
        if name in ("to", "type", "astype") and args:
            return self._machine.applied(node, ours("cast"), owner, self.sources.dtype(node, args[0]))
        pair = pair_of(name, [owner, *args], keywords) if self._machine.framework == "torch" else None
        if pair is not None:
            return self._machine.applied(node, pair, owner, *args, **keywords)
        spoken = names().method(name, self._machine.framework)  # type: ignore[arg-type]  # one of its frameworks
        if spoken is None:
            near = nearest(name, [item for item, _ in names().methods()])
            hint = f"; similar names: {', '.join(near)}" if near else ""
            raise refusal(node, f"{_said(node, name)} is not known here{hint}")
        return self._machine.applied(node, spoken, owner, *args, **keywords)

    def _changed(self, node: ast.AST, name: str) -> Value:
        if self.gradients.has_been_asked:
            self._machine.notices.append(
                f"line {getattr(node, 'lineno', 1)} moves a variable, which training does here"
            )
            return None
        raise refusal(node, f"{_said(node, name)} changes a tensor in place; write the new value under a new name")

    def _ignored(self, node: ast.AST, callee: Ignored, args: Arguments, keywords: Keywords) -> Value:
        if callee.name.endswith("tape.gradient"):
            return self.gradients.of_tape(node, args, keywords)
        if callee.name.endswith("tape.watch"):
            for item in args:
                self.gradients.ask(item)
            return None
        if callee.name.endswith(("tape.jacobian", "tape.batch_jacobian")):
            raise refusal(node, f"{callee.name.rpartition('.')[2]} has no block; ask for the gradient of one number")
        return Ignored(callee.name)

    # Functions of the program

    def _own(self, node: ast.AST, function: Function, args: Arguments, keywords: Keywords) -> Value:
        machine = self._machine
        if machine.depth >= DEEPEST:
            raise refusal(node, f"{function.name} calls itself too often")
        scope = Scope(self._arguments(node, function, args, keywords), function.scope)
        before, machine.scope = machine.scope, scope
        machine.depth, machine.held = machine.depth + 1, machine.held + function.is_held
        try:
            if isinstance(function.node, ast.Lambda):
                return self._expressions.value(function.node.body)
            result = self.run_body(function.node)
        finally:
            machine.scope, machine.depth, machine.held = before, machine.depth - 1, machine.held - function.is_held
        return machine.released(result) if function.is_held and not machine.held else result

    def _arguments(self, node: ast.AST, function: Function, args: Arguments, keywords: Keywords) -> dict[str, Value]:
        """Returns the arguments of a call by their names; numbers of a tensor get a block of that name."""
        every = function.node.args
        positional = [item.arg for item in (*every.posonlyargs, *every.args)]
        bound: dict[str, Value] = dict(zip(positional, args, strict=False))
        rest = args[len(positional) :]
        if rest and every.vararg is None:
            raise refusal(node, f"{function.name} takes {len(positional)} arguments, not {len(args)}")
        if every.vararg is not None:
            bound[every.vararg.arg] = tuple(rest)
        known = {*positional, *(item.arg for item in every.kwonlyargs)}
        more = {name: value for name, value in keywords.items() if name not in known}
        if more and every.kwarg is None:
            raise refusal(node, f"{function.name} takes no argument {next(iter(more))}")
        bound |= {name: value for name, value in keywords.items() if name in known}
        if every.kwarg is not None:
            bound[every.kwarg.arg] = more
        self.fill_defaults(node, function, bound)
        return {name: self._as_argument(name, value) for name, value in bound.items()}

    def fill_defaults(self, node: ast.AST, function: Function, bound: dict[str, Value]) -> None:
        """Adds the arguments that a call leaves out.

        Raises: CodeRefusal for one without a default.
        """
        every = function.node.args
        positional = [item.arg for item in (*every.posonlyargs, *every.args)]
        defaults = dict(zip(positional[len(positional) - len(every.defaults) :], every.defaults, strict=True))
        defaults |= {
            item.arg: default for item, default in zip(every.kwonlyargs, every.kw_defaults, strict=True) if default
        }
        for name in itertools.chain(positional, (item.arg for item in every.kwonlyargs)):
            if name not in bound:
                if name not in defaults:
                    raise refusal(node, f"{function.name} needs its argument {name}")
                before, self._machine.scope = self._machine.scope, function.of_defaults
                try:
                    bound[name] = self._expressions.value(defaults[name])
                finally:
                    self._machine.scope = before

    def _as_argument(self, name: str, value: Value) -> Value:
        return self._machine.source(value, name) if isinstance(value, Data) else value

    # What built-in functions need

    @property
    def is_formula(self) -> bool:
        """Whether the text speaks of no framework."""
        return not self._machine.framework

    def rows(self, node: ast.AST, value: Value) -> list[Value]:
        """Returns the items of a list, or the rows of a tensor."""
        return self._expressions.items(node, value)

    def binary(self, node: ast.AST, op: type[ast.operator], x: Value, y: Value) -> Value:
        """Returns the result of an operator."""
        return self._expressions.binary(node, op, x, y)

    def stopped(self, node: ast.AST, value: Value) -> Value:
        """Returns the numbers of a tensor, for which no gradient is asked."""
        return value if isinstance(value, Data) else self._machine.stopped(self._machine.expression(node, value))

    def value(self, node: ast.expr) -> Value:
        """Returns what an expression stands for."""
        return self._expressions.value(node)

    def expression(self, node: ast.AST, value: Value) -> Expression:
        """Returns a value as an expression."""
        return self._machine.expression(node, value)

    def blamed(self, values: Arguments) -> list[object]:
        """Returns the choices of the reader that some values depend on."""
        return self._machine.blamed(values)

    def notice(self, node: ast.AST, said: str) -> None:
        """Notes what a part of the program became that does not say so."""
        self._machine.notices.append(f"line {getattr(node, 'lineno', 1)} {said}")

    def source(self, data: Data) -> Expression:
        """Returns the block that holds numbers."""
        return self._machine.source(data)

    def quietly(self, nodes: list[ast.expr]) -> None:
        """Reads expressions of which only the gradients that they ask for count; what is not known is passed over."""
        for node in nodes:
            try:
                self._expressions.value(node.value if isinstance(node, ast.Starred) else node)
            except CodeRefusal as error:
                if error.blamed:
                    raise


def _has_tensor(value: Value) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_has_tensor, value))
    return isinstance(value, Expression | Data | GradientOf)


def _is_plain(value: Value) -> bool:
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, Data | bool | int | float)


def _is_static_list(value: Value) -> bool:
    """Returns whether a value is a list of whole numbers, such as a shape."""
    return isinstance(value, tuple | list) and all(isinstance(item, int) for item in value)


def _size(owner: Expression, name: str, args: Arguments) -> Value:
    if name == "dim":
        return owner.ndim
    return owner.shape[args[0]] if args and isinstance(args[0], int) else tuple(owner.shape)


def _place(node: ast.AST, shape: tuple[int, ...], args: Arguments) -> Value:
    """Returns the index that `item` is given: a single number counts all elements in order."""
    place = args[0] if len(args) == 1 else tuple(args)
    if not isinstance(place, int):
        return place
    size = math.prod(shape)
    if not -size <= place < size:
        raise refusal(node, f'"{shown(node)}" is beyond the end')
    return tuple(map(int, np.unravel_index(place % size, shape)))


def _listed(value: Value) -> Value:
    return list(value) if not isinstance(value, dict | Expression | Data | int | float | str | type(None)) else value


def _said(node: ast.AST, name: str) -> str:
    return shown(node.func) if isinstance(node, ast.Call) else name
