"""Installing where nothing can be compiled: the program is complete, and computes the same numbers with NumPy."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hatch_build import compiled_or_none
from tests.packaging.building import ROOT, Environment, add_module, built, copied, module

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="on Windows no PATH leads to the compiler")

EXAMPLES = [str(ROOT / "assets" / "examples" / f"{name}.graph") for name in ("softmax_stable", "cnn_micro", "rnn20")]
SAID = "The compiled interpreter is left out, NumPy computes instead"
# A compiler that has none of Python's headers, as where only the runtime of Python is installed.
WITHOUT_HEADERS = """#!/bin/sh
for argument; do
    shift
    case $argument in -I*) [ -e "${argument#-I}/Python.h" ] && continue ;; esac
    set -- "$@" "$argument"
done
exec %s "$@"
"""


def no_compiler(folder: Path) -> dict[str, str]:
    """Returns an environment whose PATH leads to no program at all."""
    (folder / "empty").mkdir()
    return {"PATH": str(folder / "empty"), "CC": "cc"}


def no_headers(folder: Path) -> dict[str, str]:
    """Returns an environment with a real compiler that finds no header of Python."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("there is no compiler")
    fake = folder / "cc"
    fake.write_text(WITHOUT_HEADERS % shlex.quote(compiler))
    fake.chmod(0o755)
    return {"CC": str(fake)}


@pytest.mark.long
@pytest.mark.parametrize("lack", [no_compiler, no_headers])
def test_a_wheel_is_pure_where_nothing_can_be_compiled(tmp_path: Path, lack: Callable[[Path], dict[str, str]]) -> None:
    wheel, said = built(copied(tmp_path / "checkout", is_compiled=False), "wheel", tmp_path / "made", lack(tmp_path))
    assert wheel.name.endswith("-py3-none-any.whl")
    assert SAID in said
    if lack is no_headers:
        assert "Python.h" in said


@pytest.mark.long
@pytest.mark.parametrize("is_editable", [True, False])
def test_an_installation_without_a_compiler_gives_the_same_bits(tmp_path: Path, is_editable: bool) -> None:
    checkout = copied(tmp_path / "checkout", is_compiled=False)
    environment = Environment(tmp_path / "environment")
    arguments = ("--editable", checkout) if is_editable else (checkout,)
    assert SAID in environment.install(*arguments, settings=no_compiler(tmp_path))
    assert (checkout / "gradwire" / "engine" / "graph").is_dir() is is_editable
    assert "executor: NumPy" in environment.run("--version", cwd=tmp_path).stdout
    here = environment.run(Path(sys.executable), "-m", "gradwire", "run", "--json", *EXAMPLES, cwd=ROOT)
    there = environment.run("run", "--json", *EXAMPLES, cwd=tmp_path)
    assert there.stdout == here.stdout
    assert len(there.stdout.splitlines()) == len(EXAMPLES)


@pytest.mark.long
def test_a_module_of_older_sources_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout = copied(tmp_path / "checkout", is_compiled=False)
    old = checkout / "engine" / "executors" / "_arena.abi3.so"
    old.touch()
    os.utime(old, (1e9, 1e9))
    monkeypatch.chdir(checkout)
    for name, value in no_compiler(tmp_path).items():
        monkeypatch.setenv(name, value)
    assert compiled_or_none(checkout) is None
    assert not old.exists()


@pytest.mark.long
def test_a_module_of_these_sources_needs_no_compiler(tmp_path: Path) -> None:
    if module() is None:
        pytest.skip("no compiler was there when the program was installed")
    checkout = copied(tmp_path / "checkout", is_compiled=False)
    add_module(checkout)
    wheel, said = built(checkout, "wheel", tmp_path / "made", no_compiler(tmp_path))
    assert "-cp311-abi3-" in wheel.name
    assert SAID not in said
