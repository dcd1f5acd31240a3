"""What is broken in a file that opens: said above the canvas, listed with its lines, and mended in one edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.words import tr
from engine.files import Loaded
from engine.problem_places import ProblemPlaces
from lint.repairs import REPAIRABLE, repair_all

if TYPE_CHECKING:
    from app.main_window import MainWindow

# Of these a file is to blame; all else that may be wrong with a graph is told in the same list.
DEFECTS = (*REPAIRABLE, "duplicate_id")


class Repairing:
    """Shows the defects of the document of one window and mends them."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        window.banner.clicked.connect(self._act)

    def examine(self, loaded: Loaded) -> None:
        """Notes which defects the file has that is shown now, and where."""
        session = self._window.session
        found = [problem for problem in session.problems if problem.code in DEFECTS]
        if found:
            places = ProblemPlaces(loaded)
            session.set_file_lines({problem: places.find(problem)[0] for problem in found})

    def fix_all(self) -> None:
        """Mends all that can be, in one edit."""
        self._window.session.apply(tr("Fix all"), repair_all)

    def _act(self, what: str) -> None:
        if what == "fix_all":
            self.fix_all()
        elif what == "show_problems":
            self._show()

    def _show(self) -> None:
        """Shows the list; what nothing can mend has been told with that."""
        session = self._window.session
        if not any(problem.code in REPAIRABLE for problem in session.defects):
            session.set_file_lines({})
        self._window.docking.show_lens("problems")
