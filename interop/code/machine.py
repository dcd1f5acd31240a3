"""The state of a reading: names, sources, blocks made so far, losses asked for, and the limits of all that."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gradwire.blocks.names.operators import operate
from gradwire.engine.autodiff.graph_from_expressions import page_input
from gradwire.engine.base.errors import GradwireError, ParameterError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.choices import Choices
from gradwire.interop.code.refusals import CodeRefusal, refusal
from gradwire.interop.code.values import Data, GradientOf, Kind, Scope, Value
from gradwire.interop.typed.array_makers import checked_size

MOST_STEPS: Final = 200_000
MOST_BLOCKS: Final = 20_000
DEEPEST: Final = 60
# What functions of the table may be given.
_PLAIN = (Expression, np.ndarray, np.generic, np.dtype, bool, int, float, str, type(None))


# A name, the tensor that has it, and whether it was given outside of functions.
Named = tuple[str, Expression, bool]


@dataclass(eq=False)
class _Listed:
    """A list with a name, and its source once it has become a tensor; kept, so that no other gets its identity."""

    value: list[Value]
    name: str
    source: Expression | None = None


class Machine:
    """All that reading a program changes."""

    def __init__(self, framework: str, choices: Choices, folds: bool) -> None:
        self.framework, self.choices, self.folds = framework, choices, folds
        self.scope = Scope()
        self.depth = 0
        self.held = 0
        self.seed = 0
        self.notices: list[str] = []
        # What was chosen as a loss, its Loss block, and whether `backward` chose it.
        self.losses: list[tuple[Expression, Expression, bool]] = []
        self.asked: list[Expression] = []
        self._once: list[Expression] = []
        self.shown: list[Expression] = []
        # The names given on the page of the program, and on each page inside it that is not finished.
        self._pages: list[list[Named]] = [[]]
        self._level_of: dict[Application, int] = {}
        self._stands_for: dict[Expression, Expression] = {}
        self._steps = 0
        self._blocks = 0
        self._bytes = 0
        self._choice_of: dict[Expression, object] = {}
        self._lists: dict[int, _Listed] = {}
        # What was made in regions without gradients, and the stopped tensors that stand for it outside.
        self._made_held = set[Application]()
        self._released: dict[Expression, Expression] = {}
        self._results: dict[object, tuple[Value, list[Value], dict[str, Value]]] = {}

    # Limits

    @property
    def steps(self) -> int:
        """How many parts of the program have been read."""
        return self._steps

    def step(self, node: ast.AST) -> None:
        """Counts a part of the program.

        Raises: CodeRefusal if there are too many.
        """
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise refusal(node, "the program takes too many steps; shorten its loops")

    def counted(self, node: ast.AST, array: Array) -> Array:
        """Returns an array, and counts its bytes among all that the program makes.

        Raises: CodeRefusal if they are too many.
        """
        self._bytes += array.nbytes
        if self._bytes > LIMITS.tensors_bytes:
            raise refusal(node, f"the numbers of the program take more than {size_text(LIMITS.tensors_bytes)}")
        return array

    def checked(self, node: ast.AST, result: Value) -> Value:
        """Returns what a function of the table gave, if it is within the limits.

        Raises: CodeRefusal if it is not.
        """
        for item in result if isinstance(result, tuple) else (result,):
            if isinstance(item, Expression):
                self._blocks += 1
                self.made_here(item.application)
                size = math.prod(item.shape) * item.dtype.itemsize
                if size > LIMITS.tensor_bytes:
                    raise refusal(node, f"a tensor would be larger than {size_text(LIMITS.tensor_bytes)}")
        if self._blocks > MOST_BLOCKS:
            raise refusal(node, f"the program needs more than {MOST_BLOCKS:,} blocks; shorten its loops")
        return result

    # Sources

    def source(self, data: Data, name: str | None = None, kind: Kind | None = None) -> Expression:
        """Returns the block that holds numbers; on a page with a gradient of its own they are constants."""
        kind = "Constant" if self.is_on_page else kind or data.kind
        made: Expression = library[kind](value=np.asarray(data.array))
        self.made_here(made.application)
        if data.choice is not None:
            self._choice_of[made] = data.choice
        if name is not None:
            self.name(name, made, True)
        return made

    def number(self, name: str, value: float) -> Value:
        """Returns a number of the program as an Input, or itself where it must be one, as the end of a range must."""
        if self.is_on_page:
            return value
        key = ("number", name, len(self.named))
        if self.choices.among(key, 2):
            return value
        return self.source(Data(np.asarray(float(value)), "Input", key), name)

    def list_named(self, name: str, value: list[Value]) -> None:
        """Notes the name of a list, which is that of its source where it meets a tensor."""
        self._lists.setdefault(id(value), _Listed(value, name))

    def is_tensor(self, value: Value) -> bool:
        """Returns whether a list with a name holds the numbers of a tensor, rather than sizes or axes."""
        if not isinstance(value, list) or id(value) not in self._lists:
            return False
        return all(isinstance(item, int | float | list) for item in value) and not all(
            isinstance(item, int) for item in value
        )

    def unbound(self, name: str) -> Expression:
        """Returns an Input for a name that nothing in the program binds, of a shape that fits there."""
        inner, self._pages = self._pages, self._pages[:1]
        made = self.source(Data(self.choices.unbound(name), "Input", name), name)
        self._pages = inner
        self.outermost.names[name] = made
        return made

    @property
    def outermost(self) -> Scope:
        """The scope of the program itself."""
        scope = self.scope
        while scope.outer is not None:
            scope = scope.outer
        return scope

    def name(self, name: str, expression: Expression, is_source: bool = False) -> None:
        """Notes that a block has a name in the program."""
        self._pages[-1].append((name, expression, is_source or self.scope.outer is None))

    # Pages

    @property
    def named(self) -> list[Named]:
        """What the page that is being read calls tensors, in the order of the program."""
        return self._pages[-1]

    @property
    def is_on_page(self) -> bool:
        """Whether a function is being read that becomes a page of its own."""
        return len(self._pages) > 1

    @contextmanager
    def page(self) -> Iterator[None]:
        """Reads a page of its own, whose names are none of the page around it."""
        self._pages.append([])
        try:
            yield
        finally:
            self._pages.pop()

    def enter(self, outer: Expression, name: str) -> Expression:
        """Returns what stands on the page that is being read for a tensor that it is given."""
        made = page_input(name, outer.spec)
        self.made_here(made.application)
        self._stands_for[made] = outer
        return made

    def made_here(self, application: Application) -> None:
        """Notes that a block stands on the page that is being read."""
        self._level_of.setdefault(application, len(self._pages))
        if self.held and application.type.role not in (Role.SOURCE, Role.STOP):
            self._made_held.add(application)

    def is_from_around(self, application: Application) -> bool:
        """Returns whether a block stands on a page around the one that is being read."""
        return self._level_of.get(application, len(self._pages)) < len(self._pages)

    def is_from_inside(self, application: Application) -> bool:
        """Returns whether a block stands on a page inside the one that is being read."""
        return self._level_of.get(application, len(self._pages)) > len(self._pages)

    def name_of(self, expression: Expression) -> str | None:
        """Returns the last name that the program gave a tensor; None if it has none."""
        named = [item for page in self._pages for item in page]
        return next((name for name, item, _ in reversed(named) if item is expression), None)

    # Operations

    def applied(self, node: ast.AST, function: Callable[..., Any], *args: Value, **keywords: Value) -> Value:
        """Returns what a function of the table gives for values of the program.

        Raises: CodeRefusal with the place, if it refuses them.
        """
        given = [self.operand(node, item) for item in args]
        named = {key: self.operand(node, item) for key, item in keywords.items()}
        # A function that is called twice with the same tensors is shown once.
        key = (self.held > 0, node, getattr(function, "meaning", function), identity([*given, *named, *named.values()]))
        if key not in self._results:
            # What is given is kept, so that no other value gets its identity.
            self._results[key] = self._result(node, function, given, named), given, named
        return self._results[key][0]

    def _result(
        self, node: ast.AST, function: Callable[..., Any], given: list[Value], named: dict[str, Value]
    ) -> Value:
        try:
            return self.checked(node, function(*given, **named))
        except CodeRefusal:
            raise
        except GradwireError as error:
            raise refusal(node, str(error), self.blamed([*given, *named.values()])) from error
        except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError) as error:
            raise refusal(node, "the arguments do not fit", self.blamed([*given, *named.values()])) from error

    def operate(self, node: ast.AST, name: str, *operands: Value) -> Value:
        """Returns the result of an operator, by its name in the table of operators."""
        return self.applied(node, operate, name, *operands)

    def operand(self, node: ast.AST, value: Value) -> Value:
        """Returns a value as functions of the table take it.

        Raises: CodeRefusal if it is none of theirs.
        """
        if isinstance(value, Data):
            return self.source(value)
        if isinstance(value, GradientOf):
            if any(value.y is y for y in self._once):
                raise refusal(
                    node, "the weights of this gradient depend on what is differentiated: no gradient of it is read"
                )
            return self.applied(node, _gradient, value.y, value.x)
        if isinstance(value, list | tuple):
            items = [self.operand(node, item) for item in value]
            return items if isinstance(value, list) else tuple(items)
        if isinstance(value, Expression) and self.is_from_inside(value.application) and _reads_inputs(value):
            raise left_otherwise(node)
        if isinstance(value, slice) or value is Ellipsis or isinstance(value, _PLAIN):
            return value
        if any(value is kind for kind in (bool, int, float)):
            return value
        raise refusal(node, f"{_kind(value)} is no tensor here")

    def expression(self, node: ast.AST, value: Value) -> Expression:
        """Returns a value as an expression: numbers become a source.

        Raises: CodeRefusal if it is no tensor.
        """
        listed = self._lists.get(id(value))
        if listed is not None and listed.source is not None:
            return listed.source
        found = self.operand(node, value)
        if isinstance(found, Expression):
            return found
        if listed is not None and any(isinstance(item, Expression) for item in found):
            raise refusal(node, "a list of tensors is no tensor; make one with stack")
        if isinstance(found, bool | int | float | list | tuple):
            try:
                made = self.source(Data(_as_floats(found)), None if listed is None else listed.name)
                if listed is not None:
                    listed.source = made
                return made
            except (TypeError, ValueError, ParameterError) as error:
                raise refusal(node, "this is no tensor of numbers") from error
        raise refusal(node, f"{_kind(value)} is no tensor here")

    def once(self, y: Expression) -> Expression:
        """Notes that the gradient of a tensor is right, but not that of its gradient; returns the tensor."""
        self._once.append(y)
        return y

    def stopped(self, value: Value) -> Value:
        """Returns a value for which no gradient is asked beyond it."""
        if isinstance(value, Expression) and value.spec.is_differentiable:
            made: Expression = library["StopGradient"](value)
            self.made_here(made.application)
            return made
        if isinstance(value, list | tuple):
            return type(value)(self.stopped(item) for item in value)
        return value

    def released(self, value: Value) -> Value:
        """Returns a value as it leaves a region without gradients: what was made there is stopped, and nothing else."""
        if isinstance(value, list):
            value[:] = map(self.released, value)
        elif isinstance(value, dict):
            value.update({key: self.released(item) for key, item in value.items()})
        elif isinstance(value, tuple):
            return type(value)(map(self.released, value))
        elif isinstance(value, Expression) and value.application in self._made_held and value not in self._released:
            self._released[value] = self.stopped(value)
        return self._released.get(value, value) if isinstance(value, Expression) else value

    # Blame

    def blamed(self, values: Iterable[Value]) -> list[object]:
        """Returns the choices of the reader that some values depend on."""
        roots = list(_expressions(values))
        if not self._choice_of or not roots:
            return []
        made = {output for item in topological_order(roots) for output in item.outputs}
        around = [outer for inner, outer in self._stands_for.items() if inner in made]
        found = [choice for source, choice in self._choice_of.items() if source in made]
        return list(dict.fromkeys([*found, *self.blamed(around)]))


def _gradient(y: Expression, x: Expression) -> Expression:
    """Returns a gradient as a block, for programs that compute with it."""
    made: Expression = library["Gradients"](y, x)[0]
    return made


def left_otherwise(node: ast.AST) -> CodeRefusal:
    """Returns what is said about a tensor of a page that is used outside of it."""
    return refusal(node, "a tensor leaves a function with its own gradient otherwise than as its result")


def _reads_inputs(value: Expression) -> bool:
    """Returns whether a tensor depends on the inputs of a page."""
    return any(application.type.role is Role.PAGE_INPUT for application in topological_order([value]))


def _expressions(values: Iterable[Value]) -> Iterator[Expression]:
    for value in values:
        if isinstance(value, Expression):
            yield value
        elif isinstance(value, list | tuple):
            yield from _expressions(value)
        elif isinstance(value, Mapping):
            yield from _expressions(value.values())


def identity(value: Value) -> object:
    """Returns what tells values apart: tensors by identity, numbers by their type too."""
    if isinstance(value, list | tuple):
        return tuple(map(identity, value))
    if isinstance(value, slice):
        return slice, identity([value.start, value.stop, value.step])
    if isinstance(value, bool | int | float | str | np.dtype | type(None)):
        return type(value), value
    return id(value)


def _as_floats(value: object) -> Array:
    array = np.asarray(value)
    checked_size(array.shape)
    return array if array.dtype.kind == "b" else array.astype(np.float64)


def _kind(value: Value) -> str:
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else f"a {type(value).__name__}"
