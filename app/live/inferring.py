"""The window's inference of a graph before it runs, updated from edit to edit.

Pages inside pages multiply: 30 blocks in a file may stand for 200,000. These are expanded on a thread.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gradwire.engine.autodiff.expand import LEFT_CLOSED
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.autodiff.infer_update import update_inference
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.block_parameters import VALUES, value_of
from gradwire.engine.graph.graph import Block, Graph, changes, same_pages
from gradwire.engine.graph.ports import role_of

# What used pages may have inside for the window to wait for them. Units: blocks.
SOON = 5_000


class Inferring(QObject):
    """The inference of one document's graph. Each method returns what is known at once.

    Where used pages have more than `SOON` blocks inside, the rest of them is left closed at first and expanded on a
    thread; then `found(Inferred)` brings the whole inference, unless an edit or `stop` comes before. After an edit
    that lets all of so many blocks be inferred anew, the inference before stands until then.
    """

    found = Signal(object)
    _done = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._work: _Work | None = None
        self._done.connect(self._take)

    def anew(self, graph: Graph) -> Inferred:
        """Returns the inference of a graph."""
        return self._begun(infer_specs(graph, inside=SOON))

    def after(self, before: Inferred, old: Graph, new: Graph) -> Inferred:
        """Returns that after the edit from `old` to `new`; `before` itself if only numbers and looks changed."""
        if _differ_in_values_only(old, new):
            return before
        updated = update_inference(before, new) if is_whole(before) else None
        if updated is None and is_whole(before) and len(before.expanded.instances) > SOON:
            self._begin(new)
            return before
        return self._begun(infer_specs(new, inside=SOON) if updated is None else updated[0])

    def resume(self, inferred: Inferred) -> None:
        """Expands the pages that were left closed when `stop` came."""
        if self._work is None:
            self._begun(inferred)

    def wait(self) -> None:
        """Waits until all pages are expanded."""
        if self._work is not None:
            self._work.wait()
            self._take(self._work)

    def stop(self) -> None:
        """Leaves closed what is not expanded yet."""
        work, self._work = self._work, None
        if work is not None:
            work.stop()

    def _begun(self, inferred: Inferred) -> Inferred:
        self.stop()
        if not is_whole(inferred):
            self._begin(inferred.graph)
        return inferred

    def _begin(self, graph: Graph) -> None:
        self.stop()
        self._work = _Work(graph, self._done.emit)

    def _take(self, work: _Work) -> None:
        if work is self._work:
            self._work = None
            self.found.emit(work.inferred)


class _Work:
    """The expansion of a graph on a thread."""

    def __init__(self, graph: Graph, done: Callable[[_Work], object]) -> None:
        self.inferred: Inferred | None = None
        self._graph, self._done, self._is_stopped = graph, done, False
        self._thread = threading.Thread(target=self._run, name="expanding pages", daemon=True)
        self._thread.start()

    def wait(self) -> None:
        """Waits for the end of the thread."""
        self._thread.join()

    def stop(self) -> None:
        """Stops the thread, and waits for it: it looks often."""
        self._is_stopped = True
        self._thread.join()

    def _run(self) -> None:
        with contextlib.suppress(_Stopped):
            self.inferred = infer_specs(self._graph, check=self._check)
            self._done(self)

    def _check(self) -> None:
        if self._is_stopped:
            raise _Stopped


class _Stopped(Exception):
    """End of an expansion that nobody needs any more."""


def is_whole(inferred: Inferred) -> bool:
    """Returns whether no page of a graph is left closed."""
    return all(problem.code != LEFT_CLOSED for problem in inferred.expanded.problems)


def _differ_in_values_only(old: Graph, new: Graph) -> bool:
    """Returns whether the graphs differ only in looks and in the numbers, not the specs, of sources."""
    if old.loss != new.loss or not same_pages(old, new):
        return False
    for name, change in changes(old, new).items():
        if change.added or change.removed or change.wires_added or change.wires_removed:
            return False
        before, after = old.page(name), new.page(name)
        if any(not _same_spec(before.blocks[item], after.blocks[item]) for item in change.changed):
            return False
    return True


def _same_spec(old: Block, new: Block) -> bool:
    if old.type != new.type or old.is_muted != new.is_muted:
        return False
    # The ports of a page follow the order of its blocks.
    if old.at != new.at and role_of(old) in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return False
    names = old.parameters.keys() | new.parameters.keys()
    changed = [name for name in names if old.parameters.get(name) is not new.parameters.get(name)]
    return not changed or (VALUES.issuperset(changed) and role_of(old) is Role.SOURCE and _alike(old, new))


def _alike(old: Block, new: Block) -> bool:
    a, b = value_of(old), value_of(new)
    return a is not None and b is not None and a.shape == b.shape and a.dtype == b.dtype
