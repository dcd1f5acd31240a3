"""The texts that say that gradients are hidden."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.live.readings.hidden import Hidden


def place_hidden(why: Hidden) -> str:
    """Returns the text in place of the explanation of a gradient."""
    return {
        Hidden.GUESSED: tr("It is hidden until it has been guessed."),
        Hidden.AHEAD: tr("The steps have not reached it yet."),
        Hidden.FORWARD: tr("Forward there are only values: gradients come on the way back."),
    }[why]


def slope_hidden(why: Hidden) -> str:
    """Returns the text of the slice in place of the slope."""
    return {
        Hidden.GUESSED: tr("The slope is hidden while gradients are guessed."),
        Hidden.AHEAD: tr("The slope is shown once the last step is done."),
        Hidden.FORWARD: tr("The slope is a gradient: it is shown when step mode is left."),
    }[why]


def lens_hidden(why: Hidden) -> str:
    """Returns the text in place of a lens that would show gradients of the whole graph."""
    return {
        Hidden.GUESSED: tr("This lens tells gradients, which are hidden while they are guessed."),
        Hidden.AHEAD: tr("This lens tells gradients that the steps have not reached. Go to the last step, or leave."),
        Hidden.FORWARD: tr("This lens tells gradients, and the steps go forward. Leave step mode to see them."),
    }[why]
