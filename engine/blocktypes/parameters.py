"""Kinds of block parameters: their accepted values, their normal forms, and their error messages.

A parameter's kind comes from the annotation of the block's function: `keepdims: bool`, `axis: Axes = None`.
"""

from __future__ import annotations

import enum
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from gradwire.engine.base import schema
from gradwire.engine.base.absent_tensor import AbsentTensor
from gradwire.engine.base.errors import BlockError, CodeError, DtypeError, ParameterError, WeightsError
from gradwire.engine.base.starts import read_start
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
        except schema.JsonFault as fault:
            raise ParameterError(fault.message) from None
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

        Raises: ParameterError if it does not fit; WeightsError if its numbers are missing; CodeError where the check
        itself fails.
        """
        if value is self.default:
            return value
        if isinstance(value, AbsentTensor):
            file, reason = value.place.file, value.reason
            raise WeightsError(f"parameter {self.name} lies in {file}, which {reason}; put it beside the graph's file")
        try:
            return self.kind.normalize(value)
        except (ParameterError, DtypeError) as error:
            raise ParameterError(f"parameter {self.name} {error}") from error
        except CodeError as error:
            raise CodeError(error.error, f"parameter {self.name} cannot be checked", error.plugin) from error


def _number(value: object) -> int | float:
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return schema.whole(value) if is_whole else schema.number(value)


def _integers(value: object) -> tuple[int, ...]:
    return tuple(map(schema.whole, schema.items(value, "a list of whole numbers")))


def _numbers(value: object) -> tuple[float, ...]:
    return tuple(map(schema.number, schema.items(value, "a list of numbers")))


def _axes(value: object) -> int | tuple[int, ...] | None:
    if value is None:
        return None
    return _integers(value) if isinstance(value, list | tuple) else schema.whole(value)


def _one_or_more(value: object) -> int | tuple[int, ...]:
    return _integers(value) if isinstance(value, list | tuple) else schema.whole(value)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(map(schema.text, schema.items(value, "a list of texts")))


def _names(value: object) -> tuple[str, ...]:
    """Returns names of columns; a number is a name, too."""
    return tuple(map(_name, schema.items(value, "a list of names")))


def _name(value: object) -> str:
    return str(value) if type(value) is int else schema.text(value)


def _one_or_more_names(value: object) -> str | tuple[str, ...]:
    return _names(value) if isinstance(value, list | tuple) else _name(value)


def _separator(value: object) -> str:
    is_sign = isinstance(value, str) and len(value) == 1 and not value.isalnum() and value not in "\"'+-.#%\r\n\0"
    if isinstance(value, str) and (is_sign or value == "auto"):
        return value
    raise schema.JsonFault(f"must be auto, or one sign such as a comma, not {schema.shown(value)}")


def _dtype(value: object) -> str:
    return schema.choice(value, tuple(DTYPES))


def _padding(value: object) -> str | tuple[tuple[int, ...], ...]:
    if isinstance(value, str) and value in ("SAME", "VALID"):
        return value
    if not isinstance(value, list | tuple):
        raise ParameterError(f"must be SAME, VALID or a list of pairs, not {schema.shown(value)}")
    return _pairs(value)


def _pairs(value: object) -> tuple[tuple[int, ...], ...]:
    pairs = tuple(map(_integers, schema.items(value, "a list of pairs")))
    if any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        raise ParameterError(f"must hold one pair of sizes of at least 0 for each axis, not {schema.shown(value)}")
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
PageName = Annotated[str, Kind("page", schema.text)]
PortNames = Annotated[tuple[str, ...], Kind("ports", _texts)]

Names = Annotated[tuple[str, ...], Kind("names", _names)]
NameOrNames = Annotated[str | tuple[str, ...], Kind("name", _one_or_more_names)]
# Any: numbers, and the names of a kind and a dtype
Start = Annotated[Mapping[str, Any], Kind("start", read_start)]
Separator = Annotated[str, Kind("separator", _separator)]

_PLAIN: dict[object, Kind] = {
    int: Kind("integer", schema.whole),
    float: Kind("number", schema.number),
    bool: Kind("boolean", schema.boolean),
    str: Kind("text", schema.text),
}

# Kinds of which no value is a tensor.
PLAIN_KINDS = frozenset(
    {
        *("integer", "number", "numbers", "boolean", "text", "choice", "axes"),
        *("sizes", "integers", "dtype", "padding", "pairs", "page", "ports"),
        *("names", "name", "separator", "start"),
    }
)


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
        return schema.choice(value, self.choices)
