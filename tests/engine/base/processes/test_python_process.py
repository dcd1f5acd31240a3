"""Processes of the program find its package first, and all that the program itself can import."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gradwire.engine.base.processes.python_process import ROOT, helper_command, python_command


@pytest.mark.parametrize("safe", ["", "1"])
def test_a_process_searches_the_program_then_the_search_path_and_never_the_users_folder(
    tmp_path: Path, safe: str
) -> None:
    more = tmp_path / "more"
    done = subprocess.run(
        python_command("print(sys.argv[1], *sys.path, sep=chr(10))", "given"),
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(more), "PYTHONSAFEPATH": safe},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[:3] == ["given", str(ROOT), str(more)]
    assert not {"", str(tmp_path)} & set(done.stdout.splitlines())


@pytest.mark.skipif(os.name != "posix", reason="sends signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_a_helper_still_imports_shows_no_traceback(name: str) -> None:
    *program, code, kind, function = helper_command("gradwire.engine.base.processes.blas_threads:use_one_blas_thread")
    struck = code.replace("from gradwire", f"import os; os.kill(os.getpid(), signal.{name}); from gradwire", 1)
    ended = subprocess.run([*program, struck, kind, function], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
