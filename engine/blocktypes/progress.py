"""Progress: reports of the block at work, before calls that may take long or never return."""

from __future__ import annotations

import contextlib
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator

from gradwire.engine.blocktypes.expression import Application, Expression, topological_order

# Receives the path of a block when its work begins, and "" when that ends.
Watch = Callable[[str], object]


def unwatched(_: str) -> None:
    """Ignores all reports."""


@contextlib.contextmanager
def telling(watch: Watch, path: str) -> Iterator[None]:
    """Reports the beginning and the end of a block's work."""
    watch(path)
    try:
        yield
    finally:
        watch("")


# Gives each edge, an application and the number of its input, with the gradient of that edge.
Edges = Callable[[], Iterable[tuple[tuple[Application, int], Expression]]]


class BlockWatch:
    """Reporter of the blocks of a lowered graph at work.

    `owners` maps each forward application to its block, `edges` gives the edges of the newest backward pass: a step of
    a gradient belongs to the block whose rule made it.
    """

    def __init__(self, owners: dict[Application, str], edges: Edges, watch: Watch) -> None:
        self._owners, self._edges, self._watch = owners, edges, watch
        self._of_gradients: dict[Application, str] = {}

    def owner_of(self, application: Application) -> str:
        """Returns the path of an application's block, or of the block whose rule made it; "" if there is none."""
        owner = self._owners.get(application)
        if owner is not None:
            return owner
        if application not in self._of_gradients:
            self._of_gradients = self._owners_of_gradients()
        return self._of_gradients.setdefault(application, "")

    def at_work(self, application: Application) -> contextlib.AbstractContextManager[None]:
        """Returns a context that reports the block of an application."""
        return _NOBODY if self._watch is unwatched else telling(self._watch, self.owner_of(application))

    def in_code(self, application: Application) -> contextlib.AbstractContextManager[None]:
        """Returns the same context for code of a plug-in; for other code it reports nothing."""
        return self.at_work(application) if application.type.from_plugin else _NOBODY

    def _owners_of_gradients(self) -> dict[Application, str]:
        found = dict[Application, str]()
        known = ChainMap(found, self._owners)
        # In the order of the backward pass: shared applications belong to the first edge that needs them.
        for (application, _), part in self._edges():
            made = topological_order([part], known=known)
            found.update(dict.fromkeys(made, self._owners.get(application, "")))
        return found


_NOBODY = contextlib.nullcontext()
