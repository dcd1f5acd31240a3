"""Where pasted blocks go, and what is moved with them. Units: px of the page."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF

from gradwire.app.live.editing import NewBlock
from gradwire.app.live.selection import Selection
from gradwire.app.shell.window import canvas_actions, clipboard, pages
from gradwire.app.shell.window.canvas_actions import CanvasActions, on_grid
from gradwire.app.shell.window.clipboard import Clipboard, _box, _centred, _with_places
from gradwire.app.shell.window.editor import LEAST_ROOM, MARGIN, Editor
from gradwire.app.shell.window.pages import Pages
from gradwire.app.shell.window.tensors import Tensors, tensor_parameter
from gradwire.engine.edits import edits
from gradwire.engine.edits.edits import Fragment
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire
from tests.app.window.graphs import chain, decay, with_block


def block(name: str, at: tuple[int, int] | None) -> Block:
    return Block(name, "Exp", at=at)


def test_a_box_lies_round_corners_with_the_size_of_a_block() -> None:
    assert _box([(10, 220), (60, 100)]) == QRectF(10, 100, 50 + 144, 120 + 96)
    assert _box([(-16, -32)]) == QRectF(-16, -32, 144, 96)


def test_the_middle_of_blocks_goes_to_a_point_of_the_grid() -> None:
    fragment = Fragment((block("a", (0, 0)), block("b", (100, 50)), block("c", None)), (), (), (), ())
    # From (122, 73) to (400, 200).
    assert _centred(fragment, QPointF(400, 200)) == (272, 128)


@pytest.mark.parametrize(
    ("point", "corner"), [((7.9, 8.1), (0, 16)), ((-9, 25), (-16, 32)), ((160, -160), (160, -160))]
)
def test_a_point_goes_to_the_nearest_of_the_grid_of_16(point: tuple[float, float], corner: tuple[int, int]) -> None:
    assert on_grid(QPointF(*point)) == corner


def board(seen: QRectF = QRectF(0, 0, 1000, 600), page: Page | None = None, pointer: Any = None) -> Any:  # noqa: B008
    """A canvas that shows a part of a page, with the pointer at a point of the page or elsewhere."""
    page = page or Page("main")
    at = QPointF(*(pointer or (0, 0)))
    return SimpleNamespace(
        session=SimpleNamespace(page=page, page_name="main"),
        mirror=SimpleNamespace(bounds=lambda: QRectF(0, 0, 500, 333)),
        camera=SimpleNamespace(rect_to_scene=lambda _: seen),
        rect=lambda: QRect(0, 0, 100, 60),
        underMouse=lambda: pointer is not None,
        pointer=SimpleNamespace(view=QPointF(50, 30), scene=at),
    )


def offset(canvas: Any, *blocks: Block, notes: tuple[Note, ...] = (), frames: tuple[Frame, ...] = ()) -> Any:
    return Clipboard(canvas)._offset(Fragment(blocks, (), frames, notes, ()))


def test_nothing_with_a_place_stays_where_it_is() -> None:
    assert offset(board(), block("a", None)) == (0.0, 0.0)


def test_a_copy_stands_32_px_beside_what_is_there_as_often_as_that_is_taken() -> None:
    assert offset(board(), block("a", (16, 48))) == (32, 32)
    taken = Page("main", {name: block(name, (16 + n * 32, 48 + n * 32)) for n, name in enumerate("abc")})
    assert offset(board(page=taken), block("a", (16, 48))) == (96, 96)
    note = Page("main", {}, notes=(Note("n", "", at=(48, 80)),))
    assert offset(board(page=note), block("a", (16, 48))) == (64, 64)
    other = Page("main", {"a": block("a", (48, 81))})
    assert offset(board(page=other), block("a", (16, 48))) == (32, 32)
    frame = Page("main", {"a": block("a", (48, 80))})
    assert offset(board(page=frame), notes=(Note("n", "", at=(16, 48)),)) == (64, 64)


def test_what_would_be_out_of_sight_goes_to_the_middle() -> None:
    # The box 32 px beside ends at 208, 160 of the page.
    assert offset(board(QRectF(170, 100, 500, 300)), block("a", (0, 0))) == (32, 32)
    away = offset(board(QRectF(180, 100, 500, 300)), block("a", (0, 0)))
    assert away == on_grid(QPointF(180 + 250 - 72, 100 + 150 - 48))


@pytest.mark.parametrize(
    ("pointer", "corner"),
    [((300, 200), (300, 200)), ((990, 200), (856, 200)), ((300, 590), (300, 504)), ((5, 5), (5, 5))],
)
def test_at_the_pointer_no_part_is_cut_off(pointer: tuple[float, float], corner: tuple[float, float]) -> None:
    found = offset(board(pointer=pointer), block("a", (160, 64)))
    assert found == on_grid(QPointF(*corner) - QPointF(160, 64))


def test_what_is_wider_than_the_view_begins_at_its_edge() -> None:
    wide = (block("a", (0, 0)), block("b", (2000, 1500)))
    assert offset(board(QRectF(32, 48, 600, 400), pointer=(300, 300)), *wide) == (32, 48)


def test_a_pointer_beside_the_view_is_not_asked() -> None:
    canvas = board(pointer=(300, 200))
    canvas.pointer.view = QPointF(150, 30)
    assert offset(canvas, block("a", (160, 64))) == (32, 32)


@pytest.mark.parametrize(("count", "is_below"), [(500, False), (501, True)])
def test_more_than_500_go_below_all_that_is_there(count: int, is_below: bool) -> None:
    many = [block(str(n), (n * 16, 64)) for n in range(count)]
    page = Page("main", {"a": block("a", (0, 0))})
    gap = clipboard.GAP
    assert offset(board(page=page), *many) == (on_grid(QPointF(0, 333 + gap - 64)) if is_below else (32, 32))
    assert offset(board(), *many) == (32, 32)


@pytest.mark.parametrize("shift", [(0, 0), (32, 0), (0, 48), (32, 48)])
def test_blocks_and_notes_move_off_others_together(monkeypatch: pytest.MonkeyPatch, shift: tuple[int, int]) -> None:
    rects = {"a": (0, 0, 144, 96), "b": (200, 0, 144, 96), "old": (10, 10, 144, 96)}
    asked = list[Any]()
    monkeypatch.setattr(clipboard, "block_rects", lambda _: rects)
    monkeypatch.setattr(clipboard, "free_shift", lambda *given: asked.append(given) or shift)
    applied = list[Any]()
    page = Page(
        "main",
        {"a": block("a", (0, 0)), "b": block("b", (200, 0)), "old": block("old", (10, 10))},
        notes=(Note("n", "", at=(16, 200)), Note("m", "", at=(32, 200))),
    )
    session = SimpleNamespace(
        page_name="main",
        apply=lambda _, edit, *given, merge_key: applied.append((edit(Graph((page,)), *given), merge_key)),
    )
    made = Selection(frozenset("ab"), notes=frozenset("n"))
    Clipboard(SimpleNamespace(session=session, mirror=None))._move_off_others(made, "key")  # type: ignore[arg-type]
    assert asked == [([rects["a"], rects["b"]], [rects["old"]])]
    right, down = shift
    assert [key for _, key in applied] == ["key"] * bool(right or down)
    for graph, _ in applied:
        now = graph.page("main")
        assert [item.at for item in now.blocks.values()] == [(right, down), (200 + right, down), (10, 10)]
        assert [note.at for note in now.notes] == [(16 + right, 200 + down), (32, 200)]


@pytest.mark.parametrize(
    ("chosen", "has"),
    [({}, False), ({"blocks": "a"}, True), ({"frames": "a"}, True), ({"notes": "a"}, True), ({"wires": "w"}, False)],
)
def test_wires_alone_are_nothing_to_copy(chosen: dict[str, str], has: bool) -> None:
    selection = Selection(**{name: frozenset(names) for name, names in chosen.items()})  # type: ignore[arg-type]
    made: Any = SimpleNamespace(session=SimpleNamespace(selection=selection))
    assert Clipboard(made)._has_something is has


@pytest.mark.parametrize(
    ("count", "was_empty", "moves", "fits", "selects"),
    [(2, False, 1, 0, 1), (2, True, 1, 1, 0), (500, False, 1, 0, 1), (501, False, 0, 0, 1), (0, False, 1, 0, 1),
     (-1, False, 0, 0, 0), (-1, True, 0, 0, 0)],
)  # fmt: skip
def test_what_was_pasted_is_selected_or_fitted_where_there_was_nothing(
    monkeypatch: pytest.MonkeyPatch, count: int, was_empty: bool, moves: int, fits: int, selects: int
) -> None:
    seen = list[str]()
    made = None if count < 0 else Selection(frozenset(f"{n:03}" for n in range(count)))
    session = SimpleNamespace(
        graph=Graph(), page_name="main", apply=lambda *_, **__: made, select=lambda *_, **__: seen.append("select")
    )
    viewport = SimpleNamespace(fit_page=lambda: seen.append("fit"), show_rect=lambda rect: seen.append(rect))
    canvas: Any = SimpleNamespace(
        session=session, viewport=viewport, mirror=SimpleNamespace(is_empty=was_empty, rect=lambda name: name)
    )
    board = Clipboard(canvas)
    monkeypatch.setattr(board, "_move_off_others", lambda *_: seen.append("move"))
    board._place(Fragment((block("a", (0, 0)),), (), (), (), ()), QPointF())
    shown = ["000"] if count > 0 and not was_empty else []
    assert seen == ["move"] * moves + ["fit"] * fits + ["select"] * selects + shown


def test_pages_that_are_there_stay_and_others_get_places() -> None:
    graph = decay(2)
    cell = graph.page("cell")
    bare = Page("fresh", {"a": Block("a", "Exp")})
    fragment = Fragment((Block("b", "Exp"),), (), (), (), (cell, bare))
    found = _with_places(fragment, graph)
    assert found.pages[0] is cell and found.pages[1].blocks["a"].at is not None
    assert found.blocks[0].at is not None


@pytest.mark.parametrize("missing", ["start", "end", ""])
def test_a_block_goes_into_the_middle_of_a_wire(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    ends = {
        False: None if missing == "start" else QPointF(100, 60),
        True: None if missing == "end" else QPointF(420, 40),
    }
    placed = list[Any]()
    monkeypatch.setattr(canvas_actions, "insert_new", lambda *given: placed.append(given[1:]))
    canvas: Any = SimpleNamespace(mirror=SimpleNamespace(port_position=lambda _, is_input: ends[is_input]))
    wire = Wire(Port("a", "y"), Port("b", "x"))
    new = NewBlock("Exp")
    CanvasActions(canvas).insert_on(wire, new)
    # Its middle is 72 px right of its corner and 40 px below.
    assert placed == [(new, (0, 0) if missing else (192, 16), wire)]


@pytest.mark.parametrize(("size", "room"), [((1000, 700), (1000, 700)), ((20, 30), (20, 30))])
def test_the_room_to_arrange_is_the_canvas_without_its_margin(size: tuple[int, int], room: tuple[int, int]) -> None:
    made = Editor.__new__(Editor)
    made._canvas = SimpleNamespace(width=lambda: size[0], height=lambda: size[1])  # type: ignore[assignment]
    assert made._room() == tuple(max(length - MARGIN, LEAST_ROOM) for length in room)


def paged(graph: Graph, *selected: str) -> Any:
    """A canvas of the main page of a graph with some blocks selected."""
    session = SimpleNamespace(
        graph=graph,
        page=graph.page("main"),
        page_name="main",
        prefix="main",
        selection=Selection(frozenset(selected)),
        view=SimpleNamespace(path_inside=lambda block: f"main/{block.id}", shown=[]),
    )
    session.view.show = session.view.shown.append
    return SimpleNamespace(session=session)


@pytest.fixture
def graph() -> Graph:
    """A loop `rec`, a block `once` that uses its page, and others."""
    return with_block(decay(3), "once", "Page", (0, 300), page="cell")


@pytest.mark.parametrize(
    ("selected", "chain", "loops"),
    [((), [], []), (("rec", "once", "w"), ["once"], ["rec"]), (("gone", "once"), ["once"], []), (("w",), [], [])],
)
def test_pages_are_told_from_loops(graph: Graph, selected: tuple[str, ...], chain: list[str], loops: list[str]) -> None:
    made = Pages(paged(graph, *selected))
    assert [item.id for item in made.selected_chain()] == chain
    assert [item.id for item in made.selected_loops()] == loops
    assert [item.id for item in made.selected()] == sorted(chain + loops)


@pytest.mark.parametrize(
    ("selected", "found"),
    [
        ((), ("main", "main")),
        (("once",), ("cell", "main/once")),
        (("once", "rec"), None),
        (("once", "w"), None),
        (("w",), None),
    ],
)
def test_the_page_of_the_only_block_is_meant_or_that_which_is_shown(
    graph: Graph, selected: tuple[str, ...], found: tuple[str, str] | None
) -> None:
    assert Pages(paged(graph, *selected))._chosen_page() == found


def test_only_a_page_with_ports_and_without_a_gradient_may_be_given_one(
    graph: Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = Pages(paged(graph, "once"))
    assert made.without_gradient() == ("cell", "main/once") and made.with_gradient() is None
    monkeypatch.setattr(pages.own_gradients, "ports_of", lambda _: ())
    assert made.without_gradient() is None
    given = SimpleNamespace(graph=SimpleNamespace(gradients={"cell": "back"}, page=graph.page))
    monkeypatch.setattr(Pages, "session", given)
    monkeypatch.setattr(made, "_chosen_page", lambda: ("cell", "main/once"))
    assert made.without_gradient() is None and made.with_gradient() == ("cell", "main/once")
    monkeypatch.setattr(made, "_chosen_page", lambda: ("main", "main"))
    assert made.with_gradient() is None
    monkeypatch.setattr(made, "_chosen_page", lambda: None)
    assert made.without_gradient() is None and made.with_gradient() is None


def test_the_next_page_of_the_last_is_the_first() -> None:
    graph = decay(2)
    graph, _ = edits.add_page(graph, "third")
    names = [page.name for page in graph.pages]
    canvas = paged(graph)
    for start, name in enumerate(names):
        canvas.session.page_name = name
        for step in (1, -1):
            Pages(canvas).step(step)
            assert canvas.session.view.shown[-1] == names[(start + step) % 3]


@pytest.mark.parametrize("scene", [QPointF(400, 300), None])
def test_a_page_is_used_with_the_middle_of_its_header_at_a_point(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, scene: QPointF | None
) -> None:
    made, placed = Pages(paged(graph)), list[Any]()
    monkeypatch.setattr(pages, "apply_with_room", lambda *given: placed.append(given[3:]))
    monkeypatch.setattr(Pages, "middle", QPointF(160, 30))
    made.use("cell", scene)
    corner = (328, 286) if scene is not None else (88, 16)
    assert placed == [("main", "cell", on_grid(QPointF(*corner)))]


def test_notes_among_blocks_lie_within_the_box_of_all() -> None:
    rects = {"a": QRectF(0, 0, 100, 50), "b": QRectF(300, 200, 100, 50)}
    notes = {"in": QRectF(150, 100, 50, 50), "over": QRectF(380, 100, 50, 50), "out": QRectF(500, 0, 10, 10)}
    canvas: Any = SimpleNamespace(mirror=SimpleNamespace(rect=rects.__getitem__, notes=notes))
    assert Pages(canvas)._notes_among(frozenset("ab")) == {"in"}
    assert Pages(canvas)._notes_among(frozenset("a")) == set()


@pytest.mark.parametrize(
    ("selected", "found"),
    [
        ((), None),
        (("x",), "x"),
        (("c",), "c"),
        (("e",), None),
        (("x", "c"), None),
        (("gone", "x"), "x"),
        (("gone",), None),
    ],
)
def test_one_selected_block_with_a_tensor_is_found(selected: tuple[str, ...], found: str | None) -> None:
    graph = chain()
    session = SimpleNamespace(graph=graph, page=graph.page("main"), selection=Selection(frozenset(selected)))
    made = Tensors(SimpleNamespace(session=session), None, None)  # type: ignore[arg-type]
    assert made.selected() == found


def test_the_parameter_that_is_a_tensor_has_a_name() -> None:
    names = {name: tensor_parameter(Block("b", name)) for name in ("Input", "Constant", "Exp", "NoSuchType")}
    assert names == {"Input": "value", "Constant": "value", "Exp": "", "NoSuchType": ""}


@pytest.mark.parametrize(("made", "rounds", "asks"), [("rec", 1, 1), ("rec", 2, 0), (None, 1, 0)])
def test_a_chain_of_one_block_is_asked_how_often(
    graph: Graph, monkeypatch: pytest.MonkeyPatch, made: str | None, rounds: int, asks: int
) -> None:
    canvas, given, asked = paged(graph, "once"), list[Any](), list[str]()
    canvas.page_actions = SimpleNamespace(setting_requested=SimpleNamespace(emit=asked.append))
    canvas.session.select = lambda *_, **__: None
    monkeypatch.setattr(pages, "apply_with_room", lambda *args, **more: given.append((args[3:], more)) or made)
    monkeypatch.setattr(pages, "rounds_of", lambda _: rounds)
    Pages(canvas).fold()
    assert given == [(("main", ["once"]), {"apart": 0.0})] and asked == ["times"] * asks
