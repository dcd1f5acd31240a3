"""Fixes for faults that only a file can hold: broken wires, second wires, cycles."""

from __future__ import annotations

from collections.abc import Iterable

from gradwire.engine.advice.broken_wires import COMPARED, fix_of_broken_wire, fix_of_second_wire, with_wires_mended
from gradwire.engine.advice.circles import fix_of_circle, without_circles
from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import Expanded, broken_sentence, broken_wires, reason_surplus
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.ports import pages_along

REPAIRABLE = ("broken_wire", "cycle")


def repairs(graph: Graph, expanded: Expanded, problems: Iterable[Problem]) -> dict[Problem, Fix]:
    """Returns the fixes for broken wires and cycles, by problem."""
    wanted = [problem for problem in problems if problem.code in REPAIRABLE]
    broken = {page.name: dict(broken_wires(graph, page)) for page in graph.pages} if wanted else {}
    found: dict[Problem, Fix] = {}
    for number, problem in enumerate(wanted):
        page = pages_along(graph, problem.at.rpartition("/")[0])[-1].name
        wire = broken[page].get(problem.message)
        if problem.code == "cycle":
            fix = fix_of_circle(problem, graph, expanded)
            found |= {} if fix is None else {problem: fix}
        elif wire is not None and problem.message == broken_sentence(wire, reason_surplus(wire)):
            found[problem] = fix_of_second_wire(page, wire)
        elif wire is not None:
            found[problem] = fix_of_broken_wire(graph, page, wire, number < COMPARED)
    return found


def repair_all(graph: Graph) -> Graph:
    """Returns the graph without cycles, and with every broken wire joined to the probable port, or removed.

    Raises: EditError if there is nothing to repair.
    """
    repaired = graph
    for page in graph.pages:
        repaired = with_wires_mended(repaired, page.name)
    repaired = without_circles(repaired)
    if repaired is graph:
        raise EditError("There is nothing to repair.")
    return repaired
