"""What the inspector shows of one block."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout

from app.live.questions import TensorName
from app.live.session import Session
from app.look.appearance import Appearance
from app.look.categories import color_token, icon_name
from app.look.numbers import shape_text
from app.look.theme import font
from app.panels.apply import apply_edit
from app.panels.choice_box import ChoiceBox
from app.panels.inspector_parts import ProblemList, show_text
from app.panels.inspector_views import View
from app.panels.parameter_editors import FIELD_HEIGHT, LineEditor, ParameterEditor
from app.panels.parameter_rows import ParameterRows, ValueOf
from app.panels.read_field import ReadField
from app.panels.short_formulas import short_formula
from app.panels.why import explain_port, explain_wire
from app.words import tr
from engine.block_type import BlockType
from engine.edits import set_label, set_parameter
from engine.expand import Link, PortName
from engine.graph import Block, Port, Wire
from engine.library import library
from engine.parameters import Parameter, kind_of
from engine.plain_text import plain
from engine.status import Status
from engine.tensor_spec import TensorSpec

_TEXT = kind_of(str)
# The rows of so many types are kept: walking over a page meets the same few again and again.
ROWS_KEPT = 24


class BlockView(View):
    """One block: its parameters, problems, tensors, and why it has its gradients.

    `rename_asked(old, new)` asks for another name, `tensor_requested(id)` for the table editor.
    """

    rename_asked = Signal(str, str)
    tensor_requested = Signal(str)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__(session, appearance)
        self._id = self._port = ""
        self._type: BlockType | None = None
        self._rows: ParameterRows | None = None
        self._kept: dict[object, ParameterRows] = {}
        self._add_parameters()
        self._problems = ProblemList(appearance, self)
        self._layout.addWidget(self._problems)
        tensors = self._add_values()
        self._ports = ChoiceBox(tensors)
        self._ports.setObjectName("inspector_port")
        self._ports.setFixedHeight(FIELD_HEIGHT)
        self._ports.setAccessibleName(tr("Output port"))
        self._ports.setFont(font("mono", 11.5))
        self._ports.activated.connect(self._choose_port)
        tensors.body.insertWidget(0, self._ports)
        self._whys = self._add_why()

    @property
    def subject(self) -> str:
        """The block's type."""
        return "" if self._type is None else self._type.name

    def show_block(self, block: Block) -> None:
        """Shows a block from now on; what was typed for another is gone."""
        self._id, self._type, self._port = block.id, library.get(block.type), ""
        self._show_head(block)
        self._name.start_with(block.id)
        self._label.start_with(block.label or "")
        self._show_rows(block)
        self._ports.clear()
        self.refresh()

    def refresh(self) -> None:
        """Keeps what is being typed into a field."""
        block = self._session.page.blocks.get(self._id)
        if block is None:
            return
        if self._rows is not None:
            self._rows.refresh(_value_of(block))
        self._label.set_value(block.label or "")
        self._problems.show_problems(self._session.problems_of(self._id))
        self._show_ports()
        specs = [self._session.spec(Port(self._id, name)) for name in self._outputs()]
        dtypes = dict.fromkeys("?" if spec is None else spec.dtype.name for spec in specs)
        show_text(self._dtype, ", ".join(dtypes) or "?")
        show_text(self._shape, self._shapes(specs))
        self._show_why()

    def wanted(self) -> list[TensorName]:
        """The value of the chosen output port, and its gradient where there can be one."""
        if not self._port:
            return []
        name = self._session.port_name(Port(self._id, self._port))
        reading = None if self._session.results is None else self._session.results.port(name)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(name), *[TensorName(name, True)] * has_gradient]

    def places(self) -> list[PortName | Link]:
        """The chosen output port, and the wires that arrive."""
        ports = [self._session.port_name(Port(self._id, self._port))] if self._port else []
        return [*ports, *map(self._session.link, self._wires())]

    def edit_parameter(self, name: str) -> None:
        """Moves the keyboard to a parameter."""
        if self._rows is not None:
            self._rows.edit(name)

    def refuse_name(self, sentence: str) -> None:
        """Says why the block cannot have the name that was typed."""
        self._name.show_error(sentence)

    def _show_head(self, block: Block) -> None:
        if self._type is None:
            unknown = tr("Unknown type"), tr("It is kept as it is.")
            self._head.show_head(("help", "text.tertiary"), plain(block.type), *unknown)
            return
        formula = short_formula(self._type)
        category = tr(self._type.category)
        kind = f"{category} · {formula}" if formula else category
        picture = (icon_name(self._type), color_token(self._type))
        self._head.show_head(picture, self._type.name, kind, self._type.summary.replace("`", ""), self._type.help)

    def _add_parameters(self) -> None:
        section = self._add_section(tr("Parameters"), "inspector_parameters")
        self._name = LineEditor(Parameter("block_name", _TEXT), "", section)
        self._name.value_edited.connect(self._rename)
        section.add_row(tr("Name"), self._name)
        self._label = LineEditor(Parameter("block_label", _TEXT), "", section)
        self._label.value_edited.connect(self._set_label)
        section.add_row(tr("Label"), self._label)
        self._holder = QVBoxLayout()
        section.body.addLayout(self._holder)
        self._dtype, self._shape = ReadField("inspector_dtype", section), ReadField("inspector_shape", section)
        section.add_row(tr("Result dtype"), self._dtype)
        section.add_row(tr("Shape"), self._shape)

    def _show_rows(self, block: Block) -> None:
        """The rows of the block's type: those kept from the last block of the type, else new ones."""
        pages = tuple(self._pages()) if self._has_page_parameter() else ()
        parameters = () if self._type is None else tuple(self._type.parameters.values())
        key, old = (block.type, pages), self._rows
        self._rows = self._kept.pop(key, None)
        if self._rows is not None:
            self._rows.start_with(_value_of(block))
        elif parameters:
            self._rows = ParameterRows(parameters, _value_of(block), self._appearance, self, pages)
            self._rows.edited.connect(self._set_parameter)
            self._rows.table_asked.connect(self._ask_for_table)
            self._rows.left.connect(self._session.end_forecast)
            self._holder.addWidget(self._rows)
            self._rows.follow(self._label.stops()[0])
        if old is not None and old is not self._rows:
            old.hide()
        if self._rows is not None:
            self._kept[key] = self._rows
            self._rows.show()
        while len(self._kept) > ROWS_KEPT:
            self._kept.pop(next(iter(self._kept))).deleteLater()

    def _has_page_parameter(self) -> bool:
        return self._type is not None and any(item.kind.name == "page" for item in self._type.parameters.values())

    def _pages(self) -> list[str]:
        return [page.name for page in self._session.graph.pages if page.name != self._session.page_name]

    def _rename(self, new: str) -> None:
        self.rename_asked.emit(self._id, new.strip())

    def _set_label(self, label: str) -> None:
        self._label.show_error(
            apply_edit(
                self._session, tr("Set label"), set_label, self._session.page_name, self._id, label.strip() or None
            )
        )

    def _set_parameter(self, editor: ParameterEditor, value: object) -> None:
        name, page = editor.parameter.name, self._session.page_name
        key = ("step", page, self._id, name) if editor.is_stepping else None
        self._forecast(editor.is_stepping)
        args = (page, self._id, name, value)
        editor.show_error(apply_edit(self._session, tr("Set {name}", name=name), set_parameter, *args, merge_key=key))

    def _ask_for_table(self) -> None:
        self.tensor_requested.emit(self._id)

    def _outputs(self) -> list[str]:
        """The names of the outputs, as far as they are known."""
        known = self._session.inferred.outputs.get(self._session.port_name(Port(self._id, "")).path)
        if known is not None:
            return known
        return [port.name for port in self._type.outputs if not port.variadic] if self._type else []

    def _show_ports(self) -> None:
        known = self._outputs()
        if known != [self._ports.itemData(place) for place in range(self._ports.count())]:
            self._ports.clear()
            for name in known:
                self._ports.addItem(plain(name), name)
            self._ports.setCurrentIndex(max(self._ports.findData(self._port), 0))
        self._ports.setVisible(len(known) > 1)
        self._port = self._ports.currentData() or ""

    def _choose_port(self, _: int) -> None:
        self._port = self._ports.currentData() or ""
        self.refresh()
        self.tensors_wanted.emit()

    def _wires(self) -> list[Wire]:
        """The wires that arrive, in the order of the ports where it is known."""
        path = self._session.port_name(Port(self._id, "")).path
        order = [arrival.target.port for arrival in self._session.inferred.inputs.get(path, [])]
        wires = [wire for wire in self._session.page.wires.values() if wire.target.block == self._id]
        return sorted(
            wires, key=lambda wire: order.index(wire.target.name) if wire.target.name in order else len(order)
        )

    def _shapes(self, leaving: Sequence[TensorSpec | None]) -> str:
        """The shapes that arrive and those that leave: `[3], [] → [3]`."""
        arriving = [self._session.spec(wire.source) for wire in self._wires()]
        return " → ".join(_shape_texts(specs) for specs in (arriving, leaving) if specs) or "?"

    def _show_why(self) -> None:
        facts = self._facts()
        shown = []
        if self._port:
            name = self._session.port_name(Port(self._id, self._port))
            shown.append((f"∂L/∂{plain(self._port)}", explain_port(facts, name)))
        for wire in self._wires():
            shown.append((f"∂L/∂{plain(wire.target.name)}", explain_wire(facts, self._session.link(wire))))
        self._whys.show_all(shown)
        self._offer_check(self._session.port_name(Port(self._id, self._port)) if self._port else None)


def _shape_texts(specs: Sequence[TensorSpec | None]) -> str:
    return ", ".join(shape_text(None if spec is None else spec.shape) for spec in specs)


def _value_of(block: Block) -> ValueOf:
    return lambda parameter: block.parameters.get(parameter.name, parameter.default)
