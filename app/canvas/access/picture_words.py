"""Words for the picture on a block, for those who do not see it."""

from __future__ import annotations

import numpy as np

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.monitors.monitors import Monitors
from gradwire.app.canvas.painting.monitors.pictures import (
    Boundary,
    Curves,
    Heat,
    Histogram,
    Images,
    Points,
    Rounds,
    Said,
)
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.engine.base.tensor_spec import Array


def picture_words(mirror: Mirror, block_id: str) -> str:
    """Returns what a block shows; "" where it shows no picture."""
    picture = mirror.session.part(Monitors).picture(f"{mirror.session.prefix}/{block_id}")
    match picture:
        case Said():
            return tr_sentence(picture.sentence)
        case Rounds() if picture.rounds.size:
            value, number = fmt(float(picture.numbers[-1])), grouped(int(picture.rounds[-1]))
            return tr("{value} in round {round}", value=value, round=number)
        case Points():
            return _points(picture)
        case Curves():
            return tr("line from {low} to {high}", **_ends(picture.y))
        case Histogram():
            return tr("histogram from {low} to {high}", **_ends(picture.edges))
        case Boundary():
            count = len(np.unique(picture.classes))
            return tr_count("the plane has {count} class", "the plane has {count} classes", count)
        case Heat():
            return tr("heat map {shape}", shape=shape_text((picture.rows, picture.columns)))
        case Images():
            return tr_count("{count} image", "{count} images", len(picture.pixels))
    return ""


def _points(picture: Points) -> str:
    count = tr_count("{count} point", "{count} points", len(picture.at))
    if picture.classes is None:
        return count
    classes = tr_count("{count} class", "{count} classes", len(np.unique(picture.classes)))
    return tr("{points} of {classes}", points=count, classes=classes)


def _ends(numbers: Array) -> dict[str, str]:
    finite = numbers[np.isfinite(numbers)]
    ends = (finite.min(), finite.max()) if finite.size else (np.nan, np.nan)
    return dict(zip(("low", "high"), map(fmt, map(float, ends)), strict=True))
