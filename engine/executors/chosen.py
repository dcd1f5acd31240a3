"""The choice of the program that runs the instructions of an arena: the compiled extension, or NumPy.

The variable GRADWIRE_EXECUTOR chooses one: `compiled` or `numpy`. Without it, or where the extension does not load, the
best that there is runs. Both give the same bits.
"""

from __future__ import annotations

import importlib.util
import os

VARIABLE = "GRADWIRE_EXECUTOR"
_wish = os.environ.get(VARIABLE, "").strip().lower()
# Why not what was wished for or installed is running; "" if nothing is amiss.
NOTICE = ""

if _wish not in ("", "numpy", "compiled"):
    NOTICE = f'{VARIABLE} is "{_wish[:40]}"; it can be "compiled" or "numpy".'
try:
    if _wish == "numpy":
        raise ImportError
    from gradwire.engine.executors._arena import OWN_LOOPS as OWN_LOOPS
    from gradwire.engine.executors._arena import Program as Program
    from gradwire.engine.executors._arena import spread as spread
    from gradwire.engine.executors._arena import survey as survey

    EXECUTOR = "compiled"
except ImportError:  # The extension is missing where no compiler was available during the build.
    from gradwire.engine.executors.numpy_program import OWN_LOOPS as OWN_LOOPS
    from gradwire.engine.executors.numpy_program import Program as Program  # type: ignore[assignment]
    from gradwire.engine.executors.numpy_program import spread as spread
    from gradwire.engine.executors.numpy_program import survey as survey

    EXECUTOR = "NumPy"
    if _wish != "numpy" and importlib.util.find_spec("gradwire.engine.executors._arena") is not None:
        NOTICE = "The compiled executor does not load; NumPy runs the graphs, more slowly. Install Gradwire again."
    elif _wish == "compiled":
        NOTICE = (
            f'{VARIABLE} is "compiled", but no compiler was there when Gradwire was installed; NumPy runs the graphs.'
        )
