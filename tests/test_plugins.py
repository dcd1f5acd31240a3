"""Plug-ins, installed as a user installs them: the example package, and a broken one."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.app.programs import Program

ROOT = Path(__file__).parent.parent
Run = Callable[..., subprocess.CompletedProcess[str]]
# The command, which finds packages where PYTHONPATH says; a fork has imported the blocks without those of plug-ins.
COMMAND = """
import os, sys
sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
if "gradwire.blocks" in sys.modules:
    from gradwire.blocks import library, load_plugins
    load_plugins(library)
from gradwire.app.__main__ import main
sys.exit(main())
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the installed example package."""
    folder = tmp_path_factory.mktemp("packages")
    command = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--quiet"]
    subprocess.run([*command, "--target", str(folder), str(ROOT / "examples" / "plugin")], check=True)
    return folder


@pytest.fixture
def variables(packages: Path, tmp_path: Path) -> dict[str, str]:
    """Variables of the environment: with that package installed, and settings of its own."""
    settings = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "APPDATA": str(tmp_path / "config")}
    return {**settings, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])}


@pytest.fixture
def started(variables: dict[str, str]) -> Run:
    """Runner of the command as it starts, which loads plug-ins while it imports the blocks."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command, environment = [sys.executable, "-m", "gradwire", *arguments], {**os.environ, **variables}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)

    return run


@pytest.fixture
def gradwire(variables: dict[str, str], tmp_path: Path) -> Run:
    """Runner of the command in a fork that has imported the blocks."""

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        program = Program(COMMAND, tmp_path, *arguments, variables=variables)
        code = program.wait(60)
        return subprocess.CompletedProcess(arguments, code, program.output, program.errors)

    return run


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    value = {"dtype": "float64", "shape": [3], "data": [-3, 0.5, 2]}
    blocks = [
        {"id": "loss", "type": "Loss"},
        {"id": "shrunk", "type": "shrinkage.SoftThreshold", "parameters": {"threshold": 1.5}},
        {"id": "x", "type": "Input", "parameters": {"value": value}},
    ]
    return saved(tmp_path / "shrunk.graph", blocks, [["shrunk.y", "loss.x"], ["x.y", "shrunk.x"]])


def saved(path: Path, blocks: list[dict[str, Any]], wires: list[list[str]]) -> Path:
    page = {"name": "main", "blocks": blocks, "wires": wires, "frames": [], "notes": []}
    whole = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    path.write_text(json.dumps({**whole, "pages": [page]}))
    return path


@pytest.mark.long
def test_an_installed_plug_in_is_listed_with_its_origin_and_not_loaded(gradwire: Run) -> None:
    listed = gradwire("plugins")
    assert "shrinkage" in listed.stdout
    assert "gradwire-shrinkage 1.0" in listed.stdout
    assert "disabled" in listed.stdout
    assert "shrinkage" not in gradwire("blocks").stdout


def test_a_file_cannot_load_a_plug_in(gradwire: Run, graph: Path) -> None:
    ran = gradwire("run", str(graph))
    assert ran.returncode == 1
    assert 'There is no block type "shrinkage.SoftThreshold"' in ran.stderr


def test_enabled_blocks_compute_differentiate_and_can_be_exported(gradwire: Run, graph: Path, tmp_path: Path) -> None:
    assert gradwire("plugins", "--enable", "shrinkage").returncode == 0
    assert "shrinkage.PairwiseSquaredDistance" in gradwire("plugins").stdout
    ports = json.loads(gradwire("run", "--json", str(graph)).stdout)["ports"]
    assert ports["main/shrunk.y"]["value"]["data"] == [-1.5, 0, 0.5]
    assert ports["main/x.y"]["gradient"]["data"] == [1, 0, 1]
    assert gradwire("check", str(graph)).returncode == 0
    program = tmp_path / "program.py"
    assert gradwire("export", str(graph), "--to", "numpy", "-o", str(program)).returncode == 0
    printed = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True).stdout
    assert printed.rstrip().endswith("largest deviation from the numbers of Gradwire: 0")
    lines = gradwire("export", str(graph), "--to", "cupy").stdout
    assert "x = cp.asarray(np.array([-3.0, 0.5, 2.0]))" in lines and "cp.sign(x) * cp.maximum(cp.abs(x)" in lines
    assert "CuPy (unverified)  cp.exp(x)" in gradwire("blocks", "Exp").stdout


def test_a_disabled_plug_in_is_loaded_no_more(gradwire: Run, graph: Path) -> None:
    gradwire("plugins", "--enable", "shrinkage")
    gradwire("plugins", "--disable", "shrinkage")
    assert gradwire("run", str(graph)).returncode == 1


def test_a_plug_in_that_is_not_there_cannot_be_enabled(gradwire: Run) -> None:
    refused = gradwire("plugins", "--enable", "nonsense")
    assert refused.returncode == 2
    assert 'there is no plug-in "nonsense"; there are: shrinkage' in refused.stderr


def test_the_gradient_of_the_second_block_equals_central_differences(gradwire: Run, tmp_path: Path) -> None:
    gradwire("plugins", "--enable", "shrinkage")
    points = [{"dtype": "float64", "shape": [2, 2], "data": data} for data in ([0, 1, 2, -1], [0.5, 0.25, -2, 3])]
    blocks = [
        {"id": name, "type": "Input", "parameters": {"value": value}} for name, value in zip("ab", points, strict=True)
    ]
    blocks += [{"id": "far", "type": "shrinkage.PairwiseSquaredDistance"}, {"id": "loss", "type": "Loss"}]
    wires = [["far.y", "loss.x"], ["a.y", "far.a"], ["b.y", "far.b"]]
    checked = gradwire("check", str(saved(tmp_path / "far.graph", blocks, wires)))
    assert checked.returncode == 0, checked.stderr
    assert "12 of 12 gradient elements" in checked.stdout


FAULTY = '''
from typing import Annotated
from gradwire.api import Kind, block, same_shape

def infer(x):
    return x.shape[x.missing]

@block("Arithmetic", infer=infer)
def Shapeless(x):
    """The tensor itself."""
    return x

@block("Arithmetic")
def Ruled(x):
    """The tensor itself."""
    return x

@Ruled.gradient
def ruled_gradient(g, x, y):
    return [g][1]

@block("Arithmetic")
def Sized(x, *, size: Annotated[int, Kind("integer", lambda value: 1 // value)] = 1):
    """The tensor itself."""
    return x

@block("Arithmetic")
def Leaving(x):
    """The tensor itself."""
    print("printed")
    raise SystemExit(3)

class Odd(BaseException):
    pass

@block("Arithmetic")
def OwnKind(x):
    """The tensor itself."""
    raise Odd

'''
GOOD = '''
from gradwire.api import block

@block("Arithmetic")
def Same(x):
    """The tensor itself."""
    return x
'''
SPELLED = '''
from gradwire.api import Spelling, block

def line(x):
    return {}[x]

@block("Arithmetic", spelling=Spelling(torch=line, jax="{x} +"))
def Odd(x):
    """The tensor itself."""
    return x
'''


Install = Callable[[str, str], Path]


@pytest.fixture
def install(packages: Path) -> Iterator[Install]:
    """Installer of a plug-in with a name and source; it returns the plug-in's file."""
    made: list[Path] = []

    def add(name: str, source: str) -> Path:
        folder, module = packages / f"{name}-1.0.dist-info", packages / f"gradwire_{name}.py"
        made.extend([folder, module])
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: gradwire-{name}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[gradwire.blocks]\n{name} = gradwire_{name}\n")
        module.write_text(source)
        return module

    yield add
    for path in made:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


@pytest.fixture
def enabled(tmp_path: Path) -> Path:
    """Empty list of the enabled plug-ins, written by hand, so that no trial runs."""
    folder = tmp_path / "config" / "gradwire"
    folder.mkdir(parents=True)
    return folder / "plugins.txt"


def test_faulty_code_of_a_plug_in_is_told_on_its_blocks_the_rest_is_computed_and_it_is_disabled(
    gradwire: Run, install: Install, enabled: Path, tmp_path: Path
) -> None:
    install("faulty", FAULTY)
    enabled.write_text("faulty\n")
    types = {"ruled": "faulty.Ruled", "shape": "faulty.Shapeless", "sized": "faulty.Sized", "square": "Square"}
    types |= {"left": "faulty.Leaving", "own": "faulty.OwnKind"}
    blocks: list[dict[str, Any]] = [{"id": name, "type": kind} for name, kind in types.items()]
    blocks[2]["parameters"] = {"size": 0}
    value = {"dtype": "float64", "shape": [], "data": [3]}
    blocks += [{"id": "x", "type": "Input", "parameters": {"value": value}}, {"id": "far", "type": "Loss"}]
    blocks += [{"id": "near", "type": "Loss"}]
    wires = [["x.y", f"{name}.x"] for name in types] + [["square.y", "near.x"], ["ruled.y", "far.x"]]
    file = saved(tmp_path / "faulty.graph", blocks, wires)
    ran = gradwire("run", "--json", str(file))
    found = json.loads(ran.stdout)
    told = {problem["at"]: problem["message"] for problem in found["problems"] if problem["severity"] == "error"}
    lines = {"ruled": "return [g][1]", "shape": "return x.shape[x.missing]", "sized": "def Sized(x, *, size"}
    lines |= {"left": "raise SystemExit(3)", "own": "raise Odd"}
    assert told.keys() == {f"main/{name}" for name in lines}
    for name, line in lines.items():
        where = "a mistake in the plug-in faulty: gradwire_faulty.py, line "
        assert where in told[f"main/{name}"] and line in told[f"main/{name}"]
    (wire,) = [wire for wire in found["wires"] if wire["to"] == "main/square.x"]
    assert wire["gradient"]["data"] == [6]
    assert ran.returncode == 1
    # Its output is no part of the results, and one line reports its failure.
    told_last = [line for line in ran.stderr.splitlines() if "gradwire" in line]
    assert "printed" in ran.stderr and len(told_last) == 1
    assert told_last[0].startswith("gradwire: the plug-in faulty is disabled: its block main/")
    assert told_last[0].endswith("Once it is mended: gradwire plugins --enable faulty")
    assert enabled.read_text() == ""
    again = gradwire("run", str(file))
    assert again.returncode == 1
    assert "The plug-in faulty is disabled; the block is kept as it is. The reason: its block main/" in again.stderr


def test_a_line_of_source_that_fails_is_told_and_disables_its_plug_in(
    gradwire: Run, install: Install, enabled: Path, tmp_path: Path
) -> None:
    install("spelled", SPELLED)
    value = {"dtype": "float64", "shape": [], "data": [3]}
    blocks: list[dict[str, Any]] = [{"id": "x", "type": "Input", "parameters": {"value": value}}]
    blocks += [{"id": "odd", "type": "spelled.Odd"}, {"id": "loss", "type": "Loss"}]
    file = saved(tmp_path / "odd.graph", blocks, [["x.y", "odd.x"], ["odd.y", "loss.x"]])
    for framework, place in (("torch", "gradwire_spelled.py, line 5: return {}[x]"), ("jax", "the log names it")):
        enabled.write_text("spelled\n")
        ran = gradwire("export", str(file), "--to", framework)
        assert ran.returncode == 1 and ran.stdout == ""
        first, second = ran.stderr.splitlines()
        assert f"main/odd: Its line cannot be written, which is a mistake in the plug-in spelled: {place}" in first
        assert second.startswith("gradwire: the plug-in spelled is disabled: ")
        assert enabled.read_text() == ""


def test_a_disabled_plug_in_stays_so_until_it_is_enabled_by_hand_and_passes_the_trial(
    gradwire: Run, install: Install, enabled: Path, graph: Path
) -> None:
    module = install("failing", "raise RuntimeError('out of\\norder')")
    refused = gradwire("plugins", "--enable", "failing")
    assert refused.returncode == 1
    assert refused.stderr == (
        "gradwire: the plug-in failing is disabled: "
        "gradwire_failing.py, line 1: raise RuntimeError('out of\\norder'). "
        "Once it is mended: gradwire plugins --enable failing\n"
    )
    assert enabled.read_text() == ""
    assert "disabled: gradwire_failing.py, line 1: raise" in gradwire("plugins").stdout
    module.write_text(GOOD)
    assert "failing" not in gradwire("blocks").stdout
    assert (gradwire("plugins", "--enable", "failing").returncode, enabled.read_text()) == (0, "failing\n")
    assert "failing.Same" in gradwire("blocks").stdout
    assert gradwire("plugins").returncode == 0


def test_a_plug_in_made_for_another_version_of_the_api_is_refused_with_both_versions(
    gradwire: Run, install: Install, enabled: Path
) -> None:
    install("newer", f"GRADWIRE_API = 2\n{GOOD}")
    refused = gradwire("plugins", "--enable", "newer")
    assert refused.returncode == 1
    assert "made for version 2 of gradwire.api, and this Gradwire has version 1" in refused.stderr
    assert enabled.read_text() == ""


def test_the_example_imports_nothing_of_gradwire_but_its_api() -> None:
    tree = ast.parse((ROOT / "examples/plugin/gradwire_shrinkage/__init__.py").read_text())
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"__future__", "typing", "gradwire.api"}


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("from engine.block_type import block, same_shape", "from gradwire.api import block, same_shape"),
        ("from engine.errors import ShapeError", "from gradwire.api import ShapeError"),
        ("from lint.linter import Rule", "from gradwire.api import Rule"),
        ("import engine.spelling", "from gradwire.api import ..."),
    ],
)
def test_a_plug_in_with_imports_of_before_is_refused_with_the_line_to_write(
    gradwire: Run, install: Install, enabled: Path, line: str, instead: str
) -> None:
    install("older", f"{line}\n{GOOD}")
    refused = gradwire("plugins", "--enable", "older")
    assert refused.returncode == 1
    assert f"write: {instead}" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_nothing_that_a_plug_in_does_while_it_is_tried_reaches_the_program(
    gradwire: Run, install: Install, enabled: Path
) -> None:
    for name, source in {"ender": "import os; os._exit(7)", "crasher": "import ctypes; ctypes.string_at(0)"}.items():
        install(name, source)
        refused = gradwire("plugins", "--enable", name)
        assert refused.returncode == 1
        assert f"the plug-in {name} is disabled: it ended the process that imported it" in refused.stderr
        assert refused.stderr.count("\n") == 1


@pytest.mark.long
def test_a_plug_in_that_ends_the_program_is_disabled_at_the_next_start_and_named(
    started: Run, install: Install, enabled: Path
) -> None:
    install("ender", "import os\nos._exit(7)\n")
    enabled.write_text("ender\n")
    assert started("blocks", "Exp").returncode == 7
    again = started("blocks", "Exp")
    assert again.returncode == 0
    assert again.stderr == (
        "gradwire: the plug-in ender is disabled: it ended the program, or held it up, while it was imported. "
        "Once it is mended: gradwire plugins --enable ender\n"
    )
    after = started("blocks", "Exp")
    assert (after.returncode, after.stderr) == (0, "")
    assert "disabled: it ended the program" in started("plugins").stdout


@pytest.mark.long
def test_a_plug_in_that_hangs_is_disabled_after_the_program_was_killed(
    started: Run, variables: dict[str, str], install: Install, enabled: Path, tmp_path: Path
) -> None:
    there = tmp_path / "it hangs"
    install("hanger", f"import pathlib, time\npathlib.Path({str(there)!r}).touch()\ntime.sleep(60)\n")
    enabled.write_text("hanger\n")
    command = [sys.executable, "-m", "gradwire", "blocks", "Exp"]
    with subprocess.Popen(command, cwd=ROOT, env={**os.environ, **variables}) as hanging:
        while not there.exists():
            assert hanging.poll() is None
        hanging.kill()
    assert "the plug-in hanger is disabled" in started("blocks", "Exp").stderr


FAILING = (
    "raise SystemExit(3)",
    "raise BaseException('all')",
    "import nowhere_to_be_found",
    "def f(:",
    "x = 1",
    "from gradwire.api import block\nfor _ in range(2):\n @block('T')\n def A(x): return x\n globals()[_] = A",
    "from gradwire.api import block\n@block('T', outputs=('a b',))\ndef A(x): return x",
    "from gradwire.api import block\n@block(7)\ndef A(x): return x",
)


@pytest.mark.long
def test_each_plug_in_that_fails_while_it_is_imported_is_named_once_and_disabled_and_the_program_starts(
    started: Run, install: Install, enabled: Path
) -> None:
    for number, source in enumerate(FAILING):
        install(f"failing{number}", f"print('imported {number}')\n{source}")
    enabled.write_text("".join(f"failing{number}\n" for number in range(len(FAILING))))
    ran = started("blocks", "Exp")
    assert ran.returncode == 0
    assert "imported" not in ran.stdout
    lines = ran.stderr.splitlines()
    # Source that cannot be read prints nothing.
    printed = [f"imported {number}" for number, source in enumerate(FAILING) if "f(:" not in source]
    assert [line for line in lines if line.startswith("imported")] == printed
    told = [line.partition(" is disabled: ")[0] for line in lines if not line.startswith("imported")]
    assert told == [f"gradwire: the plug-in failing{number}" for number in range(len(FAILING))]
    assert enabled.read_text() == ""
    after = started("blocks", "Exp")
    assert (after.returncode, after.stderr) == (0, "")


@pytest.mark.long
def test_an_installed_plug_in_is_listed_with_the_place_of_its_module_and_never_imported(
    started: Run, install: Install, packages: Path, graph: Path
) -> None:
    install("quiet", "raise SystemExit('imported')")
    listed = started("plugins")
    assert str(packages / "gradwire_quiet") in listed.stdout
    for arguments in (("blocks", "Exp"), ("run", str(graph)), ("--version",)):
        assert "imported" not in (ran := started(*arguments)).stderr + ran.stdout


@pytest.mark.long
def test_the_version_names_the_plug_ins_that_are_loaded(started: Run) -> None:
    assert "plug-ins" not in started("--version").stdout
    started("plugins", "--enable", "shrinkage")
    assert "plug-ins: shrinkage (gradwire-shrinkage 1.0)" in " ".join(started("--version").stdout.split())


def test_a_block_of_a_plug_in_that_is_not_loaded_says_so(started: Run, graph: Path) -> None:
    assert "The plug-in shrinkage is not loaded: it is not installed or not enabled." in (
        started("run", str(graph)).stderr
    )
