"""The table of ONNX's operators: each is a function of its inputs, in their order, with its settings as keywords."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Final, TypeVar

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal

# An input whose numbers decide about shapes or blocks: the reader computes it before the call.
Numbers = Array
# An input that is no Variable, though it is among the weights.
Statistics = Array
Declared = TypeVar("Declared", bound=Callable[..., Any])
_MODULES: Final = (
    "arithmetic", "attention", "bits", "convolutions", "linear_attention", "losses", "norms", "places", "pools",
    "products", "random", "recurrent", "reductions", "resizing", "sampling", "shapes", "sources", "spectra", "texts",
    "updates",
)  # fmt: skip
_POSITIONAL: Final = inspect.Parameter.POSITIONAL_OR_KEYWORD
# Settings of the first versions, which say how memory is used.
_OF_MEMORY: Final = frozenset(("consumed_inputs",))


@dataclass(frozen=True)
class Operator:
    """One operator: which inputs are numbers or statistics, and which settings it takes.

    `opset` and `count` among the settings are filled by the reader: the version of the operators, and how many outputs
    are read.
    """

    function: Callable[..., Any]
    kinds: tuple[str, ...]
    settings: frozenset[str]

    def kind(self, place: int) -> str:
        """Returns the annotation of an input: `Tensor`, `Numbers | None`, `Statistics`."""
        return self.kinds[min(place, len(self.kinds) - 1)] if self.kinds else ""

    def __call__(self, inputs: list[Any], settings: dict[str, Any], opset: int, count: int) -> Any:
        """Returns the result, or a tuple of them.

        Raises: ModelRefusal for settings that are not read.
        """
        given = {name: value for name, value in settings.items() if name not in _OF_MEMORY}
        unread = sorted(given.keys() - self.settings)
        if unread:
            raise ModelRefusal(f"its setting {unread[0][:60]} is not read")
        filled = {name: value for name, value in (("opset", opset), ("count", count)) if name in self.settings}
        return self.function(*inputs, **given, **filled)


_DECLARED: Final[dict[str, Operator]] = {}


def operator(*names: str) -> Callable[[Declared], Declared]:
    """Declares what operators are; the annotations of inputs say which of them are numbers."""

    def declare(made: Declared) -> Declared:
        parameters = inspect.signature(made).parameters.values()
        inputs = tuple(str(item.annotation) for item in parameters if item.kind in (_POSITIONAL, item.VAR_POSITIONAL))
        settings = frozenset(item.name for item in parameters if item.kind is item.KEYWORD_ONLY)
        for name in names:
            assert name not in _DECLARED, name
            _DECLARED[name] = Operator(made, inputs, settings)
        return made

    return declare


def find(name: str) -> Operator | None:
    """Returns an operator by its name, behind its domain if that is not ONNX's own; None if it has no blocks."""
    _declare_all()
    return _DECLARED.get(name)


def names() -> Iterator[str]:
    """Yields the names of all operators."""
    _declare_all()
    yield from _DECLARED


@cache
def _declare_all() -> None:
    for module in _MODULES:
        import_module(f"gradwire.interop.opset.{module}")
