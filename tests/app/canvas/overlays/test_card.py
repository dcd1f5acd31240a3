"""The columns of a card: no number of a sum is cut off."""

from __future__ import annotations

import pytest

from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.overlays.cards.card import NARROWEST, PAD, WIDEST, columns
from gradwire.app.canvas.overlays.cards.card_facts import Row

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize(
    ("count", "number", "width"), [(3, "+0.0331", NARROWEST), (4, "−2.1e−16", WIDEST), (2, "−0.00312", NARROWEST)]
)
def test_numbers_stand_whole_beside_a_long_label(count: int, number: str, width: int) -> None:
    rows = [Row("→ Gradients.xs_1", ("no path",)), Row("inside Gradients", (number,) * count)]
    label, cell = columns(rows, width - 2 * PAD)
    assert cell > text_width("mono", 11, 400, number)
    assert label + count * cell <= width - 2 * PAD
    assert label > text_width("ui", 11, 400, "in…ts")
