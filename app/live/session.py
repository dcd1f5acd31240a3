"""One open document with its newest results, its selection and the page shown; signals for all of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.live.checks import Checks
from app.live.comparison import Comparison, WithoutStops
from app.live.console import Console
from app.live.ends import problem_of
from app.live.evaluator import Died
from app.live.forecast import Forecast, Ghost
from app.live.inferring import inferred_after
from app.live.questions import Question, Reply
from app.live.readings import PortReading, Results, WireReading
from app.live.scheduler import MakeEvaluator, Scheduler
from app.live.slice_maps import SliceMaps
from app.live.veil import Veil
from app.live.walk import Walk
from app.words import tr, tr_sentence
from engine.block_type import Role
from engine.document import Document
from engine.errors import EditError
from engine.expand import Link, PortName, expand, top_pages
from engine.file_reading import FEATURES
from engine.graph import Block, Graph, Page, Port, Wire
from engine.infer import Inferred, infer_specs
from engine.inferred import usable_losses
from engine.ports import pages_along, used_page
from engine.problems import Problem
from engine.tensor_spec import TensorSpec


@dataclass(frozen=True)
class Selection:
    """What is selected on the page shown."""

    blocks: frozenset[str] = frozenset()
    wires: frozenset[Wire] = frozenset()
    frames: frozenset[str] = frozenset()
    notes: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.blocks or self.wires or self.frames or self.notes)

    def __or__(self, other: Selection) -> Selection:
        return self._combined(other, frozenset.union)

    def __xor__(self, other: Selection) -> Selection:
        return self._combined(other, frozenset.symmetric_difference)

    def _combined(self, other: Selection, combine: Callable[..., frozenset[Any]]) -> Selection:
        names = [item.name for item in dataclasses.fields(self)]
        return Selection(*(combine(getattr(self, name), getattr(other, name)) for name in names))


NOTHING = Selection()
# What has become of a document's file: nothing, another content, or it is gone.
FileState = Literal["", "changed", "vanished"]


class Session(QObject):
    """Everything about one open document. Panels read it and apply edits through it; they own nothing.

    Signals carry values: `graph_changed(old, new)`, `results_changed(Results | None)`,
    `selection_changed(Selection)`, `page_changed(str)`, `inferred_changed(Inferred)`, `busy_changed(bool)`,
    `mode_changed()` after a change of Live or of the StopGradient switch, or when an evaluator has ended,
    `saved_changed(bool)`, `path_changed(Path | None)`, `file_turned(FileState)` when the file is no longer what it was
    or may not be written, `refused(str)` with the reason why an edit was impossible,
    `replied(Reply)` with the answer to a question, `forecast_changed()` when a number begins or ceases to be dragged.
    """

    graph_changed = Signal(object, object)
    results_changed = Signal(object)
    inferred_changed = Signal(object)
    selection_changed = Signal(object)
    page_changed = Signal(str)
    busy_changed = Signal(bool)
    mode_changed = Signal()
    saved_changed = Signal(bool)
    path_changed = Signal(object)
    file_turned = Signal(str)
    refused = Signal(str)
    replied = Signal(object)
    forecast_changed = Signal()

    def __init__(
        self,
        graph: Graph,
        make_evaluator: MakeEvaluator,
        path: Path | None = None,
        notices: tuple[Problem, ...] = (),
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        # A file may have no page at all; there is always one to be shown.
        graph = graph if graph.pages else dataclasses.replace(graph, pages=Graph().pages)
        self.document = Document(graph, path)
        self.notices = notices
        self.scheduler = Scheduler(make_evaluator, self)
        self.selection = Selection()
        self.results: Results | None = None
        self.true_results: Results | None = None
        self._veil: Veil | None = None
        self._veil_shown: Veil | None = None
        self._forecast: Forecast | None = None
        self.inferred: Inferred
        self.is_live = True
        self.ignores_stops = False
        self.preview: Comparison | None = None
        self.file_state: FileState = ""
        self.file_lines: Mapping[Problem, int] = {}
        # What this version does not understand is neither evaluated nor saved: it would lose it.
        self.is_understood = FEATURES.issuperset(graph.needs)
        self.read_only = "" if self.is_understood else self._needs_sentence()
        self._prefix = self._page_name = graph.pages[0].name
        # The pages shown so far, the last one last.
        self._visited = [self._page_name]
        self._results_graph: Graph | None = None
        self._sent: dict[int, Graph] = {}
        # Why the graph as it is is not evaluated any more.
        self._deaths: tuple[Problem, ...] = ()
        self.checks = Checks(self)
        self.slices = SliceMaps(self)
        self.document.add_listener(self._graph_changed)
        self.scheduler.arrived.connect(self._take_results)
        self.scheduler.values_arrived.connect(self._take_results)
        self.scheduler.replied.connect(self.replied)
        self.scheduler.busy_changed.connect(self.busy_changed)
        self.scheduler.ended.connect(self._take_end)
        self.scheduler.gave_up.connect(self._give_up)
        self.walk = Walk(self)
        self.walk.changed.connect(self._follow_walk)
        self.console = Console(self)
        # The evaluator infers at the same time as this process, which needs the specs for what is to be painted.
        self.evaluate()
        self.inferred = infer_specs(graph)

    # What is there

    @property
    def graph(self) -> Graph:
        """The graph as it is now."""
        return self.document.graph

    @property
    def page_name(self) -> str:
        """The name of the page shown."""
        return self._page_name

    @property
    def page(self) -> Page:
        """The page shown."""
        return self.graph.page(self._page_name)

    @property
    def prefix(self) -> str:
        """The path under which results of the page shown are found: its name, or that of one use of it."""
        return self._prefix

    @property
    def is_stale(self) -> bool:
        """Whether the results shown are those of an older graph, and none are on their way that nothing has delayed."""
        is_soon_over = self.scheduler.is_busy and not self.scheduler.has_lost_run
        return self._results_graph is not self.graph and not is_soon_over

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything worth saying: the file's notices, then what the newest run or inference found; errors first."""
        is_current = self.results is not None and self._results_graph is self.graph
        found = self.results.problems if is_current and self.results is not None else tuple(self.inferred.problems)
        order = {"error": 0, "warning": 1, "info": 2}
        return tuple(sorted((*self.notices, *self._deaths, *found), key=lambda problem: order[problem.severity]))

    @property
    def only_block(self) -> str:
        """The block that alone is selected; "" if there is none, or something else is too."""
        (found,) = self.selection.blocks if len(self.selection.blocks) == 1 else ("",)
        return found

    def port_name(self, port: Port) -> PortName:
        """The name under which results know a port of the page shown."""
        return PortName(f"{self._prefix}/{port.block}", port.name)

    def link(self, wire: Wire) -> Link:
        """The name under which results know a wire of the page shown."""
        return Link(self.port_name(wire.source), self.port_name(wire.target))

    def port(self, port: Port) -> PortReading | None:
        """What is known of an output port of the page shown."""
        return None if self.results is None else self.results.port(self.port_name(port))

    def wire(self, wire: Wire) -> WireReading | None:
        """What is known of a wire of the page shown."""
        return None if self.results is None else self.results.wire(self.link(wire))

    def spec(self, port: Port) -> TensorSpec | None:
        """The spec of an output port of the page shown: as inferred, else that of the value found in the last run."""
        inferred = self.inferred.specs.get(self.port_name(port))
        found = self.port(port) if inferred is None else None
        value = None if found is None else found.value
        if value is None or value.shape is None:
            return inferred
        return TensorSpec(value.shape, np.dtype(value.dtype))

    def problems_of(self, block_id: str) -> list[Problem]:
        """The problems of one block of the page shown."""
        path = f"{self._prefix}/{block_id}"
        return [problem for problem in self.problems if problem.at == path]

    @property
    def losses(self) -> list[str]:
        """The qualified names of all Loss blocks that can be shown."""
        return usable_losses(self.inferred.expanded)

    # What can be done

    # Any: the edit decides what it takes and what it gives besides the graph.
    def apply(
        self, text: str, edit: Callable[..., Any], /, *args: Any, merge_key: Hashable | None = None, **kwargs: Any
    ) -> Any:
        """Carries out an edit as `Document.apply` does; an impossible one changes nothing and is said by `refused`.

        In step mode it waits until the user has left that.
        """
        if self.read_only:
            self.refused.emit(self.read_only)
            return None
        if self.walk.holds(lambda: self.apply(text, edit, *args, merge_key=merge_key, **kwargs)):
            return None
        try:
            return self.document.apply(text, edit, *args, merge_key=merge_key, **kwargs)
        except EditError as error:
            self.refused.emit(tr_sentence(str(error)))
            return None

    def undo(self) -> None:
        """Takes the last edit back."""
        if not self.walk.holds(self.undo):
            self.document.undo()

    def redo(self) -> None:
        """Does again what was undone last."""
        if not self.walk.holds(self.redo):
            self.document.redo()

    def withdraw(self, merge_key: Hashable) -> None:
        """Takes a cancelled drag back as if it had never been; one that was saved meanwhile is undone."""
        if self.walk.is_on:
            # The drag has changed nothing: its edits wait.
            self.walk.forget()
        elif not self.document.withdraw(merge_key):
            self.undo()

    def select(self, selection: Selection) -> None:
        """Selects exactly this."""
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    def show_page(self, name: str, prefix: str | None = None) -> None:
        """Shows a page; `prefix` is the path of the use whose results are to be seen, by default the first."""
        if not self.graph.has_page(name):
            return
        self._page_name, self._prefix = name, prefix or self._first_prefix(name)
        self._visited = [*(other for other in self._visited if other != name), name]
        self.select(Selection())
        self.page_changed.emit(name)

    def enter(self, block: Block) -> None:
        """Shows the page that a Page block uses, with the results of this use."""
        page = used_page(self.graph, block)
        if page is not None:
            self.show_page(page.name, f"{self._prefix}/{block.id}")

    @property
    def trail(self) -> list[tuple[str, str]]:
        """Where the page shown stands: page and path of each page on the way to it, its own last."""
        parts = self._prefix.split("/")
        paths = ["/".join(parts[:number]) for number in range(1, len(parts) + 1)]
        return list(zip((page.name for page in pages_along(self.graph, self._prefix)), paths, strict=False))

    def leave(self) -> bool:
        """Shows the page around the one shown, with the block selected that was entered; False if there is none."""
        if len(self.trail) < 2:
            return False
        entered = self._prefix.rpartition("/")[2]
        self.show_page(*self.trail[-2])
        self.select(Selection(frozenset([entered])))
        return True

    def set_live(self, is_live: bool) -> None:
        """Live evaluates after every edit, Manual only when asked."""
        if is_live != self.is_live:
            self.is_live = is_live
            self.mode_changed.emit()
            if is_live and self._results_graph is not self.graph:
                self.evaluate()

    def set_ignores_stops(self, ignores: bool) -> None:
        """Shows, beside the gradients, those without any StopGradient. Never saved, not in the history."""
        if ignores != self.ignores_stops:
            self.ignores_stops, self.preview = ignores, None
            self.evaluate()
            self.mode_changed.emit()

    def set_preview(self, preview: Comparison | None) -> None:
        """Shows, beside the gradients, those in another state of the stops, in place of those without any."""
        if preview != self.preview:
            self.preview = preview
            self.evaluate()
            self.mode_changed.emit()

    @property
    def comparison(self) -> Comparison | None:
        """What the gradients are compared with."""
        return self.preview or (WithoutStops() if self.ignores_stops else None)

    def evaluate(self) -> None:
        """Evaluates the graph as it is now, unless it means what this version does not know."""
        if not self.is_understood:
            return
        self._deaths = ()
        revision = self.scheduler.revision + 1
        self._sent[revision] = self.graph
        self.scheduler.schedule(self.graph, self.comparison)

    def stop(self) -> None:
        """Ends the run under way; the graph is not run again before the next edit, or until somebody asks for it."""
        self.scheduler.stop()

    def ask(self, question: Question) -> None:
        """Asks something of the newest run; `replied` brings the answer, which is None for what a veil hides."""
        veil = self._veil or self.walk.veil
        if veil is None or veil.lets_pass(question):
            self.scheduler.ask(question)
        else:
            self.replied.emit(Reply(question, 0 if self.results is None else self.results.revision, None))

    def begin_forecast(self) -> None:
        """From here on, or already, `ghost` tells what the gradient of the graph as it is now predicts."""
        if self._forecast is None and self.results is not None and self._results_graph is self.graph:
            self._forecast = Forecast(self.graph, self.results)
            self.forecast_changed.emit()

    def end_forecast(self) -> None:
        """Nothing is predicted any longer."""
        if self._forecast is not None:
            self._forecast = None
            self.forecast_changed.emit()

    @property
    def ghost(self) -> Ghost | None:
        """The newest loss beside what was predicted for it when a number began to move."""
        if self._forecast is None or self.results is None or self._results_graph is None:
            return None
        return self._forecast.ghost(self._results_graph, self.results, self.inferred.expanded.instances.values())

    def set_veil(self, veil: Veil | None) -> None:
        """Hides gradients from all who read `results`; `true_results` still has them. Never saved."""
        if veil != self._veil:
            self._veil = veil
            if self.true_results is not None:
                self._show_results(self.true_results)
            self.mode_changed.emit()

    def mark_saved(self, path: Path) -> None:
        """Notes that the graph as it is now is what the file holds."""
        self.document.path = path
        self.document.mark_saved()
        # They were about the file as it was.
        self.notices, self.file_lines = (), {}
        self.path_changed.emit(path)
        self.saved_changed.emit(True)

    def mark_unsaved(self) -> None:
        """Notes that no file holds the graph."""
        self.document.mark_unsaved()
        self.saved_changed.emit(False)

    def set_read_only(self, reason: str) -> None:
        """Refuses all edits for a reason, a sentence; "" lets them be made again."""
        self.read_only = reason
        self.file_turned.emit(self.file_state)

    def set_file_lines(self, lines: Mapping[Problem, int]) -> None:
        """Notes in which lines of the file its defects stand."""
        self.file_lines = lines
        self.file_turned.emit(self.file_state)

    @property
    def defects(self) -> list[Problem]:
        """What was found to be broken in the file when it was opened, and still is."""
        return [problem for problem in self.problems if problem in self.file_lines] if self.file_lines else []

    def set_file_state(self, state: FileState) -> None:
        """Notes what has become of the file; once it has vanished, nothing holds the graph but this session."""
        if state != self.file_state:
            self.file_state = state
            self.file_turned.emit(state)
            if state == "vanished":
                self.mark_unsaved()

    def close(self, waits: bool = True) -> None:
        """Ends the evaluator, and `waits` for that; the session must not be used afterwards."""
        self.walk.leave()
        self.scheduler.close(waits)

    # What happens then

    def _graph_changed(self, old: Graph, new: Graph) -> None:
        before, self.inferred = self.inferred, inferred_after(self.inferred, old, new)
        if self.inferred is not before:
            self.inferred_changed.emit(self.inferred)
            self._keep_place(old, new)
        self._keep_selection()
        self.graph_changed.emit(old, new)
        self.saved_changed.emit(self.document.is_saved)
        if self.is_live:
            self.evaluate()

    def _keep_place(self, old: Graph, graph: Graph) -> None:
        """Leaves a page or use that is gone."""
        if not graph.has_page(self._page_name):
            self.show_page(self._page_instead(old, graph))
        elif self._prefix != self._first_prefix(self._page_name) and self._prefix not in self._uses(self._page_name):
            self.show_page(self._page_name)

    def _keep_selection(self) -> None:
        """Drops from the selection what is gone."""
        page, chosen = self.page, self.selection
        wires = set(page.wires.values()) | set(page.surplus) if chosen.wires else frozenset()
        self.select(
            Selection(
                frozenset(chosen.blocks & page.blocks.keys()),
                chosen.wires & wires,
                chosen.frames & {frame.id for frame in page.frames},
                chosen.notes & {note.id for note in page.notes},
            )
        )

    def _page_instead(self, old: Graph, graph: Graph) -> str:
        """The page to show for one that is gone: its new name, else the one that was shown last before it."""
        if len(graph.pages) == len(old.pages):
            return graph.pages[[page.name for page in old.pages].index(self._page_name)].name
        return next((name for name in reversed(self._visited) if graph.has_page(name)), graph.pages[0].name)

    def _first_prefix(self, name: str) -> str:
        if name in self.inferred.expanded.unused or any(page.name == name for page in top_pages(self.graph)):
            return name
        return next(iter(self._uses(name)), name)

    def _uses(self, name: str | None = None) -> Iterator[str]:
        """The paths of all uses of a page; None stands for every page."""
        for path, instance in expand(self.graph).instances.items():
            if instance.role is Role.PAGE and instance.is_entered:
                page = used_page(self.graph, instance.block)
                if page is not None and name in (None, page.name):
                    yield path

    def _take_results(self, results: Results) -> None:
        self._results_graph = self._sent.get(results.revision)
        self._sent = {revision: graph for revision, graph in self._sent.items() if revision >= results.revision}
        self._show_results(results)

    def _show_results(self, results: Results) -> None:
        self.true_results = results
        veil = self._veil_shown = self._veil or self.walk.veil
        self.results = results if veil is None else veil.over(results)
        self.results_changed.emit(self.results)

    def _follow_walk(self) -> None:
        """Shows what the steps have reached."""
        if self.true_results is not None and (self._veil or self.walk.veil) != self._veil_shown:
            self._show_results(self.true_results)

    @staticmethod
    def _needs_sentence() -> str:
        return tr("This file is read-only here: it needs features that this version does not have.")

    def _take_end(self, _: Died) -> None:
        """What is shown is old from now on."""
        self.mode_changed.emit()

    def _give_up(self, died: Died) -> None:
        """Says which block was running as a problem of that block, until something is evaluated again."""
        self._deaths = (problem_of(died, self.inferred),)
        self.set_live(False)
        self.results_changed.emit(self.results)
        self.refused.emit(tr_sentence(self._deaths[0].message))


__all__ = ["Selection", "Session"]
