"""Starters of processes that do something dangerous to a folder and report the outcome."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]


def report_of(command: str, folder: Path, *numbers: int, before: str = "") -> Any:  # Any: what JSON says
    """Returns the report of a command of `savers`; the shell runs `before` in its own namespace."""
    asked = [sys.executable, "-m", "tests.torture.support.savers", command, str(folder), *map(str, numbers)]
    if before:
        apart = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
        asked = [*apart, f'{before} && exec "$@"', "sh", *asked]
    done = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def mounting_fails(folder: Path) -> str:
    """Returns why no disk can be mounted temporarily, "" if it can."""
    asked = ["unshare", "--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "tmpfs", str(folder)]
    try:
        done = subprocess.run(asked, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return done.stderr.strip() if done.returncode else ""
