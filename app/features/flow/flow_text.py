"""The texts about the flow of a gradient: how much remains, and which blocks are unusual."""

from __future__ import annotations

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.look.numbers import fmt
from gradwire.engine.explain.flow import Flow, FlowEnd


def summary(flow: Flow) -> str:
    """Returns the gradient's change over the longest path, the typical ratio, and the number of unusual wires."""
    parts = [] if flow.end is None else [_course(flow.end)]
    if flow.steps:
        parts.append(_typical(flow.typical))
    unusual = sum(step.is_unusual for step in flow.steps)
    if unusual:
        parts.append(tr_count("{count} outlier.", "{count} outliers.", unusual))
    if flow.broken:
        parts.append(
            tr_count(
                "{count} wire with NaN or Inf is not included.",
                "{count} wires with NaN or Inf are not included.",
                flow.broken,
            )
        )
    return " ".join(parts)


def _typical(ratio: float | None) -> str:
    if ratio is None:
        return tr("No block passes anything on.")
    if fmt(ratio) == "1":
        return tr("A typical block passes the whole incoming gradient on.")
    return tr("A typical block passes on {ratio} of the incoming gradient.", ratio=fmt(ratio))


def _course(end: FlowEnd) -> str:
    # Without its page, which is mostly the current one.
    name = end.path.partition("/")[2].replace("/", " / ")
    fields = {"step": fmt(end.per_step), "left": fmt(end.left), "name": name}
    if end.left == 0:
        return tr_count(
            "The gradient is 0 at {name}, one block from the loss.",
            "The gradient is 0 at {name}, {count} blocks from the loss.",
            end.steps,
            **fields,
        )
    fields["count"] = grouped(end.steps)
    if end.steps == 1:
        return tr("One block separates {name} from the loss: {left} of the gradient remains.", **fields)
    if fields["step"] == "1":
        return tr("The gradient keeps its size over {count} blocks: {left} of it remains at {name}.", **fields)
    if end.per_step < 1:
        return tr(
            "The gradient shrinks: each of {count} blocks multiplies it by {step} on average; {left} of it "
            "remains at {name}.",
            **fields,
        )
    return tr(
        "The gradient grows: each of {count} blocks multiplies it by {step} on average; at {name} it is {left} "
        "times as large.",
        **fields,
    )
