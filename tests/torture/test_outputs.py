"""Outputs of all commands, taken from their table: refused before the work, written whole, never over an input."""

from __future__ import annotations

import argparse
import errno
import os
import shutil
import stat
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.cli.commands import COMMANDS, command_parser
from gradwire.app.cli.parser import Parser
from gradwire.engine.files import disk
from gradwire.engine.files.files import save
from gradwire.engine.files.outputs import Kind
from gradwire.engine.training.trainer import Trainer
from tests.app.cli.graphs import called, started, written
from tests.interop.pt2.recorded import Recorded

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="names files by links and devices")

PARSERS = {command.name: command_parser(is_listing=True).command(command.name) for command in COMMANDS}
OUTPUTS = [(name, dest) for name, parser in PARSERS.items() for dest, kind in parser.outputs.items() if kind]
# The commands that write several files.
SEVERAL = sorted(name for name, count in Counter(name for name, _ in OUTPUTS).items() if count > 1)


class Place(NamedTuple):
    """Folder with a graph, all that it names, a state of its training, and files of other formats."""

    folder: Path
    graph: Path
    inputs: dict[str, Path]

    def content(self) -> dict[str, bytes]:
        return {str(path): path.read_bytes() for path in sorted(self.folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder that each test copies."""
    folder = tmp_path_factory.mktemp("made")
    np.save(folder / "rows.npy", np.eye(3))
    np.save(folder / "labels.npy", np.arange(3))
    rows = {"set": "file", "file": "rows.npy", "label": "labels.npy"}
    written(folder / "a.graph", [{"id": "data", "type": "Data", "parameters": rows}])
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable([1.0, 2.0], name="w")), name="loss"))
    save(graph, folder / "plain.graph")
    state = Trainer(graph).state().to_bytes()
    (folder / "in.npz").write_bytes(state)
    (folder / "a.graph.state.npz").write_bytes(state)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    folder = tmp_path / "work"
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    named = {"rows": "rows.npy", "labels": "labels.npy", "beside": "a.graph.state.npz"}
    return Place(folder, folder / "a.graph", {key: folder / name for key, name in named.items()})


def arguments(command: str, place: Place, **given: object) -> list[str]:
    """Returns the arguments of a command: what is given, and whatever it cannot do without."""
    words = [command]
    for action in PARSERS[command]._actions:
        is_needed = (action.required or not action.option_strings) and action.dest != "help"
        value = given.get(action.dest, _needed(PARSERS[command], action, place) if is_needed else None)
        if value is not None:
            words += [*action.option_strings[-1:], str(value)]
    return words


def _needed(parser: Parser, action: argparse.Action, place: Place) -> object:
    if action.dest in parser.inputs:
        return place.graph
    return next(iter(action.choices)) if action.choices is not None and action.required else None


def kind_of(command: str, dest: str) -> Kind:
    kind = PARSERS[command].outputs[dest]
    assert kind is not None
    return kind


def same_path(path: Path, ending: str) -> Path:
    return path


def other_spelling(path: Path, ending: str) -> Path:
    return path.parent / ".." / path.parent.name / path.name


def symbolic_link(path: Path, ending: str) -> Path:
    (path.parent / f"link{ending}").symlink_to(path.name)
    return path.parent / f"link{ending}"


def linked_folder(path: Path, ending: str) -> Path:
    (path.parent.parent / "other").symlink_to(path.parent)
    return path.parent.parent / "other" / path.name


def hard_link(path: Path, ending: str) -> Path:
    os.link(path, path.parent / f"link{ending}")
    return path.parent / f"link{ending}"


NAMINGS: list[Callable[[Path, str], Path]] = [same_path, other_spelling, symbolic_link, linked_folder, hard_link]


def check_refused(capsys: pytest.CaptureFixture[str], place: Place, words: Sequence[str], *said: str) -> None:
    """Checks that a command says one sentence, does no work, and leaves every file as it was."""
    before = place.content()
    outcome = called(capsys, *words)
    assert (outcome.code, outcome.out) == (2, ""), words
    assert outcome.err.count("\n") == 1 and all(text in outcome.err for text in said), outcome.err
    assert place.content() == before


def test_every_path_of_every_command_is_an_input_or_an_output() -> None:
    for name, parser in PARSERS.items():
        for action in parser._actions:
            is_path = action.type is Path or action.metavar in ("FILE", "OUT", "IN", "DIR", "A", "B")
            assert not is_path or action.dest in (*parser.inputs, *parser.outputs), (name, action.dest)
    assert {name for name, _ in OUTPUTS} >= {"train", "export", "render", "code"}


@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_no_output_replaces_an_input(
    command: str, dest: str, naming: Callable[[Path, str], Path], place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    ending = kind_of(command, dest).endings[0]
    given = {
        name: place.graph if name in ("file", "files") else place.folder / "in.npz" for name in PARSERS[command].inputs
    }
    for path in (*given.values(), *place.inputs.values()):
        output = naming(path, ending)
        # The name of a file of data has an ending of its own, which is refused before anything is read.
        reason = "lost" if output.suffix == ending or path in given.values() else ""
        check_refused(capsys, place, arguments(command, place, **given, **{dest: output}), output.name, reason)
        for left in (f"link{ending}", "../other"):
            (place.folder / left).unlink(missing_ok=True)


@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_no_output_replaces_the_graph_on_standard_input(
    command: str, dest: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    kept, source = os.dup(0), os.open(place.graph, os.O_RDONLY)
    os.dup2(source, 0)
    try:
        words = arguments(command, place, **{PARSERS[command].inputs[0]: "-", dest: place.graph})
        check_refused(capsys, place, words, "is the graph itself")
    finally:
        os.dup2(kept, 0)
        os.close(kept)
        os.close(source)


def foreign_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yields files of many formats, each with an ending that says nothing about it."""
    yield "a graph", (folder / "plain.graph").read_bytes()
    yield "a training state", (folder / "in.npz").read_bytes()
    yield "a picture", b"\x89PNG\r\n\x1a\n" + bytes(64)
    yield "a picture", b'<?xml version="1.0"?>\n<svg></svg>'
    yield "numbers", (folder / "rows.npy").read_bytes()
    with zipfile.ZipFile(folder / "x.zip", "w") as archive:
        archive.writestr("x.npy", b"data of somebody")
    yield "another", (folder / "x.zip").read_bytes()
    yield "else", b"Notes that nobody has a copy of.\n"
    yield "else", bytes(range(256))


@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_no_output_replaces_a_file_of_another_format(
    command: str, dest: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = kind_of(command, dest)
    plain = dict.fromkeys(("file", "files"), place.folder / "plain.graph")
    for name, content in list(foreign_files(place.folder)):
        if kind.is_in(content):
            continue
        for ending in ("", *(kind.endings if name != "else" else ())):
            target = place.folder / f"old{ending}"
            target.write_bytes(content)
            check_refused(capsys, place, arguments(command, place, **plain, **{dest: target}), "old")
            target.unlink()


@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_no_output_takes_the_ending_of_another_format(
    command: str, dest: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = kind_of(command, dest)
    for ending in {".graph", ".npz", ".py", ".png", ".csv"} - set(kind.endings):
        target = place.folder / f"new{ending}"
        check_refused(capsys, place, arguments(command, place, **{dest: target}), target.name)


def full_disk(descriptor: int, start: int, size: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_what_cannot_be_written_is_refused_before_the_work(
    command: str,
    dest: str,
    place: Place,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ending = kind_of(command, dest).endings[0]
    (place.folder / f"folder{ending}").mkdir()
    (place.folder / f"circle{ending}").symlink_to(f"circle{ending}")
    os.mkfifo(place.folder / f"pipe{ending}")
    reasons = {f"none/x{ending}": "does not exist", f"folder{ending}": "a folder", f"circle{ending}": "circle"}
    for name, reason in {**reasons, f"pipe{ending}": "a pipe", f"in.npz/x{ending}": "no folder"}.items():
        check_refused(capsys, place, arguments(command, place, **{dest: place.folder / name}), name, reason)
    if sys.platform == "linux":
        check_refused(capsys, place, arguments(command, place, **{dest: "/dev/full"}), "the disk is full")
        monkeypatch.setattr(os, "posix_fallocate", full_disk)
        target = place.folder / f"new{ending}"
        check_refused(capsys, place, arguments(command, place, **{dest: target}), "the disk is full")


@pytest.mark.parametrize("exists", [pytest.param(True, marks=pytest.mark.long), False])
@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("command", SEVERAL)
def test_no_two_outputs_are_one_file(
    command: str, naming: Callable[[Path, str], Path], exists: bool, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    first, *rest = (dest for name, dest in OUTPUTS if name == command)
    target = place.folder / "out"
    if exists:
        target.touch()
    elif naming is hard_link:
        pytest.skip("a file that does not exist has no second name")
    other = naming(target, "")
    for second in rest:
        check_refused(capsys, place, arguments(command, place, **{first: target, second: other}), "written twice")


def test_a_state_does_not_take_the_place_beside_the_graph_that_is_written(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    words = arguments("train", place, output=place.folder / "b.graph", state=place.folder / "b.graph.state.npz")
    check_refused(capsys, place, words, "written twice")


def given_to_succeed(place: Place) -> dict[str, object]:
    """Returns inputs with which each command comes to its end."""
    (place.folder / "model.pt2").write_bytes(Recorded("operations").model("relu"))
    return {
        **dict.fromkeys(("file", "files"), place.folder / "plain.graph"),
        "text": "x * x",
        "model": place.folder / "model.pt2",
        "steps": 1,
    }


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    # The first picture of a process takes seconds.
    ("command", "dest"),
    [pytest.param(*item, marks=pytest.mark.long if item[0] == "render" else ()) for item in OUTPUTS],
)
def test_an_output_is_written_whole_with_the_permissions_of_before(
    command: str, dest: str, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    kind = kind_of(command, dest)
    target = place.folder / f"out{kind.endings[0]}"
    plain = given_to_succeed(place)
    target.touch(0o640)
    target.chmod(0o640)
    assert called(capsys, *arguments(command, place, **plain, **{dest: target})).code == 0
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    content = target.read_bytes()
    assert content and (kind.is_in(content) or kind.endings[0] == ".png")
    # What it has written it may write again, and a device takes it too.
    assert called(capsys, *arguments(command, place, **plain, **{dest: target})).code == 0
    if not kind.must_end or ".svg" in kind.endings:
        assert called(capsys, *arguments(command, place, **plain, **{dest: "/dev/null"})).code == 0
    assert [path for path in place.folder.iterdir() if path.name.startswith(".")] == []


@pytest.mark.long
@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("command", "dest"), OUTPUTS)
def test_a_disk_that_fails_later_leaves_the_file_of_before(
    command: str, dest: str, place: Place, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = kind_of(command, dest)
    target = place.folder / f"out{kind.endings[0]}"
    plain = given_to_succeed(place)
    assert called(capsys, *arguments(command, place, **plain, **{dest: target})).code == 0
    before = place.content()

    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(disk, "keep_ownership", fail)
    outcome = called(capsys, *arguments(command, place, **plain, **{dest: target}))
    assert outcome.code == 2
    assert f'"{target}" cannot be written: the disk reports an error.' in outcome.err
    assert place.content() == before


@pytest.mark.long
def test_a_descriptor_takes_what_is_written(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    words = arguments("export", place, file=place.folder / "plain.graph")
    done = started(*words, "-o", "/dev/stdout")
    assert done.returncode == 0
    assert done.stdout == called(capsys, *words).out != ""


@pytest.mark.long
def test_what_is_printed_never_goes_into_a_file_that_is_read_or_written(place: Place) -> None:
    before = place.content()
    with (place.folder / "a.graph").open("ab") as printed:
        done = started("show", str(place.graph), stdout_to=printed)
    assert done.returncode == 2 and "a file that is read" in done.stderr
    assert place.content() == before
    with (place.folder / "log.py").open("wb") as printed:
        words = arguments("export", place, file=place.folder / "plain.graph", output=place.folder / "log.py")
        done = started(*words, stdout_to=printed)
    assert done.returncode == 2 and "what is printed" in done.stderr


def test_examples_are_copied_into_a_folder_only(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    check_refused(capsys, place, ["examples", "xor_221_good", "-o", str(place.graph)], "is no folder")
    (place.folder / "xor_221_good.graph").write_text("mine")
    check_refused(capsys, place, ["examples", "xor_221_good", "-o", str(place.folder)], "exists already")
