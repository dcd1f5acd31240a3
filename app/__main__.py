"""The entry point of Gradwire: the window, or the command line without Qt."""

from __future__ import annotations

import atexit
import contextlib
import errno
import gc
import io
import os
import sys
import warnings

from gradwire.engine.base.processes.blas_threads import use_one_blas_thread
from gradwire.engine.base.processes.python_process import is_child, run_child
from gradwire.engine.base.system_reasons import reason_of

_UNREADABLE = 2
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


def main(*arguments: str) -> int:
    """Runs the command line, and reports any failure in one sentence, never as a traceback.

    Without `arguments` it takes those of the process; the first may say that the process is a child of the program.
    """
    words = list(arguments) or sys.argv[1:]
    if is_child(words):
        return run_child(words)
    use_one_blas_thread()
    # What NumPy would say about numbers, the table and the window say at the place where they are.
    warnings.simplefilter("ignore")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every terminal can show all letters of a graph.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = _exit_code(words)
        if sys.stdout is not None:
            # Else the failure of a full output would come after the last sentence could be said.
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader (head, less) has gone.
        _drop_output()
        return 0
    except OSError as error:
        if error.filename is not None:
            return _mistake(error)
        _drop_output()
        reason = "is full" if error.errno in _FULL else f"cannot be written: {reason_of(error)}"
        return _said(f"the output {reason}; not everything was written.", _UNREADABLE)
    except KeyboardInterrupt:
        return _said("stopped.", 130)
    except MemoryError:
        return _said("there is not enough memory for this graph.", 1)
    except Exception as error:  # the last resort: a mistake of ours must not show a traceback
        return _mistake(error)


def _exit_code(arguments: list[str]) -> int:
    try:
        return _run(arguments)
    except SystemExit as end:  # of argparse, after the help, the version or a complaint
        return end.code if isinstance(end.code, int) else 0


def _drop_output() -> None:
    """Discards the rest of the buffer, so that flushing it at the end does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _mistake(error: Exception) -> int:
    from gradwire.app.base.mistake_sentences import (
        mistake_sentence,  # imported here: a broken installation is a sentence too
    )

    return _said(mistake_sentence(error), 1)


def _said(sentence: str, code: int) -> int:
    """Says a sentence and returns the exit code; the error output may be full too, or not there."""
    with contextlib.suppress(OSError, ImportError):
        from gradwire.app.base.terminal import say  # imported here: a broken installation is a sentence too

        if sys.stderr is not None:
            say(f"gradwire: {sentence}", sys.stderr)
    return code


def _run(arguments: list[str]) -> int:
    from gradwire.app.start.wanted import wants_window  # imported here: a broken installation is a sentence too

    if wants_window(arguments):
        from gradwire.app.start.start import open_files

        return open_files(arguments, lambda path: _run(["run", str(path)]))
    from gradwire.app.cli import command_line  # loads NumPy, for which a window does not wait

    # All objects end with the process; looking for garbage among them would take a sixth of a short command.
    atexit.register(gc.freeze)
    return command_line.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
