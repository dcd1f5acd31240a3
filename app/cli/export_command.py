"""The command `gradwire export`."""

from __future__ import annotations

import argparse

from gradwire.app.base.terminal import say_text
from gradwire.app.cli.graph_files import FINE, PROBLEMS, print_error, read_apart, report_unreadable, with_allowed_data
from gradwire.app.cli.plugin_notices import disable_faulty
from gradwire.app.cli.progress import progress
from gradwire.engine.base.errors import ExportError, FileError
from gradwire.engine.base.problems import Problem
from gradwire.engine.export.export import export


def export_file(options: argparse.Namespace) -> int:
    """Writes the program that a graph stands for."""
    try:
        graph = with_allowed_data(read_apart(options).graph, options.file, options.allow_data, options.quiet)
    except FileError as error:
        return report_unreadable(options.file, error, False)
    try:
        with progress(f"Exporting {options.file}", options.quiet):
            program = export(graph, options.to)
    except ExportError as error:
        print_error(options.file, str(error))
        disable_faulty([Problem("error", "", "fault", str(error), plugin=error.plugin)])
        return PROBLEMS
    if options.output is None:
        say_text(program.removesuffix("\n"))
    else:
        options.output.write(program.encode("utf-8", "backslashreplace"))
    return FINE
