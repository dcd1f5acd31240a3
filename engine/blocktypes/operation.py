"""Operations: functions with the ports, parameters, gradient rules and help that block types declare."""

from __future__ import annotations

import abc
import builtins
import enum
import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gradwire.engine.base.errors import BlockError, CodeError, ParameterError
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.draw import Draw
from gradwire.engine.blocktypes.parameters import REQUIRED, Kind, Parameter, kind_of
from gradwire.engine.blocktypes.spelling import NOWHERE, Spelling
from gradwire.engine.blocktypes.type_ports import FLOAT, Dtypes, InputPort, OutputPort


class Role(enum.Enum):
    """Part that a block type plays in the engine; most are ORDINARY."""

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
    OWN_GRADIENT = "own gradient"


# Any: a block's function takes its own ports and parameters; the decorator reads them from the signature.
Function = Callable[..., Any]
# The category of the types that only gradient rules apply.
PARTS = "Gradient parts"
# "twice": at least twice. "once": the gradient rule is right, and a block in it has no rule. Without a rule, "never":
# the output does not change with its inputs, or in steps alone; "cut": it changes, and by definition nothing flows.
Differentiable = Literal["twice", "once", "never", "cut"]


@dataclass(frozen=True)
class Observation:
    """Remark on a run that went well, such as a tie: a problem of severity info.

    `count` is the number of elements concerned; in a tie, of those that equal another one.
    """

    code: str
    message: str
    count: int = 0


@dataclass(frozen=True)
class Deviation:
    """Declared derivative of a type whose gradient rule is another one, as TensorFlow's is.

    `derivative` takes what the rule takes, as arrays, and returns what it returns. `reason` gives a remark on
    the block, without subject, from inputs, outputs and parameters; `elsewhere` says what PyTorch and JAX give.
    """

    derivative: Function
    reason: Callable[..., Observation]
    elsewhere: str


@dataclass(frozen=True)
class Derivative:
    """How a type differentiates what it is given.

    `passes` counts its backward passes from the specs of its inputs. `parts` returns an expression for each output, or
    None where it is unknown, from a function that walks back, the first input, and the others.
    """

    passes: Callable[..., int]
    parts: Callable[..., Sequence[Any]]  # Any: expressions, which know nothing of types


class Operation(abc.ABC):
    """Declared part of a block type: everything that expressions, plans and gradients know of it.

    `zero_cause` is the cause of a local derivative of zero; without it the zero factor decides. `max_slope` is the
    largest slope of a type that saturates. Losses consist of `is_penalty` types. A run may replace the values of
    `is_input` and `is_variable` types; training changes the latter. A PAGE type that `is_loop` uses its page in several
    rounds. For finite nonzero operands, `is_arithmetic` types give infinity only by overflow. The largest argument of
    an exponential exceeds the logarithm of the largest number
    by `overflow_margin`. `draw` says how its numbers are drawn anew in training. The gradient of a type that
    `takes_symmetric` matrices is that of a symmetric change.
    `complete` derives parameters from others, as the value of a Variable from its start, or says why it cannot.
    `differentiable` promises how often its gradient can be differentiated; the tests of all blocks hold it to that.
    """

    def __init__(
        self,
        function: Function,
        category: str,
        *,
        outputs: Sequence[str] = ("y",),
        accepts: Dtypes | Mapping[str, Dtypes] = FLOAT,
        differentiable: Differentiable = "twice",
        role: Role = Role.ORDINARY,
        sums_products: bool = False,
        only_moves_data: bool = False,
        zero_cause: Cause | None = None,
        max_slope: float | None = None,
        is_penalty: bool = False,
        by_element: bool = False,
        is_input: bool = False,
        is_variable: bool = False,
        is_loop: bool = False,
        is_arithmetic: bool = False,
        overflow_margin: float | None = None,
        takes_symmetric: bool = False,
        draw: Draw | None = None,
        complete: Callable[[dict[str, Any]], dict[str, Any]] | None = None,  # Any: as the kinds decide
        formula: str = "",
        gradient_formula: str = "",
        source: str = "",
        spelling: Spelling = NOWHERE,
    ) -> None:
        self.name, self.function, self.category = function.__name__, function, category
        self.role, self.differentiable = role, differentiable
        self.sums_products, self.only_moves_data = sums_products, only_moves_data
        self.zero_cause, self.max_slope, self.is_penalty = zero_cause, max_slope, is_penalty
        self.by_element = by_element
        self.is_input, self.is_variable, self.is_loop = is_input, is_variable, is_loop
        self.is_arithmetic, self.overflow_margin = is_arithmetic, overflow_margin
        self.formula, self.gradient_formula, self.source, self.spelling = formula, gradient_formula, source, spelling
        self.draw, self.takes_symmetric, self.complete = draw, takes_symmetric, complete
        self._accepts, self._composed = accepts, _composed(function)
        self.outputs = tuple(OutputPort(name.rstrip("*"), name.endswith("*")) for name in outputs)
        # Name of the plug-in, "" without one.
        self.plugin = ""
        self.rule: Function | None = None
        self.observer: Function | None = None
        self.deviation: Deviation | None = None
        self.decomposition: Function | None = None
        self.derivative: Derivative | None = None

    # Most of the 300 types are declared by every command, and looked at by none.

    @functools.cached_property
    def inputs(self) -> tuple[InputPort, ...]:
        """Input ports: the arguments by position."""
        return _ports_of(self.function, self._accepts)

    @functools.cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters by name: the arguments by keyword."""
        return _parameters_of(self.function, self._composed)

    @functools.cached_property
    def help(self) -> str:
        """Text for people."""
        return inspect.cleandoc(self.function.__doc__ or "")

    @functools.cached_property
    def summary(self) -> str:
        """First paragraph of the help, on one line."""
        return self.help.split("\n\n")[0].replace("\n", " ")

    def read_declaration(self) -> None:
        """Reads all that the function declares, which may be taken away afterwards."""
        _ = self.inputs, self.parameters, self.summary
        self._composed = {}

    def gradient(self, rule: Function) -> Function:
        """Declares the gradient rule `(g, *inputs, *outputs, **parameters)`; see docs/rooms/blocks.md."""
        self.rule = rule
        return rule

    def deviates(self, reason: Callable[..., Observation], elsewhere: str) -> Callable[[Function], Function]:
        """Declares the true derivative of a type whose rule is another one; the fields are those of `Deviation`."""

        def declare(derivative: Function) -> Function:
            self.deviation = Deviation(derivative, reason, elsewhere)
            return derivative

        return declare

    def differentiates(self, passes: Callable[..., int]) -> Callable[[Function], Function]:
        """Declares what a type of the role GRADIENTS makes of backward passes; the fields are those of `Derivative`."""

        def declare(parts: Function) -> Function:
            self.derivative = Derivative(passes, parts)
            return parts

        return declare

    def observe(self, observer: Function) -> Function:
        """Declares remarks on a run: `(*inputs, *outputs, **parameters) -> Observation | None`."""
        self.observer = observer
        return observer

    def decompose(self, decomposition: Function) -> Function:
        """Declares the same computation in other blocks: `(*inputs, **parameters) -> Expression`."""
        self.decomposition = decomposition
        return decomposition

    def observed(
        self, *arguments: Any, **parameters: Any
    ) -> Observation | None:  # Any: arrays, and as the kinds decide
        """Returns the observer's remark on a run.

        Raises: CodeError if the observer fails.
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

    @property
    def is_part(self) -> bool:
        """True if only gradient rules apply the type: users never meet it by name."""
        return self.category == PARTS

    @property
    def from_plugin(self) -> bool:
        """True if the type comes from a plug-in."""
        return bool(self.plugin)

    def fault(self, error: BaseException, what: str = "its code fails") -> CodeError:
        """Returns the error to report for a mistake in the code of this type."""
        return error if isinstance(error, CodeError) else CodeError(error, what, self.plugin)

    @property
    def needs_no_inputs(self) -> bool:
        """True if the type gives tensors without any input, as a source does."""
        return all(port.optional for port in self.inputs)

    @abc.abstractmethod
    # Any: arrays or expressions go in, and the same come out.
    def __call__(self, *inputs: Any, name: str | None = None, **parameters: Any) -> Any:
        """Applies the operation to arrays or expressions."""

    def normalize(self, parameters: Mapping[str, object]) -> dict[str, Any]:  # Any: the kinds decide
        """Returns all parameters in normal form, with defaults.

        Raises: ParameterError for an unknown, missing or invalid one; CodeError if a check itself fails.
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
        return complete if self.complete is None else self.complete(complete)

    def input_names(self, count: int) -> list[str]:
        """Returns the names of the first `count` input ports, a variadic port counted from 0."""
        return _numbered([(port.name, port.variadic) for port in self.inputs], count)

    def output_names(self, count: int) -> list[str]:
        """Returns the names of the first `count` output ports, a variadic port counted from 0."""
        return _numbered([(port.name, port.variadic) for port in self.outputs], count)

    def input_port(self, name: str) -> InputPort | None:
        """Returns the declared port of `name` (`values` for `values_3` of a variadic port), or None."""
        return self._fixed_inputs.get(name) or next((port for port in self.inputs if _is_one_of(name, port)), None)

    def output_port(self, name: str) -> OutputPort | None:
        """Returns the declared output of `name`, or None."""
        return self._fixed_outputs.get(name) or next((port for port in self.outputs if _is_one_of(name, port)), None)

    @functools.cached_property
    def _fixed_inputs(self) -> dict[str, InputPort]:
        return {port.name: port for port in self.inputs if not port.variadic}

    @functools.cached_property
    def _fixed_outputs(self) -> dict[str, OutputPort]:
        return {port.name: port for port in self.outputs if not port.variadic}

    def sentence(self, error: BlockError) -> str:
        """Returns an error's message as a sentence that keeps the spelling of a port or parameter at its beginning."""
        first = str(error).partition(" ")[0]
        is_name = first in self.parameters or self.input_port(first) or self.output_port(first)
        return f"{str(error).rstrip('.')}." if is_name else error.sentence

    def port_at(self, index: int) -> InputPort:
        """Returns the declared port of the input with this number, a variadic port counted from 0."""
        return self.inputs[min(index, len(self.inputs) - 1)]


def arrange_inputs(operation: Operation, inputs: Sequence[Any]) -> list[Any]:
    """Returns the arguments of a rule: one for each port, a list for a variadic port."""
    fixed = sum(not port.variadic for port in operation.inputs)
    return [*inputs[:fixed], list(inputs[fixed:])] if fixed < len(operation.inputs) else list(inputs)


# For 300 functions `inspect.signature` takes a tenth of the start of a command; their code has the same facts.


def _ports_of(function: Function, accepts: Dtypes | Mapping[str, Dtypes]) -> tuple[InputPort, ...]:
    """Returns the input ports of a declared function: its arguments by position."""
    plain = inspect.unwrap(function)
    code, end = plain.__code__, plain.__code__.co_argcount + plain.__code__.co_kwonlyargcount
    by_position = code.co_varnames[: code.co_argcount]
    # The default of a port is None.
    optional = by_position[code.co_argcount - len(plain.__defaults__ or ()) :]
    variadic = code.co_varnames[end : end + bool(code.co_flags & inspect.CO_VARARGS)]
    return tuple(
        InputPort(name, _accepted(accepts, name), name in optional, name in variadic)
        for name in (*by_position, *variadic)
    )


def _parameters_of(function: Function, composed: Mapping[str, object]) -> dict[str, Parameter]:
    """Returns the parameters of a declared function: its arguments by keyword."""
    plain = inspect.unwrap(function)
    known = vars(builtins) | plain.__globals__
    defaults, kinds = plain.__kwdefaults__ or {}, dict[str, Kind]()
    for name in _by_keyword(plain):
        annotation = plain.__annotations__.get(name)
        said = known.get(annotation, annotation) if isinstance(annotation, str) else annotation
        kinds[name] = kind_of(composed.get(name, said))
    return {name: Parameter(name, kind, defaults.get(name, REQUIRED)) for name, kind in kinds.items()}


def _by_keyword(plain: Function) -> tuple[str, ...]:
    code = plain.__code__
    return code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]


def _composed(function: Function) -> dict[str, object]:
    """Returns what the annotations of parameters stand for that are no single name.

    They are evaluated with the declaration, since reading a file must run nothing.
    """
    plain = inspect.unwrap(function)
    annotations = ((name, plain.__annotations__.get(name)) for name in _by_keyword(plain))
    return {
        name: eval(annotation, plain.__globals__)
        for name, annotation in annotations
        if isinstance(annotation, str) and not annotation.isidentifier()
    }


def _accepted(accepts: Dtypes | Mapping[str, Dtypes], name: str) -> Dtypes:
    return accepts if isinstance(accepts, Dtypes) else accepts.get(name, FLOAT)


def _numbered(ports: list[tuple[str, bool]], count: int) -> list[str]:
    names = [name for name, variadic in ports if not variadic]
    return [*names, *(f"{ports[-1][0]}_{index}" for index in range(count - len(names)))]


def _is_one_of(name: str, port: InputPort | OutputPort) -> bool:
    """Returns whether a name belongs to a variadic port."""
    if not port.variadic:
        return False
    stem, _, number = name.rpartition("_")
    return stem == port.name and number.isascii() and number.isdigit() and (number == "0" or number[0] != "0")
