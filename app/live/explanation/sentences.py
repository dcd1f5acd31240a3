"""The sentences about a gradient that the cards on the canvas and the inspector share."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.explanation.explanation import Explanation, Zeros
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.hidden_texts import place_hidden
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import status_sentence
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.autodiff.instances import Instance
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.evaluation.snapshot import Tie
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.paths import segment_of
from gradwire.engine.graph.ports import page_inside


def unknown_sentence(facts: Facts, found: Explanation) -> str:
    """Returns why a gradient is unknown."""
    error = facts.error_at(found.path)
    if facts.results is None:
        return tr("Nothing has been computed yet.")
    if facts.results.hidden is not None:
        return place_hidden(facts.results.hidden)
    if error is not None:
        return tr("{block} has an error: {error}", block=facts.title(found.path), error=tr_sentence(error.message))
    return status_sentence(found.status, ())


def zeros_sentence(zeros: Zeros, norm: float, reason: str) -> str:
    """Returns which elements are zero for a reason, a clause."""
    if zeros.is_tiny and zeros.is_whole:
        return tr("The gradient almost vanishes, because {reason}.", reason=reason)
    if zeros.is_tiny:
        return tr_count(
            "{count} of {size} elements receives almost no gradient: {reason}.",
            "{count} of {size} elements receive almost no gradient: {reason}.",
            zeros.count, size=grouped(zeros.size), reason=reason,
        )  # fmt: skip
    if not zeros.is_whole:
        return tr_count(
            "{count} of {size} elements is 0: {reason}.",
            "{count} of {size} elements are 0: {reason}.",
            zeros.count, size=grouped(zeros.size), reason=reason,
        )  # fmt: skip
    if norm == 0:
        return tr("0 because {reason}.", reason=reason)
    return tr("≈ 0 because {reason}. The number {amount} is rounding error.", reason=reason, amount=fmt(norm))


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


def left_out_sentence(facts: Facts, found: Explanation) -> str:
    """Returns which own gradients of pages leave out a port or wire; "" unless they alone block it."""
    cuts = [facts.instances.get(path) for path in found.by]
    if found.status is not Status.BLOCKED or not all(cut is not None and cut.rule is not None for cut in cuts):
        return ""
    blocks = ", ".join(map(facts.title, found.by))
    if any(found.path.startswith(f"{path}/") for path in found.by):
        return tr("The own gradient of {block} takes the place of this one.", block=blocks)
    return tr("The own gradient of {block} leaves this out.", block=blocks)


def giving_page_name(graph: Graph, block: Block) -> str:
    """Returns the name of the page that gives the gradient of the page which a block uses; "" if its blocks do."""
    page = page_inside(graph, block)
    return "" if page is None or page.gradient is None else plain(page.gradient)


def tie_sentence(facts: Facts, tie: Tie | None) -> str:
    """Returns the sentence about equal elements among which a block chooses or shares; "" for none."""
    if tie is None:
        return ""
    said = [tr_sentence(item.message) for item in facts.problems if item.at == tie.at and item.code == "tie"]
    return " ".join(said) or tr(
        "{count} elements are equal at {block}.", count=grouped(tie.count), block=facts.title(tie.at)
    )
