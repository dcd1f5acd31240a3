"""Fixes for what a file may hold and no edit makes: wires that lead nowhere, second wires, circles."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import EditError
from engine.expand import Expanded, broken_sentence, broken_wires, reason_surplus
from engine.graph import Graph
from engine.ports import pages_along
from engine.problems import Problem
from lint.broken_wires import COMPARED, fix_of_broken_wire, fix_of_second_wire, with_wires_mended
from lint.circles import fix_of_circle, without_circles
from lint.finding import Fix

REPAIRABLE = ("broken_wire", "cycle")


def repairs(graph: Graph, expanded: Expanded, problems: Iterable[Problem]) -> dict[Problem, Fix]:
    """The fixes for broken wires and circles, by problem."""
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
    """The graph with every wire that leads nowhere joined to what was probably meant, or removed, and no circles.

    Raises: EditError if there is nothing to repair.
    """
    repaired = graph
    for page in graph.pages:
        repaired = with_wires_mended(repaired, page.name)
    repaired = without_circles(repaired)
    if repaired is graph:
        raise EditError("There is nothing to repair.")
    return repaired
