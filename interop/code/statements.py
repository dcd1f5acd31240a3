"""Statements of a program, in their order; loops are unrolled, and what only trains or prints is passed over."""

from __future__ import annotations

import ast
from typing import Final

import numpy as np

from gradwire.blocks.names.table import ours
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.export.program_text import OPERATION
from gradwire.interop.code.classes import Class
from gradwire.interop.code.copies import Copies
from gradwire.interop.code.exported_operations import operation_read
from gradwire.interop.code.expressions import Expressions
from gradwire.interop.code.machine import Machine
from gradwire.interop.code.modules import CUSTOMARY, canonical, root_of
from gradwire.interop.code.own_gradients import autograd_function
from gradwire.interop.code.refusals import CodeRefusal, refusal, shown
from gradwire.interop.code.source_text import Program
from gradwire.interop.code.values import Builtin, Data, Function, GradientOf, Ignored, Module, Scope, Value

_MOVES: Final = ("step", "apply_gradients", "assign_sub", "assign_add", "minimize", "assign")
_HELD: Final = ("torch.no_grad", "torch.inference_mode", "tape.stop_recording", "gw.no_grad")
_BASES: Final = ("Module", "Model", "Layer", "object", "ABC")
_FUNCTION: Final = "torch.autograd.Function"
# So many rounds of training are read one by one.
_FEW_ROUNDS: Final = 12
_PASSED: Final = (ast.Pass, ast.Assert, ast.Global, ast.Nonlocal, ast.Delete)


class _Returned(Exception):
    """The end of a function; it never leaves `Statements`."""

    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


class _Ended(Exception):
    """The end of a round or a loop: `continue` or `break`."""

    def __init__(self, is_break: bool) -> None:
        super().__init__()
        self.is_break = is_break


class Statements:
    """Reader of statements. A lenient one passes over statements of the program that it cannot read."""

    def __init__(self, machine: Machine, program: Program, is_lenient: bool = False) -> None:
        self._machine, self._program, self._is_lenient = machine, program, is_lenient
        self.refused: list[CodeRefusal] = []
        self.done = 0
        self._expressions = Expressions(machine)
        self._calls = self._expressions.calls
        self._calls.run_body = self._run_function
        self._copies = Copies()

    def run(self) -> None:
        """Reads the whole program.

        Raises: CodeRefusal, unless the reader is lenient.
        """
        for place, node in enumerate(self._program.tree.body):
            self.done = place
            try:
                self._statement(node)
            except CodeRefusal as error:
                if not self._is_lenient or error.blamed:
                    raise
                self.refused.append(error)
            except (_Returned, _Ended) as error:
                raise refusal(node, "return, break and continue stand in functions and loops") from error
            except RecursionError as error:
                raise refusal(node, "this is nested too deeply") from error

    def _run_function(self, node: ast.FunctionDef) -> Value:
        try:
            self._body(node.body)
        except _Returned as returned:
            return returned.value
        return None

    def _body(self, nodes: list[ast.stmt]) -> None:
        for node in nodes:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        self._machine.step(node)
        if isinstance(node, _PASSED):
            return
        read = getattr(self, f"_{type(node).__name__.lower()}", None)
        if read is None:
            raise refusal(node, f'"{_word(node)}" is not read here')
        read(node)
        self._copies.note(self._machine.scope, node)

    # Imports and definitions

    def _import(self, node: ast.Import) -> None:
        for item in node.names:
            first = item.name.partition(".")[0]
            if item.asname is not None:
                self._machine.scope.names[item.asname] = Module(canonical(item.name))
            else:
                self._machine.scope.names[first] = Module(canonical(first))

    def _importfrom(self, node: ast.ImportFrom) -> None:
        for item in node.names:
            whole = canonical(f"{node.module}.{item.name}")
            if item.name == "*":
                continue
            self._machine.scope.names[item.asname or item.name] = self._imported(node, whole)

    def _imported(self, node: ast.ImportFrom, whole: str) -> Value:
        home, _, last = whole.rpartition(".")
        return self._expressions.attribute(node, Module(home), last) if root_of(home) else Module(whole)

    def _functiondef(self, node: ast.FunctionDef) -> None:
        value: Value = Function(node, self._machine.scope)
        if self._program.is_exported and node.name == OPERATION:
            value = Builtin(OPERATION, lambda at, args, keywords: operation_read(self._calls, at, args))
        for decorator in reversed(node.decorator_list):
            found = self._expressions.value(decorator)
            if isinstance(found, Ignored):
                value = Function(node, self._machine.scope, any(found.name.startswith(item) for item in _HELD))
            else:
                value = self._calls.called(decorator, found, [value], {})
        self._machine.scope.names[node.name] = value

    def _classdef(self, node: ast.ClassDef) -> None:
        """Reads a class of methods; what it inherits is a module of a framework, or nothing."""
        inherited = [_inherited(self._expressions.value(base)) for base in node.bases]
        for base, name in zip(node.bases, inherited, strict=True):
            if name != _FUNCTION and name.rpartition(".")[2] not in _BASES:
                raise refusal(base, f"a class that inherits {shown(base)} is not read here")
        scope = self._machine.scope
        self._machine.scope = inner = Scope({}, scope)
        try:
            self._body(node.body)
        finally:
            self._machine.scope = scope
        made = Class(node.name, inner.names)
        scope.names[node.name] = autograd_function(self._calls, node, made) if _FUNCTION in inherited else made

    def _return(self, node: ast.Return) -> None:
        raise _Returned(None if node.value is None else self._expressions.value(node.value))

    # Values

    def _assign(self, node: ast.Assign) -> None:
        is_in_place = self._machine.framework == "torch"
        if is_in_place and all(self._only_moves(target, node.value) for target in node.targets):
            self._note_move(node)
            return
        value = self._expressions.value(node.value)
        if node.lineno in self._program.stopped_lines and isinstance(node.value, ast.Name):
            value = self._machine.stopped(value)
        for target in node.targets:
            if not self._is_masked(target, value):
                self._calls.bind(target, value)

    def _is_masked(self, target: ast.expr, value: Value) -> bool:
        """Returns whether a statement writes a number into a copy of a tensor where a mask says, and does so."""
        name = self._copies.written(self._machine.scope, target)
        if name is None or not isinstance(target, ast.Subscript):
            return False
        owner, mask = self._expressions.value(target.value), self._expressions.value(target.slice)
        is_number = type(value) in (int, float) or (isinstance(value, Expression) and not value.shape)
        if not is_number or not isinstance(owner, Expression) or not isinstance(mask, Expression):
            return False
        if mask.dtype != np.bool_ or mask.shape != owner.shape:
            return False
        self._calls.bind(target.value, self._machine.applied(target, ours("where"), mask, value, owner))
        return True

    def _annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._calls.bind(node.target, self._expressions.value(node.value))

    def _augassign(self, node: ast.AugAssign) -> None:
        if self._only_moves(node.target, node.value):
            self._note_move(node)
            return
        before = self._expressions.value(node.target)
        value = self._expressions.binary(node, type(node.op), before, self._expressions.value(node.value))
        self._calls.bind(node.target, value)

    def _only_moves(self, target: ast.expr, value: ast.expr) -> bool:
        """Returns whether a statement moves a variable by its gradient, which training does here."""
        name = target.value if isinstance(target, ast.Attribute) and target.attr == "data" else target
        if not isinstance(name, ast.Name) or not self._machine.losses:
            return False
        scope = self._machine.scope.find(name.id)
        return scope is not None and self._reads_gradient(value)

    def _reads_gradient(self, node: ast.expr) -> bool:
        for part in ast.walk(node):
            if isinstance(part, ast.Attribute) and part.attr == "grad" and not isinstance(part.value, ast.Call):
                owner = part.value.id if isinstance(part.value, ast.Name) else ""
                if owner not in CUSTOMARY:
                    return True
            scope = self._machine.scope.find(part.id) if isinstance(part, ast.Name) else None
            if scope is not None and _is_gradient(scope.names[part.id]):  # type: ignore[attr-defined]  # it is a Name
                return True
        return False

    def _note_move(self, node: ast.stmt) -> None:
        self._machine.notices.append(f"line {node.lineno} moves a variable, which training does here")

    def _expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            return
        value = self._expressions.value(node.value)
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Expression | Data) and self._machine.scope.outer is None:
                self._machine.shown.append(self._machine.expression(node, item))

    # Branches and loops

    def _if(self, node: ast.If) -> None:
        is_true = self._expressions.truth(node.test, self._expressions.value(node.test))
        self._body(node.body if is_true else node.orelse)

    def _for(self, node: ast.For) -> None:
        items = self._rounds(node)
        for item in items:
            self._calls.bind(node.target, item)
            try:
                self._body(node.body)
            except _Ended as ended:
                if ended.is_break:
                    return
        self._body(node.orelse)

    def _rounds(self, node: ast.For) -> list[Value]:
        """Returns what a loop goes over; of a loop that trains the first round alone.

        A few rounds that move variables by functions, as in JAX, are all read: each is a step that can be seen.
        """
        value = self._expressions.value(node.iter)
        items = value if isinstance(value, list | tuple | range) else None
        is_short = items is not None and len(items) <= _FEW_ROUNDS
        if not _trains(node) or (is_short and not _trains_in_place(node)):
            return self._expressions.items(node.iter, value)
        self._machine.notices.append(f"line {node.lineno} begins a loop that trains; its first round is read")
        return [items[0]] if items else [0]

    def _while(self, node: ast.While) -> None:
        message = "while goes on as long as numbers say, which are not known while a program is read; use for"
        raise refusal(node, message)

    def _break(self, node: ast.Break) -> None:
        raise _Ended(True)

    def _continue(self, node: ast.Continue) -> None:
        raise _Ended(False)

    def _with(self, node: ast.With) -> None:
        held = False
        for item in node.items:
            context = self._expressions.value(item.context_expr)
            if not isinstance(context, Ignored):
                raise refusal(item.context_expr, f'"with {shown(item.context_expr)}" is not read here')
            held = held or any(context.name.startswith(name) for name in _HELD)
            if item.optional_vars is not None:
                self._calls.bind(item.optional_vars, context)
        self._machine.held += held
        self._body(node.body)
        self._machine.held -= held
        names = self._machine.scope.names
        # Where a value leaves a region without gradients stands a StopGradient.
        for name, value in list(names.items()) if held and not self._machine.held else ():
            names[name] = left = self._machine.released(value)
            if left is not value and isinstance(left, Expression):
                self._machine.name(name, left)


def _inherited(value: Value) -> str:
    return value.name if isinstance(value, Module) else ""


def _is_gradient(value: Value) -> bool:
    if isinstance(value, list | tuple):
        return any(map(_is_gradient, value))
    if isinstance(value, dict):
        return any(map(_is_gradient, value.values()))
    return isinstance(value, GradientOf)


def _trains(node: ast.For) -> bool:
    """Returns whether the rounds of a loop ask for gradients and move variables by them."""
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    asks = bool(_called(node) & {"backward", "gradient", "grad", "value_and_grad"}) or any(
        isinstance(part, ast.Name) and "grad" in part.id for part in calls
    )
    updates = [part for part in ast.walk(node) if isinstance(part, ast.AugAssign | ast.Assign)]
    return asks and (_trains_in_place(node) or any("grad" in ast.unparse(part.value) for part in updates))


def _trains_in_place(node: ast.For) -> bool:
    """Returns whether variables are moved where they are: by an optimizer, or by what `backward` leaves in them."""
    return bool(_called(node) & {*_MOVES, "backward"})


def _called(node: ast.For) -> set[str]:
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    return {part.attr for part in calls if isinstance(part, ast.Attribute)}


def _word(node: ast.stmt) -> str:
    word = {"ClassDef": "class", "AsyncFor": "async", "AsyncWith": "async", "AsyncFunctionDef": "async"}
    return word.get(type(node).__name__, type(node).__name__.lower())
