"""Starts Gradwire: the window, or the command line without Qt."""

import sys

from gradwire.app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
