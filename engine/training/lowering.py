"""Graph lowered for training: its expressions, the numbers that it draws, and the uses of its sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.draws import Draws

OUTPUT = "y"
# Uses of each source; a page that is used twice has each of its blocks twice.
Uses = Mapping[str, Sequence[Expression]]


def faultless(graph: Graph) -> Inferred:
    """Returns the graph with its specs, or raises the first error in it."""
    inferred = infer_and_measure(graph)
    for problem in inferred.problems:
        if problem.severity == "error":
            raise GradwireError(f"{problem.at}: {problem.message}")
    return inferred


def lowered_for_training(inferred: Inferred, needs_loss: bool, ignored_stops: Set[str], draws: Draws) -> Lowered:
    """Returns the graph as expressions, or raises the first obstacle to training."""
    lowered = lower(inferred, ignored_stops, draws.numbers)
    if needs_loss and not lowered.losses:
        raise GradwireError("There is no Loss, so there is nothing to train for.")
    for application, error in lowered.failed.items():
        raise GradwireError(f"{lowered.owners[application]}: {error.sentence}")
    for application in lowered.prevented:
        raise GradwireError(f"{lowered.owners[application]}: This block forbids a gradient here.")
    return lowered


def _is_moved(kind: Operation) -> bool:
    return kind.is_variable or kind.is_input


def uses_of_sources(lowered: Lowered, is_moved: Callable[[Operation], bool] = _is_moved) -> Uses:
    """Returns the uses of the blocks whose values may change, by page and id; a function may choose others."""
    pages = lowered.inferred.graph.pages
    names = {id(block): f"{page.name}/{name}" for page in pages for name, block in page.blocks.items()}
    found: dict[str, list[Expression]] = {}
    for path, instance in lowered.inferred.expanded.instances.items():
        expression = lowered.ports.get(PortName(path, OUTPUT))
        if expression is not None and is_moved(expression.application.type):
            found.setdefault(names[id(instance.block)], []).append(expression)
    return found
