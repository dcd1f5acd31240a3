"""The help on a block type: complete, plain, accessible by keyboard, and never wider than its window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.search.block_help import BlockHelp, plain_text
from gradwire.app.kit import formula_view
from gradwire.app.kit.formula_view import FormulaView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.formulas import formula_picture, formula_svg, statements
from gradwire.blocks.support.examples import help_line
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.export.export import TARGETS


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    return Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def page(appearance: Appearance, parent: QWidget) -> BlockHelp:
    return BlockHelp(appearance, parent)


def shown(page: BlockHelp, name: str) -> BlockHelp:
    page.show_type(name)
    QApplication.processEvents()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return page


def text(page: BlockHelp, name: str) -> str:
    found = page.findChild(QLabel, name)
    assert isinstance(found, QLabel), name
    return found.text()


def area_of(page: BlockHelp) -> QScrollArea:
    found = page.findChild(QScrollArea, "help_area")
    assert isinstance(found, QScrollArea)
    return found


def test_everything_that_is_known_is_shown(page: BlockHelp) -> None:
    shown(page, "Huber")
    assert text(page, "help_title") == "Huber"
    assert text(page, "help_kind") == "Losses"
    assert text(page, "help_summary").startswith("Squared error up to delta, absolute error beyond")
    assert page.findChild(FormulaView, "help_formula").accessibleName() == library["Huber"].formula
    assert page.findChild(FormulaView, "help_gradient_formula").accessibleName() == library["Huber"].gradient_formula
    assert [text(page, f"help_ports_1_{column}") for column in range(3)] == ["y_pred", "input", "floating point"]
    assert [text(page, f"help_ports_2_{column}") for column in range(2)] == ["loss", "output"]
    assert [text(page, f"help_parameters_0_{column}") for column in range(3)] == ["delta", "number", "default 1.0"]
    assert text(page, "help_code_tensorflow") == "tf.keras.losses.huber(y_true, y_pred, delta=1.0)"
    assert page.findChild(QLabel, "help_code_numpy") is None
    assert text(page, "help_source") == "tf.keras.losses.huber"


def test_optional_and_repeated_ports_are_told_apart(page: BlockHelp) -> None:
    assert text(shown(page, "Loss"), "help_ports_1_2") == "floating point, optional"
    shown(page, "Concat")
    assert text(page, "help_ports_0_0") == "values_0 …"
    assert text(page, "help_ports_0_2") == "any dtype, as many as are connected"


def test_help_that_is_all_in_the_summary_is_not_repeated(page: BlockHelp) -> None:
    shown(page, "Square")
    assert library["Square"].help == library["Square"].summary
    assert page.findChild(QLabel, "help_text") is None


def test_the_next_type_takes_the_place_of_the_one_before(page: BlockHelp) -> None:
    shown(page, "Huber")
    shown(page, "Exp")
    assert page.windowTitle() == "Help: Exp"
    assert text(page, "help_title") == "Exp"
    assert page.findChild(QLabel, "help_parameters_0_0") is None


def test_a_type_that_is_not_in_the_library_is_named(page: BlockHelp) -> None:
    shown(page, "plugin.Foo<b>")
    assert text(page, "help_title") == "plugin.Foo<b>"
    assert text(page, "help_kind") == "Unknown type"


@pytest.mark.long
@pytest.mark.parametrize("category", sorted({item.category for item in library}))
def test_every_page_is_plain_text_and_fits_its_window(page: BlockHelp, category: str) -> None:
    for block_type in (item for item in library if item.category == category):
        shown(page, block_type.name)
        labels = [label for label in page.findChildren(QLabel) if label.text()]
        assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels), block_type.name
        assert all(label.objectName() for label in labels), block_type.name
        assert area_of(page).horizontalScrollBar().maximum() == 0, block_type.name
        for label in page.findChildren(QLabel):
            assert label.height() >= label.heightForWidth(label.width()), (block_type.name, label.objectName())
        check_formulas(block_type, page)


def check_formulas(block_type: BlockType, page: BlockHelp) -> None:
    """Every formula is typeset. The page, which has just been laid out, made the same ones."""
    color = page.palette().color(page.foregroundRole())
    for formula in (block_type.formula, block_type.gradient_formula):
        for part in statements(formula):
            svg = formula_svg(part, formula_view.PX)
            assert svg.startswith("<svg"), (block_type.name, part)
            # QtSvg ignores references, and would draw text in a font of its own.
            assert not [element for element in ("<use", "<symbol", "<text") if element in svg], (block_type.name, part)
            picture = formula_picture(part, color, formula_view.PX)
            assert picture is not None and picture.width() > 4, (block_type.name, part)


def test_escape_closes_it(page: BlockHelp, qtbot: QtBot) -> None:
    shown(page, "Exp")
    qtbot.keyClick(page, Qt.Key.Key_Escape)
    assert not page.isVisible()
    assert shown(page, "Log").isVisible()


def test_keys_scroll_it(page: BlockHelp, qtbot: QtBot) -> None:
    page.resize(420, 240)
    area = area_of(shown(page, "ApplyAdam"))
    assert page.focusWidget() is area
    qtbot.keyClick(area, Qt.Key.Key_PageDown)
    assert area.verticalScrollBar().value() > 0


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_formulas_follow_the_theme(page: BlockHelp, appearance: Appearance, theme: str) -> None:
    appearance.choose("light" if theme == "dark" else "dark")
    formula = shown(page, "Sigmoid").findChild(FormulaView, "help_formula")
    appearance.choose("dark" if theme == "dark" else "light")
    image = formula.grab().toImage()
    lightness = [image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height())]
    assert (max(lightness) > 220) if theme == "dark" else (min(lightness) < 60)


def test_a_formula_that_cannot_be_typeset_is_shown_as_it_is_written(
    appearance: Appearance, parent: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    typeset = FormulaView(r"y = \frac{1}{x}", appearance, "typeset", parent).sizeHint()
    monkeypatch.setattr(formula_view, "formula_picture", lambda *_: None)
    plain = FormulaView(r"y = \frac{1}{x}", appearance, "plain", parent)
    assert plain.sizeHint().width() > 1.5 * typeset.width()
    plain.resize(plain.sizeHint())
    colors = {plain.grab().toImage().pixel(x, y) for x in range(plain.width()) for y in range(plain.height())}
    assert len(colors) > 2


def test_code_in_the_help_names_ports_without_braces() -> None:
    assert help_line(library["ReduceMax"], TARGETS["numpy"]) == "np.max(x, axis=0)"
    assert help_line(library["ApplyGradientDescent"], TARGETS["numpy"]) == "var - 0.01 * sum([grad_0, grad_1])"


def test_paragraphs_of_a_docstring_lose_their_line_breaks() -> None:
    assert plain_text("One `two`\nthree.\n\nFour\nfive.") == "One two three.\n\nFour five."


def test_a_formula_shrinks_where_there_is_little_room(appearance: Appearance, parent: QWidget) -> None:
    # At its full size only the first letter would be visible.
    view = FormulaView(r"y \qquad\qquad\qquad\qquad z", appearance, "long", parent)
    view.resize(view.sizeHint().width() // 2, view.sizeHint().height())
    image = view.grab().toImage()
    right = [image.pixel(x, y) for x in range(image.width() // 2, image.width()) for y in range(image.height())]
    assert len(set(right)) > 2
