"""The inspector's view of one wire."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.kit.controls.form_parts import show_text
from gradwire.app.kit.inspection import View
from gradwire.app.kit.why.why import why_of
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import TensorName
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term
from gradwire.app.look.numbers import shape_text
from gradwire.app.look.statuses import ZEROS
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.graph.graph import Port, Wire


class WireView(View):
    """The view of one wire: its ends, its value, its gradient, and the cause."""

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self._wire: Wire | None = None
        ends = self._add_section(tr("Ends"), "inspector_ends")
        self._fields = [ReadField(f"inspector_{name}", ends) for name in ("from", "to", "spec")]
        terms = (Term.PORT_NAME, Term.PORT_NAME, Term.SCALAR_SHAPE)
        for text, field, term in zip((tr("From"), tr("To"), tr("Carries")), self._fields, terms, strict=True):
            ends.add_row(text, field, term)
        values = self._add_values()
        self._add_why()
        self._add_more(tr("value · type · paths · check"), ends, values)

    def begin_document(self) -> None:
        """Belongs to another document from now on."""
        self._wire = None
        super().begin_document()

    def show_wire(self, wire: Wire) -> None:
        """Shows another wire."""
        self._wire = wire
        self.refresh()

    @property
    def subject(self) -> str:
        """The type of the block that the wire comes from."""
        block = None if self._wire is None else self.session.page.blocks.get(self._wire.source.block)
        return "" if block is None else block.type

    def refresh(self) -> None:
        """Shows ends, spec and explanations; below the wire's own part stands the total, if it has more parts."""
        wire, session = self._wire, self.session
        if wire is None:
            return
        spec = session.spec(wire.source)
        carried = "?" if spec is None else f"{spec.dtype.name} {shape_text(spec.shape)}"
        for field, text in zip(self._fields, (self._end(wire.source), self._end(wire.target), carried), strict=True):
            show_text(field, text)
        facts, link = self._facts(), session.link(wire)
        name = wire.source.block
        why = why_of(facts, link)
        whys = [(tr("∂L/∂{name} here", name=name), why)]
        source, target = (facts.label(port.path) for port in link)
        ends = tr("wire {source} → {target}", source=source, target=target)
        is_broken = why.status is Status.NONFINITE
        if not is_broken and self._has_more_parts(wire):
            whys.append((tr("∂L/∂{name} in all", name=name), why_of(facts, link.source)))
        title = tr("Why NaN?") if is_broken else tr("Why 0?") if why.status in ZEROS else tr("Why this gradient?")
        place = why.product.place if is_broken and why.product is not None else ""
        self._head.show_head(None, title, place or ends)
        self._show_whys(whys, is_answer=True)
        self._show_parts(link)

    def _has_more_parts(self, wire: Wire) -> bool:
        """Returns whether the gradient of a wire's source has parts besides this wire's."""
        session = self.session
        inner = () if session.results is None else session.results.inner_parts(session.link(wire).source)
        return bool(inner) or len(list(session.page.wires_from(wire.source))) > 1

    def places(self) -> list[PortName | Link]:
        """Returns the wire itself and its source port."""
        if self._wire is None:
            return []
        link = self.session.link(self._wire)
        return [link, link.source]

    def wanted(self) -> list[TensorName]:
        """Returns the value at the source, and the wire's gradient if its dtype allows one."""
        if self._wire is None:
            return []
        link, reading = self.session.link(self._wire), self.session.wire(self._wire)
        has_gradient = reading is not None and reading.status is not Status.NO_GRADIENT_DTYPE
        return [TensorName(link.source), *[TensorName(link, True)] * has_gradient]

    def _end(self, port: Port) -> str:
        block = self.session.page.blocks.get(port.block)
        return plain(str(port) if block is None else f"{port}   {block.type}")
