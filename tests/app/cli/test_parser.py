"""The parser of arguments: which names are suggested, which files a command reads and writes, and the help."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from gradwire.app.cli.commands import COMMANDS, GROUPS, command_parser
from gradwire.app.cli.opening_outputs import open_outputs
from gradwire.app.cli.parser import Parser, did_you_mean
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.outputs import GRAPH, PROGRAM, STATE
from tests.app.cli.graphs import SOFTMAX, called


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("run net.graph --looss main/L", 'gradwire run: there is no option "--looss"; did you mean --loss?'),
        ("run net.graph --looss=main/L", 'gradwire run: there is no option "--looss=main/L"; did you mean --loss?'),
        ("show net.graph more", 'gradwire show: there is no option "more"; gradwire show --help explains the command'),
        ("show net.graph more -z", 'gradwire show: there is no option "-z"; gradwire show --help explains the command'),
        # An option of another command, and one that only the parser knows, are suggested to nobody.
        ("show net.graph --ignore-stop-at", 'gradwire show: there is no option "--ignore-stop-at"; gradwire show --help'
         " explains the command"),
        ("completion ksh", 'gradwire completion: there is no choice "ksh"; did you mean zsh?'),
        ("completion bash --wordz", 'gradwire completion: there is no option "--wordz"; gradwire completion --help'
         " explains the command"),
        ("check net.graph --format x", 'gradwire check: there is no choice "x"; choose from text, json, github, junit, '
         "sarif; gradwire check --help explains the command"),
        ("rum net.graph", 'gradwire: there is no command "rum"; did you mean run?'),
        ("train net.graph --steps x", 'gradwire train: argument --steps: "x" is no whole number of at least 0; '
         "gradwire train --help explains the command"),
        ("train net.graph --threads 257", 'gradwire train: argument --threads: "257" is no whole number from 1 to 256; '
         "gradwire train --help explains the command"),
        ("run xor_zero_inits", 'gradwire run: there is no file or example "xor_zero_inits"; did you mean '
         "xor_zero_init?"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_what_is_near(
    words: str, sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = called(capsys, *words.split())
    assert outcome == (2, "", f"{sentence}\n")


def test_names_in_a_row_are_joined_by_or() -> None:
    assert did_you_mean("runn", ["run", "rune", "check"]) == "; did you mean run or rune?"
    assert did_you_mean("x", ["run"]) == ""


@pytest.mark.parametrize("word", ["softmax_stabel.graph", "./softmax_stabel", "nothing_of_the_kind"])
def test_what_looks_like_a_path_is_a_file_that_is_missing(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "run", word)
    assert (outcome.code, outcome.err) == (
        2,
        f"gradwire: {word}: It cannot be read: there is no such file or folder.\n",
    )


def test_a_file_goes_before_an_example_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert called(capsys, "run", "softmax_stable").out.startswith(f"{SOFTMAX}: ")
    Path("softmax_stable").symlink_to("nowhere")
    assert called(capsys, "run", "softmax_stable").err.startswith("gradwire: softmax_stable: It cannot be read")


def test_the_help_has_the_groups_and_the_first_examples(capsys: pytest.CaptureFixture[str]) -> None:
    lines = called(capsys, "--help").out.splitlines()
    begin = lines.index("examples:")
    assert lines[begin + 1 : begin + 7] == [f"  {command.examples[0]}" for command in COMMANDS[:5]] + [""]
    at = lines.index("look into graphs:")
    assert lines[at + 1].split(maxsplit=1) == ["run", "evaluate and differentiate; print a table of wires"]
    assert [line.removesuffix(":") for line in lines if line.removesuffix(":") in GROUPS] == [*GROUPS]
    assert {len(line) - len(line[16:].lstrip()) for line in lines[at + 1 : at + 6]} == {16}
    text = called(capsys, "diff", "--help").out
    assert "\nSay which blocks, parameters and wires of two graphs differ.\n" in text
    assert (
        "exit codes: 0 the graphs are equal, 1 they differ, 2 one cannot be read.\n\nexamples:\n  gradwire diff" in text
    )


def test_only_a_listing_knows_all_options_at_once() -> None:
    def texts(parser: Parser) -> list[str | None]:
        (action,) = (item for item in parser._actions if isinstance(item, argparse._SubParsersAction))
        return [item.help for item in action._choices_actions]

    assert texts(command_parser(is_listing=True)) == [command.text for command in COMMANDS]
    assert texts(command_parser()) == []
    assert "--loss" in command_parser(is_listing=True).command("run").spellings()
    assert command_parser().command("run").spellings() == ["-h", "--help"]
    assert command_parser().command("none").prog == command_parser().command(None).prog == "gradwire"


@pytest.mark.parametrize(
    ("words", "outputs"),
    [
        ("train a.graph", {}),
        ("train a.graph -o b.graph", {"output": GRAPH}),
        ("train a.graph -o b.graph --state s.npz", {"output": GRAPH, "state": STATE}),
        ("export a.graph --to numpy -o a.py", {"output": PROGRAM}),
        ("examples -o folder", {}),
    ],
)
def test_each_path_that_is_written_is_opened_before_the_work(
    words: str, outputs: dict[str, object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    parser = command_parser()
    options = parser.parse_args(words.split())
    open_outputs(options, parser.command(options.command))
    assert {name: getattr(options, name).kind for name in outputs} == outputs
    assert {output.kind for output in options.outputs} == {*outputs.values()}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("train a.graph -o a.graph", "is the graph itself"),
        ("train a.graph --resume s.npz --state s.npz", "is an input of this command"),
        ("train a.graph -o s.npz --state s.npz", "is a graph, but ends in .npz"),
        ("train a.graph -o s --state s", "would be written twice"),
        ("examples -o a.graph", "is no folder"),
    ],
)
def test_a_path_that_would_do_harm_is_refused(
    words: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.graph").write_bytes(Path(SOFTMAX).read_bytes())
    Path("s.npz").touch()
    parser = command_parser()
    options = parser.parse_args(words.split())
    with pytest.raises(FileError, match=said):
        open_outputs(options, parser.command(options.command))


@pytest.mark.parametrize(
    ("option", "allowed", "refused"),
    [
        ("--threads", ["1", "2", "256"], ["0", "257", "-1", "1.5", "x", ""]),
        ("--steps", ["0", "1", "1000"], ["-1", "0.5", "x", ""]),
        ("--every", ["0", "1", "7"], ["-1", "x"]),
    ],
)
def test_numbers_of_options_have_bounds(option: str, allowed: list[str], refused: list[str]) -> None:
    parser = command_parser()
    for text in allowed:
        assert getattr(parser.parse_args(["train", SOFTMAX, f"{option}={text}"]), option[2:]) == int(text)
    for text in refused:
        with pytest.raises(SystemExit):
            parser.parse_args(["train", SOFTMAX, f"{option}={text}"])
