"""The command `gradwire`: run, check, render, export, blocks, examples, or the window. Two of them load Qt."""

from __future__ import annotations

import argparse
import dataclasses
import json
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NoReturn

import numpy as np

import gradwire
from app.examples import copy_examples, example_names, example_path, example_texts
from app.feeds import feed
from app.qt_libraries import missing_library_sentence
from app.results_json import Json, error_json, problem_json, snapshot_json
from app.start import UNREADABLE, open_files, wants_window
from app.tables import block_help, columns, loss_line, port_names, wire_table
from engine.arena import EXECUTOR
from engine.block_type import BlockType, Role
from engine.check import GradientCheck, check_gradients
from engine.contracts import CheckResult, run_checks
from engine.errors import ExportError, FileError, GradwireError, NameUnknownError, UsageError
from engine.evaluate import evaluate, run_graph
from engine.expand import expand
from engine.export import DIALECTS, export
from engine.files import Loaded, load, loads
from engine.library import Plugin, library
from engine.limits import LIMITS
from engine.plain_text import LONGEST_PARAGRAPH, json_escaped, plain, plain_lines
from engine.plugin_trial import tried
from engine.plugins import check_installed, disable_plugin, fault_at, installed_plugins, set_enabled
from engine.problem_places import ProblemPlaces
from engine.problems import Problem
from engine.snapshot import Snapshot
from lint.linter import lint

FINE, PROBLEMS = 0, 1


def main(arguments: Sequence[str]) -> int:
    """Carries out one command and gives its exit code: 0 fine, 1 problems, 2 wrong usage or an unreadable file."""
    if wants_window(arguments):
        return open_files(arguments, lambda path: main(["run", str(path)]))
    options = _parser().parse_args([_ignored_stop_spelled(item) for item in arguments])
    for plugin in library.plugins.values() if options.carry_out is not _plugins else ():
        if plugin.is_enabled and plugin.fault:
            _say_disabled(plugin.name, plugin.fault)
    try:
        code: int = options.carry_out(options)
    except GradwireError as error:
        print(f"gradwire: {plain_lines(str(error))}", file=sys.stderr)
        code = UNREADABLE
    return code


def _disable_faulty(problems: Sequence[Problem]) -> None:
    """Disables the plug-ins whose code has failed, each once, and says so."""
    faulty = {problem.plugin: problem for problem in reversed(problems) if problem.plugin}
    for name, problem in faulty.items():
        fault = fault_at(problem.at, problem.message)
        disable_plugin(name, fault)
        _say_disabled(name, fault)


def _say_disabled(name: str, fault: str) -> None:
    sentence = f"gradwire: the plug-in {name} is disabled: {fault}. Once it is mended: gradwire plugins --enable {name}"
    print(plain(sentence, LONGEST_PARAGRAPH), file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """Cites arguments harmlessly: they may be names of files."""

    def error(self, message: str) -> NoReturn:
        super().error(plain_lines(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="gradwire",
        description="See the value and the gradient of the loss on every wire of a graph.",
        epilog="gradwire [FILE] opens the window, with a graph.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=version_text())
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    run = _command(commands, "run", "evaluate and differentiate; print a table of wires", _run)
    _add_files(run)
    run.add_argument("--loss", metavar="PAGE/ID", help="differentiate this Loss block")
    run.add_argument("--feed", metavar="PAGE/ID=JSON", action="append", default=[], help="replace a saved value")
    run.add_argument(
        "--ignore-stop", action="store_true", help="let gradients pass every StopGradient, or =PAGE/ID one"
    )
    run.add_argument("--ignore-stop-at", metavar="PAGE/ID", action="append", default=[], help=argparse.SUPPRESS)
    check = _command(commands, "check", "look for problems and compare gradients with central differences", _check)
    _add_files(check)
    render = _command(commands, "render", "draw a page as the editor shows it: SVG, PNG or PDF", _render)
    drawn = render.add_mutually_exclusive_group(required=True)
    drawn.add_argument("file", nargs="?", metavar="FILE", help="a .graph file; - reads standard input")
    drawn.add_argument(
        "--states", choices=("blocks", "wires"), help="draw every state of blocks or wires (PNG) instead"
    )
    render.add_argument("-o", "--output", metavar="OUT", type=Path, required=True, help="out.svg, out.png or out.pdf")
    render.add_argument("--page", metavar="NAME", help="the page to draw; by default the first")
    render.add_argument("--theme", choices=("dark", "light"), default="light", help="by default light")
    program = _command(commands, "export", "write a program that gives the same numbers", _export)
    program.add_argument("file", metavar="FILE", help="a .graph file; - reads standard input")
    program.add_argument("--to", choices=tuple(DIALECTS), required=True, help="what the program is written for")
    program.add_argument("-o", "--output", metavar="OUT", type=Path, help="out.py; by default standard output")
    blocks = _command(commands, "blocks", "list the block library, or show one block's help", _blocks)
    blocks.add_argument("type", nargs="?", metavar="TYPE")
    blocks.add_argument("--json", action="store_true", help="print JSON")
    examples = _command(commands, "examples", "list the gallery, or copy from it", _examples)
    examples.add_argument("name", nargs="?", metavar="NAME")
    examples.add_argument("-o", "--output", metavar="DIR", type=Path, help="copy into this folder")
    plugins = _command(commands, "plugins", "list the installed plug-ins, enable or disable one", _plugins)
    choice = plugins.add_mutually_exclusive_group()
    choice.add_argument("--enable", metavar="NAME", help="load its blocks from the next start on")
    choice.add_argument("--disable", metavar="NAME", help="load them no more")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    text: str,
    carry_out: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text.capitalize() + ".", allow_abbrev=False)
    parser.set_defaults(carry_out=carry_out)
    return parser


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="a .graph file; - reads standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line and file")


def _ignored_stop_spelled(argument: str) -> str:
    """`--ignore-stop` takes no value or one after `=`; argparse would take the file that follows for it."""
    return (
        argument.replace("--ignore-stop=", "--ignore-stop-at=", 1)
        if argument.startswith("--ignore-stop=")
        else argument
    )


def version_text() -> str:
    """Versions of the program and of what it runs on, which executor computes, and which plug-ins are in it."""
    runs_on = f"Python {platform.python_version()}, NumPy {np.__version__}, executor: {EXECUTOR}"
    names = [f"{item.name} ({item.origin})" for item in library.plugins.values() if item.types]
    runs_on += f", plug-ins: {plain(', '.join(names))}" if names else ""
    return f"gradwire {gradwire.__version__} ({runs_on})"


def _run(options: argparse.Namespace) -> int:
    return max(_run_file(file, options) for file in options.files)


def _run_file(file: str, options: argparse.Namespace) -> int:
    try:
        loaded = _read(file)
        graph = loaded.graph
        for given in options.feed:
            graph = feed(graph, given)
        if options.loss is not None:
            graph = dataclasses.replace(graph, loss=options.loss)
        snapshot = evaluate(graph, None if options.ignore_stop else frozenset(_checked_stops(options, graph)))
    except (FileError, UsageError) as error:
        return _report_unreadable(file, error, options.json)
    snapshot = dataclasses.replace(snapshot, problems=(*loaded.notices, *snapshot.problems))
    if options.json:
        _print_json(snapshot_json(file, snapshot))
    else:
        print(f"{_named(file)}: {loss_line(snapshot)}\n\n{wire_table(snapshot)}")
        _print_problems(file, loaded, snapshot.problems)
    _disable_faulty(snapshot.problems)
    return PROBLEMS if snapshot.has_errors else FINE


def _checked_stops(options: argparse.Namespace, graph: gradwire.Graph) -> Iterator[str]:
    instances = expand(graph).instances if options.ignore_stop_at else {}
    for path in options.ignore_stop_at:
        if path not in instances or instances[path].role is not Role.STOP:
            raise UsageError(f"--ignore-stop={path}: there is no StopGradient of that name.")
        yield path


def _check(options: argparse.Namespace) -> int:
    return max(_check_file(file, options) for file in options.files)


def _check_file(file: str, options: argparse.Namespace) -> int:
    try:
        loaded = _read(file)
    except FileError as error:
        return _report_unreadable(file, error, options.json)
    run = run_graph(loaded.graph)
    advice = (finding.problem for finding in lint(run))
    snapshot = dataclasses.replace(run.snapshot, problems=(*loaded.notices, *run.snapshot.problems, *advice))
    compared, contracts = check_gradients(loaded.graph), run_checks(loaded.graph, snapshot)
    is_fine = not snapshot.has_errors and not compared.mismatches and all(item.holds for item in contracts)
    if options.json:
        _print_json(_check_json(file, is_fine, snapshot, compared, contracts))
    else:
        _print_check(file, loaded, snapshot, compared, contracts)
    _disable_faulty(snapshot.problems)
    return FINE if is_fine else PROBLEMS


def _check_json(
    file: str, is_fine: bool, snapshot: Snapshot, compared: GradientCheck, contracts: list[CheckResult]
) -> Json:
    mismatches = [
        {
            "from": str(item.link.source),
            "to": str(item.link.target),
            "index": list(item.index),
            "gradient": item.gradient,
            "difference": item.difference,
        }
        for item in compared.mismatches
    ]
    counts = {"wires": compared.wires, "elements": compared.elements, "skipped": compared.skipped}
    return {
        "file": file,
        "ok": is_fine,
        "problems": [problem_json(problem) for problem in snapshot.problems],
        "gradient_check": {**counts, "mismatches": mismatches},
        "checks": [
            {"title": item.title, "at": item.place, "ok": item.holds, "message": item.message} for item in contracts
        ],
    }


def _print_check(
    file: str, loaded: Loaded, snapshot: Snapshot, compared: GradientCheck, contracts: list[CheckResult]
) -> None:
    _print_problems(file, loaded, snapshot.problems)
    agree = compared.elements - len(compared.mismatches)
    skipped = f", {compared.skipped} skipped (kink, tie, NaN or infinity)" if compared.skipped else ""
    print(f"{_named(file)}: {agree} of {compared.elements} gradient elements on {compared.wires} wires agree{skipped}")
    for item in compared.mismatches:
        where = f"element {list(item.index)} of {item.link.source} -> {item.link.target}"
        sentence = f"the gradient of {where} is {item.gradient:g}, but the difference quotient {item.difference:g}."
        _print_error(file, 0, 0, sentence)
    if contracts:
        print(f"{_named(file)}: {sum(item.holds for item in contracts)} of {len(contracts)} checks of the file hold")
    for contract in contracts:
        if not contract.holds:
            title = contract.title if contract.place in contract.title else f"{contract.title} ({contract.place})"
            _print_error(file, 0, 0, f"{plain(title)}: {contract.message}")


def _render(options: argparse.Namespace) -> int:
    try:
        from app.rendering import render, render_states  # loads Qt, whose libraries may be missing
    except ImportError as error:
        print(f"gradwire: {missing_library_sentence(error)}", file=sys.stderr)
        return UNREADABLE
    if options.states is not None and options.page is not None:
        raise UsageError("--page belongs to a file, --states has none; leave one of them out.")
    if options.states is not None:
        render_states(options.states, options.output, options.theme)
        return FINE
    try:
        loaded = _read(options.file)
        if options.page is not None:
            loaded.graph.page(options.page)
    except (FileError, NameUnknownError) as error:
        return _report_unreadable(options.file, error, False)
    problems = render(loaded.graph, options.output, options.page, options.theme)
    _print_problems(options.file, loaded, [*loaded.notices, *problems])
    _disable_faulty(problems)
    return PROBLEMS if any(problem.severity == "error" for problem in (*loaded.notices, *problems)) else FINE


def _export(options: argparse.Namespace) -> int:
    try:
        loaded = _read(options.file)
    except FileError as error:
        return _report_unreadable(options.file, error, False)
    try:
        source = export(loaded.graph, options.to)
    except ExportError as error:
        _print_error(options.file, 0, 0, str(error))
        _disable_faulty([Problem("error", "", "fault", str(error), plugin=error.plugin)])
        return PROBLEMS
    if options.output is None:
        print(source, end="")
    else:
        _write(source, options.output)
    return FINE


def _write(source: str, path: Path) -> None:
    try:
        path.write_text(source, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}.") from error


def _blocks(options: argparse.Namespace) -> int:
    types = list(library) if options.type is None else [library[options.type]]
    if options.json:
        print(json.dumps([_type_json(item) for item in types]))
    elif options.type is not None:
        print(block_help(types[0]))
    else:
        print(columns([("type", "category", "summary"), *((item.name, item.category, item.summary) for item in types)]))
    return FINE


def _type_json(block_type: BlockType) -> Json:
    parameters = [
        {
            "name": item.name,
            "kind": item.kind.name,
            "default": None if item.is_required else item.default,
            "required": item.is_required,
        }
        for item in block_type.parameters.values()
    ]
    return {
        "type": block_type.name,
        "category": block_type.category,
        "summary": block_type.summary,
        "inputs": port_names(block_type.inputs),
        "outputs": port_names(block_type.outputs),
        "parameters": parameters,
    }


def _examples(options: argparse.Namespace) -> int:
    if options.name is None and options.output is None:
        rows = [(name, example_texts(example_path(name))[0]) for name in example_names()]
        print(columns([("example", "what it shows"), *rows]))
        return FINE
    names = example_names() if options.name is None else (options.name,)
    for path in copy_examples(names, options.output or Path()):
        print(path)
    return FINE


def _plugins(options: argparse.Namespace) -> int:
    if options.enable:
        return _enable(options.enable)
    if options.disable:
        set_enabled(options.disable, False)
        return FINE
    installed = installed_plugins(library)
    if not installed:
        print("No plug-ins are installed.")
        return FINE
    rows = [(item.name, item.origin, item.place, _plugin_state(item)) for item in installed]
    print(columns([("plug-in", "from", "module", "state"), *rows]))
    return PROBLEMS if any(item.fault for item in installed) else FINE


def _enable(name: str) -> int:
    """Enables a plug-in if it can be imported: that is tried where it can do no harm to the program."""
    check_installed(name)
    fault = tried(name).fault
    if fault:
        disable_plugin(name, fault)
        _say_disabled(name, fault)
        return PROBLEMS
    set_enabled(name, True)
    return FINE


def _plugin_state(plugin: Plugin) -> str:
    if plugin.fault:
        return f"disabled: {plugin.fault}"
    return f"enabled, adds {', '.join(plugin.types)}" if plugin.is_enabled else "disabled"


def _read(file: str) -> Loaded:
    # One byte above the limit is enough to refuse it.
    loaded = loads(sys.stdin.buffer.read(LIMITS.file_bytes + 1)) if file == "-" else load(file)
    if loaded.unknown_needs:
        raise FileError(f"The file needs {', '.join(loaded.unknown_needs)}, which this version does not have.")
    return loaded


def _report_unreadable(file: str, error: GradwireError, as_json: bool) -> int:
    line, column = (error.line, error.column) if isinstance(error, FileError) else (0, 0)
    if as_json:
        _print_json(error_json(file, line, column, str(error)))
    else:
        _print_error(file, line, column, str(error))
    return UNREADABLE


def _print_problems(file: str, loaded: Loaded, problems: Sequence[Problem]) -> None:
    """Errors go to standard error with their place in the file, notices below the table."""
    places = ProblemPlaces(loaded)
    for problem in problems:
        at = f"{plain(problem.at)}: " if problem.at else ""
        if problem.severity == "error":
            _print_error(file, *places.find(problem), at + problem.message)
        else:
            print(f"{problem.severity}: {at}{problem.message}")


def _print_error(file: str, line: int, column: int, sentence: str) -> None:
    """A line to standard error; line 0 says that no place in the file is to blame."""
    place = f"{_named(file)}:{line}:{column}" if line else _named(file)
    print(f"gradwire: {place}: {plain_lines(sentence)}", file=sys.stderr)


def _named(file: str) -> str:
    """The name of a file as a terminal may show it."""
    return plain(file, LONGEST_PARAGRAPH)


def _print_json(value: Json) -> None:
    print(json_escaped(json.dumps(value, ensure_ascii=False, allow_nan=False)), flush=True)
