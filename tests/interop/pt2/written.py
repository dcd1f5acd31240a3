"""Programs written by hand, as `torch.export.save` writes them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array

Record = dict[str, Any]
CODES = {"uint8": 1, "int32": 4, "int64": 5, "float16": 6, "float32": 7, "float64": 8, "bool": 12}


def argument(item: Any) -> Record:
    """Returns an argument: a text is the name of a tensor, a mapping stands for itself."""
    match item:
        case None:
            return {"as_none": True}
        case bool():
            return {"as_bool": item}
        case int():
            return {"as_int": item}
        case float():
            return {"as_float": item}
        case str():
            return {"as_tensor": {"name": item}}
        case [str(), *_]:
            return {"as_tensors": [{"name": name} for name in item]}
        case list():
            return {"as_ints": item}
    return dict(item)


def call(target: str, out: str | Sequence[str], trace: str = "", modules: str = "", /, **arguments: Any) -> Record:
    """Returns a node; `out` names its result, or the list of its results."""
    made = argument(out) if isinstance(out, str) else argument([*out])
    inputs = [{"name": name, "arg": argument(item), "kind": 1} for name, item in arguments.items()]
    notes = {"stack_trace": trace, "nn_module_stack": modules}
    return {"target": f"torch.ops.{target}", "inputs": inputs, "outputs": [made], "metadata": notes}


def at(line: int, code: str = "y = f(x)") -> str:
    """Returns the trace of a call in a line of `m.py`."""
    return f'File "/home/me/m.py", line {line}, in forward\n    {code}'


def free(symbol: str, hint: int | None = None) -> Record:
    """Returns a size that a program leaves open."""
    hints = {} if hint is None else {"hint": {"as_int": hint}}
    return {"as_expr": {"expr_str": f"Symbol('{symbol}', positive=True, integer=True)", **hints}}


def meta(*sizes: int | Record, dtype: str = "float32", strides: Sequence[int] | None = None, offset: int = 0) -> Record:
    """Returns what a file says of a tensor."""
    plain = [item if isinstance(item, int) else 2 for item in sizes]
    steps = strides if strides is not None else [int(np.prod(plain[place + 1 :])) for place in range(len(plain))]
    return {
        "dtype": CODES[dtype],
        "sizes": [{"as_int": item} if isinstance(item, int) else item for item in sizes],
        "strides": [{"as_int": item} for item in steps],
        "storage_offset": {"as_int": offset},
        "layout": 7,
        "requires_grad": True,
    }


def graph(
    nodes: Sequence[Record], inputs: Sequence[str], outputs: Sequence[Any], metas: Mapping[str, Record]
) -> Record:
    return {
        "nodes": [*nodes],
        "inputs": [argument(name) for name in inputs],
        "outputs": [argument(item) for item in outputs],
        "tensor_values": dict(metas),
    }


def program(
    nodes: Sequence[Record],
    outputs: Sequence[Any] = ("y",),
    inputs: Mapping[str, Record] | None = None,
    weights: Mapping[str, Array] | None = None,
    says: Mapping[str, Record] | None = None,
    change: Callable[[Record], object] = lambda _: None,
    rows: Callable[[Record], object] = lambda _: None,
) -> bytes:
    """Returns a file with the inputs `x` of two floats, or others, and parameters `p_NAME` by their names.

    `says` has what it says of other tensors; `change` may change the program, and `rows` the table of the weights.
    """
    given = {"x": meta(2)} if inputs is None else dict(inputs)
    own = {name: np.ascontiguousarray(array) for name, array in (weights or {}).items()}
    metas = {name: meta(*array.shape, dtype=str(array.dtype)) for name, array in own.items()}
    tensors = {f"p_{name}": item for name, item in metas.items()} | given | dict(says or {})
    parameters = [{"parameter": {"arg": {"name": f"p_{name}"}, "parameter_name": name}} for name in own]
    whole = {
        "schema_version": {"major": 8, "minor": 20},
        "torch_version": "2.13.0",
        "range_constraints": {},
        "graph_module": {
            "graph": graph(nodes, [*tensors], outputs, tensors),
            "signature": {
                "input_specs": [*parameters, *({"user_input": {"arg": argument(name)}} for name in given)],
                "output_specs": [{"user_output": {"arg": argument(item)}} for item in outputs],
            },
        },
    }
    change(whole)
    config = {
        name: {"path_name": f"weight_{place}", "use_pickle": False, "tensor_meta": item}
        for place, (name, item) in enumerate(metas.items())
    }
    rows(config)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, text in {"archive_format": "pt2", "archive_version": "0", "byteorder": "little"}.items():
            archive.writestr(f"m/{name}", text)
        archive.writestr("m/models/model.json", json.dumps(whole))
        archive.writestr("m/data/weights/model_weights_config.json", json.dumps({"config": config}))
        for place, array in enumerate(own.values()):
            archive.writestr(f"m/data/weights/weight_{place}", array.tobytes())
    return written.getvalue()
