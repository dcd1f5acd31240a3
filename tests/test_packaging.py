"""What `pip install .` gives: every module, the assets and the examples."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_wheel_holds_the_program_its_assets_and_examples(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = [
        *ROOT.glob("engine/*.py"),
        *ROOT.glob("blocks/*.py"),
        *ROOT.glob("lint/*.py"),
        *ROOT.glob("app/**/*.py"),
        ROOT / "gradwire.py",
    ]
    assets = [path for path in ROOT.glob("assets/**/*") if path.is_file()]
    expected = [*sources, *assets]
    assert {path.suffix for path in assets} == {".graph", ".json", ".qss", ".svg", ".otf", ".ttf", ".txt"}
    assert {path.relative_to(ROOT).as_posix() for path in expected} <= names
    assert not [name for name in names if name.startswith(("tests", "benchmarks"))]
