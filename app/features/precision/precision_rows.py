"""The texts of the lens of precision on cancelled sums, the other dtype, and underflows."""

from __future__ import annotations

import math

from gradwire.app.base.translation import decimal, tr, tr_count, tr_sentence
from gradwire.app.kit.lens.flow_text import name_of
from gradwire.app.look.numbers import MINUS, equals, fmt
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.precision import Accumulation, Deviation, Precision, Underflow

Finding = Accumulation | Deviation | Underflow
# No more digits can agree, because the other dtype has no more.
SINGLE_DIGITS = 7.0
FEW_DIGITS = 3.0


def findings(found: Precision) -> list[Finding]:
    """Returns all findings: underflows first, then those with the fewest correct digits."""
    rest: list[Finding] = [*found.accumulations, *found.deviations]
    return [*found.underflows, *sorted(rest, key=digits_left)]


def digits_left(finding: Finding) -> float:
    """Returns the number of correct decimal digits, or of digits that agree in both dtypes."""
    if isinstance(finding, Underflow):
        return 0.0
    if isinstance(finding, Accumulation):
        return finding.digits_left
    if finding.difference == 0:
        return SINGLE_DIGITS
    return min(SINGLE_DIGITS, max(0.0, -math.log10(finding.difference))) if finding.difference < math.inf else 0.0


def finding_text(finding: Finding) -> str:
    """Returns the place of a finding: a block, or both ends of a wire."""
    place = finding.place
    if isinstance(place, Link):
        return f"{name_of(place.source.path)} → {name_of(place.target.path)}"
    return name_of(place.path)


def what_text(finding: Finding, shadow: str) -> str:
    """Returns a finding in a few words."""
    if isinstance(finding, Underflow):
        return tr("underflow: the true value is about {size}", size=power_text(finding.exponent))
    if isinstance(finding, Deviation):
        return tr("In {dtype}, ∂L changes by {share} (relative)", dtype=shadow, share=fmt(finding.difference))
    fields = {"rest": fmt(finding.rest), "terms": fmt(finding.absolute), "step": tr_sentence(finding.what)}
    if not finding.what:
        return tr("Sum over wires: terms of size {terms} cancel to {rest}", **fields)
    if finding.is_gradient:
        return tr("Sum of gradients in {step}: terms of size {terms} cancel to {rest}", **fields)
    return tr("Sum of values in {step}: terms of size {terms} cancel to {rest}", **fields)


def amount(finding: Finding) -> float:
    """Returns κ of a sum, else the relative difference; infinity for an underflow."""
    if isinstance(finding, Accumulation):
        return finding.condition
    return finding.difference if isinstance(finding, Deviation) else math.inf


def amount_text(finding: Finding) -> str:
    """Returns the amount with its letter."""
    if isinstance(finding, Underflow):
        return ""
    return f"κ {fmt(amount(finding))}" if isinstance(finding, Accumulation) else fmt(amount(finding))


def digits_text(finding: Finding) -> str:
    """Returns the number of correct digits, to a tenth."""
    return decimal(f"{digits_left(finding):.1f}")


def power_text(exponent: float) -> str:
    """Returns a size as a power of ten: `10^−51.8`."""
    return "10^" + decimal(f"{exponent:.1f}".replace("-", MINUS))


def summary(found: Precision) -> str:
    """Returns sentences on the worst underflow, the worst sum and the worst difference."""
    parts = []
    if found.underflows:
        worst = found.underflows[0]
        fields = {"name": finding_text(worst), "size": power_text(worst.exponent)}
        parts.append(tr("The 0 at {name} is an underflow: the true gradient is about {size}.", **fields))
        if more := len(found.underflows) - 1:
            parts.append(tr_count("{count} more port has such zeros.", "{count} more ports have such zeros.", more))
    if found.accumulations:
        sum_ = found.accumulations[0]
        fields = {"place": finding_text(sum_), "kappa": equals(sum_.condition), "digits": digits_text(sum_)}
        parts.append(
            tr("Strongest cancellation: {place}; no reliable digits remain (κ {kappa}).", **fields)
            if digits_left(sum_) < 1
            else tr("Strongest cancellation: {place}; {digits} reliable digits remain (κ {kappa}).", **fields)
        )
    if found.deviations:
        most = found.deviations[0]
        fields = {"dtype": found.shadow, "share": fmt(most.difference), "name": finding_text(most)}
        parts.append(tr("In {dtype}, gradients change by at most {share} (relative), at {name}.", **fields))
    return " ".join(parts)
