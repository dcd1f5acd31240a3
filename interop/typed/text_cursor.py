"""A text of numbers and the place reached in it, with the sentences that refuse what stands there."""

from __future__ import annotations

import re
from typing import Final, NoReturn

from gradwire.engine.base.errors import ParameterError

QUOTED: Final = r"'[^'\n]*'|\"[^\"\n]*\""
_SPACE = re.compile(r"\s*", re.ASCII)
# A printed fact that is no number, such as `'cuda:0'`, `<AddBackward0>` or `Place(gpu:0)`.
_FACT = re.compile(rf"\s*((?:{QUOTED}|<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|[^\s,()\[\]<>'\"=])+)")


class TextCursor:
    """A text and the place `at` reached in it; it raises ParameterError where something else is expected."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def skip(self, pattern: re.Pattern[str] = _SPACE) -> None:
        """Goes past a pattern, by default blanks."""
        match = pattern.match(self.text, self.at)
        self.at = self.at if match is None else match.end()

    def takes(self, sign: str) -> bool:
        """Returns whether a sign stands here, and goes past it."""
        self.skip()
        found = self.text.startswith(sign, self.at)
        self.at += len(sign) if found else 0
        return found

    def is_end(self, closing: str) -> bool:
        """Returns whether a bracket stands here; without a bracket, whether the text ends."""
        self.skip()
        return self.text.startswith(closing, self.at) if closing else self.at == len(self.text)

    def takes_end(self, closing: str) -> bool:
        """Returns whether a list ends here, and goes past its bracket."""
        is_end = self.is_end(closing)
        if not is_end and self.at == len(self.text):
            raise ParameterError("lacks a closing bracket")
        if not is_end and not closing and self.text[self.at] in "])":
            raise ParameterError("has a closing bracket too many")
        self.at += len(closing) if is_end else 0
        return is_end

    def take_fact(self) -> str:
        """Returns what is printed here beside the numbers, and goes past it."""
        fact = _FACT.match(self.text, self.at)
        if fact is None:
            self.refuse()
        self.at = fact.end()
        return fact[1]

    def refuse(self) -> NoReturn:
        """Raises that no number stands here."""
        raise ParameterError(f'must be numbers, in brackets for lists, not "{self._seen()}"{self._place()}')

    def refuse_blank(self) -> NoReturn:
        """Raises that a comma is missing here."""
        raise ParameterError(f'lacks a comma before "{self._seen()}"{self._place()}')

    def _seen(self) -> str:
        self.skip()
        return self.text[self.at : self.at + 20].rstrip()

    def _place(self) -> str:
        """Returns line and column if the text has several lines."""
        if "\n" not in self.text:
            return ""
        line, start = self.text.count("\n", 0, self.at), self.text.rfind("\n", 0, self.at)
        return f" in line {line + 1}, column {self.at - start}"
