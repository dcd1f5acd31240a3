"""Trial of a plug-in in a process of its own: its import cannot harm the program."""

from __future__ import annotations

import faulthandler
import os
import pickle
import subprocess
from importlib import import_module

from gradwire.engine.base.errors import PluginError, told
from gradwire.engine.base.processes.python_process import ROOT, child_command
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.plugins.plugin_types import described, read_described
from gradwire.engine.plugins.plugins import Loaded, import_plugin

# A plug-in may import a framework of some hundred MB from a cold disk. Units: seconds.
LONGEST_IMPORT = 30.0
_TRIAL = f"{__name__}:tell"


def tried(name: str, longest: float = LONGEST_IMPORT) -> Loaded:
    """Imports a plug-in in another process; returns what it adds, without code, or the reason for its absence.

    Units: `longest` in seconds.
    """
    process = subprocess.Popen(
        child_command(_TRIAL, name, str(longest)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        # An interrupt of the program by the user must not look like a failure of the plug-in.
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


def tell(name: str, longest: str) -> None:
    """Runs in the trial process: imports a plug-in and writes the outcome for `tried` to read."""
    library.keeps_code_out = True
    import_module("gradwire.blocks")
    pipe, nothing = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    # If the asking program has died, only this timer ends an import that hangs, even one that never releases the lock.
    faulthandler.dump_traceback_later(float(longest), exit=True)
    try:
        found = import_plugin(name)
        answer = pickle.dumps((described((*found.types, *found.targets)), found.fault))
    except PluginError as error:
        answer = pickle.dumps((described(()), str(error)))
    except BaseException as error:  # An interrupt by the user does not reach this process.
        answer = pickle.dumps((described(()), told(error)))
    with os.fdopen(pipe, "wb") as target:
        target.write(answer)
    # A plug-in's threads and exit handlers must not keep the process alive.
    os._exit(0)


def _read(answer: bytes) -> Loaded:
    try:
        described, fault = pickle.loads(answer)
        added = read_described(described)
        types = tuple(item for item in added if isinstance(item, BlockType))
        return Loaded(types, fault, tuple(item for item in added if isinstance(item, Target)))
    except (pickle.UnpicklingError, EOFError, PluginError, TypeError, AttributeError, ImportError) as error:
        return Loaded(fault=f"what it adds cannot be described: {told(error)}")
