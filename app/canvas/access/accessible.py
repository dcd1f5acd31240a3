"""The page as a tree that screen readers walk: the canvas, its page, blocks, ports, and the wires that leave them.

Objects of the tree are made when they are asked for. Qt knows each by a number and keeps a bare pointer to it, so that
one that was made is kept until the document is left: it then says that it is not valid if its block is gone.
"""

from __future__ import annotations

import functools
from typing import Any

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleActionInterface, QAccessibleEvent, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.tree_keys import PAGE, children_of, key_at, name_of, parent_of
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import Place, Socket, exists, place_of
from gradwire.app.canvas.input.keyboard import rect_of
from gradwire.app.canvas.input.setting_use import has_setting
from gradwire.app.canvas.painting.blocks.slice_picker import picker_of, step_slice

Role, Text = QAccessible.Role, QAccessible.Text
_STEPS = {QAccessibleActionInterface.increaseAction(): 1, QAccessibleActionInterface.decreaseAction(): -1}


class Tree(QObject):
    """The objects of one canvas that have been asked for."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.canvas = canvas
        self.root = CanvasAccessible(canvas, self)
        self._nodes: dict[Target, Node] = {}
        # The names that a screen reader may know, which `NameChanges` compares with new ones.
        self.names: dict[Target, str] = {}
        self._below: dict[Target, list[Target]] = {}
        self._below_of: tuple[object, ...] = ()
        canvas.keyboard.moved.connect(self._tell_focus)
        call_on(self.forget, canvas.destroyed, canvas.current.changed)

    def node(self, key: Target) -> Node:
        """Returns the object of a key."""
        if key not in self._nodes:
            self._nodes[key] = Node(self, key)
        return self._nodes[key]

    def below(self, key: Target) -> list[Target]:
        """Returns the keys below an object; only a change of the graph or of its specs makes it find them again."""
        session = self.canvas.session
        now = (session.graph, session.inferred, session.page_name, self.canvas.mirror.shapes)
        if any(one is not other for one, other in zip(now, self._below_of or (None,), strict=False)):
            self._below, self._below_of = {}, now
        if key not in self._below:
            self._below[key] = children_of(self.canvas, key)
        return self._below[key]

    def forget(self) -> None:
        """Takes all objects back from Qt."""
        nodes, self._nodes, self.names = self._nodes, {}, {}
        for node in nodes.values():
            if shiboken6.isValid(node):
                QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(node))

    def focused(self) -> Node | None:
        """Returns the object that the keyboard is on."""
        keyboard = self.canvas.keyboard
        aim = None if keyboard.wire is None else keyboard.wire.aim
        key = keyboard.target if aim is None else Target(port=aim)
        return self.node(key) if key and exists(self.canvas.mirror, key) else None

    def _tell_focus(self, place: Place | None, socket: Socket | None) -> None:
        node = self.focused()
        if node is not None and QAccessible.isActive() and self.canvas.hasFocus():
            QAccessible.updateAccessibility(QAccessibleEvent(node, QAccessible.Event.Focus))


class Node(QAccessibleInterface):
    """One object of the tree, for the thing of a `key`."""

    def __init__(self, tree: Tree, key: Target) -> None:
        super().__init__()
        self._tree, self._canvas, self.key = tree, tree.canvas, key
        self._actions = Actions(tree, key)

    def isValid(self) -> bool:
        """Returns whether what it stands for is still on the page."""
        return shiboken6.isValid(self._canvas) and exists(self._canvas.mirror, self.key)

    def object(self) -> Any:  # Qt's stubs do not know that there need not be one
        """Returns None: only the canvas is an object of Qt's."""
        return None

    def window(self) -> QWindow:
        """Returns the window of the canvas."""
        return self._canvas.window().windowHandle()

    def parent(self) -> QAccessibleInterface:
        """Returns the object above."""
        return self._tree.root if self.key == PAGE else self._tree.node(parent_of(self._canvas, self.key))

    def childCount(self) -> int:
        """Returns how many objects hang below."""
        return len(self._children())

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns one of the objects below."""
        children = self._children()
        return self._tree.node(children[index]) if 0 <= index < len(children) else None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Returns the place of an object among those below, -1 if it is not there."""
        children = self._children()
        return children.index(child.key) if isinstance(child, Node) and child.key in children else -1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns the object at a point of the screen."""
        return self._tree.root.childAt(x, y) if self.isValid() else None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns the object that the keyboard is on."""
        return self._tree.focused() if self.isValid() and self._canvas.hasFocus() else None

    def rect(self) -> QRect:
        """Returns the rectangle of the object on the screen."""
        if not self.isValid():
            return QRect()
        canvas = self._canvas
        if self.key == PAGE:
            return QRect(canvas.mapToGlobal(QPoint()), canvas.size())
        seen = canvas.camera.rect_to_view(rect_of(canvas.mirror, self.key)).toRect()
        return seen.translated(canvas.mapToGlobal(QPoint()))

    def role(self) -> QAccessible.Role:
        """Returns a tree of items; ports can be pressed."""
        if self.key == PAGE:
            return Role.Tree
        return Role.Button if self.key.port is not None else Role.TreeItem

    def text(self, kind: QAccessible.Text) -> str:
        """Returns the sentence as its name; nothing else."""
        if kind != Text.Name or not self.isValid():
            return ""
        name = name_of(self._canvas, self.key)
        self._tree.names.setdefault(self.key, name)
        return name

    def setText(self, kind: QAccessible.Text, text: str) -> None:
        """Names are not changed this way."""

    def state(self) -> QAccessible.State:
        """Returns whether it is focused, selected and visible."""
        state, key = QAccessible.State(), self.key
        if not self.isValid():
            state.invalid = True
            return state
        canvas = self._canvas
        chosen = key.selection()
        state.focusable = key != PAGE
        state.focused = canvas.hasFocus() and self._tree.focused() is self
        state.selectable = bool(chosen)
        state.selected = bool(chosen) and chosen | canvas.session.selection == canvas.session.selection
        state.multiSelectable = key == PAGE
        state.offscreen = not QRect(canvas.mapToGlobal(QPoint()), canvas.size()).intersects(self.rect())
        return state

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:  # a bare pointer
        """Returns its actions; a bare pointer, for that is what Qt takes here."""
        is_asked = kind == QAccessible.InterfaceType.ActionInterface and self.key != PAGE
        return shiboken6.VoidPtr(shiboken6.getCppPointer(self._actions)[0] if is_asked else 0)

    def _children(self) -> list[Target]:
        return self._tree.below(self.key) if self.isValid() else []


class Actions(QAccessibleActionInterface):
    """The actions of an object: going there, for a port drawing a wire, and opening its menu."""

    def __init__(self, tree: Tree, key: Target) -> None:
        super().__init__()
        self._tree, self._key = tree, key

    def actionNames(self) -> list[str]:
        """Returns the names of the actions."""
        names = [QAccessibleActionInterface.setFocusAction(), QAccessibleActionInterface.showMenuAction()]
        if self._key.port is not None:
            return [QAccessibleActionInterface.pressAction(), *names]
        return [*names, *self._on_block()]

    def _on_block(self) -> list[str]:
        """Returns the actions that a block offers: its setting, its layers, and other slices."""
        block_id, mirror = self._key.block, self._tree.canvas.mirror
        if block_id is None or block_id not in mirror.rows:
            return []
        can_press = block_id in mirror.folds or has_setting(mirror, block_id)
        steps = [] if picker_of(mirror, block_id) is None else [*_STEPS]
        return [QAccessibleActionInterface.pressAction(), *steps] if can_press else steps

    def doAction(self, name: str) -> None:
        """Carries out an action."""
        canvas = self._tree.canvas
        is_there = shiboken6.isValid(canvas) and exists(canvas.mirror, self._key)
        if not is_there or name not in self.actionNames():
            return
        canvas.gestures.let_go()
        canvas.setFocus()
        keyboard = canvas.keyboard
        if self._key.port is not None:
            keyboard.enter_port(Socket(*self._key.port))
        else:
            keyboard.go(place_of(self._key.selection()))
        if name == QAccessibleActionInterface.showMenuAction():
            keyboard.open_menu()
        elif self._key.block is not None:
            self._do_on_block(name, self._key.block)
        elif name == QAccessibleActionInterface.pressAction():
            keyboard.draw_wire()

    def _do_on_block(self, name: str, block_id: str) -> None:
        canvas = self._tree.canvas
        if name == QAccessibleActionInterface.pressAction() and block_id in canvas.mirror.folds:
            canvas.page_actions.open_layer(block_id)
        elif name == QAccessibleActionInterface.pressAction():
            canvas.page_actions.use_setting(block_id)
        elif name in _STEPS:
            step_slice(canvas.mirror, block_id, _STEPS[name])

    def keyBindingsForAction(self, name: str) -> list[str]:
        """Returns none: the keys are those of the canvas."""
        return []


class CanvasAccessible(QAccessibleWidget):
    """The canvas itself: above the page, and above the widgets that lie on it."""

    def __init__(self, canvas: Canvas, tree: Tree) -> None:
        super().__init__(canvas, Role.Canvas)
        self._canvas, self._tree = canvas, tree

    def childCount(self) -> int:
        """Returns the page and the widgets."""
        return 1 + super().childCount()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns the page first, then the widgets."""
        return self._tree.node(PAGE) if index == 0 else super().child(index - 1)

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Returns the place of an object among them, the page first."""
        if isinstance(child, Node):
            return 0 if child.key == PAGE else -1
        found = super().indexOfChild(child)
        return found if found < 0 else found + 1

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns the topmost object at a point of the screen."""
        inside = self._canvas.mapFromGlobal(QPoint(x, y))
        if not self._canvas.rect().contains(inside):
            return None
        if isinstance(self._canvas.childAt(inside), QWidget):
            return super().childAt(x, y)
        return self._tree.node(key_at(self._canvas, self._canvas.camera.to_scene(inside.toPointF())))

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]  # as in Qt
        """Returns the object that the keyboard is on."""
        return self._tree.focused() if self._canvas.hasFocus() else super().focusChild()

    def text(self, kind: QAccessible.Text) -> str:
        """Returns its name, and how it is used."""
        if kind == Text.Help:
            return tr("Arrow keys walk along wires and between blocks. Enter opens the ports of a block.")
        return super().text(kind)


@functools.cache
def install() -> None:
    """Lets Qt ask for the tree of every canvas from now on."""
    QAccessible.installFactory(_made)


def tree_of(canvas: Canvas) -> Tree:
    """Returns the tree of a canvas."""
    found = canvas.findChild(Tree)
    return found if isinstance(found, Tree) else Tree(canvas)


def _made(_: str, thing: QObject) -> QAccessibleInterface | None:
    return tree_of(thing).root if isinstance(thing, Canvas) else None
