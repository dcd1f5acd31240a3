"""The one sentence of a window: the gravest of what is to be said, and what can be done about it."""

from __future__ import annotations

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.problems.problem_rows import QUIET, Row
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.stops.stop_sayings import ignored_stops_text
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.training.training_lens import ended_text
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.process.crash_problems import title_at
from gradwire.app.live.readings.loss_state import is_loss_unknown
from gradwire.app.live.session import Session
from gradwire.app.shell.status.document_sentences import of_data, of_file, of_read_only, of_runs
from gradwire.app.shell.status.sentence import ALARM, ERROR, NOTICE, SILENT, WARNING, Sentence

_LOOKS = {
    "error": ("error", "error", ERROR),
    "warning": ("warn", "warn", WARNING),
    "info": ("info", "text.secondary", NOTICE),
}


class Wish:
    """The mode that was chosen in vain, since the graph lacks what it needs; "" if none was."""

    def __init__(self, _: Session) -> None:
        self.mode = ""


def sentence_of(session: Session, *others: Sentence) -> Sentence:
    """Returns the gravest sentence about a session, or among others, as that of its list of problems."""
    # Of equally grave ones the first is said: what answers the user goes before what can wait.
    of_mode = _of_wish, _of_mode, _of_comparison, _of_training, _of_prediction
    said = *of_mode, of_file, of_data, of_runs, _of_stops, _of_loss, of_read_only
    return max([*(one(session) for one in said), *others], key=lambda item: item.weight)


def problem_sentence(row: Row | None, session: Session) -> Sentence:
    """Returns the sentence for a row of the list of problems, silence for none."""
    # That there is no loss is said with what to do, once there are blocks.
    if row is None or row.code in QUIET or (row.code == "no_loss" and row.severity == "info"):
        return SILENT
    if row.code == "nonfinite":
        return _of_nonfinite(row, session)
    name, token, weight = _LOOKS[row.severity]
    text = row.sentence.rstrip(".")
    if row.at and not row.names_layer:
        place = row.origin or tr_sentence(title_at(row.at, session.inferred))
        text = tr("{sentence}, at {place}", sentence=text, place=place)
    button, act = ("", "") if row.severity == "info" else (tr("Go to"), "go_to") if row.at else ("", "")
    if row.fix is not None and row.severity != "info":
        button, act = tr("Why?") if row.names_layer else tr("Fix …"), "fix"
    return Sentence(text, button, act, name, token, weight)


def _of_nonfinite(row: Row, session: Session) -> Sentence:
    """Returns where NaN or infinity starts, and how far it reaches."""
    results = session.results
    name = row.origin or tr_sentence(title_at(row.at, session.inferred))
    has_nan = results is None or any((table.rows["nan"] > 0).any() for table in results.tables)
    what = "NaN" if has_nan else "Inf"
    if results is None or not results.nonfinite_wires:
        text = tr("{what} starts at {block}", what=what, block=name)
    else:
        reached, wires = len(results.nonfinite_wires), len(results.wires.row_of)
        text = tr("{what} starts at {block} and reaches {count} of {wires} wires", what=what, block=name,
                  count=reached, wires=wires)  # fmt: skip
    button = tr("Mend") if row.fix is not None else tr("Why?")
    return Sentence(text, button, "why", "warn", "alarm", ALARM)


def lack_of(mode: str, session: Session) -> Sentence:
    """Returns what a mode needs and the graph has not; silence if it has all."""
    blocks = (instance.block for instance in session.inferred.expanded.instances.values())
    if mode == "train" and not any(block.type == "Variable" for block in blocks):
        return Sentence(tr("Add a Variable to train"), tr("Add a Variable"), "variable", "target", weight=NOTICE)
    text = {"step": tr("Add a Loss to step through its gradients"), "train": tr("Add a Loss to train"),
            "compare": tr("Add a Loss to compare its gradients")}.get(mode, "")  # fmt: skip
    is_lacking = text and not session.losses
    return Sentence(text, tr("Add a Loss"), "loss", "target", weight=NOTICE) if is_lacking else SILENT


def _of_stops(session: Session) -> Sentence:
    """Returns that StopGradients let pass for looking, and what that changes."""
    if not session.runs.ignores_stops:
        return SILENT
    text = ignored_stops_text(session).rstrip(".")
    return Sentence(text, tr("Turn on"), "stops", "stopgrad", "warn", WARNING)


def _of_wish(session: Session) -> Sentence:
    return lack_of(session.part(Wish).mode, session)


def _of_loss(session: Session) -> Sentence:
    """Returns that there is no loss, or that it cannot be computed."""
    if session.page.blocks and not session.losses:
        return Sentence(tr("Add a Loss to see gradients"), tr("Add Loss"), "loss", "target", weight=NOTICE)
    if not session.is_stale and is_loss_unknown(session.results):
        text = tr("L cannot be computed: an error or a missing input is on its path")
        return Sentence(text, "", "", "warn", "warn", WARNING)
    return SILENT


def _of_mode(session: Session) -> Sentence:
    text = tr("Editing waits. Esc leaves, and the page returns to where it was")
    return Sentence(text, weight=NOTICE) if session.part(StepMode).is_on else SILENT


def _of_comparison(session: Session) -> Sentence:
    """Returns on how many wires A and B have other gradients."""
    desk = session.part(CompareDesk)
    if desk.choice is None or desk.reached is None:
        return SILENT
    count, wires = desk.differing
    text = tr("{count} of {wires} wires have another gradient in B at round {n}", count=count, wires=wires,
              n=f"{desk.reached.round:,}")  # fmt: skip
    return Sentence(text, weight=NOTICE)


def _of_training(session: Session) -> Sentence:
    """Returns how a training has ended, or of which round all numbers are."""
    training = session.part(TrainingDesk)
    if text := ended_text(training):
        is_wrong = bool(training.fault or training.reached.overflow)
        return Sentence(text, icon="warn", token="warn", weight=WARNING) if is_wrong else Sentence(text, weight=NOTICE)
    if not training.is_running:
        return SILENT
    text = tr("Every number on the page is of round {round}", round=f"{training.reached.round:,}")
    return Sentence(text, weight=NOTICE)


def _of_prediction(session: Session) -> Sentence:
    newest = session.part(LossPrediction).newest
    return Sentence(newest.text, icon="target", weight=NOTICE) if newest else SILENT
