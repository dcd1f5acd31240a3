"""A graph as one file of HTML that runs: pictures of its pages, its programs as data, and the script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.features.share.web import training_bar
from gradwire.app.features.share.web.block_bodies import WRITTEN
from gradwire.app.features.share.web.labels import marks
from gradwire.app.features.share.web.page_choices import PageChoices, PageTheme
from gradwire.app.features.share.web.picture import Picture, PictureWriter
from gradwire.app.features.share.web.sources import Sources
from gradwire.app.features.share.web.style import page_style
from gradwire.app.features.share.web.table import table_rows
from gradwire.app.features.share.web.texts import attributes, exact, in_html, quoted
from gradwire.app.features.share.web.token_theme import TokenTheme
from gradwire.app.features.share.web.training_bar import held_text, training_words
from gradwire.app.features.share.web.words import page_words
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.numbers import fmt
from gradwire.app.look.svg.shared_shapes import with_shared_shapes
from gradwire.app.look.svg.svg_painter import SvgPainter
from gradwire.app.look.svg.svg_styles import Styles
from gradwire.app.look.theme import ASSETS
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.export.live.drawn import shown_noise
from gradwire.engine.export.live.program import LARGEST_MEMORY, LiveProgram, deflated, live_program
from gradwire.engine.export.live.trainable import LiveTraining, live_training
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.plan_reading import plan_of

# Unpacks the script and adds it to the page, whose rules know its sum.
STARTER = (
    "(async()=>{const d=document,p=d.createElement('script'),b=atob(d.getElementById('code').textContent);try{"
    "p.textContent=await new Response(new Blob([Uint8Array.from(b,c=>c.charCodeAt(0))]).stream().pipeThrough("
    "new DecompressionStream('deflate-raw'))).text();d.body.append(p)}catch(e){d.documentElement.dataset.live='no';"
    "d.getElementById('say').textContent=d.getElementById('data').dataset.no}})()"
)
_LOOKS = re.compile(r'class="([^"]*)"')
SCRIPTS = ("engine", "bounds", "live", "draw", "share", "page")
TRAINING_SCRIPTS = (*SCRIPTS[:-1], *training_bar.SCRIPTS, SCRIPTS[-1])
# The scripts in fewer letters, and what stands before the names of functions that are faster ways to do the same.
CONDENSED, FAST = ASSETS / "web" / "condensed.json", "fast "
# Longer files are not in the page beside its programs. Units: characters.
LONGEST_FILE = 1 << 18
USUAL = PageChoices()


class HtmlPage(NamedTuple):
    """A page as text with the problems of its graph.

    `refusal` is why it does not live, `untrained` why it does not train though it was asked to, "" if it does. `held`
    says which sets of data it holds.
    """

    text: str
    problems: tuple[Problem, ...]
    refusal: str = ""
    untrained: str = ""
    held: str = ""


class Outfit:
    """What pages that look alike share: their theme, and the classes of what has been painted."""

    def __init__(self, theme: PageTheme) -> None:
        self.dress, self.glyphs, names = _glyphs()
        self.styles = Styles(self.dress.paint, "x", has_fonts=False, names=names)
        self._theme, self._looks = theme, set[str]()

    def note(self, pictures: Iterable[Picture]) -> None:
        """Notes which rules some pictures need beside the classes of what is painted, also once the script writes."""
        for item in pictures:
            written = (WRITTEN.get(kind, ()) for kind in item.kinds)
            self._looks.update(" ".join(_LOOKS.findall(item.markup)).split(), *written)

    def style(self, sheets: Iterable[str] = ("page",)) -> str:
        """Returns the style sheet of all that has been painted until now, with the rules of some files."""
        return page_style(self.styles, self._looks, self._theme, sheets)


class PageParts(NamedTuple):
    """A page without its style and its script; `data` is "" if it does not live.

    `scripts` and `sheets` name the parts of its script and its style, in their order, and `functions` what its
    instructions call.
    """

    title: str
    body: str
    data: str
    scripts: tuple[str, ...]
    functions: frozenset[str]
    problems: tuple[Problem, ...]
    refusal: str
    untrained: str
    held: str = ""
    sheets: tuple[str, ...] = ("page",)


def html_page(graph: Graph, title: str, choices: PageChoices = USUAL) -> HtmlPage:
    """Returns a graph as a page that needs no other file."""
    outfit = Outfit(choices.theme)
    parts = page_parts(graph, title, choices, outfit)
    style = outfit.style(parts.sheets)
    script = page_script(parts.scripts, parts.functions) if parts.scripts else ""
    code = _code(script) if script else ""
    rules = policy(_digest(style), f"{_digest(STARTER)} {_digest(script)}" if script else "")
    text = page_text(parts, f"{rules}<style>{style}</style>", code)
    return HtmlPage(text, parts.problems, parts.refusal, parts.untrained, parts.held)


def page_parts(graph: Graph, title: str, choices: PageChoices, outfit: Outfit, links: str = "") -> PageParts:
    """Returns the parts of a page; `links` stand before its title."""
    programs: list[LiveProgram] = []

    def run(graph: Graph, *_: object, **__: object) -> Evaluation:
        """Runs a graph as a page does, so that nothing is computed twice."""
        noise = shown_noise(graph) if choices.is_trained else {}
        programs.append(live_program(graph, choices.ignored_stops, noise))
        return programs[-1].run

    session = Session(with_places(graph), partial(InlineEvaluator, run=run))
    session.wait_for_pages()
    try:
        return _Writer(session, programs[-1], title, choices, outfit, links).parts()
    finally:
        session.close()


def page_text(parts: PageParts, head: str, code: str) -> str:
    """Returns the text of a page with the elements of its style and its script."""
    is_dead = "" if parts.data else " data-live=no"
    return (
        f'<!doctype html>\n<html lang="en"{is_dead}>\n'
        '<meta charset="utf-8"><meta name="generator" content="Gradwire">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{quoted(parts.title)}</title>{head}\n"
        f"{parts.body}\n{parts.data}{code if parts.data else ''}\n</html>\n"
    )


def _refusal(program: LiveProgram) -> str:
    """Returns why the script is not given the programs of a graph; "" if it is."""
    if program.run.snapshot.has_errors:
        return tr("This graph has an error, so the numbers on this page stay as they are.")
    if program.size > LARGEST_MEMORY:
        return tr("This graph has more numbers than a page can run; open it in Gradwire.")
    return ""


class _Writer:
    """Writer of one page."""

    def __init__(
        self, session: Session, program: LiveProgram, title: str, choices: PageChoices, outfit: Outfit, links: str
    ) -> None:
        self._session, self._program, self._title = session, program, plain(title)
        self._choices, self._outfit, self._links, self._refusal = choices, outfit, links, _refusal(program)
        self._training, self._untrained = self._trained() if choices.is_trained else (None, "")
        self._sources = Sources(session.graph, program)
        # The blocks that are seen, by their paths in results.
        self._shown: set[str] = set()
        # A frame may not download.
        file = "" if choices.is_embedded else dumps(session.graph)
        self._file = file if len(file) <= LONGEST_FILE else ""

    def _trained(self) -> tuple[LiveTraining | None, str]:
        """Returns the training of the page, or why it has none."""
        if self._refusal:
            return None, self._refusal
        try:
            return live_training(self._session.graph, self._program, self._choices.has_data), ""
        except GradwireError as error:
            return None, tr_sentence(str(error))

    def parts(self) -> PageParts:
        """Returns the parts of the page."""
        painter = SvgPainter(self._outfit.styles, has_groups=False)
        with painter:
            pictures = list(self._pictures(painter))
            symbols = "".join(painter.symbols.values()).replace("xlink:href", "href")
            clips = "".join(painter.clips)
        drawn = "".join(self._picture(number, item, len(pictures)) for number, item in enumerate(pictures))
        bodies, shapes = with_shared_shapes(drawn.replace("xlink:href", "href"), "href")
        kinds = frozenset[str]().union(*(item.kinds for item in pictures))
        # Of glyphs those of all statuses, and of the causes that labels say.
        glyphs = "".join(text for name, text in self._outfit.glyphs.items() if name in {*Status, *kinds})
        shared = f"<defs>{symbols}{clips}{glyphs}{shapes}</defs>"
        shared = f'<svg width="0" height="0" aria-hidden="true">{shared}</svg>'
        self._outfit.note(pictures)
        without_script = quoted(tr("Without its script the numbers on this page stay as they are."))
        body = "\n".join(
            [
                f"<body{attributes(class_='embed') if self._choices.is_embedded else ''}>",
                in_html(f"{self._header(pictures)}{self._told()}"),
                in_html(f"<main>{shared}{bodies}<div id=card hidden></div></main>"),
                self._bar(),
                f"<noscript><p class=note>{without_script}</p></noscript>",
                f"<p id=say role=status>{quoted(self._refusal or self._untrained)}</p>",
                in_html(self._table()),
            ]
        )
        data = "" if self._refusal else self._data(pictures)
        results = self._session.results
        problems = () if results is None else results.problems
        functions = self._program.functions | kinds
        trains = self._training is not None
        functions |= {FAST + name for name in functions} if trains else set()
        scripts = () if not data else TRAINING_SCRIPTS if trains else SCRIPTS
        held = "" if self._training is None else held_text(self._training)
        sheets = ("page", *([training_bar.SHEET] if trains else []))
        told = (problems, self._refusal, self._untrained, held)
        return PageParts(self._title, body, data, scripts, functions, *told, sheets)

    def _pictures(self, painter: SvgPainter) -> Iterator[Picture]:
        """Yields the pages of the graph, with the results of the first use of each."""
        for number, page in enumerate(self._session.graph.pages):
            self._session.view.show(page.name)
            mirror = Mirror(self._session)
            mirror.rebuild()
            self._shown |= {f"{self._session.prefix}/{block}" for block in mirror.ids}
            look = Look(self._outfit.dress)
            yield PictureWriter(mirror, painter, look, self._program, self._sources, number).picture()

    def _picture(self, number: int, picture: Picture, count: int) -> str:
        said = tr("{title}: a graph with the value and the gradient on every wire", title=plain(picture.name))
        box = " ".join(map(exact, picture.box))
        sides = attributes(id=f"g{number}", viewBox=box, role="group", aria_label=said)
        name = f"<h2>{quoted(plain(picture.name))}</h2>" if count > 1 else ""
        return f"{name}<svg{sides}>{picture.markup}</svg>"

    def _header(self, pictures: list[Picture]) -> str:
        tabs = ""
        if len(pictures) > 1:
            names = "".join(f"<button role=tab>{quoted(plain(item.name))}</button>" for item in pictures)
            tabs = f"<div{attributes(role='tablist', aria_label=tr('pages'))}>{names}</div>"
        buttons = "".join(
            f"<button{attributes(type='button', data_do=key, title=said or None)}>{quoted(text)}</button>"
            for key, text, said in (
                ("back", "‹", tr("One step less")),
                ("on", tr("Step backward ›"), ""),
                ("all", tr("All"), tr("All gradients")),
                ("reset", tr("Reset"), ""),
                ("fit", tr("Fit"), ""),
                ("nearer", "+", tr("Zoom in")),
                ("farther", "−", tr("Zoom out")),
                ("link", tr("Copy link"), tr("Copy a link to the numbers, stops, step and view that are shown")),
                *([("graph", tr("Download"), tr("Download the graph as a file for Gradwire"))] if self._file else []),
            )
        )
        loss = f"<span id=loss>{self._loss()}</span>"
        return f"<header>{self._links}<h1>{quoted(self._title)}</h1>{tabs}{loss}<div id=tools>{buttons}</div></header>"

    def _told(self) -> str:
        """Returns what is told of blocks: each a button that leads to its block."""
        if not self._choices.heading:
            return ""
        items = "".join(
            f"<li>{self._guilty(path, title) if path else quoted(title)} {quoted(text)}"
            for path, title, text in self._choices.told
        )
        return f"<section id=told><b>{quoted(self._choices.heading)}</b><ol>{items}</ol></section>"

    def _guilty(self, path: str, title: str) -> str:
        """Returns the button that leads to a block; of a page that is used again, to its first use."""
        at = path if path in self._shown else self._sources.path_of(path)
        return f"<button{attributes(type='button', data_at=at)}>{quoted(title)}</button>"

    def _loss(self) -> str:
        loss = self._program.run.loss
        value = None if loss is None else loss.value
        return "" if loss is None else f"L = {'?' if value is None else fmt(float(value))}"

    def _bar(self) -> str:
        training = self._training
        return "" if training is None else in_html(training_bar.training_bar(training, plan_of(self._session.graph)))

    def _table(self) -> str:
        titles = (tr("Wire"), tr("Value"), tr("Gradient"), tr("Status"))
        heads = "".join(f"<th scope=col>{quoted(title)}" for title in titles)
        rows = "".join(table_rows(self._session, self._program))
        summary = quoted(tr("All wires as a table"))
        return f"<details><summary>{summary}</summary><table><thead><tr>{heads}<tbody>{rows}</table></details>"

    def _data(self, pictures: list[Picture]) -> str:
        lowered = self._program.run.lowered
        names = [item.name for item in pictures]
        more: dict[str, object] = {
            "called": list(self._program.called),
            "graph": self._file,
            "first": names.index(self._choices.first) if self._choices.first in names else 0,
            "losses": list(lowered.inferred.losses),
            "order": list(dict.fromkeys(step.path for step in back_steps(self._program.run))),
            "pages": [item.script for item in pictures],
            "words": page_words() | ({} if self._training is None else training_words()),
        }
        behind: tuple[bytes, ...] = ()
        if self._training is not None:
            more["training"], behind = self._training.document, self._training.memories
        told = attributes(data_no=tr("This browser cannot run the page; the numbers stay as they are."))
        return f"<script type=text/plain id=data{told}>{self._program.packed(more, behind)}</script>"


@lru_cache
def _glyphs() -> tuple[TokenTheme, dict[str, str], dict[str, str]]:
    """Returns a theme, the glyphs that a page may show, painted with it, and the names of their classes."""
    dress = TokenTheme()
    painter = SvgPainter(Styles(dress.paint, "x", has_fonts=False), has_groups=False)
    with painter:
        return dress, marks(painter, dress), painter.styles.names


@lru_cache
def _code(script: str) -> str:
    """Returns the element of a script, and the script that unpacks it."""
    return f"<script type=text/plain id=code>{deflated(script.encode())}</script><script>{STARTER}</script>"


@lru_cache
def page_script(names: tuple[str, ...], functions: frozenset[str] | None = None) -> str:
    """Returns the scripts of a kind of page as one, as `make page-scripts` has condensed them.

    Of the functions that instructions may call it has those named, None for all.
    """
    pieces = json.loads(CONDENSED.read_text(encoding="utf-8"))[" ".join(names)]
    return "".join(text for name, text in pieces if name is None or functions is None or name in functions)


def policy(style: str, script: str, images: str = "data:") -> str:
    """Returns the rule that lets a browser use these styles, scripts and images alone, and load nothing else."""
    parts = ["default-src 'none'", f"style-src {style}", f"img-src {images}", "base-uri 'none'", "form-action 'none'"]
    parts += [f"script-src {script}"] if script else []
    return f'<meta http-equiv="Content-Security-Policy" content="{";".join(parts)}">'


def _digest(text: str) -> str:
    return f"'{digest(text)}'"


def digest(text: str) -> str:
    """Returns the sum of a style or script, as rules and elements name it."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
