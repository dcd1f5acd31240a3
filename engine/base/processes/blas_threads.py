"""One thread for products of matrices: more of them change the bits, and are slow beside a busy machine."""

from __future__ import annotations

import os
import sys
from collections.abc import MutableMapping

# OpenBLAS, MKL, BLIS and Accelerate each read a variable of their own, once, when NumPy is imported.
_VARIABLES = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
# Most of them fall back to this one, so who has set it has chosen for all.
_FOR_ALL = "OMP_NUM_THREADS"


def use_one_blas_thread(environment: MutableMapping[str, str] = os.environ) -> None:
    """Sets the number of threads that BLAS libraries use to one, where the user has not set it.

    A process that has imported NumPy already keeps its threads, and so do its children.
    """
    if "numpy" in sys.modules or _FOR_ALL in environment:
        return
    for name in _VARIABLES:
        environment.setdefault(name, "1")
