"""Isolation of mistakes in the explanations of a run: each becomes a problem and leaves everything else intact."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import ParamSpec, TypeVar

from gradwire.engine.base.errors import CodeError
from gradwire.engine.base.mistakes import log_mistake
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.expression import Application

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


# An answer about a run could not be computed.
UNANSWERED = Problem(
    "warning",
    "",
    "unexplained",
    "Something that was to be explained could not be worked out. Values and gradients are right all the same. "
    "This is a mistake in Gradwire or in a plug-in; please report it with the graph.",
)


class Faults:
    """Exceptions raised while a run was explained, the first for each application."""

    def __init__(self) -> None:
        self._found: dict[Application, Exception] = {}

    def attempt(
        self,
        application: Application,
        explain: Callable[_Arguments, _Result],
        *args: _Arguments.args,
        **kwargs: _Arguments.kwargs,
    ) -> _Result | None:
        """Returns an explaining function's answer about an application; None if it raises."""
        try:
            return explain(*args, **kwargs)
        except Exception as error:  # The numbers exist already; a failing explanation must not remove them.
            log_mistake(f"An explanation of {application.type.name} failed", error)
            self._found.setdefault(application, error)
            return None

    def problems(self, owners: Mapping[Application, str]) -> Iterator[Problem]:
        """Yields a warning for each block with a fault."""
        found: dict[str, Exception] = {}
        for application, error in self._found.items():
            found.setdefault(owners.get(application, ""), error)
        for at, fault in found.items():
            if isinstance(fault, CodeError) and fault.plugin:
                yield Problem("warning", at, fault.code, fault.sentence, plugin=fault.plugin)
                continue
            message = (
                "Why gradients are as they are here could not be worked out. Values and gradients are right all the "
                "same. This is a mistake in Gradwire or in a plug-in; please report it with the graph."
            )
            yield Problem("warning", at, "unexplained", message)
