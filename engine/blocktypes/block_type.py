"""Block types: each is one decorated function with its ports, parameters, gradient rule and help.

Positional arguments of the function are input ports, keyword-only ones are parameters, the docstring is the help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.errors import DtypeError, GradwireError, MissingInputError, OutOfMemoryError
from gradwire.engine.base.tensor_spec import Array, StandIn, TensorSpec, as_array, broadcast_shapes, spec_of
from gradwire.engine.blocktypes.expression import Application, Expression, constant
from gradwire.engine.blocktypes.held import current
from gradwire.engine.blocktypes.operation import Differentiable, Function, Observation, Operation, Role, arrange_inputs
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.blocktypes.type_help import help_rows, help_text, signature_of
from gradwire.engine.blocktypes.type_ports import (
    ANY,
    BOOLEAN,
    FLOAT,
    INDEX,
    NUMBER,
    UNSHARED,
    Dtypes,
    InputPort,
    OutputPort,
)

# Declarations of block types import everything they need from this module.
__all__ = [
    "ANY",
    "BOOLEAN",
    "FLOAT",
    "INDEX",
    "NUMBER",
    "UNSHARED",
    "BlockType",
    "Declaration",
    "Differentiable",
    "Dtypes",
    "Function",
    "Infer",
    "InputPort",
    "Observation",
    "OutputPort",
    "Role",
    "arrange_inputs",
    "block",
    "same_shape",
]

Infer = Callable[..., TensorSpec | tuple[TensorSpec, ...]]


def same_shape(*specs: TensorSpec | None, **_: object) -> TensorSpec:
    """Infers the spec of an elementwise block: inputs broadcast, and the first one decides the dtype."""
    known = [spec for spec in specs if spec is not None]
    shape, first = broadcast_shapes([spec.shape for spec in known]), known[0]
    return first if shape == first.shape else TensorSpec(shape, first.dtype)


class _OfInstances:
    """An attribute that a class computes for its instances; the class itself has `of_class`, or no such attribute."""

    def __init__(self, compute: Callable[[BlockType], object], of_class: str | None = None) -> None:
        self._compute, self._of_class = compute, of_class

    def __get__(self, instance: BlockType | None, owner: type) -> object:
        if instance is not None:
            return self._compute(instance)
        if self._of_class is None:
            raise AttributeError
        return self._of_class


class BlockType(Operation):
    """A kind of block, which Python treats as a function of its ports and parameters.

    Calling it with expressions gives expressions; with arrays it computes at once. A type with several outputs,
    or a variadic output, gives a tuple. `infer` is None where the shapes of outputs depend on the values of inputs.
    """

    def __init__(
        self,
        function: Function,
        category: str,
        *,
        infer: Infer | None = same_shape,
        by_element: bool = False,
        **declared: Any,  # Any: as Operation takes them
    ) -> None:
        super().__init__(function, category, by_element=by_element or infer is same_shape, **declared)
        self.infer = infer
        self.__name__ = self.__qualname__ = function.__name__
        self.__module__ = function.__module__

    def __repr__(self) -> str:
        plain = [item.replace(annotation=item.empty) for item in self._signature().parameters.values()]
        return f"<block type {self.name}{inspect.Signature(plain)}>"

    def _signature(self) -> inspect.Signature:
        return signature_of(self.inputs, self.outputs, self.parameters)

    def _documentation(self) -> str:
        rows = help_rows(self.inputs, self.outputs, self.parameters.values())
        rows += [("value", self.formula), ("gradient", self.gradient_formula), ("source", self.source)]
        return help_text(self.help, [*rows, ("NumPy", self.spelling.shown("numpy"))])

    # `inspect` reads the first and the third; `help` reads the second, which describes the class as well.
    __signature__ = _OfInstances(_signature)
    __doc__ = _OfInstances(_documentation, __doc__)  # type: ignore[assignment]  # a descriptor gives the text
    __wrapped__ = _OfInstances(lambda item: item.function)

    # Any: arrays or expressions go in, and the same come out.
    def __call__(self, *inputs: Any, name: str | None = None, **parameters: Any) -> Any:
        """Returns the outputs: expressions if any input is one or a source has no input, else arrays.

        A variadic type takes its inputs as a list, too.
        Raises: BlockError if the inputs or parameters do not fit.
        """
        if len(inputs) == 1 and self.inputs and self.inputs[0].variadic and _is_list_of_tensors(inputs[0]):
            inputs = tuple(inputs[0])
        is_source = self.needs_no_inputs and all(item is None for item in inputs)
        if is_source or any(isinstance(item, Expression) for item in inputs):
            return self._express(inputs, name, parameters)
        return self._compute(inputs, parameters)

    def apply(
        self, inputs: Sequence[Expression | None], parameters: Mapping[str, Any], name: str | None = None
    ) -> Application:
        """Returns an application of this type; `inputs` in port order, None for an optional one without a wire.

        Raises: BlockError if the specs do not fit together.
        """
        if self.infer is None:
            specs = self.measure(self._values_of(inputs), parameters)
        else:
            specs = self.infer_outputs([None if item is None else item.spec for item in inputs], parameters)
        return Application(self, tuple(inputs), parameters, specs, name)

    def infer_outputs(
        self, specs: Sequence[TensorSpec | None], parameters: Mapping[str, Any]
    ) -> tuple[TensorSpec, ...]:
        """Returns the specs of all outputs; `parameters` are complete and normal.

        Raises: BlockError if the inputs do not fit; TypeError if the specs depend on values.
        """
        self._check_dtypes(specs)
        if self.infer is None:
            raise TypeError(f"the outputs of {self.name} depend on values; measure them")
        try:
            inferred = self.infer(*specs, **parameters)
            return (inferred,) if isinstance(inferred, TensorSpec) else _checked(inferred)
        except GradwireError:
            raise
        except Exception as error:  # code of plug-ins
            raise self.fault(error) from error

    def measure(self, arrays: Sequence[Array | None], parameters: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
        """Computes the block and returns the specs of its outputs, which depend on values.

        Raises: BlockError if the inputs do not fit.
        """
        self._check_dtypes([None if array is None else spec_of(array) for array in arrays])
        try:
            with np.errstate(all="ignore"):
                outputs = self.function(*arrays, **parameters)
        except MemoryError as error:
            raise OutOfMemoryError("there is not enough memory for its result") from error
        except GradwireError:
            raise
        except Exception as error:  # code of plug-ins
            raise self.fault(error) from error
        return tuple(spec_of(output) for output in (outputs if isinstance(outputs, tuple) else (outputs,)))

    def check_dtype(self, name: str, spec: TensorSpec) -> None:
        """Checks what an input is given, without the others.

        Raises: DtypeError if the input of this name takes other dtypes.
        """
        port = self.input_port(name)
        if port is not None and not port.accepts.accepts(spec.dtype):
            raise DtypeError(f"{name} takes {port.accepts.name}, not {spec.dtype.name}")

    def _check_dtypes(self, specs: Sequence[TensorSpec | None]) -> None:
        shared: tuple[str, np.dtype[Any]] | None = None
        for index, spec in enumerate(specs):
            if spec is None:
                continue
            port = self.port_at(index)
            name = f"{port.name}_{index - len(self.inputs) + 1}" if port.variadic else port.name
            self.check_dtype(name, spec)
            if port.accepts.shared:
                shared = shared or (name, spec.dtype)
                if spec.dtype != shared[1]:
                    raise DtypeError(f"{shared[0]} is {shared[1].name} but {name} is {spec.dtype.name}; insert a Cast")

    @staticmethod
    def _values_of(inputs: Sequence[Expression | None]) -> list[Array | None]:
        results = run(make_plan(item for item in inputs if item is not None))
        for error in results.failures.values():
            raise error
        return [None if item is None else results[item] for item in inputs]

    def _express(self, inputs: tuple[Any, ...], name: str | None, parameters: dict[str, Any]) -> Any:
        try:
            return self._expressed(inputs, name, parameters)
        except DtypeError as error:
            sign = Expression.operators.signs.get(self.name)
            if sign is None or not str(error).endswith("insert a Cast"):
                raise
            raise DtypeError(f"{error}, or write x {sign} y, which casts") from error

    def _expressed(self, inputs: tuple[Any, ...], name: str | None, parameters: dict[str, Any]) -> Any:
        self._check_count(inputs)
        dtype = self._shared_dtype(inputs)
        arguments = [item if item is None or isinstance(item, Expression) else constant(item, dtype) for item in inputs]
        arguments += [None] * (sum(not port.variadic for port in self.inputs) - len(arguments))
        application = self.apply([_released(item) for item in arguments], self.normalize(parameters), name)
        # A source made in a region that holds its results is a leaf like others.
        application.region = current() if inputs else None
        outputs = application.outputs
        return outputs[0] if len(self.outputs) == 1 and not self.outputs[0].variadic else outputs

    def _compute(self, inputs: tuple[Any, ...], parameters: dict[str, Any]) -> Any:
        self._check_count(inputs)
        dtype = self._shared_dtype(inputs)
        # Functions that call other blocks are recorded as well.
        arguments = [item if item is None or isinstance(item, StandIn) else as_array(item, dtype) for item in inputs]
        with np.errstate(all="ignore"):
            return self.function(*arguments, **self.normalize(parameters))

    def _shared_dtype(self, inputs: tuple[Any, ...]) -> np.dtype[Any] | None:
        """Returns the dtype of Python numbers among the inputs: that of the first tensor at a shared port."""
        for index, item in enumerate(inputs):
            if not self.port_at(index).accepts.shared:
                continue
            if isinstance(item, Expression | np.ndarray | np.generic | StandIn):
                return item.dtype
        return None

    def _check_count(self, inputs: tuple[Any, ...]) -> None:
        fixed = [port for port in self.inputs if not port.variadic]
        if len(inputs) > len(fixed) and len(fixed) == len(self.inputs):
            raise MissingInputError(f"{self.name} takes {len(fixed)} inputs, not {len(inputs)}")
        for index, port in enumerate(fixed):
            if not port.optional and (index >= len(inputs) or inputs[index] is None):
                raise MissingInputError(f"{self.name} needs its input {port.name}")


def _is_list_of_tensors(value: object) -> bool:
    """Returns whether a list holds tensors; one of numbers is a tensor itself."""
    return isinstance(value, list | tuple) and any(isinstance(item, Expression | np.ndarray) for item in value)


def _released(item: Expression | None) -> Expression | None:
    """Returns an input, stopped where it leaves a region that holds its results."""
    if item is None or item.application.region is None or current() is not None or not item.spec.is_differentiable:
        return item
    stops = item.application.region.stops
    if item not in stops:
        is_stopped = item.application.type.role is Role.STOP
        stop = Application(Expression.operators["stop"], (item,), {}, (item.spec,))
        stops[item] = item if is_stopped else stop.outputs[0]
    released: Expression = stops[item]
    return released


Declaration = Callable[[Function], BlockType]


def block(category: str, **declaration: Any) -> Declaration:  # Any: as BlockType takes them
    """Declares a block type from its function; the keywords are those of `BlockType` and `Operation`."""
    return lambda function: BlockType(function, category, **declaration)


def _checked(specs: object) -> tuple[TensorSpec, ...]:
    """Returns the result of an inference if it is a tuple of specs."""
    if not isinstance(specs, tuple) or not all(isinstance(spec, TensorSpec) for spec in specs):
        raise TypeError(f"{specs!r} is not a tuple of TensorSpec")
    return specs
