"""Notes on NaN where TensorFlow's result depends on the place of an element, so that we had to choose."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Observation

CODE = "nan_order"
GREATEST = Observation(CODE, "NaN counts as the greatest element here; in TensorFlow it may come out anywhere.")
LEFT_OUT = Observation(CODE, "NaN is left out here; in TensorFlow its place in the window decides.")
FORGOTTEN = Observation(CODE, "NaN is forgotten at the next row here; in TensorFlow wide rows leave it out.")


def with_nan(x: Array, note: Observation) -> Observation | None:
    """Returns a note if a tensor holds NaN."""
    return note if x.dtype.kind == "f" and np.isnan(x).any() else None
