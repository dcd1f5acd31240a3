"""Explanations of gradients in the inspector: their facts as sentences, with the numbers of the run and a fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gradwire.app.base.translation import grouped, tr, tr_sentence
from gradwire.app.kit.why.fixes import Fix, fix_of_cut, fix_of_zero
from gradwire.app.kit.why.why_nonfinite import nonfinite_texts
from gradwire.app.kit.why.why_product import (
    ProductText,
    broken_text,
    calculated_sentence,
    calculated_text,
    slope_sentence,
    written,
    zero_text,
)
from gradwire.app.kit.why.why_withheld import WithheldText, withheld_text
from gradwire.app.live.explanation.explanation import Explanation, explain
from gradwire.app.live.explanation.run_facts import Facts, Place
from gradwire.app.live.explanation.sentences import gradient_sentence, own_rule_page, tie_sentence
from gradwire.app.live.explanation.zero_sentences import Step, cut_steps, steps_of, zero_sentences
from gradwire.app.live.readings.amounts import ELEMENTS, amount_clause, amount_text, gradient_text
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt, index_text, signed
from gradwire.app.look.statuses import CUT
from gradwire.engine.advice import finding as advice
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.inferred import blocks_behind
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.explain.products import Product
from gradwire.engine.training.side_by_side import SideBySide

# The change of an element whose effect on the loss is stated.
NUDGE = 0.01
_CUT = [STATUS_ROW[status] for status in CUT]


@dataclass(frozen=True)
class Why:
    """An explanation: its status, the mark of a status or cause, the result as a short text, and the sentences.

    `subject` is what the sentence begins with and is about, "" if it is about nothing alone.
    `origin` is the path of the block to look at, "" if there is none. `steps` are the blocks from here to the
    root of a zero; `fix` is an edit that helps, `trial` how it would change the loss and the gradients,
    `rounds` what some rounds of training with and without it give.
    `product` is that behind a 0 or NaN, shown with its numbers, `withheld` what a StopGradient withholds. With
    `is_stopped` the fix takes away the StopGradients that make it 0, and its trial is worth a look even if it helps
    nothing.
    """

    status: Status
    mark: str
    result: str
    sentence: str
    origin: str = ""
    steps: tuple[Step, ...] = ()
    fix: Fix | None = None
    trial: Trial | None = None
    rounds: SideBySide | None = None
    product: ProductText | None = None
    is_stopped: bool = False
    withheld: WithheldText | None = None
    subject: str = ""


def why_of(facts: Facts, place: Place) -> Why:
    """Explains the gradient of one wire, or of an output port, which is the sum over its wires."""
    found = explain(facts, place)
    if found.status is not Status.NONFINITE:
        told = gradient_sentence(facts, found) or _flow(facts, found)
        return _explained(facts, found, gradient_text(found.status, found.gradient), told)
    result, told = nonfinite_texts(facts, found)
    known, first = facts.product(place), None if found.origin is None else found.origin.first
    origin = "" if first is None else first.at
    if isinstance(place, Link) and origin in (place.source.path, place.target.path):
        origin = ""
    product, fix = (None, None) if known is None else (known.product, known.fix)
    told_product, subject = None if product is None else broken_text(facts, product), ""
    if product is not None and product.row.incoming == 0 and found.gradient is not None:
        told = slope_sentence(facts, product)
    elif known is not None and known.calculations:
        told, told_product = calculated_sentence(facts, known.calculations), calculated_text(facts, known.calculations)
        calculated = known.calculations[0]
        subject = facts.label(calculated.at) if calculated.limit is None else written(facts, calculated)
    return Why(
        found.status,
        found.mark,
        result,
        _with_remarks(facts, found, [told]),
        origin,
        fix=None if fix is None else _fix_of_broken(facts, fix, product),
        trial=None if fix is None else fix.trial,
        product=told_product,
        subject=subject,
    )


def _fix_of_broken(facts: Facts, fix: advice.Fix, product: Product | None) -> Fix:
    title = ""
    if product is not None:
        title = tr("Fix: keep {x} away from {block}", x=fmt(product.row.x), block=facts.name(product.at))
    return Fix(tr_sentence(fix.text), fix.edit, detail=tr_sentence(fix.detail), title=title)


def _explained(facts: Facts, found: Explanation, result: str, told: str) -> Why:
    """Returns an explanation with the sentences of zeros, the path to their root, and a fix."""
    steps, fix = tuple[Step, ...](), None
    if found.gradient is not None and found.status in CUT:
        steps, fix = cut_steps(facts, found.by, found.status), fix_of_cut(facts, found.place, found.by)
    elif found.gradient is not None and found.zeros is not None:
        steps = steps_of(facts, found.place, found.zeros)
        fix = fix_of_zero(facts, found.place, found.zeros, found.gradient.dtype)
    known = facts.product(found.place)
    product = None if known is None else known.product
    # An answer may be about a graph of before: without a StopGradient nothing is withheld.
    withheld = None if known is None or not found.by else known.withheld
    stop = "" if withheld is None else facts.label(found.by[0])
    if stop:
        told = tr("{stop} stands on the only path from here to the loss. Its rule is 0.", stop=stop)
    said = _with_remarks(facts, found, [told, zero_sentences(facts, found), tie_sentence(facts, found.tie)])
    return Why(
        found.status,
        found.mark,
        result,
        said,
        steps=steps,
        fix=fix and replace(fix, place=found.place),
        product=None if product is None else zero_text(facts, product),
        is_stopped=bool(found.by) and all(facts.role(path) is Role.STOP for path in found.by),
        withheld=None if withheld is None else withheld_text(facts, withheld, found.by[0]),
        subject=stop,
    )


def _with_remarks(facts: Facts, found: Explanation, sentences: Sequence[str]) -> str:
    """Returns sentences with those on rules that are not the derivative, and on the gradient without StopGradient."""
    said = facts.deviations(found.place) if found.gradient is not None else ()
    return " ".join(filter(None, [*sentences, *map(tr_sentence, said)])) + _without_stops(facts, found)


def _without_stops(facts: Facts, found: Explanation) -> str:
    """Returns a sentence on the gradient without StopGradient, if the user compares and it differs."""
    results = facts.results
    compared = None if results is None or results.comparison != WithoutStops() else results.compared
    other = None if compared is None else compared.at(found.place)
    after = "" if other is None or other.gradient is None else gradient_text(other.status, other.gradient, _in_full)
    if not after or after == gradient_text(found.status, found.gradient, _in_full):
        return ""
    return tr(" Without StopGradient it would be {result}.", result=after)


def _in_full(gradient: Reading) -> str:
    """Returns a gradient in a few characters; a short vector appears element by element."""
    is_short = len(gradient.shape or ()) == 1 and gradient.has_all and gradient.size <= ELEMENTS
    return f"[{', '.join(map(fmt, gradient.first))}]" if is_short else amount_text(gradient)


def _flow(facts: Facts, found: Explanation) -> str:
    """Returns how the loss follows a gradient that flows, "" for any other."""
    if found.status is not Status.FLOW or found.gradient is None:
        return ""
    if isinstance(found.place, PortName):
        return _port_flow(facts, found.place, found.gradient)
    return _wire_flow(facts, found, found.place, found.gradient)


def _wire_flow(facts: Facts, found: Explanation, link: Link, gradient: Reading) -> str:
    title, amount = facts.title(link.target.path), amount_clause(gradient)
    back = tr("{block} returns {amount}.", block=title, amount=amount)
    by = own_rule_page(facts, found)
    if by:
        back = tr("{block} returns {amount}, by its own gradient on page {page}.", block=title, amount=amount, page=by)
    total = facts.reading(link.source)
    block = facts.name(link.source.path)
    if total is None or total.gradient is None or len(_wires_from(facts, link.source)) < 2:
        return f"{back} {tr('This is the whole gradient of {block}.', block=block)}"
    whole = amount_clause(total.gradient)
    return f"{back} {tr('With its other wires, the gradient of {block} is {amount}.', block=block, amount=whole)}"


def _port_flow(facts: Facts, name: PortName, gradient: Reading) -> str:
    count = len(_wires_from(facts, name))
    parts = tr(" It is the sum of the gradients of {count} wires.", count=count) if count > 1 else ""
    return _slope(facts.name(name.path), gradient) + parts + _left_out(facts, name)


def _left_out(facts: Facts, port: PortName) -> str:
    """Returns a sentence that names the blocks which cut paths from a port; "" if there are none."""
    results, expanded = facts.results, facts.expanded
    cut = set() if results is None else set(np.flatnonzero(np.isin(results.wires.statuses, _CUT)).tolist())
    if results is None or not cut:
        return ""
    readers = expanded.consumers.get(port.path, ())
    behind = blocks_behind(expanded, [path for path in readers if port in facts.instances[path].inputs.values()])
    rows = (row for link, row in results.wires.row_of.items() if link.source == port or link.source.path in behind)
    cuts = dict.fromkeys(path for row in rows if row in cut for path in results.wires.by.get(row, ()))
    return tr(" Paths through {cuts} contribute nothing.", cuts=facts.titles([*cuts])) if cuts else ""


def _slope(name: str, gradient: Reading) -> str:
    """Returns what the gradient predicts of the loss: how fast it changes with the element that matters most.

    A stop, a rule of its own or a curve may have it otherwise, so the sentence names who says it.
    """
    if not gradient.has_all or not gradient.first:
        return tr(
            "One number for each of the {size} elements of {name}, from {low} to {high}.",
            size=grouped(gradient.size), name=name, low=fmt(gradient.low), high=fmt(gradient.high),
        )  # fmt: skip
    place, top = max(enumerate(gradient.first), key=lambda item: abs(item[1]))
    numbers = {"nudge": fmt(NUDGE), "change": signed(NUDGE * top)}
    if gradient.shape == ():
        return tr("By the gradient, +{nudge} at {name} changes the loss by about {change}.", name=name, **numbers)
    element = name + index_text(map(int, np.unravel_index(place, gradient.shape or ())))
    return tr(
        "By the gradient, {element} matters most: +{nudge} there changes the loss by about {change}.",
        element=element, **numbers,
    )  # fmt: skip


def _wires_from(facts: Facts, source: PortName) -> list[Link]:
    return [] if facts.results is None else [link for link in facts.results.wires.row_of if link.source == source]
