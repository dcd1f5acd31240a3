"""Expressions as lines of source: one line a block, and what is used only once inside the line that uses it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.block_type import BlockType, Role, arrange_inputs
from engine.errors import CodeError
from engine.expression import Application, Expression
from engine.graph import same_value
from engine.primitives import Constant, Identity
from engine.program_text import FreeNames, array_text, is_atom, is_short, number_text
from engine.source_functions import FunctionSources
from engine.tensor_spec import Array

# Marks an operand that is more than a name, until it is clear whether it stands between commas or among operators.
_OPEN, _CLOSE = "\x01", "\x02"
_AS_ARGUMENT = re.compile(rf"(?:(?<=[(\[=])|(?<=, )|^){_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}(?=[,)\]]|$)")
_PASSED_ON = (Role.REROUTE,)


@dataclass(frozen=True)
class Dialect:
    """How a framework writes what is no block: `array` wraps the text of a NumPy array.

    `has_functions` says that a block without a line of its own may be a function beside the program.
    """

    key: str
    title: str
    array: str
    has_functions: bool = False


class Lines:
    """The lines of a program so far, and what each expression is called in it."""

    def __init__(self, dialect: Dialect, names: FreeNames) -> None:
        self.dialect, self.names = dialect, names
        self.functions = FunctionSources(names.take)
        self.texts: dict[Expression, str] = {}
        self.lines: list[str] = []
        self.refused: dict[BlockType, list[Application]] = {}
        self.failed: dict[Application, CodeError] = {}
        self._given: Mapping[Expression, str] = {}

    def take_lines(self) -> list[str]:
        """The lines written since the last call."""
        taken, self.lines = self.lines, []
        return taken

    def write(
        self,
        order: Sequence[Application],
        wanted: Mapping[Expression, str],
        kept: Iterable[Expression],
        given: Mapping[Expression, str] = MappingProxyType({}),
    ) -> None:
        """Writes applications in order; `wanted` says how outputs should be called, `kept` what is used afterwards.

        The names in `given` have been taken for these outputs before.
        """
        self._given = given
        uses = Counter(item for application in order for item in application.inputs if item is not None)
        uses.update(kept)
        for application in order:
            if application.type is Identity or application.type.role in _PASSED_ON:
                self._pass_on(application, wanted, uses)
            elif application.type is Constant and application.outputs[0] not in wanted:
                self._write_constant(application.outputs[0], application.parameters["value"], uses)
            else:
                self._write(application, wanted, uses)

    def name(self, expression: Expression, wanted: str) -> str:
        """The name of an expression; one that stands inside other lines so far gets a line."""
        text = self.texts[expression]
        if not text.isidentifier():
            self.texts[expression] = self.names.take(wanted)
            self.lines.append(f"{self.texts[expression]} = {text}")
        return self.texts[expression]

    def _pass_on(
        self, application: Application, wanted: Mapping[Expression, str], uses: Mapping[Expression, int]
    ) -> None:
        source, output = application.inputs[0], application.outputs[0]
        assert source is not None
        self.texts[output] = self.texts[source]
        if output in wanted or (uses[output] > 1 and not self.texts[source].isidentifier()):
            self.lines.append(f"{self._assign(output, wanted)} = {self.texts[source]}")

    def _write_constant(self, output: Expression, value: Array, uses: Mapping[Expression, int]) -> None:
        number = number_text(value)
        text = number or self.dialect.array.format(array_text(value))
        self.texts[output] = text
        if number is None and (uses[output] > 1 or not is_short(text)):
            self.name(output, "constant")

    def _write(
        self, application: Application, wanted: Mapping[Expression, str], uses: Mapping[Expression, int]
    ) -> None:
        text = self._call(application)
        outputs = application.outputs
        is_tuple = len(application.type.outputs) > 1 or application.type.outputs[0].variadic
        if not is_tuple and outputs[0] not in wanted and uses[outputs[0]] <= 1 and is_short(text):
            self.texts[outputs[0]] = text
            return
        names = [self._assign(output, wanted) for output in outputs]
        target = ", ".join(names) + ("," if is_tuple and len(names) == 1 else "")
        comment = "  # for the gradient a constant" if application.type.role is Role.STOP else ""
        self.lines.append(f"{target} = {text}{comment}")

    def _assign(self, output: Expression, wanted: Mapping[Expression, str]) -> str:
        self.texts[output] = self._given.get(output) or self.names.take(wanted.get(output, "part"))
        return self.texts[output]

    def _call(self, application: Application) -> str:
        block_type = application.type
        parameters = {name: _written(value) for name, value in application.parameters.items()}
        specs = [None if item is None else item.spec for item in application.inputs]
        try:
            text = _unmarked(block_type.spelling.write(self.dialect.key, self._sources(application), parameters, specs))
            if block_type.is_foreign:
                ast.parse(text or "None", mode="eval")
            if text or self.dialect.has_functions:
                return text or self._function_call(application)
        except Exception as error:  # code of plug-ins
            self.failed[application] = block_type.fault(error, "its line cannot be written")
            return "None"
        self.refused.setdefault(block_type, []).append(application)
        return "None"

    def _sources(self, application: Application) -> dict[str, str | list[str] | None]:
        is_sign = re.fullmatch(r"\{\w+\} [^\w\s]+ \{\w+\}", application.type.spelling.shown(self.dialect.key))
        refer = self._text if is_sign else self._as_array
        texts = [None if item is None else _marked(refer(item)) for item in application.inputs]
        ports = application.type.inputs
        arranged = arrange_inputs(application.type, texts)
        return {port.name: text for port, text in zip(ports, arranged, strict=True)}

    def _function_call(self, application: Application) -> str:
        texts = ["None" if item is None else self._as_array(item) for item in application.inputs]
        declared = application.type.parameters
        for name, value in application.parameters.items():
            if not same_value(value, declared[name].default):
                texts.append(f"{name}={_written(value)!r}")
        return f"{self.functions.name_of(application.type)}({', '.join(texts)})"

    def _as_array(self, item: Expression) -> str:
        """The text of an input of a function; a plain number, which has neither shape nor dtype, as an array."""
        is_number = item.application.type is Constant and item.ndim == 0 and not self.texts[item].isidentifier()
        return (
            self.dialect.array.format(array_text(item.application.parameters["value"]))
            if is_number
            else self.texts[item]
        )

    def _text(self, item: Expression) -> str:
        return self.texts[item]


class _Verbatim(str):
    """Source text that stands for a parameter."""

    def __repr__(self) -> str:
        return str(self)


def _written(value: Any) -> Any:  # Any: a parameter of any kind
    """A parameter as a line writes it: by `repr`, which for an array is no source."""
    return _Verbatim(array_text(value)) if isinstance(value, np.ndarray) else value


def _marked(text: str) -> str:
    return text if is_atom(text) else f"{_OPEN}{text}{_CLOSE}"


def _unmarked(text: str) -> str:
    return _AS_ARGUMENT.sub(r"\1", text).replace(_OPEN, "(").replace(_CLOSE, ")")
