"""A copy of the checkout without anything compiled, for tests of other builds."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from hatch_build import compiled, link_parts

ROOT = Path(__file__).resolve().parents[1]


def copy_checkout(folder: Path) -> None:
    """Fills the folder anew with the files of the checkout as they are now, and lays the links of parts."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    link_parts(folder)


def compile_copy(folder: Path, sanitizers: Sequence[str] = ()) -> Path:
    """Compiles the interpreter in a copy, with the flags of sanitizers; returns the module."""
    before = Path.cwd()
    os.chdir(folder)  # setuptools finds sources from here
    try:
        return compiled(folder, sanitizers)
    finally:
        os.chdir(before)
