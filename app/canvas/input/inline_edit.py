"""A field over the canvas while something on it is edited: a name, a title, a note, a number."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gradwire.app.base.number_keys import key_steps
from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.number_field import NumberField
from gradwire.app.live import editing
from gradwire.app.live.session import Selection
from gradwire.app.look.widgets import ENTER_KEYS, named
from gradwire.engine.edits import edits


class InlineEdit(QObject):
    """The only field over a page. Enter and a click elsewhere accept, Escape leaves everything as it was."""

    def __init__(self, widget: QWidget, page: ShownPage, viewport: Viewport) -> None:
        super().__init__(widget)
        self._widget, self._page, self._viewport = widget, page, viewport
        self._field: QLineEdit | QPlainTextEdit | None = None
        self._target: Target | None = None
        self._number: NumberField | None = None

    def open(self, target: Target) -> None:
        """Opens the field that belongs to a target."""
        self.accept()
        mirror, page = self._page.mirror, self._page.session.page
        if target.slider is not None:
            block_id, index, _ = target.slider
            number = NumberField(self._page, block_id, index)
            self._open_line(target, self._slider_box(block_id, index), number.text)
            self._number = number
        elif target.block is not None:
            box, title = mirror.rect(target.block), editing.title_to_edit(page.blocks[target.block])
            self._open_line(target, QRectF(box.left() + 4, box.top(), box.width() - 8, 28), title)
        elif target.frame is not None:
            box = mirror.frames[target.frame]
            title = next(frame.title for frame in page.frames if frame.id == target.frame)
            self._open_line(target, QRectF(box.left() + 4, box.top(), min(box.width() - 8, 320), 26), title)
        elif target.note is not None:
            text = next(note.text for note in page.notes if note.id == target.note)
            self._open_text(target, mirror.notes[target.note], text)

    def accept(self) -> None:
        """Takes over what was typed and closes."""
        field, target, number = self._field, self._target, self._number
        if field is None or target is None:
            return
        text = field.text() if isinstance(field, QLineEdit) else field.toPlainText()
        self._close()
        if number is not None:
            number.accept(text)
        else:
            self._apply(target, text)

    def close_without_edit(self) -> None:
        """Closes; nothing changes, and a number that was stepped is what it was."""
        number = self._number
        self._close()
        if number is not None:
            number.cancel()

    def _close(self) -> None:
        field, self._field, self._target, self._number = self._field, None, None, None
        if field is not None:
            field.removeEventFilter(self)
            had_focus = field.hasFocus()
            field.hide()
            field.deleteLater()
            if had_focus:
                self._widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # Qt's name
        """Watches the field for Enter, Escape and the loss of focus."""
        if watched is not self._field:
            return False
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            is_line = isinstance(self._field, QLineEdit)
            has_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            if event.key() == Qt.Key.Key_Escape:
                self.close_without_edit()
                return True
            steps = key_steps(event.key(), event.modifiers())
            if self._number is not None and steps is not None and isinstance(self._field, QLineEdit):
                self._number.step(self._field.text(), steps)
                self._field.setText(self._number.text)
                self._field.selectAll()
                return True
            if event.key() in ENTER_KEYS and (is_line or has_control):
                self.accept()
                return True
        if event.type() is QEvent.Type.FocusOut:
            self.accept()
        return False

    def _slider_box(self, block_id: str, index: int) -> QRectF:
        mirror = self._page.mirror
        shape, corner = mirror.shapes[mirror.rows[block_id]], mirror.rect(block_id).topLeft()
        box = shape.slider_box(index).translated(corner)
        return QRectF(box.center().x() - 40, box.bottom() - 18, 80, 24)

    def _open_line(self, target: Target, box: QRectF, text: str) -> None:
        field = QLineEdit(text, self._widget)
        field.selectAll()
        self._show(field, target, box)

    def _open_text(self, target: Target, box: QRectF, text: str) -> None:
        field = QPlainTextEdit(text, self._widget)
        field.setTabChangesFocus(True)
        self._show(field, target, box)

    def _show(self, field: QLineEdit | QPlainTextEdit, target: Target, box: QRectF) -> None:
        view = self._viewport.camera.rect_to_view(box).toAlignedRect()
        view.setSize(view.size().expandedTo(QSize(90, 26)))
        named(field, "inline_edit").setGeometry(view)
        field.installEventFilter(self)
        self._field, self._target = field, target
        field.show()
        field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _apply(self, target: Target, text: str) -> None:
        session = self._page.session
        page = session.page_name
        if target.block is not None and target.block in session.page.blocks:
            block = session.page.blocks[target.block]
            if text.strip() != editing.title_to_edit(block):
                is_chosen = block.id in session.selection.blocks
                session.apply(tr("Rename"), editing.renamed_title, page, block, text)
                if is_chosen and block.id not in session.page.blocks:
                    session.select(session.selection | Selection(frozenset([text.strip()])))
        elif target.frame is not None:
            session.apply(tr("Rename frame"), edits.set_frame, page, target.frame, title=text.strip())
        elif target.note is not None:
            session.apply(tr("Edit note"), edits.set_note, page, target.note, text=text)
