"""What the command box finds: commands, block types, blocks and pages of the document, examples and recent files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from app.commands import COMMANDS, place_of
from app.examples import example_names, example_path, example_texts
from app.fuzzy import Name, name_of_words, name_scores, typed_words
from app.look.categories import color_token, icon_name
from app.panels.block_search import find_blocks
from app.words import tr
from engine.block_type import BlockType
from engine.library import library, nearest
from engine.plain_text import LONGEST_PARAGRAPH, plain

if TYPE_CHECKING:
    from app.main_window import MainWindow

USED_SHOWN, NEAREST_SHOWN = 6, 3
# A place such as a menu tells less than a name, and a habit more than how exactly a name was typed.
_PLACE_SHARE, _IMPOSSIBLE_SHARE, _USE_BONUS, _USES_COUNTED = 0.5, 0.8, 3.0, 5


@dataclass(frozen=True, eq=False)
class Entry:
    """One thing that can be found. `kind` and `place` say what and where it is; `id` is what its uses are counted by.

    What is not possible now is shown grey and does nothing.
    """

    id: str
    text: str
    kind: str
    place: str
    call: Callable[[], object]
    icon: str = ""
    token: str = "text.secondary"
    key: str = ""
    is_possible: bool = True

    @property
    def tip(self) -> str:
        """The sentence about it."""
        said = f"{self.kind}: {self.place}" if self.place else self.kind
        return said if self.is_possible else tr("{what}. Not possible now.", what=said)


def all_entries(window: MainWindow) -> list[Entry]:
    """Everything but block types, which have a search of their own."""
    return [*_commands(window), *_blocks(window), *_pages(window), *_examples(window), *_recent(window)]


def ranked(entries: Iterable[Entry], window: MainWindow, query: str, uses: Mapping[str, int]) -> list[Entry]:
    """The entries that fit what was typed, the best first; often used ones before others that fit as well."""
    text, words = "".join(typed_words(query)), typed_words(query)
    if not text:
        return _at_first(list(entries), uses)
    scored = [(score, entry) for entry in entries if (score := _score(entry, text, words)) > 0]
    if _shows_document(window):
        scored += [(hit.score, _block_type(window, hit.type)) for hit in find_blocks(query)]
    # The sort is stable: of equals commands come first, as the entries do.
    scored.sort(key=lambda item: -item[0] - _USE_BONUS * min(uses.get(item[1].id, 0), _USES_COUNTED))
    return [entry for _, entry in scored]


def nearest_entries(entries: Iterable[Entry], query: str) -> list[Entry]:
    """A few whose names look like what was typed."""
    names = {entry.text: entry for entry in entries}
    return [names[name] for name in nearest(query, names)][:NEAREST_SHOWN]


def _at_first(entries: list[Entry], uses: Mapping[str, int]) -> list[Entry]:
    """With nothing typed: what is used most, then all commands."""
    known = [entry for entry in entries if uses.get(entry.id) and entry.is_possible]
    first = sorted(known, key=lambda entry: -uses[entry.id])[:USED_SHOWN]
    return first + [entry for entry in entries if entry.id.startswith("command:") and entry not in first]


def _score(entry: Entry, text: str, words: list[str]) -> float:
    name = name_of_words(entry.text)
    place = name_of_words(f"{entry.kind} {entry.place}")
    best = max(name_scores(name, text, words), default=0.0)
    beside = max(name_scores(place, text, words), default=0.0) * _PLACE_SHARE
    both = Name(place.whole + name.whole, (*place.humps, *name.humps))
    together = 40.0 if len(words) > 1 and all(word in both.whole for word in words) else 0.0
    return max(best, beside, together) * (1.0 if entry.is_possible else _IMPOSSIBLE_SHARE)


def _commands(window: MainWindow) -> Iterator[Entry]:
    for command in COMMANDS:
        possible = command.is_possible is None or command.is_possible(window)
        text = command.title.rstrip(" …")
        yield Entry(
            f"command:{command.id}",
            text,
            tr("Command"),
            place_of(command),
            partial(window.run, command),
            command.icon,
            key=window.keys.shown(command.id),
            is_possible=possible,
        )


def _block_type(window: MainWindow, item: BlockType) -> Entry:
    place = partial(window.placer.place_in_middle, item.name)
    return Entry(
        f"type:{item.name}", item.name, tr("Add"), tr(item.category), place, icon_name(item), color_token(item)
    )


def _blocks(window: MainWindow) -> Iterator[Entry]:
    for page in window.session.graph.pages if _shows_document(window) else ():
        for block in page.blocks.values():
            path = f"{page.name}/{block.id}"
            known = library.get(block.type)
            yield Entry(
                f"block:{path}",
                block.id,
                tr("Go to"),
                f"{plain(block.type)}, {page.name}",
                partial(window.go_to, path),
                icon_name(known),
                color_token(known),
            )


def _pages(window: MainWindow) -> Iterator[Entry]:
    for page in window.session.graph.pages if _shows_document(window) else ():
        show = partial(window.session.show_page, page.name)
        yield Entry(f"page:{page.name}", page.name, tr("Go to"), tr("Page"), show, "folder")


def _examples(window: MainWindow) -> Iterator[Entry]:
    for name in example_names():
        show = partial(window.documents.open_example, name)
        yield Entry(f"example:{name}", example_texts(example_path(name))[0], tr("Open"), tr("Example"), show, "book")


def _shows_document(window: MainWindow) -> bool:
    return window.has_document and not window.shows_welcome


def _recent(window: MainWindow) -> Iterator[Entry]:
    for file in window.settings.recent():
        show = partial(window.documents.open, file.path)
        yield Entry(
            f"file:{file.path}",
            plain(file.path.name),
            tr("Open"),
            plain(str(file.path.parent), LONGEST_PARAGRAPH),
            show,
            "file",
            is_possible=file.path.exists(),
        )
