"""The text of a report about a problem: versions, system, screens, settings, counts, and the last lines of the log."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np
import PySide6
from PySide6.QtCore import qVersion
from PySide6.QtGui import QGuiApplication

import gradwire
from gradwire.app.base.log import last_lines
from gradwire.app.base.redaction import redacted
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.processes.python_process import ROOT
from gradwire.engine.blocktypes.library import library
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Graph

LINES = 50


def report_text(graph: Graph | None, path: Path | None, appearance: Appearance, with_graph: bool = False) -> str:
    """Returns the report in English, for those who mend the program; without a graph no document is open.

    File names, names of blocks, numbers and the graph are in it only `with_graph`.
    """
    head = [*_versions(), *_system(), *_look(appearance), _plugins(), _size(graph)]
    parts = ["\n".join(head), f"Last lines of the log:\n{_log(graph, path, with_graph) or '(none)'}"]
    if with_graph and graph is not None:
        parts += [f"File: {path or '(not saved)'}", f"Graph:\n{_written(graph)}"]
    return "\n\n".join(parts) + "\n"


def _versions() -> Iterator[str]:
    yield f"Gradwire {gradwire.__version__}"
    yield f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {_version_of('scipy')}"
    yield f"Qt {qVersion()}, PySide6 {PySide6.__version__}"
    yield f"Executor: {EXECUTOR}; processor: {platform.machine()}, {_processor_features()}"
    if NOTICE:
        yield "The executor that was wished for or installed does not run."


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor_features() -> str:
    """Returns the vector instructions that NumPy has found."""
    found = np.show_config(mode="dicts") or {}
    vectors = found.get("SIMD Extensions", {})
    return " ".join([*vectors.get("baseline", ()), *vectors.get("found", ())]) or "no vector instructions known"


def _system() -> Iterator[str]:
    session = " ".join(filter(None, map(os.environ.get, ("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP"))))
    yield f"System: {platform.platform().replace(platform.node() or ' ', '<host>')}"
    yield f"Desktop session: {session or 'not known'}; Qt plug-in: {QGuiApplication.platformName()}"
    for number, screen in enumerate(QGuiApplication.screens(), 1):
        size = screen.geometry()
        dots = f"{screen.logicalDotsPerInch():.0f} dpi"
        yield f"Screen {number}: {size.width()} x {size.height()}, scale {screen.devicePixelRatio():g}, {dots}"


def _look(appearance: Appearance) -> Iterator[str]:
    theme = f"{appearance.theme.name} (chosen: {appearance.choice}, contrast: {appearance.contrast})"
    yield f"Theme: {theme}; text size: {appearance.text_scale:.0%}"


def _plugins() -> str:
    names = ", ".join(item.name for item in library.plugins.values() if item.is_enabled)
    return f"Plug-ins: {names or 'none'}"


def _size(graph: Graph | None) -> str:
    if graph is None:
        return "Document: none"
    blocks, wires = (sum(len(getattr(page, what)) for page in graph.pages) for what in ("blocks", "wires"))
    return f"Document: pages {len(graph.pages)}, blocks {blocks}, wires {wires}"


def _log(graph: Graph | None, path: Path | None, with_graph: bool) -> str:
    lines = last_lines(LINES)
    if with_graph:
        return "\n".join(lines)
    files = [str(path)] if path is not None else []
    names = [*_names(graph), platform.node(), Path.home().name]
    return redacted(lines, str(Path.home()), str(ROOT), files, names)


def _names(graph: Graph | None) -> Iterator[str]:
    for page in graph.pages if graph is not None else ():
        yield page.name
        yield from (text for frame in page.frames for text in (frame.id, frame.title))
        yield from (text for note in page.notes for text in (note.id, note.text))
        for block in page.blocks.values():
            yield block.id
            yield block.label or ""


def _written(graph: Graph) -> str:
    try:
        return dumps(graph)
    except GradwireError as error:
        return f"(cannot be written: {error})"
