"""The parser of the command's arguments: wrong names are answered with the nearest right ones."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from gradwire.engine.base.nearest import nearest
from gradwire.engine.base.untrusted_text import one_line
from gradwire.engine.files.outputs import Kind

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

SUBJECTS = {"command": "command", "to": "target"}


class Parser(argparse.ArgumentParser):
    """A parser that quotes arguments safely, as they may be names of files, and hides no full output.

    `add_options` adds the options of a subcommand once that is called: the others of twelve need none.
    """

    add_options: Callable[[Parser], None] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:  # Any: as argparse has it
        super().__init__(*arguments, **options)
        # The options that name files which are read, and those that name what is written, with its format.
        self.inputs: list[str] = []
        self.outputs: dict[str, Kind | None] = {}

    def reads(self, action: argparse.Action) -> None:
        """Notes that an option names a file, or several, that the command reads."""
        self.inputs.append(action.dest)

    def writes(self, action: argparse.Action, kind: Kind | None) -> None:
        """Notes that an option names a file that the command writes; without a kind it is a folder."""
        self.outputs[action.dest] = kind

    def parse_known_args(  # type: ignore[override]  # nobody passes a namespace of a class of their own
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Returns the known options and the other arguments."""
        add_options, self.add_options = self.add_options, None
        if add_options is not None:
            add_options(self)
        return super().parse_known_args(args, namespace)

    def parse_args(  # type: ignore[override]  # nobody passes a namespace of a class of their own
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Returns the options; an unknown one is answered with the nearest of the same command."""
        options, rest = self.parse_known_args(args, namespace)
        if rest:
            command = self.command(getattr(options, "command", None))
            unknown = next((item for item in rest if item.startswith("-")), rest[0])
            command.error(f'there is no option "{unknown}"{did_you_mean(unknown.split("=")[0], command.spellings())}')
        return options

    def command(self, name: str | None) -> Parser:
        """Returns the parser of a subcommand, or this one without a name."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction) and name in action.choices:
                found: Parser = action.choices[name]
                return found
        return self

    def spellings(self) -> list[str]:
        """Returns all options that the user may write."""
        shown = (action for action in self._actions if action.help != argparse.SUPPRESS)
        return [spelling for action in shown for spelling in action.option_strings]

    def error(self, message: str) -> NoReturn:
        """Ends the program with a sentence about wrong usage."""
        further = "" if message.endswith("?") else f"; {self.prog} --help explains the command"
        self.exit(2, f"{self.prog}: {one_line(message)}{further}\n")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        # The method of the standard library lists all choices and suggests none.
        if action.choices is not None and value not in action.choices:
            names = [str(item) for item in action.choices]
            subject = SUBJECTS.get(action.dest, "choice")
            hint = did_you_mean(str(value), names) or f"; choose from {', '.join(names)}"
            raise argparse.ArgumentError(None, f'there is no {subject} "{value}"{hint}')

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        # The method of the standard library, which ignores all errors of writing.
        if message:
            (sys.stderr if file is None else file).write(message)


def add_flag(group: argparse._ActionsContainer, name: str, text: str) -> None:
    """Adds an option without a value to a parser, or to a group of its options."""
    group.add_argument(name, action="store_true", help=text)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Returns the end of a sentence that suggests the nearest names, "" if none is near."""
    near = nearest(name, names)
    return f"; did you mean {' or '.join(near)}?" if near else ""
