"""The look of a wire shows its status, even without colour."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.glyphs import draw_component_bars, draw_port, dtype_token
from gradwire.app.canvas.painting.labels.label_painter import LabelPainter
from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Label, Placed, Pose
from gradwire.app.canvas.painting.look import Look, Overlay
from gradwire.app.canvas.painting.wires.wire_painter import WirePainter
from gradwire.app.live.session import Selection
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.theme import Theme, theme
from gradwire.app.look.wire_pens import status_pens
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import mirror_of, painted, pixels, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = pytest.mark.parametrize("chosen", ["dark", "light"])
DARK = Look(theme("dark"))
FINE = 4  # device pixels a px in enlarged pictures
GREEN = QColor("#00ff00")


def page_with(status: Status = Status.FLOW, t: float = 1.0, total: float = 1.0, kind: str = "Exp") -> Mirror:
    """One level wire, 600 px long, of a given status; its gradient is `t` on the page's scale."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 2.0]))
    graph = with_block(graph, "e", kind, (744, 0))
    mirror = mirror_of(wired(graph, "x.y > e.x"))
    mirror.top, mirror.span = 100.0, 4.0
    mirror.wire_status = np.array([STATUS_ROW[status]], np.uint8)
    mirror.wire_norm, mirror.wire_total = np.array([100.0 * 10 ** (-4 * (1 - t))]), np.array([total])
    return mirror


def pens_of(mirror: Mirror, look: Look = DARK) -> list[QPen]:
    return list(WirePainter(QPainter(), mirror, look).pens(0))


def described(item: QPen) -> tuple[float, tuple[float, ...], str]:
    """Width, dashes in px, and colour."""
    dashes = tuple(round(dash * item.widthF(), 6) for dash in item.dashPattern())
    return item.widthF(), dashes, item.color().name()


def picture(mirror: Mirror, look: Look = DARK, ground: QColor | None = None) -> np.ndarray:
    """The enlarged middle 400 px of the wire and 12 px to both sides of it. Shapes: (96, 1600, 4)."""
    middle = mirror.points[0, 0, 1]

    def paint(on: QPainter) -> None:
        on.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        on.scale(FINE, FINE)
        on.translate(-244, 12 - middle)
        WirePainter(on, mirror, look).draw(0)

    color = ground or look.theme.color("bg.canvas")
    return pixels(painted(QSize(400 * FINE, 24 * FINE), paint, color.name()))


# Pens


@BOTH
@pytest.mark.parametrize(
    ("status", "width", "dashes", "token"),
    [
        (Status.BLOCKED, 2, (7, 5), "wire.zero"),
        (Status.NON_DIFFERENTIABLE, 2, (2, 4), "wire.zero"),
        (Status.NO_GRADIENT_DTYPE, 1.8, (), "wire.value"),
        (Status.UNKNOWN, 1.8, (), "wire.nopath"),
    ],
)
def test_a_status_has_its_pen(status: Status, width: float, dashes: tuple[float, ...], token: str, chosen: str) -> None:
    (found,) = status_pens(theme(chosen), status)
    assert described(found) == (width, dashes, theme(chosen).css(token))


@BOTH
def test_no_path_is_dots_every_5_px(chosen: str) -> None:
    (found,) = status_pens(theme(chosen), Status.NO_PATH)
    width, dashes, color = described(found)
    assert (width, color) == (1.6, theme(chosen).css("wire.nopath"))
    assert dashes[0] == 1.6 and sum(dashes) == pytest.approx(5)


@BOTH
def test_zero_is_two_hairlines_6_4_px_apart_and_empty(chosen: str) -> None:
    outer, inner = status_pens(theme(chosen), Status.ZERO)
    assert (outer.color().name(), inner.color().name()) == (
        theme(chosen).css("wire.zero"),
        theme(chosen).css("bg.canvas"),
    )
    assert (outer.widthF() - inner.widthF()) / 2 == pytest.approx(1.2)
    assert (outer.widthF() + inner.widthF()) / 2 == pytest.approx(6.4)
    assert not outer.dashPattern() and not inner.dashPattern()


@BOTH
def test_nan_is_a_ladder_9_px_wide_with_rungs_of_5_px(chosen: str) -> None:
    rails, inside, rungs = status_pens(theme(chosen), Status.NONFINITE)
    alarm = theme(chosen).css("alarm")
    assert described(rails) == (9, (), alarm)
    assert inside.color().name() == theme(chosen).css("bg.canvas")
    assert described(rungs)[1:] == ((5, 5), alarm)


@pytest.mark.parametrize("overlay", Overlay)
@pytest.mark.parametrize("status", [Status.BLOCKED, Status.ZERO, Status.FLOW, Status.NO_GRADIENT_DTYPE])
def test_a_wire_whose_value_is_nan_looks_like_it_whatever_its_gradient(status: Status, overlay: Overlay) -> None:
    mirror = page_with(status)
    mirror.wire_breaks = np.array([True])
    assert pens_of(mirror, dataclasses.replace(DARK, overlay=overlay)) == list(
        status_pens(DARK.theme, Status.NONFINITE)
    )


def test_the_mirror_knows_which_values_are_not_finite() -> None:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array([1.0, 0.0]))
    graph = with_block(with_block(graph, "log", "Log", (300, 0)), "stop", "StopGradient", (600, 0))
    mirror = mirror_of(wired(graph, "x.y > log.x", "log.y > stop.x"))
    (row,) = np.flatnonzero(mirror.wire_breaks)
    # log 0 is -inf.
    assert mirror.wires[row].source.block == "log"


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.FLOW])
def test_a_wire_wears_the_pens_of_its_status(status: Status) -> None:
    assert pens_of(page_with(status)) == list(status_pens(DARK.theme, status))


@pytest.mark.parametrize("status", list(Status))
def test_pens_have_flat_ends(status: Status) -> None:
    assert {item.capStyle() for item in pens_of(page_with(status))} == {Qt.PenCapStyle.FlatCap}


@BOTH
@pytest.mark.parametrize("t", [0.0, 0.1, 0.25, 0.5, 0.75, 1.0])
def test_a_pipe_is_3_px_wide_and_5_more_for_the_largest_gradient(t: float, chosen: str) -> None:
    found = pens_of(page_with(t=t), Look(theme(chosen)))[0]
    assert found.widthF() == pytest.approx(3 + 5 * t)
    assert found.color() == theme(chosen).ramp(t)


@pytest.mark.parametrize(("t", "has_core"), [(0.0, False), (0.19, False), (0.21, True), (1.0, True)])
def test_pipes_of_4_px_and_more_have_a_core(t: float, has_core: bool) -> None:
    rest = pens_of(page_with(t=t))[1:]
    assert [described(item) for item in rest] == ([(1.3, (), DARK.theme.css("bg.canvas"))] if has_core else [])


@pytest.mark.parametrize("status", list(Status))
def test_with_gradients_off_every_wire_is_a_plain_thread(status: Status) -> None:
    (found,) = pens_of(page_with(status), Look(theme("dark"), overlay=Overlay.OFF))
    assert described(found) == (1.8, (), theme("dark").css("wire.value"))


def test_with_labels_only_a_gradient_is_a_thread() -> None:
    (found,) = pens_of(page_with(), Look(theme("dark"), overlay=Overlay.LABELS))
    assert described(found) == (1.8, (), theme("dark").css("wire.value"))


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.FLOW])
@pytest.mark.parametrize("overlay", [Overlay.LABELS, Overlay.SIGN])
def test_the_kind_of_a_zero_is_seen_in_every_overlay_but_off(status: Status, overlay: Overlay) -> None:
    assert pens_of(page_with(status), Look(theme("dark"), overlay=overlay)) == list(status_pens(theme("dark"), status))


@BOTH
@pytest.mark.parametrize(("total", "sign"), [(-0.3, -1), (5.0, 1)])
def test_sign_colours_a_pipe_by_the_sign_of_its_sum(total: float, sign: int, chosen: str) -> None:
    found = pens_of(page_with(t=0.5, total=total), Look(theme(chosen), overlay=Overlay.SIGN))[0]
    assert found.widthF() == pytest.approx(5.5)
    near, far = theme(chosen).diverging(sign), theme(chosen).diverging(-sign)
    assert distance(found.color(), near) < distance(found.color(), far) / 3


def distance(a: QColor, b: QColor) -> float:
    return float(np.hypot.reduce([a.redF() - b.redF(), a.greenF() - b.greenF(), a.blueF() - b.blueF()]))


@pytest.mark.parametrize("status", list(Status))
def test_a_stale_wire_is_a_grey_thread(status: Status) -> None:
    (found,) = pens_of(page_with(status), Look(theme("dark"), is_stale=True))
    assert described(found) == (1.8, (), theme("dark").css("wire.nopath"))


@pytest.mark.parametrize("overlay", list(Overlay))
def test_a_broken_wire_is_dashed_in_the_colour_of_errors(overlay: Overlay) -> None:
    mirror = page_with()
    mirror.broken = {0}
    (found,) = pens_of(mirror, Look(theme("dark"), overlay=overlay))
    assert described(found) == (2, (4, 4), theme("dark").css("error"))


# Pictures


def marks(found: np.ndarray, color: QColor) -> np.ndarray:
    """Returns the mask of a colour in a picture, beyond smoothing. Shapes: (height, width)."""
    wanted = np.array([color.blue(), color.green(), color.red()])
    return (np.abs(found[..., :3].astype(int) - wanted) <= 2).all(axis=2)


@pytest.mark.parametrize("t", [0.0, 0.5, 1.0])
def test_the_casing_is_4_px_wider_than_the_pipe(t: float) -> None:
    found = ~marks(picture(page_with(t=t), ground=GREEN), GREEN)
    assert found.sum(axis=0).mean() / FINE == pytest.approx(3 + 5 * t + 4, abs=2 / FINE)


@pytest.mark.parametrize("total", [-1.0, 1.0])
def test_a_negative_pipe_has_a_minus_every_24_px(total: float) -> None:
    look = Look(theme("dark"), overlay=Overlay.SIGN)
    found = picture(page_with(t=0.5, total=total), look)
    # Off the core, which runs along the middle.
    line = marks(found, look.theme.color("bg.canvas"))[12 * FINE + FINE, :]
    starts = np.flatnonzero(line[1:] & ~line[:-1])
    assert len(starts) == (0 if total > 0 else pytest.approx(400 / 24, abs=1))
    assert (np.abs(np.diff(starts) - 24 * FINE) <= 2).all()


@BOTH
def test_a_selected_wire_has_a_halo_of_the_accent(chosen: str) -> None:
    mirror, look = page_with(), Look(theme(chosen))
    chosen_wire = dataclasses.replace(look, selection=Selection(wires=frozenset(mirror.wires)))
    accent = look.theme.color("accent")
    assert not marks(picture(mirror, look), accent).any()
    assert marks(picture(mirror, chosen_wire), accent).any()


def test_a_hovered_wire_looks_another() -> None:
    mirror = page_with()
    hovered = dataclasses.replace(DARK, hovered=Target(wire=mirror.wires[0]))
    assert not np.array_equal(picture(mirror), picture(mirror, hovered))


def runs(line: np.ndarray) -> tuple[float, ...]:
    """The lengths of the dark and light stretches of a line, without those cut off at its ends."""
    edges = np.flatnonzero(line[1:] != line[:-1])
    return tuple(np.round(np.diff(edges) / FINE, 1).tolist())


def pattern(found: np.ndarray, look: Look) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A grey picture as stretches across the wire and, where it changes most, along it; no shade of grey counts."""
    grey = found[..., :3].astype(float) @ (0.0722, 0.7152, 0.2126)
    ground = look.theme.color("bg.canvas")
    apart = np.abs(grey - np.dot((ground.blue(), ground.green(), ground.red()), (0.0722, 0.7152, 0.2126)))
    dark = apart > apart.max() / 2
    along = max((runs(line) for line in dark), key=len)
    return runs(dark.any(axis=1)), along[1:3]


STATES = {
    "large gradient": page_with,
    "small gradient": lambda: page_with(t=0.0),
    **{status.value: lambda status=status: page_with(status) for status in Status if status is not Status.UNKNOWN},
}
del STATES[Status.FLOW.value]


@BOTH
def test_without_colour_the_patterns_of_all_states_differ(chosen: str) -> None:
    look = Look(theme(chosen))
    found = {name: pattern(picture(make(), look), look) for name, make in STATES.items()}
    for a, b in itertools.combinations(found, 2):
        assert apart_by_pattern(found[a], found[b]), (a, b, found[a], found[b])


def apart_by_pattern(a: tuple[tuple[float, ...], ...], b: tuple[tuple[float, ...], ...]) -> bool:
    """Whether two patterns differ in their number of stretches, or in the length of one by a px or more."""
    return any(
        len(one) != len(other) or any(abs(x - y) >= 1 for x, y in zip(one, other, strict=True))
        for one, other in zip(a, b, strict=True)
    )


@BOTH
def test_without_colour_a_negative_pipe_differs_from_a_positive_one(chosen: str) -> None:
    look = Look(theme(chosen), overlay=Overlay.SIGN)
    negative, positive = (pattern(picture(page_with(total=total), look), look) for total in (-1.0, 1.0))
    assert apart_by_pattern(negative, positive)


# Labels and glyphs


LABEL = Label("1 2", GradientText("0 blocked", Status.BLOCKED, is_boxed=True))


def label_picture(
    label: Label,
    form: Form = Form.WHOLE,
    look: Look = DARK,
    pose: Pose = Pose.ACROSS,
    apart: tuple[float, float] = (0.0, 0.0),
) -> np.ndarray:
    """A label at the middle of 240 by 80 px. Shapes: (160, 480, 4)."""

    def paint(on: QPainter) -> None:
        on.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        on.scale(2, 2)
        LabelPainter(on, look, 1.0).draw(Placed(label, form, 120, 40, label.widths(form), pose, apart))

    return pixels(painted(QSize(480, 160), paint, GREEN.name()))


@pytest.mark.parametrize("pose", list(Pose))
@pytest.mark.parametrize("form", list(Form))
def test_a_label_stays_within_the_size_that_it_tells(form: Form, pose: Pose) -> None:
    label = Label("1 2", GradientText("0.593", Status.FLOW, bars=(0.3, -0.2)))
    apart = (20.0, -22.0)
    left, top, right, bottom = Placed(label, form, 0, 0, label.widths(form), pose, apart).rect(1.0)
    found = ~marks(label_picture(label, form, pose=pose, apart=apart), GREEN)
    assert found.any()
    rows, columns = np.flatnonzero(found.any(axis=1)) / 2 - 40, np.flatnonzero(found.any(axis=0)) / 2 - 120
    assert top - 1 <= rows.min() and rows.max() <= bottom + 1
    assert left - 1 <= columns.min() and columns.max() <= right + 1


def test_a_row_has_its_middle_12_to_13_px_from_the_wire() -> None:
    found = np.flatnonzero((~marks(label_picture(LABEL), GREEN)).any(axis=1)) / 2 - 40
    above, below = found[found < 0], found[found > 0]
    # A plate is smoothed at its border.
    assert (above.min() + above.max()) / 2 == pytest.approx(-12.5, abs=0.8)
    assert (below.min() + below.max()) / 2 == pytest.approx(12.5, abs=0.8)


def test_a_leader_leads_from_its_dot_to_the_label() -> None:
    label = Label("", GradientText("0.349", Status.FLOW))
    found = ~marks(label_picture(label, pose=Pose.LEADER, apart=(0.0, 30.0)), GREEN)
    columns = found[:, 238:242].any(axis=1)
    assert columns[80 : 80 + 2 * 30].all()


@BOTH
@pytest.mark.parametrize(
    ("status", "border", "inside"),
    [
        (Status.BLOCKED, "text.primary", "bg.canvas"),
        (Status.NON_DIFFERENTIABLE, "wire.zero", "bg.canvas"),
        (Status.NONFINITE, "alarm", "alarm.bg"),
    ],
)
def test_a_boxed_label_has_its_border(status: Status, border: str, inside: str, chosen: str) -> None:
    look = Look(theme(chosen))
    found = label_picture(Label("", GradientText("text", status, is_boxed=True)), Form.WHOLE, look)
    for token in (border, inside):
        assert marks(found, look.theme.color(token)).sum() > 50, token


def test_a_value_is_blue_and_a_gradient_amber() -> None:
    found = label_picture(Label("888", GradientText("888", Status.FLOW)))
    above, below = found[:80], found[80:]
    blue, amber = DARK.theme.color("value"), DARK.theme.color("grad.text")
    assert marks(above, blue).any() and not marks(above, amber).any()
    assert marks(below, amber).any() and not marks(below, blue).any()


def test_a_stale_label_is_grey() -> None:
    look = Look(theme("dark"), is_stale=True)
    found = label_picture(Label("888", GradientText("old 888", Status.FLOW)), Form.WHOLE, look)
    assert marks(found, look.theme.color("text.tertiary")).any()
    assert not marks(found, look.theme.color("grad.text")).any()


def glyph(status: Status) -> bytes:
    def paint(on: QPainter) -> None:
        on.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        draw_mark(on, QPointF(3, 8), QColor("#ffffff"), status)

    return pixels(painted(QSize(16, 16), paint)).tobytes()


def test_every_status_with_a_label_has_a_glyph_of_its_own() -> None:
    found = [glyph(status) for status in Status if status is not Status.NO_GRADIENT_DTYPE]
    assert len(set(found)) == len(found)
    assert bytes(len(found[0])) not in found


def test_an_integer_has_no_glyph() -> None:
    nothing = painted(QSize(16, 16), lambda _: None)
    assert glyph(Status.NO_GRADIENT_DTYPE) == pixels(nothing).tobytes()


@pytest.mark.parametrize(
    ("numbers", "upper", "lower"),
    [((1.0, 0.5), True, True), ((1.0, -1.0), True, True), ((-1.0, -0.5), True, True), ((0.0, 0.0), False, False)],
)
def test_component_bars_fill_their_box(numbers: tuple[float, ...], upper: bool, lower: bool) -> None:
    box = QRectF(4, 4, 22, 11)
    found = pixels(painted(QSize(32, 20), lambda on: draw_component_bars(on, box, numbers, QColor("#ffffff"))))
    lit = found[..., 0] > 0
    assert (lit[4:6].any(), lit[13:15].any()) == (upper, lower)
    lit[3:16, 3:27] = False
    assert not lit.any()


def test_bars_leave_out_what_is_not_finite() -> None:
    box = QRectF(4, 4, 22, 11)
    numbers = (1.0, float("nan"))
    found = pixels(painted(QSize(32, 20), lambda on: draw_component_bars(on, box, numbers, QColor("#ffffff"))))
    assert (found[..., 0] > 0)[:, 4:15].any() and not (found[..., 0] > 0)[:, 16:].any()


# Ports


def port_picture(chosen: Theme, spec: TensorSpec | None, is_filled: bool = True) -> np.ndarray:
    def paint(on: QPainter) -> None:
        on.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        draw_port(on, chosen, QPointF(12, 12), spec, is_filled)

    return pixels(painted(QSize(24, 24), paint, GREEN.name()))


def spec(rank: int, dtype: str = "float64") -> TensorSpec:
    return TensorSpec((2,) * rank, np.dtype(dtype))


def test_the_shape_of_a_port_is_its_rank() -> None:
    found = [port_picture(theme("dark"), item).tobytes() for item in (None, spec(0), spec(1), spec(2), spec(3))]
    assert len(set(found)) == 5
    assert port_picture(theme("dark"), spec(4)).tobytes() == found[4]


@pytest.mark.parametrize("item", [spec(0), spec(1), spec(2), spec(3)], ids=["0", "1", "2", "3"])
def test_a_connected_port_is_filled(item: TensorSpec) -> None:
    color = theme("dark").color("dtype.float")
    filled, ring = (marks(port_picture(theme("dark"), item, is_filled), color).sum() for is_filled in (True, False))
    assert filled > ring


@pytest.mark.parametrize(
    ("item", "token"),
    [
        (spec(0, "float32"), "dtype.float"),
        (spec(0, "int32"), "dtype.int"),
        (spec(0, "uint8"), "dtype.int"),
        (spec(0, "bool"), "dtype.bool"),
        (None, "dtype.any"),
    ],
)
def test_the_colour_of_a_port_is_its_dtype(item: TensorSpec | None, token: str) -> None:
    assert dtype_token(item) == token
    assert marks(port_picture(theme("dark"), item, is_filled=True), theme("dark").color(token)).any()
