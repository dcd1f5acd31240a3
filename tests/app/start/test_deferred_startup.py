"""The window is painted before any large import, and then gets its parts without blocking the user."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.shell.documents.recovery_files import write_origin
from tests.app.programs import Program, note_first_start

# A program with its window, whose backdrop prints the imported modules at its first paint.
AT_FIRST_PAINT = """
import sys
from gradwire.app.__main__ import main
from gradwire.app.start.backdrop import Backdrop
from PySide6.QtWidgets import QApplication

def say():
    print(" ".join(name for name in HEAVY if name in sys.modules), flush=True)
    QApplication.instance().closeAllWindows()

HEAVY = sys.argv.pop(1).split()
painted = Backdrop.paintEvent
Backdrop.paintEvent = lambda self, event: (painted(self, event), say())
sys.exit(main())
"""
# A program that prints, after its window is painted, whether code has read the source of an imported module.
SOURCES_READ = """
import linecache
import sys
from gradwire.app.__main__ import main
from gradwire.app.start.backdrop import Backdrop
from PySide6.QtWidgets import QApplication

def say():
    read = [name for name in linecache.cache if "main_window" in name]
    print("gradwire.app.start.main_window" in sys.modules, *read, flush=True)
    QApplication.instance().closeAllWindows()

painted = Backdrop.paintEvent
Backdrop.paintEvent = lambda self, event: (painted(self, event), say())
sys.exit(main())
"""
# A program that runs until its first results arrive or it shows its welcome page, and prints the imported modules.
LATER = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    if not window.is_filled or (len(sys.argv) > 1 and not (window.session.results and window.session.results.loss)):
        QTimer.singleShot(10, look)
        return
    print(" ".join(name for name in HEAVY if name in sys.modules), window.parts.layout.shows_welcome, flush=True)
    window.close()

HEAVY = sys.argv.pop(1).split()
fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""
# A program that runs until its window is painted with all parts, and prints the windows in it that would not be.
PAINTED = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    if not window.is_filled or not window.updatesEnabled() or not window.session.results:
        QTimer.singleShot(10, look)
        return
    inside = [item for item in window.findChildren(QWidget) if item.isWindow()]
    print("search_popup" in [item.objectName() for item in inside],
          *(item.objectName() for item in inside if not item.updatesEnabled()), flush=True)
    window.close()

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""
# A program that runs until it offers the unsaved graphs of an earlier one, and prints their names.
OFFERS = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    dialog = QApplication.activeModalWidget()
    if dialog is None:
        QTimer.singleShot(10, look)
        return
    print(dialog.objectName(), window.is_filled, *(entry.name for entry in dialog._list.entries), flush=True)
    dialog.reject()
    window.close()

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""
# A program that runs until it reports its plug-ins, and prints its knowledge of them and the imported modules.
REPORTS = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    dialog = QApplication.activeModalWidget()
    if dialog is None or window.windows.plugins.wait(0):
        QTimer.singleShot(10, look)
        return
    print(dialog.objectName(), *(name for name in sys.modules if "plug_in" in name))
    print(*(label.text() for label in dialog.findChildren(QLabel, "plugin_state")), sep="\\n", flush=True)
    dialog.reject()
    window.close()

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""
# A program that fails at the file that it opens first, and prints its words about that and the page it shows.
FAILS = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    dialog = QApplication.activeModalWidget()
    if dialog is None:
        QTimer.singleShot(10, look)
        return
    print(dialog.text(), dialog.informativeText(), sep="\\n", flush=True)
    dialog.accept()
    QTimer.singleShot(200, lambda: (print(window.parts.layout.shows_welcome, flush=True), window.close()))

def fail(*_):
    raise ValueError("odd")

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (
    fill(self, spare), setattr(self.parts.document, "show", fail), QTimer.singleShot(0, look)
)
sys.exit(main())
"""
NEVER_AT_ONCE = ("scipy", "numpy.ma", "ziamath", "latex2mathml", "multiprocessing")


# A program that prints the title of what it shows first, and whether that is the welcome page.
SHOWS = """
import os
import sys
from gradwire.app.__main__ import main
from gradwire.app.start.deferred_startup import DeferredStartup

def look(self):
    parts = self._window.parts
    print(parts.document.title, parts.layout.shows_welcome, parts.help.first_steps.step, flush=True)
    self._window.settings.sync()
    self.close()
    # The safe start has a dialog to show, which nobody would answer.
    os._exit(0)

shown = DeferredStartup._show_first
DeferredStartup._show_first = lambda self: (shown(self), look(self))
sys.exit(main())
"""


def said(script: str, folder: Path, *arguments: str) -> str:
    """Returns the output of a new program that imports everything itself, with settings and packages of its own."""
    note_first_start(folder)
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
    }
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    return done.stdout.strip()


def said_by_fork(script: str, folder: Path, *arguments: str) -> str:
    """Returns the output of a program with settings of its own, which finds everything imported."""
    variables = {"XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    program = Program(script, folder, *arguments, variables=variables)
    assert program.wait() == 0 and "Traceback" not in program.errors, program.errors
    return program.output.strip()


@pytest.mark.parametrize("files", [(), (str(example_path("softmax_stable")),)])
def test_nothing_large_is_imported_before_the_first_paint(tmp_path: Path, files: tuple[str, ...]) -> None:
    heavy = (
        "numpy",
        "gradwire.engine.graph.graph",
        "gradwire.engine.blocktypes.expression",
        "gradwire.blocks",
        "gradwire.app.live.session",
        "gradwire.app.canvas.canvas",
    )
    assert said(AT_FIRST_PAINT, tmp_path, " ".join((*heavy, *NEVER_AT_ONCE)), *files) == ""


def test_no_source_is_read_of_what_is_imported(tmp_path: Path) -> None:
    assert said(SOURCES_READ, tmp_path) == "True"


def test_a_window_that_is_closed_while_it_is_empty_ends_the_program(tmp_path: Path) -> None:
    assert said(AT_FIRST_PAINT, tmp_path, "PySide6") == "PySide6"


@pytest.mark.long
def test_the_welcome_page_needs_none_of_the_heavy_packages(tmp_path: Path) -> None:
    assert said(LATER, tmp_path, " ".join(("numpy", *NEVER_AT_ONCE))) == "numpy True"


@pytest.mark.long
def test_a_small_example_is_live_without_the_heavy_packages(tmp_path: Path) -> None:
    example = str(example_path("softmax_stable"))
    assert said(LATER, tmp_path, " ".join(("numpy", *NEVER_AT_ONCE)), example) == "numpy False"


@pytest.mark.long
def test_a_window_opens_without_a_file_at_which_the_program_fails(tmp_path: Path) -> None:
    note_first_start(tmp_path)
    assert said_by_fork(FAILS, tmp_path, str(example_path("softmax_stable"))).splitlines() == [
        "The file cannot be opened",
        "Something went wrong inside Gradwire at softmax_stable.graph. Help > Report a problem copies the details.",
        "True",
    ]


@pytest.mark.long
def test_the_popups_of_a_furnished_window_are_painted_too(tmp_path: Path) -> None:
    assert said(PAINTED, tmp_path, str(example_path("softmax_stable"))) == "True"


@pytest.mark.long
def test_what_was_left_unsaved_is_offered_once_the_window_stands(tmp_path: Path) -> None:
    left = tmp_path / "gradwire" / "running" / "1-0000"
    left.mkdir(parents=True)
    (left / "1.graph").write_bytes(example_path("softmax_stable").read_bytes())
    write_origin(left / "1.graph", "mine", None)
    note_first_start(tmp_path)
    assert said_by_fork(OFFERS, tmp_path) == "recovery_dialog True mine"
    assert (left / "1.graph").exists()


def test_the_first_start_shows_a_broken_gradient_and_the_second_the_welcome_page(tmp_path: Path) -> None:
    assert said_by_fork(SHOWS, tmp_path) == "Welcome: one broken gradient False 0"
    assert said_by_fork(SHOWS, tmp_path) == "True None"


@pytest.mark.long
@pytest.mark.parametrize("arguments", [("--safe",), (str(example_path("softmax_stable")),)])
def test_a_file_and_the_safe_start_come_before_the_first_steps(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert said_by_fork(SHOWS, tmp_path, *arguments).endswith("None")


GOOD = """
from gradwire.api import block

@block("Mine")
def Same(x):
    \"\"\"The tensor itself.\"\"\"
    return x
"""


@pytest.mark.long
def test_a_window_starts_whatever_a_plug_in_does_reports_it_and_disables_it(tmp_path: Path) -> None:
    sources = {"a_works": GOOD, "b_ends": "import os; os._exit(7)", "c_raises": "raise KeyboardInterrupt"}
    for name, source in sources.items():
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[gradwire.blocks]\n{name} = plug_in_{name}\n")
        (tmp_path / f"plug_in_{name}.py").write_text(source)
    enabled = tmp_path / "gradwire" / "plugins.txt"
    enabled.parent.mkdir(exist_ok=True)
    enabled.write_text("a_works\nb_ends\nc_raises\n")
    assert said(REPORTS, tmp_path).splitlines() == [
        "plugins_dialog",
        "Disabled: it ended the process that imported it, with exit code 7.",
        "Disabled: plug_in_c_raises.py, line 1: raise KeyboardInterrupt.",
        "Loaded; it adds a_works.Same.",
    ]
    assert enabled.read_text() == "a_works\n"
