"""The workflows name only what is there: targets of the Makefile, files and programs of the checkout."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_there_are_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["ci", "firefox", "nightly", "release"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_each_target_is_in_the_makefile(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    lines = re.findall(r"\bmake ([a-z -]+)$", path.read_text("utf-8"), re.MULTILINE)
    asked = {name for line in lines for name in line.split()}
    assert asked <= targets


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_that_fails_ends_its_step(path: Path) -> None:
    # The shell goes on behind a command with "!", whatever came of it.
    assert not re.search(r"^ +(- run: )?! ", path.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_nothing_may_write_to_the_repository(path: Path) -> None:
    text = path.read_text("utf-8")
    assert "permissions:\n  contents: read\n" in text
    assert "contents: write" not in text
    assert "password" not in re.sub(r"#.*", "", text)


def test_publishing_needs_a_tag_and_no_secret() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert "startsWith(github.ref, 'refs/tags/v')" in text
    assert "id-token: write" in text
    assert "secrets." not in text


def test_wheels_are_built_for_the_oldest_python_alone() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    table = project["tool"]["cibuildwheel"]
    oldest = project["project"]["requires-python"].removeprefix(">=").replace(".", "")
    assert table["build"] == f"cp{oldest}-*"
    script = re.search(r"\{project\}/(\S+)", table["test-command"])
    assert script is not None
    assert (ROOT / script.group(1)).is_file()
