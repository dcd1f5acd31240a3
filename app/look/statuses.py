"""The words, glyphs and colours of every status and cause: the one table that all who show them read.

A mark is the key of a status or cause, or `TIE`. The words of the causes stand in `Cause`, for the command line too.
"""

from __future__ import annotations

from typing import NamedTuple

from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause

TIE = "tie"
# The statuses that structure alone decides, by blocks that cut every path to the loss.
CUT = (Status.BLOCKED, Status.NON_DIFFERENTIABLE)
# A gradient with one of these is 0.
ZEROS = (*CUT, Status.ZERO, Status.NO_PATH)


class Stroke(NamedTuple):
    """One stroke of a wire: the token of its colour, its width, and its dashes. Units: px."""

    token: str
    width: float
    dashes: tuple[float, ...] = ()


Points = tuple[tuple[float, float], ...]


class Glyph(NamedTuple):
    """A glyph about 10 px wide: lines through points, circles (x, y, radius), a curve, and a wall of 2 px.

    Shapes: of the curve the four points of a cubic one, or the three of a quadratic one.
    """

    lines: tuple[Points, ...] = ()
    circles: tuple[tuple[float, float, float], ...] = ()
    curve: Points = ()
    has_wall: bool = False


class StatusLook(NamedTuple):
    """The words, colours and shapes of a status; the words are English, `status_texts` translates them.

    `label` stands in place of a number, "" where the number itself does. `word` is for lists and legends, `name` and
    `help` for the key to the wires. `spoken` is a clause, `sentence` a sentence; `{by}` names the blocks that cut,
    and `step` says of one, `{block}`, that it does. `about` is a sentence on the gradient of a named block.
    `token` colours words and glyph, `border` and `ground` the box of a label, `terminal` the command line. A
    flowing gradient has no strokes: its width and colour depend on the number.
    """

    label: str
    word: str
    name: str
    spoken: str
    sentence: str
    help: str
    token: str
    border: str = ""
    ground: str = "bg.canvas"
    terminal: str = ""
    strokes: tuple[Stroke, ...] = ()
    glyph: Glyph = Glyph()
    step: str = ""
    about: str = ""


LOOKS = {
    Status.FLOW: StatusLook(
        label="",
        word="flows",
        name="gradient flows",
        spoken="gradient is not zero",
        sentence="",
        help="The wider and brighter, the larger the gradient on this wire.",
        token="grad.text",
        glyph=Glyph((((0, 0), (8, 0)), ((0, 0), (3, -3)), ((0, 0), (3, 3)))),
    ),
    Status.ZERO: StatusLook(
        label="≈ 0",
        word="≈ 0",
        name="sums to zero",
        spoken="gradient about 0",
        sentence="The gradient is numerically zero.",
        help="The gradient is 0 for these inputs, or its terms cancel. Other inputs may change that.",
        token="text.secondary",
        terminal="yellow",
        strokes=(Stroke("wire.zero", 7.6), Stroke("bg.canvas", 5.2)),
        glyph=Glyph(circles=((4, 0, 3.2),)),
    ),
    Status.BLOCKED: StatusLook(
        label="0 blocked",
        word="blocked",
        name="blocked by StopGradient",
        spoken="gradient 0, blocked by {by}",
        sentence="Every path to the loss is blocked by {by}.",
        help="Every path from here to the loss passes a StopGradient, or a page whose own gradient leaves this out: "
        "the gradient is 0 for all inputs.",
        token="text.primary",
        border="text.primary",
        terminal="magenta",
        strokes=(Stroke("wire.zero", 2, (7, 5)),),
        glyph=Glyph((((4, 0), (9.5, 0)), ((4, 0), (6.5, -2.5)), ((4, 0), (6.5, 2.5))), has_wall=True),
        step="{block} blocks it",
    ),
    Status.NON_DIFFERENTIABLE: StatusLook(
        label="0 no derivative",
        word="no derivative",
        name="no derivative",
        spoken="gradient 0, no derivative at {by}",
        sentence="Every path to the loss passes a block that returns no gradient: {by}.",
        help="Every path from here to the loss passes a block that returns no gradient, such as Floor or ArgMax.",
        token="text.secondary",
        border="wire.zero",
        terminal="yellow",
        strokes=(Stroke("wire.zero", 2, (2, 4)),),
        glyph=Glyph((((0, 3.5), (4.5, 3.5), (4.5, -3.5), (9, -3.5)),)),
        step="{block} returns no gradient",
    ),
    Status.NO_PATH: StatusLook(
        label="no path",
        word="no path",
        name="no path to the loss",
        spoken="no path to the loss",
        sentence="The loss does not depend on it.",
        help="The loss does not depend on this value.",
        about="No path leads from {block}{along} to the loss: the loss does not depend on it.",
        token="text.tertiary",
        terminal="dim",
        strokes=(Stroke("wire.nopath", 1.6, (1.6, 3.4)),),
        glyph=Glyph((((0, 0), (1.8, 0)), ((3.5, 0), (5.3, 0)), ((7, 0), (8.8, 0)))),
    ),
    Status.NO_GRADIENT_DTYPE: StatusLook(
        label="no gradient",
        word="no gradient",
        name="integer or boolean",
        spoken="no gradient: it is not floating point",
        sentence="Only floating point numbers have a gradient.",
        help="Integers and booleans have no gradient.",
        about="The values here are {dtype}; only floating point values have a gradient.",
        token="text.secondary",
        strokes=(Stroke("wire.value", 1.8),),
    ),
    Status.NONFINITE: StatusLook(
        label="NaN",
        word="NaN, inf",
        name="NaN or Inf",
        spoken="gradient not finite",
        sentence="NaN or infinity.",
        help="Value or gradient is infinite or not a number. The status line leads to where it starts.",
        token="alarm",
        border="alarm",
        ground="alarm.bg",
        terminal="red",
        strokes=(Stroke("alarm", 9), Stroke("bg.canvas", 6.6), Stroke("alarm", 6.6, (5, 5))),
        glyph=Glyph((((4.5, -4), (9, 4), (0, 4), (4.5, -4)), ((4.5, -1), (4.5, 1)), ((4.5, 2.5), (4.5, 3)))),
    ),
    Status.UNKNOWN: StatusLook(
        label="?",
        word="unknown",
        name="not computed yet",
        spoken="gradient not known",
        sentence="Unknown until the error or missing input on this path is fixed.",
        help="There is no Loss, or the graph has not been computed.",
        token="text.tertiary",
        terminal="red",
        strokes=(Stroke("wire.nopath", 1.8),),
        glyph=Glyph((((4.5, 0), (4.5, -2.6)), ((4.5, 0), (6.4, 0))), ((4.5, 0, 4),)),
    ),
}


class CauseLook(NamedTuple):
    """What the table adds to the words of a cause: its glyph with the colour, and a clause on the root.

    `because` says more than the clause of the cause, with `{block}` and `{dtype}`; "" where nothing is to be added.
    """

    glyph: Glyph
    token: str = "text.secondary"
    because: str = ""


# The causes that are usually traps have the colour of warnings; glyphs differ in shape as well.
CAUSE_LOOKS = {
    Cause.CANCELLED: CauseLook(Glyph((((0, -3.5), (3.5, 0), (0, 3.5)), ((8.5, -3.5), (5, 0), (8.5, 3.5))))),
    Cause.NOT_SELECTED: CauseLook(Glyph((((0, 1.5), (2.5, 1.5), (6.5, -3)), ((6, 1.5), (8.5, 1.5))))),
    Cause.FLAT: CauseLook(
        Glyph((((0, 3.5), (8, 3.5)), ((4, 3.5), (4, -3.5)))), "warn", "the gradient rule of {block} is 0 everywhere"
    ),
    Cause.SATURATED: CauseLook(
        Glyph(curve=((0, 3.5), (5, 3.5), (2, -3.5), (8.5, -3.5))), "warn", "{block} is saturated"
    ),
    Cause.ZERO_FACTOR: CauseLook(Glyph((((2.3, -1.7), (5.7, 1.7)), ((2.3, 1.7), (5.7, -1.7))), ((4, 0, 3.9),)), "warn"),
    Cause.UNDERFLOW: CauseLook(
        Glyph((((4.5, -4.5), (4.5, 1.5)), ((1.8, -1), (4.5, 1.7), (7.2, -1)), ((0.5, 4.3), (8.5, 4.3)))),
        "warn",
        "the gradient that {block} returns is too small for {dtype}",
    ),
    Cause.AT_OPTIMUM: CauseLook(Glyph((((0.5, 4.4), (7.5, 4.4)),), curve=((0, -4), (4, 8.5), (8, -4)))),
}
_TIE_LOOK = CauseLook(Glyph((((1, -2), (8, -2)), ((1, 2), (8, 2)))), "grad.text")
MARKS = dict[str, StatusLook | CauseLook]([*LOOKS.items(), *CAUSE_LOOKS.items(), (TIE, _TIE_LOOK)])
