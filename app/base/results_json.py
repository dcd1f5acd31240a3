"""Snapshots as the JSON that `gradwire run --json` prints; docs/file-format.md describes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gradwire.engine.autodiff.expand import Link
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.causes.births import Origin
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.files.tensor_json import flat_tensor

if TYPE_CHECKING:
    from gradwire.engine.advice.finding import Finding

Json = dict[str, object]


def snapshot_json(file: str, snapshot: Snapshot) -> Json:
    """Returns one evaluated file as JSON."""
    loss = snapshot.loss
    return {
        "file": file,
        "ok": not snapshot.has_errors,
        "loss": None if loss is None else {"name": loss.name, "value": _scalar(loss.value)},
        "ports": {str(name): _port(result) for name, result in snapshot.ports.items()},
        "wires": [_wire(link, result) for link, result in snapshot.wires.items()],
        "problems": problems_json(snapshot.problems),
    }


def error_json(file: str, line: int, column: int, message: str) -> Json:
    """Returns the JSON of a file that cannot be read."""
    return {"file": file, "ok": False, "error": {"line": line, "column": column, "message": message}}


def finding_json(finding: Finding) -> Json:
    """Returns advice with its rule, the blocks concerned, and its fix or null."""
    fix = finding.fix
    return {
        "rule": finding.rule,
        "severity": finding.severity,
        "at": finding.at,
        "also": list(finding.also),
        "message": finding.message,
        "fix": None if fix is None else {"text": fix.text, "changes_loss": fix.changes_loss},
    }


def numbers_json(numbers: Sequence[float]) -> object:
    """Returns numbers as a list; those that are not finite are strings, as in files."""
    return flat_tensor(np.array(numbers, float))["data"]


def problems_json(problems: Sequence[Problem]) -> list[Json]:
    """Returns a list of problems as JSON."""
    return [
        {"severity": item.severity, "at": item.at, "code": item.code, "message": item.message}
        for item in listed(problems)
    ]


def _port(result: PortResult) -> Json:
    found = {"value": _tensor(result.value), **_gradient(result)}
    if result.inner:
        found["inner"] = [{"by": part.by, "gradient": _tensor(part.gradient)} for part in result.inner]
    return found | _reasons(result)


def _wire(link: Link, result: WireResult) -> Json:
    found = {"from": str(link.source), "to": str(link.target), **_gradient(result)}
    if result.withheld is not None:
        found["withheld"] = _tensor(result.withheld)
    if result.own is not None:
        found["rule"] = "own"
    return found | _reasons(result)


def _gradient(result: PortResult | WireResult) -> Json:
    by = {"by": list(result.by)} if result.by else {}
    return {"gradient": _tensor(result.gradient), "status": str(result.status), **by}


def _reasons(result: PortResult | WireResult) -> Json:
    found: Json = {}
    if result.zero is not None:
        details = {str(cause): count for cause, count in result.zero.details.items()}
        found |= {"cause": str(result.zero.cause), "cause_at": result.zero.at, "details": details}
        if result.zero.upstream is not None:
            cause, at = result.zero.upstream
            found["upstream"] = {"cause": str(cause), "at": at}
    if result.tie is not None:
        found["tie"] = {"at": result.tie.at, "count": result.tie.count}
    return found | _origin(result.origin)


def _origin(origin: Origin | None) -> Json:
    """Returns the blocks where NaN or infinity first arise, and the index of the first such element."""
    if origin is None or origin.first is None:
        return {}
    births = {"forward": origin.forward, "backward": origin.backward, "nan": origin.nan}
    places = {name: None if birth is None else birth.at for name, birth in births.items()}
    return {"origin": {**places, "index": list(origin.first.index)}}


def _tensor(array: Array | None) -> object:
    return None if array is None else flat_tensor(array)


def _scalar(array: Array | None) -> object:
    return None if array is None else flat_tensor(array)["data"][0]
