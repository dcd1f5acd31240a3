"""The placement of blocks from the search and the palette: their position and their wires."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QPointF, Qt

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.input.page_actions import SearchRequest
from gradwire.app.live import editing
from gradwire.app.panels.palette.search_popup import SearchPopup
from gradwire.app.window.editor import Editor
from gradwire.app.window.pages import Pages
from gradwire.engine.blocktypes.block_type import BlockType


class Placer:
    """The search of a canvas, and the placement of its result."""

    def __init__(self, canvas: Canvas, editor: Editor, pages: Pages, search: SearchPopup) -> None:
        self._canvas, self._editor, self._pages, self._search = canvas, editor, pages, search
        self._request: SearchRequest | None = None
        search.chosen.connect(self._take)
        canvas.page_actions.search_requested.connect(self.open)

    def search_here(self) -> None:
        """Opens the search at the pointer, or in the middle of the canvas, for a selected wire if any."""
        canvas = self._canvas
        scene = canvas.camera.to_scene(canvas.pointer.view) if canvas.underMouse() else self._middle()
        at = canvas.mapToGlobal(canvas.camera.to_view(scene).toPoint())
        wire = next(iter(canvas.session.selection.wires), None)
        self.open(SearchRequest(at, scene, wire=wire))

    def open(self, request: SearchRequest) -> None:
        """Opens the search; for an open end of a wire it offers only fitting block types."""
        self._request = request
        session = self._canvas.session
        uses = Counter(block.type for page in session.graph.pages for block in page.blocks.values())
        if request.wire is not None:
            carried = session.spec(request.wire.source)
            self._search.open_at(request.at, lambda item: editing.stands_between(item, carried), uses)
            return
        if request.end is None:
            self._search.open_at(request.at, used=uses, pages=() if request.wire else self._pages.usable())
            return
        is_output = request.end_is_output
        spec = session.spec(request.end) if is_output else None

        def fits(block_type: BlockType) -> bool:
            return editing.takes(block_type, spec, is_output)

        self._search.open_at(request.at, fits=fits, used=uses)

    def place_in_middle(self, name: str) -> None:
        """Places a block in the middle of the canvas."""
        self._canvas.page_actions.add_block(name, self._middle())
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def _take(self, found: object) -> None:
        request, self._request = self._request, None
        if request is None:
            return
        self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        if isinstance(found, str):
            self._pages.use(found, request.scene)
            return
        name, parameters = (found.name, None) if isinstance(found, BlockType) else ("Constant", {"value": found})
        if request.wire is not None and parameters is None:
            self._editor.insert_on(request.wire, name)
        elif request.end is not None:
            self._editor.add_connected(name, request.scene, request.end, request.end_is_output, parameters)
        else:
            self._canvas.page_actions.add_block(name, request.scene, parameters)

    def _middle(self) -> QPointF:
        return self._canvas.camera.to_scene(self._canvas.rect().center().toPointF())
