"""A sentence of the status line, with its look, how grave it is, and its buttons."""

from __future__ import annotations

from typing import NamedTuple


class Sentence(NamedTuple):
    """A sentence with its look, and a button: its text, and its purpose for whoever carries it out.

    The higher its `weight`, the graver it is; a grave one is said in place of *Up to date*. `others` are the purposes
    and the texts of further buttons, where the user has a choice.
    """

    text: str = ""
    button: str = ""
    act: str = ""
    icon: str = "info"
    token: str = "text.secondary"
    weight: int = 0
    others: tuple[tuple[str, str], ...] = ()

    @property
    def is_grave(self) -> bool:
        """Whether something is wrong."""
        return self.weight >= WARNING

    @property
    def actions(self) -> tuple[tuple[str, str], ...]:
        """The purpose and the text of each button."""
        return ((self.act, self.button), *self.others) if self.button else ()


SILENT = Sentence()
# The gravest one asks for a decision without which nothing else may be said rightly, as which file is meant.
HINT, NOTICE, WARNING, ERROR, ALARM, QUESTION = range(1, 7)
