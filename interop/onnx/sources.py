"""Where nodes come from: modules and lines of source, as exporters note them."""

from __future__ import annotations

import re
from typing import Final

from gradwire.engine.base.untrusted_text import plain
from gradwire.interop.models.graphs import Origin
from gradwire.interop.models.source_lines import innermost_line
from gradwire.interop.onnx.messages import NodeMessage

_SCOPES: Final = "pkg.torch.onnx.name_scopes"
_TRACE: Final = "pkg.torch.onnx.stack_trace"
_QUOTED: Final = re.compile(r"'([^']*)'")


def module_of(node: NodeMessage) -> str:
    """Returns the path of the module that a node was called in, `net.0`; "" if the file does not say.

    Newer exporters of PyTorch note it; others write it into the name, `/net/net.0/Gemm` or `model/dense/MatMul`.
    """
    noted = next((entry.value for entry in node.metadata_props if entry.key == _SCOPES), None)
    if noted is not None:
        scopes = [path for path in _QUOTED.findall(noted)[:-1] if path]
        return scopes[-1] if scopes else ""
    path = ""
    for part in node.name.split("/")[:-1]:
        last = part.rpartition(".")[0]
        # PyTorch repeats the path of the module around: `net`, then `net.0`.
        own = part[len(last) + 1 :] if last and f".{path}".endswith(f".{last}") else part
        path = f"{path}.{own}" if path and own else path or own
    return path


def origin_of(node: NodeMessage, module: str) -> Origin:
    """Returns where the blocks of a node come from: its line of source and name, or the operator and what it makes."""
    trace = next((entry.value for entry in node.metadata_props if entry.key == _TRACE), "")
    name = node.name or f"{node.op_type} {next(iter(node.output), '')}"
    line, code = innermost_line(trace)
    return Origin(plain(f"{line} ({name})" if line else name), module, code, node.op_type)
