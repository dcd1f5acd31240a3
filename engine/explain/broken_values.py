"""The calculation that makes a value infinite or NaN, with its numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.causes.births import Birth
from gradwire.engine.causes.nonfinite_reasons import largest_argument, spelled
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class Calculation:
    """Calculation of one element by the block `at`: its operands with the blocks they are from, and the result.

    `text` is the calculation as NumPy spells it; `limit` is the largest argument if the operand is above it.
    """

    at: str
    operands: tuple[float, ...]
    sources: tuple[str, ...]
    result: float
    text: str
    limit: float | None


def calculations(run: Evaluation, place: Link | PortName) -> tuple[Calculation, ...]:
    """Returns the calculation that breaks the gradient of a place, and that of the first NaN value behind it.

    Empty if no elementwise block makes a broken value there.
    """
    snapshot = run.snapshot
    found = snapshot.wires.get(place) if isinstance(place, Link) else snapshot.ports.get(place)
    first = None if found is None or found.origin is None else found.origin.first
    if first is None:
        return ()
    origins = [result.origin for result in snapshot.ports.values() if result.origin is not None]
    made = [item for item in origins if item.forward is not None and item.forward.at == first.at]
    births = [item.forward for item in made] + [item.nan for item in made]
    told: dict[str, Calculation] = {}
    for birth in births:
        if birth is not None and not birth.is_gradient and not birth.is_held and birth.at not in told:
            calculation = _calculation(run, birth)
            if calculation is None:
                return ()
            told[birth.at] = calculation
    return tuple(told.values())[:2]


def _calculation(run: Evaluation, birth: Birth) -> Calculation | None:
    """Returns the calculation of a birth; None if the block does not work element by element."""
    output = run.lowered.ports.get(PortName(birth.at, birth.port))
    value = None if output is None else run.results[output]
    if output is None or value is None or not output.application.type.by_element:
        return None
    application = output.application
    arrays = [None if item is None else run.results[item] for item in application.inputs]
    known = [np.broadcast_to(array, output.shape)[birth.index] for array in arrays if array is not None]
    reads = {link.target.port: link.source.path for link in run.snapshot.wires if link.target.path == birth.at}
    names = application.type.input_names(len(arrays))
    if len(known) < len(arrays) or not all(name in reads for name in names):
        return None
    return Calculation(
        birth.at,
        tuple(map(float, known)),
        tuple(reads[name] for name in names),
        float(value[birth.index]),
        spelled(application, known, value[birth.index]),
        largest_argument(application, known, value[birth.index]),
    )
