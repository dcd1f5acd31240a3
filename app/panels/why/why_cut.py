"""The cut paths from a port to the loss: its value flows along them, its gradient leaves them out."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from gradwire.app.base.translation import tr
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.statuses import CUT
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.status_table import STATUS_ROW

_CUT = [STATUS_ROW[status] for status in CUT]


def left_out(facts: Facts, port: PortName) -> str:
    """Returns a sentence that names the blocks which cut paths from a port; "" if there are none."""
    cuts = [] if facts.results is None else _cuts_behind(facts, facts.results, port)
    if not cuts:
        return ""
    return tr(" Paths through {cuts} contribute nothing.", cuts=facts.titles(cuts))


def _cuts_behind(facts: Facts, results: Results, port: PortName) -> list[str]:
    """Returns the paths of the blocks that cut paths from a port, each once."""
    cut = set(np.flatnonzero(np.isin(results.wire_status, _CUT)).tolist())
    if not cut:
        return []
    reached = _reached(facts, port)
    links = [link for link, row in results.wire_rows.items() if row in cut and _starts_in(link, port, reached)]
    readings = [reading for link in links if (reading := results.wire(link)) is not None]
    return list(dict.fromkeys(path for reading in readings for path in reading.by))


def _starts_in(link: Link, port: PortName, reached: set[str]) -> bool:
    return link.source == port or link.source.path in reached


def _reached(facts: Facts, port: PortName) -> set[str]:
    """Returns the paths of all blocks that depend on a port."""
    readers: defaultdict[PortName | str, list[str]] = defaultdict(list)
    for path, instance in facts.instances.items():
        for source in instance.inputs.values():
            readers[source.path].append(path)
            if source == port:
                readers[port].append(path)
    reached, waiting = set[str](), list(readers[port])
    while waiting:
        path = waiting.pop()
        if path not in reached:
            reached.add(path)
            waiting += readers[path]
    return reached
