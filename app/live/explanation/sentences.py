"""The sentences about a gradient, for the cards on the canvas and for the inspector."""

from __future__ import annotations

from collections.abc import Sequence

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.explanation.explanation import Case, Explanation
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.hidden_texts import place_hidden
from gradwire.app.live.readings.amounts import amount_clause
from gradwire.app.look.status_texts import status_sentence
from gradwire.app.look.statuses import CUT, LOOKS
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.instances import Instance
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.snapshot import Tie
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.paths import segment_of
from gradwire.engine.graph.ports import page_inside

CUTS_NAMED = 3
_CASES = {
    Case.NO_LOSS: "There is no loss, so nothing has a gradient. Add a Loss block.",
    Case.ASKED_FOR: "This wire only names what {block} differentiates. The gradient of {block} flows directly to the "
    "ports that its derivative reads, as inner parts.",
    Case.ENDS_AT_STOP: "This wire ends at {block}.",
    Case.SEED: "This is the loss itself: ∂L/∂L is 1 by definition.",
    Case.IN_GRADIENT: "{block} is part of a backward pass; the loss does not depend on it.",
}


def gradient_sentence(facts: Facts, found: Explanation) -> str:
    """Returns why a gradient is what it is; "" where its numbers or its zeros say so."""
    if found.status is Status.UNKNOWN:
        return unknown_sentence(facts, found)
    if found.case is not None:
        end = found.place.target.path if isinstance(found.place, Link) else found.path
        return tr(_CASES[found.case], block=_cut(facts, found, end) if found.by else facts.title(end))
    if found.status in CUT:
        return _paths_cut(facts, found)
    block = facts.name(found.path)
    dtype = tr("of this dtype") if found.value is None else found.value.dtype
    return tr(LOOKS[found.status].about, block=block, along=_along(found), dtype=dtype)


def unknown_sentence(facts: Facts, found: Explanation) -> str:
    """Returns why a gradient is unknown."""
    error = facts.error_at(found.path)
    if facts.results is None:
        return tr("Nothing has been computed yet.")
    if facts.results.hidden is not None:
        return place_hidden(facts.results.hidden)
    if error is not None:
        return tr("{block} has an error: {error}", block=facts.title(found.path), error=tr_sentence(error.message))
    return status_sentence(found.status)


def _paths_cut(facts: Facts, found: Explanation) -> str:
    block, along, by, chain = facts.name(found.path), _along(found), found.by, facts.chain(found.place)
    if len(by) == 1 and chain and chain[-1].constant is not None:
        return _constant(facts, by[0], chain[-1].constant)
    if not by:
        return tr("Every path from {block}{along} to the loss is blocked.", block=block, along=along)
    named = [_cut(facts, found, path) for path in by[:CUTS_NAMED]]
    if len(by) == 1:
        return tr(
            "The only path from {block}{along} to the loss runs through {cut}.", block=block, along=along, cut=named[0]
        )
    more = len(by) - CUTS_NAMED
    named += [tr_count("{count} more block", "{count} more blocks", more)] if more > 0 else []
    cuts = tr("; by ").join(named)
    return tr("Every path from {block}{along} to the loss is blocked by {cuts}.", block=block, along=along, cuts=cuts)


def _constant(facts: Facts, path: str, blocks: Sequence[str]) -> str:
    """Returns why the result of a Gradients block has no slope of its own: it is constant around these numbers."""
    block = facts.title(path)
    if not blocks:
        return tr("0 because {block} is constant here: what it differentiates is linear.", block=block)
    names = facts.titles(blocks)
    return tr("0 because {block} is constant here: the slope of {names} does not change.", block=block, names=names)


def _along(found: Explanation) -> str:
    """Returns the words that restrict the paths to the loss to those through one wire."""
    return tr(" along this wire") if isinstance(found.place, Link) else ""


def _cut(facts: Facts, found: Explanation, path: str) -> str:
    """Returns a clause on a block that passes no gradient on, with its behaviour."""
    title, role, instance = facts.title(path), facts.role(path), facts.instances.get(path)
    if role is Role.GRADIENTS:
        return tr("{block}, which has no gradient of its own", block=title)
    if instance is not None and instance.rule is not None:
        if found.path.startswith(f"{path}/"):
            return tr("{block}, whose own gradient takes the place of this one", block=title)
        return tr("{block}, whose own gradient leaves this out", block=title)
    if role is not Role.STOP:
        return tr("{block}, which has no derivative", block=title)
    reading = facts.reading(PortName(path, "y"))
    gradient = None if reading is None or reading.status not in (Status.FLOW, Status.ZERO) else reading.gradient
    withheld = "" if gradient is None else tr(" (withheld: {amount})", amount=amount_clause(gradient))
    return tr("{block}, which always returns 0{withheld}", block=title, withheld=withheld)


def stopped_sentence(instance: Instance | None) -> str:
    """Returns why the gradient ends at an input of a round; "" where it goes on to the round before."""
    if instance is None or not instance.is_stop:
        return ""
    number = segment_of(instance.path.rpartition("/")[0].rpartition("/")[2]).round or 0
    return tr(
        "The gradient stops here: what is carried into round {number} passes a StopGradient, so round {before} "
        "receives none of it.",
        number=number,
        before=number - 1,
    )


def own_gradient_sentence(graph: Graph, block: Block) -> str:
    """Returns which page gives the gradient of the page that a block uses; "" if its blocks do."""
    page = giving_page_name(graph, block)
    return page and tr("Own gradient: page {page} computes it, not the blocks inside.", page=page)


def own_rule_page(facts: Facts, found: Explanation) -> str:
    """Returns the name of the page that has given the gradient of a wire; "" where a block's rule has."""
    if not isinstance(found.place, Link) or found.status not in (Status.FLOW, Status.ZERO, Status.NONFINITE):
        return ""
    instance = facts.instances.get(found.place.target.path)
    return "" if instance is None else giving_page_name(facts.graph, instance.block)


def giving_page_name(graph: Graph, block: Block) -> str:
    """Returns the name of the page that gives the gradient of the page which a block uses; "" if its blocks do."""
    page = page_inside(graph, block)
    return "" if page is None or page.gradient is None else plain(page.gradient)


def tie_sentence(facts: Facts, tie: Tie | None) -> str:
    """Returns the sentence about equal elements among which a block chooses or shares; "" for none."""
    if tie is None:
        return ""
    said = [tr_sentence(item.message) for item in facts.problems if item.at == tie.at and item.code == "tie"]
    count, block = grouped(tie.count), facts.title(tie.at)
    return " ".join(said) or tr("{count} elements are equal at {block}.", count=count, block=block)
