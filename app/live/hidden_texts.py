"""How it is said that gradients are hidden."""

from __future__ import annotations

from app.live.hidden import Hidden
from app.words import tr


def place_hidden(why: Hidden) -> str:
    """What stands where a gradient would be explained."""
    return {
        Hidden.GUESSED: tr("It is hidden until it has been guessed."),
        Hidden.AHEAD: tr("The steps have not reached it yet."),
        Hidden.FORWARD: tr("Forward there are only values: gradients come on the way back."),
    }[why]


def slope_hidden(why: Hidden) -> str:
    """What the slice says while it would tell a gradient."""
    return {
        Hidden.GUESSED: tr("The slope is hidden while gradients are guessed."),
        Hidden.AHEAD: tr("The slope is shown once the last step is done."),
        Hidden.FORWARD: tr("The slope is a gradient: it is shown when step mode is left."),
    }[why]


def lens_hidden(why: Hidden) -> str:
    """What stands in place of a lens that tells gradients of the whole graph."""
    return {
        Hidden.GUESSED: tr("This lens tells gradients, which are hidden while they are guessed."),
        Hidden.AHEAD: tr("This lens tells gradients that the steps have not reached. Go to the last step, or leave."),
        Hidden.FORWARD: tr("This lens tells gradients, and the steps go forward. Leave step mode to see them."),
    }[why]
