"""The assignment of keys: the keys of the table of commands, and the user's changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr

STORED = "keys"
_STRONG = (Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.MetaModifier)
_MODIFIER_KEYS = (
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_AltGr,
    Qt.Key.Key_Meta,
    Qt.Key.Key_CapsLock,
    Qt.Key.Key_NumLock,
    Qt.Key.Key_unknown,
)


@dataclass(frozen=True)
class Bindable:
    """An item that has keys; `text` is in the current language.

    `place` is its place in the menus, "" for a key that is held during a gesture.
    """

    id: str
    text: str
    place: str
    keys: tuple[str, ...]
    on_canvas: bool = True

    @property
    def is_held(self) -> bool:
        """True if the key is held down instead of pressed once."""
        return not self.place


def held_keys() -> tuple[Bindable, ...]:
    """Returns the items that act while a key is held down."""
    return (Bindable("hold_to_pan", tr("Drag the view while held"), "", ("Space",)),)


class Keys(QObject):
    """The keys of all items. `changed` is emitted after each change, in every window."""

    changed = Signal()

    def __init__(self, settings: Settings, table: Iterable[Bindable], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._table = {item.id: item for item in (*table, *held_keys())}
        self._changed = self._read()
        settings.changed.connect(self._take)

    @property
    def table(self) -> tuple[Bindable, ...]:
        """All items that have keys, or could have."""
        return tuple(self._table.values())

    def of(self, name: str) -> tuple[str, ...]:
        """Returns the keys of a command, the one to show first."""
        return self._changed.get(name, self._table[name].keys)

    def shown(self, name: str) -> str:
        """Returns the first key of a command as users read it; "" if it has none."""
        keys = self.of(name)
        return shown(keys[0]) if keys else ""

    def is_changed(self, name: str) -> bool:
        """Returns whether the keys differ from those of the table."""
        return name in self._changed

    def holders(self, key: str, besides: str = "") -> list[Bindable]:
        """Returns the other items that have a key.

        A command of the canvas and one of the window clash too, because the canvas is in the window.
        """
        return [item for item in self._table.values() if key in self.of(item.id) and item.id != besides]

    def refusal(self, name: str, key: str) -> str:
        """Returns the reason why an item cannot have a key; "" if it can."""
        item, combination = self._table[name], QKeySequence(key)[0]  # type: ignore[index]  # the stubs lack it
        if item.is_held and combination.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
            return tr("A key that is held while dragging is used without Ctrl, Shift or Alt.")
        if not item.on_canvas and not _is_strong(combination):
            return tr(
                "This command works in every panel, where {key} alone types text or moves the focus: add Ctrl or Alt.",
                key=key,
            )
        return ""

    def add(self, name: str, key: str) -> None:
        """Adds a key to an item; any other item with that key loses it."""
        changed = {item.id: tuple(old for old in self.of(item.id) if old != key) for item in self.holders(key, name)}
        self._set({**changed, name: (*(old for old in self.of(name) if old != key), key)})

    def remove(self, name: str, key: str) -> None:
        """Removes one key."""
        self._set({name: tuple(old for old in self.of(name) if old != key)})

    def reset(self, name: str) -> None:
        """Restores the keys of the table for an item; any other item with one of these keys loses it."""
        usual = self._table[name].keys
        takers = {item.id for key in usual for item in self.holders(key, name)}
        kept = {taker: tuple(key for key in self.of(taker) if key not in usual) for taker in takers}
        self._set({**kept, name: usual})

    def reset_all(self) -> None:
        """Restores the keys of the table for all items."""
        self._settings.set_table(STORED, {})

    def _set(self, keys: dict[str, tuple[str, ...]]) -> None:
        everything = {**self._changed, **keys}
        different = {name: list(found) for name, found in everything.items() if found != self._table[name].keys}
        self._settings.set_table(STORED, different)

    def _take(self, key: str) -> None:
        if key == STORED:
            self._changed = self._read()
            self.changed.emit()

    def _read(self) -> dict[str, tuple[str, ...]]:
        """Returns the stored changes, without items and keys that this version does not know."""
        found = self._settings.table(STORED).items()
        return {name: _known(keys) for name, keys in found if name in self._table and isinstance(keys, list)}


def shown(key: str) -> str:
    """Returns a key as users read it here: ⌘K on a Mac, Ctrl+K elsewhere."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def key_of(pressed: QKeyCombination) -> str:
    """Returns the portable name of a pressed key; "" while only modifiers are down."""
    key, modifiers = pressed.key(), pressed.keyboardModifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if key in _MODIFIER_KEYS:
        return ""
    if key == Qt.Key.Key_Backtab:
        key = Qt.Key.Key_Tab
    # A sign such as ? already includes Shift, and other keyboards have it elsewhere.
    if 0x20 < key < 0x7F and not chr(key).isalnum():
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
    return QKeySequence(QKeyCombination(modifiers, key)).toString()


def _is_strong(combination: QKeyCombination) -> bool:
    """Returns whether a key neither types text nor moves the cursor."""
    is_function = Qt.Key.Key_F1 <= combination.key() <= Qt.Key.Key_F35
    return is_function or any(combination.keyboardModifiers() & modifier for modifier in _STRONG)


def _known(keys: list[object]) -> tuple[str, ...]:
    return tuple(key for key in keys if isinstance(key, str) and QKeySequence(key).count() == 1)
