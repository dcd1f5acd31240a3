"""`gradwire render FILE... --site FOLDER`: a folder of pages for a server, and what it never replaces."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line
from gradwire.app.features.share.web.texts import quoted
from gradwire.engine.files.files import load

pytestmark = pytest.mark.usefixtures("qapp")
FILES = [FOLDER / f"{name}.graph" for name in ("softmax_stable", "xor_zero_init")]


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def render(capsys: pytest.CaptureFixture[str]) -> Any:  # Any: a function of words
    def call(*words: object) -> Outcome:
        code = command_line.main(["render", *map(str, words)])
        said = capsys.readouterr()
        return Outcome(code, said.out, said.err)

    return call


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_site_has_a_list_a_page_each_and_one_script_and_style(render: Any, tmp_path: Path) -> None:
    done = render(*FILES, "--site", tmp_path / "a" / "site")
    assert (done.code, done.err) == (0, "")
    assert "2 pages" in done.out and "web server" in done.out
    written = content(tmp_path / "a" / "site")
    pages = [name for name in written if name.endswith(".html")]
    assert pages == ["index.html", "softmax_stable.html", "xor_zero_init.html"]
    assert len([name for name in written if re.fullmatch(r"gradwire-[0-9a-f]{12}\.(js|css)", name)]) == 2
    for name in pages[1:]:
        text = written[name].decode()
        linked = re.findall(r'(?:src|href)="(gradwire-[^"]*)" integrity="sha256-([^"]*)"', text)
        assert len(linked) == 2
        for file, digest in linked:
            assert base64.b64decode(digest) == hashlib.sha256(written[file]).digest()
        assert "<style" not in text and f'<link rel=stylesheet href="{linked[0][0]}"' in text
    index = written["index.html"].decode()
    assert [f'href="{name}"' in index for name in pages[1:]] == [True, True]
    note = load(FILES[0]).graph.pages[0].notes[0].text.split("\n")[0]
    assert note and f"<span>{quoted(note)}</span>" in index
    assert str(Path.home()) not in index + written["softmax_stable.html"].decode()
    # The same graphs give the same files, over those of before.
    assert render(*FILES, "--site", tmp_path / "a" / "site").code == 0
    assert content(tmp_path / "a" / "site") == written


@pytest.mark.parametrize("name", ["index.html", "softmax_stable.html"])
def test_a_page_of_somebody_else_is_never_replaced(render: Any, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("<!doctype html><title>My own</title>")
    before = content(tmp_path)
    done = render(*FILES, "--site", tmp_path)
    assert done.code == 2
    assert f'"{tmp_path / name}" holds something else, not a page of Gradwire, and would be lost' in done.err
    assert content(tmp_path) == before


def test_two_files_of_one_name_are_refused(render: Any, tmp_path: Path) -> None:
    for folder, name in (("a", "net"), ("b", "Net"), ("c", "index")):
        (tmp_path / folder).mkdir()
        shutil.copy(FILES[0], tmp_path / folder / f"{name}.graph")
    done = render(tmp_path / "a/net.graph", tmp_path / "b/Net.graph", "--site", tmp_path / "site")
    assert done.code == 2
    assert f'"{tmp_path}/b/Net.graph" and "{tmp_path}/a/net.graph" would both become Net.html' in done.err
    done = render(tmp_path / "c/index.graph", "--site", tmp_path / "site")
    assert "the list of all pages would both become index.html; rename one of them." in done.err
    assert not (tmp_path / "site").exists()


def test_every_file_that_cannot_be_read_is_said_and_nothing_is_written(render: Any, tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.graph").write_text("{")
    done = render(FILES[0], tmp_path / "a.graph", tmp_path / "b.graph", "--site", tmp_path / "site")
    assert done.code == 2
    assert [line.split(":")[1].strip() for line in done.err.splitlines()] == [
        str(tmp_path / "a.graph"),
        str(tmp_path / "b.graph"),
    ]
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "x.html"], "--site writes a page of each file; leave -o out."),
        (["--page", "main"], "--site writes a page of each file; leave --page out."),
        (["--window", "1366x768"], "--site writes a page of each file; leave --window out."),
    ],
)
def test_what_does_not_go_with_a_site_is_said(
    render: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert render(FILES[0], "--site", "site", *words) == (2, "", f"gradwire: {sentence}\n")
    assert content(tmp_path) == {}


def test_standard_input_and_several_files_have_no_page_of_one_name(render: Any, tmp_path: Path) -> None:
    assert "standard input has none" in render("-", "--site", tmp_path / "site").err
    assert render(*FILES, "-o", tmp_path / "x.html").err == (
        "gradwire: -o draws one file; give --site FOLDER for a page of each.\n"
    )
    (tmp_path / "file").touch()
    assert "is no folder" in render(FILES[0], "--site", tmp_path / "file").err
