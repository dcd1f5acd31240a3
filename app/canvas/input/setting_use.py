"""The main setting of a block under a click or key: a switch is turned, a choice opens its menu."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.main_setting import field_of, value_of
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.live.session import Session
from gradwire.app.look.widgets import add_choice, named, pop_up
from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import same_value


def use_setting(widget: QWidget, page: ShownPage, viewport: Viewport, block_id: str) -> None:
    """Turns the switch on a block, or opens the menu of its choice; nothing for a block without a field."""
    mirror = page.mirror
    if not has_setting(mirror, block_id):
        return
    row = mirror.rows[block_id]
    shape, parameter = mirror.shapes[row], field_of(mirror.shapes[row].type)
    assert parameter is not None
    value = value_of(mirror.blocks[row], parameter)
    if parameter.kind.name == "boolean":
        _set(page.session, block_id, parameter.name, value is not True)
    else:
        choose = partial(_set, page.session, block_id, parameter.name)
        row_below = shape.field_box.translated(mirror.rect(block_id).topLeft())
        at = widget.mapToGlobal(viewport.camera.rect_to_view(row_below).bottomLeft().toPoint())
        _open_menu(widget, at, parameter, value, choose)


def has_setting(mirror: Mirror, block_id: str) -> bool:
    """Returns whether a block has a field for its main setting."""
    return block_id in mirror.rows and bool(mirror.shapes[mirror.rows[block_id]].field)


def _set(session: Session, block_id: str, name: str, value: object) -> None:
    session.apply(tr("Set {name}", name=name), edits.set_parameter, session.page_name, block_id, name, value)


def _open_menu(
    widget: QWidget, at: QPoint, parameter: Parameter, value: object, choose: Callable[[object], None]
) -> None:
    menu = named(QMenu(widget), "choice_menu")
    for choice in tuple(DTYPES) if parameter.kind.name == "dtype" else parameter.kind.choices:
        # A file may hold anything, and Qt takes no array for a truth value.
        entry = add_choice(menu, choice, same_value(choice, value), partial(choose, choice))
        entry.setObjectName(f"choice_{choice}")
        if entry.isChecked():
            menu.setActiveAction(entry)
    pop_up(menu, at)
