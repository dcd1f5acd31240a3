"""The sentence shown if Qt cannot be loaded: it names the missing library and the command that installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from gradwire.app.start import qt_libraries
from gradwire.app.start.qt_libraries import INSTALLERS, ROWS, missing_library_sentence


def missing(library: str) -> ImportError:
    return ImportError(f"{library}: cannot open shared object file: No such file or directory")


def pretend(monkeypatch: pytest.MonkeyPatch, manager: str | None, user: int = 1000, *absent: str) -> None:
    """Simulates a system with one package manager, or none, and some missing libraries."""
    monkeypatch.setattr(shutil, "which", lambda name: f"/{name}" if name == manager else None)
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    monkeypatch.setattr(qt_libraries, "_is_there", lambda library: library not in absent)


PACKAGES = [("apt-get", "libegl1"), ("dnf", "libglvnd-egl"), ("zypper", "Mesa-libEGL1"), ("pacman", "libglvnd")]


@pytest.mark.parametrize(("manager", "package"), PACKAGES)
def test_the_library_and_the_command_are_named(monkeypatch: pytest.MonkeyPatch, manager: str, package: str) -> None:
    pretend(monkeypatch, manager)
    assert missing_library_sentence(missing("libEGL.so.1")) == (
        "Qt needs the system library libEGL.so.1, which is missing. "
        f"Install it with: sudo {INSTALLERS[manager]} {package}"
    )


def test_root_needs_no_sudo(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "apt-get", 0)
    assert missing_library_sentence(missing("libGL.so.1")).endswith("Install it with: apt-get install --yes libgl1")


def test_one_command_installs_all_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, "pacman", 0, "libEGL.so.1", "libGL.so.1", "libxcb-icccm.so.4")
    assert missing_library_sentence(missing("libGL.so.1")).endswith("--noconfirm libglvnd xcb-util-wm")


@pytest.mark.parametrize(("manager", "library"), [(None, "libEGL.so.1"), ("apt-get", "libodd.so.7")])
def test_what_no_package_is_known_for_is_named(monkeypatch: pytest.MonkeyPatch, manager: str, library: str) -> None:
    pretend(monkeypatch, manager)
    assert missing_library_sentence(missing(library)) == (
        f"Qt needs the system library {library}, which is missing; install the package that holds it."
    )


def test_another_fault_is_told_as_it_is() -> None:
    assert missing_library_sentence(ImportError("No module named 'PySide6'")) == (
        "Qt cannot be loaded: No module named 'PySide6'."
    )


def test_every_library_has_a_package_for_every_installer() -> None:
    assert len({row.library for row in ROWS}) == len(ROWS)
    assert all(len(row.packages) == len(INSTALLERS) for row in ROWS)


def test_asking_loads_no_qt() -> None:
    script = (
        "import sys, gradwire.app.start.qt_libraries; sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
