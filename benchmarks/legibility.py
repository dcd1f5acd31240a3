"""A benchmark of what can be read: every example, recorded graphs, and graphs wired by hand, in the real window.

Each graph is opened at each size of the window. Its row has the share of wires whose gradient and whose value are
read, the share of blocks whose name is, the smallest text in px, overlaps, wires behind blocks, and the share of the
window that is canvas. A summary compares each size with the goals. After the sizes come summaries at the first one for
texts of 150 %, for German, and for a screen of twice the density. `--help` names the options.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QSize

from benchmarks.handmade import HANDMADE, built_by_hand
from gradwire.app.base.examples import example_names, example_path
from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import use_language
from gradwire.app.canvas.access.legibility import Legibility, read_window
from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.settled_window import settle, unseen_window
from gradwire.app.start.window import made_application
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.recorded import graph_of_recording, recorded_graphs
from tests.recorded import load as load_recording

SIZES = ("1366x768", "1280x800", "1600x1000", "1920x1080")
VARIANTS = {"texts of 150 %": ("--text", "150"), "German": ("--language", "de"), "density 2": ("--density", "2")}
SMALL, LARGE = 25, 40
SMALLEST = 9.5
HEAD = f"{'':36} blocks wires  zoom  grad value  name    px over behind canvas"


class Row(NamedTuple):
    """What is read of one graph."""

    name: str
    found: Legibility

    @property
    def reaches_goal(self) -> bool:
        """Whether everything is read that should be in a graph of this size."""
        found = self.found
        is_clean = not found.overlaps and not found.behind and (found.smallest >= SMALLEST - 0.05)
        if found.blocks <= SMALL:
            return is_clean and found.gradients == found.names == 1 and found.values >= 0.9
        return is_clean and min(found.gradients, found.names) >= 0.95

    def __str__(self) -> str:
        item = self.found
        shares = "".join(f"{round(100 * share):>5}%" for share in (item.gradients, item.values, item.names))
        counts = f"{item.smallest:>6.1f}{item.overlaps:>5}{item.behind:>7}{round(100 * item.canvas):>6}%"
        mark = "" if self.reaches_goal else "  *"
        return f"{self.name[:35]:36}{item.blocks:>7}{item.wires:>6}{round(100 * item.zoom):>5}%{shares}{counts}{mark}"


def graphs(window: MainWindow, only: Sequence[str]) -> Iterator[tuple[str, Graph]]:
    """Gives the examples, the recorded graphs, and those wired by hand in the window, as far as they are wanted."""
    for name in example_names():
        if _is_wanted(name, only):
            yield name, load(example_path(name)).graph
    for name in recorded_graphs():
        if _is_wanted(f"recorded_{name}", only):
            graph = graph_of_recording(load_recording("graphs", name))
            if len(graph.pages[0].blocks) <= LARGE:
                yield f"recorded_{name}", graph
    for name in HANDMADE:
        if _is_wanted(f"hand_{name}", only):
            yield f"hand_{name}", built_by_hand(window, HANDMADE[name])


def measure(window: MainWindow, name: str, graph: Graph, size: QSize) -> Row:
    """Opens a graph at a size of the window, and returns what is read of it."""
    window.resize(size)
    window.parts.document.show(with_places(graph), title=name)
    settle(window)
    return Row(name, read_window(window, window.parts.canvas))


def summary(size: str, rows: Sequence[Row]) -> str:
    """Returns the lines that compare a size with the goals."""
    lines = [f"{size}: {sum(row.reaches_goal for row in rows)} of {len(rows)} graphs reach the goal"]
    for title, group in (
        (f"up to {SMALL} blocks (goal 100, 90, 100 %)", [row for row in rows if row.found.blocks <= SMALL]),
        (f"{SMALL + 1} to {LARGE} (goal 95, -, 95 %)", [row for row in rows if SMALL < row.found.blocks <= LARGE]),
        (f"above {LARGE}", [row for row in rows if row.found.blocks > LARGE]),
    ):
        if group:
            lines.append(f"  {title}, {len(group)} graphs: {_shares(group)}")
    return "\n".join(lines)


def _shares(rows: Sequence[Row]) -> str:
    found = [row.found for row in rows]
    shares = [
        f"{title} {100 * sum(values) / len(rows):.1f} % (least {100 * min(values):.0f})"
        for title, values in (
            ("gradients", [item.gradients for item in found]),
            ("values", [item.values for item in found]),
            ("names", [item.names for item in found]),
        )
    ]
    smallest = min([item.smallest for item in found if item.smallest], default=0.0)
    overlaps, behind = sum(item.overlaps for item in found), sum(item.behind for item in found)
    return (
        f"{', '.join(shares)}; smallest {smallest:.1f} px, {overlaps} overlaps, {behind} wires behind blocks, "
        f"canvas {100 * min(item.canvas for item in found):.1f} %"
    )


def _is_wanted(name: str, only: Sequence[str]) -> bool:
    return not only or any(part in name for part in only)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only graphs whose name contains one of these")
    parser.add_argument("--sizes", default="", help=f"sizes with commas; by default {','.join(SIZES)}, and variants")
    parser.add_argument("--text", default="100", help="the size of texts in per cent")
    parser.add_argument("--language", default="en")
    parser.add_argument("--density", default="1", help="device pixels a px")
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--summary", action="store_true", help="no row for each graph")
    parser.add_argument("--pictures", type=Path, help="a folder for a picture of each window")
    return parser.parse_args()


def main() -> None:
    """Prints the tables."""
    options = _options()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = options.density
    use_language(made_application(), options.language)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder) / "settings.ini")
        settings.set_text("text_scale", options.text)
        settings.set_text("motion", "reduced")
        with unseen_window(settings, options.theme) as window:
            _measure_all(window, options)
    if not options.sizes:
        for title, arguments in VARIANTS.items():
            print(f"\n{title}", flush=True)
            command = [sys.executable, "-m", "benchmarks.legibility", "--sizes", SIZES[0], "--summary"]
            subprocess.run([*command, *arguments, *options.names], check=True)


def _measure_all(window: MainWindow, options: argparse.Namespace) -> None:
    opened = list(graphs(window, options.names))
    for size in options.sizes.split(",") if options.sizes else SIZES:
        width, height = map(int, size.split("x"))
        rows = []
        if not options.summary:
            print(f"\n{size}\n{HEAD}")
        for name, graph in opened:
            rows.append(measure(window, name, graph, QSize(width, height)))
            if not options.summary:
                print(rows[-1], flush=True)
            if options.pictures:
                window.grab().save(str(options.pictures / f"{name}_{size}.png"))
        print(summary(size, rows), flush=True)
    window.session.document.mark_saved()
    window.close()


if __name__ == "__main__":
    main()
