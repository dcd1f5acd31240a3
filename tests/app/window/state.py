"""The state of a window: what its widgets show, and all plain values in the objects of the program that it holds."""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from functools import cache
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QObject, QPoint, QPointF, QRect, QRectF, QSize, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from gradwire.app.kit.inspection import View
from gradwire.app.live.keys import Bindable
from gradwire.app.start.main_window import MainWindow

State = dict[str, object]

PLAIN = (
    bool, int, float, str, bytes, type(None), enum.Enum, Bindable, QPoint, QPointF, QRect, QRectF, QSize, QByteArray,
)  # fmt: skip
GETTERS = ("text", "placeholderText", "isChecked", "value", "currentIndex", "currentText", "toPlainText")
# Values that are made anew before anybody asks for them, by parts of their paths.
PASSING = re.compile(
    "|".join(
        (
            # How long the last run took.
            r"\._items\[time\]",
            r"status_time|_Side  in StatusBar|_Item status_(size|device)",
            # What was drawn last, and where: the next document is fitted, laid out and drawn anew.
            r"\.painted\.|\.(minimap|corner\.button)\._|mirror\.|\._result_rows|\.camera\.",
            # Where the canvas has looked, which begins anew with the next document; what has moved to another place.
            r"\.history\._(at|places)|\._(glide|flight)\._(start|end|state)",
            r"\.partners\._seen|\.viewport\.(covered|placed|_known|_has_fitted)|\._refit\.|\._diverging|\._card\._beak",
            # Where the pointer was last, and what was pressed there; what was lit, where nothing is lit any more.
            r"\.pointer\.(scene|view|modifiers|time)|\.mouse\._(button|pressed)|\.gestures\._edge\._way|\.spotlight\._(page|kind|start)",
            # The room of what lies around the canvas, before the next document is laid out.
            r"\.tabs\._(beside\[1\]\._room|editor\._old|bar\._start)|\.strip\._fitted",
            r"Scroll\w+Button in PageBar",
            # What is read when it is opened, or told by the next document.
            r"\.placer\._request|\.popup\._(model\.rows|used|ends|pages|entries|search|first)",
            r"\.bookmarks\._| in QMenu menu_(recent|use_page|windows)|\._name_changes\._is_outdated",
            r"\.wires\._model\.(_known|shown)|\.live_region\._last|\._live_region\._last",
            r"QTimer  in (LiveRegion|Advisor|StatusBar|ProblemsPanel|Partners)",
            # The name of the graph in the bar and its stops, which the next document tells; what the search lists.
            r"\.bars\[\d\]\.(name|_counter)\._|\.bars\.top\.(name|_counter)\._|QLabel search_(message|hint) ",
            # The parts of what is closed: the strip, the steps of a tour, the toolbar, the help.
            r" in (WhyStrip|TourCard|StepPill|Section help_\w+|Head)\b|Section help_\w+ in _Page",
            r"Tool(Bar|Button) \w+ in QWidget ",
            r"\.first_steps\._(said|has_asked|pill\._current|bubble\._(beak|token))|\._card\._token|\.tour\._before\.",
            # The parts of closed panels that were open before.
            r"Scroll(Left|Right)Button in _Bar",
            # A holder of Qt's, made with the first scroll bar.
            r"qt_scrollarea_",
            # What the inspector keeps to fill it with the next selection of the kind.
            r"\.inspector\._(views|view\._kept|view\.parts\[)|\bin (ParameterRows |\w+Editor editor_)",
            r"\.bottom\.(mode|panel)",
            # Locked with the first copy; how many there were.
            r"\.run_folder\._(held|numbers)",
        )
    )
)


def differences(before: State, now: State) -> dict[str, tuple[object, object]]:
    """The values that are not what they were, by path."""
    paths = sorted(before.keys() | now.keys())
    return {path: (before.get(path), now.get(path)) for path in paths if before.get(path) != now.get(path)}


def state_of(window: MainWindow) -> State:
    """Returns what a window shows and holds, by path."""
    store, objects = window.settings._store, window.findChildren(QObject)
    waiting = _waiting(objects)
    found: State = {
        "active": _name(QApplication.activeWindow()),
        "focus": _name(window.focusWidget()),
        "shape": window.windowState(),
        "title": window.shown_title,
        "settings": {key: window.settings.text(key) for key in store.allKeys()},
        "top level": Counter(_name(item) for item in _top_level(objects) if item not in waiting),
    }
    numbers = Counter[str]()
    for item in objects:
        if item in waiting:
            continue
        # First whether there is anything to tell: most objects are layouts and helpers of Qt's.
        if (told := _told(item, window)) is None:
            continue
        name = f"{_name(item)} in {_name(item.parent())}"
        if not _is_passing(name):
            numbers[name] += 1
            found[f"{name} {numbers[name]}"] = told
    _add_values(window, "window", found, set())
    return found


@cache
def _is_passing(path: str) -> bool:
    """Whether a value is made anew before anybody asks for it. The paths are the same after each test."""
    return PASSING.search(path) is not None


def _waiting(objects: list[QObject]) -> set[QObject]:
    """The views that the inspector keeps for another selection, with all that is in them."""
    kept = [view for view in objects if isinstance(view, View) and view.isHidden()]
    return {item for view in kept for item in (view, *view.findChildren(QObject))}


def _top_level(objects: list[QObject]) -> list[QWidget]:
    """Returns what lies above the window: its own menus and dialogs, and whatever else can be seen."""
    own = set(objects)
    return [item for item in QApplication.topLevelWidgets() if item in own or item.isVisible()]


def _name(item: QObject | None) -> str:
    return f"{type(item).__name__} {item.objectName()}" if item is not None else ""


def _told(item: QObject, window: MainWindow) -> tuple[object, ...] | None:
    """Returns the texts and states of an action or a visible widget, or whether a timer runs."""
    if isinstance(item, QTimer):
        return (True,) if item.isActive() else None
    if isinstance(item, QAction):
        keys = [key.toString() for key in item.shortcuts()]
        return item.text(), item.isEnabled(), item.isChecked(), item.isVisible(), item.toolTip(), keys
    if not isinstance(item, QWidget):
        return None
    if not item.isVisibleTo(window):
        # What nobody sees may wait to be seen with the next document.
        return (item.isHidden(),) if item.objectName() else None
    getters = _getters(type(item))
    return (item.geometry().getRect(), item.isEnabled(), item.toolTip(), *(getattr(item, name)() for name in getters))


@cache
def _getters(kind: type) -> tuple[str, ...]:
    return tuple(name for name in GETTERS if callable(getattr(kind, name, None)))


class Kind(enum.Enum):
    """What is looked at of a value."""

    NOTHING = enum.auto()
    VALUE = enum.auto()
    ELEMENTS = enum.auto()
    MAPPED = enum.auto()
    ITEMS = enum.auto()
    ATTRIBUTES = enum.auto()


def _add_values(value: Any, path: str, found: State, seen: set[int]) -> None:
    kind = _kind(type(value))
    if kind is Kind.NOTHING or _is_passing(path):
        return
    if kind is Kind.VALUE:
        found[path] = value
    elif id(value) not in seen:
        seen.add(id(value))
        if kind is Kind.ELEMENTS:
            found[path] = (value.shape, len(value) if value.dtype == object else value.tobytes())
        for name, item in _held(value, kind):
            _add_values(item, path + name, found, seen)


@cache
def _kind(kind: type) -> Kind:
    module = kind.__module__
    # What is part of a session goes with its document.
    if module.startswith("gradwire.app.live.") and module != "gradwire.app.live.keys":
        return Kind.NOTHING
    if issubclass(kind, PLAIN):
        return Kind.VALUE
    if issubclass(kind, np.ndarray):
        return Kind.ELEMENTS
    if issubclass(kind, Mapping):
        return Kind.MAPPED
    if issubclass(kind, list | tuple | Set):
        return Kind.ITEMS
    return Kind.ATTRIBUTES if module.startswith("gradwire.app.") else Kind.NOTHING


def _held(value: Any, kind: Kind) -> Iterator[tuple[str, object]]:
    """Yields the contents of a container or an object of the program, by the end of their path."""
    if kind is Kind.MAPPED:
        yield from ((f"[{key if isinstance(key, PLAIN) else type(key).__name__}]", value[key]) for key in list(value))
    elif kind is Kind.ITEMS:
        yield from ((f"[{row}]", item) for row, item in enumerate(list(value)))
    elif kind is Kind.ATTRIBUTES:
        if isinstance(value, QObject) and not isValid(value):
            yield ".is_deleted", True
            return
        for name in (*vars(value), *_slots(type(value))) if hasattr(value, "__dict__") else _slots(type(value)):
            yield f".{name}", getattr(value, name, None)


@cache
def _slots(kind: type) -> tuple[str, ...]:
    found = (base.__dict__.get("__slots__", ()) for base in kind.__mro__)
    return tuple(name for slots in found for name in ((slots,) if isinstance(slots, str) else slots))
