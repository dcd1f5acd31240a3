"""Scripts that complete commands, options, files, and the names of blocks, examples, plug-ins and rules in a shell."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

import shtab

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_names
from gradwire.app.base.terminal import say_text, sent
from gradwire.app.cli.commands import COMMANDS, command_parser
from gradwire.app.cli.fail_on import CONDITIONS
from gradwire.engine.advice.linter import RULE_OF
from gradwire.engine.blocktypes.library import library
from gradwire.engine.plugins.plugins import installed_plugins

# The files that an argument takes, by its name in the parsed options.
_GRAPH = shtab.glob("*.graph")
_FILES = {"file": _GRAPH, "files": _GRAPH, "a": _GRAPH, "b": _GRAPH, "state": shtab.FILE, "resume": shtab.FILE}
# Options that take the name of a block in the graph that the command names.
_OF_GRAPH = ("without", "loss", "set", "feed")
# Each shell asks the command itself for such names, with the words so far; behind "=" the value follows without space.
_BLOCK = {
    "bash": "_gradwire_blocks",
    "zsh": "_gradwire_blocks",
    "fish": "(_gradwire_blocks)",
    "preamble": {
        "bash": """
_gradwire_blocks() {
  "${COMP_WORDS[0]}" completion bash --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
}
""",
        "zsh": """
_gradwire_blocks() {
  local -a names
  names=(${(f)"$(gradwire completion zsh --words "${(@)words[1,CURRENT]}" 2>/dev/null)"})
  compadd -S '' -- ${(M)names:#*=}
  compadd -- ${names:#*=}
}
""",
        "fish": """
function _gradwire_blocks
  gradwire completion fish --words (commandline -opc) (commandline -ct) 2>/dev/null
end
""",
    },
}
# Bash looks for a file where nothing else fits, as behind `gradwire` alone.
_AT_LAST = {
    "bash": """
_gradwire() {
  _shtab_gradwire
  [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -o bashdefault -o default -F _gradwire gradwire"""
}


def print_completion(options: argparse.Namespace) -> int:
    """Prints the script for a shell; it knows the names that this version and its plug-ins have."""
    parser, names = command_parser(is_listing=True), _names()
    for command in COMMANDS:
        for action in parser.command(command.name)._actions:
            if action.dest in names:
                action.choices = names[action.dest]
            elif action.dest in _OF_GRAPH:
                action.complete = _BLOCK  # type: ignore[attr-defined]  # read by shtab
            elif action.dest in _FILES:
                action.complete = _FILES[action.dest]  # type: ignore[attr-defined]  # read by shtab
            elif action.dest == "output":
                is_folder = command.name == "examples"
                action.complete = shtab.DIRECTORY if is_folder else shtab.FILE  # type: ignore[attr-defined]
    say_text(sent(shtab.complete(parser, shell=options.shell) + _AT_LAST.get(options.shell, "")))
    return 0


def _names() -> dict[str, Iterable[str]]:
    """Returns the names that an argument takes, by its name in the parsed options."""
    plugins = [item.name for item in installed_plugins(library)]
    return {
        "query": [item.name for item in library.for_users()],
        "name": example_names(),
        "enable": plugins,
        "disable": plugins,
        "silence": list(RULE_OF),
        "fail_on": list(CONDITIONS),
    }
