"""The graph of a model: blocks under their names, each with its origin, on a page for each module."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, Final

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.paths import split_path
from gradwire.engine.graph.ports import pages_along, used_page
from gradwire.interop.models.names import block_name
from gradwire.interop.models.pages import with_pages
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import made

# Where a block says which line or node of the model it comes from, what stands there, and the operation called.
ORIGIN: Final = "origin"
CODE: Final = "code"
OPERATION: Final = "operation"
# Where a Variable has the name that the model gives it.
PARAMETER: Final = "parameter"
# Where a graph has the lines about how it came in.
NOTICES: Final = "notices"


@dataclass(frozen=True)
class Model:
    """What a file became, with a line for each thing that it does not say or that was left out."""

    graph: Graph
    notices: tuple[str, ...] = ()

    def with_notices(self, lines: Iterable[str]) -> Model:
        """Returns the same with more lines, before all others."""
        notices = (*lines, *self.notices)
        return Model(replace(self.graph, extra={**self.graph.extra, NOTICES: notices}), notices)


@dataclass(frozen=True)
class Origin:
    """Where blocks come from: a line of source or a node of the file, and the path of the module.

    `code` is what stands in that line, and `operation` is called there.
    """

    text: str
    module: str = ""
    code: str = ""
    operation: str = ""

    @property
    def notes(self) -> dict[str, str]:
        """What a block keeps of it."""
        notes = {ORIGIN: self.text, CODE: self.code, OPERATION: self.operation}
        return {key: note for key, note in notes.items() if note} if self.text else {}


@dataclass(frozen=True)
class Found:
    """What a reader found in a file: outputs and leaves by name, and where the applications come from.

    `ends` has where the trace of a leaf ends that no output depends on, and `pages` those that blocks use.
    """

    file: str
    outputs: Mapping[str, Expression]
    leaves: Mapping[str, Expression]
    origins: Mapping[Application, Origin]
    notices: tuple[str, ...]
    ends: Mapping[str, Origin] = field(default_factory=dict)
    pages: Sequence[Page] = ()


class Origins(dict[Application, Origin]):
    """Origins of applications, while a model is read."""

    def add(self, result: Any, origin: Origin) -> None:
        """Notes where a result comes from, and all that was made on the way to it."""
        waiting = [result.application] if isinstance(result, Expression) else []
        while waiting:
            application = waiting.pop()
            if application not in self and not application.type.is_input and not application.type.is_variable:
                self[application] = origin
                waiting += [item.application for item in application.inputs if item is not None]


def is_imported(graph: Graph) -> bool:
    """Returns whether a graph came in from outside as a model."""
    return NOTICES in graph.extra


def origin_at(graph: Graph, path: str) -> str:
    """Returns the line of source of the block at a path, `model.py:12`; "" where none is known."""
    prefix, name = split_path(path)
    pages = pages_along(graph, prefix)
    block = pages[-1].blocks.get(name) if pages else None
    found = None if block is None else block.extra.get(ORIGIN)
    return found if isinstance(found, str) else ""


def notices_of(graph: Graph) -> list[str]:
    """Returns the lines of a graph about how it came in; none for one that was made here."""
    found = graph.extra.get(NOTICES, ())
    return [str(line) for line in found] if isinstance(found, tuple | list) else []


def placed_notices(graph: Graph, notices: Iterable[str]) -> list[tuple[str, str]]:
    """Returns the path of the first block of the line that a notice begins with, and the rest; "" and all for none."""
    places = _places_of_origins(graph)
    found = []
    for notice in notices:
        line, _, rest = notice.partition(": ")
        place = places.get(line, "")
        found.append((place, rest[:1].upper() + rest[1:] if place else notice))
    return found


def _places_of_origins(graph: Graph) -> dict[str, str]:
    """Returns the path of the first block of each line of source, outer pages first."""
    found: dict[str, str] = {}
    known = {page.name for page in PageUses(graph).top_pages()}
    waiting = deque((page.name, page) for page in graph.pages if page.name in known)
    while waiting:
        path, page = waiting.popleft()
        for block in page.blocks.values():
            origin, inner = block.extra.get(ORIGIN), used_page(graph, block)
            if isinstance(origin, str):
                found.setdefault(origin, f"{path}/{block.id}")
            if inner is not None and inner.name not in known:
                known.add(inner.name)
                waiting.append((f"{path}/{block.id}", inner))
    return found


def model_of(found: Found, loss: str | None = None) -> Model:
    """Returns the graph of a model with its notices; `loss` names the output whose sum is the loss.

    A scalar output that is alone is the loss, too.
    Raises: ModelRefusal if there is no such output, or none that could be shown.
    """
    return Model(_graph_of(found, loss)).with_notices(found.notices)


def _graph_of(found: Found, loss: str | None) -> Graph:
    chosen = _chosen(found, loss)
    outputs = _named_outputs(found, chosen)
    roots = [*outputs, *found.leaves.values()]
    roots = roots if chosen is None else [made("Loss", chosen, name="loss"), *roots]
    make_names_differ(roots)
    traced = trace(roots)
    (page,) = traced.graph.pages
    names = {expression.application: port.path.partition("/")[2] for expression, port in traced.ports.items()}
    blocks, modules = dict(page.blocks), dict[str, str]()
    for application, origin in {**found.origins, **_of_variables(found)}.items():
        block = names.get(application)
        if block is not None:
            modules[block] = origin.module
            blocks[block] = _noted(blocks[block], origin.notes)
    for path, leaf in found.leaves.items():
        if leaf.application.type.is_variable:
            end = found.ends[path].notes if path in found.ends else {}
            block = names[leaf.application]
            blocks[block] = _noted(blocks[block], {**end, PARAMETER: path})
    return with_pages(replace(traced.graph, pages=(replace(page, blocks=blocks), *found.pages)), modules)


def _named_outputs(found: Found, chosen: Expression | None) -> list[Expression]:
    """Returns the outputs as blocks under their names.

    What nobody reads would be no output of its page: an Identity beside the page reads it.
    """
    order = topological_order(found.outputs.values())
    read = {source.application for application in order for source in application.inputs if source is not None}
    outputs = []
    for name, item in found.outputs.items():
        application = item.application
        origin = found.origins.get(application)
        if origin is not None and origin.module and item is not chosen and application not in read:
            item = made("Identity", item)
        kind = item.application.type
        # Blocks that make one output alone are called so.
        if len(item.application.outputs) == 1 and not kind.is_variable | kind.is_input:
            item.application.name = block_name(name)
        outputs.append(item)
    return outputs


def _noted(block: Block, notes: Mapping[str, str]) -> Block:
    return replace(block, extra={**block.extra, **notes}) if notes else block


def _of_variables(found: Found) -> dict[Application, Origin]:
    """Returns the innermost module around all that reads a Variable; one that several modules share is outside them."""
    modules: dict[Application, list[str]] = {}
    for application, origin in found.origins.items():
        path = origin.module.split(".") if origin.module else []
        for source in application.inputs:
            if source is not None and source.application.type.is_variable:
                known = modules.setdefault(source.application, path)
                pairs = zip(known, path, strict=False)
                modules[source.application] = [part for part, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]
    return {application: Origin("", ".".join(path)) for application, path in modules.items()}


def make_names_differ(roots: Sequence[Expression]) -> None:
    """Numbers all but the first of the blocks of one name; that of a root is kept before others."""
    counts: dict[str, int] = {}
    for application in dict.fromkeys([*(root.application for root in roots), *topological_order(roots)]):
        if (first := application.name) is None:
            continue
        name = first
        while name in counts:
            counts[first] += 1
            name = f"{first}_{counts[first]}"
        application.name, counts[name] = name, 0


def _chosen(found: Found, loss: str | None) -> Expression | None:
    """Returns the output that is the loss, if one is."""
    if not found.outputs:
        raise ModelRefusal(f"{found.file}: no output of it depends on numbers that could be shown.")
    if loss is not None and loss not in found.outputs:
        raise ModelRefusal(f'There is no output "{loss}"; there are: {", ".join(found.outputs)}.')
    first = next(iter(found.outputs.values()))
    is_scalar = len(found.outputs) == 1 and first.shape == () and first.spec.is_differentiable
    return first if is_scalar else None if loss is None else found.outputs[loss]
