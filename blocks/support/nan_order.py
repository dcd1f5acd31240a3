"""Notes on NaN where TensorFlow's result depends on the place of an element, so that we had to choose."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Observation

CODE = "nan_order"
GREATEST = Observation(CODE, "NaN counts as the greatest element here; in TensorFlow its position is undefined.")
LEFT_OUT = Observation(CODE, "NaN is ignored here; in TensorFlow its place in the window decides.")
FORGOTTEN = Observation(CODE, "NaN is dropped at the next row here; TensorFlow ignores it in wide rows.")


def with_nan(x: Array, note: Observation) -> Observation | None:
    """Returns a note if a tensor holds NaN."""
    return note if x.dtype.kind == "f" and np.isnan(x).any() else None
