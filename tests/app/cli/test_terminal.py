"""The command on a terminal and in scripts: colours, progress, completion, wrong names, conditions, late imports."""

from __future__ import annotations

import io
import itertools
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gradwire.app.base.terminal import say
from gradwire.app.cli import progress as progress_line
from gradwire.app.cli.colour import coloured
from gradwire.app.cli.commands import COMMANDS
from gradwire.app.cli.fail_on import CONDITIONS
from gradwire.app.cli.progress import ERASE, progress
from gradwire.app.start import wanted
from tests.app.cli.graphs import NAIVE, SOFTMAX, called, failing, started


class Terminal(io.StringIO):
    """A text stream that a person looks at."""

    def __init__(self) -> None:
        super().__init__()
        self.has_said = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.has_said.set()
        return super().write(text)


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(sys.platform == "win32", reason="there only one kind of terminal shows colours")
def test_only_terminals_show_colours_unless_the_user_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    red = "\x1b[31mNaN\x1b[0m\n"

    def said(stream: io.StringIO) -> str:
        say(coloured("NaN", "31", stream), stream)
        return stream.getvalue()

    assert said(Terminal()) == red
    assert said(io.StringIO()) == "NaN\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert said(io.StringIO()) == red
    monkeypatch.setenv("NO_COLOR", "1")
    assert said(Terminal()) == "NaN\n"
    monkeypatch.undo()
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert said(Terminal()) == "NaN\n"


def test_without_colours_the_table_is_the_same(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = called(capsys, "run", NAIVE).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    shown = called(capsys, "run", NAIVE).out
    assert "\x1b[31m" in shown and "\x1b" not in plain
    for code in ("31", "33", "35", "2", "1", "0"):
        shown = shown.replace(f"\x1b[{code}m", "")
    assert shown == plain


def test_what_takes_longer_says_so_on_a_terminal_and_is_erased(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress_line, "PATIENCE", 0)
    with progress("Checking a.graph", is_quiet=False):
        assert terminal.has_said.wait(10)
    text = terminal.getvalue()
    assert text.startswith(f"{ERASE}Checking a.graph ... ")
    assert text.endswith(ERASE)


def test_what_is_quick_quiet_or_no_terminal_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = progress_line.PATIENCE
    for stream, is_quiet, patience in (
        (Terminal(), False, usual),
        (Terminal(), True, usual),
        (io.StringIO(), False, 0),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(progress_line, "PATIENCE", patience)
        with progress("Checking", is_quiet):
            pass
        assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("rum", SOFTMAX), "did you mean run?"),
        (("check", "--formt", "junit", SOFTMAX), "did you mean --format?"),
        (("export", SOFTMAX, "--to", "torhc"), "did you mean torch?"),
        (("examples", "softmax_stabel"), "the nearest are softmax_stable"),
        (("train", "spiral"), "did you mean spirals?"),
        (("run", "--fail-on", "blokced", SOFTMAX), "did you mean blocked?"),
    ],
)
def test_a_wrong_name_is_answered_with_the_nearest_one(
    arguments: tuple[str, ...], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    outcome = called(capsys, *arguments)
    assert outcome.code == 2
    assert outcome.err.startswith("gradwire") and hint in outcome.err


def test_words_find_blocks_and_layers_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(called(capsys, "blocks", "no", "grad", "--json").out)
    assert found[0] == {"type": "StopGradient", "why": 'people say "no grad"'}
    assert json.loads(called(capsys, "blocks", "dense", "--json").out)[0]["layer"] == "Dense"
    assert "ReduceMax" in called(capsys, "blocks", "ReducMax").out


def test_words_that_mean_nothing_name_three_neighbours(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "blocks", "xqzw", "--json")
    assert (outcome.code, outcome.out) == (1, "[]\n")
    assert outcome.err.count(",") == 2


def test_a_formula_becomes_a_graph_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "p.graph")
    outcome = called(capsys, "code", "p = softmax(x - stop(max(x)))", "-o", path, "--json")
    assert {"name": "p", "type": "Softmax"} in json.loads(outcome.out)["blocks"]
    assert called(capsys, "run", path).code == 0


def test_a_program_without_blocks_is_refused_with_its_place(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "loss.py"
    source.write_text("x = 1.0\ny = foo(x)\n")
    outcome = called(capsys, "code", str(source))
    assert outcome.code == 2
    assert outcome.err.startswith(f"gradwire: {source}:2:5: foo is not known here")
    outcome = called(capsys, "code", str(source), "--rest", "--json")
    assert (outcome.code, json.loads(outcome.out)["blocks"]) == (0, [{"name": "x", "type": "Input"}])
    assert ":2:5: foo is not known here" in outcome.err
    outcome = called(capsys, "code", str(source), "--json")
    assert json.loads(outcome.out)["error"]["line"] == 2


def test_the_help_lists_each_command_once_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    text = called(capsys, "--help").out
    first_words = [line.split()[0] for line in text.splitlines() if line]
    assert {command.name: first_words.count(command.name) for command in COMMANDS} == {
        command.name: 1 for command in COMMANDS
    }
    assert "SUPPRESS" not in text


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_every_command_has_examples_of_it(command: object, capsys: pytest.CaptureFixture[str]) -> None:
    name = getattr(command, "name")  # noqa: B009  # a parameter of pytest has no type
    outcome = called(capsys, name, "--help")
    assert outcome.code == 0
    assert f"gradwire {name}" in outcome.out.split("examples:")[1]


def test_a_mask_of_minus_infinity_before_a_softmax_fails_no_condition(capsys: pytest.CaptureFixture[str]) -> None:
    field = Path(__file__).parent.parent.parent / "data" / "field"
    masked, broken = map(
        str, (field / "04_causal_mask_false_alarm.graph", field / "02_fix_log_softmax_keeps_nan.graph")
    )
    for command in ("run", "check"):
        assert called(capsys, command, "--fail-on", "nonfinite,nan,inf,warning", masked).code == 0
    outcome = called(capsys, "run", "--json", "--fail-on", "nan,inf", broken)
    assert outcome.code == 1 and "main/att.y" in json.loads(outcome.out)["failed_on"]["nan"]


def test_conditions_decide_the_exit_code_and_say_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "run", "--quiet", SOFTMAX).code == 0
    blocked = called(capsys, "run", "--fail-on", "blocked", SOFTMAX)
    assert blocked.code == 1 and "--fail-on blocked: main/x.y -> main/m.x and 1 more." in blocked.err
    assert called(capsys, "run", "--fail-on", "nan,inf", SOFTMAX).code == 0
    assert called(capsys, "run", "--fail-on", "nan", NAIVE).code == 1
    bad = failing(tmp_path / "bad.graph")
    assert called(capsys, "check", "--fail-on", "warning", bad).code == 1
    outcome = called(capsys, "run", "--json", "--fail-on", "blocked", SOFTMAX)
    assert json.loads(outcome.out)["failed_on"] == {"blocked": ["main/x.y -> main/m.x", "main/m.y -> main/stop.x"]}
    wrong = called(capsys, "run", "--fail-on", "chaos", SOFTMAX)
    assert wrong.code == 2 and all(name in wrong.err for name in CONDITIONS)


def test_quiet_leaves_out_what_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loud, quiet = called(capsys, "run", SOFTMAX), called(capsys, "run", "-q", SOFTMAX)
    assert "info: " in loud.err + loud.out
    assert "info: " not in quiet.err + quiet.out
    assert "main/bad: There is no block type" in called(capsys, "check", "-q", failing(tmp_path / "bad.graph")).err


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_commands_options_files_and_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = called(capsys, "completion", "bash").out
    for name in ("net.graph", "net.npz"):
        (tmp_path / name).touch()
    expected = {
        "ch": "check",
        "check --for": "--format",
        "export --t": "--to",
        "run ne": "net.graph",
        "diff net.graph ne": "net.graph",
        "train --resume net.n": "net.npz",
        "blocks ReduceMa": "ReduceMax",
        "examples softmax_stable_big_n": "softmax_stable_big_nosg",
        "check --silence max_not": "max_not_stopped",
        "run --fail-on non_d": "non_differentiable",
        "train gan --without main/stop_": "main/stop_theta",
    }
    asked = [f"COMP_WORDS=(gradwire {words}); COMP_CWORD={len(words.split())}" for words in expected]
    lines = [f'{words}; _shtab_gradwire; echo "${{COMPREPLY[@]}}"' for words in asked]
    text = "\n".join([script, *lines, "complete -p gradwire"])
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
    done = subprocess.run(
        ["bash", "--norc"], input=text, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
    )
    *found, fallback = done.stdout.splitlines()
    assert dict(zip(expected, found, strict=True)) == expected
    # A file is looked for where nothing else fits.
    assert "-o default" in fallback


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("train gan --without main/st", ["main/stop", "main/stop_theta"]),
        ("run net.graph --without main/", ["main/cut", "main/twice/stop"]),
        ("run net.graph --feed main/", ["main/w="]),
        ("run net.graph --feed inner/", []),
        ("run net.graph --loss ", ["main/L"]),
        ("run none.graph --loss ", []),
        ("run large.graph --loss ", []),
        ("run odd.graph --loss ", []),
        ("run mixed.graph --feed ", ["main/w="]),
        ("run list.graph --feed ", []),
        ("run net.graph --steps ", []),
        ("run --loss ", []),
        ("", []),
        ("run net.graph list.graph --feed main/w", ["main/w="]),
        ("run net.graph --feed main/x", []),
        ("run deep.graph --without ", [f"main{'/p' * deep}/s" for deep in range(9)]),
        ("run self.graph --without ", []),
        ("run whole.graph --loss ", ["main/L"]),
    ],
)
def test_names_of_blocks_come_from_the_graph_that_the_command_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str, names: list[str]
) -> None:
    """A StopGradient is named where it is used, a value and a Loss by its page."""
    monkeypatch.chdir(tmp_path)
    blocks = [
        {"id": "w", "type": "Variable", "parameters": {"value": 1}},
        {"id": "cut", "type": "StopGradient"},
        {"id": "twice", "type": "Page", "parameters": {"page": "inner"}},
        {"id": "L", "type": "Loss"},
    ]
    inner = {"name": "inner", "blocks": [{"id": "stop", "type": "StopGradient"}]}
    text = json.dumps({"pages": [{"name": "main", "blocks": blocks}, inner]})
    Path("net.graph").write_text(text)
    Path("large.graph").write_text(text + " " * 4_000_000)
    Path("whole.graph").write_text(text + " " * (4_000_000 - len(text)))
    Path("list.graph").write_text("[1, 2]")
    wide = [3, {"id": "v", "parameters": 3}, {"id": "u"}, blocks[0]]
    Path("mixed.graph").write_text(json.dumps({"pages": [{"name": "main", "blocks": wide}]}))
    # Each page uses the next one; of pages in pages as many are looked into as anybody writes.
    chain = [{"id": "s", "type": "StopGradient"}, {"id": "p", "type": "Page"}]
    pages = [
        {"name": name, "blocks": [chain[0], {**chain[1], "parameters": {"page": after}}]}
        for name, after in itertools.pairwise(["main", *map(str, range(12))])
    ]
    Path("deep.graph").write_text(json.dumps({"pages": pages}))
    Path("self.graph").write_text(json.dumps({"pages": [{**pages[0], "name": "0"}]}))
    Path("odd.graph").write_text('{"pages": [{"name": "main", "blocks": 3}, 4]}')
    outcome = called(capsys, "completion", "bash", "--words", *words.split(" "))
    assert (outcome.code, outcome.out.split(), outcome.err) == (0, sorted(names), "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_a_script_with_every_command_and_name(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    script = called(capsys, "completion", shell).out
    assert all(command.name in script for command in COMMANDS)
    assert "ReduceMax" in script and "softmax_stable" in script


# What one run of a small graph has no use for, and what would take a third of its time to import.
NOT_FOR_RUN = {
    "PySide6.QtWidgets",
    "PySide6.QtGui",
    "scipy",
    "numpy.random",
    "secrets",
    "tempfile",
    "zipfile",
    "gradwire.app.start.start",
    "gradwire.engine.advice.trials",
    "gradwire.engine.edits.edits",
    "gradwire.engine.executors.arena",
    "gradwire.engine.files.data_files",
}


def imported_by(*arguments: str) -> set[str]:
    """The modules that a call of the command imports where nobody wishes for an executor."""
    lines = [
        "import sys",
        "from gradwire.app.cli.command_line import main",
        f"try: main({list(arguments)!r})",
        "except SystemExit: pass",
        "print(*sys.modules, file=sys.stderr)",
    ]
    code = "\n".join(lines)
    unwished = {name: value for name, value in os.environ.items() if name != "GRADWIRE_EXECUTOR"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=unwished)
    return set(done.stderr.split())


def test_commands_import_no_more_than_they_need() -> None:
    for arguments in (("--version",), ("--help",), ("run", "--help")):
        assert imported_by(*arguments).isdisjoint({"numpy", "PySide6.QtWidgets", "scipy"}), arguments
    assert imported_by("run", SOFTMAX).isdisjoint(NOT_FOR_RUN)


def test_each_command_is_known_before_the_parts_of_a_window() -> None:
    assert set(wanted.COMMANDS) == {command.name for command in COMMANDS}


def test_the_package_runs_as_the_command_does() -> None:
    assert started("--version").stdout.startswith("gradwire ")
    assert started("run", SOFTMAX).stdout.startswith(f"{SOFTMAX}: main/loss = ")
