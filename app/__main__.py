"""Starts Gradwire: the window, or the command line without Qt."""

from __future__ import annotations

import io
import os
import sys


def main() -> int:
    """Runs the command line; whatever goes wrong is said in one sentence, never as a traceback."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Not every terminal has all letters that a graph may hold.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        return _run(sys.argv[1:])
    except BrokenPipeError:
        # The reader (head, less) has gone; what is still in the buffer must not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        print("gradwire: stopped.", file=sys.stderr)
        return 130
    except MemoryError:
        print("gradwire: there is not enough memory for this graph.", file=sys.stderr)
        return 1
    except Exception as error:  # the last resort: a mistake of ours must not show a traceback
        from engine.errors import told  # imported here, so that a broken installation is a sentence too

        print(f"gradwire: something went wrong inside Gradwire ({told(error)}).", file=sys.stderr)
        return 1


def _run(arguments: list[str]) -> int:
    from app.start import open_files, wants_window  # imported here, so that a broken installation is a sentence too

    if wants_window(arguments):
        return open_files(arguments, lambda path: _run(["run", str(path)]))
    from app import command_line  # loads NumPy, for which a window does not wait

    return command_line.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
