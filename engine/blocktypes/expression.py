"""Expressions: operations applied to expressions. The forward graph and its gradients both consist of them.

They are the trace of a computation, as in JAX or autograd: each knows how it is computed, none holds numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, as_array, spec_of
from gradwire.engine.blocktypes.operation import Operation

# Operators of numbers that take a bool beside one.
_ARITHMETIC = frozenset(("add", "subtract", "multiply", "divide", "power"))


class Application:
    """Operation applied to inputs; applications are compared by identity.

    `inputs` are in port order, variadic ones last; None is an optional input without a wire.
    """

    __slots__ = ("inputs", "name", "outputs", "parameters", "type")

    def __init__(
        self,
        operation: Operation,
        inputs: tuple[Expression | None, ...],
        parameters: Mapping[str, Any],
        specs: Iterable[TensorSpec],
        name: str | None = None,
    ) -> None:
        self.type, self.inputs, self.parameters, self.name = operation, inputs, parameters, name
        self.outputs = tuple(Expression(self, index, spec) for index, spec in enumerate(specs))


class Operators(dict[str, Operation]):
    """The block types that operators apply: `x - y` is an application of the type of "subtract".

    The block library says which types these are; each is looked up when it is first needed.
    """

    _names: Mapping[str, str] = {}
    _find: Callable[[str], Operation]

    def announce(self, names: Mapping[str, str], find: Callable[[str], Operation]) -> None:
        """Takes the name of a block type for each operator, and what finds it by that name."""
        self._names, self._find = names, find

    def __missing__(self, name: str) -> Operation:
        found = self[name] = self._find(self._names[name])
        return found


class Expression:
    """Output of an application: a tensor that is known by its computation."""

    __slots__ = ("application", "index", "spec")
    operators: ClassVar[Operators] = Operators()
    # NumPy would otherwise take `array * expression` apart element by element.
    __array_ufunc__ = None

    def __init__(self, application: Application, index: int, spec: TensorSpec) -> None:
        self.application, self.index, self.spec = application, index, spec

    @property
    def shape(self) -> Shape:
        """Shape of the tensor."""
        return self.spec.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the tensor."""
        return self.spec.dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.spec.shape)

    def __repr__(self) -> str:
        return f"<{self.application.type.name} {self.spec}>"

    def __add__(self, other: object) -> Expression:
        return self._operate("add", self, other)

    def __radd__(self, other: object) -> Expression:
        return self._operate("add", other, self)

    def __sub__(self, other: object) -> Expression:
        return self._operate("subtract", self, other)

    def __rsub__(self, other: object) -> Expression:
        return self._operate("subtract", other, self)

    def __mul__(self, other: object) -> Expression:
        return self._operate("multiply", self, other)

    def __rmul__(self, other: object) -> Expression:
        return self._operate("multiply", other, self)

    def __truediv__(self, other: object) -> Expression:
        return self._operate("divide", self, other)

    def __rtruediv__(self, other: object) -> Expression:
        return self._operate("divide", other, self)

    def __pow__(self, other: object) -> Expression:
        return self._operate("power", self, other)

    def __rpow__(self, other: object) -> Expression:
        return self._operate("power", other, self)

    def __matmul__(self, other: object) -> Expression:
        return self._operate("matmul", self, other)

    def __rmatmul__(self, other: object) -> Expression:
        return self._operate("matmul", other, self)

    # Equality is elementwise, as in NumPy and PyTorch; dictionaries and sets tell expressions apart by identity.
    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return NotImplemented if other is None or isinstance(other, str) else self._operate("equal", self, other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return NotImplemented if other is None or isinstance(other, str) else self._operate("not_equal", self, other)

    __hash__ = object.__hash__

    def __gt__(self, other: object) -> Expression:
        return self._operate("greater", self, other)

    def __lt__(self, other: object) -> Expression:
        return self._operate("less", self, other)

    def __neg__(self) -> Expression:
        return self._operate("negative", self)

    def __bool__(self) -> bool:
        raise TypeError(
            'An expression has no truth value before it is evaluated; use Where to choose, or "is" for identity.'
        )

    @classmethod
    def _operate(cls, name: str, *operands: object) -> Expression:
        if name in _ARITHMETIC:
            operands = cls._with_numbers(*operands)
        result: Expression = cls.operators[name](*operands)
        return result

    @classmethod
    def _with_numbers(cls, one: object, other: object) -> tuple[object, object]:
        """Returns the operands with a bool expression beside a number as 0 and 1 in its dtype, as in PyTorch."""
        if _is_truth(one) and not _is_truth(other):
            return cls.operators["cast"](one, dtype=_dtype_of(other).name), other
        if _is_truth(other) and not _is_truth(one):
            return one, cls.operators["cast"](other, dtype=_dtype_of(one).name)
        return one, other


def _is_truth(operand: object) -> bool:
    return isinstance(operand, Expression) and operand.dtype.kind == "b"


def _dtype_of(operand: object) -> np.dtype[Any]:
    return operand.dtype if isinstance(operand, Expression) else as_array(operand).dtype


def place_of(item: Expression | None, items: Iterable[Expression | None]) -> int | None:
    """Returns the first place of an expression among others, by identity; None if it is not there."""
    return next((place for place, other in enumerate(items) if other is item), None)


def are_same(items: Sequence[Expression | None], others: Sequence[Expression | None]) -> bool:
    """Returns whether two sequences hold the same expressions in the same order, by identity."""
    return len(items) == len(others) and all(map(operator.is_, items, others))


def constant(value: object, dtype: np.dtype[Any] | None = None) -> Expression:
    """Returns a fixed array as an expression; a Python number takes `dtype`, that of the other operand.

    Raises: DtypeError if the number cannot be written in that dtype.
    """
    array = read_only(as_array(value, dtype))
    return Application(Expression.operators["constant"], (), {"value": array}, (spec_of(array),)).outputs[0]


def topological_order(roots: Iterable[Expression], known: Container[Application] = frozenset()) -> list[Application]:
    """Returns the applications that compute the roots in topological order, without `known` ones and their producers.

    The order is the postorder of a depth-first search.
    Source: Tarjan, Edge-Disjoint Spanning Trees and Depth-First Search (1976). Cost: O(applications + edges).
    """
    order: list[Application] = []
    seen: set[Application] = set()
    stack = [(root.application, False) for root in reversed(list(roots))]
    while stack:
        application, is_done = stack.pop()
        if is_done:
            order.append(application)
        elif application not in seen and application not in known:
            seen.add(application)
            stack.append((application, True))
            stack.extend((item.application, False) for item in reversed(application.inputs) if item is not None)
    return order


def read_only(array: Array) -> Array:
    """Returns a read-only view of an array; the argument keeps its flags."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.setflags(write=False)
    return view
