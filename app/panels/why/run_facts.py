"""What explanations are made from: the blocks, the readings of a run, what was found, and the chains of zeros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from app.live.readings import Results
from app.words import tr_sentence
from engine.expand import Instance, Link, PortName
from engine.graph import Graph
from engine.lookup import title_of
from engine.problems import Problem
from engine.why_zero import Reason

Chain = tuple[Reason, ...]


@dataclass(frozen=True)
class Facts:
    """What is known of a run of a graph: the blocks by path, the readings, what was found, and chains by place."""

    instances: Mapping[str, Instance]
    results: Results | None
    problems: Sequence[Problem] = ()
    chains: Mapping[PortName | Link, Chain] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)

    def title(self, path: str) -> str:
        """How a sentence names a block: by type and name."""
        instance = self.instances.get(path)
        return path if instance is None else tr_sentence(title_of(instance.block))

    def name(self, path: str) -> str:
        """The name of a block alone."""
        instance = self.instances.get(path)
        return path if instance is None else instance.block.id

    def type_name(self, path: str) -> str:
        """The type of a block, "" if there is none."""
        instance = self.instances.get(path)
        return "" if instance is None else instance.block.type
