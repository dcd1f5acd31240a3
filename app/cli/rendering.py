"""Pictures of graphs for the command line and for notebooks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence, Set
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QCursor, QGuiApplication
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.settings import Settings
from gradwire.app.canvas.painting.picture import PagePicture, with_places
from gradwire.app.cli.render_options import USUAL, WindowState
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.look.png import png
from gradwire.app.look.theme import theme
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.files import Loaded
from gradwire.engine.files.outputs import Output
from gradwire.engine.files.wanted_files import paths_read
from gradwire.engine.graph.graph import Graph

if TYPE_CHECKING:
    from gradwire.app.features.share.web.html_page import HtmlPage, PageParts

ThemeName = Literal["dark", "light"]


def render(graph: Graph, target: Output, page: str | None, theme_name: ThemeName) -> Sequence[Problem]:
    """Draws a page into a file, and returns the graph's problems.

    Raises: FileError if it cannot be written.
    """
    _start_qt()
    picture = PagePicture(graph, page)
    picture.save(target, theme(theme_name))
    problems = picture.problems
    picture.close()
    return problems


def render_page(graph: Graph, target: Output, title: str, choices: PageChoices) -> HtmlPage:
    """Writes a graph as a page that runs, and returns it.

    Raises: FileError if it cannot be written.
    """
    made = living_page(graph, title, choices)
    target.write(made.text.encode("utf-8", "backslashreplace"))
    return made


def render_site(folder: Path, graphs: Mapping[str, Graph], choices: PageChoices) -> tuple[Sequence[PageParts], int]:
    """Writes the graphs of some files as a site; returns their pages, and the size of all that was written.

    Units: bytes.
    Raises: FileError if one of its files cannot be written, or is no page of Gradwire.
    """
    from gradwire.app.features.share.web.site import Site  # what pictures do without

    _start_qt()
    inputs = [path for file, graph in graphs.items() for path in paths_read(graph, file)]
    site = Site(folder, [*graphs], inputs)
    return [entry.parts for entry in site.write(graphs.values(), choices)], site.size


def living_page(graph: Graph, title: str, choices: PageChoices) -> HtmlPage:
    """Returns a graph as a page that runs."""
    from gradwire.app.features.share.web.html_page import html_page  # what pictures do without

    _start_qt()
    return html_page(graph, title, choices)


def render_window(
    loaded: Loaded,
    title: str,
    size: tuple[int, int],
    page: str | None,
    theme_name: ThemeName,
    state: WindowState = USUAL,
) -> tuple[dict[str, object], bytes, Sequence[Problem]]:
    """Opens a graph in a window in a state, without showing it; returns what is seen there, a PNG, and the problems.

    Units: `size` as width and height in px.
    Raises: UsageError if the page has nothing of the name that is to be selected.
    """
    from gradwire.app.cli.window.report import report_of
    from gradwire.app.cli.window.states import bring
    from gradwire.app.start.settled_window import settle, unseen_window  # loads all panels

    _start_qt()
    with tempfile.TemporaryDirectory(prefix="gradwire-") as folder:
        settings = Settings(Path(folder) / "settings.ini")
        settings.set_text("text_scale", str(state.text))
        with unseen_window(settings, theme_name, size) as window:
            window.parts.document.show(with_places(loaded.graph), notices=loaded.notices, title=Path(title).stem)
            if page is not None:
                window.session.view.show(page)
            settle(window)
            if state != USUAL:
                bring(window, state)
                settle(window)
            image = window.grab().toImage()
            report, picture = report_of(window, image), png(image)
            results = window.session.results
    return report, picture, () if results is None else results.problems


def svg_text(graph: Graph, theme_name: ThemeName = "light", ignored_stops: Set[str] | None = frozenset()) -> str:
    """Returns the first page of a graph as SVG, also as it is where gradients pass some StopGradients, None for all."""
    _start_qt()
    picture = PagePicture(graph, make_evaluator=partial(InlineEvaluator, ignored_stops=ignored_stops))
    text = picture.svg(theme(theme_name)).decode()
    picture.close()
    return text


def _start_qt() -> None:
    """Creates an application, which fonts need; without a screen, as in a notebook's kernel, it is offscreen."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        # The application must live as long as the process: Qt's fonts disappear with it.
        global _application
        _application = QApplication(["gradwire"])
        if QGuiApplication.platformName() == "offscreen":
            # Where the pointer stands at first there is a button of the window.
            QCursor.setPos(-1, -1)


_application: QApplication | None = None
