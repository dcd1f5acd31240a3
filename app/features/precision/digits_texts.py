"""The texts on digits lost in sums, on the other dtype, and on underflows."""

from __future__ import annotations

from gradwire.app.base.translation import decimal, tr, tr_sentence
from gradwire.app.kit.inspection import Place
from gradwire.app.look.numbers import MINUS, fmt
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.precision import Accumulation, Deviation, Precision, Underflow

Finding = Accumulation | Underflow
# So many findings are told of one place.
TOLD = 4


def findings(found: Precision, place: Place | None = None) -> list[Finding]:
    """Returns what is told of a place, or of the whole graph: underflows, then sums that lose digits."""
    sums = [item for item in found.accumulations if lost(item)]
    told: list[Finding] = [*found.underflows, *sums]
    return [item for item in told if place is None or _is_at(item.place, place)]


def lost(sum_: Accumulation) -> int:
    """Returns how many decimal digits a sum loses."""
    return round(sum_.digits - sum_.digits_left)


def sentences_of(found: Precision, place: Place) -> list[str]:
    """Returns a sentence for each finding at a place; without any it says so."""
    told = [_sentence(item) for item in findings(found, place)[:TOLD]]
    others = [_share(item, found.shadow) for item in found.deviations if _is_at(item.place, place)]
    return [*(told or [tr("No digits are lost here.")]), *others[:1]]


def _share(deviation: Deviation, shadow: str) -> str:
    return tr("In {dtype}, ∂L changes by {share} (relative).", dtype=shadow, share=fmt(deviation.difference))


def _sentence(finding: Finding) -> str:
    if isinstance(finding, Underflow):
        size = "10^" + decimal(f"{finding.exponent:.1f}".replace("-", MINUS))
        return tr("The 0 is an underflow: the true value is about {size}.", size=size)
    fields = {
        "lost": lost(finding),
        "all": round(finding.digits),
        "terms": fmt(finding.absolute),
        "rest": fmt(finding.rest),
        "step": tr_sentence(finding.what),
    }
    if not finding.what:
        return tr("{lost} of {all} digits lost where wires add up: terms of size {terms} leave {rest}.", **fields)
    if finding.is_gradient:
        return tr("{lost} of {all} digits lost in {step}, back: terms of size {terms} leave {rest}.", **fields)
    return tr("{lost} of {all} digits lost in {step}: terms of size {terms} leave {rest}.", **fields)


def _is_at(where: Place, place: Place) -> bool:
    """Returns whether a finding is about a place: of a wire also its source, of a port all of its block."""
    if isinstance(place, Link):
        return where in (place, place.source)
    return place.path in ({where.source.path, where.target.path} if isinstance(where, Link) else {where.path})
