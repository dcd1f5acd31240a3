"""The entries of the command box: commands, block types, blocks, pages, examples and recent files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from gradwire.app.base.examples import example_names, example_path, example_texts
from gradwire.app.base.translation import tr
from gradwire.app.kit.search.block_entries import key_of, offer_entry
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.places import places
from gradwire.app.kit.search.ranking import Scored
from gradwire.app.shell.commands.commands import COMMANDS, place_of, run_command
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.interop.search.block_search import find_offers
from gradwire.interop.search.fuzzy import name_of_words

USED_SHOWN, NEAREST_SHOWN = 6, 3
# A place such as a menu counts less than a name.
_PLACE_SHARE = 0.5


def all_entries(window: WindowParts) -> list[Entry]:
    """Returns all entries except block types, which have a search of their own."""
    return [*_commands(window), *_places(window), *_examples(window), *_recent(window)]


def block_types(window: WindowParts, query: str) -> Iterator[Scored]:
    """Yields the block types that match a query, with their scores."""
    # What people say may mean a command here; the names of blocks may not.
    named = [hit for hit in find_offers(query) if not hit.is_said] if _shows_document(window) else ()
    for hit in named:
        entry = offer_entry(hit.type, partial(window.editor.placer.place_in_middle, key_of(hit.type)))
        yield hit.score, replace(_described(entry, tr("Add"), entry.detail), formula="")


def nearest_entries(entries: Iterable[Entry], query: str) -> list[Entry]:
    """Returns a few entries whose names resemble the query."""
    names = {entry.text: entry for entry in entries}
    return [names[name] for name in nearest(query, names)][:NEAREST_SHOWN]


def at_first(entries: Sequence[Entry], uses: Mapping[str, int]) -> list[Entry]:
    """Returns the entries for an empty query: the most used, then all commands."""
    known = [entry for entry in entries if uses.get(entry.id) and entry.is_possible]
    first = sorted(known, key=lambda entry: -uses[entry.id])[:USED_SHOWN]
    return first + [entry for entry in entries if entry.id.startswith("command:") and entry not in first]


def _described(entry: Entry, kind: str, place: str) -> Entry:
    """Returns an entry with its kind and place: at its right end, in its tip, and among the names it is found by."""
    said = f"{kind}: {place}"
    return replace(
        entry,
        detail=place if kind == tr("Command") else said,
        tip=said if entry.is_possible else tr("{what}. Not possible now.", what=said),
        names=(*entry.names, (name_of_words(said), _PLACE_SHARE)),
    )


def _commands(window: WindowParts) -> Iterator[Entry]:
    for command in COMMANDS:
        entry = Entry(
            f"command:{command.id}",
            command.title.rstrip(" …"),
            partial(run_command, window, command),
            icon=command.icon,
            key=window.keys.shown(command.id),
            is_possible=command.can_run(window),
        )
        yield _described(entry, tr("Command"), place_of(command))


def _places(window: WindowParts) -> Iterator[Entry]:
    if not _shows_document(window):
        return
    for entry in places(window.session.graph, window.viewing.go_to_thing):
        yield _described(entry, tr("Go to"), entry.detail)
    for page in window.session.graph.pages:
        entry = Entry(f"page:{page.name}", page.name, partial(window.session.view.show, page.name), icon="folder")
        yield _described(entry, tr("Go to"), tr("Page"))


def _examples(window: WindowParts) -> Iterator[Entry]:
    for name in example_names():
        show = partial(window.documents.opening.open_example, name)
        entry = Entry(f"example:{name}", example_texts(example_path(name))[0], show, icon="book")
        yield _described(entry, tr("Open"), tr("Example"))


def _recent(window: WindowParts) -> Iterator[Entry]:
    for file in window.frame.settings.recent():
        show, is_there = partial(window.documents.opening.open, file.path), os.path.exists(file.path)
        entry = Entry(f"file:{file.path}", plain(file.path.name), show, icon="file", is_possible=is_there)
        yield _described(entry, tr("Open"), plain(str(file.path.parent), LONGEST_PARAGRAPH))


def _shows_document(window: WindowParts) -> bool:
    return window.has_document and not window.layout.shows_welcome
