"""The texts that say that gradients are hidden."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.live.readings.hidden import Hidden


def place_hidden(why: Hidden) -> str:
    """Returns the text in place of the explanation of a gradient."""
    return {
        Hidden.GUESSED: tr("It is hidden until you have guessed it."),
        Hidden.AHEAD: tr("Step mode has not reached it yet."),
        Hidden.FORWARD: tr("The forward pass has only values: gradients follow in the backward pass."),
    }[why]


def slope_hidden(why: Hidden) -> str:
    """Returns the text of the slice in place of the slope."""
    return {
        Hidden.GUESSED: tr("The slope is hidden until you have predicted the gradients."),
        Hidden.AHEAD: tr("The slope is shown once the last step is done."),
        Hidden.FORWARD: tr("Leave step mode to see the slope: it is a gradient."),
    }[why]


def lens_hidden(why: Hidden) -> str:
    """Returns the text in place of a lens that would show gradients of the whole graph."""
    return {
        Hidden.GUESSED: tr("Not available until you have predicted these gradients."),
        Hidden.AHEAD: tr(
            "Not available until step mode has reached these gradients. Go to the last step, or leave step mode."
        ),
        Hidden.FORWARD: tr("Not available in forward steps, which show no gradients. Leave step mode to see them."),
    }[why]
