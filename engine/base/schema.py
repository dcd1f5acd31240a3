"""One schema for what files and users give: type, range and count of values; what does not fit is told with its place.

A reader is a function of a value of any kind. It returns the value as the program uses it, or raises JsonFault. Plans,
checks, states and parameters of blocks are read by these readers alone, so no other code compares raw values.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from gradwire.engine.base.errors import DtypeError, FileError
from gradwire.engine.base.reading_time import in_time
from gradwire.engine.base.tensor_spec import Array, as_array
from gradwire.engine.base.untrusted_text import plain

T = TypeVar("T")
# Path to a value from the outside in: keys of objects and indexes of lists.
Path = tuple[str | int, ...]
_LONGEST, _FEW = 40, 4
# As many rounds, repetitions and the like may be asked for.
MOST_ROUNDS = 10**12
_BITS = 63


class JsonFault(FileError):
    """Unsuitable value; `path` leads to it from the value that was being read."""

    def __init__(self, message: str, path: Path = ()) -> None:
        super().__init__(message)
        self.path = path

    def under(self, *steps: str | int) -> JsonFault:
        """Returns the same fault with its path extended from outside."""
        return JsonFault(self.message, (*steps, *self.path))


def shown(value: object, depth: int = 2) -> str:
    """Returns a value for a sentence, shortened; never raises, whatever the value is."""
    if isinstance(value, Mapping):
        shape = value.get("shape")
        is_tensor = isinstance(value.get("dtype"), str) and isinstance(shape, list | tuple)
        return f"a tensor of shape {shown(shape)}" if is_tensor else "an object"
    if isinstance(value, np.ndarray):
        return f"a tensor of shape {list(value.shape)}"
    if isinstance(value, list | tuple):
        if len(value) > _FEW or not depth:
            return f"a list of {len(value):,}"
        return _cut(f"[{', '.join(shown(item, depth - 1) for item in value)}]")
    if isinstance(value, str):
        # Shortened before encoding: a text may have megabytes, and nobody reads more.
        return _cut(plain(json.dumps(value[:60], ensure_ascii=False)))
    return _cut(_number_text(value))


def _number_text(value: object) -> str:
    if value is None or isinstance(value, bool | np.bool_):
        return {None: "null", True: "true", False: "false"}[None if value is None else bool(value)]
    if isinstance(value, int) and value.bit_length() > 1024:
        return "a number beyond 1.8e308"
    return str(value) if isinstance(value, int | float | np.number) else "something else"


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def whole(value: object, least: int = -(2**_BITS), most: int = 2**_BITS - 1) -> int:
    """Returns a whole number of a range."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise JsonFault(f"must be {_whole_text(least)}, not {shown(value)}")
    if least <= value <= most:
        return int(value)
    if not -(2**_BITS) <= value < 2**_BITS:
        raise JsonFault(f"must fit into 64 bits, not {shown(value)}")
    if value < least:
        raise JsonFault(f"must be {_whole_text(least)}, not {shown(value)}")
    raise JsonFault(f"may be at most {most:,}, not {shown(value)}")


def _whole_text(least: int) -> str:
    return "a whole number" if least == -(2**_BITS) else f"a whole number of at least {least}"


def rounds(value: object, least: int = 0) -> int:
    """Returns a number of rounds."""
    return whole(value, least, MOST_ROUNDS)


def number(value: object) -> float:
    """Returns a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise JsonFault(f"must be a number, not {shown(value)}")
    try:
        found = float(value)
    except OverflowError:
        found = math.inf
    if not math.isfinite(found):
        raise JsonFault(f"must be a finite number, not {shown(value)}")
    return found


def at_least_0(value: object) -> float:
    """Returns a finite number of at least 0."""
    if (found := number(value)) < 0:
        raise JsonFault(f"must be at least 0, not {shown(value)}")
    return found


def above_0(value: object) -> float:
    """Returns a finite number above 0."""
    if (found := number(value)) <= 0:
        raise JsonFault(f"must be above 0, not {shown(value)}")
    return found


def share(value: object) -> float:
    """Returns a number from 0 to 1."""
    if not 0 <= (found := number(value)) <= 1:
        raise JsonFault(f"must be from 0 to 1, not {shown(value)}")
    return found


def share_below_1(value: object) -> float:
    """Returns a number of at least 0 and below 1."""
    if not 0 <= (found := number(value)) < 1:
        raise JsonFault(f"must be at least 0 and below 1, not {shown(value)}")
    return found


def boolean(value: object) -> bool:
    """Returns true or false."""
    if not isinstance(value, bool | np.bool_):
        raise JsonFault(f"must be true or false, not {shown(value)}")
    return bool(value)


def text(value: object) -> str:
    """Returns a text."""
    if not isinstance(value, str):
        raise JsonFault(f"must be text, not {shown(value)}")
    return value


def label(value: object, longest: int = 64) -> str:
    """Returns a text with letters, not too many."""
    if not isinstance(value, str) or not value.strip() or len(value) > longest:
        raise JsonFault(f"must be a text of 1 to {longest} letters, not {shown(value)}")
    return value


def choice(value: object, names: Sequence[str]) -> str:
    """Returns one of some words."""
    if not isinstance(value, str) or value not in names:
        raise JsonFault(f"must be one of {', '.join(names)}, not {shown(value)}")
    return value


def items(value: object, what: str = "a list") -> Sequence[object]:
    """Returns the items of a list; a text and a tensor are none."""
    if not isinstance(value, list | tuple):
        raise JsonFault(f"must be {what}, not {shown(value)}")
    return value


def counted(value: object, most: int, what: str) -> list[object]:
    """Returns the items of a list of limited length; `what` names them in the plural."""
    found = items(value)
    if len(found) > most:
        raise JsonFault(f"has {len(found):,} {what}; at most {most:,} are allowed")
    return list(found)


def tensor(value: object) -> Array:
    """Returns a tensor, a number, or lists of numbers of one length each, as an array."""
    if not isinstance(value, np.ndarray | int | float | list | tuple | np.number | np.bool_):
        raise JsonFault(f"must be a tensor or numbers, not {shown(value)}")
    try:
        return as_array(value)
    except DtypeError:
        raise JsonFault(f"must be a tensor or numbers, in lists of one length, not {shown(value)}") from None


def one_number(value: object) -> float:
    """Returns a finite number, which may also stand in a tensor of one element."""
    if isinstance(value, np.ndarray) and value.size == 1:
        return number(value.item())
    return number(value)


def read_each(values: Sequence[object], read: Callable[[object], T]) -> list[T]:
    """Returns the items, each read by `read`; a fault names the index of its item."""
    found: list[T] = []
    try:
        for value in in_time(values):
            found.append(read(value))
    except JsonFault as fault:
        raise fault.under(len(found)) from None
    return found
