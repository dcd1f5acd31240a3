"""The loops that the script of a living page knows, by name and dtypes; a test reads the same out of the script."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.executors.loop_dtypes import GREATEST, PUT, operand_dtypes
from gradwire.engine.executors.tracing import Recording, Recordings
from gradwire.engine.executors.ufunc_loops import Loop


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Functions of one and of two numbers: those of the script's tables ONE and TWO.
ONE = _names(
    "positive negative absolute square sign reciprocal sqrt cbrt exp expm1 log log1p sin cos tan arcsin"
    " arccos arctan sinh cosh tanh arcsinh arccosh arctanh rint floor ceil trunc isfinite isnan isinf"
    " logical_not"
)
TWO = _names(
    "add subtract multiply divide maximum minimum fmax fmin less less_equal greater greater_equal equal not_equal"
    " bitwise_and bitwise_or bitwise_xor logical_and logical_or logical_xor power arctan2"
    " floor_divide remainder fmod logaddexp"
)
# Of these the script's numbers have all digits where the operands are integers, too.
INTEGER = _names(
    "positive negative absolute square sign add subtract multiply maximum minimum fmax fmin less less_equal greater"
    " greater_equal equal not_equal bitwise_and bitwise_or bitwise_xor invert logical_and logical_or logical_xor"
    " logical_not floor_divide remainder isfinite isnan isinf"
)
NATIVE = _names("cast choose copy argmax argmin increment take greatest put")
FLOATS = frozenset(["float64", "float32"])
DTYPES = FLOATS | _names("int64 uint64 int32 uint32 int16 uint16 int8 uint8 bool")
TOTAL = ".total"


@functools.cache
def dtype_name(dtype: np.dtype[Any]) -> str:
    """Returns the name of a dtype, which NumPy puts together anew each time."""
    return dtype.name


@functools.cache
def loop_key(loop: Loop) -> tuple[str, ...]:
    """Returns the name of a loop in a page with the dtypes of all its operands; running totals end in `.total`."""
    dtypes = [dtype_name(dtype) for dtype in operand_dtypes(loop)]
    if isinstance(loop, str):
        has_table = loop.partition("_")[0] in (GREATEST, PUT)
        return (loop, *(["int64"] if has_table else []), *dtypes)
    return (loop[0].__name__ + (TOTAL if len(loop) > 2 else ""), *dtypes)


@functools.cache
def is_playable(loop: Loop) -> bool:
    """Returns whether the script knows a loop for these dtypes."""
    name, *dtypes = loop_key(loop)
    if not DTYPES.issuperset(dtypes):
        return False
    if isinstance(loop, str):
        return name.partition("_")[0] in NATIVE
    stem = name.removesuffix(TOTAL)
    if stem == "matmul":
        return len(set(dtypes)) == 1 and dtypes[0] in FLOATS
    if stem not in ONE | TWO | INTEGER:
        return False
    return FLOATS.issuperset(dtypes[:-1]) or stem in INTEGER or dtypes[0] == "bool"


class PlayableRecordings(Recordings):
    """Recordings of those functions alone that the script can run; all others count as called from Python."""

    def of(self, application: Application, inputs: Any) -> Recording | None:  # Any: places, None for missing ones
        """Returns the recording of an application; None if the script lacks one of its loops."""
        found = super().of(application, inputs)
        return found if found is not None and all(is_playable(call.loop) for call in found.calls) else None
