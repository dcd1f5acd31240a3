"""Texts of a program: those whose letters are known are computed; by the others nothing can be decided."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gradwire.interop.code.values import Value

_LONGEST: Final = 1000
# How a value is written; wide fields could fill the memory.
_FORM: Final = r"0?\d{0,2}(?:\.\d{1,2})?[bdeEfgGosxX%]?"
_PERCENT: Final = re.compile(r"(?:[^%]|%%|%0?\d{0,2}(?:\.\d{1,2})?[sdifeEgG])*")
_BRACES: Final = re.compile(rf"(?:[^{{}}]|\{{\{{|\}}\}}|\{{\w*(?::{_FORM})?\}})*")
_METHODS: Final = {"upper", "lower", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix", "replace", "split"}
_METHODS_THAT_ASK: Final = {"startswith", "endswith", "isdigit", "find", "count"}


class Unread(str):
    """A text of which not all letters are known while a program is read, such as one with the number of a tensor."""


def is_known(value: Value) -> bool:
    """Returns whether a value is a number or text of which all is known."""
    return isinstance(value, str | int | float) and not isinstance(value, Unread)


def has_unread(value: Value) -> bool:
    """Returns whether a value is a text that is not known, or a list with one."""
    return isinstance(value, Unread) or (isinstance(value, list | tuple | dict) and any(map(has_unread, value)))


def formatted(value: Value, form: str = "") -> str:
    """Returns a value as a text, as `format` writes it."""
    if is_known(value) and re.fullmatch(_FORM, form):
        try:
            return _bounded(format(value, form))
        except ValueError:
            pass
    return Unread(form)


def joined(texts: Iterable[Value]) -> str:
    """Returns one text of several."""
    parts = list(texts)
    text = "".join(map(str, parts))
    return _bounded(text) if all(map(is_known, parts)) else Unread(text[:_LONGEST])


def percent(text: str, operand: Value) -> str:
    """Returns `text % operand`."""
    items = operand if isinstance(operand, tuple) else (operand,)
    if is_known(text) and all(map(is_known, items)) and _PERCENT.fullmatch(text):
        try:
            return _bounded(text % operand)
        except (TypeError, ValueError):
            pass
    return Unread(text)


def method(text: str, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
    """Returns what a method of a text gives; what is not computed here is a text that is not known."""
    items = [*args, *keywords.values()]
    if is_known(text) and name == "join" and len(items) == 1 and isinstance(items[0], list | tuple):
        parts = list(items[0])
        return joined(part for place, item in enumerate(parts) for part in ([text, item] if place else [item]))
    is_read = name in _METHODS | _METHODS_THAT_ASK or (name == "format" and _BRACES.fullmatch(text))
    if is_read and all(map(is_known, [text, *items])):
        try:
            found = getattr(text, name)(*args, **keywords)
        except (TypeError, ValueError, LookupError):
            return Unread(text)
        return _bounded(found) if isinstance(found, str) else found
    return Unread(text)


def _bounded(text: str) -> str:
    return text if len(text) <= _LONGEST else Unread(text[:_LONGEST])
