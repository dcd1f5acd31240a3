"""What `gradwire render` says of what it has drawn, and its exit code: each reason to say something on and off."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gradwire.app.cli import rendering
from gradwire.engine.base.problems import Problem
from tests.app.cli.graphs import NAIVE, SOFTMAX, called

ERROR, NOTICE = Problem("error", "main/x", "shape", "It is odd."), Problem("warning", "main/x", "nan", "It is NaN.")
UNTRAINED, REFUSED, HELD = "It does not train.", "It does not run.", "It holds data."


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Puts what has been drawn in place of drawing."""

    def put(**parts: object) -> SimpleNamespace:
        found = SimpleNamespace(**{"problems": (), "refusal": "", "untrained": "", "held": "", **parts})
        monkeypatch.setattr(rendering, "render", lambda *_: found.problems)
        monkeypatch.setattr(rendering, "render_page", lambda *given: seen.append(given) or found)
        monkeypatch.setattr(
            rendering, "render_site", lambda *given: seen.append(given) or ([found] * len(given[1]), 2049)
        )
        monkeypatch.setattr(rendering, "render_window", lambda *_: ({"zoom": 1}, b"\x89PNG", found.problems))
        return found

    seen: list[tuple[Any, ...]] = []
    put.seen = seen  # type: ignore[attr-defined]  # what the last drawing was given
    return put


@pytest.mark.parametrize(
    ("parts", "loud", "quiet", "code"),
    [
        ({}, [], [], 0),
        ({"refusal": REFUSED}, [REFUSED], [], 0),
        ({"untrained": UNTRAINED}, [UNTRAINED], [UNTRAINED], 1),
        ({"untrained": UNTRAINED, "refusal": REFUSED}, [UNTRAINED], [UNTRAINED], 1),
        ({"held": HELD}, [HELD], [HELD], 0),
        ({"untrained": UNTRAINED, "held": HELD}, [UNTRAINED, HELD], [UNTRAINED, HELD], 1),
        ({"problems": (ERROR,)}, ["main/x: It is odd."], ["main/x: It is odd."], 1),
        ({"problems": (NOTICE,)}, ["warning: main/x: It is NaN."], [], 0),
    ],
)
def test_a_page_that_runs_tells_of_what_it_cannot_and_of_data(
    made: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    parts: Any,
    loud: list[str],
    quiet: list[str],
    code: int,
) -> None:
    made(**parts)
    for words, said in (([], loud), (["-q"], quiet)):
        outcome = called(capsys, "render", SOFTMAX, "-o", tmp_path / "a.html", *words)
        assert outcome.code == code
        for line, sentence in zip((outcome.err + outcome.out).splitlines(), said, strict=True):
            assert line.endswith(sentence)


@pytest.mark.parametrize(
    ("parts", "said", "code"),
    [
        ({}, [], 0),
        ({"refusal": REFUSED}, [], 0),
        ({"untrained": UNTRAINED, "held": HELD}, [UNTRAINED], 1),
        ({"held": HELD}, [HELD], 0),
        ({"problems": (ERROR, NOTICE)}, ["main/x: It is odd."], 1),
        ({"problems": (NOTICE,)}, [], 0),
    ],
)
def test_a_site_tells_of_each_file_and_of_its_size(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], parts: Any, said: list[str], code: int
) -> None:
    made(**parts)
    site = tmp_path / "site"
    outcome = called(capsys, "render", SOFTMAX, NAIVE, "--site", site)
    assert outcome.code == code
    expected = [(file, text) for file in (SOFTMAX, NAIVE) for text in said]
    for line, (file, text) in zip(outcome.err.splitlines(), expected, strict=True):
        assert file in line and line.endswith(text)
    rest = "They need a web server; opened from a disk they do not run."
    assert outcome.out == f"{site}: 2 pages, an index and what they share: 3 KB. {rest}\n"
    assert called(capsys, "render", SOFTMAX, NAIVE, "--site", site, "-q").out == ""


def test_options_reach_the_page(made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made()
    called(capsys, "render", SOFTMAX, "-o", tmp_path / "a.html")
    called(capsys, "render", SOFTMAX, "-o", tmp_path / "a.html", "--page", "main", "--embed", "--train",
           "--without-data", "--ignore-stop", "--theme", "dark")  # fmt: skip
    called(capsys, "render", SOFTMAX, "--site", tmp_path / "site", "--ignore-stop")
    called(capsys, "render", SOFTMAX, NAIVE, "--site", tmp_path / "site")
    (_, _, title, usual), (*_, chosen), (*_, passed), (*_, plain) = made.seen
    assert title == Path(SOFTMAX).stem
    assert (usual.first, usual.is_embedded, usual.is_trained, usual.theme) == (None, False, False, "auto")
    assert (usual.ignored_stops, chosen.ignored_stops, passed.ignored_stops) == (frozenset(), None, None)
    assert plain.ignored_stops == frozenset()
    assert (chosen.first, chosen.is_embedded, chosen.is_trained, chosen.theme) == ("main", True, True, "dark")
    assert (usual.has_data, chosen.has_data) == (True, False)


@pytest.mark.parametrize(("problems", "code"), [((), 0), ((NOTICE,), 0), ((ERROR,), 1)])
def test_a_report_is_one_object_whatever_the_problems(
    made: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], problems: Any, code: int
) -> None:
    made(problems=problems)
    outcome = called(capsys, "render", SOFTMAX, "--window", "1366x768", "--report")
    assert (outcome.code, outcome.out) == (code, f'{{"file": "{SOFTMAX}", "zoom": 1}}\n')
    outcome = called(capsys, "render", SOFTMAX, "--window", "1366x768", "-o", tmp_path / "w.png")
    assert (outcome.code, outcome.out) == (code, "")
    assert (tmp_path / "w.png").read_bytes() == b"\x89PNG"
