"""Kinds of block parameters: their accepted values, their normal forms, and their error messages.

A parameter's kind comes from the annotation of the block's function: `keepdims: bool`, `axis: Axes = None`.
"""

from __future__ import annotations

import enum
import math
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from gradwire.engine.base.errors import BlockError, CodeError, DtypeError, ParameterError
from gradwire.engine.base.tensor_spec import DTYPES, Array, as_array


class _Required(enum.Enum):
    """Marker for a parameter without a default; it keeps its identity when it is sent to another process."""

    REQUIRED = "required"


REQUIRED: Final = _Required.REQUIRED
SEPARATORS: Final = (",", ";", "\t", "|", " ")
"""Signs between the cells of a table that are looked for; a blank stands for any run of blanks and tabs."""


class Kind(NamedTuple):
    """One kind of parameter: its name for editors, and a check that returns the normal form of a value.

    `plugin` names the plug-in that defines the check, if any.
    """

    name: str
    check: Callable[[object], object]
    choices: tuple[str, ...] = ()
    plugin: str = ""

    def normalize(self, value: object) -> object:
        """Returns `value` in its normal form.

        Raises: ParameterError or DtypeError if it does not fit; CodeError where the check itself fails.
        """
        try:
            return self.check(value)
        except BlockError:
            raise
        except Exception as error:  # Code of plug-ins may raise anything; no value may stop the rest of the graph.
            raise CodeError(error, "its value cannot be checked", self.plugin) from error


class Parameter(NamedTuple):
    """Setting of a block. A parameter without a default is required and always saved."""

    name: str
    kind: Kind
    default: object = REQUIRED

    @property
    def is_required(self) -> bool:
        """True if a block is incomplete without it."""
        return self.default is REQUIRED

    def normalize(self, value: object) -> object:
        """Returns `value` in the kind's normal form.

        Raises: ParameterError if it does not fit; CodeError where the check itself fails.
        """
        if value is self.default:
            return value
        try:
            return self.kind.normalize(value)
        except (ParameterError, DtypeError) as error:
            raise ParameterError(f"parameter {self.name} {error}") from error
        except CodeError as error:
            raise CodeError(error.error, f"parameter {self.name} cannot be checked", error.plugin) from error


def _integer(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(f"must be a whole number, not {_shown(value)}")
    if not -(2**63) <= value < 2**63:
        raise ParameterError(f"must fit into 64 bits, not {_shown(value)}")
    return int(value)


def _real(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ParameterError(f"must be a number, not {_shown(value)}")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ParameterError(f"must be a finite number, not {_shown(value)}")
    return number


def _number(value: object) -> int | float:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return _integer(value) if is_whole else _real(value)


def _boolean(value: object) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"must be true or false, not {_shown(value)}")
    return bool(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ParameterError(f"must be text, not {_shown(value)}")
    return value


def _integers(value: object) -> tuple[int, ...]:
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be a list of whole numbers, not {_shown(value)}")
    return tuple(_integer(item) for item in value)


def _numbers(value: object) -> tuple[float, ...]:
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be a list of numbers, not {_shown(value)}")
    return tuple(_real(item) for item in value)


def _axes(value: object) -> int | tuple[int, ...] | None:
    if value is None:
        return None
    return _integers(value) if isinstance(value, list | tuple) else _integer(value)


def _one_or_more(value: object) -> int | tuple[int, ...]:
    return _integers(value) if isinstance(value, list | tuple) else _integer(value)


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be a list of texts, not {_shown(value)}")
    return tuple(_text(item) for item in value)


def _names(value: object) -> tuple[str, ...]:
    """Returns names of columns; a number is a name, too."""
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be a list of names, not {_shown(value)}")
    return tuple(_name(item) for item in value)


def _name(value: object) -> str:
    return str(value) if type(value) is int else _text(value)


def _one_or_more_names(value: object) -> str | tuple[str, ...]:
    return _names(value) if isinstance(value, list | tuple) else _name(value)


def _separator(value: object) -> str:
    is_sign = isinstance(value, str) and len(value) == 1 and not value.isalnum() and value not in "\"'+-.#%\r\n\0"
    if not is_sign and value != "auto":
        raise ParameterError(f"must be auto, or one sign such as a comma, not {_shown(value)}")
    return str(value)


def _dtype(value: object) -> str:
    if not isinstance(value, str) or value not in DTYPES:
        raise ParameterError(f"must be one of {', '.join(DTYPES)}, not {_shown(value)}")
    return value


def _padding(value: object) -> str | tuple[tuple[int, ...], ...]:
    if isinstance(value, str):
        if value not in ("SAME", "VALID"):
            raise ParameterError(f"must be SAME, VALID or a list of pairs, not {_shown(value)}")
        return value
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be SAME, VALID or a list of pairs, not {_shown(value)}")
    return _pairs(value)


def _pairs(value: object) -> tuple[tuple[int, ...], ...]:
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be a list of pairs, not {_shown(value)}")
    pairs = tuple(_integers(item) for item in value)
    if any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ParameterError(f"must hold one pair of sizes of at least 0 for each axis, not {_shown(value)}")
    return pairs


def _tensor(value: object) -> Array:
    array = as_array(value)
    if array.ndim > 16:
        raise ParameterError(f"may have at most 16 axes, not {array.ndim}")
    if array.flags.writeable:
        array = array.copy()
        array.setflags(write=False)
    return array


@dataclass(frozen=True)
class _Optional:
    """Check that also accepts None."""

    check: Callable[[object], object]

    def __call__(self, value: object) -> object:
        return None if value is None else self.check(value)


def _shown(value: object) -> str:
    """Returns a value as a user would write it, cut to 40 characters."""
    text = _written(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _written(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, np.ndarray):
        return f"a tensor of shape {list(value.shape)}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


Axis = int
Axes = Annotated[int | tuple[int, ...] | None, Kind("axes", _axes)]
Sizes = Annotated[int | tuple[int, ...], Kind("sizes", _one_or_more)]
IntList = Annotated[tuple[int, ...], Kind("integers", _integers)]
NumberList = Annotated[tuple[float, ...], Kind("numbers", _numbers)]
DtypeName = Annotated[str, Kind("dtype", _dtype)]
# Number that stays an integer if the user writes it without a point.
Number = Annotated[int | float, Kind("number", _number)]
Padding = Annotated[str | tuple[tuple[int, int], ...], Kind("padding", _padding)]
Pairs = Annotated[tuple[tuple[int, int], ...], Kind("pairs", _pairs)]
Tensor = Annotated[Array, Kind("tensor", _tensor)]
PageName = Annotated[str, Kind("page", _text)]
PortNames = Annotated[tuple[str, ...], Kind("ports", _texts)]

Names = Annotated[tuple[str, ...], Kind("names", _names)]
NameOrNames = Annotated[str | tuple[str, ...], Kind("name", _one_or_more_names)]
Separator = Annotated[str, Kind("separator", _separator)]

_PLAIN: dict[object, Kind] = {
    int: Kind("integer", _integer),
    float: Kind("number", _real),
    bool: Kind("boolean", _boolean),
    str: Kind("text", _text),
}


def kind_of(annotation: Any) -> Kind:  # Any: annotations have no common type
    """Returns the kind for an annotation of a block's function.

    Raises: TypeError for an annotation that is no kind; that is a mistake in the block's declaration.
    """
    if typing.get_origin(annotation) is Annotated:
        found = [item for item in annotation.__metadata__ if isinstance(item, Kind)]
        if found:
            return found[0]
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if typing.get_origin(annotation) is typing.Literal:
        choices = typing.get_args(annotation)
        return Kind("choice", _Choice(choices), choices)
    options = [item for item in typing.get_args(annotation) if item is not type(None)]
    if len(options) == 1:
        kind = kind_of(options[0])
        return kind._replace(check=_Optional(kind.check))
    raise TypeError(f"{annotation} is not a kind of parameter")


@dataclass(frozen=True)
class _Choice:
    """Check that accepts a fixed set of texts."""

    choices: tuple[str, ...]

    def __call__(self, value: object) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise ParameterError(f"must be one of {', '.join(self.choices)}, not {_shown(value)}")
        return value
