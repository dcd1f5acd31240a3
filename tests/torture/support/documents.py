"""Documents to be damaged: one with everything that a file can hold, and the examples."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from gradwire.app.base.examples import example_path
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, Port, Wire

EXAMPLES = ("attention", "cnn_micro", "em_elbo_nostop", "softmax_stable", "ste")


def wires(*ends: str) -> dict[Port, Wire]:
    """Returns wires written `a.y > b.x`."""
    found = {}
    for text in ends:
        source, target = (Port(*end.split(".")) for end in text.split(" > "))
        found[target] = Wire(source, target)
    return found


def everything() -> Graph:
    """Returns a graph with everything a file can hold: pages in pages, frames, notes, checks, tensors, unknown keys."""
    tensors = {
        "small": np.array([[1.5, -0.0, np.inf], [np.nan, 1e300, 5e-324]]),
        "packed": np.arange(1100.0) % 3,
        "noise": np.random.default_rng(8).bytes(1025),
    }
    tensors["noise"] = np.frombuffer(tensors["noise"], np.uint8)
    found = [
        Block("x", "Input", "label", (0, 0), 160, parameters={"value": tensors["small"], "maximum": 3.0}),
        Block(
            "w", "Variable", at=(0, 100), is_collapsed=True, parameters={"value": np.ones((3, 2)), "trainable": False}
        ),
        Block("packed", "Constant", at=(0, 200), parameters={"value": tensors["packed"]}),
        Block("noise", "Constant", at=(0, 300), parameters={"value": tensors["noise"]}),
        Block("half", "Constant", parameters={"value": np.array([0.1], np.float16)}),
        Block("flag", "Constant", parameters={"value": np.array([True, False])}),
        Block("product", "MatMul", at=(200, 0)),
        Block("several", "AddN", at=(300, 0)),
        Block("stop", "StopGradient", at=(400, 0), is_muted=True),
        Block("use", "Page", at=(500, 0), parameters={"page": "inner"}),
        Block("again", "Page", at=(500, 99), parameters={"page": "inner"}),
        Block("slopes", "Gradients", at=(500, 300), parameters={"stop_gradients": ["stop.y"]}),
        Block("mean", "ReduceMean", at=(600, 0), parameters={"axis": [0, 1], "keepdims": True}),
        Block("loss", "Loss", at=(700, 0)),
        Block("own", "my.Own", parameters={"deep": {"a": [1, None, "b"]}}, extra={"colour": "red"}),
    ]
    main = Page(
        "main",
        {block.id: block for block in found},
        wires(
            "x.y > product.a",
            "w.y > product.b",
            "product.product > several.values_0",
            "again.sum > several.values_1",
            "several.z > stop.x",
            "stop.y > use.left",
            "x.y > again.left",
            "use.sum > mean.x",
            "mean.y > loss.x",
            "loss.y > slopes.y",
            "w.y > slopes.xs_0",
            "own.y > own.x",
        ),
        surplus=(Wire(Port("x", "y"), Port("product", "b")),),
        frames=(
            Frame("all", "All", ("x", "w"), ("few",)),
            Frame("few", "Few", at=(9, 9), size=(90, 90), extra={"k": 1}),
        ),
        notes=(Note("why", "Why?\nBecause.", (1, 2), (3, 4), {"k": [1.5]}),),
        extra={"ink": {"b": 1, "a": 2}},
    )
    inner = Page(
        "inner",
        {
            "left": Block("left", "PageInput", at=(0, 0), parameters={"name": "left", "value": np.zeros((1, 3))}),
            "one": Block("one", "Constant", at=(0, 100), parameters={"value": np.array(1.0)}),
            "add": Block("add", "Add", at=(100, 0)),
            "sum": Block("sum", "PageOutput", at=(200, 0), parameters={"name": "sum"}),
        },
        wires("left.y > add.x", "one.y > add.y", "add.z > sum.x"),
    )
    checks = (
        {"title": "holds", "at": "main/w.y", "gradient": np.ones((3, 2)), "rtol": 0.5, "atol": 9},
        {"wire": ("main/stop.y", "main/use.left"), "status": "flow"},
        {"at": "main/x.y", "norm": (0, 5)},
        {"at": "main/x.y", "gradient_equals": "main/w.y", "loss": "main/loss", "other_loss": "main/loss"},
        {"at": "main/x.y", "finite": True},
    )
    return Graph((main, inner), "main/loss", checks, version=(1, 3), extra={"signature": 1})


def text_of_5_kb() -> str:
    """Returns the document with everything, as a file of about 5 KB."""
    return dumps(everything())


def large_text(count: int = 5_000) -> str:
    """Returns a file of about 2 MB: a chain of blocks with values among them, and tensors of many bytes."""
    random = np.random.default_rng(2)
    found = {"b0": Block("b0", "Input", at=(0, 0), parameters={"value": np.array([0.5, -1.5])})}
    joined = {}
    for number in range(1, count):
        name, value = f"b{number}", np.arange(number % 7, dtype=np.float64)
        if number % 2:
            found[name] = Block(name, "Add", at=(16 * number, number % 90))
            joined |= wires(f"b{number - 1}.y > {name}.x", f"b{max(number - 2, 0)}.z > {name}.y")
        else:
            found[name] = Block(name, "Constant", at=(16 * number, 9), parameters={"value": value})
    for number in range(20):
        value = random.standard_normal(6_000)
        found[f"large{number}"] = Block(f"large{number}", "Variable", parameters={"value": value})
    return dumps(Graph((Page("main", found, joined),)))


def records() -> list[Any]:  # Any: what JSON holds
    """Returns the documents as JSON values."""
    texts = [dumps(everything()), *(example_path(name).read_text(encoding="utf-8") for name in EXAMPLES)]
    return [json.loads(text) for text in texts]


def attempt(content: bytes) -> Loaded | FileError:
    """Returns the graph of a file, or the reason for its refusal; any other exception is a defect."""
    try:
        return loads(content)
    except FileError as error:
        return error


def reread(loaded: Loaded) -> str:
    """Returns the saved text of a loaded graph; loading it gives the same graph, and saving that the same text."""
    text = dumps(loaded.graph)
    again = loads(text)
    assert again.graph == loaded.graph
    assert dumps(again.graph) == text
    return text
