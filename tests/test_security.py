"""What SECURITY.md promises has tests; the first promise is tried here: a file makes the program do nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from app.examples import example_names, example_path
from engine.files import dumps
from tests.torture.counts import count
from tests.torture.test_names import hostile_graphs

ROOT = Path(__file__).parent.parent
# Notes what is opened, imported, compiled and started while files are read and their graphs evaluated. SciPy, which
# blocks import when they need it, is there before.
WATCHING = """
import json, sys
import blocks
import scipy.special
from engine.evaluate import evaluate
from engine.files import load

WATCHED = ("import", "open", "exec", "compile", "os.", "socket.", "subprocess.", "ctypes.", "shutil.", "urllib.")
seen, is_watching = [], False

def hook(event, arguments):
    if is_watching and event.startswith(WATCHED):
        seen.append((event, str(arguments[0]) if arguments else ""))

sys.addaudithook(hook)
for path in sys.argv[1:]:
    is_watching = True
    evaluate(load(path).graph)
    is_watching = False
print(json.dumps(seen))
"""


def watched(paths: list[Path]) -> list[tuple[str, str]]:
    """What happens while graphs are read and evaluated, as pairs of an event and what it is about."""
    command = [sys.executable, "-c", WATCHING, *map(str, paths)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=600)
    return [(event, about) for event, about in json.loads(ran.stdout)]


def test_reading_and_evaluating_a_file_opens_it_and_does_nothing_else(tmp_path: Path) -> None:
    paths = [example_path(name) for name in example_names()[:: count(8, 1)]]
    for number, graph in enumerate(hostile_graphs()):
        paths.append(tmp_path / f"{number}.graph")
        paths[-1].write_text(dumps(graph), encoding="utf-8")
    seen = watched(paths)
    assert seen == [("open", str(path)) for path in paths]


def test_a_block_type_that_names_a_module_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "treacherous.py").write_text("raise SystemExit('imported')")
    types = ["treacherous.Block", "os.System", "numpy.load", "../treacherous", "treacherous"]
    blocks = [{"id": f"b{number}", "type": name} for number, name in enumerate(types)]
    page = {"name": "main", "blocks": blocks, "wires": [], "frames": [], "notes": []}
    whole = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    path = tmp_path / "a.graph"
    path.write_text(json.dumps({**whole, "pages": [page]}))
    assert watched([path]) == [("open", str(path))]


def test_every_promise_names_a_test_that_exists() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    promises = text.split("## What is promised")[1].split("\n## ")[0]
    rows = [line for line in promises.split("\n") if line.startswith("| ") and "tests/" in line]
    assert len(rows) == len([line for line in promises.split("\n") if line.startswith("| ")]) - 1
    for name in re.findall(r"`(tests/[^`]+)`", promises):
        assert (ROOT / name).is_file(), name


def test_the_readme_leads_to_it() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
