"""Starts Gradwire: the command line, without Qt."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Runs the command line; whatever goes wrong is said in one sentence, never as a traceback."""
    try:
        from app import command_line  # imported here, so that a broken installation is a sentence too

        return command_line.main(sys.argv[1:])
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
        print(f"gradwire: something went wrong inside Gradwire ({type(error).__name__}: {error}).", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
