"""Expressions as lines of source: one line a block; what is used only once stands inside the line that uses it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from gradwire.engine.autodiff.own_gradients import OwnGradient
from gradwire.engine.base.errors import CodeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Role, arrange_inputs
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.blocktypes.primitives import Constant, Identity
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.export.own_gradient_lines import own_call
from gradwire.engine.export.program_text import (
    STOPPED,
    FreeNames,
    TensorText,
    array_text,
    is_atom,
    is_short,
    number_text,
)
from gradwire.engine.export.source_functions import FunctionSources
from gradwire.engine.graph.graph import same_value

# Marks an operand that is more than a name, until it is clear whether it stands between commas or among operators.
_OPEN, _CLOSE = "\x01", "\x02"
_AS_ARGUMENT = re.compile(rf"(?:(?<=[(\[=])|(?<=, )|^){_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}(?=[,)\]]|$)")
_PASSED_ON = (Role.REROUTE,)


class Lines:
    """The lines of a program so far, and the name of each expression in it."""

    def __init__(self, target: Target, names: FreeNames, functions: FunctionSources | None = None) -> None:
        self.target, self.names = target, names
        self.functions = functions or FunctionSources(names.take)
        self.texts: dict[Expression, str] = {}
        self.lines: list[str] = []
        self.refused: list[Application] = []
        self._has_told_zeros = False
        self.failed: dict[Application, CodeError] = {}
        self._given: Mapping[Expression, str] = {}
        self._stood_in: set[Application] = set()

    def take_lines(self) -> list[str]:
        """Returns the lines written since the last call."""
        taken, self.lines = self.lines, []
        return taken

    def write(
        self,
        order: Sequence[Application],
        wanted: Mapping[Expression, str],
        kept: Iterable[Expression],
        given: Mapping[Expression, str] = MappingProxyType({}),
    ) -> None:
        """Writes applications in order; `wanted` has the names of outputs, `kept` the expressions that are used later.

        The names in `given` have been taken for these outputs before.
        """
        self._given = given
        uses = Counter(item for application in order for item in application.inputs if item is not None)
        uses.update(kept)
        for application in order:
            if self._is_passed_on(application):
                self._pass_on(application, wanted, uses)
            elif application.type is Constant and application.outputs[0] not in wanted:
                self._write_constant(application.outputs[0], application.parameters["value"], uses)
            else:
                self._write(application, wanted, uses)

    def hold(self, spec: TensorSpec, wanted: str) -> Expression:
        """Returns a tensor that the program has by a name of its own, however it is computed."""
        held = Application(Constant, (), {}, (spec,)).outputs[0]
        self.texts[held] = self.names.take(wanted)
        return held

    def name(self, expression: Expression, wanted: str) -> str:
        """Returns the name of an expression; one that stands inside other lines so far gets a line."""
        text = self.texts[expression]
        if not text.isidentifier():
            self.texts[expression] = self.names.take(wanted)
            self.lines.append(f"{self.texts[expression]} = {text}")
        return self.texts[expression]

    def _is_passed_on(self, application: Application) -> bool:
        if application.type is OwnGradient:
            return not self.target.own_gradient
        return application.type is Identity or application.type.role in _PASSED_ON

    def _pass_on(
        self, application: Application, wanted: Mapping[Expression, str], uses: Mapping[Expression, int]
    ) -> None:
        sources = application.inputs[len(application.inputs) - len(application.outputs) :]
        for source, output in zip(sources, application.outputs, strict=True):
            assert source is not None
            self.texts[output] = self.texts[source]
            if output in wanted or (uses[output] > 1 and not self.texts[source].isidentifier()):
                self.lines.append(f"{self._assign(output, wanted)} = {self.texts[source]}")

    def _write_constant(self, output: Expression, value: Array, uses: Mapping[Expression, int]) -> None:
        number = number_text(value)
        text = number or self.target.array.format(array_text(value))
        self.texts[output] = text
        if number is None and (uses[output] > 1 or not is_short(text)):
            self.name(output, "constant")

    def _write(
        self, application: Application, wanted: Mapping[Expression, str], uses: Mapping[Expression, int]
    ) -> None:
        text = self._call(application)
        outputs, comment = application.outputs, self._comment(application)
        is_tuple = len(application.type.outputs) > 1 or application.type.outputs[0].variadic
        is_tuple = is_tuple and not (application.type is OwnGradient and len(outputs) == 1)
        is_plain = not is_tuple and outputs[0] not in wanted and not comment
        if is_plain and uses[outputs[0]] <= 1 and is_short(text):
            self.texts[outputs[0]] = text
            return
        names = [self._assign(output, wanted) for output in outputs]
        left = ", ".join(names) + ("," if is_tuple and len(names) == 1 else "")
        self.lines.append(f"{left} = {text}{comment}")

    def _comment(self, application: Application) -> str:
        if application.type.role is Role.STOP:
            return f"  {STOPPED}"
        if application in self._stood_in:
            return ""
        spelling = application.type.spelling
        notes = [spelling.notes.get(self.target.line_key(spelling), "")]
        if application.type.sums_products and not self._has_told_zeros:
            self._has_told_zeros = True
            notes.append(self.target.zeros)
        note = "; ".join(filter(None, notes))
        return f"  # {note}" if note else ""

    def _assign(self, output: Expression, wanted: Mapping[Expression, str]) -> str:
        self.texts[output] = self._given.get(output) or self.names.take(wanted.get(output, "part"))
        return self.texts[output]

    def _call(self, application: Application) -> str:
        block_type = application.type
        if block_type is OwnGradient:
            return own_call(self, application)
        parameters = {name: _written(value) for name, value in application.parameters.items()}
        specs = [None if item is None else item.spec for item in application.inputs]
        try:
            text = _unmarked(self.target.line(block_type.spelling, self._sources(application), parameters, specs))
            if block_type.from_plugin:
                ast.parse(text or "None", mode="eval")
            if not text:
                self._stood_in.add(application)
                text = self._stand_in(application)
            if text:
                return text
        except Exception as error:  # code of plug-ins
            self.failed[application] = block_type.fault(error, "its line cannot be written")
            return "None"
        self.refused.append(application)
        return "None"

    def _stand_in(self, application: Application) -> str:
        """Returns a call that takes the place of a line, or an empty text."""
        return self._function_call(application) if self.target.has_functions else ""

    def _sources(self, application: Application) -> dict[str, str | list[str] | None]:
        spelling = application.type.spelling
        is_sign = re.fullmatch(r"\{\w+\} [^\w\s]+ \{\w+\}", spelling.shown(self.target.line_key(spelling)))
        # A sign between two plain numbers would give a number, which is no tensor.
        has_tensor = any(item is not None and not self._is_number(item) for item in application.inputs)
        refer = self._text if is_sign and has_tensor else self.as_array
        hold = self._as_constant if self._has_no_gradient(application) else lambda _, text: text
        texts = [None if item is None else hold(item, _marked(refer(item))) for item in application.inputs]
        ports = application.type.inputs
        arranged = arrange_inputs(application.type, texts)
        return {port.name: text for port, text in zip(ports, arranged, strict=True)}

    def _has_no_gradient(self, application: Application) -> bool:
        """Returns whether a library would send zeros back, which are NaN where the slope behind them is infinite."""
        is_without_rule = application.type.role is Role.ORDINARY and application.type.rule is None
        gives_floats = any(item.spec.is_differentiable for item in application.outputs)
        return bool(self.target.constant) and is_without_rule and gives_floats

    def _as_constant(self, item: Expression, text: str) -> str:
        is_constant = self._is_number(item) or item.application.type.role in (Role.SOURCE, Role.STOP)
        return text if is_constant or not item.spec.is_differentiable else self.target.constant.format(text)

    def _function_call(self, application: Application) -> str:
        texts = [None if item is None else self.as_array(item) for item in application.inputs]
        return self.function_call(application, texts)

    def function_call(self, application: Application, texts: Iterable[str | None]) -> str:
        """Returns a call of the NumPy function of a block type, which stands beside the program, with these inputs."""
        arguments = ["None" if text is None else text for text in texts]
        declared = application.type.parameters
        for name, value in application.parameters.items():
            if not same_value(value, declared[name].default):
                arguments.append(f"{name}={_written(value)!r}")
        return f"{self.functions.name_of(application.type)}({', '.join(arguments)})"

    def as_array(self, item: Expression) -> str:
        """Returns the text of a function's input; a plain number, which has no shape, becomes an array."""
        if not self._is_number(item):
            return self.texts[item]
        return self.target.array.format(array_text(item.application.parameters["value"]))

    def _is_number(self, item: Expression) -> bool:
        return item.application.type is Constant and item.ndim == 0 and not self.texts[item].isidentifier()

    def _text(self, item: Expression) -> str:
        return self.texts[item]


def _written(value: Any) -> Any:  # Any: a parameter of any kind
    """Returns a parameter as a line writes it: by `repr`, which for an array is no source."""
    return TensorText(value) if isinstance(value, np.ndarray) else value


def _marked(text: str) -> str:
    return text if is_atom(text) else f"{_OPEN}{text}{_CLOSE}"


def _unmarked(text: str) -> str:
    return _AS_ARGUMENT.sub(r"\1", text).replace(_OPEN, "(").replace(_CLOSE, ")")
