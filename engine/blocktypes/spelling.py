"""The lines of block types in NumPy, TensorFlow, PyTorch, JAX and other targets of the export."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gradwire.engine.base.tensor_spec import TensorSpec

# A template with ports and parameters in braces, `{axis}` as source code and `{reduction!s}` as plain text; or, where
# one template cannot say it, a function of them whose docstring is such a template, for the help.
Written = str | Callable[..., str]
# Any: the kinds of parameters decide.
Fits = Callable[[Mapping[str, Any], Sequence[TensorSpec | None]], bool]


class Spelling(Mapping[str, Written]):
    """The lines of one application by target: NumPy, TensorFlow, PyTorch, JAX, and others by their keys.

    A target is left out where no line says it. A function gets the source of each port by name (None for one without a
    wire, a list for a variadic one) and each parameter as its value, and returns an empty text for what it cannot say.
    One with a parameter `specs` gets those of the inputs too.
    """

    def __init__(
        self, numpy: Written = "", tensorflow: Written = "", torch: Written = "", jax: Written = "", **others: Written
    ) -> None:
        lines = {"numpy": numpy, "tensorflow": tensorflow, "torch": torch, "jax": jax, **others}
        self._lines = {target: written for target, written in lines.items() if written != ""}
        self._fits: dict[str, Fits] = {}
        self.notes: dict[str, str] = {}

    def only_where(self, target: str, fits: Fits) -> Spelling:
        """Returns the same lines, but that of a target only where `fits` accepts the parameters and the known specs."""
        return self._with(_fits={**self._fits, target: fits})

    def noted(self, note: str, *targets: str) -> Spelling:
        """Returns the same lines with a comment for some targets: a number at a kink that differs from ours."""
        return self._with(notes=self.notes | dict.fromkeys(targets, note))

    def with_functions(self, change: Callable[[Callable[..., Any]], Callable[..., Any]]) -> Spelling:
        """Returns the same lines, conditions and comments, with each of their functions changed."""
        lines = {key: written if isinstance(written, str) else change(written) for key, written in self.items()}
        return self._with(_lines=lines, _fits={key: change(fits) for key, fits in self._fits.items()})

    def _with(self, **fields: Any) -> Spelling:  # Any: the fields of a spelling
        found = copy.copy(self)
        vars(found).update(fields)
        return found

    def __getitem__(self, target: str) -> Written:
        return self._lines[target]

    def __iter__(self) -> Iterator[str]:
        return iter(self._lines)

    def __len__(self) -> int:
        return len(self._lines)

    def __repr__(self) -> str:
        return f"Spelling({', '.join(f'{target}={written!r}' for target, written in self.items())})"

    def shown(self, target: str) -> str:
        """Returns the line as the help shows it, or an empty text."""
        written = self.get(target, "")
        return written if isinstance(written, str) else inspect.cleandoc(written.__doc__ or "").split("\n")[0]

    def write(
        self,
        target: str,
        ports: Mapping[str, str | list[str] | None],
        parameters: Mapping[str, object],
        specs: Sequence[TensorSpec | None] = (),
    ) -> str:
        """Returns the source of one application, or an empty text where no line says it."""
        written = self.get(target, "")
        if specs and target in self._fits and not self._fits[target](parameters, specs):
            return ""
        if not isinstance(written, str):
            more = {"specs": specs} if "specs" in inspect.signature(written).parameters else {}
            return str(written(**ports, **parameters, **more))
        if any(source is None and f"{{{name}}}" in written for name, source in ports.items()):
            return ""
        sources = {name: ", ".join(item) if isinstance(item, list) else item for name, item in ports.items()}
        return written.format(**sources, **{name: _Source(value) for name, value in parameters.items()})


class _Source:
    """A parameter in a template: by `repr`, or with `!s` as plain text."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __format__(self, _: str) -> str:
        return repr(self._value)

    def __str__(self) -> str:
        return str(self._value)


# The targets that a spelling has by position.
NATIVE = ("numpy", "tensorflow", "torch", "jax")
NOWHERE = Spelling()


def call(function: str, *arguments: str, **keywords: object) -> str:
    """Returns a call as source without the keywords that are None or False, as most functions have them by default."""
    given = [f"{name}={value!r}" for name, value in keywords.items() if value is not None and value is not False]
    return f"{function}({', '.join([*arguments, *given])})"


def documented(template: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Returns a decorator that gives a function the template that the help shows."""

    def document(write: Callable[..., str]) -> Callable[..., str]:
        write.__doc__ = template
        return write

    return document
