"""The oldest packages that an installation is tried with are those that the project allows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from scripts.try_installation import LOCK, ROOT, installations, oldest, requirements


@pytest.mark.parametrize(
    ("allowed", "tried"),
    [
        ("numpy>=2.1", "numpy==2.1"),
        ("PySide6-Essentials>=6.7,!=6.12.0", "PySide6-Essentials==6.7"),
        ("tool>=1.2; platform_system == 'Linux'", "tool==1.2; platform_system == 'Linux'"),
    ],
)
def test_the_lower_bound_becomes_the_version(allowed: str, tried: str) -> None:
    assert oldest(allowed) == tried


def test_a_package_without_a_lower_bound_is_refused() -> None:
    with pytest.raises(ValueError, match="numpy has no lower bound"):
        oldest("numpy")


def test_every_package_of_the_program_has_a_lower_bound() -> None:
    assert len(requirements()) >= 4
    assert all("==" in oldest(item) for item in requirements())


def locked() -> dict[str, tuple[str, int]]:
    """Returns the version, and the number of sums, of each package in `requirements.lock`."""
    pattern = r"^([\w.-]+)==([\w.]+)[^\n]*((?:\n    --hash=sha256:[0-9a-f]{64}(?: \\)?)+)"
    blocks = re.findall(pattern, LOCK.read_text(), re.MULTILINE)
    return {canonical(name): (version, sums.count("sha256:")) for name, version, sums in blocks}


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_each_locked_package_has_sums_and_the_version_of_the_constraints() -> None:
    lines = [line for line in LOCK.read_text().splitlines() if line and line[0] not in "# "]
    assert len(lines) == len(locked()) > 30
    pinned = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    versions = {canonical(name): version for name, version in pinned.items()}
    assert {name: version for name, (version, _) in locked().items() if versions.get(name, version) != version} == {}


def test_every_package_of_program_and_tests_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    names = {canonical(re.match(r"[\w.-]+", item)[0]) for item in wanted}  # type: ignore[index]  # each has a name
    assert names <= set(locked())


def test_the_wheels_of_all_platforms_are_locked() -> None:
    # NumPy has wheels for four kinds of Python or more on each of three systems; a lock for one machine has one or two.
    assert locked()["numpy"][1] > 30


def test_the_lock_names_no_host() -> None:
    assert "://" not in LOCK.read_text()


def test_the_locked_packages_are_tried_with_their_sums_and_the_wheel_without() -> None:
    packages, wheel = installations(Path("a.whl"))["locked"]
    assert packages == ["--require-hashes", "--requirement", str(LOCK)]
    assert wheel == ["--no-deps", "a.whl"]
