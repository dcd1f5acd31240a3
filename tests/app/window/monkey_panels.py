"""Steps of the monkey in the panels."""

from __future__ import annotations

from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QTableView

from gradwire.app.kit.controls.switch import Switch
from tests.app.window.driver import LEFT, Key
from tests.app.window.monkey_laws import Laws
from tests.app.window.monkey_steps import CTRL, TEXTS, rows, step


@step(block=rows, field=rows, text=st.sampled_from(TEXTS))
def parameter(monkey: Laws, block: int, field: int, text: str) -> None:
    name = monkey.things.block(block)
    if name is None:
        return
    monkey.user.hand.click(monkey.user.points.title(name))
    fields = monkey.things.fields()
    if fields:
        with monkey.one_edit():
            set_field(monkey, fields[field % len(fields)], text, field)


def set_field(monkey: Laws, field: QLineEdit | QComboBox | Switch, text: str, row: int) -> None:
    if isinstance(field, QLineEdit):
        field.setFocus()
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
    elif isinstance(field, QComboBox):
        field.setFocus()
        QTest.keyClick(field, Key.Key_Down if row % 2 else Key.Key_Up)
    else:
        QTest.mouseClick(field, LEFT)
    monkey.user.settle()


@step(block=rows, text=st.sampled_from(TEXTS), across=rows, what=st.sampled_from(["paste", "shape", "fill"]))
def tensor(monkey: Laws, block: int, text: str, across: int, what: str) -> None:
    name = monkey.things.block(block)
    if name is None:
        return
    monkey.user.hand.click(monkey.user.points.title(name))
    monkey.user.trigger("edit_tensor")
    if not monkey.user.window.findChildren(QTableView, "tensor_table"):
        return
    with monkey.one_edit():
        edit_table(monkey, text, across, what)


def edit_table(monkey: Laws, text: str, across: int, what: str) -> None:
    user, table = monkey.user, monkey.user.child(QTableView, "tensor_table")
    if what == "paste":
        QGuiApplication.clipboard().setText(text)
        table.setCurrentIndex(table.model().index(0, across % max(table.model().columnCount(), 1)))
        QTest.keyClick(table, Key.Key_V, CTRL)
    elif what == "shape":
        field = user.child(QLineEdit, "tensor_shape")
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Key.Key_Return)
    else:
        QTest.mouseClick(user.child(QPushButton, "fill"), LEFT)
    user.settle()


@step(width=st.integers(1024, 1500), height=st.integers(640, 900))
def resize(monkey: Laws, width: int, height: int) -> None:
    with monkey.unchanged():
        monkey.user.window.resize(width, height)
        monkey.user.settle()
