"""Inputs, parameters and buffers of a program: what its calls begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.models.inputs import Drawn, Given, Inputs
from gradwire.interop.models.names import block_name
from gradwire.interop.pt2.program import Program, Record
from gradwire.interop.pt2.values import Values
from gradwire.interop.pt2.weights import Weights, dtype_of


class Leaves(dict[str, Expression]):
    """Inputs and Variables by their names in the model; `buffers` has the names of buffers by those of the graph."""

    def __init__(self, program: Program, weights: Weights, notices: list[str]) -> None:
        super().__init__()
        self._program, self._weights, self._notices = program, weights, notices
        self.buffers: dict[str, str] = {}

    def take(self, values: Values, given: Mapping[str, Given], drawn: Drawn) -> None:
        """Puts what the program begins with among its values.

        Raises: ModelRefusal for what no block has, and for numbers that fit no input.
        """
        inputs = Inputs(self._program, given, drawn, self._notices)
        for spec in self._program.inputs:
            kind, record = next(iter(spec.items()))
            if kind == "constant_input":
                values[record["name"]] = None if "as_none" in record["value"] else next(iter(record["value"].values()))
            elif kind == "user_input":
                self._take_input(record["arg"], values, inputs)
            elif kind in ("custom_obj", "token"):
                raise self._program.archive.refusal(f"an input of it is a {kind}, which no block has")
            else:
                self._take_own(kind, record, values)
        inputs.refuse_unknown()

    def _take_input(self, argument: Record, values: Values, inputs: Inputs) -> None:
        archive, metas = self._program.archive, self._program.graph["tensor_values"]
        way, record = next(iter(argument.items()))
        if way == "as_none":
            return
        if way != "as_tensor":
            raise archive.refusal(f"an input of it is a {way[3:]} and no tensor")
        name = record["name"]
        values.refuse_twice(name)
        dtype = dtype_of(archive, name, metas[name]["dtype"])
        values[name] = self[name] = inputs.make(name, metas[name]["sizes"], dtype)

    def _take_own(self, kind: str, record: Record, values: Values) -> None:
        archive, metas = self._program.archive, self._program.graph["tensor_values"]
        name = record["arg"]["name"]
        values.refuse_twice(name)
        own = record.get("parameter_name") or record.get("buffer_name") or record.get("tensor_constant_name")
        if own not in self._weights.arrays:
            raise archive.refusal(f"{own} has no numbers in it")
        array = self._weights.arrays[own]
        if list(array.shape) != [item.get("as_int") for item in metas[name]["sizes"]]:
            raise archive.refusal(f"{own} has the shape {list(array.shape)}, but the file says another one")
        if kind == "parameter":
            values[name] = self[own] = self._parameter(own, array, bool(metas[name]["requires_grad"]))
        else:
            values[name] = array
            self.buffers[name] = own

    def _parameter(self, name: str, array: Array, is_trainable: bool) -> Expression:
        """Returns the Variable of a parameter; tied parameters are one."""
        part = self._weights.parts[name]
        tied = next((other for other in self if self._weights.parts.get(other) == part), None)
        if tied is not None:
            self._notices.append(f"{name} is {tied}: one Variable.")
            return self[tied]
        made: Any = library["Variable"](value=array, trainable=is_trainable, name=block_name(name))
        found: Expression = made
        return found
