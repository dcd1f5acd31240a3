"""Own gradients of pages in the expanded graph: beside each use of such a page lies one of the page that gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Graph, Page
from gradwire.engine.graph.own_gradients import (
    PREFIX,
    gradient_inputs,
    gradient_outputs,
    mistakes,
)
from gradwire.engine.graph.paths import forward_path, gradient_path
from gradwire.engine.graph.ports import gradient_page, page_ports


class OwnRule(NamedTuple):
    """Own gradient of one use of the page `forward`, given by the page `backward`.

    `prefix` is the path of the giving page, "" where it is not expanded. `inputs` and `outputs` have the paths of the
    blocks of the used page by the names of its ports. `given` has those of the inputs of the giving page by their
    names, `results` those of its outputs by the names of the inputs whose gradients they are. With mistakes in the
    ports of the pages it `is_faulty`, and gives no gradient.
    """

    forward: str
    backward: str
    prefix: str
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    given: Mapping[str, str]
    results: Mapping[str, str]
    is_faulty: bool

    @property
    def use(self) -> str:
        """Path of the use; "" where the giving page is not expanded."""
        return forward_path(self.prefix)

    @property
    def sources(self) -> dict[str, str]:
        """Paths of the blocks of the used page by the names of the giving page's inputs; `d_y` is like y."""
        return {incoming_name(name): path for name, path in self.outputs.items()} | {**self.outputs, **self.inputs}

    def incoming(self, name: str) -> str | None:
        """Returns the output whose incoming gradient an input of the giving page is; None for the other inputs."""
        stem = name.removeprefix(PREFIX)
        return stem if stem in self.outputs and name not in {**self.inputs, **self.outputs} else None


def incoming_name(output: str) -> str:
    """Returns the name of the input of a giving page at which the gradient of an output arrives."""
    return PREFIX + output


def rule_of_use(graph: Graph, page: Page, path: str, is_in_ring: bool) -> OwnRule | None:
    """Returns the own gradient of the use of a page at a path; None if its blocks give the gradient."""
    if page.gradient is None:
        return None
    inputs, outputs = (
        {port.name: f"{path}/{port.block.id}" for port in page_ports(page, role)}
        for role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT)
    )
    backward = None if is_in_ring else gradient_page(graph, page)
    if backward is None:
        return OwnRule(page.name, page.gradient, "", inputs, outputs, {}, {}, True)
    prefix, known, wanted = gradient_path(path), gradient_inputs(page), gradient_outputs(page)
    given = {
        port.name: f"{prefix}/{port.block.id}" for port in page_ports(backward, Role.PAGE_INPUT) if port.name in known
    }
    results = {
        wanted[port.name].name: f"{prefix}/{port.block.id}"
        for port in page_ports(backward, Role.PAGE_OUTPUT)
        if port.name in wanted
    }
    is_faulty = any(True for _ in mistakes(graph, page))
    return OwnRule(page.name, backward.name, prefix, inputs, outputs, given, results, is_faulty)


def problems_of_pairs(graph: Graph, rules: Mapping[str, OwnRule]) -> Iterator[Problem]:
    """Yields the mistakes in the ports of pages and of their gradients, each once.

    `rules` has the own gradients by the uses of the pages; the places are those of the first use, if there is one.
    """
    first: dict[str, tuple[str, str]] = {}
    for path, rule in rules.items():
        first.setdefault(rule.forward, (path, rule.prefix))
    for page in graph.pages:
        forward, backward = first.get(page.name, (page.name, page.gradient))
        for found in mistakes(graph, page):
            prefix = forward if found.page == page.name else backward
            is_block = found.block is not None
            at = f"{prefix}/{found.block}" if is_block else forward if page.name in first else ""
            yield Problem("error", at, "parameter", found.message)


def problems_of_specs(rules: Iterable[OwnRule], spec_of: Callable[[str], TensorSpec | None]) -> Iterator[Problem]:
    """Yields the ports of giving pages whose specs are not those of the tensors that they are the gradients of.

    `spec_of` returns the spec of the tensor at a port's block.
    """
    for rule in rules:
        pairs = [(PREFIX + name, path, rule.inputs[name]) for name, path in rule.results.items()]
        incoming = ((name, path, rule.incoming(name)) for name, path in rule.given.items())
        pairs += [(name, path, rule.outputs[of]) for name, path, of in incoming if of is not None]
        for name, path, of in pairs:
            found, wanted = spec_of(path), spec_of(of)
            message = "" if found is None or wanted is None else _misfit(name, found, wanted)
            if message:
                yield Problem("error", path, "parameter", message)


def _misfit(name: str, found: TensorSpec, wanted: TensorSpec) -> str:
    of = name.removeprefix(PREFIX)
    if not wanted.is_differentiable:
        return f"{of} is {wanted.dtype.name} and has no gradient; remove {name}."
    return "" if found == wanted else f"{name} is {found}, but {of}, whose gradient it is, is {wanted}."
