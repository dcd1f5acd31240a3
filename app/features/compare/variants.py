"""What B may have otherwise than A: a stop that lets gradients pass, a rate, a rule, a seed, or another graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from gradwire.app.base.translation import tr
from gradwire.app.features.compare.compare_questions import other_graph, stop_on
from gradwire.app.live.explanation.run_facts import facts_of_session
from gradwire.app.live.session import Session
from gradwire.app.look.numbers import fmt
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.edits.training_edits import USUAL_PLAN, set_in_plan, set_in_step
from gradwire.engine.graph.graph import Graph
from gradwire.engine.graph.paths import is_in_loop
from gradwire.engine.training.lockstep import Variant

# So many stops have an entry of their own, and by so much another rate is larger or smaller.
STOPS, FACTOR = 8, 10
# The rules that are offered, besides the one that the plan has.
OFFERED = ("descent", "momentum", "adam")


class Choice(NamedTuple):
    """What B is, and what it is called."""

    id: str
    text: str
    variant: Variant


def choices(session: Session) -> list[Choice]:
    """Returns what a graph can be compared with, the most telling first."""
    return [*_without_stops(session), *_of_plan(session)]


def of_graph(name: str, graph: Graph) -> Choice:
    """Returns the choice of another graph."""
    return Choice("other", name, Variant(edit=other_graph, args=(graph,)))


def _without_stops(session: Session) -> Iterator[Choice]:
    """Yields the stops that make the selected wire 0, then all together, then each."""
    facts, wires = facts_of_session(session), [session.link(wire) for wire in session.selection.wires]
    stops = [path for path, item in facts.instances.items() if item.role is Role.STOP and not is_in_loop(path)]
    each = {path: Choice(f"stop {path}", tr("{block} lets pass", block=facts.label(path)), Variant(frozenset([path])))
            for path in stops}  # fmt: skip
    readings = [reading for link in wires if (reading := facts.reading(link)) is not None]
    yield from (each.pop(path) for reading in readings for path in reading.by if path in each)
    if len(stops) > 1:
        yield Choice("stops", tr("every StopGradient lets pass"), Variant(frozenset(stops)))
    if len(wires) == 1:
        yield from _on_wire(session, wires[0], stops)
    yield from islice(each.values(), STOPS)


def _on_wire(session: Session, link: Link, stops: Sequence[str]) -> Iterator[Choice]:
    is_known = session.results is not None and link in session.results.wires.row_of
    if is_known and not {link.source.path, link.target.path} & {*stops}:
        yield Choice("wire", tr("a StopGradient on the selected wire"), Variant(edit=stop_on, args=(link,)))


def _of_plan(session: Session) -> Iterator[Choice]:
    if not any(item.block.type == "Variable" for item in session.inferred.expanded.instances.values()):
        return
    plan = session.graph.training or USUAL_PLAN
    rule = _first_rule(plan)
    if rule is None:
        return
    rate = rule.get("rate")
    if isinstance(rate, float | int):
        for name, other in (("rate up", rate * FACTOR), ("rate down", rate / FACTOR)):
            yield Choice(name, tr("learning rate {rate}", rate=fmt(other)), _in_rule({**rule, "rate": other}))
    for kind in OFFERED:
        if kind in RULES and kind != rule.get("type"):
            yield Choice(f"rule {kind}", tr("rule {name}", name=kind), _in_rule({"type": kind, "rate": rate}))
    seed = plan.get("seed")
    other_seed = (seed if isinstance(seed, int) else 0) + 1
    yield Choice("seed", tr("seed {seed}", seed=other_seed), Variant(edit=set_in_plan, args=("seed", other_seed)))


def _in_rule(rule: Mapping[str, Any]) -> Variant:
    return Variant(edit=set_in_step, args=(0, "rule", rule))


def _first_rule(plan: Mapping[str, Any]) -> Mapping[str, Any] | None:
    steps = plan.get("steps", USUAL_PLAN["steps"])
    first = steps[0] if isinstance(steps, list | tuple) and steps else None
    rule = first.get("rule") if isinstance(first, Mapping) else None
    return rule if isinstance(rule, Mapping) else None
