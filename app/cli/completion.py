"""Scripts that complete commands, options and files in a shell."""

from __future__ import annotations

import argparse

import shtab

from gradwire.app.cli.commands import COMMANDS, command_parser

# What a shell offers for an argument, by its name in the parsed options.
_GRAPH = shtab.glob("*.graph")
OFFERED = {"file": _GRAPH, "files": _GRAPH, "a": _GRAPH, "b": _GRAPH, "output": shtab.FILE}


def print_completion(options: argparse.Namespace) -> int:
    """Prints the script for a shell."""
    parser = command_parser(is_listing=True)
    for command in COMMANDS:
        for action in parser.command(command.name)._actions:
            if action.dest in OFFERED:
                action.complete = OFFERED[action.dest]  # type: ignore[attr-defined]  # read by shtab
    print(shtab.complete(parser, shell=options.shell))
    return 0
