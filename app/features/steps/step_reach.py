"""The steps that reach wires, blocks and ports in step mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gradwire.app.features.steps.step_questions import Outline
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.back_steps import Kind


@dataclass(frozen=True)
class StepReach:
    """The numbers of the steps that reach something, counted from 1.

    `links` has the first step along a wire, `paths` the first at a block, and `ports` the step that brings the last
    part of a port's gradient.
    """

    links: Mapping[Link, int] = field(default_factory=dict)
    paths: Mapping[str, int] = field(default_factory=dict)
    ports: Mapping[PortName, int] = field(default_factory=dict)


def forward_reach(outline: Outline, links: Iterable[Link]) -> StepReach:
    """Returns what the steps forward reach of the wires of a run."""
    numbers = {path: number for number, path in enumerate(outline.forward, start=1)}
    return StepReach({link: numbers[link.source.path] for link in links if link.source.path in numbers}, numbers)


def backward_reach(outline: Outline) -> StepReach:
    """Returns what the steps back from the loss reach."""
    links: dict[Link, int] = {}
    paths: dict[str, int] = {}
    ports: dict[PortName, int] = {}
    for step in outline.backward:
        paths.setdefault(step.path, step.number)
        if step.kind is Kind.SEED:
            ports |= {PortName(step.path, name): step.number for name in step.arrives}
        for part in step.parts:
            ports[part.port] = step.number
            if part.link is not None:
                links.setdefault(part.link, step.number)
            if part.is_carried:
                paths[part.port.path] = min(paths.get(part.port.path, step.number), step.number)
    return StepReach(links, paths, ports)
