"""What the inspector shows of one block, of a wire, of several blocks and of a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.live.evaluator import TensorName
from app.live.readings import STATUS_ROW
from app.live.session import Session
from app.look.appearance import Appearance
from app.look.categories import color_token, icon_name
from app.look.icons import icon
from app.look.numbers import count_text, fmt, shape_text
from app.look.theme import font
from app.panels.choice_box import ChoiceBox
from app.panels.inspector_parts import Head, ProblemList, Section, WhyList, plain_field, plain_label, show_text
from app.panels.parameter_editors import FIELD_HEIGHT, MIXED, LineEditor, ParameterEditor, editor_for
from app.panels.short_formulas import short_formula
from app.panels.value_view import Mode, Shown, ValueView
from app.panels.why import Facts, explain_port, explain_wire
from engine.edits import set_label, set_loss, set_parameter
from engine.graph import Block, Graph, Port, Wire, same_value
from engine.library import library
from engine.parameters import Parameter, kind_of
from engine.status import Status
from engine.tensor_spec import Array, TensorSpec

ALL_LOSSES = "All (sum)"
_TEXT = kind_of(str)
_NAMES = {"dtype": "dtype", "keepdims": "Keep dims", "ksize": "Window", "perm": "Order of axes"}


def apply_edit(
    session: Session, text: str, edit: Callable[..., Any], *args: Any, merge_key: Hashable | None = None
) -> str:
    """Carries out an edit; the reason if it was refused, else nothing."""
    refusals: list[str] = []

    def note(sentence: str) -> None:
        refusals.append(sentence)

    session.refused.connect(note)
    session.apply(text, edit, *args, merge_key=merge_key)
    session.refused.disconnect(note)
    return " ".join(refusals)


def set_parameter_of_all(graph: Graph, page_name: str, ids: Sequence[str], name: str, value: object) -> Graph:
    """The graph with one parameter of several blocks set."""
    for block_id in ids:
        graph = set_parameter(graph, page_name, block_id, name, value)
    return graph


class View(QWidget):
    """What the inspector shows for one kind of selection; built once, then only filled by `refresh`."""

    mode_changed = Signal(str)
    tensors_wanted = Signal()

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session, self._appearance = session, appearance
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._head = Head(appearance, self)
        self._layout.addWidget(self._head)
        self._values: ValueView | None = None

    def refresh(self) -> None:
        """Fills everything but tensors with what the session has now."""

    def wanted(self) -> list[TensorName]:
        """The whole tensors that are shown."""
        return []

    def show_tensors(self, tensors: Mapping[TensorName, Array | None]) -> None:
        """Shows those of the wanted tensors that have arrived."""
        if self._values is not None:
            wanted = self.wanted()
            names = [
                Shown("∂L" if item.is_gradient else "value", tensors.get(item), item.is_gradient) for item in wanted
            ]
            self._values.show_tensors(names)

    def set_mode(self, mode: Mode) -> None:
        """How tensors are shown."""
        if self._values is not None:
            self._values.set_mode(mode)

    def _add_section(self, title: str, name: str, mark: QIcon | None = None) -> Section:
        section = Section(title, self, name, mark)
        self._layout.addWidget(section)
        return section

    def _add_values(self) -> Section:
        section = self._add_section("", "inspector_tensors")
        self._values = ValueView(self._appearance, "Tensors", section)
        self._values.mode_changed.connect(self.mode_changed)
        section.body.addWidget(self._values)
        return section

    def _add_why(self) -> WhyList:
        mark = icon(self._appearance.theme, "grad", "grad.text", 14)
        section = self._add_section("Why this gradient?", "inspector_why_section", mark)
        why = WhyList(self._appearance, section)
        section.body.addWidget(why)
        return why

    def _facts(self) -> Facts:
        return Facts(self._session.inferred.expanded.instances, self._session.results, self._session.problems)


class BlockView(View):
    """One block: its parameters, problems, tensors, and why it has its gradients.

    `rename_asked(old, new)` asks for another name.
    """

    rename_asked = Signal(str, str)

    def __init__(self, session: Session, appearance: Appearance, block: Block) -> None:
        super().__init__(session, appearance)
        self._id = block.id
        self._type = library.get(block.type)
        self._port = ""
        self._editors: list[ParameterEditor] = []
        self._show_head(block)
        self._add_parameters(block)
        self._problems = ProblemList(appearance, self)
        self._layout.addWidget(self._problems)
        tensors = self._add_values()
        self._ports = ChoiceBox(tensors)
        self._ports.setObjectName("inspector_port")
        self._ports.setFixedHeight(FIELD_HEIGHT)
        self._ports.setAccessibleName("Output port")
        self._ports.setFont(font("mono", 11.5))
        self._ports.activated.connect(self._choose_port)
        tensors.body.insertWidget(0, self._ports)
        self._why = self._add_why()
        self.refresh()

    def refresh(self) -> None:
        """Keeps what is being typed into a field."""
        block = self._session.page.blocks.get(self._id)
        if block is None:
            return
        for editor in self._editors:
            editor.set_value(block.parameters.get(editor.parameter.name, editor.parameter.default))
        self._label.set_value(block.label or "")
        self._problems.show_problems(self._session.problems_of(self._id))
        self._show_ports()
        spec = self._session.spec(Port(self._id, self._port))
        show_text(self._dtype, "?" if spec is None else spec.dtype.name)
        show_text(self._shape, self._shapes(spec))
        self._show_why()

    def wanted(self) -> list[TensorName]:
        """The value of the chosen output port, and its gradient where there can be one."""
        if not self._port:
            return []
        name = self._session.port_name(Port(self._id, self._port))
        reading = None if self._session.results is None else self._session.results.port(name)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(name), *[TensorName(name, True)] * has_gradient]

    def refuse_name(self, sentence: str) -> None:
        """Says why the block cannot have the name that was typed."""
        self._name.show_error(sentence)

    def _show_head(self, block: Block) -> None:
        if self._type is None:
            self._head.show_head(("help", "text.tertiary"), block.type, "Unknown type", "It is kept as it is.")
            return
        formula = short_formula(self._type)
        kind = f"{self._type.category} · {formula}" if formula else self._type.category
        picture = (icon_name(self._type), color_token(self._type))
        self._head.show_head(picture, self._type.name, kind, self._type.summary.replace("`", ""), self._type.help)

    def _add_parameters(self, block: Block) -> None:
        section = self._add_section("Parameters", "inspector_parameters")
        self._name = _text_editor("block_name", block.id, section)
        self._name.value_edited.connect(self._rename)
        section.add_row("Name", self._name)
        self._label = _text_editor("block_label", block.label or "", section)
        self._label.value_edited.connect(self._set_label)
        section.add_row("Label", self._label)
        for parameter in () if self._type is None else self._type.parameters.values():
            value = block.parameters.get(parameter.name, parameter.default)
            editor = editor_for(parameter, value, self._appearance, section, self._pages())
            editor.value_edited.connect(self._set_parameter)
            section.add_row(row_name(parameter.name), editor)
            self._editors.append(editor)
        self._dtype, self._shape = plain_field("inspector_dtype", section), plain_field("inspector_shape", section)
        section.add_row("Result dtype", self._dtype)
        section.add_row("Shape", self._shape)

    def _pages(self) -> list[str]:
        return [page.name for page in self._session.graph.pages if page.name != self._session.page_name]

    def _rename(self, new: str) -> None:
        self.rename_asked.emit(self._id, new)

    def _set_label(self, label: str) -> None:
        self._label.show_error(
            apply_edit(self._session, "Set label", set_label, self._session.page_name, self._id, label or None)
        )

    def _set_parameter(self, value: object) -> None:
        editor = self.sender()
        if isinstance(editor, ParameterEditor):
            name, page = editor.parameter.name, self._session.page_name
            key = ("step", page, self._id, name) if editor.is_stepping else None
            args = (page, self._id, name, value)
            editor.show_error(apply_edit(self._session, f"Set {name}", set_parameter, *args, merge_key=key))

    def _show_ports(self) -> None:
        path = self._session.port_name(Port(self._id, "")).path
        known = self._session.inferred.outputs.get(path)
        if known is None:
            known = [port.name for port in self._type.outputs if not port.variadic] if self._type else []
        if known != [self._ports.itemText(place) for place in range(self._ports.count())]:
            self._ports.clear()
            self._ports.addItems(known)
            self._ports.setCurrentText(self._port)
        self._ports.setVisible(len(known) > 1)
        self._port = self._ports.currentText()

    def _choose_port(self, _: int) -> None:
        self._port = self._ports.currentText()
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

    def _shapes(self, spec: TensorSpec | None) -> str:
        """The shapes that arrive and the one that leaves: `[3], [] → [3]`."""
        shape = shape_text(None if spec is None else spec.shape)
        arriving = [self._session.spec(wire.source) for wire in self._wires()]
        texts = [shape_text(None if item is None else item.shape) for item in arriving]
        return f"{', '.join(texts)} → {shape}" if texts else shape

    def _show_why(self) -> None:
        facts = self._facts()
        shown = []
        if self._port:
            name = self._session.port_name(Port(self._id, self._port))
            shown.append((f"∂L/∂{self._port}", explain_port(facts, name)))
        for wire in self._wires():
            shown.append((f"∂L/∂{wire.target.name}", explain_wire(facts, self._session.link(wire))))
        self._why.show_all(shown)


class WireView(View):
    """One wire: its ends, the value on it, what comes back along it, and why."""

    def __init__(self, session: Session, appearance: Appearance, wire: Wire) -> None:
        super().__init__(session, appearance)
        self._wire = wire
        ends = self._add_section("Ends", "inspector_ends")
        self._fields = [plain_field(f"inspector_{name}", ends) for name in ("from", "to", "spec")]
        for text, field in zip(("From", "To", "Carries"), self._fields, strict=True):
            ends.add_row(text, field)
        self._add_values()
        self._why = self._add_why()
        self.refresh()

    def refresh(self) -> None:
        """The ends, the spec and the explanations; the total at the source stands below the wire's own part."""
        wire, session = self._wire, self._session
        self._head.show_head(("route", "text.secondary"), "Wire", f"{wire.source.block} → {wire.target.block}")
        spec = session.spec(wire.source)
        carried = "?" if spec is None else f"{spec.dtype.name} {shape_text(spec.shape)}"
        for field, text in zip(self._fields, (self._end(wire.source), self._end(wire.target), carried), strict=True):
            show_text(field, text)
        facts, link = self._facts(), session.link(wire)
        name = wire.source.block
        own, total = (f"∂L/∂{name} here", explain_wire(facts, link)), (f"∂L/∂{name} in all", link.source)
        self._why.show_all([own, (total[0], explain_port(facts, total[1]))])

    def wanted(self) -> list[TensorName]:
        """The value at the source, and what comes back along the wire where anything can."""
        link = self._session.link(self._wire)
        reading = self._session.wire(self._wire)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(link.source), *[TensorName(link, True)] * has_gradient]

    def _end(self, port: Port) -> str:
        block = self._session.page.blocks.get(port.block)
        return str(port) if block is None else f"{port}   {block.type}"


class SeveralView(View):
    """Several things at once: how many, and the parameters of blocks that are all of one type."""

    def __init__(self, session: Session, appearance: Appearance, blocks: Sequence[Block]) -> None:
        super().__init__(session, appearance)
        self._ids = [block.id for block in blocks]
        self._editors: list[ParameterEditor] = []
        types = Counter(block.type for block in blocks)
        self._show_head(types)
        block_type = library.get(blocks[0].type) if len(types) == 1 else None
        if block_type is not None and block_type.parameters:
            section = self._add_section("Parameters of all", "inspector_parameters")
            for parameter in block_type.parameters.values():
                editor = editor_for(parameter, self._common(parameter), appearance, section)
                editor.value_edited.connect(self._set_parameter)
                section.add_row(row_name(parameter.name), editor)
                self._editors.append(editor)

    def refresh(self) -> None:
        """A parameter that differs between the blocks shows nothing."""
        for editor in self._editors:
            editor.set_value(self._common(editor.parameter))

    def _show_head(self, types: Counter[str]) -> None:
        chosen = self._session.selection
        counts = {"block": len(self._ids), "wire": len(chosen.wires)}
        counts |= {"frame": len(chosen.frames), "note": len(chosen.notes)}
        title = ", ".join(count_text(count, word) for word, count in counts.items() if count)
        summary = ", ".join(f"{count} {name}" for name, count in sorted(types.items()))
        self._head.show_head(("copy", "text.secondary"), title, "Selected", summary)

    def _common(self, parameter: Parameter) -> object:
        blocks = [self._session.page.blocks.get(block_id) for block_id in self._ids]
        values = [block.parameters.get(parameter.name, parameter.default) for block in blocks if block is not None]
        return values[0] if values and all(same_value(item, values[0]) for item in values) else MIXED

    def _set_parameter(self, value: object) -> None:
        editor = self.sender()
        if isinstance(editor, ParameterEditor):
            name, page = editor.parameter.name, self._session.page_name
            key = ("step", page, tuple(self._ids), name) if editor.is_stepping else None
            args = (page, self._ids, name, value)
            editor.show_error(apply_edit(self._session, f"Set {name}", set_parameter_of_all, *args, merge_key=key))


class PageView(View):
    """Nothing selected: what the page holds, and which loss is differentiated."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__(session, appearance)
        self._rows: tuple[object, Any] = (None, None)
        section = self._add_section("Page", "inspector_page")
        self._counts = {
            name: plain_label("", f"inspector_{name}", parent=section)
            for name in ("blocks", "wires", "blocked", "nonfinite", "problems")
        }
        for name, label in self._counts.items():
            label.setFont(font("mono", 11.5))
            label.setFixedHeight(FIELD_HEIGHT)
            section.add_row({"blocked": "Blocked", "nonfinite": "NaN, inf"}.get(name, name.capitalize()), label)
        losses = self._add_section("Loss", "inspector_losses")
        self._loss = ChoiceBox(losses)
        self._loss.setObjectName("inspector_loss")
        self._loss.setFont(font("mono", 11.5))
        self._loss.setFixedHeight(FIELD_HEIGHT)
        self._loss.activated.connect(self._choose_loss)
        losses.add_row("Gradient of", self._loss)
        self._value = plain_field("inspector_loss_value", losses)
        losses.add_row("L", self._value)
        self.refresh()

    def refresh(self) -> None:
        """The counts of wires are those of the newest run."""
        session, page = self._session, self._session.page
        self._head.show_head(("layout", "text.secondary"), session.prefix, "Page", _first_note(page.notes))
        broken = 0 if session.results is None else len(session.results.nonfinite_wires)
        problems = [item for item in session.problems if item.at.startswith(f"{session.prefix}/") or not item.at]
        texts = {
            "blocks": f"{len(page.blocks):,}",
            "wires": f"{len(page.wires):,}",
            "blocked": count_text(self._blocked(), "wire"),
            "nonfinite": count_text(broken, "wire") if broken else "none",
            "problems": f"{len(problems):,}" if problems else "none",
        }
        for name, text in texts.items():
            show_text(self._counts[name], text)
        self._show_losses()

    def _blocked(self) -> int:
        """How many wires of the page lie behind a StopGradient."""
        results = self._session.results
        if results is None:
            return 0
        if self._rows[0] is not results.wire_rows:
            rows = [results.wire_rows.get(self._session.link(wire)) for wire in self._session.page.wires.values()]
            self._rows = results.wire_rows, np.array([row for row in rows if row is not None], np.int64)
        return int(np.count_nonzero(results.wire_status[self._rows[1]] == STATUS_ROW[Status.BLOCKED]))

    def _show_losses(self) -> None:
        session = self._session
        names = [None, *session.losses]
        if session.graph.loss not in names:
            names.append(session.graph.loss)
        if names != [self._loss.itemData(place) for place in range(self._loss.count())]:
            self._loss.clear()
            for name in names:
                self._loss.addItem(ALL_LOSSES if name is None else name, name)
        self._loss.setCurrentIndex(names.index(session.graph.loss))
        loss = None if session.results is None else session.results.loss
        value = None if loss is None else loss.value
        show_text(self._value, "no loss" if loss is None else "?" if value is None else fmt(float(value)))

    def _choose_loss(self, place: int) -> None:
        apply_edit(self._session, "Choose the loss", set_loss, self._loss.itemData(place))


def row_name(name: str) -> str:
    """A parameter's name as a row shows it."""
    return _NAMES.get(name, name.replace("_", " ").capitalize())


def _first_note(notes: Sequence[Any]) -> str:
    return notes[0].text.partition("\n")[0] if notes else ""


def _text_editor(name: str, value: str, parent: QWidget) -> LineEditor:
    return LineEditor(Parameter(name, _TEXT), value, parent)
