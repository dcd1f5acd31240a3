"""Blocks of a `.pt2`: its nodes one after the other, by the operations of `interop.aten`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.aten.operations import Operation, find
from gradwire.interop.models.graphs import Origin, Origins
from gradwire.interop.models.inputs import Drawn, Given
from gradwire.interop.models.limits import MOST_OF_TENSOR
from gradwire.interop.models.names import listed
from gradwire.interop.models.own_pages import OwnPage
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.leaves import Leaves
from gradwire.interop.pt2.program import (
    AUTOCAST,
    NO_GRAD,
    OWN_RULE,
    WRAPPING,
    Node,
    Program,
    Record,
    names_in,
    needed_targets,
    needs_of,
    nodes_of,
)
from gradwire.interop.pt2.values import Values
from gradwire.interop.pt2.views import Views
from gradwire.interop.pt2.weights import DTYPES, Weights

# What PyTorch does otherwise at ties and kinks, by its operation or our block.
_TIE: Final = "of two equal numbers the first has the whole gradient here, and in PyTorch each has half"
_BOUND: Final = "on a bound of the range the gradient is 1 here, and in PyTorch 2.14 and newer half of it or 0"
_OUTSIDE: Final = "on a bound of the range the gradient is 1 here, and in PyTorch 0"
_EQUAL: Final = "the deviation of equal numbers has no gradient here (NaN), and in PyTorch the gradient 0"
_ZERO: Final = "the length of a vector of zeros has no gradient here (NaN), and in PyTorch the gradient 0"
_KINKS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("maximum", "minimum"), _TIE),
    **dict.fromkeys(("hardtanh", "hardtanh_"), _OUTSIDE),
    **dict.fromkeys(("clamp", "clamp_", "clamp_min", "clamp_min_", "clamp_max", "ClipByValue"), _BOUND),
    **dict.fromkeys(("std", "std_mean"), _EQUAL),
    **dict.fromkeys(("norm", "linalg_vector_norm", "linalg_norm", "cdist"), _ZERO),
}


@dataclass
class Reading:
    """What a program became: the results, the leaves by name, lines for people, and where each block comes from.

    `own_rules` has the line and the results of each node that an `autograd.Function` called.
    `own_pages` has the pages of those that a node stands for, by its number.
    """

    program: Program
    weights: Weights
    given: Mapping[str, Given]
    drawn: Drawn = field(default_factory=Drawn)
    notices: list[str] = field(default_factory=list)
    leaves: Leaves = field(init=False)
    outputs: list[Any] = field(default_factory=list)
    origins: Origins = field(default_factory=Origins)
    own_rules: list[tuple[str, list[Any]]] = field(default_factory=list)
    own_pages: Mapping[int, OwnPage] = field(default_factory=dict)

    def run(self) -> None:
        """Makes the blocks.

        Raises: ModelRefusal, with the line of source, for what has no block.
        """
        self._refuse_unknown()
        self._changed: dict[str, None] = {}
        self.leaves, values = Leaves(self.program, self.weights, self.notices), Values(self.program.archive)
        self.leaves.take(values, self.given, self.drawn)
        results = self._graph(self.program.graph, values, with_gradients=True)
        kept = ["user_output" in spec for spec in self.program.outputs]
        self.outputs = [result for result, is_kept in zip(results, kept, strict=True) if is_kept]
        named = (spec["buffer_mutation"]["buffer_name"] for spec in self.program.outputs if "buffer_mutation" in spec)
        changed = list(self._changed | dict.fromkeys(named))
        if changed:
            self.notices.append(f"A call would change {listed(changed)}; here it stays as it is.")

    def _refuse_unknown(self) -> None:
        """Refuses all operations without blocks at once, each with its first line."""
        lines: dict[str, list[str]] = {}
        for node in needed_targets(self.program):
            if node.target not in WRAPPING and self._find(node.target) is None:
                lines.setdefault(node.target, []).append(node.line)
        if lines:
            rows = [f"{name} ({_counted(found)})" for name, found in sorted(lines.items())]
            raise self.program.archive.refusal(f"it needs operations without blocks: {', '.join(rows)}")

    def _graph(self, graph: Record, values: Values, with_gradients: bool) -> list[Any]:
        """Returns the results of a graph.

        Where gradients are off, what is made inside and leaves is stopped; what only passes through is not.
        """
        nodes = nodes_of(graph)
        needs, made, views = needs_of(graph, nodes), dict[str, Node](), Views()

        def leaving(name: str | None, value: Any) -> Any:
            is_stopped = not with_gradients and name in made and isinstance(value, Expression)
            if name is None or not is_stopped or value.dtype.kind != "f":
                return value
            stopped = library["StopGradient"](value)
            self.origins.add(stopped, replace(made[name].origin, operation=NO_GRAD))
            return stopped

        for place, node in enumerate(nodes):
            if place not in needs.places:
                continue
            if node.target in WRAPPING:
                results = self._inner(node, values, leaving, with_gradients)
            else:
                results = self._called(node, values)
                made.update(dict.fromkeys(node.made, node))
            self._note(node, results, values, graph["tensor_values"], needs.last)
            if node.writes_in_place:
                # The name now means the result.
                written = names_in(node.arguments[0][1])[0]
                values[written] = results[0]
                if written in self.leaves.buffers:
                    self._changed[self.leaves.buffers[written]] = None
            if node.target not in WRAPPING:
                try:
                    views.follow(node, place, values, needs.last)
                except ModelRefusal as error:
                    raise self._at(node, str(error)) from None
        ends = [next(iter(names_in(item)), None) for item in graph["outputs"]]
        return [leaving(name, values.argument(item)) for name, item in zip(ends, graph["outputs"], strict=True)]

    def _inner(self, node: Node, values: Values, leaving: Any, with_gradients: bool) -> list[Any]:
        """Returns the results of a graph in which gradients are on or off, or dtypes are not chosen by PyTorch."""
        place = next(number for number, (_, item) in enumerate(node.arguments) if "as_graph" in item)
        modes, (_, inner), rest = node.arguments[:place], node.arguments[place], node.arguments[place + 1 :]
        arrived = [values.argument(item) for _, item in rest]
        if node.target == AUTOCAST:
            if values.argument(modes[2][1]):
                raise self._at(node, "autocast chooses other dtypes; export the model without it")
        else:
            was_on, with_gradients = with_gradients, bool(values.argument(modes[0][1]))
            if with_gradients and not was_on:
                given = [next(iter(names_in(item)), None) for _, item in rest]
                arrived = [leaving(name, value) for name, value in zip(given, arrived, strict=True)]
        graph = inner["as_graph"]["graph"]
        names = [names_in(item)[0] for item in graph["inputs"]]
        inside = Values(self.program.archive)
        inside.update(zip(names, arrived, strict=True))
        return self._graph(graph, inside, with_gradients)

    def _called(self, node: Node, values: Values) -> list[Any]:
        arguments = {name: values.argument(item) for name, item in node.arguments}
        self._refuse_large(node, arguments)
        operation = self._find(node.target)
        assert operation is not None
        try:
            result = operation(**arguments)
        except ModelRefusal as error:
            raise self._at(node, str(error)) from None
        except GradwireError as error:
            raise self._at(node, f"{node.name}: {error}") from None
        except TypeError:
            raise self._at(node, f"{node.target} has other arguments than those that are read") from None
        results = list(result) if isinstance(result, tuple | list) else [result]
        if node.is_own_function and node.target != OWN_RULE:
            self.own_rules.append((node.line, results))
        made = [item.application.type.name for item in results if isinstance(item, Expression)]
        told = next((_KINKS[name] for name in (node.name, *made) if name in _KINKS), None)
        if told is not None:
            self._say(node, told)
        return results

    def _find(self, target: str) -> Operation | None:
        return self._own_rule if self.own_pages and target == OWN_RULE else find(target)

    def _own_rule(self, xs: list[Any], number: int) -> list[Any]:
        return [*self.own_pages[number].use(xs)]

    def _origin(self, node: Node) -> Origin:
        """Returns where the blocks of a node come from; a function with a rule of its own has its own name."""
        if not self.own_pages or node.target != OWN_RULE:
            return node.origin
        number = next(item["as_int"] for name, item in node.arguments if name == "number")
        return replace(node.origin, operation=f"{self.own_pages[number].name}.apply")

    def _note(self, node: Node, results: Sequence[Any], values: Values, metas: Record, last: Mapping[str, int]) -> None:
        """Names the results of a node, and compares them with what the file says of them."""
        number = 0
        for record in node.results:
            way, value = next(iter(record.items()))
            for item in value if way == "as_tensors" else [value]:
                name = item.get("name") or item.get("as_name") if isinstance(item, Mapping) else None
                if name is not None:
                    values.refuse_twice(name)
                    if number >= len(results):
                        raise self._at(node, f"{node.target} gives {len(results)} results, but the file says more")
                    values[name] = results[number]
                    # PyTorch 2.9 and 2.10 say a wrong shape for the states of an LSTM.
                    is_known = name in last and (node.name != "lstm" or number == 0)
                    self._check(node, results[number], metas.get(name) if is_known else None)
                number += 1
        for result in results:
            self.origins.add(result, self._origin(node))

    def _check(self, node: Node, result: Any, meta: Record | None) -> None:
        if not isinstance(result, Expression | np.ndarray):
            return
        size = math.prod(result.shape) * result.dtype.itemsize
        if size > MOST_OF_TENSOR:
            raise self._at(node, f"{node.target} wants {size:,} bytes, and {MOST_OF_TENSOR:,} are the limit")
        if meta is None:
            return
        said = [item.get("as_int") for item in meta["sizes"]]
        fits = len(said) == len(result.shape)
        if not fits or any(want not in (None, got) for want, got in zip(said, result.shape, strict=True)):
            found = f"{node.target} gives {list(result.shape)}, but the file says {said}"
            raise self._at(node, found + self._shape_hint())
        if DTYPES.get(meta["dtype"], str(result.dtype)) != str(result.dtype):
            raise self._at(node, f"{node.target} gives {result.dtype}, but the file says {DTYPES[meta['dtype']]}")

    def _shape_hint(self) -> str:
        """Returns what to do about a shape that an older PyTorch may have written wrongly; "" if none did."""
        is_old = re.match(r"2\.(9|10)\.", self.program.version) is not None
        has_states = any(node.name == "lstm" for node in needed_targets(self.program))
        hint = "; PyTorch 2.9 and 2.10 write wrong shapes for the states of an LSTM: export it with 2.13 or newer"
        return hint if is_old and has_states else ""

    def _refuse_large(self, node: Node, arguments: Mapping[str, Any]) -> None:
        """Refuses what would be too large before it is made."""
        for name, value in arguments.items():
            is_shape = name in ("size", "shape") and isinstance(value, list)
            is_count = node.name in ("arange", "eye", "linspace") and isinstance(value, int | float)
            wanted = 0.0
            if is_shape and all(isinstance(item, int) for item in value):
                wanted = 8.0 * math.prod(abs(item) for item in value)
            elif is_count:
                wanted = 8.0 * abs(value) ** (2 if node.name == "eye" else 1)
            if wanted > MOST_OF_TENSOR:
                raise self._at(node, f"{node.target} wants {wanted:,.0f} bytes, and {MOST_OF_TENSOR:,} are the limit")

    def _say(self, node: Node, sentence: str) -> None:
        notice = f"{node.line or node.name}: {sentence}."
        if notice not in self.notices:
            self.notices.append(notice)

    def _at(self, node: Node, sentence: str) -> ModelRefusal:
        """Returns a refusal with the line of source."""
        where = node.line or self.program.archive.name
        return ModelRefusal(f"{where}: {sentence.rstrip('.')}.")


def _counted(lines: Sequence[str]) -> str:
    """Returns how many nodes there are, and the line of the first: `2 nodes, first at swin.py:299`."""
    where = "" if not lines[0] else f" at {lines[0]}" if len(lines) == 1 else f", first at {lines[0]}"
    return f"{len(lines)} node{'s' * (len(lines) > 1)}{where}"
