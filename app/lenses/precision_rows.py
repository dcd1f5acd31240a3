"""What the lens of precision says of sums that cancel, of the other dtype, and of zeros that are none."""

from __future__ import annotations

import math

from app.lenses.flow_text import name_of
from app.look.numbers import MINUS, fmt
from app.words import decimal, tr, tr_count
from engine.expand import Link
from engine.precision import Accumulation, Deviation, Precision, Underflow

Finding = Accumulation | Deviation | Underflow
# The other dtype has no more digits than these, so that no more can agree.
SINGLE_DIGITS = 7.0
FEW_DIGITS = 3.0


def findings(found: Precision) -> list[Finding]:
    """All that was found, that with the fewest digits left first; zeros that are none come before everything."""
    rest: list[Finding] = [*found.accumulations, *found.deviations]
    return [*found.underflows, *sorted(rest, key=digits_left)]


def digits_left(finding: Finding) -> float:
    """How many decimal digits are right, or agree in both dtypes."""
    if isinstance(finding, Underflow):
        return 0.0
    if isinstance(finding, Accumulation):
        return finding.digits_left
    if finding.difference == 0:
        return SINGLE_DIGITS
    return min(SINGLE_DIGITS, max(0.0, -math.log10(finding.difference))) if finding.difference < math.inf else 0.0


def place_text(finding: Finding) -> str:
    """Where it is: a block, or both ends of a wire."""
    place = finding.place
    if isinstance(place, Link):
        return f"{name_of(place.source.path)} → {name_of(place.target.path)}"
    return name_of(place.path)


def what_text(finding: Finding, shadow: str) -> str:
    """What happens there, in a few words."""
    if isinstance(finding, Underflow):
        return tr("underflow: the true value is about {size}", size=power_text(finding.exponent))
    if isinstance(finding, Deviation):
        return tr("∂L differs in {dtype} by a share of {share}", dtype=shadow, share=fmt(finding.difference))
    sizes = {"rest": fmt(finding.rest), "terms": fmt(finding.absolute)}
    if not finding.what:
        return tr("∂L adds its wires: {rest} is left of {terms}", **sizes)
    if finding.is_gradient:
        return tr("∂L adds in {step}: {rest} is left of {terms}", step=finding.what, **sizes)
    return tr("the value adds in {step}: {rest} is left of {terms}", step=finding.what, **sizes)


def amount(finding: Finding) -> float:
    """κ of a sum, else the relative difference; of a zero that is none it is infinite."""
    if isinstance(finding, Accumulation):
        return finding.condition
    return finding.difference if isinstance(finding, Deviation) else math.inf


def amount_text(finding: Finding) -> str:
    """The amount with its letter."""
    if isinstance(finding, Underflow):
        return ""
    return f"κ {fmt(amount(finding))}" if isinstance(finding, Accumulation) else fmt(amount(finding))


def digits_text(finding: Finding) -> str:
    """The digits that are left, to a tenth."""
    return decimal(f"{digits_left(finding):.1f}")


def power_text(exponent: float) -> str:
    """A size as a power of ten: `10^−51.8`."""
    return "10^" + decimal(f"{exponent:.1f}".replace("-", MINUS))


def summary(found: Precision) -> str:
    """The worst zero, the worst sum and the worst difference."""
    parts = []
    if found.underflows:
        worst = found.underflows[0]
        fields = {"name": place_text(worst), "size": power_text(worst.exponent)}
        parts.append(tr("The 0 at {name} is an underflow: the true gradient is about {size}.", **fields))
        if more := len(found.underflows) - 1:
            parts.append(tr_count("{count} more port has such zeros.", "{count} more ports have such zeros.", more))
    if found.accumulations:
        sum_ = found.accumulations[0]
        fields = {"place": place_text(sum_), "kappa": fmt(sum_.condition), "digits": digits_text(sum_)}
        parts.append(tr("The worst sum is at {place}: κ = {kappa}, {digits} digits are left.", **fields))
    if found.deviations:
        most = found.deviations[0]
        fields = {"dtype": found.shadow, "share": fmt(most.difference), "name": place_text(most)}
        parts.append(tr("In {dtype} gradients differ by at most {share}, at {name}.", **fields))
    return " ".join(parts)
