"""Expressions: operations applied to expressions. The forward graph and its gradients both consist of them.

They are the trace of a computation, as in JAX or autograd: each knows how it is computed, none holds numbers.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from gradwire.engine.base.errors import CallError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, as_array, spec_of
from gradwire.engine.blocktypes.expression_methods import Methods
from gradwire.engine.blocktypes.held import Region
from gradwire.engine.blocktypes.operation import Operation

# The functions of NumPy that Python's operators call where an array stands on the left, by our names.
_OPERATORS_OF_ARRAYS = {"true_divide": "divide", "remainder": "mod"}
_OPERATORS_OF_ARRAYS |= {f"bitwise_{name}": name for name in ("and", "or", "xor")}
_OPERATORS_OF_ARRAYS |= {
    name: name
    for name in (
        *("add", "subtract", "multiply", "divide", "floor_divide", "power", "matmul"),
        *("equal", "not_equal", "greater", "greater_equal", "less", "less_equal"),
    )
}
_NO_NUMBER = "An expression has no number before it is evaluated; write gw.evaluate(x).value(x)."


class Application:
    """Operation applied to inputs; applications are compared by identity.

    `inputs` are in port order, variadic ones last; None is an optional input without a wire. `region` is where a
    program applied it whose results are held.
    """

    __slots__ = ("inputs", "name", "outputs", "parameters", "region", "type")

    def __init__(
        self,
        operation: Operation,
        inputs: tuple[Expression | None, ...],
        parameters: Mapping[str, Any],
        specs: Iterable[TensorSpec],
        name: str | None = None,
    ) -> None:
        self.type, self.inputs, self.parameters, self.name = operation, inputs, parameters, name
        self.region: Region | None = None
        self.outputs = tuple(Expression(self, index, spec) for index, spec in enumerate(specs))


class Operators(dict[str, Operation]):
    """The block types that operators apply: `x - y` is an application of the type of "subtract".

    The block library says which types these are; each is looked up when it is first needed.
    """

    _names: Mapping[str, str] = {}
    _find: Callable[[str], Operation]
    _reading = ""
    signs: Mapping[str, str] = {}

    # Operators that are a single block for operands of one floating-point dtype.
    plain = frozenset(
        ("add", "subtract", "multiply", "divide", "power", "negative", "greater", "less", "equal", "not_equal")
    )

    def announce(
        self, names: Mapping[str, str], find: Callable[[str], Operation], reading: str, signs: Mapping[str, str]
    ) -> None:
        """Takes the name of a block type for each operator, what finds it by that name, and the module of `python`.

        `signs` has the signs of Python by the names of block types.
        """
        self._names, self._find, self._reading, self.signs = names, find, reading, signs

    def __missing__(self, name: str) -> Operation:
        found = self[name] = self._find(self._names[name])
        return found

    @cached_property
    def python(self) -> Any:  # Any: a module
        """The module that says what Python's operators, indices and attributes of expressions mean."""
        return import_module(self._reading)


class Expression(Methods):
    """Output of an application: a tensor that is known by its computation."""

    __slots__ = ("application", "index", "spec")
    operators: ClassVar[Operators] = Operators()

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

    def __floordiv__(self, other: object) -> Expression:
        return self._operate("floor_divide", self, other)

    def __rfloordiv__(self, other: object) -> Expression:
        return self._operate("floor_divide", other, self)

    def __mod__(self, other: object) -> Expression:
        return self._operate("mod", self, other)

    def __rmod__(self, other: object) -> Expression:
        return self._operate("mod", other, self)

    def __pow__(self, other: object) -> Expression:
        return self._operate("power", self, other)

    def __rpow__(self, other: object) -> Expression:
        return self._operate("power", other, self)

    def __matmul__(self, other: object) -> Expression:
        return self._operate("matmul", self, other)

    def __rmatmul__(self, other: object) -> Expression:
        return self._operate("matmul", other, self)

    def __and__(self, other: object) -> Expression:
        return self._operate("and", self, other)

    def __rand__(self, other: object) -> Expression:
        return self._operate("and", other, self)

    def __or__(self, other: object) -> Expression:
        return self._operate("or", self, other)

    def __ror__(self, other: object) -> Expression:
        return self._operate("or", other, self)

    def __xor__(self, other: object) -> Expression:
        return self._operate("xor", self, other)

    def __rxor__(self, other: object) -> Expression:
        return self._operate("xor", other, self)

    # Equality is elementwise, as in NumPy and PyTorch; dictionaries and sets tell expressions apart by identity.
    def __eq__(self, other: object) -> Expression:  # type: ignore[override]
        return NotImplemented if other is None or isinstance(other, str) else self._operate("equal", self, other)

    def __ne__(self, other: object) -> Expression:  # type: ignore[override]
        return NotImplemented if other is None or isinstance(other, str) else self._operate("not_equal", self, other)

    __hash__ = object.__hash__

    def __gt__(self, other: object) -> Expression:
        return self._operate("greater", self, other)

    def __ge__(self, other: object) -> Expression:
        return self._operate("greater_equal", self, other)

    def __lt__(self, other: object) -> Expression:
        return self._operate("less", self, other)

    def __le__(self, other: object) -> Expression:
        return self._operate("less_equal", self, other)

    def __neg__(self) -> Expression:
        return self._operate("negative", self)

    def __abs__(self) -> Expression:
        return self._operate("absolute", self)

    def __invert__(self) -> Expression:
        return self._operate("invert", self)

    def __pos__(self) -> Expression:
        return self._operate("positive", self)

    def __getitem__(self, key: object) -> Expression:
        result: Expression = self.operators.python.index(self, key)
        return result

    def __setitem__(self, key: object, value: object) -> None:
        raise CallError(
            "nothing can be assigned to an index of an expression; write where(mask, value, x), or concatenate parts"
        )

    def __len__(self) -> int:
        if not self.shape:
            raise CallError("a scalar, a tensor without axes, has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Expression]:
        return iter([self[place] for place in range(len(self))])

    def __bool__(self) -> bool:
        raise CallError(
            'An expression has no truth value before it is evaluated; use Where to choose, or "is" for identity.'
        )

    def __float__(self) -> float:
        raise CallError(_NO_NUMBER)

    def __int__(self) -> int:
        raise CallError(_NO_NUMBER)

    # An expression is no array, for type checkers either.
    if not TYPE_CHECKING:

        def __array_ufunc__(self, function: np.ufunc, method: str, *operands: object, **how: object) -> object:
            # `array * expression` comes here, and `array *= expression`, which makes an expression of the array.
            name = _OPERATORS_OF_ARRAYS.get(function.__name__)
            is_in_place = list(how) == ["out"] and operands[0] is how["out"][0]
            if name is None or method != "__call__" or (how and not is_in_place):
                return self.__array_function__(function)
            return self._operate(name, *operands)

        def __array__(self, *_: object, **__: object) -> Array:
            raise CallError(_NO_NUMBER)

        def __array_function__(self, function: Callable[..., object], *_: object) -> object:
            raise CallError(
                f"NumPy's {function.__name__} takes arrays; for expressions there is gw.{function.__name__}"
            )

    @classmethod
    def _operate(cls, name: str, *operands: object) -> Expression:
        """Returns the result of an operator; gradient rules mostly apply one to floating point of one dtype."""
        if name in cls.operators.plain and _are_alike(operands):
            result: Expression = cls.operators[name](*operands)
        else:
            result = cls.operators.python.operate(name, *operands)
        return result


def _are_alike(operands: tuple[object, ...]) -> bool:
    """Returns whether operands need no promotion: floating point of one dtype, and Python's numbers beside it."""
    dtypes = [item.spec.dtype for item in operands if type(item) is Expression]
    if dtypes[0].kind != "f" or dtypes[-1] != dtypes[0]:
        return False
    return len(dtypes) == len(operands) or all(type(item) in (Expression, int, float) for item in operands)


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
