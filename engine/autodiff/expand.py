"""Expansion (inlining) of used pages: every block becomes one instance per use, with inputs traced across pages."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from gradwire.engine.autodiff.instances import Feed, Instance, Link, PortName
from gradwire.engine.autodiff.own_rules import OwnRule, problems_of_pairs, rule_of_use
from gradwire.engine.autodiff.page_uses import PageUses, Size, repeated, ring_sentence
from gradwire.engine.autodiff.rounds import rounds_of_loop
from gradwire.engine.base.errors import BlockError, ParameterError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.problems import Problem, row_text
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.graph.loops import Loop, check_loop, loop_of
from gradwire.engine.graph.paths import giving_page, is_gradient
from gradwire.engine.graph.ports import has_input, has_output, page_ports, role_of

__all__ = ["Expanded", "Instance", "Link", "PortName", "expand"]

EXPANDED_LIMIT = 200_000
WIRES_LIMIT = LIMITS.wires
# Paths grow with the nesting of pages. Units: letters of all paths together.
PATHS_LIMIT = 2**28


# The code of the problem of a page that is not expanded yet.
LEFT_CLOSED = "expanding"
Check = Callable[[], object]


def unchecked() -> None:
    """Checks nothing."""


def left_closed_sentence(blocks: int) -> str:
    """Returns the sentence about a page that is not expanded yet."""
    return f"{blocks:,} blocks are inside this page; they are not expanded yet. Run (F5) expands them."


class PortNames(dict[Port, PortName]):
    """Cache of the port names of one use of a page, with one shared string per path."""

    def __init__(self, prefix: str) -> None:
        self._prefix, self._paths = prefix, dict[str, str]()

    def __missing__(self, port: Port) -> PortName:
        block, name = port
        path = self._paths.get(block)
        if path is None:
            path = self._paths[block] = f"{self._prefix}/{block}"
        found = self[port] = PortName(path, name)
        return found


@dataclass
class Expanded:
    """All instances by path in topological order; `broken` holds wires that lead nowhere.

    `arriving` has the wires that end at an instance, `consumers` the instances that depend on it directly. Of two
    instances the one with the greater number in `places` comes later. `special` names the instances that read more than
    their inputs, or that callers look up by role: losses, derivatives, and blocks whose output shapes depend on values.
    `unused` are the pages that no block uses, and that give no gradient. `inside` is the most blocks that used pages
    might have. `rules` has the own gradients of pages by the paths of their uses.
    """

    instances: dict[str, Instance] = field(default_factory=dict)
    arriving: dict[str, list[Link]] = field(default_factory=dict)
    consumers: dict[str, list[str]] = field(default_factory=dict)
    places: dict[str, int] = field(default_factory=dict)
    special: dict[str, None] = field(default_factory=dict)
    unused: frozenset[str] = frozenset()
    broken: list[Link] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    inside: int = EXPANDED_LIMIT
    rules: dict[str, OwnRule] = field(default_factory=dict)

    @functools.cached_property
    def links(self) -> list[Link]:
        """All wires, in the order of the instances where they end."""
        return list(itertools.chain.from_iterable(filter(None, map(self.arriving.get, self.instances))))

    @functools.cached_property
    def giving(self) -> Mapping[str, list[str]]:
        """Paths of the instances on pages that give gradients, by the paths of these pages."""
        found: dict[str, list[str]] = {}
        for path in self.instances if self.rules else ():
            if giving := giving_page(path):
                found.setdefault(giving, []).append(path)
        return found


class _Use(NamedTuple):
    """Pending expansion of a page: its path, whether a block uses it, and what arrives at its inputs."""

    page: Page
    prefix: str
    is_used: bool
    bound: Mapping[str, Feed]


class _Entry:
    """Decision which page blocks are entered: none in a ring, and none with more inside than the limits allow."""

    def __init__(self, graph: Graph, uses: PageUses, tops: list[Page], result: Expanded) -> None:
        self._graph, self._uses, self._sizes, self._problems = graph, uses, uses.sizes(), result.problems
        self._blocks = EXPANDED_LIMIT - sum(len(page.blocks) for page in tops)
        # What is not expanded yet, though it may be.
        self._left_closed = max(0, self._blocks - result.inside)
        self._wires, self._letters = WIRES_LIMIT, PATHS_LIMIT
        self._reported: set[tuple[str, ...]] = set()

    def page_to_enter(self, block: Block, use: _Use, path: str) -> tuple[Page, Loop | None] | None:
        """Returns the page that a block uses, and its settings if it is a loop.

        None for other blocks, and if the page cannot be entered.
        """
        block_type = library.get(block.type)
        if block_type is None or block_type.role is not Role.PAGE or block.is_muted:
            return None
        try:
            page, loop = _page_named(self._graph, block, block_type), loop_of(block)
            if self._uses.is_in_ring(use.page.name, page.name):
                self._report_ring(self._uses.rings[page.name], path)
                return None
            if loop is not None:
                check_loop(loop, page, self._sizes[page.name].blocks)
        except BlockError as error:
            self._problems.append(Problem("error", path, error.code, block_type.sentence(error), plugin=error.plugin))
            return None
        # The room for a used page is that for all pages inside it.
        size = self._sizes[page.name] if loop is None else repeated(self._sizes[page.name], loop.times)
        refusal = None if use.is_used else self._refusal(size, path)
        if refusal is not None:
            self._problems.append(refusal)
        return (page, loop) if refusal is None else None

    def rule_of(self, use: _Use) -> OwnRule | None:
        """Returns the own gradient of a used page; None without one."""
        name = use.page.gradient
        if name is None or not use.is_used or is_gradient(use.prefix):
            return None
        is_in_ring = self._uses.is_in_ring(use.page.name, name)
        if is_in_ring:
            self._report_ring(self._uses.rings[name], use.prefix)
        return rule_of_use(self._graph, use.page, use.prefix, is_in_ring)

    def _report_ring(self, ring: tuple[str, ...], path: str) -> None:
        if ring not in self._reported:
            self._reported.add(ring)
            self._problems.append(Problem("error", path, "cycle", ring_sentence(ring)))

    def _refusal(self, size: Size, path: str) -> Problem | None:
        """Reserves the room for one more use of a page of this size; returns the reason if that is impossible."""
        letters = size.letters + size.names * len(path)
        message = ""
        if size.blocks > self._blocks:
            message = f"With this page the graph has more than {EXPANDED_LIMIT:,} blocks; use fewer pages inside pages."
        elif size.wires > self._wires:
            message = f"With this page the graph has more than {WIRES_LIMIT:,} wires; use fewer pages inside pages."
        elif letters > self._letters:
            message = "With this page too many pages lie inside each other; use fewer pages inside pages."
        if message:
            return Problem("error", path, "memory", message)
        if size.blocks > self._blocks - self._left_closed:
            return Problem("info", path, LEFT_CLOSED, left_closed_sentence(size.blocks))
        self._blocks, self._wires, self._letters = (
            self._blocks - size.blocks,
            self._wires - size.wires,
            self._letters - letters,
        )
        return None


def expand(graph: Graph, inside: int = EXPANDED_LIMIT, check: Check = unchecked) -> Expanded:
    """Expands a graph: pages that nobody uses, and inside them every used page once per use.

    Uses with which used pages would have more than `inside` blocks are left closed. `check` is called again and
    again; an error that it raises ends the expansion.
    """
    uses = PageUses(graph)
    unused = frozenset(uses.names).difference(*uses.names.values(), graph.gradients.values())
    result = Expanded(unused=unused, inside=inside)
    tops, giving = uses.top_pages(), set(graph.gradients.values())
    entry = _Entry(graph, uses, tops, result)
    broken = functools.cache(lambda name: _reasons_broken(graph, graph.page(name)))
    pending = [_Use(page, page.name, False, {}) for page in reversed(tops)]
    while pending:
        check()
        use = pending.pop()
        rule = entry.rule_of(use)
        if rule is not None:
            result.rules[use.prefix] = rule
            pending.extend(_gradient_use(graph, rule))
        inputs = _wire_up(use, broken(use.page.name), result)
        _report_ports_of_one_name(use, result)
        ports = page_ports(use.page, Role.PAGE_INPUT) if use.is_used else []
        bound = {port.block.id: use.bound[port.name] for port in ports if port.name in use.bound}
        for block in use.page.blocks.values():
            path = f"{use.prefix}/{block.id}"
            wired: Mapping[str, PortName] = inputs.get(block.id, {})
            entered = entry.page_to_enter(block, use, path)
            if entered is not None:
                pages, wired = _enter(block, path, *entered, wired, result)
                pending.extend(reversed(pages))
            is_used = use.is_used or use.page.name in giving
            instance = instance_of(block, path, wired, is_used, entered is not None, bound.get(block.id))
            result.instances[path] = instance
            if is_special(instance):
                result.special[path] = None
    for path, rule in result.rules.items():
        result.instances[path] = replace(result.instances[path], rule=rule)
    result.problems += problems_of_pairs(graph, result.rules)
    _sort(result, check)
    return result


def _enter(
    block: Block, path: str, page: Page, loop: Loop | None, wired: Mapping[str, PortName], result: Expanded
) -> tuple[list[_Use], Mapping[str, PortName]]:
    """Returns the uses of a page by a block, and the producers of the outputs of the block."""
    if loop is None:
        outputs = page_ports(page, Role.PAGE_OUTPUT)
        feeds = {name: Feed(source, PortName(path, name)) for name, source in wired.items()}
        return [_Use(page, path, True, feeds)], {
            port.name: PortName(f"{path}/{port.block.id}", "y") for port in outputs
        }
    rounds = rounds_of_loop(block, path, loop, page, wired)
    result.instances.update((instance.path, instance) for instance in rounds.instances)
    for link in rounds.links:
        result.arriving.setdefault(link.target.path, []).append(link)
    return [_Use(page, here, True, feeds) for here, feeds in rounds.feeds.items()], rounds.outputs


def _gradient_use(graph: Graph, rule: OwnRule) -> list[_Use]:
    """Returns the expansion of the page that gives the gradient of a used page; none if it cannot be expanded.

    Its inputs are wired to the blocks behind the ports of the used page, which have their specs.
    """
    if not rule.prefix:
        return []
    bound = {name: Feed(PortName(rule.sources[name], "y"), PortName(rule.prefix, name)) for name in rule.given}
    return [_Use(graph.page(rule.backward), rule.prefix, True, bound)]


def instance_of(
    block: Block,
    path: str,
    inputs: Mapping[str, PortName],
    is_used: bool = False,
    is_entered: bool = False,
    feed: Feed | None = None,
) -> Instance:
    """Returns one use of a block at a path; `feed` arrives at it if it is an input of a used page."""
    is_muted, block_type = block.is_muted and can_be_muted(block), library.get(block.type)
    if feed is None:
        return Instance(path, block, block_type, inputs, is_muted, is_used, is_entered)
    inputs = {"x": feed.source}
    return Instance(path, block, block_type, inputs, is_muted, is_used, port=feed.port, is_stop=feed.is_stopped)


def is_special(instance: Instance) -> bool:
    """Returns whether an instance belongs in `Expanded.special`."""
    block_type = instance.type
    return block_type is not None and (block_type.role in (Role.LOSS, Role.GRADIENTS) or block_type.infer is None)


def can_be_muted(block: Block) -> bool:
    """Returns whether muting affects a block; it does not for a Loss and for blocks without inputs."""
    block_type = library.get(block.type)
    if block_type is None or block_type.role is Role.PAGE:
        return block_type is not None
    return block_type.role not in (Role.LOSS, Role.PAGE_OUTPUT) and bool(block_type.inputs)


def _reasons_broken(graph: Graph, page: Page) -> dict[Wire, str]:
    """Returns the wires of a page that lead nowhere, each with the reason."""
    return {wire: reason for wire in page.wires.values() if (reason := reason_broken(graph, page, wire))}


def _wire_up(use: _Use, broken: Mapping[Wire, str], result: Expanded) -> dict[str, dict[str, PortName]]:
    inputs: dict[str, dict[str, PortName]] = {}
    names = PortNames(use.prefix)
    for wire in use.page.wires.values():
        link = Link(names[wire.source], names[wire.target])
        reason = broken.get(wire) if broken else None
        if reason is None:
            result.arriving.setdefault(link.target.path, []).append(link)
            inputs.setdefault(wire.target.block, {})[wire.target.name] = link.source
        else:
            _report_broken(use.page, link, wire, reason, result)
    for wire in use.page.surplus:
        _report_broken(use.page, link_of(wire, use.prefix), wire, reason_surplus(wire), result)
    return inputs


def _report_ports_of_one_name(use: _Use, result: Expanded) -> None:
    """Reports ports of a page with equal names, of which only the upper one is reachable."""
    for role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        kept = {port.name: port.block.id for port in page_ports(use.page, role)}
        for block in use.page.blocks.values() if kept else ():
            name = block.parameters.get("name")
            if role_of(block) is role and isinstance(name, str) and kept[name] != block.id:
                message = (
                    f'Parameter name is "{name}", as that of {kept[name]}; the ports of a page need different names.'
                )
                result.problems.append(Problem("error", f"{use.prefix}/{block.id}", "parameter", message))


def link_of(wire: Wire, prefix: str) -> Link:
    """Returns a wire of a page as a wire of the expanded graph."""
    source, target = wire
    return Link(PortName(f"{prefix}/{source.block}", source.name), PortName(f"{prefix}/{target.block}", target.name))


def reason_broken(graph: Graph, page: Page, wire: Wire) -> str:
    """Returns the reason why a wire leads nowhere; "" if it is intact."""
    return _missing(graph, page, wire.source, has_output, "output") or _missing(
        graph, page, wire.target, has_input, "input"
    )


def _missing(graph: Graph, page: Page, port: Port, has: Callable[[Graph, Block, str], bool | None], kind: str) -> str:
    block = page.blocks.get(port.block)
    if block is None:
        return f"there is no block {port.block}"
    return f"{block.type} {block.id} has no {kind} {port.name}" if has(graph, block, port.name) is False else ""


def reason_surplus(wire: Wire) -> str:
    """Returns the reason why a second wire into the same port leads nowhere."""
    return f"another wire is already connected to {wire.target}"


def broken_sentence(wire: Wire, reason: str) -> str:
    """Returns the sentence about a wire that leads nowhere."""
    return f"The wire from {wire.source} to {wire.target} is not connected: {reason}."


def broken_wires(graph: Graph, page: Page) -> Iterator[tuple[str, Wire]]:
    """Yields the wires of a page that lead nowhere, each with a sentence about it."""
    for wire in page.wires.values():
        if reason := reason_broken(graph, page, wire):
            yield broken_sentence(wire, reason), wire
    for wire in page.surplus:
        yield broken_sentence(wire, reason_surplus(wire)), wire


def _report_broken(page: Page, link: Link, wire: Wire, reason: str, result: Expanded) -> None:
    result.broken.append(link)
    place = link.target if wire.target.block in page.blocks else link.source
    result.problems.append(Problem("error", place.path, "broken_wire", broken_sentence(wire, reason), place.port))


def _page_named(graph: Graph, block: Block, block_type: BlockType) -> Page:
    """Returns the page that a block uses.

    Raises: ParameterError if its parameters do not fit, or no page has that name.
    """
    name = block_type.normalize({"page": "", **block.parameters})["page"]
    if not name:
        raise ParameterError("Parameter page is missing: name the page to use")
    if not graph.has_page(name):
        raise ParameterError(f'there is no page "{name}"')
    return graph.page(name)


def _sort(result: Expanded, check: Check) -> None:
    """Sorts instances topologically (Kahn's algorithm); the rest lies on or behind a cycle.

    Source: Kahn, Topological Sorting of Large Networks (1962). Cost: O(instances + wires).
    """
    producers = {path: sources_of(item, result.instances) for path, item in result.instances.items()}
    waiting = {path: len(sources) for path, sources in producers.items()}
    for path, sources in producers.items():
        for source in sources:
            result.consumers.setdefault(source, []).append(path)
    ready = [path for path, count in waiting.items() if count == 0]
    order: list[str] = []
    for path in ready:
        check()
        order.append(path)
        for consumer in result.consumers.get(path, ()):
            waiting[consumer] -= 1
            if waiting[consumer] == 0:
                ready.append(consumer)
    rest = [path for path in result.instances if waiting[path] > 0]
    _report_cycles(rest, result)
    result.instances = {path: result.instances[path] for path in [*order, *rest]}
    result.places = {path: index for index, path in enumerate(result.instances)}


def sources_of(item: Instance, instances: Container[str]) -> set[str]:
    """Returns the paths of the instances on which one depends directly.

    What an own gradient reads is known before the block whose gradient it gives.
    """
    found = {source.path for source in item.inputs.values() if source.path in instances}
    return found if item.rule is None else found.union(filter(instances.__contains__, item.rule.inputs.values()))


def _report_cycles(rest: list[str], result: Expanded) -> None:
    """Reports a cycle for each trail of instances that could not be sorted.

    Each of them has a producer among them. A trail from each to its first producer therefore ends in a cycle or in an
    earlier trail.
    Cost: O(instances + wires), for no trail enters another.
    """
    left = set(rest)
    seen: set[str] = set()
    for path in sorted(rest):
        trail: dict[str, None] = {}
        while path not in trail and path not in seen:
            trail[path] = None
            path = min(sources_of(result.instances[path], left))
        # `|=` would build a new set because the other side is not a set.
        seen.update(trail)
        if path in trail:
            names = list(trail)
            _report_cycle(names[names.index(path) :][::-1], result)


def _report_cycle(ring: list[str], result: Expanded) -> None:
    start = ring.index(min(ring))
    ring = ring[start:] + ring[:start]
    names = row_text((item.rpartition("/")[2] for item in [*ring, ring[0]]), " -> ")
    message = f"The wires run in a circle: {names}. Remove one of them."
    result.problems.append(Problem("error", ring[0], "cycle", message))
