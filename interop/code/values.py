"""What names of a program stand for while it is read, beside numbers, lists and expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression

Kind = Literal["Input", "Constant", "Variable"]
# Anything that a name can stand for.
Value = Any


@dataclass(eq=False)
class Data:
    """Numbers that no block holds yet: they become a source once they have a name or meet a block.

    `choice` says which reading of the numbers this is, where there are several.
    """

    array: Array
    kind: Kind = "Input"
    choice: object = None


@dataclass(frozen=True)
class Module:
    """A module or function of a framework by its name: `np`, `torch.nn.functional`, `tf.nn.relu`."""

    name: str

    def part(self, name: str) -> Module:
        """Returns what this module has under a name."""
        return Module(f"{self.name}.{name}")


@dataclass(eq=False)
class Scope:
    """Names of a program or of one call; names that it lacks are those of `outer`."""

    names: dict[str, Value] = field(default_factory=dict)
    outer: Scope | None = None

    def find(self, name: str) -> Scope | None:
        """Returns the scope that has a name; None if there is none."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope


@dataclass(eq=False)
class Function:
    """A function or lambda of the program, with the names around it; in a held one no gradient flows.

    A static one does not get the object when it is called as a method. Defaults are read where a call lacks them, yet
    with the names as they were when the function was defined: a loop may define `lambda a, k=k: a * k`.
    """

    node: ast.FunctionDef | ast.Lambda
    scope: Scope
    is_held: bool = False
    is_static: bool = False
    of_defaults: Scope = field(init=False)

    def __post_init__(self) -> None:
        """Notes the names around the function, if defaults may need them."""
        given = [*self.node.args.defaults, *filter(None, self.node.args.kw_defaults)]
        self.of_defaults = Scope(dict(self.scope.names), self.scope) if given else self.scope

    @property
    def name(self) -> str:
        """Its name for sentences."""
        return self.node.name if isinstance(self.node, ast.FunctionDef) else "lambda"


@dataclass(eq=False)
class Builtin:
    """A function that the reader carries out itself: `len`, a layer, `jax.grad` of something.

    `call` gets the node of the call, the arguments and the keywords. `parts` has its attributes, `held` what it was
    made of: functions, and arguments given in advance.
    """

    name: str
    call: Callable[[ast.AST, list[Value], dict[str, Value]], Value]
    parts: Mapping[str, Value] = field(default_factory=dict)
    held: tuple[Value, ...] = ()


@dataclass(eq=False)
class Bound:
    """A method of a value; it is carried out when it is called."""

    owner: Value
    name: str


@dataclass(eq=False)
class GradientOf:
    """The gradient of `y` with respect to `x`; it becomes a block where a program computes with it."""

    y: Expression
    x: Expression


@dataclass(eq=False)
class Layer:
    """A layer with its parameters: `call` applies it."""

    name: str
    call: Callable[[ast.AST, list[Value], dict[str, Value]], Value]
    parts: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Ignored:
    """A value without an effect on the graph: an optimizer, a device, a tape."""

    name: str


@dataclass(eq=False)
class Draws:
    """A generator of random numbers with its seed."""

    seed: int
    generator: Any  # NumPy's generators, the old and the new one
