"""What all that the inspector shows has in common, and what it shows of a wire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any  # each question knows what its answer is

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.live.questions import TensorName
from app.live.session import Session
from app.live.why import WhyZero
from app.look.appearance import Appearance
from app.look.icons import icon
from app.look.numbers import shape_text
from app.panels.check_view import CheckView
from app.panels.inspector_parts import Head, Section, show_text
from app.panels.read_field import ReadField
from app.panels.run_facts import Chain, Facts
from app.panels.value_view import Mode, Shown, ValueView
from app.panels.way_buttons import WayButtons
from app.panels.why import explain_port, explain_wire
from app.panels.why_list import WhyList
from app.words import tr
from engine.expand import Link, PortName
from engine.graph import Port, Wire
from engine.plain_text import plain
from engine.status import Status
from engine.tensor_spec import Array


class View(QWidget):
    """What the inspector shows for one kind of selection; it stays, and another selection of the kind only fills it."""

    mode_changed = Signal(str)
    element_chosen = Signal(tuple)
    tensors_wanted = Signal()
    place_chosen = Signal(str)
    command_chosen = Signal(str)
    fix_chosen = Signal(object)

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__()
        self._session, self._appearance = session, appearance
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._head = Head(appearance, self)
        self._layout.addWidget(self._head)
        self._values: ValueView | None = None
        self.why: WhyList | None = None
        self.check: CheckView | None = None
        self._chains: dict[PortName | Link, Chain] = {}

    def refresh(self) -> None:
        """Fills everything but tensors with what the session has now."""

    def wanted(self) -> list[TensorName]:
        """The whole tensors that are shown."""
        return []

    @property
    def subject(self) -> str:
        """The type of block whose tensors are shown: how they are shown is remembered for it."""
        return ""

    def places(self) -> list[PortName | Link]:
        """The ports and wires whose gradients are explained."""
        return []

    def questions(self) -> list[TensorName | WhyZero]:
        """All that is asked of a run: the tensors, and the chains to the roots of zeros where there are any."""
        results = self._session.results
        if results is None:
            return [*self.wanted()]
        readings = [(place, results.wire(place) if isinstance(place, Link) else results.port(place))
                    for place in self.places()]  # fmt: skip
        return [*self.wanted(), *(WhyZero(place) for place, found in readings if found and found.zero)]

    def show_answers(self, answers: Mapping[TensorName | WhyZero, Any]) -> None:
        """Shows what has been answered so far."""
        self.show_tensors(answers)
        chains = {name.place: chain for name, chain in answers.items() if isinstance(name, WhyZero) and chain}
        if chains != self._chains:
            self._chains = chains
            self.refresh()

    def show_tensors(self, tensors: Mapping[TensorName | WhyZero, Array | None]) -> None:
        """Shows those of the wanted tensors that have arrived."""
        if self._values is not None:
            wanted = self.wanted()
            names = [
                Shown("∂L" if item.is_gradient else tr("value"), tensors.get(item), item.is_gradient) for item in wanted
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
        self._values = ValueView(self._appearance, tr("Tensors"), section)
        self._values.mode_changed.connect(self.mode_changed)
        self._values.element_chosen.connect(self.element_chosen)
        section.body.addWidget(self._values)
        return section

    def _add_why(self) -> WhyList:
        mark = icon(self._appearance.theme, "grad", "grad.text", 14)
        section = self._add_section(tr("Why this gradient?"), "inspector_why_section", mark)
        why = WhyList(self._appearance, section)
        why.place_chosen.connect(self.place_chosen)
        why.fix_chosen.connect(self.fix_chosen)
        section.body.addWidget(why)
        self._ways = WayButtons(self._appearance, section)
        self._ways.chosen.connect(self.command_chosen)
        section.body.addWidget(self._ways)
        self.check = CheckView(self._session, self._appearance, section)
        section.body.addWidget(self.check)
        self.why = why
        return why

    def _forecast(self, is_step: bool) -> None:
        """Predicts the loss from the first of a series of steps on; what is typed is no small step."""
        if is_step:
            self._session.begin_forecast()
        else:
            self._session.end_forecast()

    def _offer_check(self, place: Link | PortName | None) -> None:
        """Offers to check a gradient, where there is one, and to see where it comes from."""
        results = self._session.results
        reading = None
        if results is not None and place is not None:
            reading = results.wire(place) if isinstance(place, Link) else results.port(place)
        has_gradient = reading is not None and reading.status not in (Status.UNKNOWN, Status.NO_GRADIENT_DTYPE)
        has_gradient = has_gradient and bool(self._session.losses)
        if self.check is not None:
            self.check.show_place(place if has_gradient else None)
        self._ways.offer(has_gradient and reading is not None and reading.status is not Status.NO_PATH)

    def _facts(self) -> Facts:
        session = self._session
        instances = session.inferred.expanded.instances
        return Facts(instances, session.results, session.problems, self._chains, session.graph)


class WireView(View):
    """One wire: its ends, the value on it, what comes back along it, and why."""

    def __init__(self, session: Session, appearance: Appearance) -> None:
        super().__init__(session, appearance)
        self._wire: Wire | None = None
        ends = self._add_section(tr("Ends"), "inspector_ends")
        self._fields = [ReadField(f"inspector_{name}", ends) for name in ("from", "to", "spec")]
        for text, field in zip((tr("From"), tr("To"), tr("Carries")), self._fields, strict=True):
            ends.add_row(text, field)
        self._add_values()
        self._whys = self._add_why()

    def show_wire(self, wire: Wire) -> None:
        """Shows a wire from now on."""
        self._wire = wire
        self.refresh()

    @property
    def subject(self) -> str:
        """The type of the block that the wire comes from."""
        block = None if self._wire is None else self._session.page.blocks.get(self._wire.source.block)
        return "" if block is None else block.type

    def refresh(self) -> None:
        """The ends, the spec and the explanations; below the wire's own part the total, if there is more."""
        wire, session = self._wire, self._session
        if wire is None:
            return
        self._head.show_head(("route", "text.secondary"), tr("Wire"), f"{wire.source.block} → {wire.target.block}")
        spec = session.spec(wire.source)
        carried = "?" if spec is None else f"{spec.dtype.name} {shape_text(spec.shape)}"
        for field, text in zip(self._fields, (self._end(wire.source), self._end(wire.target), carried), strict=True):
            show_text(field, text)
        facts, link = self._facts(), session.link(wire)
        name = wire.source.block
        whys = [(tr("∂L/∂{name} here", name=name), explain_wire(facts, link))]
        if self._has_more_parts(wire):
            whys.append((tr("∂L/∂{name} in all", name=name), explain_port(facts, link.source)))
        self._whys.show_all(whys)
        self._offer_check(link)

    def _has_more_parts(self, wire: Wire) -> bool:
        """Whether more comes back to the source of a wire than along it."""
        session = self._session
        inner = () if session.results is None else session.results.inner_parts(session.link(wire).source)
        return bool(inner) or len(list(session.page.wires_from(wire.source))) > 1

    def places(self) -> list[PortName | Link]:
        """The wire itself, and the port that it comes from."""
        if self._wire is None:
            return []
        link = self._session.link(self._wire)
        return [link, link.source]

    def wanted(self) -> list[TensorName]:
        """The value at the source, and what comes back along the wire where anything can."""
        if self._wire is None:
            return []
        link, reading = self._session.link(self._wire), self._session.wire(self._wire)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(link.source), *[TensorName(link, True)] * has_gradient]

    def _end(self, port: Port) -> str:
        block = self._session.page.blocks.get(port.block)
        return plain(str(port) if block is None else f"{port}   {block.type}")
