"""A plug-in tried in a process of its own: whatever its import does, the program that asks goes on."""

from __future__ import annotations

import faulthandler
import os
import pickle
import subprocess
import sys
from pathlib import Path

from engine.errors import PluginError, told
from engine.plugin_types import described, types_described
from engine.plugins import Loaded, import_plugin

# A plug-in may import a framework of some hundred MB, from a disk that has just been started. Units: seconds.
LONGEST_IMPORT = 30.0
_ROOT = Path(__file__).resolve().parent.parent
# -c, not -m: the folder the user stands in must not be searched for packages of our names.
_SCRIPT = (
    f"import sys; sys.path[0] = {str(_ROOT)!r}; from engine.library import library; library.keeps_code_out = True; "
    "import blocks; from engine.plugin_trial import tell; tell(sys.argv[1], float(sys.argv[2]))"
)


def tried(name: str, longest: float = LONGEST_IMPORT) -> Loaded:
    """What the import of a plug-in gives in a process of its own: its block types without code, or why there are none.

    Units: `longest` in seconds.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, name, str(longest)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=_ROOT,
        # Who stops the program by hand does not speak of the plug-in.
        start_new_session=True,
    )
    try:
        answer, _ = process.communicate(timeout=longest)
    except subprocess.TimeoutExpired:
        return Loaded(fault=f"its import did not end within {longest:g} seconds")
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    return (
        _read(answer)
        if answer
        else Loaded(fault=f"it ended the process that imported it, with exit code {process.returncode}")
    )


def tell(name: str, longest: float) -> None:
    """The process: imports a plug-in, and writes what came of it for `tried` to read."""
    pipe, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    # Where the program that asked has gone nobody else ends what hangs, even in code that lets nothing else run.
    faulthandler.dump_traceback_later(longest, exit=True)
    try:
        found = import_plugin(name)
        answer = pickle.dumps((described(found.types), found.fault))
    except PluginError as error:
        answer = pickle.dumps((described(()), str(error)))
    except BaseException as error:  # that of a user does not reach this process
        answer = pickle.dumps((described(()), told(error)))
    with os.fdopen(pipe, "wb") as target:
        target.write(answer)
    # Nothing that the plug-in has begun may keep the process from ending.
    os._exit(0)


def _read(answer: bytes) -> Loaded:
    try:
        types, fault = pickle.loads(answer)
        return Loaded(tuple(types_described(types)), fault)
    except (pickle.UnpicklingError, EOFError, PluginError, TypeError, AttributeError, ImportError) as error:
        return Loaded(fault=f"what it adds cannot be described: {told(error)}")
