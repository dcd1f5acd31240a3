"""The reader of tensors in text: nested lists, NumPy's columns, and what frameworks print. It computes nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import numpy as np

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.number_text import MINUS, NUMBER, is_number, read_number
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.interop.typed.exact_arrays import array_of, natural_array
from gradwire.interop.typed.printed_words import (
    CONSTANT,
    MAKERS,
    NUMBERS,
    SHAPES,
    TRAINS,
    VARIABLES,
    WITHOUT_EFFECT,
    dtype_called,
    scalar_type_called,
)
from gradwire.interop.typed.text_cursor import QUOTED, TextCursor

DEEPEST: Final = 16
# Brackets of calls and groups around the axes.
_MORE_BRACKETS = 3
# A number, nested lists of numbers, or an array where a dtype or a shape stands beside them.
Nested = Any

_HEAD = re.compile(r"\s*Parameter containing:")
_NAME = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_SCALAR = re.compile(rf"(?:{NUMBER}|[+-]?{_NAME})(?![\w.+-])", re.ASCII)
_DOTTED, _CALL = re.compile(_NAME, re.ASCII), re.compile(rf"({_NAME})\s*\(", re.ASCII)
_KEY = re.compile(r"\s*([A-Za-z_]\w*)\s*=(?!=)", re.ASCII)
_TITLE, _RESHAPE = re.compile(rf"\s*:?\s*(?:{QUOTED})?"), re.compile(r"\.reshape\(")
_INDEX = re.compile(r"\[\s*[^\s,\[\]]+\s*\]")
_DIGIT_GROUP = re.compile(r"[+-]?0\d+", re.ASCII)
# Units: characters; NumPy wraps at 75.
_WRAPPED = 60
_TRUTHS = {"true": True, "false": False}


class Printed(NamedTuple):
    """Numbers of a text, whether it names their dtype, and whether they train: None if it does not say."""

    numbers: Nested
    is_typed: bool
    trains: bool | None


def read_printed(text: str) -> Printed:
    """Reads a number, a nested list of numbers, or a tensor as frameworks print it.

    Commas and the outermost brackets may be missing.
    Raises: ParameterError for anything else: calls and operators are not computed.
    """
    if "..." in text:
        raise ParameterError("was shortened with '...' where it was printed; copy the whole tensor")
    reader = _Reader(text.replace(MINUS, "-").rstrip())
    if (head := _HEAD.match(reader.text)) is not None:
        reader.at, reader.trains = head.end(), True
    numbers = reader.whole()
    return Printed(numbers, reader.is_typed, reader.trains)


def read_scalar(text: str) -> int | float | bool | None:
    """Returns one number, true or false; None if the text is none of them.

    Raises: ParameterError for a finite number that is too large.
    """
    text = text.replace(MINUS, "-")
    number = read_number(text)
    if number is None and is_number(text):
        raise ParameterError("holds a number that is too large")
    return _TRUTHS.get(text.lower()) if number is None else number


@dataclass
class _Arguments:
    """What the brackets of a printed tensor hold: its numbers, and its dtype and shape if they are named."""

    name: str
    numbers: Nested = None
    dtype: np.dtype[Any] | None = None
    shape: Nested = None
    named: set[str] = field(default_factory=set)


class _Reader(TextCursor):
    """Reader of the numbers of a text, and of what the text says beside them."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth, self.end, self.is_typed = 0, 0, False
        self.trains: bool | None = None

    def whole(self) -> Nested:
        """Returns the tensor of the whole text; several items without brackets are a list."""
        items, separator = self._items("")
        if not items:
            self.refuse()
        return items[0] if len(items) == 1 and not separator else items

    # Lists

    def _items(self, closing: str) -> tuple[list[Nested], str]:
        """Returns the items up to a bracket, or to the end of the text, and what is between them: commas or blanks."""
        first, separator = self.at, ""
        signed: int | None = None
        items: list[Nested] = []
        while not self.takes_end(closing):
            if items and separator != ",":
                separator = " "
                self._check_blank(closing)
                signed = self.at if signed is None and self.text[self.at] in "+-" else signed
            items.append(self._value())
            self.end = self.at
            if self.takes(","):
                if separator == " ":
                    raise ParameterError("mixes commas and blanks between numbers; use one of them")
                separator = ","
            elif separator == "," and not self.is_end(closing) and self.at < len(self.text):
                self.refuse_blank()
        if closing and signed is not None and not _are_columns(self.text[first : self.at - 1], len(items)):
            self.at = signed
            self.refuse_blank()
        return items, separator

    def _check_blank(self, closing: str) -> None:
        """Refuses a blank where Python would subtract, call or index; NumPy's lists are in brackets."""
        gap, rest = self.text[self.end : self.at], self.text[self.at : self.at + 40]
        if rest[0] == "[" and self.text[self.end - 1] == "]":
            is_wrong = "\n" not in gap and _INDEX.match(rest) is not None
        elif not gap:
            self.refuse()
        elif rest[0] in "+-":
            is_wrong = not closing and "\n" not in gap
        else:
            is_wrong = rest[0] in "(["
        if is_wrong or closing == ")":
            self.refuse_blank()

    # Items

    def _value(self) -> Nested:
        """Returns the number, list, group or tensor that stands here."""
        self.depth += 1
        if self.depth > DEEPEST + _MORE_BRACKETS:
            raise ParameterError(f"may have at most {DEEPEST} axes")
        if self.takes("["):
            value: Nested = self._items("]")[0]
        elif self.takes("("):
            items, separator = self._items(")")
            value = items[0] if len(items) == 1 and not separator else items
        elif self.takes("<"):
            value = self._framed()
        else:
            call = _CALL.match(self.text, self.at)
            value = self._number() if call is None else self._with_reshapes(self._called(call), call[1])
        self.depth -= 1
        return self._with_reshapes(value) if not self.depth and isinstance(value, list) else value

    def _number(self) -> int | float | bool:
        word = _SCALAR.match(self.text, self.at)
        value = None if word is None else read_scalar(CONSTANT.sub(r"\1\2", word[0]))
        if word is None or value is None:
            self.refuse()
        if _DIGIT_GROUP.fullmatch(word[0]):
            raise ParameterError(f'groups digits before "{word[0][:20]}"; write the number without blanks')
        self.at = word.end()
        return value

    def _with_reshapes(self, value: Nested, name: str = "") -> Nested:
        # A matrix of NumPy has two axes in every shape.
        while not name.endswith("matrix") and (match := _RESHAPE.match(self.text, self.at)) is not None:
            self.at = match.end()
            sizes, _ = self._items(")")
            value = _reshaped(value, sizes[0] if len(sizes) == 1 else sizes)
        return value

    # Tensors

    def _called(self, call: re.Match[str]) -> Nested:
        """Returns the tensor of a call such as `array([1, 2], dtype=int8)` or `np.float32(0.5)`."""
        name = call[1]
        dtype = scalar_type_called(name)
        if dtype is None and name.rpartition(".")[2] not in MAKERS:
            raise ParameterError(f"has {name[:40]}, which is not computed; write its result")
        self.at, found = call.end(), _Arguments(name, dtype=dtype)
        while not self.takes_end(")"):
            key = None if dtype is not None else _KEY.match(self.text, self.at)
            if key is not None:
                self._keyword(found, key)
            elif found.numbers is None:
                found.numbers = self._value()
            else:
                found.dtype = dtype_called(self.take_fact())
                found.named.add("dtype")
                if dtype is not None or found.dtype is None:
                    raise ParameterError(f"has more than one tensor in {name[:40]}; put them into brackets")
            if not self.takes(",") and not self.is_end(")"):
                self.refuse_blank()
        return self._made(found)

    def _framed(self) -> Nested:
        """Returns a tensor as TensorFlow prints it: `<tf.Tensor: shape=(), dtype=float32, numpy=2.0>`."""
        name = _DOTTED.match(self.text, self.at)
        if name is None:
            self.refuse()
        if name[0].rpartition(".")[2] not in MAKERS:
            raise ParameterError(f"has {name[0][:40]}, which is not computed; write its result")
        self.at, found = name.end(), _Arguments(name[0])
        self.skip(_TITLE)
        while not self.takes_end(">"):
            key = _KEY.match(self.text, self.at)
            if key is None:
                self.refuse()
            self._keyword(found, key)
            self.takes(",")
        return self._made(found)

    def _keyword(self, found: _Arguments, key: re.Match[str]) -> None:
        self.at, name = key.end(), key[1]
        if name in found.named:
            raise ParameterError(f"has {name[:40]} twice in {found.name[:40]}; leave one out")
        found.named.add(name)
        if name in NUMBERS and found.numbers is None:
            found.numbers = self._value()
        elif name in SHAPES:
            found.shape = self._value()
        elif name == "dtype":
            dtype = self.take_fact()
            found.dtype = dtype_called(dtype)
            if found.dtype is None and dtype != "None":
                raise ParameterError(f"has dtype {dtype[:20]}, which is not one of {', '.join(DTYPES)}")
        elif name in TRAINS:
            self.trains = self.take_fact() == TRAINS[name]
        elif name in WITHOUT_EFFECT:
            self.take_fact()
        else:
            raise ParameterError(f"has {name[:40]}= in {found.name[:40]}, which is unknown; leave it out")

    def _made(self, found: _Arguments) -> Nested:
        numbers = found.numbers
        # PyTorch takes a lone whole number here as a size.
        is_size = found.name == "torch.Tensor" and isinstance(numbers, int)
        if numbers is None or is_size:
            raise ParameterError(f"has no numbers in {found.name[:40]}; write them")
        kind = found.name.rpartition(".")[2]
        if kind in VARIABLES and self.trains is None:
            self.trains = True
        if kind == "matrix":
            numbers = np.atleast_2d(natural_array(numbers))
        if found.shape is not None:
            numbers = _reshaped(numbers, found.shape)
        if found.dtype is None:
            return numbers
        self.is_typed = True
        return array_of(numbers, found.dtype)


def _are_columns(row: str, count: int) -> bool:
    """Returns whether numbers stand in columns of one width with a blank between them, as NumPy prints a row.

    NumPy wraps only a long row.
    """
    if "\n" in row:
        return len(row) >= _WRAPPED
    width, rest = divmod(len(row) - count + 1, count)
    cells = [row[at : at + width] for at in range(0, len(row), width + 1)]
    return not rest and row.split() == [cell.strip() for cell in cells]


def _reshaped(numbers: Nested, shape: Nested) -> Nested:
    """Returns numbers in another shape; one size may be -1."""
    array, sizes = natural_array(numbers), shape if isinstance(shape, list) else [shape]
    if not all(type(size) is int and -1 <= size < 2**31 for size in sizes):
        raise ParameterError(f"has a shape that is no list of sizes: {str(shape)[:40]}")
    try:
        return array.reshape(sizes)
    except ValueError as error:
        raise ParameterError(f"has {array.size} numbers, which do not fill the shape {sizes}") from error
