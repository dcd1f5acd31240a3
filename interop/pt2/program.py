"""The graph as a `.pt2` has it: nodes with arguments by name, sizes that may be free, and what an output needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gradwire.interop.models.graphs import Origin
from gradwire.interop.models.limits import DEEPEST_GRAPH, MOST_NODES
from gradwire.interop.models.source_lines import innermost_line
from gradwire.interop.pt2.archive import Archive

Record = Mapping[str, Any]  # Any: as the file has it
_SYMBOL: Final = re.compile(r"Symbol\('(\w+)'|^(\w+)$")
GRADIENT_MODE: Final = "higher_order.wrap_with_set_grad_enabled"
AUTOCAST: Final = "higher_order.wrap_with_autocast"
# Calls of a graph among their arguments.
WRAPPING: Final = (GRADIENT_MODE, AUTOCAST)
# What stands for a function with a gradient rule of its own, while a live module is exported.
OWN_RULE: Final = "gradwire.own_rule.default"
# What computes without gradients has no operation of its own.
NO_GRAD: Final = "no_grad"


@dataclass(frozen=True)
class Node:
    """One call: `target` without `torch.ops.`, arguments and results as the file has them.

    `line` is the line of source, `model.py:12`, `code` its text, and `module` the path of the module that it was called
    in.
    """

    target: str
    arguments: tuple[tuple[str, Record], ...]
    results: tuple[Record, ...]
    line: str
    code: str
    module: str
    is_own_function: bool

    @property
    def origin(self) -> Origin:
        """Where the blocks of this call come from."""
        return Origin(self.line, self.module, self.code, self.name)

    @property
    def name(self) -> str:
        """The operation without its overload: `add` of `aten.add.Tensor`."""
        parts = self.target.split(".")
        return parts[1] if len(parts) > 2 else parts[0]

    @property
    def writes_in_place(self) -> bool:
        """Whether it changes its first argument."""
        return self.name.endswith("_") and not self.name.startswith("_")

    @property
    def read(self) -> list[str]:
        """The values that it reads."""
        return [name for _, argument in self.arguments for name in names_in(argument)]

    @property
    def made(self) -> list[str]:
        """The values that it makes."""
        return [name for result in self.results for name in names_in(result)]

    @property
    def inner(self) -> Record | None:
        """The graph among its arguments, if there is one."""
        return next((item["as_graph"]["graph"] for _, item in self.arguments if "as_graph" in item), None)


class Program:
    """A model as the file has it.

    Raises: ModelRefusal for another schema, and for a program that was decomposed before it was saved.
    """

    def __init__(self, archive: Archive, sizes: Mapping[str, int] | None = None) -> None:
        """`sizes` chooses free sizes by their symbols."""
        self.archive = archive
        whole = archive.json_of(f"models/{archive.model}.json")
        major = whole["schema_version"]["major"]
        if major != 8:
            raise archive.refusal(f"its schema is {major}, and 8 is read; save it with PyTorch 2.9 to 2.14")
        if whole.get("verifiers") not in (None, [], ["TRAINING"]):
            raise archive.refusal(
                "it was decomposed before it was saved, which loses detach and no_grad without a word; "
                "save what torch.export.export gives"
            )
        self.version = str(whole.get("torch_version", "?"))
        module = whole["graph_module"]
        self.graph: Record = module["graph"]
        self.inputs: list[Record] = module["signature"]["input_specs"]
        self.outputs: list[Record] = module["signature"]["output_specs"]
        self._ranges: Record = whole.get("range_constraints") or {}
        self._symbols = dict(sizes or {})

    def size(self, item: Record) -> int:
        """Returns a size: a number, what an input made of its symbol, the hint, or the least that is allowed."""
        if "as_int" in item:
            return int(item["as_int"])
        symbol = symbol_of(item)
        if symbol not in self._symbols:
            hint = (item["as_expr"].get("hint") or {}).get("as_int")
            least = (self._ranges.get(symbol) or {}).get("min_val") or 2
            self._symbols[symbol] = int(hint) if hint is not None else max(2, int(least))
        return self._symbols[symbol]

    def bind(self, item: Record, size: int) -> bool:
        """Gives a free size its number; returns whether a size that is not free, or has one, is the same."""
        if "as_int" in item:
            return bool(item["as_int"] == size)
        return self._symbols.setdefault(symbol_of(item), size) == size

    def text(self, item: Record) -> str:
        """Returns the size as a sentence has it."""
        return str(item.get("as_int", "?"))


def symbol_of(item: Record) -> str:
    """Returns the symbol of a free size; the whole expression where it is more than a symbol."""
    text = str(item["as_expr"]["expr_str"])
    found = _SYMBOL.match(text)
    return (found[1] or found[2]) if found else text


def names_in(argument: Record) -> list[str]:
    """Returns the values that an argument names."""
    way, value = next(iter(argument.items()))
    if way in ("as_tensor", "as_sym_int", "as_sym_bool", "as_sym_float"):
        items = [value]
    elif way in ("as_tensors", "as_sym_ints", "as_sym_floats", "as_sym_bools"):
        items = value
    elif way == "as_nested_tensors":
        items = [item for row in value for item in row]
    elif way == "as_optional_tensors":
        items = [item["as_tensor"] for item in value if "as_tensor" in item]
    elif way == "as_optional_tensor":
        items = [value["as_tensor"]] if "as_tensor" in value else []
    else:
        items = []
    found = [item.get("name") or item.get("as_name") for item in items]
    return [name for name in found if name]


def nodes_of(graph: Record) -> list[Node]:
    """Returns the nodes of a graph, in its order."""
    return [_node(record) for record in graph["nodes"]]


@dataclass(frozen=True)
class Needs:
    """What the outputs of a graph need: its nodes by place, and the last place at which each value is read."""

    places: frozenset[int]
    last: Mapping[str, int]


def needs_of(graph: Record, nodes: list[Node]) -> Needs:
    """Returns what the outputs of a graph need; a node that writes in place is always needed."""
    last = {name: len(nodes) for item in graph["outputs"] for name in names_in(item)}
    places = set()
    for place in reversed(range(len(nodes))):
        node = nodes[place]
        if node.writes_in_place or any(name in last for name in node.made):
            places.add(place)
            for name in node.read:
                last.setdefault(name, place)
    return Needs(frozenset(places), last)


def needed_targets(program: Program) -> Iterator[Node]:
    """Yields all nodes that outputs need, in inner graphs too.

    Raises: ModelRefusal for more nodes, or deeper graphs, than are read.
    """
    count, waiting = 0, [(program.graph, 0)]
    while waiting:
        graph, depth = waiting.pop()
        if depth > DEEPEST_GRAPH:
            raise program.archive.refusal(f"its graphs lie more than {DEEPEST_GRAPH} deep")
        count += len(graph["nodes"])
        if count > MOST_NODES:
            raise program.archive.refusal(f"it has more than {MOST_NODES:,} nodes")
        nodes = nodes_of(graph)
        for place in sorted(needs_of(graph, nodes).places):
            node = nodes[place]
            yield node
            if node.inner is not None:
                waiting.append((node.inner, depth + 1))


def _node(record: Record) -> Node:
    notes = record.get("metadata") or {}
    trace = notes.get("stack_trace") or ""
    line, code = innermost_line(trace)
    modules = [part.split(",") for part in (notes.get("nn_module_stack") or "").split(";")]
    module = modules[-1][1] if len(modules[-1]) > 2 else ""
    arguments = tuple((str(item["name"]), item["arg"]) for item in record["inputs"])
    target = str(record["target"]).removeprefix("torch.ops.")
    return Node(target, arguments, tuple(record["outputs"]), line, code, _module_path(module), ".apply(" in trace)


def _module_path(text: str) -> str:
    """Returns the path of a module: `layers.0` of `L['self'].layers.0@1`."""
    return re.sub(r"^L\['self'\]\.?", "", re.sub(r"@\d+$", "", text))
