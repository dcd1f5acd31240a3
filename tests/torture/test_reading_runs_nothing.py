"""Audit events while files are read, evaluated and shown, recorded by Python in a fresh process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.app.base.examples import example_names, example_path
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page
from tests.torture.support.counts import count
from tests.torture.support.documents import everything, records, wires
from tests.torture.support.mutations import mutated
from tests.torture.test_names import hostile_graphs

ROOT = Path(__file__).parents[2]
# Modules that evaluation may import besides SciPy. A user would have to enable a plug-in; a file cannot.
MAY_IMPORT = {"scipy", "numpy", *sys.stdlib_module_names}
FORBIDDEN = ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.startfile", "socket.")
FORBIDDEN += ("shutil.", "pickle.", "urllib.", "ctypes.dlopen", "code.__new__", "cpython.run_", "builtins.input")
CODE = (
    "__import__('os').system('touch pwned')",
    "os.system",
    "subprocess.Popen",
    "antigravity",
    "this",
    "../../etc/passwd",
)

Event = list[str]


def hostile() -> Graph:
    """Returns a graph whose every text is code, a module, a path or markup that loads something."""
    texts = [
        *CODE,
        "file:///etc/passwd",
        '<img src="file:///etc/passwd">',
        "<script>alert(1)</script>",
        "{0.__class__}",
    ]
    found = [Block(f"b{number}", text, text, parameters={text: text}) for number, text in enumerate(texts)]
    found += [Block("x", "Input", parameters={"value": np.array([0.5, 1.5])}), Block("loss", "Loss")]
    found += [
        Block("use", "Page", parameters={"page": "../inner"}),
        Block("cast", "Cast", parameters={"dtype": "os.system"}),
    ]
    found += [Block("sum", "Einsum", parameters={"equation": CODE[0]})]
    main = Page(
        "main",
        {block.id: block for block in found},
        wires("x.y > loss.x", "b0.y > sum.inputs_0", "x.y > cast.x"),
        frames=(Frame("frame", texts[-3]),),
        notes=tuple(Note(f"n{number}", text) for number, text in enumerate(texts)),
        extra={"__import__": "os"},
    )
    checks = tuple({"title": text, "at": text, "status": text} for text in texts)
    return Graph((main,), checks=checks, extra={"plugins": ["evil"], "run": CODE[0]})


def special() -> Graph:
    """Returns a graph with a block of every type on a scalar, including those that need SciPy."""
    found = {"x": Block("x", "Input", parameters={"value": np.array(0.5)})}
    ends = []
    for block_type in library:
        if [port.name for port in block_type.inputs] == ["x"] and block_type.name != "PageOutput":
            found[f"of_{block_type.name}"] = Block(f"of_{block_type.name}", block_type.name)
            ends.append(f"x.y > of_{block_type.name}.x")
    return Graph((Page("main", found, wires(*ends)),))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Examples of the gallery, and files that try to get something executed."""
    folder, random = tmp_path_factory.mktemp("hostile"), Random(5)
    contents = [dumps(graph).encode() for graph in (hostile(), everything(), special(), *hostile_graphs())]
    contents += [
        b"import os\nos.system('touch pwned')\n",
        b"\x80\x04cposix\nsystem\n(S'touch pwned'\ntR.",
        b"PK\3\4",
        b"",
    ]
    contents += [mutated(random.choice(records()), random) for _ in range(count(20, 1_000))]
    for number, content in enumerate(contents):
        (folder / f"{number}.graph").write_bytes(content)
    return [*map(str, map(example_path, example_names())), *map(str, sorted(folder.iterdir()))]


def audited(what: str, files: list[str], home: Path) -> dict[str, list[Event]]:
    """Returns the audit events for each file, recorded by a separate process."""
    environment = os.environ | {"HOME": str(home), "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"}
    for name in [name for name in environment if name.startswith(("XDG_", "COV"))]:
        del environment[name]
    command = [sys.executable, "-m", "tests.torture.support.audited", what, *files]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[Event]] = json.loads(done.stdout.splitlines()[-1])
    assert list(found) == files
    return found


def is_inside(path: str, *folders: str | Path) -> bool:
    return any(Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)) for folder in folders)


def check_events(events: list[Event], *folders: str | Path) -> None:
    """Checks that files started and connected nothing, imported only libraries, and opened only allowed files."""
    python = (sys.prefix, sys.base_prefix, sysconfig.get_paths()["stdlib"])
    # A Data block reads the sets that come with the program; before large tensors are kept, memory is looked at.
    folders = (*folders, ROOT / "assets" / "data", "/proc/meminfo")
    for event, *arguments in events:
        assert not event.startswith(FORBIDDEN), (event, arguments)
        if event == "import":
            assert arguments[0].partition(".")[0] in MAY_IMPORT, arguments
        elif event in ("open", "exec", "compile") and arguments[0].startswith(("/", ".")):
            assert is_inside(arguments[0], *python, *folders), (event, arguments)


@pytest.mark.long
def test_reading_opens_the_file_and_does_nothing_else(files, tmp_path):
    for file, events in audited("read", files, tmp_path).items():
        assert [event[:3] for event in events] == [["file", "open", file]]


@pytest.mark.long
def test_reading_imports_families_of_blocks_at_most(files, tmp_path):
    found = audited("first", files, tmp_path)
    imported = {event[2] for events in found.values() for event in events if event[1] == "import"}
    families = {name for name in imported if name.startswith("gradwire.blocks.")}
    assert "gradwire.blocks.softmax" in families
    assert all(name.startswith("gradwire.") or name.partition(".")[0] in MAY_IMPORT for name in imported)
    for events in found.values():
        check_events([event[1:] for event in events if event[1] != "import"], ROOT, Path(files[-1]).parent)
        assert not [event for event in events if event[1].startswith(("os.", "shutil.")) and event[1] != "os.listdir"]


@pytest.mark.long
def test_evaluating_imports_scipy_at_most(files, tmp_path):
    found = audited("evaluate", files[:: count(3, 1)], tmp_path)
    for events in found.values():
        check_events(events)
        assert not [event for event in events if event[0].startswith(("os.", "shutil.")) and event[0] != "os.listdir"]
    assert not (ROOT / "pwned").exists()


@pytest.mark.long
def test_showing_reads_nothing_beyond_the_program_and_its_state(files, tmp_path):
    for file, events in audited("show", files[-count(5, 200) :], tmp_path).items():
        check_events(events, ROOT, tmp_path, file)
    assert not (ROOT / "pwned").exists()
