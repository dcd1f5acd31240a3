"""The repair of a file that opens: the status line reports defects, the list shows them, one edit fixes them."""

from __future__ import annotations

from collections.abc import Callable

from gradwire.app.base.translation import tr
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.engine.advice.repairs import REPAIRABLE, repair_all
from gradwire.engine.files.files import Loaded
from gradwire.engine.files.problem_places import ProblemPlaces

# Of these a file is to blame; all else that may be wrong with a graph is told in the same list.
DEFECTS = (*REPAIRABLE, "duplicate_id")


class Repairing:
    """The defects of the document of one window, and their repair."""

    def __init__(self, document: ShownDocument, show_problems: Callable[[], None]) -> None:
        self._document, self._show_problems = document, show_problems

    def examine(self, loaded: Loaded) -> None:
        """Finds the defects of the file now shown, and their places."""
        session = self._document.session
        found = [problem for problem in session.problems if problem.code in DEFECTS]
        if found:
            places = ProblemPlaces(loaded)
            session.file.set_lines({problem: places.find(problem)[0] for problem in found})

    def fix_all(self) -> None:
        """Repairs all repairable defects in one edit."""
        self._document.session.apply(tr("Fix all"), repair_all)

    def show(self) -> None:
        """Shows the list, which includes defects that cannot be repaired."""
        session = self._document.session
        if not any(problem.code in REPAIRABLE for problem in session.file.defects(session.problems)):
            session.file.set_lines({})
        self._show_problems()
