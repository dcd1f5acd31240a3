"""The table of commands: each is a function that adds its options, and its docstring is the help.

Only the names of export targets need NumPy.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gradwire.app.base.terminal import say_text
from gradwire.app.cli.fail_on import CONDITIONS, conditions
from gradwire.app.cli.parser import Parser, add_flag, did_you_mean
from gradwire.app.cli.render_options import add_render_options
from gradwire.engine.base.number_text import read_count
from gradwire.engine.files.outputs import GRAPH, PROGRAM, STATE, Kind

ACTIONS = ("install", "remove")
SHELLS = ("bash", "zsh", "fish")
# More threads than this no machine has.
MOST_THREADS = 256
FORMATS = ("text", "json", "github", "junit", "sarif")
FILE_HELP = "a .graph file, or the name of an example; - reads standard input"
ABOUT = """\
See the value and the gradient of the loss on every wire of a graph.

gradwire [FILE...] opens the window, one for each graph; gradwire --safe [FILE...] opens it without settings, plug-ins
and copies of unsaved graphs."""


class Command(NamedTuple):
    """A command: `add_options` adds its own options to its parser, `examples` are shown below them."""

    name: str
    text: str
    add_options: Callable[[Parser], None]
    examples: tuple[str, ...]
    details: str = ""


def command_parser(is_listing: bool = False) -> Parser:
    """Returns the parser of all commands.

    Its help shows them by group. With `is_listing` argparse knows their texts too, for completion: it shows no groups.
    """
    parser = Parser(
        prog="gradwire",
        usage="gradwire COMMAND ... | [--safe] [FILE...] | --version | --help",
        description=ABOUT,
        epilog=_overview(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action=_Version, help="print what runs, and on what")
    added = parser.add_subparsers(dest="command", metavar="COMMAND", prog="gradwire", required=True, help="see below")
    for command in COMMANDS:
        _add(added, command, is_listing)
    return parser


class _Targets:
    """The targets of the export, which are looked up only where one is named or listed: they import NumPy."""

    def __iter__(self) -> Iterator[str]:
        from gradwire.engine.export.export import targets

        return iter(targets())

    def __contains__(self, name: object) -> bool:
        return name in list(self)


class _Version(argparse.Action):
    """The option `--version`, which looks for the versions only when it is given."""

    def __init__(self, option_strings: list[str], **options: Any) -> None:  # Any: as argparse has it
        super().__init__(option_strings, **{**options, "nargs": 0, "default": argparse.SUPPRESS})

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Prints the versions and ends the program."""
        from gradwire.app.cli.version import version_text  # may import the whole library

        say_text(version_text())
        parser.exit()


def _overview() -> str:
    """Returns the commands by group and some examples, for the end of the help."""
    lines = []
    for title, group in GROUPS.items():
        lines += [f"{title}:", *(f"    {command.name:<12}{command.text}" for command in group), ""]
    lines += ["examples:", *(f"  {command.examples[0]}" for command in COMMANDS[:5]), ""]
    return "\n".join([*lines, "gradwire COMMAND --help explains a command, with examples.", EXIT_CODES, COLOURS])


def _add(added: argparse._SubParsersAction[Parser], command: Command, is_listing: bool) -> None:
    examples = "\n".join(["examples:", *(f"  {example}" for example in command.examples)])
    listed: dict[str, Any] = {"help": command.text} if is_listing else {}
    parser = added.add_parser(
        command.name,
        description=f"{command.text[0].upper()}{command.text[1:]}.",
        epilog="\n\n".join(filter(None, (command.details, examples))),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        **listed,
    )
    if is_listing:
        command.add_options(parser)
    else:
        parser.add_options = command.add_options


def _add_files(parser: Parser) -> None:
    parser.reads(parser.add_argument("files", nargs="+", metavar="FILE", type=_file, help=FILE_HELP))


def _add_file(parser: Parser, name: str = "file") -> None:
    parser.reads(parser.add_argument(name, metavar=name.upper(), type=_file, help=FILE_HELP))


def _file(text: str) -> str:
    """Returns the path as it is given; that of the example of this name where it leads to nothing."""
    if text == "-" or os.path.lexists(text):
        return text
    from gradwire.app.base.examples import example_names, example_path  # loads NumPy

    if text in example_names():
        return str(example_path(text))
    # A path, or a name with a suffix, means a file: the other files of the command are read all the same.
    if Path(text).stem == text and (hint := did_you_mean(text, example_names())):
        raise argparse.ArgumentError(None, f'there is no file or example "{text}"{hint}')
    return text


def _add_output(parser: Parser, group: argparse._ActionsContainer, kind: Kind, text: str) -> None:
    parser.writes(group.add_argument("-o", "--output", metavar="OUT", type=Path, help=text), kind)


def _add_quiet(parser: Parser) -> None:
    parser.add_argument("-q", "--quiet", action="store_true", help="leave out infos, warnings and progress")


def _add_allow_data(parser: Parser) -> None:
    add_flag(parser, "--allow-data", "read the files of data that the graph names, from its own folder")


def _add_fail_on(parser: Parser) -> None:
    text = "exit code 1 where one of these is found: " + ", ".join(CONDITIONS)
    parser.add_argument("--fail-on", metavar="A,B,...", type=conditions, default=[], help=text)


def _run(parser: Parser) -> None:
    """Evaluate and differentiate; print a table of wires.

    gradwire run net.graph
    gradwire run --feed main/x=[1,2,3] --ignore-stop=main/stop net.graph
    gradwire run --fail-on nan,blocked *.graph
    cat net.graph | gradwire run --json -
    """
    _add_files(parser)
    results = parser.add_argument_group("results")
    add_flag(results, "--json", "print one JSON object a line and file")
    _add_quiet(parser)
    _add_fail_on(parser)
    _add_allow_data(parser)
    evaluation = parser.add_argument_group("evaluation")
    evaluation.add_argument("--loss", metavar="PAGE/ID", help="differentiate this Loss block")
    evaluation.add_argument("--feed", metavar="PAGE/ID=JSON", action="append", default=[], help="replace a saved value")
    add_flag(evaluation, "--ignore-stop", "let gradients pass every StopGradient, or =PAGE/ID one")
    evaluation.add_argument("--ignore-stop-at", metavar="PAGE/ID", action="append", default=[], help=argparse.SUPPRESS)


def _check(parser: Parser) -> None:
    """Look for problems and compare gradients with central differences.

    gradwire check *.graph
    gradwire check --quiet --fail-on warning net.graph
    gradwire check --format sarif *.graph > gradwire.sarif
    GRADWIRE_SILENCE=max_not_stopped gradwire check net.graph
    """
    _add_files(parser)
    results = parser.add_argument_group("results")
    shape = results.add_mutually_exclusive_group()
    text = "text; json, as --json; github: annotations of a pull request; junit, sarif: one document for all files"
    shape.add_argument("--format", choices=FORMATS, default="text", help=text)
    text = "one JSON object a line and file"
    shape.add_argument("--json", action="store_const", const="json", dest="format", help=text)
    _add_quiet(parser)
    _add_fail_on(parser)
    text = "train some rounds with and without each fix, at most two seconds a fix, and print both losses"
    add_flag(results, "--try-fixes", text)
    parser.add_argument("--silence", metavar="RULE", action="append", default=[], help="leave out this rule of advice")


_UNTIL = 'end where this holds, such as "main/L < 0.01", "gradient main/w > 1000" or "main/w outside -1..1"'


def _train(parser: Parser) -> None:
    """Train a graph by the plan in its file, or by Adam.

    gradwire train spirals
    gradwire train net.graph --steps 300 -o trained.graph
    gradwire train net.graph --steps 300 --without main/stop --json
    gradwire train net.graph --steps 100 --state net.npz
    gradwire train net.graph --steps 100 --resume net.npz
    gradwire train net.graph --state net.npz --resume
    """
    _add_file(parser)
    _add_allow_data(parser)
    training = parser.add_argument_group("training")
    training.add_argument("--steps", metavar="N", type=_count, help="run N rounds, whatever the plan says of its end")
    training.add_argument("--until", metavar="CONDITION", action="append", default=[], help=_UNTIL)
    training.add_argument("--set", metavar="PAGE/ID=JSON", action="append", default=[], help="begin with another value")
    training.add_argument("--seed", metavar="S", type=_count, help="draw random numbers by another seed")
    text = "let gradients pass this StopGradient"
    training.add_argument("--without", metavar="PAGE/ID", action="append", default=[], help=text)
    text = "use N threads; no bit depends on it"
    training.add_argument("--threads", metavar="N", type=_threads, default=1, help=text)
    results = parser.add_argument_group("results")
    add_flag(results, "--json", "print one JSON object a round, and one at the end")
    results.add_argument("--every", metavar="K", type=_count, default=0, help="print each K-th round only")
    add_flag(results, "--norms", "print the norms of the gradients too (with --json)")
    _add_output(parser, results, GRAPH, "write the graph with its trained values")
    text = "write all that is needed to go on (NPZ)"
    parser.writes(results.add_argument("--state", metavar="OUT", type=Path, help=text), STATE)
    text = "go on from such a state, or that of a graph; without IN from the newest one that --state or -o has written"
    parser.reads(results.add_argument("--resume", metavar="IN", type=Path, nargs="?", const=True, help=text))
    add_flag(results, "--keep-state", "with -o, write the state into the graph's file too")
    add_flag(results, "--reset", "begin with the values before the first run")
    _add_quiet(parser)


def _count(text: str) -> int:
    count = read_count(text)
    if count is None:
        raise argparse.ArgumentTypeError(f'"{text[:40]}" is no whole number of at least 0')
    return count


def _threads(text: str) -> int:
    count = read_count(text)
    if count is None or not 1 <= count <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f'"{text[:40]}" is no whole number from 1 to {MOST_THREADS}')
    return count


def _diff(parser: Parser) -> None:
    """Say which blocks, parameters and wires of two graphs differ.

    gradwire diff old.graph new.graph
    git show HEAD:net.graph | gradwire diff - net.graph
    """
    _add_file(parser, "a")
    _add_file(parser, "b")
    add_flag(parser, "--places", "compare places and sizes on the page too")
    add_flag(parser, "--json", "print one JSON object")


def _show(parser: Parser) -> None:
    """Print a graph as text, one block, parameter or wire a line.

    gradwire show net.graph
    git config diff.gradwire.textconv 'gradwire show'
    """
    _add_file(parser)
    add_flag(parser, "--places", "print places and sizes on the page too")


def _render(parser: Parser) -> None:
    """Draw a page as the editor shows it: SVG, PNG or PDF, or as HTML that runs.

    gradwire render net.graph -o net.svg
    gradwire render net.graph -o net.html
    gradwire render lessons/*.graph --site public
    gradwire render net.graph -o net.png --page main --theme dark
    gradwire render net.graph --window 1366x768 --report
    """
    add_render_options(parser)
    _add_quiet(parser)


def _export(parser: Parser) -> None:
    """Write a program that gives the same numbers.

    gradwire export net.graph --to torch -o net.py
    gradwire export net.graph --to numpy | python -
    """
    _add_file(parser)
    parser.add_argument("--to", choices=_Targets(), required=True, help="the language: %(choices)s", metavar="TO")
    _add_output(parser, parser, PROGRAM, "out.py; by default standard output")
    _add_allow_data(parser)
    _add_quiet(parser)


def _examples(parser: Parser) -> None:
    """List the gallery, or copy from it.

    gradwire examples
    gradwire examples softmax_stable -o lesson
    """
    parser.add_argument("name", nargs="?", metavar="NAME", help="an example; gradwire examples lists them")
    parser.writes(parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="copy into this folder"), None)
    _add_quiet(parser)


def _code(parser: Parser) -> None:
    """Read a formula, or lines of NumPy, PyTorch, TensorFlow, JAX or Keras, as a graph; nothing is run.

    gradwire code "p = softmax(x - stop(max(x)))" -o p.graph
    gradwire code loss.py | gradwire run -
    """
    text = "a formula or program, or a file of one; - reads standard input"
    parser.reads(parser.add_argument("text", metavar="TEXT", help=text))
    _add_output(parser, parser, GRAPH, "out.graph; by default standard output")
    add_flag(parser, "--rest", "leave out what has no block, and say what")
    add_flag(parser, "--json", "print one JSON object instead of the graph")


def _import(parser: Parser) -> None:
    """Read a model of PyTorch (.pt2, by torch.export.save) or ONNX (.onnx) as a graph; nothing of it is run.

    gradwire import model.pt2 -o model.graph
    gradwire import model.onnx --loss logits -o model.graph
    gradwire import model.pt2 --input x=[[1,2]] --input mask=mask.npy | gradwire run -
    """
    parser.reads(parser.add_argument("model", metavar="MODEL", help="a .pt2 or .onnx file"))
    _add_output(parser, parser, GRAPH, "out.graph; by default standard output")
    text = "numbers of an input: NAME=JSON, NAME=FILE.npy or NAME=random:SEED; others are drawn"
    parser.add_argument("--input", metavar="NAME=VALUE", action="append", default=[], help=text)
    parser.add_argument("--loss", metavar="OUTPUT", help="make this output the loss: its sum, if it is no scalar")
    _add_quiet(parser)


def _blocks(parser: Parser) -> None:
    """List the block library, show one block's help, or find blocks and layers by words.

    gradwire blocks
    gradwire blocks ReduceMax
    gradwire blocks no grad
    gradwire blocks torch.detach
    """
    text = "a block type, which is explained, or words that are searched; without any all are listed"
    parser.add_argument("query", nargs="*", metavar="WORD", help=text)
    add_flag(parser, "--json", "print JSON")


def _plugins(parser: Parser) -> None:
    """List the installed plug-ins, enable or disable one.

    gradwire plugins
    gradwire plugins --enable shrinkage
    """
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--enable", metavar="NAME", help="load its blocks from the next start on")
    choice.add_argument("--disable", metavar="NAME", help="load them no more")


def _desktop(parser: Parser) -> None:
    """Put Gradwire and its files into the menus of this user, or take them out.

    gradwire desktop install
    gradwire desktop remove
    """
    parser.add_argument("action", choices=ACTIONS, metavar="ACTION", help=f"{' or '.join(ACTIONS)}")


def _completion(parser: Parser) -> None:
    """Print a script that completes commands, options, files and names.

    eval "$(gradwire completion bash)"     in ~/.bashrc
    gradwire completion zsh > "${fpath[1]}/_gradwire"
    gradwire completion fish > ~/.config/fish/completions/gradwire.fish
    """
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=f"one of {', '.join(SHELLS)}")
    # The scripts ask for the names of blocks by the words of the command so far.
    parser.add_argument("--words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)


EXIT_CODES = """\
exit codes: 0 all is well; 1 an error in a readable file, a failed check, or --fail-on; 2 wrong usage, or a file that
cannot be read or written. Of several files the largest counts. NaN and infinity are warnings: see --fail-on."""
COLOURS = "NO_COLOR switches colours off, FORCE_COLOR on; else a terminal has them."
TRAIN_CODES = "exit codes: 0 all is well; 1 a number overflows, a check fails or the plan is wrong; 2 as elsewhere."
DIFF_CODES = "exit codes: 0 the graphs are equal, 1 they differ, 2 one cannot be read."

DETAILS = {"run": EXIT_CODES, "check": EXIT_CODES, "train": TRAIN_CODES, "diff": DIFF_CODES}


def _command(add_options: Callable[[Parser], None]) -> Command:
    """Returns the command of a function that adds its options: its docstring is the help, a sentence and examples."""
    text, *examples = filter(None, map(str.strip, (add_options.__doc__ or "").splitlines()))
    name = add_options.__name__.lstrip("_")
    return Command(name, text[0].lower() + text[1:-1], add_options, tuple(examples), DETAILS.get(name, ""))


GROUPS = {
    "look into graphs": tuple(map(_command, (_run, _check, _train, _diff, _show))),
    "write files": tuple(map(_command, (_render, _export, _code, _import, _examples))),
    "the library": tuple(map(_command, (_blocks, _plugins))),
    "the desktop": (_command(_desktop),),
    "the shell": (_command(_completion),),
}
COMMANDS = tuple(command for group in GROUPS.values() for command in group)
