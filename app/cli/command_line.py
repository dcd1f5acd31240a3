"""The command `gradwire`: run, check, render, export, blocks, examples, or the window. Two of them load Qt."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np

import gradwire
import gradwire.blocks  # fills the library
from gradwire.app.base.examples import copy_examples, example_names, example_path, example_texts
from gradwire.app.base.feed_values import feed
from gradwire.app.base.results_json import Json, error_json, finding_json, problems_json, snapshot_json
from gradwire.app.base.tables import block_help
from gradwire.app.cli.render_options import add_render_options, check_render_options, window_size
from gradwire.app.startup.qt_libraries import missing_library_sentence
from gradwire.app.startup.start import UNREADABLE, open_files, wants_window
from gradwire.engine.advice.linter import RULE_OF, RULES, Rule, lint
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import ExportError, FileError, GradwireError, NameUnknownError, UsageError, told
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.base.text_columns import columns
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, json_escaped, plain, plain_lines
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import Plugin, library
from gradwire.engine.blocktypes.type_ports import port_names
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.executors.chosen import EXECUTOR, NOTICE
from gradwire.engine.explain.check import GradientCheck, check_gradients
from gradwire.engine.explain.contracts import CheckResult, run_checks
from gradwire.engine.explain.wire_table import loss_line, wire_table
from gradwire.engine.export.export import TARGETS, export
from gradwire.engine.files.disk import write_apart
from gradwire.engine.files.files import Loaded, load, loads
from gradwire.engine.files.problem_places import ProblemPlaces
from gradwire.engine.plugins.plugin_trial import tried
from gradwire.engine.plugins.plugins import (
    check_installed,
    disable_plugin,
    fault_at,
    installed_plugins,
    put_odd_lists_aside,
    set_enabled,
)

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

FINE, PROBLEMS = 0, 1
STANDARD_INPUT = 0
# Environment variable with the rules of advice that `check` leaves out for good, between spaces or commas.
SILENCED = "GRADWIRE_SILENCE"


def main(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code: 0 fine, 1 problems, 2 wrong usage or an unreadable file."""
    if wants_window(arguments):
        return open_files(arguments, lambda path: main(["run", str(path)]))
    for path in put_odd_lists_aside():
        print(f"gradwire: the list of plug-ins cannot be read; it is now {plain(str(path))}", file=sys.stderr)
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
    """Disables the plug-ins whose code has failed, each once, and reports that."""
    faulty = {problem.plugin: problem for problem in reversed(problems) if problem.plugin}
    for name, problem in faulty.items():
        fault = fault_at(problem.at, problem.message)
        disable_plugin(name, fault)
        _say_disabled(name, fault)


def _say_disabled(name: str, fault: str) -> None:
    sentence = f"gradwire: the plug-in {name} is disabled: {fault}. Once it is mended: gradwire plugins --enable {name}"
    print(plain(sentence, LONGEST_PARAGRAPH), file=sys.stderr)


class _Parser(argparse.ArgumentParser):
    """A parser that quotes arguments safely, as they may be names of files, and hides no full output."""

    def error(self, message: str) -> NoReturn:
        super().error(plain_lines(message))

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The method of the standard library, which ignores all errors of writing.
        if message:
            (sys.stderr if file is None else file).write(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="gradwire",
        description="See the value and the gradient of the loss on every wire of a graph.",
        epilog="gradwire [FILE] opens the window, with a graph; gradwire --safe [FILE] opens it without settings, "
        "plug-ins and copies of unsaved graphs.",
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
    check.add_argument("--silence", metavar="RULE", action="append", default=[], help="leave out this rule of advice")
    render = _command(commands, "render", "draw a page as the editor shows it: SVG, PNG or PDF", _render)
    add_render_options(render)
    program = _command(commands, "export", "write a program that gives the same numbers", _export)
    program.add_argument("file", metavar="FILE", help="a .graph file; - reads standard input")
    program.add_argument("--to", choices=tuple(TARGETS), required=True, help="what the program is written for")
    program.add_argument("-o", "--output", metavar="OUT", type=Path, help="out.py; by default standard output")
    types = _command(commands, "blocks", "list the block library, or show one block's help", _blocks)
    types.add_argument("type", nargs="?", metavar="TYPE")
    types.add_argument("--json", action="store_true", help="print JSON")
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
    """Respells `--ignore-stop=NAME`, so that argparse does not take a file after `--ignore-stop` for its value."""
    return (
        argument.replace("--ignore-stop=", "--ignore-stop-at=", 1)
        if argument.startswith("--ignore-stop=")
        else argument
    )


def version_text() -> str:
    """Returns the versions of the program, Python, NumPy, the executor and the plug-ins, and what is amiss."""
    runs_on = f"Python {platform.python_version()}, NumPy {np.__version__}, executor: {EXECUTOR}"
    names = [f"{item.name} ({item.origin})" for item in library.plugins.values() if item.types]
    runs_on += f", plug-ins: {plain(', '.join(names))}" if names else ""
    return "\n".join(filter(None, (f"gradwire {gradwire.__version__} ({runs_on})", NOTICE)))


def _each_file(carry_out: Callable[[str, argparse.Namespace], int], options: argparse.Namespace) -> int:
    """Carries out a command for each file, whatever becomes of the others; returns the largest exit code."""
    return max([_guarded(carry_out, file, options) for file in options.files])


def _guarded(carry_out: Callable[[str, argparse.Namespace], int], file: str, options: argparse.Namespace) -> int:
    try:
        return carry_out(file, options)
    except GradwireError as error:
        return _report_unreadable(file, error, options.json)
    except MemoryError:
        sentence = "There is not enough memory for this graph."
    except OSError:  # The output is at fault, not the file.
        raise
    except Exception as error:  # A mistake of ours in one file must not keep the next one from being read.
        sentence = f"Something went wrong inside Gradwire ({told(error)})."
    _report_unreadable(file, GradwireError(sentence), options.json)
    return PROBLEMS


def _run(options: argparse.Namespace) -> int:
    return _each_file(_run_file, options)


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
    rules = _heard_rules(options.silence)
    return _each_file(lambda file, options: _check_file(file, options, rules), options)


def _heard_rules(silenced: Sequence[str]) -> list[Rule]:
    """Returns the rules of advice that neither the command nor the user's environment silences."""
    silent = {*silenced, *os.environ.get(SILENCED, "").replace(",", " ").split()}
    unknown = sorted(silent - RULE_OF.keys())
    if unknown:
        raise UsageError(f'There is no rule of advice "{unknown[0]}"; the rules are: {", ".join(RULE_OF)}.')
    return [rule for rule in RULES if rule.name not in silent]


def _check_file(file: str, options: argparse.Namespace, rules: Sequence[Rule]) -> int:
    try:
        loaded = _read(file)
    except FileError as error:
        return _report_unreadable(file, error, options.json)
    run = run_graph(loaded.graph)
    advice = lint(run, rules)
    problems = (*loaded.notices, *run.snapshot.problems, *(finding.problem for finding in advice))
    snapshot = dataclasses.replace(run.snapshot, problems=problems)
    compared, contracts = check_gradients(loaded.graph), run_checks(loaded.graph, snapshot)
    is_fine = not snapshot.has_errors and not compared.mismatches and all(item.holds for item in contracts)
    if options.json:
        found = _check_json(file, is_fine, snapshot, compared, contracts)
        _print_json({**found, "advice": [finding_json(finding) for finding in advice]})
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
        "problems": problems_json(snapshot.problems),
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
        from gradwire.app.cli.rendering import render, render_states  # loads Qt, whose libraries may be missing
    except ImportError as error:
        print(f"gradwire: {missing_library_sentence(error)}", file=sys.stderr)
        return UNREADABLE
    check_render_options(options)
    if options.states is not None:
        render_states(options.states, options.output, options.theme)
        return FINE
    try:
        loaded = _read(options.file)
        if options.page is not None:
            loaded.graph.page(options.page)
    except (FileError, NameUnknownError) as error:
        return _report_unreadable(options.file, error, False)
    if options.window is not None:
        return _render_window(options, loaded)
    problems = render(loaded.graph, options.output, options.page, options.theme, _source(options.file))
    _print_problems(options.file, loaded, [*loaded.notices, *problems])
    _disable_faulty(problems)
    return PROBLEMS if any(problem.severity == "error" for problem in (*loaded.notices, *problems)) else FINE


def _render_window(options: argparse.Namespace, loaded: Loaded) -> int:
    from gradwire.app.cli.rendering import render_window  # loads Qt and the whole window

    size = window_size(options.window)
    report, picture, problems = render_window(loaded, options.file, size, options.page, options.theme)
    if options.output is not None:
        write_apart(options.output, picture, _source(options.file))
    if options.report:
        _print_json({"file": options.file, **report})
    # Standard output has one JSON object and nothing else.
    errors = [problem for problem in (*loaded.notices, *problems) if problem.severity == "error"]
    _print_problems(options.file, loaded, errors)
    _disable_faulty(problems)
    return PROBLEMS if errors else FINE


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
        write_apart(options.output, source.encode("utf-8", "backslashreplace"), _source(options.file))
    return FINE


def _source(file: str) -> str | int:
    """Returns the file that a graph is read from: its path, or the descriptor of standard input."""
    return STANDARD_INPUT if file == "-" else file


def _blocks(options: argparse.Namespace) -> int:
    types = library.for_users() if options.type is None else [library.for_user(options.type)]
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
    """Enables a plug-in if a trial import succeeds, in a process where it cannot harm the program."""
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
    """Prints errors to standard error with their place in the file, and notices below the table."""
    places = ProblemPlaces(loaded)
    for problem in listed(problems):
        at = f"{plain(problem.at)}: " if problem.at else ""
        if problem.severity == "error":
            _print_error(file, *places.find(problem), at + problem.message)
        else:
            # The name of a rule is what --silence takes.
            rule = f" [{problem.code.removeprefix('lint_')}]" if problem.code.startswith("lint_") else ""
            print(f"{problem.severity}: {at}{problem.message}{rule}")


def _print_error(file: str, line: int, column: int, sentence: str) -> None:
    """Prints a line to standard error; line 0 means that no place in the file is to blame."""
    place = f"{_named(file)}:{line}:{column}" if line else _named(file)
    print(f"gradwire: {place}: {plain_lines(sentence)}", file=sys.stderr)


def _named(file: str) -> str:
    """Returns the name of a file, safe for a terminal."""
    return plain(file, LONGEST_PARAGRAPH)


def _print_json(value: Json) -> None:
    print(json_escaped(json.dumps(value, ensure_ascii=False, allow_nan=False)), flush=True)
