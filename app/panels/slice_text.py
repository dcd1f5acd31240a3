"""What is said of a slice: how the gradient of one element stands to the curve of the loss."""

from __future__ import annotations

import math

import numpy as np

from app.look.numbers import fmt
from app.table_text import exact_text
from app.words import tr
from engine.block_type import Role
from engine.graph import Graph
from engine.ports import role_of
from engine.slices import Slice


def element_name(block: str, index: tuple[int, ...]) -> str:
    """One element as it is written: `x[2]`, `w[0, 1]`; a scalar is `x`."""
    return f"{block}[{', '.join(map(str, index))}]" if index else block


def signed(number: float) -> str:
    """A slope with its sign, so that rising and falling are told apart at a glance."""
    return f"+{fmt(number)}" if number > 0 else fmt(number)


def sentence_of(slice: Slice, element: str, has_stop: bool) -> str:
    """How the gradient stands to the curve; `has_stop` says that a StopGradient may be why it is another slope."""
    name = f"∂L/∂{element}"
    if not math.isfinite(slice.loss):
        return tr(
            "L is {loss} at the present value of {element}: no slope here.", loss=fmt(slice.loss), element=element
        )
    if not math.isfinite(slice.slope):
        return tr("{gradient} = {slope}: there is no tangent here.", gradient=name, slope=fmt(slice.slope))
    if not slice.is_tangent:
        return f"{_course(slice)} {_reason(slice, name, has_stop)}"
    if slice.has_kink:
        left, right = fmt(slice.left), fmt(slice.right)
        text = "{gradient} = {slope}, at a kink: the slope is {left} to the left and {right} to the right."
        return tr(text, gradient=name, slope=fmt(slice.slope), left=left, right=right)
    if slice.slope == 0:
        return tr("{gradient} = 0: the curve is level here.", gradient=name)
    return tr("{gradient} = {slope}: the tangent's slope.", gradient=name, slope=fmt(slice.slope))


def _course(slice: Slice) -> str:
    if slice.has_kink:
        left, right = fmt(slice.left), fmt(slice.right)
        return tr(
            "The curve has a kink, with slope {left} to the left and {right} to the right,", left=left, right=right
        )
    slope = slice.right if math.isfinite(slice.right) else slice.left
    if abs(slope) <= slice.noise:
        return tr("The curve is level,")
    if slope > 0:
        return tr("The curve rises with slope {slope},", slope=fmt(slope))
    return tr("The curve falls with slope {slope},", slope=fmt(slope))


def _reason(slice: Slice, gradient: str, has_stop: bool) -> str:
    slope = fmt(slice.slope)
    if not has_stop:
        return tr("but {gradient} = {slope}: a block on the way teaches another slope.", gradient=gradient, slope=slope)
    if slice.slope == 0:
        return tr("but {gradient} = 0: StopGradient lets nothing pass.", gradient=gradient)
    return tr("but {gradient} = {slope}: StopGradient lets only a part of it pass.", gradient=gradient, slope=slope)


def has_stop(graph: Graph) -> bool:
    """Whether any block of a graph stops gradients."""
    blocks = (block for page in graph.pages for block in page.blocks.values())
    return any(role_of(block) is Role.STOP and not block.is_muted for block in blocks)


def spoken(slice: Slice, element: str) -> str:
    """The course of the curve in words, for those who do not see it."""
    known = slice.losses[np.isfinite(slice.losses)]
    ends = {"element": element, "start": fmt(float(slice.places[0])), "end": fmt(float(slice.places[-1]))}
    if not known.size:
        return tr("From {start} to {end} of {element} the loss is nowhere finite.", **ends)
    ends |= {
        "low": fmt(float(known.min())),
        "high": fmt(float(known.max())),
        "at": fmt(slice.at),
        "loss": fmt(slice.loss),
    }
    text = "From {start} to {end} of {element} the loss lies between {low} and {high}; at {at} it is {loss}."
    return tr(text, **ends)


def csv_of(slice: Slice, element: str) -> str:
    """The curve as CSV in full precision, with a line of names first."""
    name = f'"{element}"' if "," in element else element
    rows = zip(slice.places, slice.losses, strict=True)
    return f"{name},L\n" + "".join(f"{exact_text(place)},{exact_text(loss)}\n" for place, loss in rows)
