"""How block types are written in NumPy, TensorFlow, PyTorch and JAX."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from engine.tensor_spec import TensorSpec

# A template with ports and parameters in braces, `{axis}` as source code and `{reduction!s}` as plain text; or, where
# one template cannot say it, a function of them whose docstring is such a template, for the help.
Written = str | Callable[..., str]


@dataclass(frozen=True)
class Spelling:
    """How one application is written in each framework; empty where no line says it.

    A function gets the source of each port by name (None for one without a wire, a list for a variadic one) and each
    parameter as its value, and gives an empty text for what it cannot say. One with a parameter `specs` gets those of
    the inputs too.
    """

    numpy: Written = ""
    tensorflow: Written = ""
    torch: Written = ""
    jax: Written = ""

    def shown(self, framework: str) -> str:
        """The line as the help shows it."""
        written = getattr(self, framework)
        return written if isinstance(written, str) else inspect.cleandoc(written.__doc__ or "").split("\n")[0]

    def write(
        self,
        framework: str,
        ports: Mapping[str, str | list[str] | None],
        parameters: Mapping[str, object],
        specs: Sequence[TensorSpec | None] = (),
    ) -> str:
        """The source of one application, or an empty text where no line says it."""
        written = getattr(self, framework)
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


NOWHERE = Spelling()


def call(function: str, *arguments: str, **keywords: object) -> str:
    """A call as source; keywords that are None or False, as most functions have them by default, are left out."""
    given = [f"{name}={value!r}" for name, value in keywords.items() if value is not None and value is not False]
    return f"{function}({', '.join([*arguments, *given])})"


def documented(template: str) -> Callable[[Callable[..., str]], Callable[..., str]]:
    """Gives a function that spells the template that the help shows."""

    def document(write: Callable[..., str]) -> Callable[..., str]:
        write.__doc__ = template
        return write

    return document
