"""Value of one tensor for other rows in a tensor that it depends on; nothing else of the run is computed again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gradwire.engine.base.errors import BlockError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import Application, Expression, constant, topological_order
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.evaluation.evaluate import Evaluation


class FedValues:
    """Function from rows of one tensor, `source`, to those of another, `target`.

    Everything that does not depend on the source stays as the run left it.
    """

    def __init__(self, run: Evaluation, source: Expression, target: Expression) -> None:
        self._run, self._source, self._target = run, source, target
        dependent = {source.application}
        self._order: list[Application] = []
        for application in topological_order([target], known=dependent):
            if any(item is not None and self._is_fed(item, dependent) for item in application.inputs):
                dependent.add(application)
                self._order.append(application)
        self.is_dependent = self._is_fed(target, dependent)

    def _is_fed(self, item: Expression, dependent: set[Application]) -> bool:
        # Other outputs of the source's block stay as they are.
        return item is self._source or (
            item.application in dependent and item.application is not self._source.application
        )

    def at(self, rows: Array) -> Array:
        """Returns the rows of the target for rows of the source.

        A graph that was made for one number of rows gets as many at a time.
        Raises: BlockError if a block cannot take them.
        """
        try:
            return self._fitting(rows)
        except BlockError:
            count = self._source.shape[0]
            if not count or count == len(rows):
                raise
        parts = [self._fitting(part)[:size] for part, size in _parts(rows, count)]
        found: Array = np.concatenate(parts)
        return found

    def _fitting(self, rows: Array) -> Array:
        """Returns the target for all rows at once."""
        found = self._computed(rows)
        if not found.ndim or len(found) != len(rows):
            raise ShapeError(f"{len(rows)} rows of x give a result of shape {list(found.shape)}, not as many rows")
        return found

    def _computed(self, rows: Array) -> Array:
        known = {self._source: constant(rows, self._source.dtype)}
        for application in self._order:
            inputs = [
                None if item is None else known[item] if item in known else self._kept(item)
                for item in application.inputs
            ]
            assert isinstance(application.type, BlockType)
            again = application.type.apply(inputs, application.parameters)
            known.update(zip(application.outputs, again.outputs, strict=True))
        target = known[self._target]
        results = run(make_plan([target]))
        for error in results.failures.values():
            raise error
        found = results[target]
        assert found is not None
        return found

    def _kept(self, item: Expression) -> Expression:
        """Returns what does not depend on the source, as the run left it."""
        found = self._run.results[item]
        if found is None:
            raise ValueProblem("a block before it could not be computed")
        return constant(found)


def _parts(rows: Array, count: int) -> Iterator[tuple[Array, int]]:
    """Yields pieces of `count` rows, the last one filled up with its last row, and how many rows each has."""
    for start in range(0, len(rows), count):
        part = rows[start : start + count]
        missing = count - len(part)
        yield (np.concatenate([part, np.repeat(part[-1:], missing, axis=0)]) if missing else part), len(part)
