"""The lens of flow: how much of the gradient each block passes on, the most unusual block first."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.flow.flow_question import FlowName
from gradwire.app.features.flow.sorted_table import Column, Entry, SortedTable
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.flow_text import name_of, sent_text, summary, tip_of
from gradwire.app.kit.lens.run_lens import RunLens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term, explanation
from gradwire.app.look.numbers import fmt
from gradwire.app.look.widgets import named, show_or_hide
from gradwire.engine.explain.flow import Flow, FlowStep


class FlowLens(RunLens):
    """A sentence on the whole path from the loss, and a row for each wire of each block."""

    question = FlowName()

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._reach = 1.0
        super().__init__(current, appearance, parent)
        table = SortedTable(appearance, tr("Outliers first"), self._columns(), self)
        self._table = named(table, "flow_rows", says=tr("Gradient flow by block"))
        self._table.row_chosen.connect(self.wire_chosen)
        self.controls = named(self._table.choice, "flow_order")
        self._summary = self.lay_out("flow_summary", self._table)

    def show_answer(self, flow: Flow | None) -> None:
        """Shows the flow."""
        steps = () if flow is None else flow.steps
        sizes = [abs(math.log(step.ratio)) for step in steps if step.sent > 0]
        self._reach = max(sizes, default=0.0) or 1.0
        show_or_hide(self._summary, "" if flow is None else summary(flow))
        entries = [] if flow is None else [_entry(step, flow) for step in steps]
        self._table.show_entries(entries, self._nothing(flow))

    def _nothing(self, flow: Flow | None) -> str:
        otherwise = tr("No gradient passes any block. Wire a block with a gradient between an Input and the Loss.")
        if flow is not None and flow.broken:
            otherwise = tr("No gradient is finite: see Problems for where NaN or infinity first appears.")
        return self.nothing(flow, otherwise)

    def _columns(self) -> list[Column]:
        norm = explanation(Term.NORM)
        return [
            Column(tr("Block"), 112, lambda step: name_of(step.link.target.path), _block, is_number=False),
            Column(tr("Back to"), 96, lambda step: name_of(step.link.source.path), _source, is_number=False),
            Column(tr("Ratio"), 68, lambda step: sent_text(step, step.ratio), lambda step: step.ratio),
            Column(tr("Change"), 96, _course, lambda step: step.ratio, bar=self._share),
            Column(tr("Incoming"), 76, lambda step: fmt(step.arriving), lambda step: step.arriving, tip=norm),
            Column(tr("Returned"), 76, lambda step: sent_text(step, step.sent), lambda step: step.sent, tip=norm),
            Column(tr("Steps"), 60, lambda step: str(step.steps), lambda step: step.steps),
            Column(tr("Mean factor per block"), 92, lambda step: fmt(step.per_step), lambda step: step.per_step),
        ]

    def _share(self, step: FlowStep) -> float:
        return math.log(step.ratio) / self._reach if step.sent > 0 else -1.0


def _entry(step: FlowStep, flow: Flow) -> Entry:
    icon, token = ("warn", "warn") if step.is_unusual else ("", "text.primary")
    return Entry(step.link, step, token, icon, tip_of(step, flow))


def _block(step: FlowStep) -> str:
    return name_of(step.link.target.path).lower()


def _source(step: FlowStep) -> str:
    return name_of(step.link.source.path).lower()


def _course(step: FlowStep) -> str:
    """Returns the bar's meaning in words, for users who cannot see it."""
    if step.ratio == 1:
        return tr("stays")
    return tr("shrinks") if step.ratio < 1 else tr("grows")


FEATURE = Feature(
    "flow", "Gradient flow by block", "How much of the gradient each block passes on", "activation", FlowLens
)
