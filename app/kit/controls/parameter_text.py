"""Parameters as text: the conversion of each kind into a line and back."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, Final

import numpy as np

from gradwire.app.base.number_keys import whole_steps
from gradwire.app.base.translation import tr
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.engine.base.errors import DtypeError, ParameterError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.interop.typed.array_expressions import computed
from gradwire.interop.typed.tensor_text import array_text, number_text, read_nested, read_typed, with_point

ELEMENTS_EDITED: Final = 64
# Elements that are computed at each key.
_MOST_SHOWN: Final = 2**18
_SHOWN_WHOLE: Final = 16
_NUMBERS: Final = ("integer", "number")


def read_parameter(parameter: Parameter, text: str, point: str, dtype: np.dtype[Any] | None = None) -> object:
    """Returns the value that a text spells for a parameter; a lone number may use the decimal `point`.

    `dtype` is the dtype of a tensor. The parameter has yet to validate the value.
    Raises: ParameterError if the kind has no value of this form.
    """
    kind = parameter.kind.name
    if kind in ("text", "page"):
        return text
    text = text.strip()
    if kind == "tensor":
        return read_typed(text, point, dtype) if text else None
    if kind in _NUMBERS:
        text = with_point(text, point)
    return _READERS[kind](text)


def parameter_text(parameter: Parameter, value: object) -> str:
    """Returns a parameter's value as its line shows it."""
    if parameter.kind.name in ("name", "names") and isinstance(value, tuple | list):
        names = _names_text(value)
        return f"[{names}]" if parameter.kind.name == "name" else names
    if parameter.kind.name == "ports":
        return ", ".join(map(str, value)) if isinstance(value, tuple | list) else ""
    if isinstance(value, float) and keeps_whole(parameter):
        return str(value)
    return value_text(value)


def value_text(value: object) -> str:
    """Returns a short text of a value; a tensor too large for a line becomes its shape and dtype."""
    if value is None:
        return ""
    if isinstance(value, np.ndarray):
        return array_text(value) if is_editable(value) else f"{shape_text(value.shape)} {value.dtype.name}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(value_text, value))}]"
    return number_text(value) if isinstance(value, float) else str(value)


def result_text(text: str, point: str) -> str:
    """Returns what an expression comes to, as a line below its field: `= 0.5`; empty if a text computes nothing."""
    try:
        found = computed(with_point(text, point), _MOST_SHOWN)
    except ParameterError:
        return ""
    is_short = found.array.size <= _SHOWN_WHOLE
    result = f"= {_rounded(found.array) if is_short else shape_text(found.array.shape)}"
    return result if found.seed is None else f"{result} ({tr('seed {seed}', seed=found.seed)})"


def _rounded(array: Array) -> str:
    return f"[{', '.join(map(_rounded, array))}]" if array.ndim else fmt(float(array))


def keeps_whole(parameter: Parameter) -> bool:
    """Returns whether a parameter distinguishes 1 from 1.0, because the number determines a dtype."""
    try:
        return parameter.kind.name == "number" and isinstance(parameter.kind.normalize(1), int)
    except (ParameterError, DtypeError):
        return False


def can_be_none(parameter: Parameter) -> bool:
    """Returns whether a parameter may be None."""
    try:
        return parameter.kind.normalize(None) is None
    except (ParameterError, DtypeError):
        return False


def is_editable(array: Array) -> bool:
    """Returns whether a line can hold the array: it is short, and if empty it has only one axis."""
    return array.size <= ELEMENTS_EDITED and (array.size > 0 or array.ndim == 1)


def stepped(parameter: Parameter, value: float, steps: Decimal) -> float | int:
    """Returns a number some steps further.

    A step is 1 for whole numbers, else a tenth of the default's power of ten.
    """
    if parameter.kind.name == "integer" or (isinstance(value, int) and keeps_whole(parameter)):
        return int(value) + whole_steps(steps)
    return float(Decimal(repr(value)) + step_size(parameter) * steps)


def step_size(parameter: Parameter) -> Decimal:
    """Returns the size of a step for numbers with fractions."""
    default = parameter.default
    size = abs(default) if isinstance(default, int | float) and default else 1.0
    return Decimal(10) ** (math.floor(math.log10(size)) - 1)


def _read_number(text: str) -> object:
    return read_nested(text) if text else None


def _read_list(text: str) -> object:
    if not text:
        return None
    value = read_nested(text)
    return value if isinstance(value, list) else [value]


def _read_padding(text: str) -> object:
    return text.upper() if text.upper() in ("SAME", "VALID") else _read_list(text)


def _read_ports(text: str) -> object:
    return tuple(part for part in re.split(r"[,\s]+", text.strip("[]() ")) if part)


def _read_names(text: str) -> object:
    """Returns names between commas; one that holds a comma stands between quotation marks."""
    inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    try:
        return tuple(name.strip() for name in next(csv.reader([inner], skipinitialspace=True, strict=True), []) if name)
    except csv.Error as error:
        raise ParameterError("must be names with commas between") from error


def _read_name(text: str) -> object:
    return _read_names(text) if text.startswith("[") and text.endswith("]") else text


def _names_text(names: Iterable[object]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(names)
    return line.getvalue().replace(",", ", ") if '"' not in line.getvalue() else line.getvalue()


_READERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(("integer", "number", "axes", "sizes"), _read_number),
    **dict.fromkeys(("integers", "numbers", "pairs"), _read_list),
    "padding": _read_padding,
    "ports": _read_ports,
    "name": _read_name,
    "names": _read_names,
}
