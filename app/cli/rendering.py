"""Pictures of graphs for the command line and for notebooks."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

import blocks  # noqa: F401  # fills the library
from app.canvas.picture import PagePicture
from app.look.theme import theme
from engine.graph import Graph
from engine.problems import Problem

ThemeName = Literal["dark", "light"]


def render(graph: Graph, target: Path, page: str | None, theme_name: ThemeName) -> Sequence[Problem]:
    """Draws a page into a file, and gives the problems of the graph.

    Raises: FileError if the file's ending is unknown or it cannot be written.
    """
    _start_qt()
    picture = PagePicture(graph, page)
    picture.save(target, theme(theme_name))
    problems = picture.problems
    picture.close()
    return problems


def render_states(subject: Literal["blocks", "wires"], target: Path, theme_name: ThemeName) -> None:
    """Draws every state of blocks or of wires into a PNG.

    Raises: FileError if the file's ending is another one or it cannot be written.
    """
    from app.state_sheets import save_sheet  # loads the whole canvas

    _start_qt()
    save_sheet(subject, target, theme_name)


def svg_text(graph: Graph, theme_name: ThemeName = "light") -> str:
    """The first page of a graph as SVG."""
    _start_qt()
    picture = PagePicture(graph)
    text = picture.svg(theme(theme_name)).decode()
    picture.close()
    return text


def _start_qt() -> None:
    """Fonts need an application, but no screen: a notebook's kernel has none."""
    if QGuiApplication.instance() is None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        # Kept for as long as the process lives: Qt's fonts go with it.
        global _application
        _application = QApplication(["gradwire"])


_application: QApplication | None = None
