"""The input of the explanations: blocks, readings and problems of a run, and the chains of zeros."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gradwire.app.base.translation import tr_sentence
from gradwire.app.live.questions.product_question import SlopeFound
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Instance, Link, PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.explain.why_zero import Reason
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import name_in_rounds

Chain = tuple[Reason, ...]


@dataclass(frozen=True)
class Facts:
    """The facts about a run: the blocks by path, the readings, the problems; and by place the chains,
    the slopes, and the sentences on rules that are not the derivative."""

    instances: Mapping[str, Instance]
    results: Results | None
    problems: Sequence[Problem] = ()
    chains: Mapping[PortName | Link, Chain] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)
    slopes: Mapping[PortName | Link, SlopeFound] = field(default_factory=dict)
    deviations: Mapping[PortName | Link, tuple[str, ...]] = field(default_factory=dict)

    def title(self, path: str) -> str:
        """Returns the name of a block in a sentence: its type and name."""
        instance = self.instances.get(path)
        return path if instance is None else tr_sentence(instance.title)

    def name(self, path: str) -> str:
        """Returns the name of a block alone."""
        instance = self.instances.get(path)
        return path if instance is None else name_in_rounds(path)

    def role(self, path: str) -> Role | None:
        """Returns the role of a block, None if there is none."""
        return self.instances[path].role if path in self.instances else None

    def error_at(self, path: str) -> Problem | None:
        """Returns the first error of a block."""
        return next((item for item in self.problems if item.at == path and item.severity == "error"), None)

    def type_name(self, path: str) -> str:
        """Returns the type of a block, "" if there is none."""
        instance = self.instances.get(path)
        return "" if instance is None else instance.block.type


def facts_of_session(session: Session) -> Facts:
    """Returns the facts about the results that a session shows, without chains and slopes."""
    return Facts(session.inferred.expanded.instances, session.results, session.problems, graph=session.graph)
