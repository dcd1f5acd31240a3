"""Pieces of Python source that programs for every framework are made of: names, arrays, lines."""

from __future__ import annotations

import base64
import builtins
import keyword
import re
from collections.abc import Iterable

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.export.source_functions import MODULES, literal

# The line above the comparison with the numbers of the graph, and the one above the gradients.
CHECKED, BACKWARD = "# What Gradwire found.", "# Backward"
# The comment behind a value that is a constant for the gradient.
STOPPED = "# for the gradient a constant"
# The function that makes an operation of a library of NumPy's functions for value and gradient.
OPERATION = "numpy_operation"
WRITTEN_OUT = 1_024
_LINE = 100
# Names that every program uses itself.
_OWN = {"deviation", "expected", "found", "largest", "name", "tape", "value"}
_ATOM = re.compile(r"[A-Za-z_][\w.]*|\d[\d.e+-]*")


class FreeNames:
    """Names that a program has not used yet; none is a word of Python, a module, or what a program uses itself.

    `reserved` has the names of more modules.
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *MODULES, *_OWN, *reserved}

    def inside(self, shadowed: Iterable[str] = ()) -> FreeNames:
        """Returns the names that are free inside a function of the program, which takes none from the program.

        The function may have `shadowed` names itself, for it never means what the program calls so.
        """
        return FreeNames(self._taken.difference(shadowed))

    def reserve(self, name: str) -> None:
        """Takes a name that may be taken already."""
        self._taken.add(name)

    def take(self, wanted: str) -> str:
        """Returns `wanted`, or with a number behind it.

        Raises: ValueError if it is no name at all.
        """
        if not (wanted.isascii() and wanted.isidentifier()):
            raise ValueError(f"{wanted!r} is no name")
        name, number = wanted, 1
        while name in self._taken:
            number += 1
            name = f"{wanted.rstrip('_')}_{number}"
        self._taken.add(name)
        return name


def identifier(wanted: str) -> str:
    """Returns a text that begins with a letter as a name; users choose the names of page ports."""
    return re.sub(r"[^A-Za-z0-9_]+", "_", wanted)


def text_literal(text: str) -> str:
    """Returns a text as source that prints harmlessly, between double quotes as all texts of a program."""
    written = repr(plain(text))
    return f'"{written[1:-1]}"' if written[0] == "'" and '"' not in written else written


def array_text(array: Array) -> str:
    """Returns an array as NumPy source: written out up to 1,024 elements, as base64 above."""
    if array.size > WRITTEN_OUT:
        packed = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
        raw = f'np.frombuffer(base64.b64decode("{packed}"), {literal(array.dtype)})'
        return f"{raw}.reshape({array.shape})"
    if array.size == 0:
        return f"np.zeros({array.shape}{_dtype_text(array, 'f8')})"
    if array.size > 1 and not any(array.strides):
        return _filled_text(array)
    return f"np.array({_nested(array)}{_dtype_text(array, 'f8 i8 b1')})"


class TensorText(str):
    """Source text that stands for a tensor parameter, whose numbers are its `array`."""

    array: Array

    def __new__(cls, array: Array) -> TensorText:
        """Returns the text of an array."""
        made = super().__new__(cls, array_text(array))
        made.array = array
        return made

    def __repr__(self) -> str:
        return str(self)


def number_text(array: Array) -> str | None:
    """Returns a scalar as a plain number, which takes the dtype of what it meets; None for any other array."""
    return literal(array.item()) if array.ndim == 0 and array.dtype.kind != "b" else None


def is_atom(text: str) -> bool:
    """Returns whether a text needs no parentheses as an operand: a name, a number, or one call."""
    if _ATOM.fullmatch(text):
        return True
    head, _, rest = text.partition("(")
    if not _ATOM.fullmatch(head) or not rest.endswith(")"):
        return False
    depth = 1
    for character in rest[:-1]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return False
    return True


def operand(text: str) -> str:
    """Returns a text as it stands among operators."""
    return text if is_atom(text) else f"({text})"


def is_short(text: str) -> bool:
    """Returns whether a text is short enough to stand inside another line."""
    return len(text) <= _LINE


def _filled_text(array: Array) -> str:
    value = array.flat[0].item()
    dtype = _dtype_text(array, "f8")
    if value in (0, 1):
        return f"np.{'ones' if value else 'zeros'}({array.shape}{dtype})"
    return f"np.full({array.shape}, {literal(value)}{dtype})"


def _nested(array: Array) -> str:
    """Returns nested lists with the shortest digits that read back as the same numbers."""
    if array.ndim:
        return f"[{', '.join(map(_nested, array))}]"
    if array.dtype.kind == "f" and np.isfinite(array):
        return repr(float(str(array[()])))
    return literal(array.item())


def _dtype_text(array: Array, defaults: str) -> str:
    """Returns the dtype as a last argument, or nothing for the dtype that NumPy would choose itself."""
    is_default = array.dtype.str.lstrip("<|=") in defaults.split()
    return "" if is_default else f", dtype={array.dtype.name!r}"
