"""Notes of the gallery: their letters grow with distance, and still have room on a laptop."""

from __future__ import annotations

import math

import pytest

from gradwire.app.base.examples import example_names, example_path
from gradwire.app.canvas.geometry.annotation_places import note_height
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.files.files import load
from gradwire.engine.layout.bands import zoom
from gradwire.engine.layout.layout import CANVAS

pytestmark = pytest.mark.usefixtures("qapp")

SMALLEST_TEXT = 9.5
# The chains of 50 and 80 steps are wider than any laptop shows whole.
FARTHEST = 0.4


def note_and_need(name: str) -> tuple[float, float]:
    """The height of the first page's note, and the one that its letters need at the zoom of a laptop."""
    session = Session(load(example_path(name)).graph, InlineEvaluator)
    session.runs.set_live(False)
    mirror = Mirror(session)
    mirror.rebuild()
    (note,) = session.page.notes
    area = mirror.bounds()
    session.close()
    seen = zoom((area.width(), area.height()), CANVAS)
    assert note.size is not None
    if seen < FARTHEST:
        return 1.0, 0.0
    return note.size[1], note_height(note.text, note.size[0], max(11, math.ceil(SMALLEST_TEXT / seen)))


@pytest.mark.long
def test_every_note_is_read_whole_on_a_laptop() -> None:
    cut = {name: found for name in example_names() if (found := note_and_need(name))[0] + 1 < found[1]}
    assert cut == {}
