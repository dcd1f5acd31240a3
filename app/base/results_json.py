"""Snapshots as the JSON that `gradwire run --json` prints; docs/file-format.md describes it."""

from __future__ import annotations

from engine.expand import Link, PortName
from engine.origins import Origin
from engine.problems import Problem
from engine.snapshot import PortResult, Snapshot, WireResult
from engine.tensor_spec import Array
from engine.tensors import flat_tensor

Json = dict[str, object]


def snapshot_json(file: str, snapshot: Snapshot) -> Json:
    """One evaluated file."""
    loss = snapshot.loss
    return {
        "file": file,
        "ok": not snapshot.has_errors,
        "loss": None if loss is None else {"name": loss.name, "value": _scalar(loss.value)},
        "ports": {str(name): _port(result) for name, result in snapshot.ports.items()},
        "wires": [_wire(link, result) for link, result in snapshot.wires.items()],
        "problems": [problem_json(problem) for problem in snapshot.problems],
    }


def error_json(file: str, line: int, column: int, message: str) -> Json:
    """A file that cannot be read."""
    return {"file": file, "ok": False, "error": {"line": line, "column": column, "message": message}}


def problem_json(problem: Problem) -> Json:
    """One problem."""
    return {"severity": problem.severity, "at": problem.at, "code": problem.code, "message": problem.message}


def _port(result: PortResult) -> Json:
    found: Json = {
        "value": _tensor(result.value),
        "gradient": _tensor(result.gradient),
        "status": str(result.status),
    }
    if result.by:
        found["by"] = list(result.by)
    if result.inner:
        found["inner"] = [{"by": part.by, "gradient": _tensor(part.gradient)} for part in result.inner]
    return found | _reasons(result)


def _wire(link: Link, result: WireResult) -> Json:
    found: Json = {
        "from": _name(link.source),
        "to": _name(link.target),
        "gradient": _tensor(result.gradient),
        "status": str(result.status),
    }
    if result.by:
        found["by"] = list(result.by)
    if result.withheld is not None:
        found["withheld"] = _tensor(result.withheld)
    return found | _reasons(result)


def _reasons(result: PortResult | WireResult) -> Json:
    found: Json = {}
    if result.zero is not None:
        details = {str(cause): count for cause, count in result.zero.details.items()}
        found |= {"cause": str(result.zero.cause), "cause_at": result.zero.at, "details": details}
    if result.tie is not None:
        found["tie"] = {"at": result.tie.at, "count": result.tie.count}
    return found | _origin(result.origin)


def _origin(origin: Origin | None) -> Json:
    """The blocks where NaN or infinity first arise, and the element of the first of them."""
    if origin is None or origin.first is None:
        return {}
    forward, backward = (None if birth is None else birth.at for birth in (origin.forward, origin.backward))
    return {"origin": {"forward": forward, "backward": backward, "index": list(origin.first.index)}}


def _name(port: PortName) -> str:
    return str(port)


def _tensor(array: Array | None) -> object:
    return None if array is None else flat_tensor(array)


def _scalar(array: Array | None) -> object:
    if array is None:
        return None
    tensor = flat_tensor(array)
    return tensor["data"][0]
