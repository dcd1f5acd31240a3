"""The block library. Importing it fills `engine.library` with every block type of this package."""

import importlib
import pkgutil

from engine.library import library
from engine.plugins import load_plugins

for _module in sorted(item.name for item in pkgutil.iter_modules(__path__)):
    library.add_module(importlib.import_module(f"blocks.{_module}"))
library.freeze()
load_plugins(library)
