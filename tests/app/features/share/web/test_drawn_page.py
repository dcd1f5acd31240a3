"""What a page draws of wires, labels and blocks: their places, classes and looks, letter by letter."""

from __future__ import annotations

import functools
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gradwire.app.canvas.painting.labels.labels import Form, GradientText, Pose, label_width
from gradwire.app.features.share.web import picture, style
from gradwire.app.features.share.web.html_page import Outfit, html_page
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.features.share.web.picture import PictureWriter
from gradwire.app.features.share.web.sources import Sources
from gradwire.app.look.statuses import LOOKS
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import chain, example, mirror_of, wired, with_block
from tests.engine.autodiff.test_pages import squares
from tests.pages.javascript import played

pytestmark = pytest.mark.usefixtures("qapp")

# Labels

FLOWS = GradientText("+1", Status.FLOW)
TIED = GradientText("+1", Status.FLOW, mark="tie")
CUT = GradientText("0 blocked", Status.BLOCKED, is_boxed=True, number="0")
CAUSED = GradientText("0", Status.ZERO, mark="zero_factor")
BARS = GradientText("1 2", Status.FLOW, bars=(1.0, 2.0))


def label(
    gradient: GradientText | None, form: Form = Form.WHOLE, value: str = "1", pose: Pose = Pose.ACROSS,
    apart: tuple[float, float] = (0.0, 0.0),
) -> str:  # fmt: skip
    """Returns what the script of a page writes of a label."""
    below = None if gradient is None else {
        "text": gradient.text, "status": str(gradient.status), "isBoxed": gradient.is_boxed, "bars": gradient.bars,
        "mark": gradient.mark, "number": gradient.number,
    }  # fmt: skip
    placed = {"form": int(form), "pose": pose.name, "apart": apart, "room": [1000, 1000]}
    given = {"letter": label_width("0"), "placed": placed, "label": {"value": value, "brief": "[3]", "gradient": below}}
    scripts, body = ("engine", "bounds", "live", "draw"), "return labelMarkup(given.placed, given.label)"
    found: str = played(scripts, f"words.look = {{letter: given.letter}}; {body}", given)
    return found


def row(look: str, at: str, width: str, text: str, *marks: str, more: str = "") -> str:
    glyphs = "".join(
        f'<use href="#m-{mark}"' + (f' x="{14 * place}"' if place else "") + "></use>"
        for place, mark in enumerate(marks)
    )
    x = f' x="{14 * len(marks)}"' if marks else ""
    head = f'<g class="{look}" transform="translate({at})"><rect width="{width}"></rect>'
    return f"{head}{glyphs}<text{x}>{text}</text>{more}</g>"


VALUE = row("lv", "-3.1 -12.5", "14.3", "1")
BARE_VALUE = row("lv sh", "-9.4 -12.5", "22.9", "[3]")


@pytest.mark.parametrize(
    ("gradient", "form", "expected"),
    [
        (FLOWS, Form.WHOLE, VALUE + row("lg", "-6.3 12.5", "20.6", "+1")),
        (FLOWS, Form.BARE, BARE_VALUE + row("lg sh", "-6.3 12.5", "16.6", "+1")),
        (FLOWS, Form.NUMBER, row("lg sh", "-6.3 12.5", "16.6", "+1")),
        (TIED, Form.WHOLE, VALUE + row("lg", "-13.3 12.5", "34.6", "+1", "tie")),
        (TIED, Form.BARE, BARE_VALUE + row("lg sh", "-6.3 12.5", "16.6", "+1")),
        (CAUSED, Form.WHOLE, VALUE + row("lg", "-10.1 12.5", "28.3", "0", "zero_factor")),
        (CAUSED, Form.BARE, BARE_VALUE + row("lg sh", "-10.1 12.5", "24.3", "0", "zero_factor")),
        (CAUSED, Form.NUMBER, row("lg sh", "-10.1 12.5", "24.3", "0", "zero_factor")),
        (CUT, Form.WHOLE, VALUE + row("lg bx", "-35.3 12.5", "80.7", "0 blocked", "blocked")),
        (CUT, Form.BARE, BARE_VALUE + row("lg bx", "-10.1 12.5", "30.3", "0", "blocked")),
        (
            BARS, Form.WHOLE,
            VALUE + row("lg", "-22.4 12.5", "52.9", "1 2",
                        more='<path d="M22.9 0h10.4v5.5h-10.4zM33.9 -5.5h10.4v11h-10.4z"></path>'),
        ),
        (BARS, Form.BARE, BARE_VALUE + row("lg sh", "-9.4 12.5", "22.9", "1 2")),
        (None, Form.WHOLE, VALUE),
        (None, Form.NUMBER, BARE_VALUE),
    ],
)  # fmt: skip
def test_a_label_has_two_rows_with_marks_before_their_texts(
    gradient: GradientText | None, form: Form, expected: str
) -> None:
    assert label(gradient, form) == expected


@pytest.mark.parametrize(
    ("pose", "value", "gradient"),
    [
        (Pose.ABOVE, "-15.4 -12.5", "2.9 -12.5"),
        (Pose.BELOW, "-15.4 12.5", "2.9 12.5"),
        (Pose.OVER, "-3.1 -27.5", "-6.3 -12.5"),
        (Pose.UNDER, "-3.1 12.5", "-6.3 27.5"),
        (Pose.RIGHT, "12 -7.5", "12 7.5"),
        (Pose.LEFT, "-18.3 -7.5", "-24.6 7.5"),
        (Pose.LEADER, "36.9 -67.5", "33.7 -52.5"),
    ],
)
def test_rows_stand_where_their_pose_says(pose: Pose, value: str, gradient: str) -> None:
    found = label(FLOWS, pose=pose, apart=(40.0, -60.0))
    assert found.endswith(row("lv", value, "14.3", "1") + row("lg", gradient, "20.6", "+1"))
    assert found.startswith("<path" if pose is Pose.LEADER else "<g")


@pytest.mark.parametrize(("value", "end"), [("1", "29.7 -45"), ("", "29.7 -52.5")])
def test_a_leader_ends_at_the_edge_of_its_rows_with_a_dot_on_the_wire(value: str, end: str) -> None:
    """Rows are 15 px high; of one alone half is on each side."""
    found = label(FLOWS, value=value, pose=Pose.LEADER, apart=(40.0, -60.0))
    assert found.startswith(f'<path class="ld" d="M0 0L{end}"></path><circle class="dt" r="1.8"></circle><g')


# Styles


@pytest.mark.parametrize(
    ("status", "rules"),
    [
        (Status.FLOW, ".flow{--t:var(--grad-text);--e:var(--wire-zero);--g:var(--bg-canvas)}"),
        (
            Status.ZERO,
            ".zero{--t:var(--text-secondary);--e:var(--wire-zero);--g:var(--bg-canvas);--d:var(--wire-zero)}"
            ".zero{--wide:7.6px}.zero>g+use{stroke:var(--wire-zero)}"
            ".zero>use+use{stroke:var(--bg-canvas);stroke-width:5.2}",
        ),
        (
            Status.BLOCKED,
            ".blocked{--t:var(--text-primary);--e:var(--text-primary);--g:var(--bg-canvas);--d:var(--wire-zero)}"
            ".blocked{--wide:2px}.blocked>g+use{stroke:var(--wire-zero);stroke-dasharray:7 5}",
        ),
        # Dashes of the highest stroke are gaps in the middle one; wires that break look so too.
        (
            Status.NONFINITE,
            ".nonfinite{--t:var(--alarm);--e:var(--alarm);--g:var(--alarm-bg);--d:var(--alarm)}"
            ".nonfinite,.breaks{--wide:9px}.nonfinite>g+use,.breaks>g+use{stroke:var(--alarm)}"
            ".nonfinite>use+use,.breaks>use+use{stroke:var(--bg-canvas);stroke-width:6.6;stroke-dasharray:5 5}",
        ),
    ],
)
def test_the_strokes_of_a_status_are_those_of_the_table(status: Status, rules: str) -> None:
    assert style._status(status, LOOKS[status]) == rules


def test_wires_are_3_to_8_px_wide_and_have_a_core_from_4_px_on() -> None:
    found = style._wires()
    widths = re.findall(r"\.r(\d+)\{--wide:([\d.]+)px\}", found)
    assert [int(step) for step, _ in widths] == [*range(17)]
    assert [float(width) for _, width in widths] == pytest.approx([3 + 5 * step / 16 for step in range(17)], abs=0.006)
    assert "}.r0>use+use,.r1>use+use,.r2>use+use,.r3>use+use{stroke:none}.flow{" in found


@pytest.mark.parametrize(("looks", "has_cells"), [({"c3"}, True), ({"cm10"}, True), ({"cx"}, True), ({"cu"}, False)])
def test_cells_have_their_colours_where_there_are_any(looks: set[str], has_cells: bool) -> None:
    found = style.page_style(Outfit("light").styles, looks, "light", ("page",))
    assert (found.count("{fill:#") > 20) is has_cells
    # Names of variables are short: numbers to the base of 16.
    names = set(re.findall(r"--(\w+)", found))
    assert names == {f"{number:x}" for number in range(len(names))}


# Pages


@functools.cache
def page(name: str) -> str:
    return html_page(example(name), "T").text


def test_blocks_wires_and_labels_are_at_the_places_of_the_canvas() -> None:
    text, mirror = page("softmax_stable"), mirror_of(example("softmax_stable"))
    blocks = dict(re.findall(r'data-path=main/(\w+)[^>]*transform="translate\(([^)]*)\)"', text))
    assert blocks == {
        name: f"{left:g} {top:g}" for name, (left, top) in zip(mirror.ids, mirror.rects[:, :2].tolist(), strict=True)
    }
    # 32 px around all.
    bounds = mirror.bounds()
    assert (bounds.left(), bounds.top(), bounds.width(), bounds.height()) == (-22, 0, 1324, 530)
    assert '<svg id=g0 viewBox="-54 -32 1388 594" role=group aria-label="main: a graph with the value' in text
    assert re.findall(r'<circle class="(dot [^"]*)" cx=(\S+) cy=(\S+) r=(\S+) />', text) == [
        ("dot flow r8", "166", "44", "4"), ("dot flow r14", "166", "340", "4"),
    ]  # fmt: skip
    order = [re.search(r"/(\w+)", path)[1] for path in re.findall(r"<g class=\"?b[^>]*data-path=(\S+)", text)]  # type: ignore[index]
    assert order == ["w", "x", "m", "stop", "z", "e", "s", "p", "loss"]


def test_wires_have_the_class_of_their_status_and_the_step_of_their_magnitude() -> None:
    text = page("softmax_stable")
    wires = re.findall(r'<g class="w ([^"]*)"><g><path id=w0-(\d+) ', text)
    assert [int(number) for _, number in wires] == [*range(10)]
    assert [look for look, _ in wires] == [
        "flow r8", "flow r10", "flow r16", "blocked r0", "flow r13", "flow r12", "flow r14", "blocked r0", "flow r8",
        "zero r0",
    ]  # fmt: skip
    assert text.count("<use href=#w0-3 />") == 2
    labels = {wire: look for look, wire in re.findall(r'<g class="l (\w+)" data-wire="([^"]*)"', text)}
    assert len(labels) == 10 and labels["main/m.y&gt;main/stop.x"] == "blocked"
    assert labels["main/stop.y&gt;main/z.y"] == "zero" and labels["main/e.y&gt;main/s.x"] == "flow"


def writer(status: Status, breaks: bool = False, broken: bool = False) -> Any:
    mirror = SimpleNamespace(
        broken={0} if broken else set(), wire_status=np.array([STATUS_ROW[status]]), wire_breaks=np.array([breaks])
    )
    found = SimpleNamespace(_mirror=mirror, _magnitude=lambda _: 0.5)
    found._rank = functools.partial(PictureWriter._rank, found)
    found._class = functools.partial(PictureWriter._class, found)
    return found


@pytest.mark.parametrize(
    ("status", "how", "look", "rank"),
    [
        (Status.FLOW, {}, "flow r8", 1.5),
        (Status.FLOW, {"breaks": True}, "flow r8 breaks", 3.0),
        (Status.FLOW, {"broken": True}, "broken", 4.0),
        (Status.NONFINITE, {}, "nonfinite r8", 3.0),
        (Status.BLOCKED, {}, "blocked r8", STATUS_ROW[Status.BLOCKED] / 100),
        (Status.ZERO, {}, "zero r8", STATUS_ROW[Status.ZERO] / 100),
    ],
)
def test_a_dot_looks_as_the_gravest_of_its_wires(status: Status, how: dict[str, bool], look: str, rank: float) -> None:
    made = writer(status, **how)
    assert (made._class(0), made._rank(0)) == (look, pytest.approx(rank))
    assert 0 <= made._rank(0) < 1 or rank >= 1


def test_a_dot_takes_the_look_of_the_wire_with_the_highest_rank() -> None:
    ranks = {3: 0.2, 5: 3.0, 7: 1.5}
    made = SimpleNamespace(_rank=ranks.__getitem__, _class=lambda row: f"r{row}")
    for pair, row in (((3, 5), 5), ((5, 3), 5), ((7, 3), 7), ((3, 7), 7)):
        found = PictureWriter._dot(made, (1.25, 2.0), pair)  # type: ignore[arg-type]  # what it takes of a writer
        assert found == f'<circle class="dot r{row}" cx="1.3" cy="2" r="4"></circle>'


def test_only_a_gradient_that_flows_has_a_magnitude(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(picture, "magnitude", lambda *_: 0.75)
    found = [PictureWriter._magnitude(writer(status), 0) for status in (Status.FLOW, Status.ZERO, Status.NONFINITE)]
    assert found == [0.75, 0, 0]


def test_a_stop_that_is_muted_is_no_switch_and_one_that_is_open_is_off() -> None:
    def tag(graph: Graph, choices: PageChoices | None = None) -> str:
        text = html_page(graph, "T", choices or PageChoices()).text
        found = re.search(r'<g class="?b[^>]*data-path=main/stop[^>]*>', text)
        assert found is not None
        return found[0]

    graph = example("softmax_stable")
    closed = tag(graph)
    assert 'class="b stop"' in closed and "role=switch aria-checked=true" in closed and "tabindex=0" in closed
    assert 'aria-label="StopGradient stop main/stop"' in closed and "data-result" not in closed
    assert "role=switch aria-checked=false" in tag(graph, PageChoices(ignored_stops=None))
    muted = tag(edits.set_muted(graph, "main", ["stop"], True))
    assert "class=b " in muted and "role=group" in muted and "aria-checked" not in muted


def test_what_an_error_tells_of_the_numbers_in_the_file_goes_when_they_move() -> None:
    """A block that makes NaN is drawn with and without its mark; one that is not at fault once."""
    text = html_page(wired(with_log(-1.0), "x.y > l.x", "l.y > loss.x"), "T").text
    (log,) = re.findall(r"data-path=main/l .*?(?=<g class=\"?b |</svg>)", text, re.S)
    assert log.count("<g class=past>") == log.count("<g class=now>") == 1
    (loss,) = re.findall(r"data-path=main/loss .*?(?=<g class=\"?b |</svg>)", text, re.S)
    assert "class=past" not in loss
    fine = html_page(wired(with_log(1.0), "x.y > l.x", "l.y > loss.x"), "T").text
    assert "class=past" not in fine
    assert "nonfinite" in text.partition("</style>")[2].partition("<p id=say")[0]


def with_log(number: float) -> Graph:
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(number))
    return with_block(with_block(graph, "l", "Log", (240, 0)), "loss", "Loss", (480, 0))


def test_of_pages_with_one_graph_there_are_tabs_and_headings_only_for_several() -> None:
    graph = chain(1.0)
    assert "role=tab>" not in html_page(graph, "T").text and "<h2>" not in html_page(graph, "T").text
    two = Graph(pages=(*graph.pages, squares()))
    text = html_page(two, "T", PageChoices(first=squares().name)).text
    assert re.findall(r"<button role=tab>(\w+)</button>", text) == ["main", squares().name]
    assert re.findall(r"<h2>(\w+)</h2>", text) == ["main", squares().name]
    assert "<svg id=g1 " in text


# Sources


@pytest.mark.parametrize(
    ("shape", "dtype", "can_move"),
    [
        ([], "float64", True), ([1], "int64", True), ([64], "float32", True), ([8, 8], "float64", True),
        ([65], "float64", False), ([5, 13], "float64", False), ([0], "float64", False), ([2], "bool", False),
    ],
)  # fmt: skip
def test_at_most_64_numbers_can_be_moved(shape: list[int], dtype: str, can_move: bool) -> None:
    views = [[0, [2], 0, "float64"], [0, shape, 0, dtype]]
    program = SimpleNamespace(
        numbers=SimpleNamespace(entries={"views": views}), document={"sources": [("main/x", [[1, 0]], False)]}
    )
    sources = Sources(chain(1.0), program)  # type: ignore[arg-type]  # what it takes of a program
    assert sources.can_move("main/x") is can_move
    assert not sources.can_move("main/y")
    assert sources.path_of("main/x") == "main/x"


def test_glyphs_are_those_of_the_canvas_from_0_0() -> None:
    glyphs = Outfit("light").glyphs
    assert "no_gradient_dtype" not in glyphs and glyphs.keys() >= {"flow", "tie", "zero_factor"}
    shapes = {name: re.sub(r' class="\w+"', "", text) for name, text in glyphs.items()}
    assert shapes["flow"] == '<g id="m-flow"><path d="M0 0L8 0M0 0L3 -3M0 0L3 3"/></g>'
    assert shapes["zero"] == '<g id="m-zero"><circle cx="4" cy="0" r="3.2"/></g>'
