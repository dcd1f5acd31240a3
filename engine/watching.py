"""Which block is at work: told before what may take long or never come back, for whoever waits for it."""

from __future__ import annotations

import contextlib
from collections import ChainMap
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from engine.expression import Application, applications_before

if TYPE_CHECKING:
    from engine.lower import Lowered

# Takes the path of the block that is begun, and "" when it is over.
Watch = Callable[[str], object]


def unwatched(_: str) -> None:
    """Nobody wants to know."""


@contextlib.contextmanager
def telling(watch: Watch, path: str) -> Iterator[None]:
    """Tells of a block before and after."""
    watch(path)
    try:
        yield
    finally:
        watch("")


class BlockWatch:
    """Tells of the blocks of a lowered graph, also where a step belongs to the gradient of one."""

    def __init__(self, lowered: Lowered) -> None:
        self._lowered = lowered
        self._of_gradients: dict[Application, str] = {}

    def owner_of(self, application: Application) -> str:
        """The path of the block that an application belongs to, or to whose gradient; "" if there is none."""
        owner = self._lowered.owners.get(application)
        if owner is not None:
            return owner
        if application not in self._of_gradients:
            self._of_gradients = self._owners_of_gradients()
        return self._of_gradients.setdefault(application, "")

    def at_work(self, application: Application) -> contextlib.AbstractContextManager[None]:
        """Tells of the block of an application before and after."""
        watch = self._lowered.inferred.watch
        return _NOBODY if watch is unwatched else telling(watch, self.owner_of(application))

    def in_code(self, application: Application) -> contextlib.AbstractContextManager[None]:
        """The same where code of a plug-in is called; elsewhere nothing comes of it."""
        return self.at_work(application) if application.type.is_foreign else _NOBODY

    def _owners_of_gradients(self) -> dict[Application, str]:
        owners, found = self._lowered.owners, dict[Application, str]()
        known = ChainMap(found, owners)
        # In the order of the walk: what later blocks have made is known by then.
        for edge, part in self._lowered.backward.edges.items():
            found.update(dict.fromkeys(applications_before([part], known=known), owners.get(edge.application, "")))
        return found


_NOBODY = contextlib.nullcontext()
