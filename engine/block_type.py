"""Kinds of blocks: one decorated function each, with its ports, parameters, gradient rule and help.

Positional arguments of the function are input ports, keyword-only ones are parameters, the docstring is the help.
"""

from __future__ import annotations

import enum
import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.cause import Cause
from engine.errors import (
    BlockError,
    CodeError,
    DtypeError,
    GradwireError,
    MissingInputError,
    OutOfMemoryError,
    ParameterError,
)
from engine.expression import Application, Expression, constant
from engine.parameters import REQUIRED, Parameter, kind_of
from engine.plan import make_plan, run
from engine.spelling import NOWHERE, Spelling
from engine.tensor_spec import Array, TensorSpec, as_array, broadcast_shapes, spec_of


class Role(enum.Enum):
    """What the engine itself has to know of a block type; most are ORDINARY."""

    ORDINARY = "ordinary"
    SOURCE = "source"
    STOP = "stop"
    PREVENT = "prevent"
    LOSS = "loss"
    GRADIENTS = "gradients"
    REROUTE = "reroute"
    PAGE = "page"
    PAGE_INPUT = "page input"
    PAGE_OUTPUT = "page output"


@dataclass(frozen=True)
class Dtypes:
    """The dtypes that an input port takes; `shared` ports of one block must all have the same one."""

    name: str
    kinds: str
    shared: bool = True

    def accepts(self, dtype: np.dtype[Any]) -> bool:
        """Whether a tensor of this dtype may arrive."""
        return dtype.kind in self.kinds


FLOAT = Dtypes("floating point", "f")
NUMBER = Dtypes("a number", "fiu")
ANY = Dtypes("any dtype", "fiub")
UNSHARED = Dtypes("any dtype", "fiub", shared=False)
BOOLEAN = Dtypes("bool", "b", shared=False)
INDEX = Dtypes("an integer", "iu", shared=False)


@dataclass(frozen=True)
class InputPort:
    """An input port; a variadic one stands for `name_0`, `name_1` ..."""

    name: str
    accepts: Dtypes = FLOAT
    optional: bool = False
    variadic: bool = False


@dataclass(frozen=True)
class OutputPort:
    """An output port; a variadic one stands for `name_0`, `name_1` ..."""

    name: str
    variadic: bool = False


# Any: a block's function takes its own ports and parameters; the decorator reads them from the signature.
Function = Callable[..., Any]
Infer = Callable[..., TensorSpec | tuple[TensorSpec, ...]]


def same_shape(*specs: TensorSpec | None, **_: object) -> TensorSpec:
    """The inference of elementwise blocks: inputs broadcast, the dtype is that of the first."""
    known = [spec for spec in specs if spec is not None]
    shape, first = broadcast_shapes([spec.shape for spec in known]), known[0]
    return first if shape == first.shape else TensorSpec(shape, first.dtype)


class BlockType:
    """A kind of block.

    Calling it with expressions gives expressions; with arrays it computes at once. A type with several outputs,
    or a variadic output, gives a tuple. `infer` is None where the shapes of outputs depend on the values of inputs.
    `vanishes` is what a local derivative of zero is called; without it the factor that is zero decides. `steepest`,
    the largest slope of a type that saturates, says when it does; `is_penalty`, that losses are made of the type.
    """

    def __init__(
        self,
        function: Function,
        category: str,
        *,
        infer: Infer | None = same_shape,
        outputs: Sequence[str] = ("y",),
        accepts: Dtypes | Mapping[str, Dtypes] = FLOAT,
        role: Role = Role.ORDINARY,
        adds_products: bool = False,
        moves_elements: bool = False,
        vanishes: Cause | None = None,
        steepest: float | None = None,
        is_penalty: bool = False,
        by_element: bool = False,
        formula: str = "",
        gradient_formula: str = "",
        source: str = "",
        spelling: Spelling = NOWHERE,
    ) -> None:
        self.name, self.function, self.category = function.__name__, function, category
        self.infer, self.role = infer, role
        self.adds_products, self.moves_elements = adds_products, moves_elements
        self.vanishes, self.steepest, self.is_penalty = vanishes, steepest, is_penalty
        self.by_element = by_element or infer is same_shape
        self.formula, self.gradient_formula, self.source, self.spelling = formula, gradient_formula, source, spelling
        self.help = inspect.cleandoc(function.__doc__ or "")
        self.summary = self.help.split("\n\n")[0].replace("\n", " ")
        self.inputs, self.parameters = _ports_and_parameters(function, accepts)
        self.outputs = tuple(OutputPort(name.rstrip("*"), name.endswith("*")) for name in outputs)
        # The plug-in that it comes from.
        self.plugin = ""
        self.rule: Function | None = None
        self.observer: Function | None = None

    def gradient(self, rule: Function) -> Function:
        """Declares the gradient rule `(g, *inputs, *outputs, **parameters)`; see docs/architecture.md."""
        self.rule = rule
        return rule

    def observe(self, observer: Function) -> Function:
        """Declares what is worth saying about a run: `(*inputs, *outputs, **parameters) -> Observation | None`."""
        self.observer = observer
        return observer

    def observed(
        self, *arguments: Any, **parameters: Any
    ) -> Observation | None:  # Any: arrays, and as the kinds decide
        """What the observer says about a run.

        Raises: CodeError where it fails.
        """
        if self.observer is None:
            return None
        try:
            found = self.observer(*arguments, **parameters)
            if isinstance(found, Observation | None):
                return found
            raise TypeError(f"{found!r} is no Observation")
        except Exception as error:  # code of plug-ins
            raise self.fault(error, "what it says about a run fails") from error

    def __repr__(self) -> str:
        return f"<block type {self.name}>"

    @property
    def is_foreign(self) -> bool:
        """Whether it comes from a plug-in."""
        return bool(self.plugin)

    def fault(self, error: BaseException, what: str = "its code fails") -> CodeError:
        """What is to be told of a mistake in the code of this type."""
        return error if isinstance(error, CodeError) else CodeError(error, what, self.plugin)

    @property
    def needs_no_inputs(self) -> bool:
        """Whether it gives tensors with nothing connected, as a source does."""
        return all(port.optional for port in self.inputs)

    # Any: arrays or expressions go in, and the same come out.
    def __call__(self, *inputs: Any, name: str | None = None, **parameters: Any) -> Any:
        """The outputs, as expressions if any input is one or nothing is connected and need be, else as arrays.

        Raises: BlockError if the inputs or parameters do not fit.
        """
        is_source = self.needs_no_inputs and all(item is None for item in inputs)
        if is_source or any(isinstance(item, Expression) for item in inputs):
            return self._express(inputs, name, parameters)
        return self._compute(inputs, parameters)

    def apply(
        self, inputs: Sequence[Expression | None], parameters: Mapping[str, Any], name: str | None = None
    ) -> Application:
        """One application of this type; `inputs` in port order, an optional one without a wire is None.

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
        """The specs of all outputs; `parameters` complete and normal.

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
        """The specs of all outputs where they depend on values: the block is computed.

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

    def normalize(self, parameters: Mapping[str, object]) -> dict[str, Any]:  # Any: the kinds decide
        """All parameters in normal form, defaults filled in.

        Raises: ParameterError for one that is unknown, missing or does not fit; CodeError where a check itself fails.
        """
        for name in parameters:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise ParameterError(f"{self.name} has no parameter {name}; it has: {known}")
        complete = {}
        for name, parameter in self.parameters.items():
            value = parameters.get(name, parameter.default)
            if value is REQUIRED:
                raise ParameterError(f"parameter {name} is missing")
            complete[name] = parameter.normalize(value)
        return complete

    def input_names(self, count: int) -> list[str]:
        """The names of the first `count` input ports, a variadic port counted from 0."""
        return _numbered([(port.name, port.variadic) for port in self.inputs], count)

    def output_names(self, count: int) -> list[str]:
        """The names of the first `count` output ports, a variadic port counted from 0."""
        return _numbered([(port.name, port.variadic) for port in self.outputs], count)

    def input_port(self, name: str) -> InputPort | None:
        """The declared port that `name` belongs to (`values_3` to the variadic `values`), or None."""
        return self._fixed_inputs.get(name) or next((port for port in self.inputs if _is_one_of(name, port)), None)

    def output_port(self, name: str) -> OutputPort | None:
        """The declared output that `name` belongs to, or None."""
        return self._fixed_outputs.get(name) or next((port for port in self.outputs if _is_one_of(name, port)), None)

    @functools.cached_property
    def _fixed_inputs(self) -> dict[str, InputPort]:
        return {port.name: port for port in self.inputs if not port.variadic}

    @functools.cached_property
    def _fixed_outputs(self) -> dict[str, OutputPort]:
        return {port.name: port for port in self.outputs if not port.variadic}

    def sentence(self, error: BlockError) -> str:
        """An error's message as a sentence, in which the name of a port or parameter keeps its own spelling."""
        first = str(error).partition(" ")[0]
        is_name = first in self.parameters or self.input_port(first) or self.output_port(first)
        return f"{str(error).rstrip('.')}." if is_name else error.sentence

    def _check_dtypes(self, specs: Sequence[TensorSpec | None]) -> None:
        shared: tuple[str, np.dtype[Any]] | None = None
        for index, spec in enumerate(specs):
            if spec is None:
                continue
            port = self._port(index)
            name = f"{port.name}_{index - len(self.inputs) + 1}" if port.variadic else port.name
            if not port.accepts.accepts(spec.dtype):
                raise DtypeError(f"{name} takes {port.accepts.name}, not {spec.dtype.name}")
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
        self._check_count(inputs)
        dtype = self._shared_dtype(inputs)
        arguments = [item if item is None or isinstance(item, Expression) else constant(item, dtype) for item in inputs]
        arguments += [None] * (sum(not port.variadic for port in self.inputs) - len(arguments))
        outputs = self.apply(arguments, self.normalize(parameters), name).outputs
        return outputs if len(self.outputs) > 1 or self.outputs[0].variadic else outputs[0]

    def _compute(self, inputs: tuple[Any, ...], parameters: dict[str, Any]) -> Any:
        self._check_count(inputs)
        dtype = self._shared_dtype(inputs)
        arguments = [None if item is None else as_array(item, dtype) for item in inputs]
        with np.errstate(all="ignore"):
            return self.function(*arguments, **self.normalize(parameters))

    def _shared_dtype(self, inputs: tuple[Any, ...]) -> np.dtype[Any] | None:
        """What a Python number among the inputs becomes: the dtype of the first tensor at a shared port."""
        for index, item in enumerate(inputs):
            if isinstance(item, Expression | np.ndarray | np.generic) and self._port(index).accepts.shared:
                return item.dtype
        return None

    def _port(self, index: int) -> InputPort:
        return self.inputs[min(index, len(self.inputs) - 1)]

    def _check_count(self, inputs: tuple[Any, ...]) -> None:
        fixed = [port for port in self.inputs if not port.variadic]
        if len(inputs) > len(fixed) and len(fixed) == len(self.inputs):
            raise MissingInputError(f"{self.name} takes {len(fixed)} inputs, not {len(inputs)}")
        for index, port in enumerate(fixed):
            if not port.optional and (index >= len(inputs) or inputs[index] is None):
                raise MissingInputError(f"{self.name} needs its input {port.name}")


Declaration = Callable[[Function], BlockType]


def block(category: str, **declaration: Any) -> Declaration:  # Any: as BlockType takes them
    """Declares a block type from its function; the keywords are those of `BlockType`."""
    return lambda function: BlockType(function, category, **declaration)


def arrange_inputs(block_type: BlockType, inputs: Sequence[Any]) -> list[Any]:
    """The inputs as a rule takes them: one argument a port, a variadic port as one list."""
    fixed = sum(not port.variadic for port in block_type.inputs)
    return [*inputs[:fixed], list(inputs[fixed:])] if fixed < len(block_type.inputs) else list(inputs)


@dataclass(frozen=True)
class Observation:
    """Something worth saying about a run that went well (a tie): a problem of severity info.

    `count` says of how many elements; of a tie, how many are equal to another one.
    """

    code: str
    message: str
    count: int = 0


def _ports_and_parameters(
    function: Function, accepts: Dtypes | Mapping[str, Dtypes]
) -> tuple[tuple[InputPort, ...], dict[str, Parameter]]:
    hints = typing.get_type_hints(function, include_extras=True)
    ports, parameters = [], {}
    for item in inspect.signature(function).parameters.values():
        if item.kind is item.KEYWORD_ONLY:
            default = REQUIRED if item.default is item.empty else item.default
            parameters[item.name] = Parameter(item.name, kind_of(hints[item.name]), default)
        else:
            dtypes = accepts if isinstance(accepts, Dtypes) else accepts.get(item.name, FLOAT)
            variadic = item.kind is item.VAR_POSITIONAL
            ports.append(InputPort(item.name, dtypes, item.default is None, variadic))
    return tuple(ports), parameters


def _checked(specs: object) -> tuple[TensorSpec, ...]:
    """What a function that infers gave, if it is specs."""
    if not isinstance(specs, tuple) or not all(isinstance(spec, TensorSpec) for spec in specs):
        raise TypeError(f"{specs!r} is not a tuple of TensorSpec")
    return specs


def _numbered(ports: list[tuple[str, bool]], count: int) -> list[str]:
    names = [name for name, variadic in ports if not variadic]
    return [*names, *(f"{ports[-1][0]}_{index}" for index in range(count - len(names)))]


def _is_one_of(name: str, port: InputPort | OutputPort) -> bool:
    """Whether this is one of the ports that a variadic one stands for."""
    if not port.variadic:
        return False
    stem, _, number = name.rpartition("_")
    return stem == port.name and number.isascii() and number.isdigit() and (number == "0" or number[0] != "0")
