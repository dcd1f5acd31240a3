"""The language of the window: texts of the program and sentences of the engine, translated from English.

A catalogue is `assets/languages/CODE.json` with two tables. `texts` has the texts of the window, by their English text
with named fields (`"Add {type}"`). `sentences` has the sentences of engine and blocks, by a pattern with numbered
fields (`"axis {0} has no elements"`). The engine speaks English, and the window recognises its sentences when it shows
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from pathlib import PurePath

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from gradwire import HOME
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain, plain_lines

LANGUAGES = {"en": "English", "de": "Deutsch"}
FOLDER = HOME / "assets" / "languages"
SENTENCES_KEPT = 1000
_TEXTS, _SENTENCES = "texts", "sentences"
_FIELD = re.compile(r"\{(\d+)\}")


def tr(text: str, /, **fields: object) -> str:
    """Returns a text of the window in the current language, with its fields filled in."""
    translated = QCoreApplication.translate(_TEXTS, text) or text
    return translated.format(**{name: _shown(field) for name, field in fields.items()}) if fields else translated


def tr_count(one: str, many: str, count: int, /, **fields: object) -> str:
    """Translates like `tr`, by number: `one` for 1 and `many`, which may hold `{count}`, for all others."""
    return tr(one if count == 1 else many, count=grouped(count), **fields)


def grouped(number: int) -> str:
    """Returns a whole number with the locale's thousands separator: `12,345`, in German `12.345`."""
    return f"{number:,}".replace(",", QLocale().groupSeparator())


def listed(names: Sequence[str], at_most: int = 3) -> str:
    """Returns the first names with commas, and how many more there are."""
    more = len(names) - at_most
    return ", ".join(names[:at_most]) + (tr(" and {count} more", count=grouped(more)) if more > 0 else "")


def decimal(text: str) -> str:
    """Returns a number's text with the decimal sign of the locale: `0.5`, in German `0,5`."""
    return text.replace(".", QLocale().decimalPoint()) if "." in text else text


def capitalized(text: str) -> str:
    """Returns a text with a capital as its first letter."""
    return text[:1].upper() + text[1:]


def tr_sentence(sentence: str) -> str:
    """Returns a sentence of the engine in the current language; an unknown one stays English."""
    return plain_lines(QCoreApplication.translate(_SENTENCES, sentence))


class Catalogue(QTranslator):
    """The texts of one language, as Qt asks for them."""

    def __init__(self, texts: dict[str, str], sentences: dict[str, str]) -> None:
        super().__init__()
        self._texts = texts
        # The pattern with the most words of its own is the most specific one.
        order = sorted(sentences, key=lambda pattern: -len(_FIELD.sub("", pattern)))
        # The canvas asks for the same few sentences at every frame. This is a plain dictionary, because a cached method
        # would leave the catalogue to the garbage collector. A collection while Qt translates would cause a deadlock.
        self._known: dict[str, str] = {}
        self._patterns = [(_recognizer(_bare(pattern)), sentences[pattern]) for pattern in order]

    def isEmpty(self) -> bool:  # Qt's name
        """Returns whether there is nothing to translate."""
        return not (self._texts or self._patterns)

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Returns the translation that Qt asks for; None leaves the text to other catalogues, and then unchanged."""
        if context == _TEXTS:
            return self._texts.get(text)
        return (self._known_sentence(text) or None) if context == _SENTENCES else None

    def _known_sentence(self, text: str) -> str:
        if text not in self._known:
            if len(self._known) >= SENTENCES_KEPT:
                self._known.clear()
            self._known[text] = self._sentence(text)
        return self._known[text]

    def _sentence(self, text: str) -> str:
        for recognizer, translated in self._patterns:
            match = recognizer.fullmatch(_bare(text))
            if match:
                # A field may itself hold a sentence.
                filled = _filled(translated, [self._sentence(field) or field for field in match.groups()])
                return _dressed(filled, text)
        return ""


def use_language(application: QCoreApplication, code: str) -> None:
    """Sets the program's language to one of `LANGUAGES`; "" is that of the system, if it is known.

    Numbers and dates follow `QLocale()`, and the buttons that Qt makes follow too.
    """
    code = code or QLocale.system().name().partition("_")[0]
    if code not in LANGUAGES:
        code = "en"
    if QLocale.system().name().partition("_")[0] != code:
        QLocale.setDefault(QLocale(code))
    if code == "en":
        return
    of_qt = QTranslator(application)
    if of_qt.load(f"qtbase_{code}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(of_qt)
    ours = catalogue(code)
    ours.setParent(application)
    application.installTranslator(ours)


def catalogue(code: str) -> Catalogue:
    """Returns the catalogue of a language."""
    tables = json.loads((FOLDER / f"{code}.json").read_text(encoding="utf-8"))
    return Catalogue(tables[_TEXTS], tables[_SENTENCES])


def _shown(field: object) -> object:
    """Returns a field ready to be filled in: texts from files must not alter the sentence around them."""
    return plain(str(field), LONGEST_PARAGRAPH) if isinstance(field, str | PurePath | Exception) else field


def _bare(sentence: str) -> str:
    """Returns a sentence without its full stop and its capital, as in the message of an error."""
    text = sentence[:-1] if sentence.endswith(".") and not sentence.endswith("...") else sentence
    return text[:1].lower() + text[1:]


def _dressed(text: str, like: str) -> str:
    """Returns a text with a capital and a full stop if another has them.

    A name that begins both texts stays unchanged.
    """
    is_sentence = like[:1].isupper() or (like.endswith(".") and _first_word(text) != _first_word(like))
    capital = capitalized(text) if is_sentence else text
    return capital + "." if like.endswith(".") and not capital.endswith(".") else capital


def _first_word(text: str) -> str:
    return text.partition(" ")[0]


def _filled(pattern: str, fields: list[str]) -> str:
    return _FIELD.sub(lambda found: fields[int(found[1])], pattern)


@cache
def _recognizer(pattern: str) -> re.Pattern[str]:
    parts = _FIELD.split(pattern)
    # Split alternates text and number; the engine's fields are in the order of their numbers.
    return re.compile("".join(re.escape(part) if at % 2 == 0 else "(.*?)" for at, part in enumerate(parts)), re.DOTALL)
