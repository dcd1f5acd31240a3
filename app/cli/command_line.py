"""The command `gradwire`: the window, or a command. Each command imports what it needs when it is carried out."""

from __future__ import annotations

import argparse
import gc
import re
import sys
from collections.abc import Callable, Sequence

from gradwire.app.base.terminal import safe_streams, say
from gradwire.app.cli.commands import command_parser
from gradwire.app.cli.opening_outputs import open_outputs
from gradwire.app.start.wanted import UNREADABLE, wants_window
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.gc_pause import collection_paused


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code: 0 fine, 1 problems, 2 wrong usage or an unreadable file."""
    if wants_window(arguments):
        from gradwire.app.start.start import open_files

        return open_files(arguments, lambda path: main(["run", str(path)]))
    with safe_streams():
        return _run(arguments)


def _run(arguments: Sequence[str]) -> int:
    parser = command_parser()
    options = parser.parse_args([re.sub("^--ignore-stop=", "--ignore-stop-at=", item) for item in arguments])
    try:
        open_outputs(options, parser.command(options.command))
        return _carry_out(options)
    except GradwireError as error:
        say(f"gradwire: {error}", sys.stderr)
        return UNREADABLE


def _carry_out(options: argparse.Namespace) -> int:
    if options.command == "completion" and options.words is not None:
        from gradwire.app.cli.completion_scripts.graph_names import print_names

        return print_names(options.words)
    if options.command == "completion":
        from gradwire.app.cli.completion_scripts.completion import print_completion

        return print_completion(options)
    # Modules are no garbage: looking for some among them, here or later, would take a twentieth of a short command.
    with collection_paused():
        from gradwire.app.cli.plugin_notices import say_faults

        carry_out = _imported(options.command)
        gc.freeze()
    say_faults(is_listed=options.command == "plugins")
    return carry_out(options)


def _imported(command: str) -> Callable[[argparse.Namespace], int]:
    """Imports the function that carries out a command, and what it needs."""
    match command:
        case "run":
            from gradwire.app.cli.run_command import run as carry_out
        case "check":
            from gradwire.app.cli.check_command import check as carry_out
        case "train":
            from gradwire.app.cli.train_command import train as carry_out
        case "diff":
            from gradwire.app.cli.diff_command import diff as carry_out
        case "show":
            from gradwire.app.cli.diff_command import show as carry_out
        case "render":
            from gradwire.app.cli.render_command import render_file as carry_out
        case "export":
            from gradwire.app.cli.export_command import export_file as carry_out
        case "code":
            from gradwire.app.cli.incoming.code_command import code as carry_out
        case "import":
            from gradwire.app.cli.incoming.import_command import import_model as carry_out
        case "blocks":
            from gradwire.app.cli.library_commands import blocks as carry_out
        case "desktop":
            from gradwire.app.cli.desktop.desktop_command import desktop as carry_out
        case "examples":
            from gradwire.app.cli.library_commands import examples as carry_out
        case _:
            from gradwire.app.cli.plugins_command import plugins as carry_out
    return carry_out
