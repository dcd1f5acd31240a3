"""A benchmark of models that come in, and of graphs with their weights: opening and saving.

Two models are written here as `torch.export` lays them out: a chain of 5,000 nodes, and a few nodes over 25 million
weights. Each is opened in turn with reading its bytes and its JSON alone; every figure is the least of several runs,
with its ratio to that. The graph of the second is then saved, and opened again, beside writing and reading as many
bytes. Models of PyTorch that are named as arguments are opened, too, beside `torch.export.load` where it is installed,
and evaluated with all gradients in processes of their own: by processor time and by memory at most.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from gradwire.interop.pt2.from_pt2 import found_in, read_program, read_pt2
from gradwire.interop.why.why import why

RUNS = 3
NODES, WEIGHTS, TENSORS = 5_000, 25_000_000, 50
GOALS = {"nodes": "3 s", "weights": "5 s"}
# Option of a process that measures one file.
EVALUATE = "--evaluate"
_TREE = '[1, {"type": "builtins.%s", "context": %s, "children_spec": [%s]}]'


def tensor(sizes: list[int]) -> dict[str, Any]:
    """What a file says of a float32 tensor."""
    strides = np.cumprod([1, *sizes[:0:-1]])[::-1].tolist() if sizes else []
    return {
        "dtype": 7, "sizes": [{"as_int": size} for size in sizes], "requires_grad": True,
        "device": {"type": "cpu", "index": None}, "strides": [{"as_int": step} for step in strides],
        "storage_offset": {"as_int": 0}, "layout": 7,
    }  # fmt: skip


def node(target: str, name: str, **tensors: str) -> dict[str, Any]:
    """A call of an operation on tensors."""
    inputs = [{"name": key, "arg": {"as_tensor": {"name": value}}, "kind": 1} for key, value in tensors.items()]
    outputs = [{"as_tensor": {"name": name}}]
    metadata = {"nn_module_stack": "L__self__,,model.Model", "stack_trace": f'File "/model.py", line {len(name)}, in f'}
    return {
        "target": f"torch.ops.aten.{target}", "inputs": inputs, "outputs": outputs, "metadata": metadata,
        "is_hop_single_tensor_return": None, "name": name,
    }  # fmt: skip


def written(path: Path, nodes: list[dict[str, Any]], sizes: list[int], weights: Mapping[str, np.ndarray]) -> Path:
    """Writes a model of one input, x, whose tensors all have these sizes."""
    names = ["x", *weights, *(item["name"] for item in nodes)]
    last = {"as_tensor": {"name": names[-1]}}
    parameters = [{"parameter": {"arg": {"name": name}, "parameter_name": name}} for name in weights]
    leaf = '{"type": null, "context": null, "children_spec": []}'
    graph = {
        "inputs": [{"as_tensor": {"name": name}} for name in [*weights, "x"]], "outputs": [last], "nodes": nodes,
        "tensor_values": {name: tensor(sizes) for name in names}, "sym_int_values": {}, "sym_bool_values": {},
        "is_single_tensor_return": False, "custom_obj_values": {}, "sym_float_values": {},
    }  # fmt: skip
    inner = f'{{"type": "builtins.tuple", "context": "null", "children_spec": [{leaf}]}}'
    keywords = '{"type": "builtins.dict", "context": "[]", "children_spec": []}'
    call = {
        "inputs": [], "outputs": [], "in_spec": _TREE % ("tuple", '"null"', f"{inner}, {keywords}"),
        "out_spec": f"[1, {leaf}]", "forward_arg_names": ["x"],
    }  # fmt: skip
    model = {
        "graph_module": {
            "graph": graph,
            "signature": {
                "input_specs": [*parameters, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}],
                "output_specs": [{"user_output": {"arg": last}}],
            },
            "module_call_graph": [{"fqn": "", "signature": call}], "metadata": {}, "treespec_namedtuple_fields": {},
        },
        "opset_version": {"aten": 10}, "range_constraints": {}, "schema_version": {"major": 8, "minor": 20},
        "verifiers": ["TRAINING"], "torch_version": "2.13.0", "guards_code": [],
    }  # fmt: skip
    config = {
        name: {"path_name": f"weight_{place}", "is_param": True, "use_pickle": False, "tensor_meta": tensor(sizes)}
        for place, name in enumerate(weights)
    }
    parts = {
        "archive_format": b"pt2", "archive_version": b"0", "byteorder": b"little",
        "models/model.json": json.dumps(model).encode(),
        "data/weights/model_weights_config.json": json.dumps({"config": config}).encode(),
        "data/constants/model_constants_config.json": json.dumps({"config": {}}).encode(),
    }  # fmt: skip
    parts |= {f"data/weights/weight_{place}": array.tobytes() for place, array in enumerate(weights.values())}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(f"{path.stem}/{name}", content)
    return path


def chain(folder: Path) -> Path:
    """Writes a model of many small nodes."""
    names = ["x", *(f"t{place}" for place in range(NODES))]
    nodes = [
        node("tanh.default", name, self=before) if place % 2 else node("mul.Tensor", name, self=before, other="x")
        for place, (before, name) in enumerate(itertools.pairwise(names))
    ]
    return written(folder / "nodes.pt2", nodes, [8], {})


def heavy(folder: Path) -> Path:
    """Writes a model of few nodes with many weights."""
    random, sizes = np.random.default_rng(0), [WEIGHTS // TENSORS // 1000, 1000]
    weights = {f"w{place}": random.normal(size=sizes).astype(np.float32) for place in range(TENSORS)}
    names = ["x", *(f"t{place}" for place in range(TENSORS))]
    nodes = [
        node("mul.Tensor", name, self=before, other=weight)
        for before, name, weight in zip(names, names[1:], weights, strict=False)
    ]
    return written(folder / "weights.pt2", nodes, sizes, weights)


def plain(path: Path) -> None:
    """Reads all bytes of a model, and its JSON."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            if name.endswith(".json"):
                json.loads(content)


def by_pytorch(path: Path) -> None:
    """Opens a model with PyTorch."""
    import torch  # type: ignore[import-not-found, unused-ignore]  # it may be missing

    torch.export.load(path)


def copied(path: Path) -> Callable[[], object]:
    """Returns a function that writes the bytes of a graph and of its weights to a disk."""
    contents = [(file.with_suffix(".copy"), file.read_bytes()) for file in path.parent.glob(f"{path.stem}.*")]

    def write() -> None:
        for file, content in contents:
            with open(file, "wb") as opened:
                opened.write(content)
                opened.flush()
                os.fsync(opened.fileno())
            file.unlink()

    return write


def least(calls: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Returns the least time of several runs of each, all in turn. Units: s."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(RUNS):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    return {name: min(found) for name, found in times.items()}


def report(title: str, calls: Mapping[str, Callable[[], object]], goal: str = "") -> None:
    """Prints the time of each call with its ratio to the last one."""
    found = least(calls)
    reference = [*found.values()][-1]
    print(title + (f"; goal {goal}" if goal else ""))
    for name, seconds in found.items():
        print(f"  {name:<34} {seconds * 1000:8.0f} ms {seconds / reference:8.1f}")


def openings(path: Path, is_pytorchs: bool = False) -> dict[str, Callable[[], object]]:
    """The ways to open a model, ours first; PyTorch opens only what it has written."""
    calls: dict[str, Callable[[], object]] = {"gw.from_pt2": lambda: read_pt2(path)}
    if is_pytorchs and find_spec("torch") is not None:
        calls["torch.export.load"] = lambda: by_pytorch(path)
    return calls | {"its bytes and its JSON alone": lambda: plain(path)}


def with_loss(path: Path) -> Graph:
    """Opens a model with a loss: its own, or the sum of its first output."""
    model = read_pt2(path)
    if any(block.type == "Loss" for page in model.graph.pages for block in page.blocks.values()):
        return model.graph
    outputs = [*found_in(read_program(path)).outputs]
    return read_pt2(path, loss=outputs[0]).graph


def print_stages(path: Path) -> None:
    """Prints the processor time of each stage of a model's evaluation, and the memory of this process at most."""
    start = time.process_time()
    graph = with_loss(path)
    print("  stage, in processor time              s   to a run   MiB at most")
    print(f"  {'opened':<36} {time.process_time() - start:5.2f} {'':>10} {peak():9.0f}")
    start = time.process_time()
    run = run_graph(graph)
    first = time.process_time() - start
    print(f"  {'run':<36} {first:5.2f} {1:10.1f} {peak():9.0f}")
    stages: dict[str, Callable[[], object]] = {"statuses and causes": lambda: run.snapshot, "gw.why": lambda: why(run)}
    for name, stage in stages.items():
        start = time.process_time()
        stage()
        taken = time.process_time() - start
        print(f"  {name:<36} {taken:5.2f} {taken / first:10.1f} {peak():9.0f}", flush=True)


def peak() -> float:
    """Returns the memory that this process has taken at most, from Linux. Units: MiB.

    `getrusage` would count that of the process which started this one, too.
    """
    lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def main() -> None:
    """Prints the figures of both models, of a graph with weights, and of the files named."""
    if sys.argv[1:2] == [EVALUATE]:
        print_stages(Path(sys.argv[2]))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report(f"{NODES:,} nodes, opened", openings(chain(folder)), GOALS["nodes"])
        model = heavy(folder)
        report(f"{WEIGHTS:,} weights, opened", openings(model), GOALS["weights"])
        graph, path = read_pt2(model).graph, folder / "saved.graph"
        save(graph, path)
        files = list(folder.glob("saved.*"))
        reading = {"load": lambda: load(path), "its bytes alone": lambda: [file.read_bytes() for file in files]}
        report("its graph, opened", reading)
        report("its graph, saved again", {"save": lambda: save(graph, path), "its bytes written": copied(path)})
    for file in sys.argv[1:]:
        report(file, openings(Path(file), is_pytorchs=True))
        subprocess.run([sys.executable, "-m", "benchmarks.interop", EVALUATE, file], check=True)


if __name__ == "__main__":
    main()
