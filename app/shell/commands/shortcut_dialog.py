"""The dialog that changes keys: it shows the keys of each command and conflicts of a new key."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.search.entry_rows import SearchField
from gradwire.app.live.keys import Bindable, Keys, shown
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, Dialog, Does, make_button, make_column, make_label, make_row, named
from gradwire.app.shell.commands.key_recorder import KeyRecorder
from gradwire.interop.search.fuzzy import name_of_words, name_scores, typed_words

SIZE = QSize(680, 600)


class ShortcutDialog(Dialog):
    """A table of everything that has keys; below it the keys of the chosen row. A change takes effect at once."""

    def __init__(self, keys: Keys, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "shortcut_dialog", tr("Keyboard shortcuts"), SIZE)
        self._keys = keys
        # The key that waits for the user's answer whether another command may lose it.
        self._wanted = ""
        self._search = SearchField(appearance, tr("Search commands or keys"), "shortcut_search", self)
        self._search.textChanged.connect(self._filter)
        self._table = self._made_table()
        self._editor = _Editor(self)
        self._message = make_label("", self, name="shortcut_message", wraps=True)
        # As high as the buttons that appear beside it, so that nothing jumps.
        self._message.setMinimumHeight(30)
        self._take = _button(tr("Use this version"), "shortcut_take", self._take_over, self)
        self._leave = _button(tr("Do not fix"), "shortcut_leave", self._leave_it, self)
        self._lay_out()
        self._editor.recorder.recorded.connect(self._record)
        keys.changed.connect(self._refresh)
        self._forget_wanted()
        self._refresh()
        self._table.selectRow(0)
        self._search.setFocus()

    @property
    def chosen(self) -> Bindable:
        """The item of the chosen row."""
        return self._keys.table[max(self._table.currentRow(), 0)]

    def _made_table(self) -> QTableWidget:
        table = QTableWidget(len(self._keys.table), 3, self)
        named(table, "shortcut_table", says=tr("Commands and their keys"))
        table.setHorizontalHeaderLabels([tr("Command"), tr("Topic"), tr("Keys")])
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(26)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        for row, item in enumerate(self._keys.table):
            place = item.place or tr("While dragging")
            for column, text in enumerate((item.text.rstrip(" …"), place)):
                table.setItem(row, column, QTableWidgetItem(text))
        table.itemSelectionChanged.connect(self._row_changed)
        table.activated.connect(lambda _: self._editor.recorder.start())
        return table

    def _lay_out(self) -> None:
        question = make_row((self._message, 1), self._take, self._leave)
        reset = _button(tr("Reset all"), "shortcut_reset_all", self._keys.reset_all, self)
        close = _button(tr("Close"), "shortcut_close", self.accept, self)
        below = make_row(reset, STRETCH, close)
        make_column(self._search, (self._table, 1), self._editor, question, below, inside=self, spacing=10)

    def _filter(self, query: str) -> None:
        """Hides the rows that match neither by name nor by keys."""
        words, text = typed_words(query), "".join(typed_words(query))
        rows = [row for row, item in enumerate(self._keys.table) if not text or self._fits(item, text, words)]
        for row in range(self._table.rowCount()):
            self._table.setRowHidden(row, row not in rows)
        if rows and self._table.currentRow() not in rows:
            self._table.selectRow(rows[0])
        if rows:
            self._forget_wanted()
        else:
            self._say(tr('No command and no key is called "{text}".', text=query.strip()))

    def _fits(self, item: Bindable, text: str, words: list[str]) -> bool:
        names = (item.text, f"{item.place} {item.text}")
        by_name = any(True for name in names for _ in name_scores(name_of_words(name), text, words))
        return by_name or any(text in shown(key).lower() for key in self._keys.of(item.id))

    def _row_changed(self) -> None:
        self._forget_wanted()
        self._editor.show_keys(self._keys, self.chosen)

    def _refresh(self) -> None:
        for row, item in enumerate(self._keys.table):
            cell = QTableWidgetItem("   ".join(shown(key) for key in self._keys.of(item.id)))
            changed = self._table.font()
            changed.setBold(self._keys.is_changed(item.id))
            cell.setFont(changed)
            self._table.setItem(row, 2, cell)
        self._editor.show_keys(self._keys, self.chosen)

    def remove(self, key: str) -> None:
        """Removes a key from the chosen command."""
        self._forget_wanted()
        self._keys.remove(self.chosen.id, key)

    def reset(self) -> None:
        """Restores the default keys of the chosen command."""
        self._forget_wanted()
        self._keys.reset(self.chosen.id)

    def _record(self, key: str) -> None:
        """Adds the key, reports why it cannot be added, or asks if another command has it."""
        self._forget_wanted()
        name = self.chosen.id
        refusal, others = self._keys.refusal(name, key), self._keys.holders(key, name)
        if refusal:
            self._say(refusal)
        elif others:
            self._wanted = key
            self._say(" ".join(self._loss(other, key) for other in others))
            self._take.show()
            self._leave.show()
            self._leave.setFocus()
        else:
            self._keys.add(name, key)

    def _loss(self, other: Bindable, key: str) -> str:
        """Returns a sentence about the keys that another command keeps if it loses one."""
        left = [shown(item) for item in self._keys.of(other.id) if item != key]
        name = other.text.rstrip(" …")
        if left:
            keys = ", ".join(left)
            return tr('{key} is a key of "{name}", which would keep {keys}.', key=shown(key), name=name, keys=keys)
        return tr('{key} is the key of "{name}", which would have no key.', key=shown(key), name=name)

    def _take_over(self) -> None:
        key = self._wanted
        self._leave_it()
        self._keys.add(self.chosen.id, key)

    def _leave_it(self) -> None:
        self._editor.recorder.setFocus()
        self._forget_wanted()

    def _forget_wanted(self) -> None:
        self._wanted = ""
        self._say("")

    def _say(self, sentence: str) -> None:
        self._message.setText(sentence)
        self._take.hide()
        self._leave.hide()


class _Editor(QWidget):
    """The keys of one command: a click on a key removes it."""

    def __init__(self, dialog: ShortcutDialog) -> None:
        super().__init__(dialog)
        self._dialog = dialog
        self._title = make_label("", self, name="shortcut_title", look="strong")
        self._chips = make_row(spacing=6)
        self.recorder = KeyRecorder(self)
        self._reset = _button(tr("Reset"), "shortcut_reset", dialog.reset, self)
        make_row((self._title, 1), self._chips, self.recorder, self._reset, inside=self, margins=0)

    def show_keys(self, keys: Keys, item: Bindable) -> None:
        """Shows the keys of a command."""
        self._title.setText(item.text.rstrip(" …"))
        self._reset.setEnabled(keys.is_changed(item.id))
        empty(self._chips)
        for key in keys.of(item.id):
            self._chips.addWidget(self._chip(key))

    def _chip(self, key: str) -> QPushButton:
        chip = _button(f"{shown(key)}  ×", f"shortcut_key_{key}", lambda: self._dialog.remove(key), self)
        return named(chip, tip=tr("Remove this key"), says=tr("Remove the key {key}", key=shown(key)))


def _button(text: str, name: str, call: Does, parent: QWidget) -> QPushButton:
    return make_button(text, call, parent, name=name, enters=False)
