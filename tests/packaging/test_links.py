"""The links of a checkout, by which type checkers find the parts of the package; the program does without them."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from mypy.fscache import FileSystemCache
from mypy.modulefinder import FindModuleCache, SearchPaths
from mypy.options import Options

from hatch_build import PARTS, link_parts
from tests.packaging.building import ROOT, copied

WRONG = 'def half(number: int) -> int:\n    """Returns a text, which is no number."""\n    return str(number)\n'


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the checkout without links."""
    return copied(tmp_path / "checkout", is_compiled=False)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A checkout whose parts hold one module with a wrong type."""
    folder = tmp_path / "small"
    (folder / "gradwire").mkdir(parents=True)
    for name in ("pyproject.toml", "gradwire/__init__.py", "gradwire/py.typed"):
        shutil.copy(ROOT / name, folder / name)
    (folder / "gradwire" / "face.py").write_text("")
    for part in PARTS:
        (folder / part).mkdir()
        (folder / part / "__init__.py").write_text("")
    (folder / "engine" / "halves.py").write_text(WRONG)
    return folder


def links(folder: Path) -> list[Path]:
    return [folder / "gradwire" / part for part in PARTS]


def lead_to_the_parts(folder: Path) -> bool:
    return all(link.resolve() == folder.resolve() / link.name for link in links(folder))


def test_a_second_time_changes_nothing(small: Path) -> None:
    link_parts(small)
    assert lead_to_the_parts(small)
    before = [link.lstat().st_ino for link in links(small)]
    link_parts(small)
    assert [link.lstat().st_ino for link in links(small)] == before


@pytest.mark.skipif(sys.platform == "win32", reason="a symbolic link needs a privilege there")
def test_links_that_lead_nowhere_or_elsewhere_are_made_anew(small: Path, tmp_path: Path) -> None:
    nowhere, elsewhere, *_ = links(small)
    nowhere.symlink_to(tmp_path / "gone", target_is_directory=True)
    elsewhere.symlink_to(ROOT / elsewhere.name, target_is_directory=True)
    link_parts(small)
    assert lead_to_the_parts(small)
    assert (ROOT / elsewhere.name).is_dir()


def test_a_folder_in_place_of_a_link_is_left_alone_and_named(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "gradwire" / "engine").mkdir()
    link_parts(small)
    assert (small / "gradwire" / "engine").is_dir()
    assert capsys.readouterr().err.startswith("Type checkers and editors will not find engine in gradwire: ")
    assert (small / "gradwire" / "app").exists()


def test_a_type_checker_finds_every_module(checkout: Path) -> None:
    link_parts(checkout)
    paths = SearchPaths((str(checkout),), (), (), ())
    found = FindModuleCache(paths, FileSystemCache(), Options()).find_modules_recursive("gradwire")
    modules = [path for part in PARTS for path in checkout.glob(f"{part}/**/*.py")]
    assert len(modules) > 600
    # A stub stands for the module beside it.
    assert {Path(str(item.path)).resolve().with_suffix(".py") for item in found} >= set(modules)


@pytest.mark.long
def test_a_type_checker_finds_a_mistake_in_a_part(small: Path) -> None:
    link_parts(small)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(small / "cache")],
        cwd=small,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "halves.py:3: error: Incompatible return value type" in done.stdout


@pytest.mark.long
def test_the_program_runs_without_links(checkout: Path) -> None:
    assert not any(link.exists() for link in links(checkout))
    command = [sys.executable, "-m", "gradwire", "run", "assets/examples/softmax_stable.graph"]
    done = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "main/m.y -> main/stop.x" in done.stdout


def test_editors_read_each_part_once_and_not_by_its_link() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pyright"]
    assert {f"gradwire/{part}" for part in PARTS} < set(settings["exclude"])
    assert (settings["venvPath"], settings["venv"]) == (".", ".venv")
