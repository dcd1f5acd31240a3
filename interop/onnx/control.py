"""Graphs inside nodes: branches and rounds, as the given inputs decide them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradwire.engine.blocktypes.expression import Expression
from gradwire.interop.aten.shapes import selected
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, axis_of, made
from gradwire.interop.onnx.known import depends_on_inputs
from gradwire.interop.onnx.messages import GraphMessage, NodeMessage
from gradwire.interop.onnx.scopes import Scope, Value

if TYPE_CHECKING:
    from gradwire.interop.onnx.reading import Reading

_SCAN_WITHOUT_BATCHES = 9


class Control:
    """One If, Loop or Scan."""

    def __init__(self, reading: Reading, node: NodeMessage, settings: Mapping[str, Any], scope: Scope) -> None:
        self._reading, self._node, self._settings, self._scope = reading, node, settings, scope

    def results(self, inputs: Sequence[Value | None]) -> list[Value | None]:
        """Returns what the node makes of its inputs.

        Raises: ModelRefusal for more rounds than are unrolled.
        """
        kinds = {"If": self._branch, "Loop": self._rounds, "Scan": self._scanned}
        return kinds[self._node.op_type](inputs)

    def _branch(self, inputs: Sequence[Value | None]) -> list[Value | None]:
        name = "then_branch" if self._is_true(inputs[0]) else "else_branch"
        if depends_on_inputs(inputs[0]):
            self._reading.say(self._node, f"these inputs take its {name}, and the other is left out")
        return self._graph(name, [])

    def _rounds(self, inputs: Sequence[Value | None]) -> list[Value | None]:
        filled: list[Value | None] = [*inputs, None, None]
        most, condition, state = filled[0], filled[1], list(inputs[2:])
        limit = None if most is None else int(self._reading.numbers(most).flat[0])
        goes_on, rounds = condition is None or self._is_true(condition), 0
        kept: list[list[Value | None]] = [[] for _ in self._body().output[1 + len(state) :]]
        while goes_on and (limit is None or rounds < limit):
            self._refuse_many(rounds + 1)
            given: list[Value | None] = [np.asarray(rounds, np.int64), np.asarray(True), *state]
            after, *results = self._graph("body", given)
            goes_on, state = after is None or self._is_true(after), results[: len(state)]
            for row, result in zip(kept, results[len(state) :], strict=True):
                row.append(result)
            rounds += 1
        self._reading.say(self._node, f"its {rounds} rounds with these inputs are unrolled")
        return [*state, *(self._stacked(row, 0) for row in kept)]

    def _scanned(self, inputs: Sequence[Value | None]) -> list[Value | None]:
        if self._scope.opsets.get("", 1) < _SCAN_WITHOUT_BATCHES:
            raise ModelRefusal(f"Scan is read from version {_SCAN_WITHOUT_BATCHES} of the operators on")
        number = int(self._settings["num_scan_inputs"])
        state, read = list(inputs[: len(inputs) - number]), [self._tensor(item) for item in inputs[-number:]]
        count = len(self._body().output) - len(state)
        axes, backward = (self._settings.get(f"scan_input_{name}") or [0] * number for name in ("axes", "directions"))
        ends = (self._settings.get(f"scan_output_{name}") or [0] * count for name in ("axes", "directions"))
        places = [axis_of(axis, item) for axis, item in zip(axes, read, strict=True)]
        lengths = {item.shape[place] for item, place in zip(read, places, strict=True)}
        if len(lengths) != 1:
            raise ModelRefusal("what it scans has different lengths")
        (length,) = lengths
        self._refuse_many(length)
        kept: list[list[Value | None]] = [[] for _ in range(count)]
        for turn in range(length):
            rows = zip(read, places, backward, strict=True)
            parts = [selected(item, place, length - 1 - turn if flag else turn) for item, place, flag in rows]
            results = self._graph("body", [*state, *parts])
            state = results[: len(state)]
            for row, result in zip(kept, results[len(state) :], strict=True):
                row.append(result)
        self._reading.say(self._node, f"its {length} rounds with these inputs are unrolled")
        collected = zip(kept, *ends, strict=True)
        return [*state, *(self._stacked(row[::-1] if flag else row, axis) for row, axis, flag in collected)]

    def _body(self) -> GraphMessage:
        found: GraphMessage = self._settings["body"]
        return found

    def _graph(self, name: str, given: Sequence[Value | None]) -> list[Value | None]:
        graph, inner = self._settings[name], self._scope.inner()
        inner.values.update(zip((item.name for item in graph.input), given, strict=True))
        return self._reading.graph(graph, inner)

    def _is_true(self, value: Value | None) -> bool:
        if value is None:
            raise ModelRefusal("its condition is missing")
        return bool(self._reading.numbers(value).flat[0])

    def _tensor(self, value: Value | None) -> Tensor:
        found = self._reading.tensor(value)
        if found is None:
            raise ModelRefusal("an input of it is missing")
        return found

    def _stacked(self, row: Sequence[Value | None], axis: int) -> Value | None:
        if not row:
            raise ModelRefusal("what it collects in no round has no shape")
        found: Expression = made("Stack", *(self._tensor(item) for item in row), axis=axis)
        return found

    def _refuse_many(self, rounds: int) -> None:
        if rounds > MOST_STEPS:
            raise ModelRefusal(f"it has more than {MOST_STEPS} rounds with these inputs, and so many are unrolled")
