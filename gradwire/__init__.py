"""Gradwire: wire blocks into a graph and see, on every wire, the value and the gradient of the loss.

`import gradwire as gw` gives the names of `face`, and those of all block types. They are imported at their first use:
the window imports this package too, and paints before NumPy is there.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.1.0"

# In a checkout the packages lie beside this folder; in an installation they lie inside it.
if not (Path(__file__).parent / "engine").exists():
    __path__.append(str(Path(__file__).resolve().parents[1]))
# The folder that holds `app`, `assets`, `blocks`, `engine` and `interop`.
HOME = Path(__path__[-1])


def __getattr__(name: str) -> Any:  # Any: functions, classes and block types
    # Qt and `inspect` ask each module for names such as `__wrapped__`; only `import *` asks for this one.
    if name.startswith("__") and name != "__all__":
        raise AttributeError(name)
    return getattr(import_module("gradwire.face"), name)


def __dir__() -> list[str]:
    return dir(import_module("gradwire.face"))
