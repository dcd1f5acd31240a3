"""Script that makes a repository whose code notes that it ran: `hostile.py FOLDER MARKS`.

Each file of code leaves a file of its name in the folder MARKS. The graphs have names that shells and code hosts could
take for something else. A workflow runs this script too, with Python alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

# Modules that `python -m`, an import of ours or the start of Python would find in the folder.
MODULES = (
    "gradwire/__init__",
    "gradwire/__main__",
    "pip/__init__",
    "pip/__main__",
    "numpy",
    "scipy",
    "argparse",
    "json",
)
MODULES += ("sitecustomize", "usercustomize", "venv/__init__", "venv/__main__", "ensurepip/__init__", "site", "setup")
GRAPHS = ("fine.graph", "$(touch ran).graph", "; touch ran;.graph", "--fail-on=error.graph", "a\n::error::lie.graph")
PROJECT = '[build-system]\nrequires = []\nbuild-backend = "setup"\nbackend-path = ["."]\n'
USER_SITE = f"user/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


def make(folder: Path, marks: Path) -> None:
    """Makes the repository, with all files in git's index."""
    marks.mkdir(parents=True)
    for module in MODULES:
        path = folder / f"{module}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_noting(marks / module.replace("/", ".")))
    (folder / "pyproject.toml").write_text(PROJECT)
    for place in (folder, folder / USER_SITE):
        place.mkdir(parents=True, exist_ok=True)
        (place / "evil.pth").write_text(f"import pathlib; pathlib.Path({str(marks / 'pth')!r}).touch()\n")
    (folder / USER_SITE / "usercustomize.py").write_text(_noting(marks / "usercustomize"))
    for name in GRAPHS:
        (folder / name).write_text(json.dumps(_graph(), indent=1))
    git = shutil.which("git")
    assert git is not None
    subprocess.run([git, "init", "--quiet", str(folder)], check=True)
    subprocess.run([git, "-C", str(folder), "add", "--", *GRAPHS, "pyproject.toml"], check=True)


def _noting(mark: Path) -> str:
    return f"import os\nos.close(os.open({str(mark)!r}, os.O_CREAT | os.O_WRONLY))\n"


def _graph() -> dict[str, object]:
    """Returns a graph with one error, whose type has the form of a workflow command."""
    block = {"id": "x", "type": "Teleport\n::error::lie"}
    head = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    return {**head, "pages": [{"name": "main", "blocks": [block], "wires": []}]}


if __name__ == "__main__":
    make(Path(sys.argv[1]), Path(sys.argv[2]))
