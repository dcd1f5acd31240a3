"""Parts of a window that note what is asked of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any


class Noting:
    """Anything at all: it notes every call as it would be written."""

    def __init__(self, calls: list[str], path: str = "") -> None:
        self._calls, self._path = calls, path

    def __getattr__(self, name: str) -> Noting:
        made = Noting(self._calls, f"{self._path}.{name}".lstrip("."))
        setattr(self, name, made)
        return made

    def __call__(self, *given: object, **named: object) -> None:
        said = [*map(repr, given), *(f"{name}={value!r}" for name, value in named.items())]
        self._calls.append(f"{self._path}({', '.join(said)})")

    def __repr__(self) -> str:
        return self._path


def noted(**parts: object) -> tuple[Any, list[str]]:
    """Returns the parts of a window, all but the given ones noting, and the list of their calls."""
    calls = list[str]()

    class Parts(SimpleNamespace):
        """The given parts, and others that are made when they are asked for."""

        def __getattr__(self, name: str) -> Noting:
            made = Noting(calls, name)
            setattr(self, name, made)
            return made

    return Parts(**parts), calls
