"""The command `gradwire render`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from gradwire.app.base.terminal import say
from gradwire.app.cli.graph_files import (
    FINE,
    PROBLEMS,
    UNREADABLE,
    named,
    print_json,
    print_problems,
    read,
    read_apart,
    report_unreadable,
)
from gradwire.app.cli.ignored_stops import ignored_stops
from gradwire.app.cli.plugin_notices import disable_faulty
from gradwire.app.cli.progress import progress
from gradwire.app.cli.render_options import WindowState, check_render_options, window_size
from gradwire.app.features.share.web.page_choices import PageChoices
from gradwire.app.start.qt_libraries import missing_library_sentence
from gradwire.engine.base.errors import FileError, NameUnknownError
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.files import Loaded
from gradwire.engine.files.outputs import LIVING


def render_file(options: argparse.Namespace) -> int:
    """Draws a graph, its window, or pages that run."""
    try:
        from gradwire.app.cli.rendering import render  # loads Qt, whose libraries may be missing
    except ImportError as error:
        say(f"gradwire: {missing_library_sentence(error)}", sys.stderr)
        return UNREADABLE
    check_render_options(options)
    if options.site is not None:
        return _render_site(options)
    try:
        loaded = read_apart(options)
        if options.page is not None:
            loaded.graph.page(options.page)
    except (FileError, NameUnknownError) as error:
        return report_unreadable(options.file, error, False)
    if options.window is not None:
        return _render_window(options, loaded)
    if options.output.path.suffix.lower() == LIVING:
        return _render_living(options, loaded)
    with progress(f"Drawing {options.file}", options.quiet):
        problems = render(loaded.graph, options.output, options.page, options.theme)
    return _finished(options, loaded, problems, options.quiet)


def _render_living(options: argparse.Namespace, loaded: Loaded) -> int:
    from gradwire.app.cli.rendering import render_page  # loads Qt

    title = Path(options.output.path if options.file == "-" else options.file).stem
    choices = _choices(options, ignored_stops(options, loaded.graph), options.page)
    with progress(f"Drawing {options.file}", options.quiet):
        made = render_page(loaded.graph, options.output, title, choices)
    if made.untrained or (made.refusal and not options.quiet):
        say(f"gradwire: {options.file}: {made.untrained or made.refusal}", sys.stderr)
    # Nobody should send data without having been told.
    if made.held:
        say(f"gradwire: {options.file}: {made.held}", sys.stderr)
    return max(_finished(options, loaded, made.problems, options.quiet), PROBLEMS if made.untrained else FINE)


def _render_site(options: argparse.Namespace) -> int:
    from gradwire.app.cli.rendering import render_site  # loads Qt

    graphs, codes = dict[str, Loaded](), [FINE]
    for file in options.files:
        try:
            graphs[file] = read(file)
        except FileError as error:
            codes.append(report_unreadable(file, error, False))
    if max(codes) == UNREADABLE:
        return UNREADABLE
    choices = _choices(options, None if options.ignore_stop else frozenset())
    with progress(f"Drawing {len(graphs)} graphs", options.quiet):
        made, size = render_site(options.site, {file: loaded.graph for file, loaded in graphs.items()}, choices)
    for (file, loaded), parts in zip(graphs.items(), made, strict=True):
        errors = [problem for problem in (*loaded.notices, *parts.problems) if problem.severity == "error"]
        print_problems(file, loaded, errors)
        if parts.untrained or parts.held:
            say(f"gradwire: {named(file)}: {parts.untrained or parts.held}", sys.stderr)
        codes.append(PROBLEMS if errors or parts.untrained else FINE)
    if not options.quiet:
        count = f"{len(made)} page{'s' * (len(made) != 1)}, an index and what they share: {-(-size // 1024):,} KB."
        say(f"{named(str(options.site))}: {count} They need a web server; opened from a disk they do not run.")
    return max(codes)


def _choices(options: argparse.Namespace, ignored: frozenset[str] | None, first: str | None = None) -> PageChoices:
    return PageChoices(first, options.embed, ignored, options.train, not options.without_data, theme=options.theme)


def _finished(options: argparse.Namespace, loaded: Loaded, problems: Sequence[Problem], is_quiet: bool) -> int:
    """Prints the problems of a drawn graph, the errors alone if it `is_quiet`, and returns the exit code."""
    print_problems(options.file, loaded, [*loaded.notices, *problems], is_quiet)
    disable_faulty(problems)
    return PROBLEMS if any(problem.severity == "error" for problem in (*loaded.notices, *problems)) else FINE


def _render_window(options: argparse.Namespace, loaded: Loaded) -> int:
    from gradwire.app.cli.rendering import render_window  # loads Qt and the whole window

    size = window_size(options.window)
    with progress(f"Drawing {options.file}", options.quiet):
        state = WindowState(options.mode or "build", options.open or "none", options.select or "", options.text or 100)
        report, picture, problems = render_window(loaded, options.file, size, options.page, options.theme, state)
    if options.output is not None:
        options.output.write(picture)
    if options.report:
        print_json({"file": options.file, **report})
    # Standard output has one JSON object and nothing else.
    return _finished(options, loaded, problems, is_quiet=True)
