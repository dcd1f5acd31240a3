"""The runs of one document: when it is evaluated, the newest results, and questions about them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from types import MappingProxyType

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.prepared_run import Done, PreparedRun
from gradwire.app.live.process.evaluator import Died
from gradwire.app.live.process.scheduler import MakeEvaluator, Scheduler
from gradwire.app.live.questions.questions import CausesWanted, Question, Reply
from gradwire.app.live.readings.comparison import Comparison, WithoutStops
from gradwire.app.live.readings.readings import Results
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph

# Without an answer for this long, the results of an older graph are old. Units: ms.
LATE = 2000
# Answers that take longer than this are shown behind the results that they belong to. Units: ms.
ANSWERS_LATE = 500
NO_ANSWERS: Mapping[Question, Reply] = MappingProxyType({})


class Runs(QObject):
    """The runs of one document. Views read `results`; a gradient mask hides some, `true_results` has all.

    Signals carry values: `results_changed(Results | None)`, `arrived(Results)` behind it with those of a run that has
    ended, `replied(Reply)` with the answer to a question,
    `busy_changed(bool)`.
    Results and answers of a prepared run are shown together: from then on its questions are answered at once.
    `mode_changed()` comes after a change of Live, of the comparison or of the mask, at an evaluator's end, when
    evaluation begins again after evaluators have ended in a row, and when an answer is late.
    """

    results_changed = Signal(object)
    arrived = Signal(object)
    replied = Signal(object)
    busy_changed = Signal(bool)
    mode_changed = Signal()

    def __init__(self, document: Document, make_evaluator: MakeEvaluator, is_understood: bool, parent: QObject) -> None:
        """Graphs that are not `is_understood` are never evaluated."""
        super().__init__(parent)
        self._document, self._is_understood = document, is_understood
        self.scheduler = Scheduler(make_evaluator, self)
        self.results: Results | None = None
        self.true_results: Results | None = None
        # The graph that the results belong to; None if it is not known any more.
        self.graph: Graph | None = None
        self.has_given_up = False
        self.is_live = True
        # Gives the graph that is run for one of the document.
        self.filled: Callable[[Graph], Graph] = lambda graph: graph
        self.ignores_stops = False
        self.preview: Comparison | None = None
        self._sent: dict[int, Graph] = {}
        self._mask_shown: GradientMask | None = None
        # Gives the mask of a pause, which hides gradients from all who read `results`.
        self.mask_of_pause: Callable[[], GradientMask | None] = lambda: None
        self._late = make_timer(self, self._note_late, LATE)
        self._is_late = False
        self._prepared: PreparedRun | None = None
        # Whether the document is taking over the graph of a prepared run.
        self._is_taking_over = False
        # What has been asked about the results shown, and the answers that came with them.
        self._asked: dict[Hashable, Question] = {}
        self._answers: dict[Question, Reply] = {}
        self._answers_late = make_timer(self, self._wait_no_longer, ANSWERS_LATE)
        self.scheduler.arrived.connect(self._take_run)
        self.scheduler.values_arrived.connect(self._take_values)
        self.scheduler.replied.connect(self._take_reply)
        self.scheduler.busy_changed.connect(self._wait_anew)
        self.scheduler.busy_changed.connect(self.busy_changed)
        self.scheduler.busy_changed.connect(self._note_rest)
        # The results shown are old from now on.
        self.scheduler.ended.connect(self.mode_changed)

    @property
    def are_current(self) -> bool:
        """Whether the results shown are those of the graph as it is now."""
        return self.graph is self._document.graph

    @property
    def are_stale(self) -> bool:
        """Whether the results shown are those of an older graph, and none are on their way that nothing has delayed."""
        is_soon_over = self.scheduler.is_busy and not self.scheduler.has_lost_run and not self._is_late
        return not self.are_current and not is_soon_over

    # When it runs

    def evaluate(self) -> None:
        """Evaluates the graph as it is now, unless it means what this version does not know."""
        if not self._is_understood:
            return
        self.end_prepared()
        if self.has_given_up:
            self.has_given_up = False
            self.mode_changed.emit()
        self._sent[self.scheduler.revision + 1] = self._document.graph
        self.scheduler.schedule(self.filled(self._document.graph), self.comparison)

    def evaluate_edit(self) -> None:
        """Evaluates the graph after an edit, if that is wanted and has not been done already."""
        if self.is_live and not self._is_taking_over:
            self.evaluate()

    def stop(self) -> None:
        """Ends the run under way; the graph is not run again before the next edit, or until somebody asks for it."""
        self.scheduler.stop()

    def set_live(self, is_live: bool) -> None:
        """Sets Live, which evaluates after every edit, or Manual, which waits to be asked."""
        if is_live != self.is_live:
            self.is_live = is_live
            self.mode_changed.emit()
            if is_live and not self.are_current:
                self.evaluate()

    def give_up(self, died: Died) -> None:
        """Notes that evaluators have ended one after the other; Live ends if a block is to blame."""
        self.has_given_up = True
        if died.running:
            self.set_live(False)
        self.results_changed.emit(self.results)

    def close(self, waits: bool = True) -> None:
        """Ends the evaluator, and `waits` for that."""
        self._late.stop()
        self._prepared = None
        self._answers_late.stop()
        self.scheduler.close(waits)
        # Their arrays hold memory that was shared with the evaluator.
        self.results = self.true_results = None

    # Runs that are shown once all is there

    def prepare(self, graph: Graph, done: Done) -> None:
        """Evaluates a graph that the document is to have, and asks about it what is asked about the one shown.

        `done(True)` comes when all is there, or cannot be had; then `show_prepared` shows it. `done(False)` comes when
        another run takes its place.
        """
        self.end_prepared()
        if not (self.is_live and self._is_understood) or self.has_given_up:
            done(True)
            return
        self._prepared = PreparedRun(self.scheduler.revision + 1, graph, self._asked.values(), done)
        self.scheduler.schedule(self.filled(graph), self.comparison)

    def show_prepared(self, take_over: Callable[[], object]) -> None:
        """Lets the document take the graph over, and shows the results and answers of its run."""
        prepared, self._prepared = self._prepared, None
        self._answers_late.stop()
        if prepared is None or prepared.results is None:
            take_over()
            return
        self._is_taking_over = True
        try:
            take_over()
        finally:
            self._is_taking_over = False
        self._sent[prepared.revision] = prepared.graph
        self._take_results(prepared.results, prepared.answers)
        for question, reply in prepared.answers.items():
            # Whoever has asked before it was known that the answer would come with these results.
            if question.topic not in self._asked:
                self.replied.emit(reply)
        self.arrived.emit(prepared.results)

    def end_prepared(self, can_be_shown: bool = False) -> None:
        """Waits no longer for a prepared run, which is forgotten unless it can be shown."""
        prepared = self._prepared
        if prepared is None:
            return
        if not can_be_shown:
            self._prepared = None
            self._answers_late.stop()
        prepared.end(can_be_shown)

    def _wait_no_longer(self) -> None:
        self.end_prepared(True)

    def _note_prepared(self, prepared: PreparedRun, results: Results) -> None:
        is_first, prepared.results = prepared.results is None, results
        if is_first:
            self._answers_late.start()
            prepared.questions += (CausesWanted(),) if results.owes_causes else ()
            for question in prepared.questions:
                self.scheduler.ask(question)
        if prepared.is_complete:
            self.end_prepared(True)

    # The comparison

    @property
    def comparison(self) -> Comparison | None:
        """The state of the stops that the gradients are compared with."""
        return self.preview or (WithoutStops() if self.ignores_stops else None)

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

    # Questions

    def ask(self, question: Question, is_once: bool = False) -> None:
        """Asks something of the newest run; `replied` brings the answer, None where a gradient mask hides it.

        Unless the answer is wanted `is_once`, a prepared run comes with an answer too.
        """
        gradient_mask = self.mask_of_pause()
        if gradient_mask is not None and not gradient_mask.lets_pass(question):
            self.replied.emit(Reply(question, 0 if self.results is None else self.results.revision, None))
            return
        known = None if is_once else self._answers.get(question)
        if not is_once:
            self._asked[question.topic] = question
        if self._prepared is not None:
            self._prepared.replace(question)
        if known is None:
            self.scheduler.ask(question)
        else:
            self.replied.emit(known)

    def knows_answer(self, question: Question) -> bool:
        """Returns whether the answer to a question has come with the results shown."""
        return question in self._answers

    def _take_reply(self, reply: Reply) -> None:
        """Passes an answer on; one about a run that is not shown yet waits for it."""
        prepared = self._prepared
        if prepared is None or reply.revision != prepared.revision:
            self.replied.emit(reply)
            return
        prepared.take(reply)
        if prepared.is_complete:
            self.end_prepared(True)

    # The gradient mask

    def refresh_mask(self) -> None:
        """Shows the results anew if a pause hides others than before."""
        if self.true_results is not None and self.mask_of_pause() != self._mask_shown:
            self._show(self.true_results)

    # Results

    def _wait_anew(self, is_busy: bool) -> None:
        self._is_late = False
        self._late.start() if is_busy else self._late.stop()

    def _note_late(self) -> None:
        self._is_late = True
        self.mode_changed.emit()

    def _take_values(self, values: Results) -> None:
        """Shows the values of a run in progress; of a prepared one nothing is shown before all is there."""
        if values.revision in self._sent:
            self._take_results(values)

    def _take_run(self, results: Results) -> None:
        """Shows the results of a run; those of a prepared one wait, or are nothing to show any more."""
        if self._prepared is not None and results.revision == self._prepared.revision:
            self._note_prepared(self._prepared, results)
        elif results.revision in self._sent:
            self._take_results(results)
            self.arrived.emit(results)

    def _take_results(self, results: Results, answers: Mapping[Question, Reply] = NO_ANSWERS) -> None:
        self._wait_anew(self.scheduler.is_busy)
        is_new = self.results is None or results.revision != self.results.revision
        self.graph = self._sent[results.revision]
        self._sent = {revision: graph for revision, graph in self._sent.items() if revision >= results.revision}
        if is_new:
            self._asked, self._answers = {}, dict(answers)
        self._show(results)

    def _show(self, results: Results) -> None:
        self.true_results = results
        gradient_mask = self._mask_shown = self.mask_of_pause()
        self.results = results if gradient_mask is None else gradient_mask.over(results)
        self.results_changed.emit(self.results)

    def _note_rest(self, is_busy: bool) -> None:
        """Waits no longer for a run that was stopped."""
        if not is_busy and self._prepared is not None and self._prepared.results is None:
            self.end_prepared(True)
