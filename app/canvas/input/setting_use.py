"""What a click or key does with the main setting of a block: a switch is turned, a choice opens its menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtWidgets import QMenu

from app.canvas.main_setting import choices_of, field_of, value_of
from app.canvas.mirror import Mirror
from app.live.session import Session
from app.words import tr
from engine import edits
from engine.parameters import Parameter

if TYPE_CHECKING:
    from app.canvas.gesture_view import GestureView


def use_setting(canvas: GestureView, block_id: str) -> None:
    """Turns the switch on a block, or opens the menu of its choice; nothing for a block without a field."""
    mirror = canvas.mirror
    if not has_setting(mirror, block_id):
        return
    row = mirror.rows[block_id]
    shape, parameter = mirror.shapes[row], field_of(mirror.shapes[row].type)
    assert parameter is not None
    value = value_of(mirror.blocks[row], parameter)
    if parameter.kind.name == "boolean":
        _set(canvas.session, block_id, parameter.name, value is not True)
    else:
        choose = partial(_set, canvas.session, block_id, parameter.name)
        _open_menu(canvas, shape.field_box.translated(mirror.rect(block_id).topLeft()), parameter, value, choose)


def has_setting(mirror: Mirror, block_id: str) -> bool:
    """Whether a block has a field for its main setting."""
    return block_id in mirror.rows and bool(mirror.shapes[mirror.rows[block_id]].field)


def _set(session: Session, block_id: str, name: str, value: object) -> None:
    session.apply(tr("Set {name}", name=name), edits.set_parameter, session.page_name, block_id, name, value)


def _open_menu(
    canvas: GestureView, row: QRectF, parameter: Parameter, value: object, choose: Callable[[object], None]
) -> None:
    menu = QMenu(canvas)
    menu.setObjectName("choice_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for choice in choices_of(parameter):
        entry = menu.addAction(choice)
        entry.setObjectName(f"choice_{choice}")
        entry.setCheckable(True)
        entry.setChecked(choice == value)
        entry.triggered.connect(partial(choose, choice))
        if choice == value:
            menu.setActiveAction(entry)
    below = canvas.camera.rect_to_view(row).bottomLeft()
    menu.popup(canvas.mapToGlobal(below.toPoint()))
