"""The inspector's view of one block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.inspector.data_file import DataBox, choose_file
from gradwire.app.features.inspector.layer_settings import layer_of_block, setting_edit, setting_of
from gradwire.app.features.inspector.offered_names import offered_names
from gradwire.app.features.inspector.parameter_rows import ParameterRows, ValueOf
from gradwire.app.features.inspector.port_values import PortRow, PortValues
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import ProblemList, Section, show_row, show_text
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT, LineEditor, ParameterEditor
from gradwire.app.kit.inspection import View
from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.kit.why.why import why_of
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.explanation.sentences import stopped_sentence
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.categories import type_title
from gradwire.app.look.glossary import Term
from gradwire.app.look.numbers import shape_text
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import named
from gradwire.blocks.layers.catalogue import Layer
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.starts import START
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter, kind_of
from gradwire.engine.edits.edits import set_label, set_parameter
from gradwire.engine.graph.block_parameters import can_start
from gradwire.engine.graph.graph import Block, Port, Wire

_TEXT, _NAMES = kind_of(str), ("name", "label")
# So many types keep their rows: moving over a page selects the same few types again and again.
ROWS_KEPT = 24


class BlockView(View):
    """The view of one block: its name, problems, the values at its ports, the causes of its gradients, and the rest.

    `rename_asked(old, new)` asks for another name, `parameter_asked(name)` for the editor of a parameter.
    """

    rename_asked = Signal(str, str)
    parameter_asked = Signal(str)

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._id = self._port = ""
        self._type: BlockType | None = None
        self._layer: Layer | None = None
        self._rows: ParameterRows | None = None
        self._kept: dict[object, ParameterRows] = {}
        # What the rows on show offer, by parameter.
        self._names: dict[str, tuple[str, ...]] = {}
        self._name, self._label = (LineEditor(Parameter(f"block_{name}", _TEXT), "", self) for name in _NAMES)
        self._name.stops()[0].setProperty("look", "name")
        self._name.value_edited.connect(self._rename)
        self._head.put_beside_title(self._name)
        self._problems = ProblemList(appearance, self)
        self._layout.addWidget(self._problems)
        self._port_values = PortValues(appearance, self)
        mono, says = font("mono", 11.5), tr("Output port")
        self._ports = named(ChoiceBox(self), "inspector_port", says=says, height=FIELD_HEIGHT, font=mono)
        self._ports.activated.connect(self._choose_port)
        self._add_section("", "inspector_port_values", self._port_values, self._ports).join_head()
        self._add_why(tr("Why this gradient?"))
        self._add_more(tr("settings · value · paths · check"), self._parameters(), self._add_values())

    @property
    def subject(self) -> str:
        """The block's type."""
        return "" if self._type is None else self._type.name

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._id, self._type, self._port = "", None, ""
        super().begin_document()

    def show_block(self, block: Block) -> None:
        """Shows another block and drops any text typed for the previous one."""
        self._id, self._type, self._port = block.id, library.get(block.type), ""
        self._layer = layer_of_block(self.session, block)
        self._show_head(block)
        self._name.start_with(block.id)
        self._label.start_with(block.label or "")
        self._data.refuse("")
        self._show_rows(block)
        self._ports.clear()
        self.refresh()

    def refresh(self) -> None:
        """Shows the current state; text that the user is typing stays."""
        block = self.session.page.blocks.get(self._id)
        if block is None:
            return
        if (layer := layer_of_block(self.session, block)) is not self._layer:
            self._layer = layer
            self._show_head(block)
            self._show_rows(block)
        elif self._names_of(block) != self._names:
            self._show_rows(block)
        if self._rows is not None:
            self._rows.refresh(self._value_of(block))
        self._label.set_value(block.label or "")
        self._data.show_file(self.session, block)
        self._problems.show_problems(self.session.problems_of(self._id))
        self._show_ports()
        self._port_values.show_rows(self._port_rows())
        specs = [self.session.spec(Port(self._id, name)) for name in self._outputs()]
        shown = specs or [self.session.spec(wire.source) for wire in self._wires()]
        dtypes = dict.fromkeys("?" if spec is None else spec.dtype.name for spec in shown)
        show_text(self._dtype, ", ".join(dtypes) or "?")
        show_text(self._shape, self._shapes(specs))
        origin = block.extra.get("origin")
        show_text(self._origin, plain(origin) if isinstance(origin, str) else "")
        show_row(self._origin, bool(self._origin.text()))
        # A start has the shape in a row of its own.
        show_row(self._shape, not (can_start(block) and START in block.parameters))
        self._show_why()

    def wanted(self) -> list[TensorName]:
        """Returns the value of the chosen output port, and its gradient if its dtype allows one.

        A block without outputs has the value that its first wire brings.
        """
        if not self._port:
            return [TensorName(self.session.port_name(wire.source)) for wire in self._wires()[:1]]
        name = self.session.port_name(Port(self._id, self._port))
        reading = None if self.session.results is None else self.session.results.port(name)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(name), *[TensorName(name, True)] * has_gradient]

    def places(self) -> list[PortName | Link]:
        """Returns the chosen output port and the incoming wires."""
        ports = [self.session.port_name(Port(self._id, self._port))] if self._port else []
        return [*ports, *map(self.session.link, self._wires())]

    def edit_parameter(self, name: str) -> QWidget | None:
        """Gives a parameter's editor the keyboard focus, and returns it."""
        if self._rows is None:
            return None
        self.reveal(self._rows)
        return self._rows.edit(name)

    def refuse_name(self, sentence: str) -> None:
        """Shows why the block cannot have the typed name."""
        self._name.show_error(sentence)

    def _show_head(self, block: Block) -> None:
        if self._type is None:
            unknown = tr("Unknown type"), tr("It is kept as it is.")
            self._head.show_head(None, plain(block.type), *unknown)
            return
        if self._layer is not None:
            self._head.show_head(None, self._layer.name, tr("Layers"), help_text=self._layer.help)
            return
        formula = short_formula(self._type)
        category = tr(self._type.category)
        kind = f"{category} · {formula}" if formula else category
        self._head.show_head(None, type_title(self._type), kind, help_text=self._type.help)

    def _parameters(self) -> Section:
        section = self._add_section(tr("Parameters"), "inspector_parameters")
        self._label.value_edited.connect(self._set_label)
        section.add_row(tr("Label"), self._label)
        self._data = DataBox(section, self._choose_file, partial(self.parameter_asked.emit, "separator"))
        section.body.addWidget(self._data)
        self._holder = QVBoxLayout()
        section.body.addLayout(self._holder)
        names = ("dtype", "shape", "origin")
        self._dtype, self._shape, self._origin = (ReadField(f"inspector_{name}", section) for name in names)
        section.add_row(tr("Type"), self._dtype)
        section.add_row(tr("Shape"), self._shape, Term.SCALAR_SHAPE)
        section.add_row(tr("Source"), self._origin)
        return section

    def _show_rows(self, block: Block) -> None:
        """Shows the rows of the block's type, and reuses the rows of an earlier block of that type."""
        kind = self._layer or self._type
        parameters = () if kind is None else tuple(kind.parameters.values())
        self._names, old = self._names_of(block), self._rows
        key = "" if kind is None else kind.key if isinstance(kind, Layer) else kind, *self._names.items()
        self._rows = self._kept.pop(key, None)
        if self._rows is not None:
            self._rows.start_with(self._value_of(block))
        elif parameters:
            self._rows = ParameterRows(parameters, self._value_of(block), self._appearance, self, self._names)
            self._rows.edited.connect(self._set_parameter)
            self._rows.table_asked.connect(self._ask_for_table)
            self._rows.left.connect(self._end_forecast)
            self._holder.addWidget(self._rows)
            self._rows.tab_after(self._label.stops()[0])
        if old is not None and old is not self._rows:
            old.hide()
        if self._rows is not None:
            self._kept[key] = self._rows
            self._rows.show()
        while len(self._kept) > ROWS_KEPT:
            self._kept.pop(next(iter(self._kept))).deleteLater()

    def _names_of(self, block: Block) -> dict[str, tuple[str, ...]]:
        kind = self._layer or self._type
        return {} if kind is None else offered_names(self.session, block, kind.parameters.values())

    def _value_of(self, block: Block) -> ValueOf:
        if self._layer is not None:
            return setting_of(self.session, block)
        return lambda parameter: block.parameters.get(parameter.name, parameter.default)

    def _rename(self, new: str) -> None:
        self.rename_asked.emit(self._id, new.strip())

    def _set_label(self, label: str) -> None:
        args = self.session.page_name, self._id, label.strip() or None
        self._label.show_error(apply_edit(self.session, tr("Set label"), set_label, *args))

    def _set_parameter(self, editor: ParameterEditor, value: object) -> None:
        name, page = editor.parameter.name, self.session.page_name
        key = ("step", page, self._id, name) if editor.is_stepping else None
        self._forecast(editor.is_stepping)
        edit, args = set_parameter, [page, self._id, name, value]
        if self._layer is not None:
            edit, args = setting_edit(self.session, self._id, name, value)
        editor.show_error(apply_edit(self.session, tr("Set {name}", name=name), edit, *args, merge_key=key))

    def _ask_for_table(self) -> None:
        self.current.requests.tensor_chosen.emit(self._id)

    def _choose_file(self) -> None:
        self._data.refuse(choose_file(self.session, self._id, self))

    def _outputs(self) -> list[str]:
        """Returns the names of the outputs that are known."""
        known = self.session.inferred.outputs.get(self.session.port_name(Port(self._id, "")).path)
        if known is not None:
            return known
        return [port.name for port in self._type.outputs if not port.variadic] if self._type else []

    def _show_ports(self) -> None:
        known = self._outputs()
        self._ports.offer({name: plain(name) for name in known}, self._port)
        self._ports.setVisible(len(known) > 1)
        self._port = self._ports.currentData() or ""

    def _port_rows(self) -> list[PortRow]:
        """Returns what the block reads, by its wires, and what it gives."""
        session = self.session
        arriving = [(plain(wire.target.name), session.wire(wire)) for wire in self._wires()]
        return [*arriving, *((f"→ {plain(name)}", session.port(Port(self._id, name))) for name in self._outputs())]

    def _choose_port(self, _: int) -> None:
        self._port = self._ports.currentData() or ""
        self.refresh()
        self.tensors_wanted.emit()

    def _wires(self) -> list[Wire]:
        """Returns the incoming wires, in the order of the ports if it is known."""
        path = self.session.port_name(Port(self._id, "")).path
        order = [arrival.target.port for arrival in self.session.inferred.inputs.get(path, [])]
        wires = [wire for wire in self.session.page.wires.values() if wire.target.block == self._id]
        places = {name: place for place, name in reversed([*enumerate(order)])}
        return sorted(wires, key=lambda wire: places.get(wire.target.name, len(order)))

    def _shapes(self, leaving: Sequence[TensorSpec | None]) -> str:
        """Returns the input and output shapes: `[3], [] → [3]`."""
        arriving = [self.session.spec(wire.source) for wire in self._wires()]
        return " → ".join(_shape_texts(specs) for specs in (arriving, leaving) if specs) or "?"

    def _show_why(self) -> None:
        facts = self._facts()
        shown = []
        if self._port:
            name = self.session.port_name(Port(self._id, self._port))
            why = why_of(facts, name)
            stop = stopped_sentence(facts.instances.get(name.path))
            shown.append((f"∂L/∂{plain(self._port)}", replace(why, sentence=f"{why.sentence} {stop}".strip())))
        for wire in self._wires():
            shown.append((f"∂L/∂{plain(wire.target.name)}", why_of(facts, self.session.link(wire))))
        self._show_whys(shown)
        self._show_parts(self.session.port_name(Port(self._id, self._port)) if self._port else None)


def _shape_texts(specs: Sequence[TensorSpec | None]) -> str:
    return ", ".join(shape_text(None if spec is None else spec.shape) for spec in specs)
