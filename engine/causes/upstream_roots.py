"""Roots beyond a root: where the gradient ended that does not arrive at a block which is reason enough for a zero."""

from __future__ import annotations

from collections.abc import Mapping

from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.causes.zero_roots import ZeroRoots


class UpstreamRoots:
    """Follows roots of zeros towards the loss, past blocks that receive nothing either.

    Cost: each block is followed once, whatever number of roots lead there.
    """

    def __init__(self, zeros: ZeroRoots, totals: Mapping[Expression, Expression]) -> None:
        self._zeros, self._totals = zeros, totals
        self._ended: dict[Root, Root | None] = {}
        self._behind: dict[Application, tuple[Expression, Root] | None] = {}

    def behind(self, root: Root) -> tuple[Expression, Root] | None:
        """Returns the output of a root's block whose gradient is 0 everywhere, and the main root of that.

        None if the block receives something.
        """
        if root.edge is None:
            return None
        application = root.application
        if application not in self._behind:
            self._behind[application] = self._nothing_at(application)
        return self._behind[application]

    def end(self, root: Root) -> Root | None:
        """Returns the root at which the gradient ended that does not arrive at a root's block; None if some does."""
        passed: list[Root] = []
        while root not in self._ended and (further := self.behind(root)) is not None:
            passed.append(root)
            root = further[1]
        end = self._ended.get(root) or (root if passed else None)
        self._ended.update(dict.fromkeys(passed, end))
        return end

    def _nothing_at(self, application: Application) -> tuple[Expression, Root] | None:
        outputs = [output for output in application.outputs if output in self._totals]
        if not all(self._zeros.is_zero(output) for output in outputs):
            return None
        for output in outputs:
            if roots := self._zeros.of_total(output):
                return output, max(roots, key=lambda root: roots[root])
        return None
