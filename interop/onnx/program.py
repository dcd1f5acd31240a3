"""The graph as the file has it: what an output needs, functions of the model, and sizes that may be free."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gradwire.interop.models.limits import DEEPEST_GRAPH, MOST_NODES
from gradwire.interop.models.names import LONGEST
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.messages import (
    DimMessage,
    FunctionMessage,
    GraphMessage,
    NodeMessage,
    OperatorSetMessage,
    ValueMessage,
)
from gradwire.interop.opset.operators import find

NEWEST_OPSET: Final = 28
# Operators that hold graphs: the reader carries them out.
CONTROL: Final = ("If", "Loop", "Scan")
_DEEPEST_CALL: Final = 100
_GRAPH: Final = 5
Opsets = Mapping[str, int]
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Axis:
    """An axis of an input: its size, or a symbol for one that is free."""

    number: int | None
    symbol: str = ""


class Sizes:
    """The free sizes of a model; those with one name are the same."""

    default: Final = 2

    def __init__(self, chosen: Mapping[str, int] | None = None) -> None:
        self._chosen = dict(chosen or {})

    def size(self, axis: Axis) -> int:
        """Returns the size of an axis, 2 if nobody has chosen it."""
        return self._chosen.setdefault(axis.symbol, self.default) if axis.number is None else axis.number

    def bind(self, axis: Axis, size: int) -> bool:
        """Gives a free size its number; returns whether a size that is not free, or has one, is the same."""
        return size == (self._chosen.setdefault(axis.symbol, size) if axis.number is None else axis.number)

    def text(self, axis: Axis) -> str:
        """Returns the size as a sentence has it."""
        return "?" if axis.number is None else str(axis.number)


class Program:
    """A model as its file has it.

    Raises: ModelRefusal for operators without blocks, all of them, and for more nodes, or deeper ones, than are read.
    """

    def __init__(self, file: ModelFile) -> None:
        message = file.message
        assert message.graph is not None
        self.file, self.graph = file, message.graph
        self.opsets = opsets_of(message.opset_import)
        self.functions: dict[Key, FunctionMessage] = {}
        for function in message.functions:
            key = (_domain(function.domain), function.name, function.overload)
            if key in self.functions:
                raise file.refusal(f"two functions of it are called {function.name[:LONGEST]}")
            self.functions[key] = function
        self._refuse_versions([self.opsets, *(opsets_of(item.opset_import) for item in message.functions)])
        self._refuse_many()

    @property
    def producer(self) -> str:
        """The program that wrote the file, with its version."""
        message = self.file.message
        return f"{message.producer_name[:LONGEST]} {message.producer_version[:LONGEST]}".strip()

    def function_of(self, node: NodeMessage) -> FunctionMessage | None:
        """Returns the function of the model that a node calls, if it calls one."""
        return self.functions.get((_domain(node.domain), node.op_type, node.overload))

    def axes_of(self, value: ValueMessage) -> tuple[list[Axis] | None, int]:
        """Returns the axes of an input, None if it does not say how many, and the code of its dtype.

        Raises: ModelRefusal for what is no tensor.
        """
        found = value.type
        if found is not None and found.optional_type is not None:
            found = found.optional_type.elem_type
        tensor = None if found is None else found.tensor_type
        if tensor is None:
            raise self.file.refusal(f"its input {value.name[:LONGEST]} is no tensor")
        dims = None if tensor.shape is None else tensor.shape.dim
        axes = None if dims is None else [_axis(value.name, place, dim) for place, dim in enumerate(dims)]
        return axes, tensor.elem_type

    def given_inputs(self) -> list[ValueMessage]:
        """Returns the inputs without numbers in the file; old files list weights among the inputs, too."""
        own = {item.name for item in self.graph.initializer}
        return [item for item in self.graph.input if item.name not in own]

    def _refuse_versions(self, all_opsets: Sequence[Opsets]) -> None:
        if not self.file.message.opset_import:
            raise self.file.refusal("it does not say which version of the operators it has")
        newest = max(opsets.get("", NEWEST_OPSET) for opsets in all_opsets)
        if newest > NEWEST_OPSET:
            raise self.file.refusal(f"its operators are of version {newest}, and up to {NEWEST_OPSET} is read")

    def _refuse_many(self) -> None:
        unknown: dict[str, int] = {}
        count = _Counting(self, unknown).nodes(needed_nodes(self.graph), 0)
        if count > MOST_NODES:
            raise self.file.refusal(f"it has {count:,} nodes, and {MOST_NODES:,} are the limit")
        if unknown:
            rows = [f"{name[:LONGEST]} ({number} node{'s' * (number > 1)})" for name, number in sorted(unknown.items())]
            raise self.file.refusal(f"it needs operations without blocks: {', '.join(rows)}")


class _Counting:
    """Counts nodes, those of a function at each of its calls, and those without blocks by name."""

    def __init__(self, program: Program, unknown: dict[str, int]) -> None:
        self._program, self._unknown = program, unknown
        self._known: dict[Key, int] = {}
        self._open: list[Key] = []

    def nodes(self, nodes: Sequence[NodeMessage], depth: int) -> int:
        if depth > DEEPEST_GRAPH:
            raise self._program.file.refusal(f"its graphs lie more than {DEEPEST_GRAPH} deep")
        return sum(self._node(node, depth) for node in nodes)

    def _node(self, node: NodeMessage, depth: int) -> int:
        function = self._program.function_of(node)
        inner = sum(self.nodes(needed_nodes(graph), depth + 1) for graph in graphs_of(node))
        if function is not None:
            return inner + self._function((_domain(node.domain), node.op_type, node.overload), function)
        name = full_name(node)
        if name not in CONTROL and find(name) is None:
            self._unknown[name] = self._unknown.get(name, 0) + 1
        return 1 + inner

    def _function(self, key: Key, function: FunctionMessage) -> int:
        if key in self._open:
            raise self._program.file.refusal(f"its function {function.name[:LONGEST]} calls itself")
        if len(self._open) >= _DEEPEST_CALL:
            raise self._program.file.refusal(f"its functions call each other more than {_DEEPEST_CALL} deep")
        if key not in self._known:
            self._open.append(key)
            self._known[key] = self.nodes(needed_of(function.node, function.output), 0)
            self._open.pop()
        return self._known[key]


def full_name(node: NodeMessage) -> str:
    """Returns the operator of a node, behind its domain if that is not ONNX's own."""
    domain = _domain(node.domain)
    return f"{domain}.{node.op_type}" if domain else node.op_type


def opsets_of(rows: Sequence[OperatorSetMessage]) -> dict[str, int]:
    """Returns the versions of the operators by domain."""
    return {_domain(row.domain): row.version for row in rows}


def graphs_of(node: NodeMessage) -> Iterator[GraphMessage]:
    """Yields the graphs among the settings of a node."""
    return (item.g for item in node.attribute if item.g is not None and item.type in (0, _GRAPH))


def needed_nodes(graph: GraphMessage) -> list[NodeMessage]:
    """Returns the nodes that the outputs of a graph need, in its order."""
    return needed_of(graph.node, [item.name for item in graph.output])


def needed_of(nodes: Sequence[NodeMessage], outputs: Sequence[str]) -> list[NodeMessage]:
    """Returns the nodes that outputs need, in their order; what an inner graph reads is needed, too."""
    wanted, found = set(outputs), []
    for node in reversed(nodes):
        if any(name in wanted for name in node.output if name):
            found.append(node)
            wanted.update(_read_by(node))
    return found[::-1]


def made_twice(nodes: Sequence[NodeMessage], names: set[str]) -> str:
    """Returns a name that is made twice, or is among `names` before; "" if there is none."""
    known = set(names)
    for node in nodes:
        for name in node.output:
            if name and name in known:
                return name
            known.add(name)
    return ""


def _read_by(node: NodeMessage) -> Iterator[str]:
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield from (name for name in each.input if name)
        for graph in graphs_of(each):
            waiting += graph.node
            yield from (item.name for item in graph.output)


def _axis(name: str, place: int, dim: DimMessage) -> Axis:
    if dim.dim_value is not None and dim.dim_value >= 0 and not dim.dim_param:
        return Axis(dim.dim_value)
    # Some exporters write "?" for each free size: one without a letter names none.
    is_named = any(letter.isalpha() for letter in dim.dim_param)
    return Axis(None, dim.dim_param if is_named else f"{name} {place}")


def _domain(domain: str) -> str:
    return "" if domain == "ai.onnx" else domain
