"""Blocks of a `.pt2`: its nodes one after the other, by the operations of `interop.aten`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.aten.operations import Operation, find
from gradwire.interop.models.graphs import Origin, Origins
from gradwire.interop.models.inputs import Drawn, Given, Inputs
from gradwire.interop.models.limits import MOST_OF_TENSOR
from gradwire.interop.models.names import LONGEST, block_name, listed
from gradwire.interop.models.own_pages import OwnPage
from gradwire.interop.models.refusals import ModelRefusal
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
from gradwire.interop.pt2.views import Views, with_part
from gradwire.interop.pt2.weights import DTYPES, Weights, dtype_of

# Operations whose results share the memory of their first argument.
_VIEWS: Final = frozenset(
    [
        "select",
        "slice",
        "view",
        "_unsafe_view",
        "reshape",
        "transpose",
        "t",
        "permute",
        "unsqueeze",
        "squeeze",
        "expand",
        "expand_as",
        "view_as",
        "split",
        "chunk",
        "unbind",
        "diagonal",
        "alias",
        "flatten",
        "unflatten",
        "narrow",
        "detach",
        "as_strided",
        "swapaxes",
        "numpy_T",
        "mT",
        "split_with_sizes",
        "contiguous",
        "to",
    ]
)
# What PyTorch does otherwise at ties and kinks, by its operation or our block.
_TIE: Final = "of two equal numbers the first has the whole gradient here, and in PyTorch each has half"
_BOUND: Final = "on a bound of the range the gradient is 1 here, and in some versions of PyTorch 0"
_ZERO: Final = "the length of a vector of zeros has no gradient here (NaN), and in PyTorch the gradient 0"
_KINKS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("maximum", "minimum"), _TIE),
    "ClipByValue": _BOUND,
    **dict.fromkeys(("norm", "linalg_vector_norm", "linalg_norm", "cdist"), _ZERO),
}
# Operations of this form that leave the numbers as they are: an active dropout is refused.
_WRITES_NOTHING: Final = ("detach_", "dropout_", "alpha_dropout_", "feature_dropout_")
_PLAIN: Final = frozenset(
    ("as_int", "as_ints", "as_bool", "as_bools", "as_string", "as_strings", "as_int_lists", "as_float_lists")
)
Values = dict[str, Any]  # Any: expressions, arrays, numbers


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
    leaves: dict[str, Expression] = field(default_factory=dict)
    outputs: list[Any] = field(default_factory=list)
    origins: Origins = field(default_factory=Origins)
    own_rules: list[tuple[str, list[Any]]] = field(default_factory=list)
    own_pages: Mapping[int, OwnPage] = field(default_factory=dict)

    def run(self) -> None:
        """Makes the blocks.

        Raises: ModelRefusal, with the line of source, for what has no block.
        """
        self._refuse_unknown()
        self._buffers: dict[str, str] = {}
        self._changed: dict[str, None] = {}
        self._inputs = Inputs(self.program, self.given, self.drawn, self.notices)
        values: Values = {}
        for spec in self.program.inputs:
            self._take_input(spec, values)
        self._inputs.refuse_unknown()
        results = self._graph(self.program.graph, values, with_gradients=True)
        kept = ["user_output" in spec for spec in self.program.outputs]
        self.outputs = [result for result, is_kept in zip(results, kept, strict=True) if is_kept]
        named = (spec["buffer_mutation"]["buffer_name"] for spec in self.program.outputs if "buffer_mutation" in spec)
        changed = list(self._changed | dict.fromkeys(named))
        if changed:
            self.notices.append(f"A call would change {listed(changed)}; here it stays as it is.")

    # Inputs

    def _take_input(self, spec: Record, values: Values) -> None:
        kind, record = next(iter(spec.items()))
        archive, metas = self.program.archive, self.program.graph["tensor_values"]
        if kind == "constant_input":
            values[record["name"]] = None if "as_none" in record["value"] else next(iter(record["value"].values()))
            return
        if kind in ("custom_obj", "token"):
            raise archive.refusal(f"an input of it is a {kind}, which no block has")
        argument = record["arg"]
        if kind == "user_input":
            way, argument = next(iter(argument.items()))
            if way == "as_none":
                return
            if way != "as_tensor":
                raise archive.refusal(f"an input of it is a {way[3:]} and no tensor")
        name = argument["name"]
        self._refuse_twice(name, values)
        if kind == "user_input":
            dtype = dtype_of(archive, name, metas[name]["dtype"])
            values[name] = self.leaves[name] = self._inputs.make(name, metas[name]["sizes"], dtype)
            return
        own = record.get("parameter_name") or record.get("buffer_name") or record.get("tensor_constant_name")
        if own not in self.weights.arrays:
            raise archive.refusal(f"{own} has no numbers in it")
        array = self.weights.arrays[own]
        if list(array.shape) != [item.get("as_int") for item in metas[name]["sizes"]]:
            raise archive.refusal(f"{own} has the shape {list(array.shape)}, but the file says another one")
        if kind == "parameter":
            values[name] = self.leaves[own] = self._parameter(own, array, bool(metas[name]["requires_grad"]))
        else:
            values[name] = array
            self._buffers[name] = own

    def _parameter(self, name: str, array: Array, is_trainable: bool) -> Expression:
        """Returns the Variable of a parameter; tied parameters are one."""
        part = self.weights.parts[name]
        tied = next((other for other in self.leaves if self.weights.parts.get(other) == part), None)
        if tied is not None:
            self.notices.append(f"{name} is {tied}: one Variable.")
            return self.leaves[tied]
        made: Expression = library["Variable"](value=array, trainable=is_trainable, name=block_name(name))
        return made

    # Nodes

    def _refuse_unknown(self) -> None:
        """Refuses all operations without blocks at once."""
        counts: dict[str, int] = {}
        for node, _ in needed_targets(self.program):
            if node.target not in WRAPPING and self._find(node.target) is None:
                counts[node.target] = counts.get(node.target, 0) + 1
        if counts:
            rows = [f"{name} ({count} node{'s' * (count > 1)})" for name, count in sorted(counts.items())]
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
                if written in self._buffers:
                    self._changed[self._buffers[written]] = None
            if node.target not in WRAPPING:
                self._write_through(node, place, views, values, needs.last)
        ends = [next(iter(names_in(item)), None) for item in graph["outputs"]]
        return [leaving(name, self._value(item, values)) for name, item in zip(ends, graph["outputs"], strict=True)]

    def _inner(self, node: Node, values: Values, leaving: Any, with_gradients: bool) -> list[Any]:
        """Returns the results of a graph in which gradients are on or off, or dtypes are not chosen by PyTorch."""
        place = next(number for number, (_, item) in enumerate(node.arguments) if "as_graph" in item)
        modes, (_, inner), rest = node.arguments[:place], node.arguments[place], node.arguments[place + 1 :]
        arrived = [self._value(item, values) for _, item in rest]
        if node.target == AUTOCAST:
            if self._value(modes[2][1], values):
                raise self._at(node, "autocast chooses other dtypes; export the model without it")
        else:
            was_on, with_gradients = with_gradients, bool(self._value(modes[0][1], values))
            if with_gradients and not was_on:
                given = [next(iter(names_in(item)), None) for _, item in rest]
                arrived = [leaving(name, value) for name, value in zip(given, arrived, strict=True)]
        graph = inner["as_graph"]["graph"]
        names = [names_in(item)[0] for item in graph["inputs"]]
        return self._graph(graph, dict(zip(names, arrived, strict=True)), with_gradients)

    def _called(self, node: Node, values: Values) -> list[Any]:
        arguments = {name: self._value(item, values) for name, item in node.arguments}
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
        for name in (node.name, *made):
            if name in _KINKS:
                self._say(node, _KINKS[name])
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
                    self._refuse_twice(name, values)
                    if number >= len(results):
                        raise self._at(node, f"{node.target} gives {len(results)} results, but the file says more")
                    values[name] = results[number]
                    # PyTorch 2.10 says a wrong shape for a state of an LSTM that nobody reads.
                    self._check(node, results[number], metas.get(name) if name in last else None)
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
            raise self._at(node, f"{node.target} gives {list(result.shape)}, but the file says {said}")
        if DTYPES.get(meta["dtype"], str(result.dtype)) != str(result.dtype):
            raise self._at(node, f"{node.target} gives {result.dtype}, but the file says {DTYPES[meta['dtype']]}")

    def _write_through(self, node: Node, place: int, views: Views, values: Values, last: Mapping[str, int]) -> None:
        """Follows views, and lets what is written into one reach the tensor that it shows a part of.

        Raises: ModelRefusal where other tensors would change that are read later.
        """
        first = names_in(node.arguments[0][1]) if node.arguments else []
        if not first:
            return
        if node.name in _VIEWS:
            for name in node.made:
                views.note(name, first[0], _part_of(node, views, values, first[0]))
        if not node.writes_in_place or node.name in _WRITES_NOTHING:
            return
        root, part = views.of(first[0])
        others = [view for view in views.names_of(root) if view != first[0] and last.get(view, -1) > place]
        if root == first[0] and not others:
            return
        if others or part is None or root not in values:
            raise self._at(
                node,
                f"{node.name} writes into a view, which changes another tensor; "
                "write y = torch.cat([...]) or torch.where(...)",
            )
        values[root] = with_part(values[root], part, values[first[0]])

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

    def _value(self, argument: Record, values: Values) -> Any:
        """Returns an argument: a tensor, a number, a list."""
        way, value = next(iter(argument.items()))
        if way in _PLAIN:
            return value
        if way in ("as_none", "as_layout", "as_device", "as_memory_format"):
            return None
        if way == "as_tensor":
            return self._named(value["name"], values)
        if way in ("as_tensors", "as_nested_tensors"):
            return [self._named(item["name"], values) for item in value]
        if way == "as_optional_tensor":
            return None if "as_none" in value else self._named(value["as_tensor"]["name"], values)
        if way == "as_optional_tensors":
            return [None if "as_none" in item else self._named(item["as_tensor"]["name"], values) for item in value]
        if way in ("as_sym_int", "as_sym_bool", "as_sym_float"):
            return self._symbolic(value, values)
        if way in ("as_sym_ints", "as_sym_floats", "as_sym_bools"):
            return [self._symbolic(item, values) for item in value]
        if way == "as_scalar_type":
            return dtype_of(self.program.archive, "a cast", value)
        if way == "as_float":  # what is not finite is a text
            return float(value)
        if way == "as_floats":
            return [float(item) for item in value]
        raise self.program.archive.refusal(f"an argument of it is a {way[3:]}, which is not read")

    def _symbolic(self, item: Record, values: Values) -> Any:
        return self._named(item["as_name"], values) if "as_name" in item else next(iter(item.values()))

    def _named(self, name: str, values: Values) -> Any:
        if name not in values:
            raise self.program.archive.refusal(f"{str(name)[:LONGEST]} is used before it is made")
        return values[name]

    def _refuse_twice(self, name: str, values: Values) -> None:
        if name in values:
            raise self.program.archive.refusal(f"two values of it are called {str(name)[:LONGEST]}")

    def _say(self, node: Node, sentence: str) -> None:
        notice = f"{node.line or node.name}: {sentence}."
        if notice not in self.notices:
            self.notices.append(notice)

    def _at(self, node: Node, sentence: str) -> ModelRefusal:
        """Returns a refusal with the line of source."""
        where = node.line or self.program.archive.name
        return ModelRefusal(f"{where}: {sentence.rstrip('.')}.")


def _part_of(node: Node, views: Views, values: Values, base: str) -> Array | None:
    """Returns the places of a view in the tensor that it shows a part of; None for views that are not followed."""
    _, places = views.of(base)
    if base in values and places is None and views.is_root(base) and hasattr(values[base], "shape"):
        places = np.arange(math.prod(values[base].shape)).reshape(values[base].shape)
    plain = {name: next(iter(item.values())) for name, item in node.arguments[1:]}
    if places is None or not all(isinstance(item, int) for item in plain.values() if item is not None):
        return None
    if node.name == "select":
        return np.asarray(np.take(places, plain["index"], axis=plain["dim"]))
    if node.name == "slice":
        dim, step = plain.get("dim", 0), plain.get("step", 1)
        chosen = slice(_number(plain.get("start")), _number(plain.get("end")), step)
        return np.asarray(places[(slice(None),) * (dim % max(1, places.ndim)) + (chosen,)])
    return None


def _number(item: Any) -> int | None:
    return item if type(item) is int else None
