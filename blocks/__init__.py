"""The block library: one file for each family of block types, one declaration for each type.

It imports the engine; the app, `gradwire.api` and scripts enter.
Importing it fills `gradwire.engine.blocktypes.library` with every type declared here, and loads enabled plug-ins.
"""

import importlib
import pkgutil

from gradwire.engine.blocktypes.library import library
from gradwire.engine.plugins.plugins import load_plugins

for _module in sorted(item.name for item in pkgutil.iter_modules(__path__) if not item.ispkg):
    library.add_module(importlib.import_module(f"gradwire.blocks.{_module}"))
library.freeze()
load_plugins(library)
