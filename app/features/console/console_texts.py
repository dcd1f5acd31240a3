"""The entries of the console as coloured text."""

from __future__ import annotations

import re
from datetime import datetime
from typing import NamedTuple

from PySide6.QtCore import QLocale, QTime

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.features.console.console import Choices, Ended, Entry
from gradwire.app.features.console.console_line import ConsoleAnswer, ConsoleLine

NAMES_SHOWN = 40
PROMPT = ">>>"


class Part(NamedTuple):
    """One or several lines of text in the colour of a token."""

    text: str
    token: str


def entry_parts(entry: Entry) -> list[Part]:
    """Returns an entry's text as the console shows it."""
    if isinstance(entry, Ended):
        return [Part(_end_text(entry), "warn")]
    if isinstance(entry, ConsoleLine):
        return [Part(f"{PROMPT} {entry.text}", "accent")]
    if isinstance(entry, Choices):
        return [Part(_choices_text(entry.names), "text.secondary")]
    return _answer_parts(entry)


def clock_text(at: datetime) -> str:
    """Returns a time of day with seconds, in the format of the locale."""
    form = QLocale().timeFormat(QLocale.FormatType.ShortFormat)
    if "s" not in form:
        form = re.sub(r"(\W)mm", r"\1mm\1ss", form)
    return QLocale().toString(QTime(at.hour, at.minute, at.second), form)


def answer_text(answer: ConsoleAnswer) -> str:
    """Returns an answer as one text, for screen readers."""
    return "\n".join(part.text for part in _answer_parts(answer))


def _end_text(ended: Ended) -> str:
    fields = {"time": clock_text(ended.at), "code": ended.code, "block": tr_sentence(ended.running)}
    if ended.code is None:
        text = tr("{time}  The evaluation was stopped; restarted.", **fields)
    elif ended.running:
        text = tr("{time}  The evaluation ended at {block} (exit code {code}); restarted.", **fields)
    else:
        text = tr("{time}  The evaluation ended (exit code {code}); restarted.", **fields)
    return f"{text} {tr('Names defined in the console were lost.')}" if ended.has_lost_names else text


def _choices_text(names: tuple[str, ...]) -> str:
    text, more = "   ".join(names[:NAMES_SHOWN]), len(names) - NAMES_SHOWN
    return tr("{names}   and {count} more", names=text, count=grouped(more)) if more > 0 else text


def _answer_parts(answer: ConsoleAnswer) -> list[Part]:
    parts = [Part(answer.output, "text.primary")] if answer.output else []
    if answer.more:
        cut = tr_count("{count} more letter is not shown.", "{count} more letters are not shown.", answer.more)
        parts.append(Part(f"… {cut}", "text.secondary"))
    if answer.error:
        message = tr_sentence(answer.message)
        error = f"{answer.error}: {message}" if message else answer.error
        if answer.column:
            error = tr("{error} (column {column})", error=error, column=answer.column)
        parts.append(Part(_one_line(error), "error"))
    return parts


def _one_line(text: str) -> str:
    return " ".join(text.split())
