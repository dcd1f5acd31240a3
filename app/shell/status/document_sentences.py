"""The sentences about the file of a document, the data that it reads, and its runs."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.base.translation import tr, tr_count, tr_sentence
from gradwire.app.features.inspector.data_file import data_text
from gradwire.app.live.session import Session
from gradwire.app.look.numbers import fmt
from gradwire.app.shell.status.sentence import ERROR, NOTICE, QUESTION, SILENT, WARNING, Sentence
from gradwire.engine.advice.repairs import REPAIRABLE
from gradwire.engine.base.problems import MORE
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.data_files import is_in, size_in
from gradwire.engine.files.wanted_files import WantedFile

# A run that takes longer has the pause offered. Units: seconds.
LONG = 2.0
# So many files of data are named; a graph may want more.
_NAMED = 3


def of_file(session: Session) -> Sentence:
    """Returns what is said of the file: another program has changed it, or it has defects."""
    file, path = session.file, session.document.path
    name, save_as = "" if path is None else path.name, ("save_as", tr("Save as …"))
    if file.state == "changed":
        text = tr("Another program has changed {name}. Both versions are kept, whatever you choose.", name=name)
        return _question(text, ("reload", tr("Reload")), save_as, ("overwrite", tr("Overwrite")))
    if file.state == "vanished":
        text = tr("{name} was moved or deleted. Saving writes it again.", name=name)
        return _question(text, ("save", tr("Save")), save_as)
    return _of_defects(session)


def of_read_only(session: Session) -> Sentence:
    """Returns why the file may not be written, and where else the graph may be."""
    reason = session.file.read_only
    button, act = (tr("Save as …"), "save_as") if session.file.is_understood else ("", "")
    return Sentence(reason, button, act, "lock", weight=WARNING) if reason else SILENT


def _of_defects(session: Session) -> Sentence:
    defects = session.file.defects(session.problems)
    if not defects:
        return SILENT
    text = tr_count(
        "{count} problem in this file; see Problems for fixes.",
        "{count} problems in this file; see Problems for fixes.",
        len(defects),
    )
    if any(problem.code == MORE for problem in session.problems):
        text = tr("At least {count} problems in this file; see Problems for fixes.", count=len(defects))
    fix_all = [("fix_all", tr("Fix all"))] if any(problem.code in REPAIRABLE for problem in defects) else []
    return _question(text, ("show_problems", tr("Show")), *fix_all, weight=ERROR)


def of_data(session: Session) -> Sentence:
    """Returns what is said of the files of data: they may not be read yet, cannot be read, or how they were read."""
    data = session.data
    if waiting := data.waiting:
        text = tr("This graph wants to read {files}. Until then it runs without.", files=_listed(waiting, data.folder))
        once, always = ("data_once", tr("Allow once")), ("data_always", tr("Always for this folder"))
        return _question(text, once, always, icon="folder", token="text.secondary")
    if faults := data.faults:
        return _question(" ".join(map(tr_sentence, faults[:_NAMED])), ("data_again", tr("Try again")))
    if differing := data.differing:
        text = tr("{files}: not the content that this graph was written with.", files=_listed(differing, data.folder))
        return _question(text, ("data_accept", tr("Use this content")))
    if news := data.news:
        text = " ".join(data_text(content) for _, content in news[:_NAMED])
        change, see = ("data_change", tr("Change …")), ("data_see", tr("OK"))
        return _question(text, change, see, icon="folder", token="text.secondary", weight=NOTICE)
    return SILENT


def of_runs(session: Session) -> Sentence:
    """Returns what is said of the runs: evaluators ended in a row, or one run takes long."""
    if session.death is not None:
        return _question(tr_sentence(session.death.message), ("try_again", tr("Try again")))
    if session.runs.is_live and session.scheduler.seconds >= LONG:
        text = tr("Each run takes more than 2 s. Pause, and only F5 computes.")
        return _question(text, ("pause", tr("Pause")), icon="clock", token="text.secondary", weight=WARNING)
    return SILENT


def _question(
    text: str,
    action: tuple[str, str],
    *others: tuple[str, str],
    icon: str = "warn",
    token: str = "warn",
    weight: int = QUESTION,
) -> Sentence:
    act, button = action
    return Sentence(text, button, act, icon, token, weight, others)


def _listed(files: tuple[WantedFile, ...], folder: Path | None) -> str:
    names = list(dict.fromkeys(name for item in files for name in item.names))
    texts = [_described(name, folder) for name in names[:_NAMED]]
    more = [tr("{count} more", count=len(names) - _NAMED)] if len(names) > _NAMED else []
    return ", ".join([*texts, *more])


def _described(name: str, folder: Path | None) -> str:
    if folder is None or not is_in(folder, name):
        return f"{plain(name)} ({tr('missing')})"
    # What is wrong with a folder, as that it has no images, is said once it may be read.
    size = size_in(folder, name)
    return plain(name) if size is None else f"{plain(name)} ({_size_text(size)})"


def _size_text(size: int) -> str:
    for unit, name in ((10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{fmt(round(size / unit, 1))} {name}"
    return tr_count("{count} byte", "{count} bytes", size)
