"""Copies of the checkout, builds and environments for the tests of packaging; they need no network."""

from __future__ import annotations

import os
import shutil
import site
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

from hatch_build import PARTS

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "engine" / "executors"
_LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "venv", ".*_cache", ".hypothesis", "__pycache__", "build", "dist")
# More than half of all files; a source archive has them, a wheel does not.
_OF_THE_SOURCE_ARCHIVE = shutil.ignore_patterns("benchmarks", "docs", "tests")


def module() -> Path | None:
    """Returns the compiled module of this checkout; None where there was no compiler."""
    return next((path for path in MODULES.glob("_arena*") if path.suffix in (".so", ".pyd")), None)


def copied(folder: Path, is_compiled: bool, is_whole: bool = False) -> Path:
    """Copies the checkout without its links; a copy that is compiled needs no compiler any more.

    Unless it is whole, it has only what a wheel is built of.
    """

    def ignored(parent: str, names: list[str]) -> set[str]:
        links = {name for name in names if name in PARTS and Path(parent).name == "gradwire"}
        compiled = {name for name in names if Path(name).suffix in (".so", ".pyd")}
        unneeded = set() if is_whole or Path(parent) != ROOT else _OF_THE_SOURCE_ARCHIVE(parent, names)
        return _LEFT_OUT(parent, names) | links | compiled | unneeded

    shutil.copytree(ROOT, folder, ignore=ignored)
    if is_compiled:
        add_module(folder)
    return folder


def add_module(folder: Path) -> None:
    """Puts the compiled module into a copy; its date is newer than those of its sources."""
    found = module()
    if found is not None:
        shutil.copy(found, folder / "engine" / "executors")


def built(folder: Path, target: str, output: Path, settings: Mapping[str, str] | None = None) -> tuple[Path, str]:
    """Builds an `sdist` or a `wheel` from a folder; returns its path and the text on standard error."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(output)]
    done = subprocess.run(
        command, cwd=folder, check=False, capture_output=True, text=True, env={**os.environ, **(settings or {})}
    )
    assert done.returncode == 0, done.stderr
    (made,) = output.glob("*.whl" if target == "wheel" else "*.tar.gz")
    return made, done.stderr


class Environment:
    """A virtual environment that has the dependencies of this one, but not Gradwire."""

    def __init__(self, folder: Path) -> None:
        # Files `*.pth` in the other folders have no effect there, so an editable Gradwire stays unknown.
        venv.create(folder, symlinks=os.name == "posix")
        self.programs = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = self.programs / Path(sys.executable).name
        (packages,) = [folder / "Lib" / "site-packages"] if os.name == "nt" else folder.glob("lib/*/site-packages")
        (packages / "dependencies.pth").write_text("\n".join(site.getsitepackages()), encoding="utf-8")

    def install(self, *arguments: str | Path, settings: Mapping[str, str] | None = None) -> str:
        """Installs packages without their dependencies and returns the text on standard error."""
        # Its dependencies have pip. With `--python` another pip would start it.
        command = [self.python, "-m", "pip", "install", "--no-index", "--no-deps"]
        # Python compiles the modules that it imports; all others would take longer than the tests of an installation.
        command.append("--no-compile")
        done = subprocess.run(
            [*command, "--no-build-isolation", "--verbose", "--disable-pip-version-check", *arguments],
            check=False,
            capture_output=True,
            text=True,
            env={**os.environ, **(settings or {})},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout + done.stderr

    def run(
        self, *arguments: str | Path, cwd: Path, settings: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs `gradwire` of this environment in a folder, or another of its programs if that is named by a path."""
        named = bool(arguments) and isinstance(arguments[0], Path)
        command = [*arguments] if named else [self.programs / "gradwire", *arguments]
        hidden = ("PYTHONPATH", "PYTHONHOME")
        environment = {name: value for name, value in os.environ.items() if name not in hidden}
        return subprocess.run(
            command,
            cwd=cwd,
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
            env={**environment, "QT_QPA_PLATFORM": "offscreen", **(settings or {})},
        )
