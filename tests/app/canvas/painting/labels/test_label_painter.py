"""What is drawn of a label: plates, boxes, glyphs, texts and leaders, with their pens. Units: px at 100 %."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtGui import QImage, QPainter

from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label, Placed, Pose
from gradwire.app.canvas.painting.look import Look
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.status import Status
from tests.app.drawn_shapes import recorded
from tests.app.strokes import Stroke, strokes

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
FLOWS = GradientText("+1", Status.FLOW)
TIED = GradientText("+1", Status.FLOW, mark="tie")
CUT = GradientText("0 blocked", Status.BLOCKED, is_boxed=True, number="0")
CAUSED = GradientText("0", Status.ZERO, mark="zero_factor")


def label(gradient: GradientText | None, form: Form = Form.WHOLE, **others: object) -> Placed:
    made = Label("1", gradient)
    return Placed(made, form, 200, 100, made.widths(form), **others)  # type: ignore[arg-type]


def shapes(placed: Placed, scale: float = 1.0, **how: object) -> list[str]:
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded() as found:
        LabelPainter(painter, dataclasses.replace(LOOK, **how), scale).draw(placed)
    return found


def lefts(found: list[str], kind: str) -> list[float]:
    return [float(line.split()[1]) for line in found if line.startswith(kind)]


def half(gradient: GradientText, form: Form = Form.WHOLE) -> float:
    return gradient.width(form) / 2


def test_both_rows_have_their_numbers_and_no_arrows() -> None:
    found = shapes(label(FLOWS))
    value = 200 - Label("1", None).widths(Form.WHOLE)[0] / 2 + 4
    gradient = 200 - half(FLOWS) + 4
    assert not [line for line in found if line.startswith("line")]
    texts = [line for line in found if line.startswith("text")]
    assert [line.split("“")[1] for line in texts] == ["1”", "+1”"]
    # 10.5 px, drawn at half of the size; as tall as both need, around the middle of the row.
    assert all("21px" in line for line in texts)
    assert [line.split()[2:5] for line in texts] == [["77.5", "2000", "20"], ["102.5", "2000", "20"]]
    assert lefts(found, "text") == pytest.approx([value, gradient], abs=0.01)


def test_a_plate_hides_most_of_what_is_below_it() -> None:
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill("#ffffff")
    with QPainter(image) as painter:
        LabelPainter(painter, LOOK, 1.0).draw_ground(label(None, Form.BARE))
    ground = LOOK.theme.color("bg.canvas")
    # 92 % of the canvas and 8 % of the white below.
    assert image.pixelColor(200, 84).red() == pytest.approx(0.92 * ground.red() + 0.08 * 255, abs=1.01)
    assert image.pixelColor(200, 78).red() == 255 and image.pixelColor(200, 96).red() == 255


@pytest.mark.parametrize("gradient", [TIED, CAUSED], ids=["tie", "cause"])
def test_the_glyph_of_a_tie_or_a_cause_stands_before_the_number(gradient: GradientText) -> None:
    found, left = shapes(label(gradient)), 200 - half(gradient) + 4
    marks = [float(line.split()[1]) for line in found if line.startswith(("lines", "ellipse"))]
    assert marks and all(left - 1 <= across <= left + 10 for across in marks)
    assert lefts(found, "text")[1] == pytest.approx(left + 14, abs=0.01)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_a_box_is_half_a_px_within_its_row_and_its_words_are_bold(scale: float) -> None:
    found = shapes(label(CUT), scale)
    box = next(line for line in found if line.startswith("rect") and "1px" in line)
    left, top, width, height = map(float, box.split()[1:5])
    assert (left, width) == pytest.approx((200 - scale * (half(CUT) - 0.5), scale * (2 * half(CUT) - 1)), abs=0.01)
    assert (top, height) == (100 + 5 * scale, 15 * scale)
    assert lefts(found, "text")[1] == pytest.approx(200 - scale * (half(CUT) - 5 - 14), abs=0.01)


def weights(placed: Placed) -> list[int]:
    found: list[int] = []

    class Noting(LabelPainter):
        """A painter that notes how bold its texts are."""

        def _draw_text(self, *given: object) -> None:
            super()._draw_text(*given)  # type: ignore[arg-type]
            found.append(given[3] if len(given) > 3 else False)  # type: ignore[arg-type]

    image = QImage(40, 40, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        Noting(painter, LOOK, 1.0).draw(placed)
    return found


def test_only_what_is_boxed_is_bold() -> None:
    assert weights(label(CUT)) == [False, True] and weights(label(FLOWS)) == [False, False]


@pytest.mark.parametrize(
    ("gradient", "form", "glyphs"),
    [
        (CUT, Form.BARE, 1),
        (FLOWS, Form.BARE, 0),
        (FLOWS, Form.WHOLE, 0),
        (TIED, Form.WHOLE, 1),
        (TIED, Form.BARE, 0),
        (CAUSED, Form.BARE, 1),
        (CAUSED, Form.NUMBER, 1),
    ],
)
def test_without_room_a_glyph_stays_only_where_it_says_why_there_is_no_number(
    gradient: GradientText, form: Form, glyphs: int
) -> None:
    found = shapes(label(gradient, form))
    margin = 5 if gradient.is_boxed else 4 if form is Form.WHOLE else 2
    assert lefts(found, "text")[-1] == pytest.approx(200 - half(gradient, form) + margin + 14 * glyphs, abs=0.01)
    marks = [line for line in found if not line.startswith(("rect", "text"))]
    assert len(marks) >= glyphs and bool(marks) == bool(glyphs)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_leader_is_a_thin_line_from_a_dot_to_the_label(scale: float) -> None:
    found = shapes(label(None, Form.BARE, pose=Pose.LEADER, apart=(40.0, 3.0)), scale)
    line = next(line for line in found if line.startswith("line "))
    width = Label("1", None).widths(Form.BARE)[0]
    ends = [float(item) for item in line.split()[1:5]]
    assert ends == pytest.approx([200, 100, 200 + scale * (40 - width / 2), 100], abs=0.01)
    assert line.endswith("0.8px text.tertiary")
    dot = [round(200 - 1.8 * scale, 2), round(100 - 1.8 * scale, 2), 3.6 * scale, 3.6 * scale]
    assert any(item.startswith("ellipse " + " ".join(f"{n:g}" for n in dot)) for item in found)
    assert not [item for item in shapes(label(FLOWS)) if item.startswith("line ")], "beside a wire there is none"


def inks(placed: Placed, is_stale: bool) -> set[str]:
    look = dataclasses.replace(LOOK, is_stale=is_stale)
    found: list[Stroke] = strokes(lambda painter: LabelPainter(painter, look, 1.0).draw(placed))
    return {item.pen for item in found if item.kind in ("text", "line") and item.pen}


def test_all_that_is_stale_is_grey() -> None:
    grey, colored = inks(label(TIED), True), inks(label(TIED), False)
    assert grey == {LOOK.theme.css("text.tertiary")} and len(colored) > 1


def test_texts_and_bars_change_without_their_ground() -> None:
    """The ground of two labels of one key is the same; the numbers of both are not."""
    first, second = Label("1", GradientText("+1", Status.FLOW)), Label("7", GradientText("+7", Status.FLOW))
    assert first.ground_key(Form.WHOLE) == second.ground_key(Form.WHOLE)
    grounds, numbers = [], []
    for made in (first, second):
        placed = Placed(made, Form.WHOLE, 200, 100, made.widths(Form.WHOLE))
        for draw, into in ((LabelPainter.draw_ground, grounds), (LabelPainter.draw_numbers, numbers)):
            image = QImage(400, 200, QImage.Format.Format_RGB32)
            with QPainter(image) as painter, recorded() as found:
                draw(LabelPainter(painter, LOOK, 1.0), placed)
            into.append(found)
    assert grounds[0] == grounds[1] and numbers[0] != numbers[1]
    assert not [line for line in grounds[0] if line.startswith("text")]
    assert all(line.startswith("text") for line in numbers[0])
