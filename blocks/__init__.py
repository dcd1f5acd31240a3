"""The block library: one file for each family of block types, one declaration for each type.

It imports the engine; the app, `gradwire.api` and scripts enter.
Its import tells `gradwire.engine.blocktypes.library` where each type is declared, and loads enabled plug-ins.
"""

from gradwire.blocks.support.families import FAMILIES
from gradwire.engine.blocktypes.library import library
from gradwire.engine.plugins.plugins import load_plugins

library.announce(__name__, {name: family for family, names in FAMILIES.items() for name in names.split()})
load_plugins(library)
