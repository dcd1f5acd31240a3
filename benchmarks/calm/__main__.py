"""How calm the window is: what is cut, hidden or too much in it, and whether all that opens closes to the pixel.

    python -m benchmarks.calm [--all] [--from N] [--pairs] [--rounds [NAME ...]] [--lessons [NAME ...]]

It opens all examples and trainings, or every fifth of them, in windows of three sizes, both themes and two sizes of
texts, and in the modes, and prints for each measure how many states fail it, with the first ones. With --pairs it opens
and closes every two of what can be opened, in both orders, and compares pictures of the window byte by byte. On a
screen (QT_QPA_PLATFORM=xcb) these are the pictures that a user sees.
"""

from __future__ import annotations

import argparse

from benchmarks.calm.lessons import compare_lessons
from benchmarks.calm.pairs import compare_pairs
from benchmarks.calm.rounds import compare_rounds
from benchmarks.calm.states import FILES, measure


def main() -> None:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.calm", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="all files, which takes half an hour")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="N", help="each fifth file from this one")
    parser.add_argument("--pairs", action="store_true", help="open and close everything in pairs")
    parser.add_argument("--rounds", nargs="*", metavar="NAME", help="frames of trainings beside the headless trainer")
    parser.add_argument("--lessons", nargs="*", metavar="NAME", help="how long trainings last, and what they show")
    chosen = parser.parse_args()
    if chosen.pairs:
        compare_pairs("xor_221_good")
    elif chosen.rounds is not None:
        compare_rounds(chosen.rounds)
    elif chosen.lessons is not None:
        compare_lessons(chosen.lessons)
    else:
        measure(FILES if chosen.all else FILES[chosen.first :: 5])


if __name__ == "__main__":
    main()
