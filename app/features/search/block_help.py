"""The help on a block type: its formula, gradient, ports and parameters, and its name in other frameworks."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialogButtonBox, QScrollArea, QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.form_parts import LABEL_WIDTH, Head, Section, plain_label
from gradwire.app.kit.formula_view import FormulaView
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.look.widgets import (
    Dialog,
    Item,
    ThemedWidget,
    add_items,
    make_column,
    make_grid,
    named,
    selectable,
    show_in_front,
)
from gradwire.blocks.support.examples import help_lines
from gradwire.engine.blocktypes.block_type import BlockType, InputPort, OutputPort
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.blocktypes.type_help import default_text


class BlockHelp(Dialog):
    """A separate window with the help on one block type at a time; Escape closes it."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent, "block_help", size=QSize(600, 680))
        self._appearance = appearance
        self._area = named(QScrollArea(self, widgetResizable=True), "help_area", says=tr("Help"))
        buttons = named(QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self), "help_buttons")
        buttons.setContentsMargins(0, 0, 12, 0)
        buttons.rejected.connect(self.reject)
        make_column(self._area, buttons, inside=self, margins=(0, 0, 0, 12))

    def show_type(self, name: str) -> None:
        """Shows the help on the block type of this name, or says that there is none."""
        self.setWindowTitle(tr("Help: {name}", name=name))
        self._area.setWidget(_Page(name, self._appearance, self._area))
        show_in_front(self)
        self._area.setFocus(Qt.FocusReason.PopupFocusReason)


class _Page(ThemedWidget):
    """The help text of one block type, section by section."""

    def __init__(self, name: str, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, look="panel")
        self._head = Head(appearance, self, "help")
        self._layout = make_column(self._head, inside=self, margins=0, spacing=0)
        block_type = library.get(name)
        if block_type is None:
            meaning = tr("The library has no such block type.")
            self._head.show_head(("help", "text.tertiary"), name, tr("Unknown type"), meaning)
        else:
            self._fill(block_type)
        self._layout.addStretch(1)

    def _fill(self, block_type: BlockType) -> None:
        picture = (icon_name(block_type), color_token(block_type))
        self._head.show_head(picture, block_type.name, tr(block_type.category), plain_text(block_type.summary))
        self._add_formula(tr("Value"), block_type.formula, "help_formula")
        self._add_formula(tr("Gradient"), block_type.gradient_formula, "help_gradient_formula")
        self._add_text(tr("Details"), "\n\n".join(plain_text(block_type.help).split("\n\n")[1:]), "help_text")
        ports: list[InputPort | OutputPort] = [*block_type.inputs, *block_type.outputs]
        self._add_table(tr("Ports"), [port_row(port) for port in ports], "help_ports")
        rows = [parameter_row(item) for item in block_type.parameters.values()]
        self._add_table(tr("Parameters"), rows, "help_parameters")
        self._add_code(block_type)
        self._add_text(tr("Source"), block_type.source, "help_source")

    def _add_section(self, title: str, name: str, *parts: Item) -> Section:
        section = Section(title, self, f"{name}_section")
        add_items(section.body, *parts)
        self._layout.addWidget(section)
        return section

    def _add_text(self, title: str, text: str, name: str) -> None:
        if text:
            self._add_section(title, name, selectable(plain_label(text, name, "", self, wraps=True)))

    def _add_formula(self, title: str, latex: str, name: str) -> None:
        if latex:
            self._add_section(title, name, FormulaView(latex, self._appearance, name, self))

    def _add_table(self, title: str, rows: Sequence[Sequence[str]], name: str) -> None:
        if not rows:
            return
        grid = make_grid(spacing=(8, 4))
        grid.setColumnMinimumWidth(0, LABEL_WIDTH - 8)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 2)
        for line, row in enumerate(rows):
            for column, text in enumerate(row):
                cell = plain_label(text, f"{name}_{line}_{column}", "" if column else "mono", self, column > 0)
                grid.addWidget(cell, line, column, Qt.AlignmentFlag.AlignTop)
        self._add_section(title, name, grid)

    def _add_code(self, block_type: BlockType) -> None:
        if lines := help_lines(block_type):
            section = self._add_section(tr("In code"), "help_code")
            for line in lines:
                title = line.target.title
                label = title if line.is_run else tr("{title} (unverified)", title=title)
                code = plain_label(line.text, f"help_code_{title.lower()}", "mono", section, wraps=True)
                section.add_row(label, selectable(code))


def plain_text(text: str) -> str:
    """Returns a docstring as plain prose: paragraphs without line breaks, names without backticks."""
    paragraphs = text.replace("`", "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def port_row(port: InputPort | OutputPort) -> tuple[str, str, str]:
    """Returns the name, the direction and the accepted types of a port."""
    name = f"{port.name}_0 …" if port.variadic else port.name
    if isinstance(port, OutputPort):
        return name, tr("output"), ""
    number = tr(", as many as are connected") if port.variadic else tr(", optional") if port.optional else ""
    return name, tr("input"), tr_sentence(port.accepts.name) + number


def parameter_row(parameter: Parameter) -> tuple[str, str, str]:
    """Returns the name, the accepted values and the default of a parameter."""
    choices = f" ({', '.join(parameter.kind.choices)})" if parameter.kind.choices else ""
    default = tr("required") if parameter.is_required else tr("default {value}", value=default_text(parameter))
    return parameter.name, tr_sentence(parameter.kind.name) + choices, default
