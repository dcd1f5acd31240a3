"""The signature and the documentation of a block type, as Python shows those of a function."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.base.text_columns import columns
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.type_ports import InputPort, OutputPort, port_names

_DTYPES = f"Literal[{', '.join(map(repr, DTYPES))}]"
# The Python types that the check of each kind of parameter lets pass.
_OF_KIND = {
    "axes": "int | Sequence[int] | None",
    "boolean": "bool",
    "dtype": _DTYPES,
    "integer": "int",
    "integers": "Sequence[int]",
    "name": "str | Sequence[str]",
    "names": "Sequence[str | int]",
    "number": "float",
    "numbers": "Sequence[float]",
    "padding": "Literal['SAME', 'VALID'] | Sequence[Sequence[int]]",
    "page": "str",
    "pairs": "Sequence[Sequence[int]]",
    "ports": "Sequence[str]",
    "separator": "str",
    "sizes": "int | Sequence[int]",
    "tensor": "ArrayLike",
    "text": "str",
}


GIVEN, RESULT = "Expression | ArrayLike", "Expression | Array"


class Annotation(str):
    """An annotation as text; `inspect` shows it without quotation marks."""

    def __repr__(self) -> str:
        return str(self)


def signature_of(
    inputs: Sequence[InputPort], outputs: Sequence[OutputPort], parameters: Mapping[str, Parameter]
) -> inspect.Signature:
    """Returns the signature of a call: ports by position, parameters by keyword, and the block's `name`."""
    found = [_port(port) for port in inputs] + [_setting(item) for item in parameters.values()]
    if "name" not in parameters:
        found.append(_keyword("name", "str | None", None))
    return inspect.Signature(found, return_annotation=_result(outputs))


def parameter_facts(parameter: Parameter) -> tuple[str, str]:
    """Returns the values that a parameter takes, and its default."""
    choices = f" ({', '.join(parameter.kind.choices)})" if parameter.kind.choices else ""
    default = "required" if parameter.is_required else f"default {default_text(parameter)}"
    return f"{parameter.kind.name}{choices}", default


def default_text(parameter: Parameter) -> str:
    """Returns the default of a parameter as text."""
    value = parameter.default
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return '""' if value == "" else str(value)


def help_rows(
    inputs: Iterable[InputPort], outputs: Iterable[OutputPort], parameters: Iterable[Parameter]
) -> list[tuple[str, str]]:
    """Returns the ports and parameters of a block type, each with a label, for the help."""
    return [
        ("inputs", ", ".join(port_names(inputs)) or "none"),
        ("outputs", ", ".join(port_names(outputs)) or "none"),
        *((f"parameter {item.name}", ", ".join(parameter_facts(item))) for item in parameters),
    ]


def help_text(text: str, rows: Iterable[tuple[str, str]]) -> str:
    """Returns a help text with a table below it; rows without a second text are left out."""
    return f"{text}\n\n{columns([row for row in rows if row[1]])}"


def _port(port: InputPort) -> inspect.Parameter:
    if port.variadic:
        return inspect.Parameter(port.name, inspect.Parameter.VAR_POSITIONAL, annotation=Annotation(GIVEN))
    kind, default = inspect.Parameter.POSITIONAL_ONLY, None if port.optional else inspect.Parameter.empty
    annotation = Annotation(f"{GIVEN} | None" if port.optional else GIVEN)
    return inspect.Parameter(port.name, kind, default=default, annotation=annotation)


def _setting(parameter: Parameter) -> inspect.Parameter:
    default = inspect.Parameter.empty if parameter.is_required else parameter.default
    return _keyword(parameter.name, _annotation(parameter), default)


def _keyword(name: str, annotation: str, default: object) -> inspect.Parameter:
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(name, kind, default=default, annotation=Annotation(annotation))


def _annotation(parameter: Parameter) -> str:
    """Returns the Python types that a parameter takes; a kind that only a plug-in knows takes any object."""
    kind = parameter.kind
    text = f"Literal[{', '.join(map(repr, kind.choices))}]" if kind.choices else _OF_KIND.get(kind.name, "object")
    is_open = text.endswith("None") or text == "object"
    return f"{text} | None" if not is_open and _takes_none(parameter) else text


def _takes_none(parameter: Parameter) -> bool:
    if parameter.default is None:
        return True
    try:
        return parameter.kind.normalize(None) is None
    except GradwireError:
        return False


def _result(outputs: Sequence[OutputPort]) -> Annotation:
    """Returns the annotation of what a call gives: several outputs, or a variadic one, are a tuple."""
    if len(outputs) == 1 and not outputs[0].variadic:
        return Annotation(RESULT)
    inner = f"{RESULT}, ..." if outputs and outputs[-1].variadic else ", ".join([RESULT] * len(outputs))
    return Annotation(f"tuple[{inner or '()'}]")
