"""Two hundred failures as users bring them about: no message speaks of the program's inside."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from gradwire.app.base.examples import FOLDER
from gradwire.app.shell.documents.messages import Messages
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits
from tests.app.cli.graphs import called
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain
from tests.interop.onnx import written as onnx
from tests.interop.pt2.recorded import Recorded
from tests.sweeps import long

ROOT = Path(__file__).parents[3]
OWN_FILES = {file.name for room in ("app", "engine", "blocks", "interop") for file in (ROOT / room).rglob("*.py")}
INSIDE = re.compile(
    rf"(?<![\w/])({'|'.join(map(re.escape, sorted(OWN_FILES)))})|"
    r"Traceback|\b[A-Za-z]+Error: |could not be broadcast|<class |0x[0-9a-f]{6}|site-packages"
    r"|NoneType|ndarray|dtype\(|\btuple\b|\bdict\b|object at |Errno|\bcodec\b|gradwire\.(app|engine|blocks|interop)\b"
)
HEAD = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
SOFTMAX = (FOLDER / "softmax_stable.graph").read_bytes()


def zipped() -> bytes:
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w") as archive:
        archive.writestr("a", "b")
    return found.getvalue()


def array(values: Array) -> bytes:
    found = io.BytesIO()
    np.save(found, values)
    return found.getvalue()


def file(**keys: object) -> bytes:
    return json.dumps({**HEAD, "pages": [], **keys}).encode()


def graph(blocks: object, wires: object = ()) -> bytes:
    return file(pages=[{"name": "main", "blocks": blocks, "wires": wires}])


def tensor(value: object) -> bytes:
    """A graph with a value in an Input."""
    return graph([{"id": "x", "type": "Input", "parameters": {"value": value}}, {"id": "e", "type": "Exp"}],
                 [["x.y", "e.x"]])  # fmt: skip


MLP, EXP = Recorded("models").model("mlp"), onnx.graph([onnx.node("Exp", ["x"], ["y"])], [onnx.value("x", [2])], ["y"])
STRANGE = {
    "empty": b"", "blank": b" \n", "zeros": b"\0" * 64, "text": b"hello there", "utf16": "hello".encode("utf-16"),
    "latin": "é".encode("latin1"), "png": b"\x89PNG\r\n\x1a\n" + b"\0" * 40, "jpg": b"\xff\xd8\xff" + b"\1" * 40,
    "pdf": b"%PDF-1.4\n%\xe2", "zip": zipped(), "gzip": gzip.compress(SOFTMAX), "pickle": pickle.dumps({"a": 1}),
    "hdf": b"\x89HDF\r\n\x1a\n" + b"\0" * 40, "npy": array(np.arange(3)), "npy_cut": array(np.arange(300))[:40],
    "onnx_cut": onnx.model(EXP)[:20], "onnx_empty": b"\x08\x07", "pt2_cut": MLP[: len(MLP) // 2], "elf": b"\x7fELF\2",
    "csv": b"a,b\n1,x\n", "html": b"<html><body>", "python": b"import numpy as np\n", "cut": SOFTMAX[:900],
    "tail": SOFTMAX + b"}", "list": b"[1]", "number": b"3", "null": b"null", "object": b"{}", "nan": b'{"a": NaN}',
    "twice": b'{"format": "x", "format": "x"}', "deep": b"[" * 5000, "huge": b'{"a": 1e999}',
    "half": b'{"a": "\\ud800"}',
}  # fmt: skip
MALFORMED = {
    "format": file(format=3), "version": file(version=[2, 0]), "version_text": file(version="1"),
    "version_null": file(version=None), "needs": file(needs=["warp"]), "needs_number": file(needs=3),
    "conventions": file(conventions="tf-9"), "loss": file(loss=3), "loss_gone": file(loss="main/none"),
    "pages": file(pages=3), "page": file(pages=[None]), "page_name": file(pages=[{"name": 3}]),
    "type": graph([{"id": "t", "type": "Teleport"}]), "no_id": graph([{"type": "Exp"}]),
    "id": graph([{"id": 3, "type": "Exp"}]), "id_empty": graph([{"id": "", "type": "Exp"}]),
    "type_number": graph([{"id": "a", "type": 3}]), "block": graph(["a"]), "blocks": graph({}),
    "parameters": graph([{"id": "a", "type": "Exp", "parameters": []}]),
    "parameter": graph([{"id": "a", "type": "Exp", "parameters": {"foo": 3}}]),
    "wire": graph([], [["x.y"]]), "wire_number": graph([], [3, 4]), "wire_gone": graph([], [["a.y", "b.x"]]),
    "wire_end": graph([], [["a", "b"]]), "wires": graph([], {"a": "b"}), "wire_null": graph([], [[None, "a.x"]]),
    "circle": graph([{"id": "a", "type": "Exp"}], [["a.y", "a.x"]]),
}  # fmt: skip
VALUES: tuple[object, ...] = (
    3, "abc", None, {}, True, [[1], [2, 3]], ["a"], [None],
    *({"dtype": "float64", "shape": [1], "data": [1]} | change for change in (
        {"shape": [3]}, {"dtype": "float65"}, {"dtype": "object"}, {"dtype": None}, {"shape": [-1]}, {"shape": "a"},
        {"shape": None}, {"shape": [10**9, 10**9]}, {"data": ["x"]}, {"data": [[1]]}, {"data": {"a": 1}},
        {"data": None},
        {"dtype": "int32", "data": [1.5]}, {"dtype": "int32", "data": [9e99]}, {"dtype": "bool", "data": [2]},
        {"bytes": "!"},
    )),
)  # fmt: skip
SETTINGS: dict[str, Iterable[dict[str, object]]] = {
    "ReduceMax": ({"axis": 7}, {"axis": "a"}, {"axis": [0, 0]}, {"axis": 1.5}, {"axis": {}}, {"keepdims": None}),
    "Reshape": ({"shape": [2, 2]}, {"shape": [-1, -1]}, {"shape": "x"}, {"shape": None}, {"shape": [10**12]}),
    "Transpose": ({"perm": [0, 0]}, {"perm": [5]}, {"perm": "x"}), "Slice": ({"begin": [9], "size": [9]}, {"begin": 1}),
    "Dropout": ({"rate": 2}, {"rate": -1}, {"rate": "a"}, {"seed": "a"}),
    "LeakyRelu": ({"alpha": "x"}, {"alpha": None}),
    "Cast": ({"dtype": "float65"}, {"dtype": None}, {"dtype": 3}), "Tile": ({"multiples": [1, 2]}, {"multiples": [-1]}),
    "Pad": ({"paddings": [[1]]}, {"paddings": "x"}, {"paddings": [[-1, 0]]}), "TopK": ({"k": 9}, {"k": -1}),
    "Squeeze": ({"axis": 0},), "ExpandDims": ({"axis": 9},), "Cumsum": ({"axis": 3},), "Roll": ({"shift": "a"},),
    "Split": ({"num_or_size_splits": 2}, {"num_or_size_splits": [9]}), "Norm": ({"ord": "x"}, {"ord": None}),
    "Sort": ({"axis": 9},), "ArgMax": ({"axis": 9},), "Loss": ({"reduction": "foo"}, {"reduction": 3}),
    "Softmax": ({"axis": 4},),
}  # fmt: skip
FORMULAS = (
    "x +", "softmax(", "softmax(W x + b", "[1,2", "[1,[2,3]]", "1/0", "x =", "= 3", "def f(x):", "lambda x: x",
    "import os", "os.system('a')", "foo(x)", "x[", "x[1:2:3:4]", "x @", "x ** ** 2", "if x: y", "while 1: pass",
    "exec('a')", "'abc", "0x", "1_", "None", "np.zeros(-1)", "np.zeros((10**9, 10**9))", "np.ones('a')",
    "np.array([1], dtype='foo')", "tf.reduce_max(x, axis='a')", "tf.reduce_max()", "np.exp(x, y, z)", "np.exp(x, q=3)",
    "[1,2,3] @ [1,2]", "[1,2,3] + [1,2]", "np.reshape([1,2,3], (2,2))", "np.einsum('ij,jk', [1,2], [3])",
    "nn.Linear('a')", "nn.Linear()", "class A: pass", "def f(x): return f(x)\ny = f(1)", "async def f(): pass",
    "with a: b", "try: a\nexcept: b", "del x", "x, y = 1", "x, y = [1,2,3]", "x := 3", "{1: 2}", "not x", "**x", "x(1)",
    "@foo\ndef g(x): return x", "\\", "∂L/∂x", "x→y", "\0", "return x", "yield x", "b'a'", "x['a']", "x[1.5]",
    "[1,2,3][7]", "torch.tensor([1,[2]])", "torch.tensor('a')", "jax.grad(3)", "x.detach(3)", "np.where(x)",
    "np.transpose([1,2], (0,0))", "np.full((2,), 'a')", "np.linalg.inv([1,2])", "x = 1\n  y = 2", "(" * 300, "[" * 3000,
    "x = " + "-" * 5000 + "1",
)  # fmt: skip
OPTIONS = (
    ("run", "--feed", "main/x=abc"), ("run", "--feed", "x"), ("run", "--feed", "main/q=[1]"), ("run", "--loss", "q"),
    ("run", "--feed", "main/x=[1,[2]]"), ("run", "--ignore-stop=main/q"), ("train", "--steps", "a"),
    ("train", "--steps", "-1"), ("train", "--until", "foo"), ("train", "--set", "main/x=a"),
    ("train", "--threads", "0"),
    ("train", "--resume", "none.npz"), ("train", "--seed", "a"), ("export", "--to", "fortran"),
    ("check", "--silence", "q"),
)  # fmt: skip


def assert_is_outside(said: str) -> None:
    assert INSIDE.search(said) is None, said


def every_file() -> dict[str, bytes]:
    files = {**STRANGE, **MALFORMED, **{f"value_{row}": tensor(value) for row, value in enumerate(VALUES)}}
    x = {"id": "x", "type": "Input", "parameters": {"value": {"dtype": "float64", "shape": [3], "data": [1, 3, 3]}}}
    for kind, settings in SETTINGS.items():
        for row, given in enumerate(settings):
            block = {"id": "a", "type": kind, "parameters": given}
            files[f"{kind}_{row}"] = graph([x, block], [["x.y", "a.x"]])
    return files


@pytest.mark.parametrize("ending", ["graph", "onnx", "pt2"])
def test_no_wrong_file_brings_a_message_of_the_inside(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = every_file() if ending == "graph" else STRANGE
    for name, content in files.items():
        path = tmp_path / f"{name}.{ending}"
        path.write_bytes(content)
        answer = called(capsys, "check" if ending == "graph" else "import", path)
        # What became of it is said, and no line of it is empty.
        assert answer.err or answer.code == 0, name
        assert_is_outside(answer.err + answer.out if ending == "graph" else answer.err)


def test_no_wrong_formula_brings_one(capsys: pytest.CaptureFixture[str]) -> None:
    for text in FORMULAS:
        answer = called(capsys, "code", text)
        assert answer.err if answer.code else answer.out
        assert_is_outside(answer.err)


def test_no_wrong_option_brings_one(capsys: pytest.CaptureFixture[str]) -> None:
    for command, *options in OPTIONS:
        answer = called(capsys, command, *options, FOLDER / "softmax_stable.graph")
        assert answer.code and answer.err, options
        assert_is_outside(answer.err)


@pytest.fixture
def complaints(user: Driver, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What dialogs and the status line say."""
    said = list[str]()
    user.window.parts.document.current.refused.connect(said.append)
    monkeypatch.setattr(Messages, "complain", lambda _, title, sentence, *__: bool(said.append(f"{title} {sentence}")))  # type: ignore[func-returns-value]
    yield said
    user.window.parts.document.current.refused.disconnect(said.append)
    user.session.document.mark_saved()


def test_no_file_that_the_window_opens_brings_one(user: Driver, complaints: list[str], tmp_path: Path) -> None:
    opening = user.window.parts.documents.opening
    for name, content in every_file().items():
        path = tmp_path / f"{name}.graph"
        path.write_bytes(content)
        if not opening.open(path):
            assert complaints, name
        else:
            complaints += [problem.message for problem in user.session.problems]
        user.session.document.mark_saved()
    for said in complaints:
        assert_is_outside(said)


@pytest.mark.parametrize("ending", ["npy", long("csv"), long("npz"), "py", long("txt")])
def test_nothing_that_is_dropped_brings_one(user: Driver, complaints: list[str], tmp_path: Path, ending: str) -> None:
    user.show(chain())
    for name in ("empty", "zeros", "text", "utf16", "png", "zip", "npy_cut", "csv", "python", "deep"):
        path = tmp_path / f"bad_{name}.{ending}"
        path.write_bytes(STRANGE[name])
        user.hand.drop_file(path)
    user.settle()
    complaints += [problem.message for problem in user.session.problems]
    assert complaints
    for said in complaints:
        assert_is_outside(said)


def test_no_wrong_setting_in_the_window_brings_one(user: Driver, complaints: list[str]) -> None:
    user.show(chain())
    for kind, settings in SETTINGS.items():
        for given in settings:
            user.session.apply("Add", edits.add_block, "main", kind, parameters=given)
    assert complaints
    for said in complaints:
        assert_is_outside(said)
