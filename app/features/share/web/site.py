"""Many graphs as a folder of pages for a server: one index, a page each, and one script and one style for all."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from gradwire.app.base.translation import tr
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.features.share.web.html_page import (
    Outfit,
    PageParts,
    digest,
    page_parts,
    page_script,
    page_text,
    policy,
)
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.features.share.web.texts import attributes, quoted
from gradwire.app.look.theme import theme
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.disk import reasons_told
from gradwire.engine.files.outputs import LIVING, PART, PICTURE, SITE, Kind, Output, Source, check_folder
from gradwire.engine.graph.graph import Graph

INDEX = f"index{LIVING}"
# Size of a thumbnail. Units: px.
WIDTH, HEIGHT = 320, 200
# Servers send pages, styles and scripts of the same folder.
_OWN = "'self'"


@dataclass(frozen=True)
class Entry:
    """A graph of a site: its title, the parts of its page, the first line of its note, and its thumbnail."""

    stem: str
    parts: PageParts
    note: str
    thumbnail: str


class Site:
    """Outputs of a site in a folder, each of them allowed before the first graph is drawn.

    `files` has the file of each graph. Files in the folder that no site has written are never replaced.
    Raises: FileError if two graphs have the same name, or a file cannot be written.
    """

    def __init__(self, folder: Path, files: Sequence[str], inputs: Iterable[Source]) -> None:
        check_folder(folder)
        self._folder, self._inputs = folder, [*inputs]
        self._stems = _stems(files)
        # Of all that is written. Units: bytes.
        self.size = 0
        with reasons_told(folder, is_written=True):
            folder.mkdir(parents=True, exist_ok=True)
        self._pages = {name: Output(folder / f"{name}{LIVING}", SITE, self._inputs) for name in ("index", *self._stems)}

    def write(self, graphs: Iterable[Graph], choices: PageChoices) -> list[Entry]:
        """Writes the page of each graph, and what all share; the graphs are drawn one after the other.

        Raises: FileError if a file cannot be written.
        """
        outfit, entries = Outfit(choices.theme), list[Entry]()
        link = f"{_from_disk()}<a href={INDEX}>{quoted(tr('All graphs'))}</a>"
        for stem, graph in zip(self._stems, graphs, strict=True):
            entries.append(self._entry(stem, graph, choices, outfit, link))
        sheets = dict.fromkeys(sheet for entry in entries for sheet in entry.parts.sheets)
        style = outfit.style((*sheets, "site"))
        styled = f"<link rel=stylesheet{self._part(style, 'css', 'href')}>"
        scripts = {names: self._script(names) for names in dict.fromkeys(entry.parts.scripts for entry in entries)}
        for entry in entries:
            run = scripts[entry.parts.scripts]
            head = policy(_OWN, _OWN if run else "") + styled
            self._put(self._pages[entry.stem], _bytes(page_text(entry.parts, head, run)))
        index = page_text(_index(entries), policy(_OWN, "", _OWN) + styled, "")
        self._put(self._pages["index"], _bytes(index))
        return entries

    def _entry(self, stem: str, graph: Graph, choices: PageChoices, outfit: Outfit, link: str) -> Entry:
        notes = (note.text.strip().partition("\n")[0] for note in graph.pages[0].notes)
        picture = PagePicture(graph)
        image = picture.thumbnail_svg(theme("dark" if choices.theme == "dark" else "light"), WIDTH, HEIGHT)
        picture.close()
        parts = page_parts(graph, stem, choices, outfit, link)
        return Entry(stem, parts, plain(next(filter(None, notes), "")), self._beside(image, "svg", PICTURE))

    def _script(self, names: tuple[str, ...]) -> str:
        return f"<script{self._part(page_script(names), 'js', 'src')}></script>" if names else ""

    def _part(self, text: str, ending: str, source: str) -> str:
        """Writes a style or a script, and returns the attributes of the element that loads it."""
        return attributes(**{source: self._beside(_bytes(text), ending, PART), "integrity": digest(text)})

    def _beside(self, content: bytes, ending: str, kind: Kind) -> str:
        """Writes a file that is named by its content, and returns its name."""
        name = f"gradwire-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
        self._put(Output(self._folder / name, kind, self._inputs), content)
        return name

    def _put(self, target: Output, content: bytes) -> None:
        target.write(content)
        self.size += len(content)


def _stems(files: Sequence[str]) -> list[str]:
    """Returns the stem of each file.

    Raises: FileError if two pages would have one name, on systems that ignore capitals, too.
    """
    taken = {"index": ""}
    stems = [Path(file).stem for file in files]
    for file, stem in zip(files, stems, strict=True):
        other = taken.get(stem.casefold())
        if other is not None:
            whose = f'"{other}"' if other else "the list of all pages"
            raise FileError(f'"{file}" and {whose} would both become {stem}{LIVING}; rename one of them.')
        taken[stem.casefold()] = file
    return stems


def _index(entries: Sequence[Entry]) -> PageParts:
    """Returns the list of all pages, as one that needs no script."""
    title = tr("{count} graphs that run", count=len(entries)) if len(entries) != 1 else tr("1 graph that runs")
    items = "".join(map(_item, entries))
    body = f"<body class=site><header>{_from_disk()}<h1>{quoted(title)}</h1></header><main><ul>{items}</ul></main>"
    return PageParts(title, body, "", (), frozenset(), (), "", "")


def _from_disk() -> str:
    """Returns a sentence that is seen where style and script have not come from a server."""
    said = tr("These pages need a web server; opened from a disk they have neither style nor script.")
    return f"<p class=disk>{quoted(said)}</p>"


def _item(entry: Entry) -> str:
    sizes = attributes(src=entry.thumbnail, alt="", width=WIDTH, height=HEIGHT, loading="lazy")
    said = entry.note if not entry.parts.refusal else entry.parts.refusal
    link = attributes(href=f"{quote(entry.stem)}{LIVING}")
    return f"<li><a{link}><img{sizes}><b>{quoted(plain(entry.stem))}</b><span>{quoted(said)}</span></a>"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
