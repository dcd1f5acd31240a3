"""The placement of blocks from the search: their position and their wires."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, Qt

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.shapes import HEADER
from gradwire.app.canvas.input.arrow_navigation import in_order, next_input, next_output
from gradwire.app.canvas.input.gestures.insertion import block_rects
from gradwire.app.canvas.input.page_actions import NEW_BLOCK, SearchRequest
from gradwire.app.features.search.search_popup import CORNER, SearchPopup
from gradwire.app.kit.search.block_entries import Ends, TypedCode
from gradwire.app.live import editing
from gradwire.app.live.editing import NewBlock
from gradwire.app.shell.window.canvas_actions import CanvasActions
from gradwire.app.shell.window.clipboard import Clipboard
from gradwire.app.shell.window.pages import Pages
from gradwire.blocks.layers.catalogue import Layer, layer_of
from gradwire.blocks.layers.open_weights import Weights, weights_for
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.layout.framed_layers import COLUMN_GAP, up
from gradwire.engine.layout.free_space import GAP
from gradwire.engine.layout.room import free_below

# From the upper right corner of a block to where a search for the next one opens. Units: px at 100 %.
BESIDE = QPointF(24, 0)


class Side(enum.Enum):
    """The side of some blocks on which a new one stands."""

    AFTER = enum.auto()
    BEFORE = enum.auto()
    BELOW = enum.auto()


class Placer(CanvasActions):
    """The search of a canvas, and the placement of its result.

    `show_page` shows the page before something comes onto it; without a document it begins one.
    """

    show_page: Callable[[], object]

    def __init__(self, canvas: Canvas, popup: SearchPopup, pages: Pages, clipboard: Clipboard) -> None:
        super().__init__(canvas)
        self.popup, self._pages, self._clipboard = popup, pages, clipboard
        self._request: SearchRequest | None = None
        popup.chosen.connect(self._take)
        canvas.page_actions.search_requested.connect(self.open)

    def search_here(self) -> None:
        """Opens the search: for the port of the keyboard, the selected wire or blocks, else at the pointer."""
        canvas, chosen = self._canvas, self._canvas.session.selection
        # The block may be gone, or the document may be another one.
        canvas.keyboard.catch_up()
        socket = canvas.keyboard.wire.socket if canvas.keyboard.wire is not None else canvas.keyboard.socket
        canvas.gestures.let_go()
        if socket is not None:
            place = canvas.mirror.port_position(*socket) or self.middle
            canvas.request_search(place, socket.port, are_outputs=not socket.is_input, is_beside=True)
        elif chosen.blocks:
            self._search_beside(chosen.blocks)
        else:
            scene = canvas.camera.to_scene(canvas.pointer.view) if canvas.underMouse() else self.middle
            at = canvas.mapToGlobal(canvas.camera.to_view(scene).toPoint())
            self.open(SearchRequest(at, scene, wire=next(iter(chosen.wires), None)))

    def _search_beside(self, blocks: frozenset[str], at: QPoint | None = None) -> None:
        """Opens the search for a block that continues those that are selected, in the order of evaluation."""
        canvas = self._canvas
        mirror = canvas.mirror
        names = tuple(name for name in in_order(mirror) if name in blocks)
        ends = tuple(port for name in names if (port := next_output(mirror, name)) is not None)
        feeds = next_input(mirror, names[0]) if len(names) == 1 else None
        if at is None:
            at = canvas.mapToGlobal(canvas.camera.to_view(mirror.rect(names[-1]).topRight() + BESIDE).toPoint())
        scene = self._corner_beside(names, Side.AFTER) + QPointF(NEW_BLOCK[0] / 2, HEADER / 2)
        self.open(SearchRequest(at, scene, ends, beside=names, feeds=feeds, has_all=True))

    def search_at(self, at: QPoint, first: str) -> None:
        """Opens the search at a point of the screen, with one part of it first.

        A block comes behind those that are selected, into the selected wire, or into the middle.
        """
        chosen = self._canvas.session.selection
        if chosen.blocks and first == "add":
            self._search_beside(chosen.blocks, at)
        else:
            wire = next(iter(chosen.wires), None) if first == "add" else None
            self.open(SearchRequest(at, self.middle, wire=wire, is_exact=False), first)

    def search_over(self, field: QRect, text: str, first: str) -> None:
        """Opens the search over a field of the screen, as wide as that; a block comes into the middle of the page."""
        self.open(SearchRequest(field.topLeft() + CORNER, self.middle, text=text, is_exact=False), first, field.width())

    def open(self, request: SearchRequest, first: str = "add", width: int = 0) -> None:
        """Opens the search; for ends of wires it offers only fitting block types, unless it `has_all`."""
        self._request = request
        session = self._canvas.session
        uses = Counter(block.type for page in session.graph.pages for block in page.blocks.values())
        names = ", ".join(port.block for port in request.ends)
        fed = names if not request.has_all else "" if request.feeds is None else request.feeds.block
        ends = Ends(names, fed, len(request.ends) if request.are_outputs else 0, self._weights(request))
        if request.wire is not None:
            carried = session.spec(request.wire.source)
            self.popup.open_at(request.at, lambda item: editing.stands_between(item, carried), uses)
        elif request.ends and not request.has_all:
            specs = [session.spec(port) if request.are_outputs else None for port in request.ends]

            def fits(block_type: BlockType | Layer) -> bool:
                return editing.takes(block_type, specs, request.are_outputs)

            self.popup.open_at(request.at, fits, uses, ends=ends)
        else:
            pages, text = self._pages.usable(), request.text
            self.popup.open_at(request.at, used=uses, pages=pages, ends=ends, text=text, first=first, width=width)

    def _weights(self, request: SearchRequest) -> Weights | None:
        """Returns the weights that the input takes which a source would feed."""
        port = request.feeds if request.has_all else None if request.are_outputs else next(iter(request.ends), None)
        session = self._canvas.session
        if port is None:
            return None
        return weights_for(session.graph, session.page, session.prefix, session.inferred, port)

    def _take(self, found: object) -> None:
        request, self._request = self._request, None
        if request is None:
            return
        self.show_page()
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(found, str):
            self._pages.use(found, request.scene)
        elif isinstance(found, TypedCode):
            self._clipboard.paste_code(found.text, request.scene)
        elif isinstance(found, NewBlock):
            self._place(found, request)

    def _place(self, new: NewBlock, request: SearchRequest) -> None:
        """Places a block, joined to what the request names; a source feeds the input that is next, if any."""
        ends, side = request.ends, Side.AFTER if request.are_outputs else Side.BEFORE
        if request.has_all and layer_of(new.type_name) is None and not library[new.type_name].inputs:
            ends, side = ((), Side.BELOW) if request.feeds is None else ((request.feeds,), Side.BEFORE)
        if request.wire is not None and (not new.parameters or layer_of(new.type_name) is not None):
            self.insert_on(request.wire, new)
        elif request.beside:
            self.add_connected(new, self._corner_beside(request.beside, side), ends, side is Side.AFTER)
        elif ends:
            shift = QPointF(0, -44) if request.are_outputs else QPointF(-144, -44)
            self.add_connected(new, request.scene + shift, ends, request.are_outputs)
        else:
            add, at = self._canvas.page_actions.add_block, request.scene
            add(new.type_name, at, new.parameters, new.name, request.is_exact)

    def _corner_beside(self, blocks: Sequence[str], side: Side) -> QPointF:
        """Returns the corner of the first free place after, before or below some blocks."""
        rects = block_rects(self._canvas.mirror)
        around = [rects[name] for name in blocks]
        left = {
            Side.AFTER: up(max(x + width for x, _, width, _ in around) + COLUMN_GAP),
            Side.BEFORE: -up(COLUMN_GAP + NEW_BLOCK[0] - min(x for x, *_ in around)),
            Side.BELOW: around[0][0],
        }[side]
        # Below several blocks, so that the wire of the first does not run behind the others.
        top = around[0][1] if len(around) == 1 else up(max(y + height for _, y, _, height in around) + GAP)
        return QPointF(*free_below((left, top, *NEW_BLOCK), list(rects.values())))
