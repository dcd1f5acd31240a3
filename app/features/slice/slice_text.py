"""The texts about a slice: they compare an element's gradient with the curve of the loss."""

from __future__ import annotations

import math

import numpy as np

from gradwire.app.base.table_text import exact_text
from gradwire.app.base.translation import tr
from gradwire.app.look.numbers import equals, fmt
from gradwire.engine.explain.slices import Slice
from gradwire.engine.graph.paths import name_in_rounds


def sentence_of(slice: Slice, element: str) -> str:
    """Returns how the gradient compares with the curve, and why its slope differs if it does."""
    gradient = f"∂L/∂{element}"
    if not math.isfinite(slice.loss):
        loss = fmt(slice.loss)
        return tr("L is {loss} at the present value of {element}: no slope here.", loss=loss, element=element)
    said = {"gradient": gradient, "slope": equals(slice.slope), "left": fmt(slice.left), "right": fmt(slice.right)}
    if not math.isfinite(slice.slope):
        return _endless(slice, said)
    return f"{_standing(slice, said)} {_jump(slice)}".strip()


def _endless(slice: Slice, said: dict[str, str]) -> str:
    """Returns what differences say of a gradient that is not finite."""
    if slice.is_infinite:
        return tr("{gradient} {slope}: the difference quotient grows as the step shrinks.", **said)
    if slice.true_slope is None:
        return tr("{gradient} {slope}: there is no tangent here.", **said)
    estimate = fmt(slice.true_slope)
    return tr("{gradient} {slope}, but finite differences estimate {estimate}.", estimate=estimate, **said)


def _standing(slice: Slice, said: dict[str, str]) -> str:
    if all(slice.jumps):
        return f"{said['gradient']} {said['slope']}."
    if slice.is_infinite:
        return tr(
            "{gradient} {slope}. The difference quotient grows as the step shrinks: the slope of L is infinite here.",
            **said,
        )
    if not slice.is_tangent:
        return f"{_course(slice, said)} {_reason(slice, said)}"
    if slice.has_kink:
        return tr("{gradient} {slope}, at a kink: the slope is {left} to the left and {right} to the right.", **said)
    if slice.slope == 0:
        return tr("{gradient} = 0: the curve has slope 0 here.", **said)
    return tr("{gradient} {slope}: the tangent's slope.", **said)


def _jump(slice: Slice) -> str:
    texts = {
        (True, True): tr("L is discontinuous on both sides: the curve has no slope."),
        (True, False): tr("L is discontinuous just to the left."),
        (False, True): tr("L is discontinuous just to the right."),
    }
    return texts.get(slice.jumps, "")


def _course(slice: Slice, said: dict[str, str]) -> str:
    if slice.has_kink:
        return tr("Finite differences estimate a kink, with slope {left} to the left and {right} to the right,", **said)
    slope = slice.true_slope or 0.0
    if abs(slope) <= slice.noise:
        return tr("Finite differences estimate a slope of 0,")
    return tr("Finite differences estimate a slope of {slope},", slope=fmt(slope))


def _reason(slice: Slice, said: dict[str, str]) -> str:
    if not slice.is_due_to_stops:
        # A block with a gradient of its own, or an estimate that is off: nothing here proves either.
        return tr("but {gradient} {slope}.", **said)
    if slice.slope == 0:
        return tr("but {gradient} = 0: StopGradient blocks every path.", **said)
    stops = ", ".join(map(name_in_rounds, slice.stops))
    return tr("but {gradient} {slope}: StopGradient on this path ({stops}) changes it.", stops=stops, **said)


def spoken(slice: Slice, element: str) -> str:
    """Returns the course of the curve in words, for users who cannot see it."""
    known = slice.losses[np.isfinite(slice.losses)]
    ends = {"element": element, "start": fmt(float(slice.places[0])), "end": fmt(float(slice.places[-1]))}
    if not known.size:
        return tr("The loss is NaN or infinite for every {element} from {start} to {end}.", **ends)
    ends |= {
        "low": fmt(float(known.min())),
        "high": fmt(float(known.max())),
        "at": fmt(slice.at),
        "loss": fmt(slice.loss),
    }
    return tr(
        "From {start} to {end} of {element} the loss lies between {low} and {high}; at {at} it is {loss}.", **ends
    )


def csv_of(slice: Slice, element: str) -> str:
    """Returns the curve as CSV in full precision, after a line of names."""
    name = f'"{element}"' if "," in element else element
    rows = zip(slice.places, slice.losses, strict=True)
    return f"{name},L\n" + "".join(f"{exact_text(place)},{exact_text(loss)}\n" for place, loss in rows)
