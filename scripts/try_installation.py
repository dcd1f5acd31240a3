"""Installs the wheel into fresh environments and tries it from another folder: make test-install.

One environment has the newest packages, one the oldest that `pyproject.toml` allows, and one exactly those of
`requirements.lock`, whose files must have the sums that are written there. It needs the network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Laws and recorded results that need nothing of the checkout but the tests themselves.
TRIED = (
    "tests/install",
    "tests/test_golden_cases.py",
    "tests/test_golden_graphs.py",
    "tests/test_gallery.py",
    "tests/test_gradwire.py",
    "tests/blocks/contract/test_help_of_every_block.py",
    "tests/app/canvas/painting/test_base_layer.py",
    "tests/app/window/gestures/test_gestures_wires.py",
)
LOCK = ROOT / "requirements.lock"
TOOLS = ("pytest", "pytest-qt", "pytest-xdist", "hypothesis")


def requirements() -> list[str]:
    """Returns the packages that the program needs, with their bounds."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: list[str] = tomllib.loads(text)["project"]["dependencies"]
    return found


def oldest(requirement: str) -> str:
    """Returns a requirement of the oldest version that another one allows.

    Raises: ValueError if it has no lower bound.
    """
    match = re.match(r"([\w.-]+(?:\[[^]]*\])?)[^;]*?>=\s*([\w.]+)", requirement)
    if match is None:
        raise ValueError(f"{requirement} has no lower bound")
    _, mark, condition = requirement.partition(";")
    return f"{match[1]}=={match[2]}{mark}{condition}"


def build_wheel(folder: Path) -> Path:
    """Builds the wheel of the checkout and returns its path."""
    _run([sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)], ROOT)
    (wheel,) = folder.glob("*.whl")
    return wheel


def installations(wheel: Path) -> dict[str, list[list[str]]]:
    """Returns the environments to try: for each, the arguments of one `pip install` after another."""
    lowest = [oldest(item) for item in requirements()]
    return {
        "newest": [[str(wheel), *TOOLS]],
        "oldest": [[str(wheel), *lowest, *TOOLS]],
        # Nobody has sums of a wheel that was just built, and pip asks for those of all packages or of none.
        "locked": [["--require-hashes", "--requirement", str(LOCK)], ["--no-deps", str(wheel)]],
    }


def try_installed(folder: Path, installs: Sequence[Sequence[str]]) -> None:
    """Installs packages in a fresh environment, and runs the tests there."""
    venv.create(folder / "environment", with_pip=True)
    python = folder / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for arguments in installs:
        _run([*install, *arguments], folder)
    for name in ("tests", "scripts"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\nqt_api = pyside6\n")
    options = ["-q", "--import-mode=importlib", "-n", "auto", "--dist", "worksteal"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"GRADWIRE_INSTALLED": str(folder / "environment"), "QT_QPA_PLATFORM": "offscreen"}
    _run([str(python), "-m", "pytest", *options, *TRIED], folder, environment)


def _run(command: Sequence[str], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=folder, env=environment, check=False)
    if done.returncode:
        sys.exit(f"This failed with {done.returncode}: {' '.join(command)}")


def main() -> None:
    """Tries the wheel in each of the environments."""
    with tempfile.TemporaryDirectory(prefix="gradwire-install-") as place:
        folder = Path(place)
        wheel = build_wheel(folder)
        for name, installs in installations(wheel).items():
            print(f"{name}: {'; '.join(' '.join(arguments) for arguments in installs)}", flush=True)
            (folder / name).mkdir()
            try_installed(folder / name, installs)


if __name__ == "__main__":
    main()
