"""Fresh environments for trials of an installation: their Python, their packages, and the tests that run there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
TOOLS = ("pytest", "pytest-qt", "pytest-xdist", "hypothesis")
# The installed program by itself: it computes, draws and opens its window.
SMOKE = ("tests/install",)
# Laws and recorded results that need nothing of the checkout but the tests themselves.
ALL = (
    *SMOKE,
    "tests/blocks/contract/test_golden_cases.py",
    "tests/test_golden_graphs.py",
    "tests/test_gallery.py",
    "tests/test_gradwire.py",
    "tests/blocks/contract/test_help_of_every_block.py",
    "tests/app/canvas/painting/test_base_layer.py",
    "tests/app/gestures/test_gestures_wires.py",
)
_PROGRAMS = "Scripts" if os.name == "nt" else "bin"
_WHERE = "import sys; print('%d.%d' % sys.version_info[:2], sys.executable)"


class Failed(Exception):
    """A command that a trial needs has failed, or a trial found what should not be; its text says which."""


def requirements() -> list[str]:
    """Returns the packages that the program needs, with their bounds."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found: list[str] = tomllib.loads(text)["project"]["dependencies"]
    return found


def run(command: Sequence[str | Path], folder: Path, settings: Mapping[str, str] | None = None) -> str:
    """Runs a command in a folder, without the modules of this checkout; returns all that it says.

    Raises: Failed if its exit code is not 0.
    """
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    environment |= {"QT_QPA_PLATFORM": "offscreen", **(settings or {})}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command))}\nended with {done.returncode}: {done.stdout[-4000:]}")
    return done.stdout


def tool(name: str) -> Path:
    """Returns the path of a program of the environment that this module runs in."""
    return Path(sys.executable).with_name(name + (".exe" if os.name == "nt" else ""))


def python_of(version: str) -> Path | None:
    """Returns a Python of this machine that has a version such as "3.12", None if there is none."""
    asked = [tool("uv"), "python", "find", "--no-python-downloads", "--no-project", version]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    installed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    candidates = [done.stdout.strip(), *map(str, sorted(installed.glob(f"{version}.*/bin/python")))]
    return next((Path(found) for found in candidates if found and _version(found) == version), None)


def _version(python: str) -> str:
    done = subprocess.run([python, "-c", _WHERE], capture_output=True, text=True, check=False)
    return done.stdout.partition(" ")[0]


class Environment:
    """A fresh environment in a folder, of this Python unless another one is given; it has pip and nothing else."""

    def __init__(self, folder: Path, python: Path | None = None) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.place = folder, folder / "environment"
        self.programs = self.place / _PROGRAMS
        self.python = self.programs / ("python.exe" if os.name == "nt" else "python")
        run([tool("uv"), "venv", "--quiet", "--seed", "--python", python or sys.executable, self.place], folder)

    def install(self, *arguments: str | Path) -> None:
        """Installs packages, with the arguments of `uv pip install`."""
        run([tool("uv"), "pip", "install", "--quiet", "--python", self.python, *arguments], self.folder)

    def pip(self, *arguments: str | Path, settings: Mapping[str, str] | None = None) -> str:
        """Runs pip, as most users do, and returns what it says."""
        return run([self.python, "-m", "pip", "--disable-pip-version-check", *arguments], self.folder, settings)

    def gradwire(self, *arguments: str | Path) -> str:
        """Runs the installed command in a folder that has none of our files."""
        return run([self.programs / "gradwire", *arguments], self.folder)

    def expect_lowest(self) -> None:
        """Checks that each package of the program has the version of its lower bound.

        Raises: Failed if one has another.
        """
        listed = json.loads(
            run([tool("uv"), "pip", "list", "--quiet", "--format", "json", "--python", self.python], self.folder)
        )
        installed = {item["name"]: Version(item["version"]) for item in listed}
        for item in map(Requirement, requirements()):
            lowest = next(Version(bound.version) for bound in item.specifier if bound.operator == ">=")
            if installed[item.name.lower()] != lowest:
                raise Failed(f"{item.name} is {installed[item.name.lower()]} instead of {lowest}.")

    def versions(self) -> str:
        """Returns the versions that matter most to an installation."""
        code = (
            "import platform, numpy, PySide6; print(platform.python_version(), numpy.__version__, PySide6.__version__)"
        )
        return "Python {}, NumPy {}, PySide6 {}".format(*run([self.python, "-c", code], self.folder).split())

    def test(self, paths: Sequence[str] = SMOKE, is_compiled: bool = True) -> None:
        """Runs tests of the checkout with the installed program, from another folder."""
        self.install(*TOOLS)
        for name in ("tests", "scripts"):
            shutil.copytree(ROOT / name, self.folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "pytest.ini").write_text("[pytest]\npythonpath = .\nqt_api = pyside6\n")
        options = ["-q", "--import-mode=importlib", "-n", "auto", "--dist", "worksteal"]
        settings = {"GRADWIRE_INSTALLED": str(self.place), "GRADWIRE_EXPECTED": "compiled" if is_compiled else "NumPy"}
        run([self.python, "-m", "pytest", *options, *paths], self.folder, settings)
