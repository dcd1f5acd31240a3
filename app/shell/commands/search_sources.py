"""What the search finds beside blocks to add: places to go to, commands to carry out, and lessons."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from gradwire.app.base.examples import example_names, example_path, example_texts
from gradwire.app.base.translation import tr
from gradwire.app.features.search.search_popup import Source
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.places import places
from gradwire.app.live.session import Session
from gradwire.app.look.numbers import fmt
from gradwire.app.shell.commands.commands import COMMANDS, place_of, run_command
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain
from gradwire.interop.search.fuzzy import name_of_words

# What stands beside a name counts less than the name.
_PLACE_SHARE = 0.5
# The places of more blocks would make each letter wait.
MANY = 2000


def sources(window: WindowParts) -> tuple[Source, ...]:
    """Returns the parts of the search in their order."""
    return (
        Source("go", tr("Go to"), lambda: [*_places(window), *_recent(window)], True, lambda: _has_many(window)),
        Source("do", tr("Do"), lambda: list(_commands(window))),
        Source("learn", tr("Lessons"), lambda: list(_examples(window))),
    )


def _described(entry: Entry, place: str) -> Entry:
    """Returns an entry with its place: at its right end, in its tip, and among the names it is found by."""
    tip = place if entry.is_possible else tr("{what}. Not possible now.", what=place)
    return replace(entry, detail=place, tip=tip, names=(*entry.names, (name_of_words(place), _PLACE_SHARE)))


def _commands(window: WindowParts) -> Iterator[Entry]:
    for command in COMMANDS:
        title, run = command.title.rstrip(" …"), partial(run_command, window, command)
        keys, can_run = window.keys.shown(command.id), command.can_run(window)
        entry = Entry(f"command:{command.id}", title, run, icon=command.icon, key=keys, is_possible=can_run)
        yield _described(entry, place_of(command))


def _has_many(window: WindowParts) -> bool:
    return sum(len(page.blocks) for page in window.session.graph.pages) > MANY


def _places(window: WindowParts) -> Iterator[Entry]:
    if not window.has_document or window.layout.shows_welcome:
        return
    withheld = dict(_withheld(window.session))
    for entry in places(window.session.graph, window.viewing.go_to_thing, window.session.page_name):
        yield _described(entry, ", ".join(filter(None, (entry.detail, withheld.get(entry.id)))))
    for page in window.session.graph.pages:
        entry = Entry(f"page:{page.name}", page.name, partial(window.session.view.show, page.name), icon="folder")
        yield _described(entry, tr("Page"))


def _withheld(session: Session) -> Iterator[tuple[str, str]]:
    """Yields the id of the entry of each StopGradient on the page, and how much of a gradient it withholds."""
    for wire in session.page.wires.values():
        found = session.wire(wire)
        if session.page.blocks[wire.target.block].type == "StopGradient" and found and found.withheld is not None:
            id = f"block:{session.page_name}/{wire.target.block}"
            yield id, tr("withholds {amount}", amount=fmt(found.withheld))


def _examples(window: WindowParts) -> Iterator[Entry]:
    for name in example_names():
        show = partial(window.documents.opening.open_example, name)
        yield Entry(f"example:{name}", example_texts(example_path(name))[0], show, icon="book")


def _recent(window: WindowParts) -> Iterator[Entry]:
    for file in window.frame.settings.recent():
        show, is_there = partial(window.documents.opening.open, file.path), os.path.exists(file.path)
        entry = Entry(f"file:{file.path}", plain(file.path.name), show, icon="file", is_possible=is_there)
        yield _described(entry, plain(str(file.path.parent), LONGEST_PARAGRAPH))
