"""The text of `gradwire --version`; NumPy and the library are imported only where they have something to add."""

from __future__ import annotations

import os
import platform
from importlib import metadata, util

import gradwire
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.plugins.plugin_lists import has_lists

# The module and the variable of `executors.chosen`, which imports NumPy.
EXTENSION, VARIABLE = "gradwire.engine.executors._arena", "GRADWIRE_EXECUTOR"


def version_text() -> str:
    """Returns the versions of the program, Python, NumPy, the executor and the plug-ins, and what is amiss."""
    if os.environ.get(VARIABLE) or has_lists():
        return _text_with_library()
    spec = util.find_spec(EXTENSION)
    try:
        if spec is not None:
            # This loads the extension, but does not run it.
            util.module_from_spec(spec)
        return _text(metadata.version("numpy"), "NumPy" if spec is None else "compiled")
    except (ImportError, metadata.PackageNotFoundError):
        return _text_with_library()


def _text_with_library() -> str:
    """Returns the text after a look at all that runs, which takes half a second."""
    import numpy as np

    from gradwire.app.cli.plugin_notices import say_faults
    from gradwire.engine.blocktypes.library import library
    from gradwire.engine.executors.chosen import EXECUTOR, NOTICE

    say_faults(is_listed=False)
    names = [f"{item.name} ({item.origin})" for item in library.plugins.values() if item.types]
    plugins = f", plug-ins: {plain(', '.join(names))}" if names else ""
    return "\n".join(filter(None, (_text(np.__version__, EXECUTOR + plugins), NOTICE)))


def _text(numpy: str, executor: str) -> str:
    runs_on = f"Python {platform.python_version()}, NumPy {numpy}, executor: {executor}"
    return f"gradwire {gradwire.__version__} ({runs_on})"
