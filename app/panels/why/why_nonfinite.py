"""Explanations of gradients with NaN or infinity: how many elements, and the blocks where they arise."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.explanation.explanation import Explanation
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt
from gradwire.engine.causes.births import Origin


def explain_nonfinite(facts: Facts, reading: Explanation) -> tuple[str, str]:
    """Returns the result as a short text, and the sentences.

    The sentences name the broken value first, then the backward step, then a hint.
    """
    short, what = _broken(reading)
    return short, " ".join([what, *_births(reading.origin), *_hints(facts, reading.origin)])


def _hints(facts: Facts, origin: Origin | None) -> list[str]:
    """Returns a number that would keep the input of the first broken block above 0, if that mends it."""
    first = None if origin is None else origin.first
    if first is None or first.mended_by is None:
        return []
    block, number = facts.title(first.at), fmt(first.mended_by)
    return [tr("Keep the input of {block} above 0, for example by adding {number} to it.", block=block, number=number)]


def _broken(reading: Explanation) -> tuple[str, str]:
    if reading.gradient is not None and not reading.gradient.is_finite:
        return _short(reading.gradient), tr("The gradient has {broken}.", broken=_counted(reading.gradient))
    if reading.value is not None and not reading.value.is_finite:
        return _short(reading.value), tr("The value has {broken}.", broken=_counted(reading.value))
    return "NaN", tr("NaN or infinity arises here.")


def _births(origin: Origin | None) -> list[str]:
    return [] if origin is None else list(map(tr_sentence, origin.sentences))


def _short(item: Reading) -> str:
    """Returns how much of a tensor is not finite, in the wording of a label."""
    name, count = ("NaN", item.nan) if item.nan else ("inf", item.infinite)
    return tr("{name} {count} of {size}", name=name, count=grouped(count), size=grouped(item.size))


def _counted(item: Reading) -> str:
    """Returns how much of a tensor is not finite, in words."""
    counts = [tr("{count} NaN", count=grouped(item.nan))] if item.nan else []
    counts += [tr("{count} infinite", count=grouped(item.infinite))] if item.infinite else []
    elements = tr_count("{count} element", "{count} elements", item.size)
    return tr("{counts} of {elements}", counts=tr(" and ").join(counts), elements=elements)
