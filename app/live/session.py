"""One open document with its runs, its file and the page shown, signals for all of them, and parts of features."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from gradwire.app.base.translation import tr_sentence
from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.file_status import FileStatus
from gradwire.app.live.inferring import Inferring
from gradwire.app.live.page_shown import PageShown
from gradwire.app.live.parts import Parts
from gradwire.app.live.pause import Pause
from gradwire.app.live.process.crash_problems import problem_of
from gradwire.app.live.process.evaluator import Died
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.readings.readings import PlaceReading, Results
from gradwire.app.live.runs import Runs
from gradwire.app.live.selection import NOTHING, Selection
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.inferred import Inferred, usable_losses
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import SEVERITIES, Problem, listed
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph, Page, Port, Wire
from gradwire.engine.graph.paths import first_rounds


class SessionSignals(QObject):
    """What a session tells those who show it; `Session` says when each signal comes."""

    graph_changed = Signal(object, object)
    inferred_changed = Signal(object)
    refused = Signal(str)
    results_changed = Signal(object)
    replied = Signal(object)
    busy_changed = Signal(bool)
    mode_changed = Signal()
    selection_changed = Signal(object)
    page_changed = Signal(str)
    pause_changed = Signal()
    caught_up = Signal()


class Session(SessionSignals, Parts):
    """One open document. Panels read it and apply edits through it; they own nothing.

    Its own parts are `document` (graph and history), `runs` (results and questions), `view` (page shown and selection),
    `file` and `data` (files of examples); those of features, which it does not know, are asked for by `part`.
    Signals carry values: `graph_changed(old, new)`, `inferred_changed(Inferred)`, and `refused(str)` with the reason
    why an edit was impossible; `edited(old, new)` tells parts of an edit before views hear of it. While there is a
    `pause`, edits wait, and `pause_changed()` comes with all that it shows. `caught_up()` comes when all is there that
    belongs together: whoever follows with a delay is to follow now. Signals of the runs and of the view are passed on.
    """

    edited = Signal(object, object)
    closing = Signal()

    def __init__(
        self,
        graph: Graph,
        make_evaluator: MakeEvaluator,
        path: Path | None = None,
        notices: tuple[Problem, ...] = (),
        parent: QObject | None = None,
        allowed: AllowedFolders | None = None,
    ) -> None:
        super().__init__(parent)
        self.add_part(self)
        # A file may have no page at all; there is always one to be shown.
        graph = graph if graph.pages else dataclasses.replace(graph, pages=Graph().pages)
        self.inferred: Inferred
        self._inferring = Inferring(self)
        # The reason why the graph as it is is not evaluated any more.
        self._death: Problem | None = None
        self.document = Document(graph, path)
        self.file = self.add_part(FileStatus(self.document, notices, self))
        self.make_evaluator = make_evaluator
        self.runs = Runs(self.document, make_evaluator, self.file.is_understood, self)
        self.scheduler = self.runs.scheduler
        self.view = PageShown(self.document, lambda: self.inferred.expanded, self)
        self.pause: Pause | None = None
        self.data = self.add_part(DataFiles(self.document, self.runs.ask, allowed, self))
        self.runs.filled = self.data.filled
        self._connect()
        # The evaluator infers at the same time as this process, which needs the specs for what is to be painted.
        self.runs.evaluate()
        self.inferred = self._inferring.anew(graph)
        self.data.look()

    def _connect(self) -> None:
        self._inferring.found.connect(self._take_inferred)
        self.document.add_listener(self._graph_changed)
        self.scheduler.gave_up.connect(self._give_up)
        self.runs.mask_of_pause = lambda: None if self.pause is None else self.pause.gradient_mask
        self.pause_changed.connect(self.runs.refresh_mask)
        self.runs.results_changed.connect(self.results_changed)
        self.runs.replied.connect(self._take_data)
        self.runs.replied.connect(self.replied)
        self.runs.busy_changed.connect(self.busy_changed)
        self.runs.mode_changed.connect(self.mode_changed)
        self.view.selection_changed.connect(self.selection_changed)
        self.view.page_changed.connect(self.page_changed)

    # What is there

    @property
    def graph(self) -> Graph:
        """The graph as it is now."""
        return self.document.graph

    @property
    def page_name(self) -> str:
        """The name of the page shown."""
        return self.view.name

    @property
    def page(self) -> Page:
        """The page shown."""
        return self.view.page

    @property
    def prefix(self) -> str:
        """The path under which results of the page shown are found: its name, or that of one use of it."""
        return self.view.prefix

    @property
    def selection(self) -> Selection:
        """The things that are selected on the page shown."""
        return self.view.selection

    @property
    def only_block(self) -> str:
        """The block that alone is selected; "" if there is none, or something else is too."""
        (found,) = self.selection.blocks if len(self.selection.blocks) == 1 else ("",)
        return found

    @property
    def results(self) -> Results | None:
        """The newest results, without gradients that the mask hides."""
        return self.runs.results

    @property
    def is_stale(self) -> bool:
        """Whether the results shown are those of an older graph, and none are on their way that nothing has delayed."""
        return self.runs.are_stale

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All problems, errors first: the file's notices, then those of the newest run or inference."""
        is_current = self.results is not None and self.runs.are_current
        found = self.results.problems if is_current and self.results is not None else listed(self.inferred.problems)
        deaths = () if self.death is None else (self.death,)
        told = (*self.file.notices, *deaths, *map(self.data.told, found))
        return tuple(sorted(told, key=lambda problem: SEVERITIES.index(problem.severity)))

    @property
    def losses(self) -> list[str]:
        """The qualified names of all Loss blocks that can be shown."""
        return usable_losses(self.inferred.expanded)

    # Readings of the page shown

    def port_name(self, port: Port) -> PortName:
        """Returns the name under which results know a port of the page shown."""
        return PortName(f"{self.prefix}/{port.block}", port.name)

    def link(self, wire: Wire) -> Link:
        """Returns the name under which results know a wire of the page shown."""
        return Link(self.port_name(wire.source), self.port_name(wire.target))

    def port(self, port: Port) -> PlaceReading | None:
        """Returns the reading of an output port of the page shown."""
        return None if self.results is None else self.results.port(self.port_name(port))

    def wire(self, wire: Wire) -> PlaceReading | None:
        """Returns the reading of a wire of the page shown."""
        return None if self.results is None else self.results.wire(self.link(wire))

    def spec(self, port: Port) -> TensorSpec | None:
        """Returns the spec of an output port of the page shown: as inferred, else that of the value last found."""
        inferred = self.inferred.specs.get(self.port_name(port))
        found = self.port(port) if inferred is None else None
        value = None if found is None else found.value
        if value is None or value.shape is None:
            return inferred
        return TensorSpec(value.shape, np.dtype(value.dtype))

    @property
    def death(self) -> Problem | None:
        """The reason why the graph is not evaluated any more; None if it is."""
        return self._death if self.runs.has_given_up else None

    def problems_of(self, block_id: str) -> list[Problem]:
        """Returns the problems of one block of the page shown."""
        return [problem for place, problem in self.problems_here() if place == block_id]

    def problems_here(self) -> Iterator[tuple[str, Problem]]:
        """Yields the problems on the page shown and on pages inside it, with their places seen from the page.

        What is wrong with a block in one round of a loop is so in all of them, unless it comes of the numbers there.
        """
        here, anywhere, told = f"{self.prefix}/", first_rounds(f"{self.prefix}/"), set[tuple[str, str]]()
        for problem in self.problems:
            at = problem.at
            if not at.startswith(here) and problem.severity == "error" and problem.code != "runtime":
                at = here + first_rounds(at).removeprefix(anywhere) if first_rounds(at).startswith(anywhere) else ""
            if at.startswith(here) and (at, problem.message) not in told:
                told.add((at, problem.message))
                yield at[len(here) :], problem

    # What can be done

    # Any: the edit decides what it takes and what it gives besides the graph.
    def apply(
        self, text: str, edit: Callable[..., Any], /, *args: Any, merge_key: Hashable | None = None, **kwargs: Any
    ) -> Any:
        """Carries out an edit as `Document.apply` does; an impossible one changes nothing and is said by `refused`.

        During a pause it waits until the user has left that.
        """
        if self.file.read_only:
            self.refused.emit(self.file.read_only)
            return None
        if self._is_held(lambda: self.apply(text, edit, *args, merge_key=merge_key, **kwargs)):
            return None
        try:
            return self.document.apply(text, edit, *args, merge_key=merge_key, **kwargs)
        except EditError as error:
            self.refused.emit(tr_sentence(str(error)))
            return None

    def undo(self, count: int = 1) -> None:
        """Takes the last edits back."""
        if not self._is_held(partial(self.undo, count)):
            self.document.undo(count)

    def redo(self, count: int = 1) -> None:
        """Does again what was undone last."""
        if not self._is_held(partial(self.redo, count)):
            self.document.redo(count)

    def withdraw(self, merge_key: Hashable) -> None:
        """Takes a cancelled drag back as if it had never been; one that was saved meanwhile is undone."""
        if self.pause is not None:
            # The drag has changed nothing: its edits wait.
            self.pause.forget()
        elif not self.document.withdraw(merge_key):
            self.undo()

    def leave_pause(self) -> None:
        """Ends the time in which edits wait."""
        if self.pause is not None:
            self.pause.leave()

    def _is_held(self, edit: Callable[[], object]) -> bool:
        """Lets an edit wait during a pause; returns whether it does."""
        if self.pause is not None:
            self.pause.hold(edit)
        return self.pause is not None

    def select(self, selection: Selection, is_made: bool = False) -> None:
        """Selects exactly this; `is_made` says that an edit has made it, and nobody has picked it."""
        self.view.select(selection, is_made)

    def evaluate(self) -> None:
        """Evaluates the graph as it is now, unless it means what this version does not know."""
        self._inferring.resume(self.inferred)
        self.runs.evaluate()

    def stop(self) -> None:
        """Ends the run and the expansion of pages under way; the next edit, or `evaluate`, begins both anew."""
        self._inferring.stop()
        self.runs.stop()

    def ask(self, question: Question, is_once: bool = False) -> None:
        """Asks something of the newest run; `replied` brings the answer, which is None for what a veil hides."""
        self.runs.ask(question, is_once)

    def infer_anew(self) -> None:
        """Infers the whole graph again, after block types have changed."""
        self.inferred = self._inferring.anew(self.data.filled(self.graph))

    def wait_for_pages(self) -> None:
        """Waits until all pages are expanded."""
        self._inferring.wait()

    def close(self, waits: bool = True) -> None:
        """Ends the evaluator, and `waits` for that; the session must not be used afterwards."""
        self.leave_pause()
        self._inferring.stop()
        self.closing.emit()
        self.runs.close(waits)

    # What happens then

    def _graph_changed(self, old: Graph, new: Graph) -> None:
        filled = self.data.filled(old), self.data.filled(new)
        before, self.inferred = self.inferred, self._inferring.after(self.inferred, *filled)
        if self.inferred is not before:
            self.inferred_changed.emit(self.inferred)
        self.view.keep_place(old, new)
        self.edited.emit(old, new)
        self.graph_changed.emit(old, new)
        self.file.tell_saved()
        self.runs.evaluate_edit()
        self.data.look()

    def _take_data(self, reply: Reply) -> None:
        """Infers and runs the graph with the content of a file that has been read."""
        if self.data.take(reply):
            self.infer_anew()
            self._take_inferred(self.inferred)
            self.runs.evaluate()

    def _take_inferred(self, inferred: Inferred) -> None:
        """Takes over another inference of the same graph: with all pages expanded, or the content of a file."""
        self.inferred = inferred
        self.inferred_changed.emit(inferred)
        self.graph_changed.emit(self.graph, self.graph)

    def _give_up(self, died: Died) -> None:
        """Says which block was running as a problem of that block, until something is evaluated again."""
        self._death = problem_of(died, self.inferred)
        self.runs.give_up(died)
        self.refused.emit(tr_sentence(self._death.message))


__all__ = ["NOTHING", "Selection", "Session"]
