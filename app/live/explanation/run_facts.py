"""The input of the explanations: blocks, readings and problems of a run, and its answers to questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gradwire.app.base.translation import listed, tr_sentence
from gradwire.app.live.questions.product_question import ProductFound, ProductWanted
from gradwire.app.live.readings.readings import PlaceReading, Results
from gradwire.app.live.session import Session
from gradwire.app.live.why import WhyDeviates, WhyZero
from gradwire.engine.autodiff.expand import Expanded, Instance, Link, PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.explain.why_zero import Reason
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import name_in_rounds
from gradwire.engine.graph.ports import pages_along

Chain = tuple[Reason, ...]
Place = PortName | Link


@dataclass(frozen=True)
class Facts:
    """The facts about a run: its blocks and wires, the readings, the problems, and the answers that have arrived."""

    expanded: Expanded
    results: Results | None
    problems: Sequence[Problem] = ()
    graph: Graph = field(default_factory=Graph)
    answers: Mapping[Any, Any] = field(default_factory=dict)  # Any: each question has an answer of its own type

    @property
    def instances(self) -> Mapping[str, Instance]:
        """The blocks by path."""
        return self.expanded.instances

    def title(self, path: str) -> str:
        """Returns the name of a block in a sentence: its type and name."""
        instance = self.instances.get(path)
        return path if instance is None else tr_sentence(instance.title)

    def titles(self, paths: Sequence[str]) -> str:
        """Returns the names of the first blocks in a sentence, and how many more there are."""
        return listed(list(map(self.title, paths)))

    def name(self, path: str) -> str:
        """Returns the name of a block alone."""
        return name_in_rounds(path) if path in self.instances else path

    def label(self, path: str) -> str:
        """Returns what a block is called in a few words: its type, and its name where that alone tells which it is."""
        instance = self.instances.get(path)
        pages = pages_along(self.graph, path.rpartition("/")[0])
        if instance is None or not pages:
            return self.name(path)
        kind = instance.block.type
        is_only = sum(block.type == kind for block in pages[-1].blocks.values()) == 1
        return kind if is_only and instance.inputs else f"{kind} {self.name(path)}"

    def role(self, path: str) -> Role | None:
        """Returns the role of a block, None if there is none."""
        return self.instances[path].role if path in self.instances else None

    def is_a(self, path: str, types: Sequence[str]) -> bool:
        """Returns whether there is a block of one of these types."""
        return path in self.instances and self.instances[path].block.type in types

    def error_at(self, path: str) -> Problem | None:
        """Returns the first error of a block."""
        return next((item for item in self.problems if item.at == path and item.severity == "error"), None)

    def reading(self, place: Place | None) -> PlaceReading | None:
        """Returns what the run knows about a port or wire."""
        return None if self.results is None or place is None else self.results.at(place)

    def chain(self, place: Place) -> Chain:
        """Returns the reasons from a place to the root of its zeros, () if they are unknown."""
        found: Chain = self.answers.get(WhyZero(place), ())
        return found

    def product(self, place: Place) -> ProductFound | None:
        """Returns the product behind a gradient of 0 or NaN, if it is known."""
        found: ProductFound | None = self.answers.get(ProductWanted(place))
        return found

    def deviations(self, place: Place) -> tuple[str, ...]:
        """Returns the sentences on rules, at a place, that are not the derivative."""
        found: tuple[str, ...] = self.answers.get(WhyDeviates(place), ())
        return found


def facts_of_session(session: Session, results: Results | None = None) -> Facts:
    """Returns the facts about the results that a session shows, or about other ones, without answers."""
    return Facts(session.inferred.expanded, results or session.results, session.problems, session.graph)
