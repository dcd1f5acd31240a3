"""Where the rows of a label stand beside their wire, and what is drawn in them. Units: px at 100 %."""

from __future__ import annotations

import dataclasses

import pytest

from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import (
    Form,
    GradientText,
    Label,
    Placed,
    Pose,
    label_width,
    row_boxes,
)
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.status import Status
from tests.app.strokes import Stroke, placed, strokes

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
CSS = LOOK.theme.css
FLOWS = GradientText("+1", Status.FLOW)
BARS = GradientText("+1 −1", Status.FLOW, bars=(1.0, -1.0))
CUT = GradientText("0 blocked", Status.BLOCKED, is_boxed=True)
TIED = GradientText("+1", Status.FLOW, mark="tie")


@pytest.mark.parametrize(
    ("pose", "value", "gradient"),
    [
        # Rows are 15 high, 5 above and below the wire, or 8 beside it; 4 are between them in one row.
        (Pose.ACROSS, (-20, -20, 20, -5), (-30, 5, 30, 20)),
        (Pose.ABOVE, (-52, -20, -12, -5), (-8, -20, 52, -5)),
        (Pose.BELOW, (-52, 5, -12, 20), (-8, 5, 52, 20)),
        (Pose.OVER, (-20, -35, 20, -20), (-30, -20, 30, -5)),
        (Pose.UNDER, (-20, 5, 20, 20), (-30, 20, 30, 35)),
        (Pose.RIGHT, (8, -15, 48, 0), (8, 0, 68, 15)),
        (Pose.LEFT, (-48, -15, -8, 0), (-68, 0, -8, 15)),
        (Pose.LEADER, (80, 35, 120, 50), (70, 50, 130, 65)),
    ],
)
def test_two_rows_stand_as_their_pose_says(pose: Pose, value: tuple[float, ...], gradient: tuple[float, ...]) -> None:
    assert row_boxes(pose, (40, 60), (100, 50)) == (value, gradient)


@pytest.mark.parametrize(
    ("pose", "value", "gradient"),
    [
        (Pose.ACROSS, (-20, -20, 20, -5), (-20, 5, 20, 20)),
        (Pose.ABOVE, (-20, -20, 20, -5), (-20, -20, 20, -5)),
        (Pose.OVER, (-20, -20, 20, -5), (-20, -20, 20, -5)),
        (Pose.BELOW, (-20, 5, 20, 20), (-20, 5, 20, 20)),
        (Pose.UNDER, (-20, 5, 20, 20), (-20, 5, 20, 20)),
        (Pose.RIGHT, (8, -7.5, 48, 7.5), (8, -7.5, 48, 7.5)),
        (Pose.LEFT, (-48, -7.5, -8, 7.5), (-48, -7.5, -8, 7.5)),
        (Pose.LEADER, (80, 42.5, 120, 57.5), (80, 42.5, 120, 57.5)),
    ],
)
def test_a_row_alone_stands_in_the_middle_of_its_side(
    pose: Pose, value: tuple[float, ...], gradient: tuple[float, ...]
) -> None:
    assert row_boxes(pose, (40, 0), (100, 50)) == (value, None)
    assert row_boxes(pose, (0, 40), (100, 50)) == (None, gradient)


@pytest.mark.parametrize(
    ("gradient", "form", "extra"),
    [
        # A glyph has 14, bars 26, and both ends 4 each, where there is little room 2, in a box 5.
        (FLOWS, Form.WHOLE, 8),
        (FLOWS, Form.BARE, 4),
        (BARS, Form.WHOLE, 26 + 8),
        (BARS, Form.BARE, 4),
        (CUT, Form.WHOLE, 14 + 10),
        (CUT, Form.NUMBER, 14 + 10),
        (TIED, Form.WHOLE, 14 + 8),
        (TIED, Form.BARE, 4),
    ],
)
def test_a_row_is_as_wide_as_its_text_glyphs_and_bars(gradient: GradientText, form: Form, extra: float) -> None:
    text = label_width(gradient.shown(form), gradient.is_boxed)
    assert gradient.width(form) == pytest.approx(text + extra)


def test_the_value_is_as_wide_as_its_text_and_its_ends() -> None:
    label, text = Label("1.25 2", None, "1.2 2"), label_width("1.25 2")
    assert label.widths(Form.WHOLE) == (pytest.approx(text + 8), 0)
    assert label.widths(Form.BARE) == (pytest.approx(label_width("1.2 2") + 4), 0)


def drawn(gradient: GradientText | None, form: Form = Form.WHOLE, look: Look = LOOK, **others: object) -> list[Stroke]:
    label = Label("1", gradient)
    where = Placed(label, form, 200, 100, label.widths(form), **others)  # type: ignore[arg-type]
    return strokes(lambda painter: LabelPainter(painter, look, 1.0).draw(where))


def test_each_row_is_a_plate_with_its_number_alone() -> None:
    found = drawn(FLOWS)
    assert {item.kind for item in found} == {"rounded", "text"}
    value, gradient = placed(found, "rounded")
    assert value[1::2] == (80, 15) and gradient[1::2] == (105, 15)
    (one, other) = [(item.text, item.at) for item in found if item.kind == "text"]
    assert one[0] == "1" and one[1][0] == pytest.approx(value[0] + 4, abs=0.02)
    assert other[0] == "+1" and other[1][0] == pytest.approx(gradient[0] + 4, abs=0.02)
    assert one[1][1] + one[1][3] / 2 == 87.5


def test_a_bare_value_has_smaller_ends() -> None:
    found = drawn(None, Form.BARE)
    (plate,) = placed(found, "rounded")
    (text,) = placed(found, "text")
    assert text[0] == pytest.approx(plate[0] + 2, abs=0.02)


def test_bars_stand_at_the_right_end_of_their_row() -> None:
    """22 wide and 11 high, 4 from the edge and 2 from the top."""
    found = drawn(BARS)
    _, plate = placed(found, "rounded")
    first, second = placed(found, "rect")
    assert first[:2] == (pytest.approx(plate[0] + plate[2] - 26, abs=0.02), 107)
    assert second[1] == pytest.approx(107 + 5.5) and first[3] == second[3] == 5.5
    assert placed(drawn(BARS, Form.BARE), "rect") == []


def test_a_box_has_its_border_and_is_bold_and_stale_labels_are_grey() -> None:
    found = drawn(CUT)
    _, box = [item for item in found if item.kind == "rounded"]
    assert box.pen and box.at[2] == pytest.approx(CUT.width(Form.WHOLE) - 1, abs=0.02)
    grey = [item.pen for item in drawn(FLOWS, look=dataclasses.replace(LOOK, is_stale=True)) if item.kind == "text"]
    assert grey == [CSS("text.tertiary")] * 2
    colours = [item.pen for item in drawn(FLOWS) if item.kind == "text"]
    assert colours[0] == CSS("value") and colours[1] != CSS("text.tertiary")


def test_a_leader_runs_from_its_dot_to_the_nearest_edge_of_the_label() -> None:
    found = drawn(FLOWS, pose=Pose.LEADER, apart=(0.0, 40.0))
    (dot,) = [item.at for item in found if item.kind == "ellipse"][:1]
    assert dot == (198.2, 98.2, 3.6, 3.6)
    line = placed(found, "line")[0]
    # The label is 30 high around its middle, 40 below the spot.
    assert line == (200, 100, 200, 125)
    alone = drawn(None, pose=Pose.LEADER, apart=(0.0, 40.0))
    assert placed(alone, "line")[0] == (200, 100, 200, 132.5)
