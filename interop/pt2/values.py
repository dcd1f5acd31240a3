"""Values of a graph by their names, and the arguments of calls."""

from __future__ import annotations

from typing import Any, Final

from gradwire.interop.models.names import LONGEST
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.program import Record
from gradwire.interop.pt2.weights import dtype_of

_PLAIN: Final = frozenset(
    ("as_int", "as_ints", "as_bool", "as_bools", "as_string", "as_strings", "as_int_lists", "as_float_lists")
)
_NOTHING: Final = frozenset(("as_none", "as_layout", "as_device", "as_memory_format"))


class Values(dict[str, Any]):  # Any: expressions, arrays, numbers
    """The values made so far of one graph."""

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self._archive = archive

    def refuse_twice(self, name: str) -> None:
        """Raises: ModelRefusal if there is a value of this name."""
        if name in self:
            raise self._archive.refusal(f"two values of it are called {str(name)[:LONGEST]}")

    def named(self, name: str) -> Any:
        """Returns a value.

        Raises: ModelRefusal if it is not made yet; nothing else could be a cycle.
        """
        if name not in self:
            raise self._archive.refusal(f"{str(name)[:LONGEST]} is used before it is made")
        return self[name]

    def argument(self, argument: Record) -> Any:
        """Returns an argument: a tensor, a number, a list.

        Raises: ModelRefusal for one of a kind that is not read.
        """
        way, value = next(iter(argument.items()))
        if way in _PLAIN:
            return value
        if way in _NOTHING:
            return None
        if way == "as_tensor":
            return self.named(value["name"])
        if way in ("as_tensors", "as_nested_tensors"):
            return [self.named(item["name"]) for item in value]
        if way == "as_optional_tensor":
            return self._optional(value)
        if way == "as_optional_tensors":
            return [self._optional(item) for item in value]
        if way in ("as_sym_int", "as_sym_bool", "as_sym_float"):
            return self._symbolic(value)
        if way in ("as_sym_ints", "as_sym_floats", "as_sym_bools"):
            return [self._symbolic(item) for item in value]
        if way == "as_scalar_type":
            return dtype_of(self._archive, "a cast", value)
        if way == "as_float":  # what is not finite is a text
            return float(value)
        if way == "as_floats":
            return [float(item) for item in value]
        raise self._archive.refusal(f"an argument of it is a {way[3:]}, which is not read")

    def _optional(self, item: Record) -> Any:
        return None if "as_none" in item else self.named(item["as_tensor"]["name"])

    def _symbolic(self, item: Record) -> Any:
        return self.named(item["as_name"]) if "as_name" in item else next(iter(item.values()))
