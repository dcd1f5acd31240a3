"""Runs the tests of an installation in a folder of their own, so that Gradwire comes from where it was installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1] / "tests" / "install"


def main() -> int:
    """Copies the tests, runs them there, and returns their exit code."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(TESTS, Path(folder) / "install")
        environment = {**os.environ, "GRADWIRE_INSTALLED": sys.prefix, "QT_QPA_PLATFORM": "offscreen"}
        command = [sys.executable, "-m", "pytest", "--import-mode=importlib", "-q", "install"]
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
