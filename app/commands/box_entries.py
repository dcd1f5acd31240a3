"""The entries of the command box: commands, block types, blocks, pages, examples and recent files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from gradwire.app.base.examples import example_names, example_path, example_texts
from gradwire.app.base.translation import tr
from gradwire.app.commands.commands import COMMANDS, place_of, run_command
from gradwire.app.commands.window_parts import WindowParts
from gradwire.app.look.categories import color_token, icon_name
from gradwire.app.panels.palette.palette import key_of
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import Offer, find_offers
from gradwire.interop.search.fuzzy import Name, name_of_words, name_scores, typed_words

USED_SHOWN, NEAREST_SHOWN = 6, 3
# A place such as a menu counts less than a name, and habit counts more than the quality of a match.
_PLACE_SHARE, _IMPOSSIBLE_SHARE, _USE_BONUS, _USES_COUNTED = 0.5, 0.8, 3.0, 5


@dataclass(frozen=True, eq=False)
class Entry:
    """One entry. `kind` and `place` describe it; the settings count its uses by `id`.

    An entry that is not possible now is grey and does nothing.
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
        """The description of the entry."""
        said = f"{self.kind}: {self.place}" if self.place else self.kind
        return said if self.is_possible else tr("{what}. Not possible now.", what=said)


def all_entries(window: WindowParts) -> list[Entry]:
    """Returns all entries except block types, which have a search of their own."""
    return [*_commands(window), *_blocks(window), *_pages(window), *_examples(window), *_recent(window)]


def ranked(entries: Iterable[Entry], window: WindowParts, query: str, uses: Mapping[str, int]) -> list[Entry]:
    """Returns the matching entries, best first; among equals, the most used first."""
    text, words = "".join(typed_words(query)), typed_words(query)
    if not text:
        return _at_first(list(entries), uses)
    scored = [(score, entry) for entry in entries if (score := _score(entry, text, words)) > 0]
    if _shows_document(window):
        # What people say may mean a command here; the names of blocks may not.
        named = [hit for hit in find_offers(query) if not hit.is_said]
        scored += [(hit.score, _block_type(window, hit.type)) for hit in named]
    # The sort is stable: among equals, commands come first, as in `entries`.
    scored.sort(key=lambda item: -item[0] - _USE_BONUS * min(uses.get(item[1].id, 0), _USES_COUNTED))
    return [entry for _, entry in scored]


def nearest_entries(entries: Iterable[Entry], query: str) -> list[Entry]:
    """Returns a few entries whose names resemble the query."""
    names = {entry.text: entry for entry in entries}
    return [names[name] for name in nearest(query, names)][:NEAREST_SHOWN]


def _at_first(entries: list[Entry], uses: Mapping[str, int]) -> list[Entry]:
    """Returns the entries for an empty query: the most used, then all commands."""
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


def _commands(window: WindowParts) -> Iterator[Entry]:
    for command in COMMANDS:
        possible = command.is_possible is None or command.is_possible(window)
        text = command.title.rstrip(" …")
        yield Entry(
            f"command:{command.id}",
            text,
            tr("Command"),
            place_of(command),
            partial(run_command, window, command),
            command.icon,
            key=window.keys.shown(command.id),
            is_possible=possible,
        )


def _block_type(window: WindowParts, item: Offer) -> Entry:
    key = key_of(item)
    place = partial(window.placer.place_in_middle, key)
    return Entry(f"type:{key}", item.name, tr("Add"), tr(item.category), place, icon_name(item), color_token(item))


def _blocks(window: WindowParts) -> Iterator[Entry]:
    for page in window.session.graph.pages if _shows_document(window) else ():
        for block in page.blocks.values():
            path = f"{page.name}/{block.id}"
            known = library.get(block.type)
            yield Entry(
                f"block:{path}",
                block.id,
                tr("Go to"),
                f"{plain(block.type)}, {page.name}",
                partial(window.viewing.go_to, path),
                icon_name(known),
                color_token(known),
            )


def _pages(window: WindowParts) -> Iterator[Entry]:
    for page in window.session.graph.pages if _shows_document(window) else ():
        show = partial(window.session.view.show, page.name)
        yield Entry(f"page:{page.name}", page.name, tr("Go to"), tr("Page"), show, "folder")


def _examples(window: WindowParts) -> Iterator[Entry]:
    for name in example_names():
        show = partial(window.documents.opening.open_example, name)
        yield Entry(f"example:{name}", example_texts(example_path(name))[0], tr("Open"), tr("Example"), show, "book")


def _shows_document(window: WindowParts) -> bool:
    return window.has_document and not window.layout.shows_welcome


def _recent(window: WindowParts) -> Iterator[Entry]:
    for file in window.settings.recent():
        show = partial(window.documents.opening.open, file.path)
        yield Entry(
            f"file:{file.path}",
            plain(file.path.name),
            tr("Open"),
            plain(str(file.path.parent), LONGEST_PARAGRAPH),
            show,
            "file",
            is_possible=os.path.exists(file.path),
        )
