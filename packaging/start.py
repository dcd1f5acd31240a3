"""The entry point of the frozen program."""

import sys

from gradwire.app.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
