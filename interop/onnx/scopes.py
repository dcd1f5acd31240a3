"""Names and their values while a model is read; inner graphs see those around them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.models.names import LONGEST, block_name
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, made

# Names that exporters give to numbers alone, such as the 2 of `x * 2`: they are no parameters.
_MADE_UP: Final = re.compile(r"(onnx::.*|_?val_\d+|scalar_tensor\w*|(.*/)?Constant[\w@]*|.*_output_\d+|\d*)")


class Weight:
    """Numbers of the file, read when they are first asked for; floats become a Variable where blocks read them."""

    def __init__(self, name: str, read: Callable[[], Array], is_trained: bool) -> None:
        self.name, self._read, self._is_trained = name, read, is_trained
        self._array: Array | None = None
        self._variable: Expression | None = None
        self._copies: dict[str, Weight] = {}

    @property
    def array(self) -> Array:
        """The numbers."""
        if self._array is None:
            self._array = self._read()
        return self._array

    @property
    def is_parameter(self) -> bool:
        """Whether it becomes a Variable: floats, but no single number that has no name of its own."""
        array = self.array
        return self._is_trained and array.dtype.kind == "f" and (array.size > 1 or not _MADE_UP.fullmatch(self.name))

    @property
    def variable(self) -> Expression | None:
        """The Variable, once it was read."""
        return self._variable

    def tensor(self) -> Tensor:
        """Returns the Variable, or the numbers."""
        if self.is_parameter and self._variable is None:
            self._variable = made("Variable", value=self.array, name=block_name(self.name))
        return self.array if self._variable is None else self._variable

    def copy(self, name: str) -> Weight:
        """Returns a weight of its own with the same numbers."""
        if name not in self._copies:
            self._copies[name] = Weight(name, lambda: self.array, self._is_trained)
        return self._copies[name]

    def of_module(self, module: str) -> Weight:
        """Returns the weight as a module reads it.

        Exporters merge weights whose numbers are equal by chance, which those of untrained layers are: all 0, or all 1.
        Such a one is a weight of its own where a module reads it that lies elsewhere than its name says.
        """
        home, _, name = self.name.rpartition(".")
        paths = f"{home}.", f"{module}."
        is_elsewhere = bool(module and home) and not paths[0].startswith(paths[1]) and not paths[1].startswith(paths[0])
        if not is_elsewhere or not self.is_parameter or (self.array != self.array.flat[:1]).any():
            return self
        return self.copy(f"{module}.{name}")

    @property
    def copies(self) -> list[Weight]:
        """The weights of their own that were made of it."""
        return list(self._copies.values())


Value = Expression | Array | Weight


@dataclass
class Scope:
    """The names of one graph, or of one call of a function.

    `given` has the settings of the call, `module` its path, `opsets` the versions of the operators.
    """

    opsets: Mapping[str, int]
    outer: Scope | None = None
    module: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    values: dict[str, Value | None] = field(default_factory=dict)

    def inner(self) -> Scope:
        """Returns the scope of a graph inside."""
        return Scope(self.opsets, self, self.module, self.given)

    def find(self, name: str) -> Value | None:
        """Returns a value by its name; None for an input that is left out.

        Raises: ModelRefusal if it was not made before.
        """
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.outer
        raise ModelRefusal(
            f"it reads {name[:LONGEST]}, which nothing before it makes: its nodes form a cycle or are out of order"
        )

    def put(self, name: str, value: Value) -> None:
        """Gives a value its name."""
        self.values[name] = value
