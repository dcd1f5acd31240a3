"""The edit that waits while step mode is on."""

from __future__ import annotations

from collections.abc import Callable


class PausedEdit:
    """The edit that waits until the user has said whether to leave step mode; of several the last one does."""

    def __init__(self) -> None:
        self._edit: Callable[[], object] | None = None

    @property
    def is_there(self) -> bool:
        """Whether an edit waits."""
        return self._edit is not None

    def put(self, edit: Callable[[], object]) -> bool:
        """Lets an edit wait in place of any other; whether it is the first."""
        is_first, self._edit = self._edit is None, edit
        return is_first

    def take(self) -> Callable[[], object] | None:
        """Hands out the edit that waits; it waits no more."""
        edit, self._edit = self._edit, None
        return edit

    def forget(self) -> None:
        """Lets no edit wait any more."""
        self._edit = None
