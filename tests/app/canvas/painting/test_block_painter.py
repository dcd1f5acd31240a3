"""Blocks show their words at each zoom, and their states."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter, _level_of
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.canvas.painting.page_painter import PagePainter, Part
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.canvas.pages import (
    EXAMPLE_NAMES,
    MAIN,
    chain,
    example,
    mirror_of,
    painted,
    pixels,
    wired,
    with_block,
)
from tests.recorded import load
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = pytest.mark.parametrize("chosen", ["dark", "light"])
DARK = Look(theme("dark"))
FINE = 4  # device pixels a px in enlarged pictures


class Text(NamedTuple):
    """A text of a picture and its height on the screen. Units: px."""

    words: str
    px: float


def written(mirror: Mirror, look: Look) -> list[Text]:
    """All texts of a page at the zoom of a look."""
    area = mirror.bounds().adjusted(-40, -40, 40, 40)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(72)
    painter = QPainter(generator)
    try:
        painter.scale(look.scale, look.scale)
        painter.translate(-area.topLeft())
        PagePainter(mirror).draw(painter, look, Part(area))
    finally:
        # A painter that outlives its device brings the test run down.
        painter.end()
    buffer.close()
    found: list[Text] = []
    for group in ElementTree.fromstring(bytes(data.data())).iter("{http://www.w3.org/2000/svg}g"):
        factor = re.match(r"matrix\(([-\d.e]+)", group.get("transform", ""))
        for item in group.findall("{http://www.w3.org/2000/svg}text"):
            size = float(item.get("font-size", "nan")) * (float(factor[1]) if factor else 1.0)
            found.append(Text("".join(item.itertext()), size))
    return found


def words(mirror: Mirror, look: Look = DARK) -> list[str]:
    return [text.words for text in written(mirror, look)]


def at(scale: float) -> Look:
    return dataclasses.replace(DARK, scale=scale)


def drawn(mirror: Mirror, name: str, look: Look = DARK) -> np.ndarray:
    """One block, enlarged, with 16 px of canvas around it. Shapes: (4 * (height + 32), 4 * (width + 32), 4)."""
    box = mirror.rect(name).adjusted(-16, -16, 16, 16)

    def paint(on: QPainter) -> None:
        on.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        on.scale(FINE, FINE)
        on.translate(-box.topLeft())
        BlockPainter(on, mirror, look).draw(mirror.rows[name])

    return pixels(painted(QSize(int(box.width()) * FINE, int(box.height()) * FINE), paint, look.theme.css("bg.canvas")))


def color_at(found: np.ndarray, x: float, y: float) -> str:
    """The colour of a picture of one block at a place of it, as `#RRGGBB`."""
    blue, green, red, _ = found[int((y + 16) * FINE), int((x + 16) * FINE)].tolist()
    return f"#{red:02x}{green:02x}{blue:02x}"


def count(found: np.ndarray, look: Look, token: str) -> int:
    """How many pixels have the colour of a token."""
    color = look.theme.color(token)
    return int((found[..., :3] == (color.blue(), color.green(), color.red())).all(axis=2).sum())


# Words and zoom


@pytest.mark.parametrize("scale", [0.71, 0.8, 0.9, 1.0])
def test_a_title_that_fits_its_block_is_never_shortened_for_a_name(scale: float) -> None:
    block = Block("a_rather_long_name", "ReduceMax", at=(0, 0))
    assert "ReduceMax" in words(mirror_of(Graph((Page(MAIN, {block.id: block}),))), at(scale))


def test_a_block_shows_its_title_its_name_its_ports_and_its_value() -> None:
    found = words(mirror_of(chain(1.0, 2.0, 3.0)))
    # exp 1, exp 2, exp 3, and their sum.
    for text in ("Exp", "e", "x", "3 numbers", "2.72", "7.39", "20.1", "30.2"):
        assert text in found, text


def test_a_shape_that_would_touch_the_name_of_an_input_is_left_out() -> None:
    graph = with_block(Graph(), "c", "Constant", (0, 0), value=np.arange(10_000.0) > 3)
    graph = with_block(graph, "x", "Constant", (0, 200), value=np.arange(10_000.0))
    graph = wired(with_block(graph, "w", "Where", (300, 0)), "c.y > w.condition", "x.y > w.x", "x.y > w.y")
    whole, small = words(mirror_of(graph), at(1.0)), words(mirror_of(graph), at(0.73))
    assert "condition" in whole and "condition" in small
    assert whole.count("10,000 numbers") > small.count("10,000 numbers")


def test_pictures_are_large_enough_to_be_drawn_from_afar() -> None:
    graph = with_block(with_block(Graph(), "m", "Monitor", (0, 0)), "e", "Exp", (500, 0))
    mirror = mirror_of(graph)
    levels = {name: _level_of(mirror.shapes[row], at(0.3)) for name, row in mirror.rows.items()}
    assert levels == {"m": Level.COMPACT, "e": Level.SHAPE}


def test_bars_with_their_numbers_need_no_count_of_them() -> None:
    assert words(mirror_of(chain(1.0, 2.0, 3.0))).count("3 numbers") == 1
    assert words(mirror_of(chain(*range(64)))).count("64 numbers") > 1


@pytest.mark.parametrize("scale", [0.3, 0.39, 0.41, 0.69])
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_below_70_percent_every_block_has_its_name_beside_it(name: str, scale: float) -> None:
    mirror = mirror_of(example(name))
    blocks = mirror.session.page.blocks.values()
    found = set(words(mirror, at(scale)))
    for block in blocks:
        assert found & {f"{block.type} {block.id}", block.type, block.id}, block.id


@pytest.mark.parametrize("scale", [0.2, 0.3, 0.5, 0.69, 0.7, 0.8, 1.0])
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_no_text_is_smaller_than_nine_and_a_half_px_on_the_screen(name: str, scale: float) -> None:
    for text in written(mirror_of(example(name)), at(scale)):
        assert text.px >= 9.5 - 1e-4, text


@pytest.mark.parametrize(("scale", "is_there"), [(0.5, False), (0.69, False), (0.7, True), (1.0, True), (2.0, True)])
def test_names_of_ports_are_shown_from_70_percent(scale: float, is_there: bool) -> None:
    graph = wired(with_block(with_block(Graph(), "c", "Constant", (0, 0)), "m", "MatMul", (300, 0)), "c.y > m.a")
    found = words(mirror_of(graph), at(scale))
    assert ("a" in found, "b" in found) == (is_there, is_there)


@pytest.mark.parametrize(("scale", "is_there"), [(0.5, False), (0.7, True), (1.0, True), (2.0, True)])
def test_numbers_of_bars_are_shown_from_70_percent(scale: float, is_there: bool) -> None:
    assert ("7.39" in words(mirror_of(chain(1.0, 2.0)), at(scale))) is is_there


@pytest.mark.parametrize(("scale", "is_there"), [(1.0, False), (1.4, False), (1.6, True)])
def test_dtypes_are_written_from_150_percent(scale: float, is_there: bool) -> None:
    found = words(mirror_of(chain(1.0, 2.0)), at(scale))
    assert any(text.endswith(" f64") for text in found) is is_there


@pytest.mark.parametrize("scale", [0.5, 0.6, 0.75, 1.0, 2.0])
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_titles_are_never_smaller_than_nine_and_a_half_px(name: str, scale: float) -> None:
    mirror = mirror_of(example(name))
    names = [(shape.title, shape.own_name) for shape in mirror.shapes]
    titles = {text for title, name in names for text in (title, name, f"{title} {name}")}
    found = [text for text in written(mirror, at(scale)) if text.words in titles]
    assert found
    # Qt writes three digits.
    assert min(text.px for text in found) >= 9.5 - 0.01


def too_small(graph: Graph, scale: float) -> list[Text]:
    # Qt writes three digits.
    return [text for text in written(mirror_of(graph), at(scale)) if text.px < 8.5 - 0.01]


@pytest.mark.parametrize("scale", [0.5, 0.6, 0.75, 0.9, 1.0, 1.5])
@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_a_word_in_a_block_is_hidden_rather_than_smaller_than_eight_and_a_half_px(name: str, scale: float) -> None:
    graph = example(name)
    page = dataclasses.replace(graph.page(MAIN), notes=())
    # A vector of seven has no sliders, which have a test of their own.
    graph = edits.set_parameter(graph.with_page(page), MAIN, "x", "value", np.linspace(1, 2, 7))
    if "w" in page.blocks:
        graph = edits.set_parameter(graph, MAIN, "w", "value", np.linspace(1, 2, 7))
    assert not too_small(graph, scale)


@pytest.mark.parametrize("value", [1.0, [1.0, 2.0]], ids=["level", "upright"])
def test_numbers_of_sliders_are_hidden_rather_than_small(value: object) -> None:
    assert not too_small(with_block(Graph(), "x", "Input", (0, 0), value=np.array(value)), 0.6)


def test_notes_are_hidden_rather_than_small() -> None:
    graph, _ = annotations.add_note(chain(1.0, 2.0, *range(5)), MAIN, "Why?\nBecause.", (0, 300))
    assert not too_small(graph, 0.7)


@pytest.mark.parametrize("scale", [0.5, 0.6, 1.0])
def test_titles_of_frames_are_read_as_far_as_labels(scale: float) -> None:
    graph, _ = annotations.add_frame(chain(1.0, 2.0, *range(5)), MAIN, "The sum", ["e", "s"])
    found = {text.words: text.px for text in written(mirror_of(graph), at(scale))}
    assert found["The sum"] >= 9.5 - 0.5 * scale


# Numbers recorded from TensorFlow


def recorded_softmax() -> tuple[Graph, dict[str, dict[str, dict]]]:
    """The stable softmax of 1, 2, 3 with weights, and what TensorFlow computed."""
    case = load("graphs", "softmax_stable_stop_plain")
    graph = Graph()
    for index, node in enumerate(case["nodes"]):
        given = dict(node["attrs"])
        if node["op"] in ("Input", "Constant"):
            given["value"] = np.array(case["feeds"][node["id"]]["data"])
        graph = with_block(graph, node["id"], node["op"], (300 * index, 160 * (index % 3)), **given)
    graph = with_block(graph, "end", "Loss", (3300, 0))
    ports = {"Subtract": "xy", "Divide": "xy", "Multiply": "xy"}
    outputs = {"Subtract": "z", "Divide": "z", "Multiply": "z"}
    ops = {node["id"]: node["op"] for node in case["nodes"]}
    for node in case["nodes"]:
        for port, source in zip(ports.get(node["op"], "x"), node["inputs"], strict=False):
            graph = wired(graph, f"{source}.{outputs.get(ops[source], 'y')} > {node['id']}.{port}")
    return wired(graph, "loss.y > end.x"), case["tensors"]


def test_a_block_shows_the_value_that_tensorflow_computes() -> None:
    graph, tensors = recorded_softmax()
    found = words(mirror_of(graph))
    assert tensors["loss"]["value"]["data"] == [-0.054556290062354657]
    assert tensors["reducesum1"]["value"]["data"] == [1.5032147244080551]
    for text in ("−0.0546", "1.50"):
        assert text in found, text


def test_a_wire_shows_the_gradient_that_tensorflow_computes() -> None:
    graph, tensors = recorded_softmax()
    found = words(mirror_of(graph))
    # The only wire out of the subtraction carries its whole gradient.
    norm = float(np.linalg.norm(tensors["subtract1"]["grad"]["data"]))
    assert f"{norm:.3f}" == "0.297"
    assert "0.297" in found
    assert ".135 .368 1" in found
    assert "0 blocked" in found


# Bodies


def test_a_loss_tells_its_value() -> None:
    found = words(mirror_of(chain(1.0)))
    assert {"L", "2.718"} <= set(found)


def two_losses(active: str | None) -> Graph:
    graph = wired(with_block(chain(1.0), "other", "Loss", (720, 200)), "s.y > other.x")
    return edits.set_loss(graph, active)


@pytest.mark.parametrize(("active", "used"), [("main/loss", 1), ("main/other", 1), (None, 2)])
def test_a_loss_that_is_not_used_offers_to_be(active: str | None, used: int) -> None:
    found = words(mirror_of(two_losses(active)))
    assert (found.count("L"), found.count("click to use")) == (used, 2 - used)


@pytest.mark.parametrize(("trainable", "word"), [(True, "trainable"), (False, "frozen")])
@pytest.mark.parametrize("value", [np.ones((2, 3)), np.array(2.0)], ids=["matrix", "number"])
def test_a_variable_says_whether_training_changes_it(value: np.ndarray, trainable: bool, word: str) -> None:
    graph = with_block(Graph(), "w", "Variable", (0, 0), value=value, trainable=trainable)
    found = words(mirror_of(graph))
    assert [text for text in found if text in ("trainable", "frozen")] == [word]


@BOTH
@pytest.mark.parametrize(("name", "token"), [("loss", "grad.soft"), ("other", "bg.header"), ("e", "bg.header")])
def test_the_header_of_the_active_loss_is_amber(name: str, token: str, chosen: str) -> None:
    look = Look(theme(chosen))
    found = drawn(mirror_of(two_losses("main/loss")), name, look)
    assert color_at(found, 5, 6) == look.theme.css(token)


def test_a_block_without_its_input_says_what_to_connect() -> None:
    assert "connect x" in words(mirror_of(with_block(Graph(), "e", "Exp", (0, 0))))


def test_a_trainable_tensor_shows_its_value_and_its_gradient() -> None:
    graph = with_block(Graph(), "w", "Variable", (0, 0), value=np.array([[3.0, 4.0]]))
    graph = wired(with_block(graph, "loss", "Loss", (300, 0)), "w.y > loss.x")
    found = words(mirror_of(graph))
    # The loss is the sum; each of the two slopes is 1.
    assert {"value", "∂L", "|∂L| 1.414"} <= set(found)


def test_an_error_is_told_in_the_body() -> None:
    graph = with_block(chain(1.0, 2.0), "b", "Input", (0, 240), value=np.ones(3))
    graph = wired(with_block(graph, "a", "Add", (240, 240)), "x.y > a.x", "b.y > a.y")
    mirror = mirror_of(graph)
    found = drawn(mirror, "a")
    assert count(found, DARK, "error.bg") > 100
    assert count(found, DARK, "error") > 100


def test_an_unknown_type_says_so_in_a_sentence() -> None:
    page = Page(MAIN, {"q": Block("q", "Somebody.Strange", at=(0, 0))})
    found = " ".join(words(mirror_of(Graph((page,)))))
    assert "Somebody.Strange" in found
    assert "_block" not in found and "self" not in found


def test_a_message_without_a_problem_is_a_sentence_too() -> None:
    page = Page(MAIN, {"q": Block("q", "Somebody.Strange", at=(0, 0))})
    mirror = mirror_of(Graph((page,)))
    mirror.problems = {}
    found = " ".join(words(mirror))
    assert "cannot be computed" in found and "_" not in found


def test_a_tag_says_where_the_first_nan_was_born_and_the_body_has_its_value() -> None:
    graph = wired(with_block(chain(-1.0), "log", "Log", (240, 200)), "x.y > log.x")
    found = words(mirror_of(graph))
    assert found.count("starts here") == 1 and "NaN" in found
    assert "log(-1)" not in " ".join(found)


# States


def stopped() -> Graph:
    """The sum of exp(x) times stop(x)."""
    graph = with_block(chain(1.0), "stop", "StopGradient", (240, 200))
    graph = with_block(graph, "m", "Multiply", (480, 200))
    return wired(graph, "x.y > stop.x", "e.y > m.x", "stop.y > m.y", "m.z > s.x")


@BOTH
def test_a_stop_gradient_is_an_octagon_without_a_stripe(chosen: str) -> None:
    look = Look(theme(chosen))
    mirror = mirror_of(stopped())
    found, other = drawn(mirror, "stop", look), drawn(mirror, "e", look)
    # The cut is 12 px: 4 px in from the corner is canvas, where a rectangle with round corners has its header.
    assert color_at(found, 4, 4) == look.theme.css("bg.canvas") != color_at(other, 4, 4)
    assert color_at(found, 72, 2.5) == look.theme.css("stop.fill")
    assert count(found, look, "stop") > 100


def test_a_stop_gradient_says_that_the_gradient_becomes_0() -> None:
    assert "∂ → 0" in words(mirror_of(stopped()))


def test_a_stop_gradient_with_a_warning_still_shows_its_wall_and_its_words() -> None:
    mirror = mirror_of(edits.disconnect(stopped(), MAIN, Port("m", "y")))
    assert [problem.code for problem in mirror.problems["stop"]] == ["stop_unused"]
    found = words(mirror)
    assert "∂ → 0" in found and not [text for text in found if text.startswith("Nothing uses")]


def test_an_ignored_stop_gradient_is_a_rectangle_that_says_so() -> None:
    mirror, look = mirror_of(stopped()), dataclasses.replace(DARK, comparison=WithoutStops())
    found = words(mirror, look)
    assert "gradient passes" in found and "∂ → 0" not in found
    assert color_at(drawn(mirror, "stop", look), 4, 4) != look.theme.css("bg.canvas")


def test_a_muted_block_says_so_and_is_paler() -> None:
    plain, muted = mirror_of(chain(1.0)), mirror_of(edits.set_muted(chain(1.0), MAIN, "e", True))
    assert "muted: x → y" in words(muted)
    header = DARK.theme.css("bg.header")
    assert color_at(drawn(plain, "e"), 5, 8) == header != color_at(drawn(muted, "e"), 5, 8)


@BOTH
@pytest.mark.parametrize(
    ("name", "token"), [("x", "cat.source"), ("e", "cat.math"), ("s", "cat.reduce"), ("loss", "cat.loss")]
)
def test_the_stripe_has_the_colour_of_the_category(name: str, token: str, chosen: str) -> None:
    look = Look(theme(chosen))
    assert color_at(drawn(mirror_of(chain(1.0)), name, look), 60, 1.6) == look.theme.css(token)


@BOTH
@pytest.mark.parametrize(
    ("changes", "token"),
    [
        ({}, "border.default"),
        ({"hovered": Target(block="e")}, "border.strong"),
        ({"selection": Selection(blocks=frozenset({"e"}))}, "accent"),
    ],
    ids=["normal", "hovered", "selected"],
)
def test_a_state_has_its_border(changes: dict[str, object], token: str, chosen: str) -> None:
    look = dataclasses.replace(Look(theme(chosen)), **changes)
    mirror = mirror_of(chain(1.0))
    found = drawn(mirror, "e", look)
    assert color_at(found, 60, mirror.rect("e").height() - 0.2) == look.theme.css(token)


@BOTH
def test_the_origin_of_nan_alone_has_the_border_of_the_alarm(chosen: str) -> None:
    look = Look(theme(chosen))
    mirror = mirror_of(chain(float("nan")))
    borders = {
        name: color_at(drawn(mirror, name, look), 60, mirror.rect(name).height() - 0.2) for name in ("x", "e", "s")
    }
    quiet = look.theme.css("border.default")
    assert borders == {"x": look.theme.css("alarm"), "e": quiet, "s": quiet}


def test_a_stale_value_is_grey_and_cut_through() -> None:
    mirror, stale = mirror_of(chain(1.0, 2.0)), dataclasses.replace(DARK, is_stale=True)
    # Ports may have the same blue.
    fresh, old = (drawn(mirror, "e", look)[:, 30 * FINE : -30 * FINE] for look in (DARK, stale))
    assert count(fresh, DARK, "value") > 100 and not count(old, DARK, "value")
    assert count(old, DARK, "text.disabled") > 100


def test_a_hot_port_is_marked() -> None:
    mirror = mirror_of(chain(1.0))
    hot = dataclasses.replace(DARK, hovered=Target(port=(Port("e", "x"), True)))
    assert count(drawn(mirror, "e", hot), DARK, "accent") > count(drawn(mirror, "e"), DARK, "accent")


def test_a_collapsed_block_has_its_title_and_no_value() -> None:
    graph = edits.set_collapsed(chain(1.0, 2.0), MAIN, ["e", "x", "s", "loss"], True)
    found = words(mirror_of(graph))
    assert "Exp" in found
    assert not {"7.4", "2 numbers", "L"} & set(found)


def test_what_is_written_stays_within_its_block() -> None:
    graph = edits.set_label(chain(1.0), MAIN, "e", "A name far too long for the block that it belongs to, and longer")
    for scale in (0.5, 0.75, 1.0, 2.0):
        mirror = mirror_of(graph)
        found = drawn(mirror, "e", at(scale))
        outside = np.ones(found.shape[:2], bool)
        # Ports and badges stand out by 11 px, the shadow by 4.
        outside[5 * FINE : -5 * FINE, 5 * FINE : -5 * FINE] = False
        ground = color_at(found, -15, -15)
        blank = np.array([int(ground[index : index + 2], 16) for index in (5, 3, 1)])
        assert not (found[..., :3] != blank).any(axis=2)[outside].any()


def test_a_wire_to_an_unknown_block_is_drawn() -> None:
    page = chain(1.0).page(MAIN)
    wire = Wire(Port("s", "y"), Port("q", "in"))
    blocks = {**page.blocks, "q": Block("q", "Somebody.Strange", at=(720, 200))}
    mirror = mirror_of(Graph((dataclasses.replace(page, blocks=blocks, wires={**page.wires, wire.target: wire}),)))
    area = QRectF(mirror.rect("q")).adjusted(-60, 0, -20, 0)
    assert mirror.visible_wires(area, 0.0).tolist() == [mirror.wire_rows[wire]]
