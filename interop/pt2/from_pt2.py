"""A file of `torch.export.save` as a graph: the way into this room."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Graph
from gradwire.interop.aten.refusals import ModelRefusal
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.pages import with_pages
from gradwire.interop.pt2.program import Program
from gradwire.interop.pt2.reading import Drawn, Given, Reading
from gradwire.interop.pt2.weights import read_weights

# Where a block says which line of the model's source it comes from.
ORIGIN: Final = "origin"
# Where a graph has the lines about how it came in.
NOTICES: Final = "notices"
_LOST_RULE: Final = "the gradient rule of an autograd.Function is not in the file"


@dataclass(frozen=True)
class Model:
    """What a file became, with a line for each thing that it does not say or that was left out."""

    graph: Graph
    notices: tuple[str, ...] = ()


def from_pt2(path: str | Path | bytes, inputs: Mapping[str, Given] | None = None) -> Graph:
    """Returns the graph of a model that `torch.export.save` has written; no PyTorch is needed, and nothing of it runs.

    Parameters become Variables, `inputs` give the numbers of the inputs by name; the others are drawn. A scalar output
    is the Loss. Each block keeps its line of source.
    Raises: ModelRefusal, with what to do, for what cannot come in.
    """
    return read_pt2(path, inputs).graph


def read_pt2(
    path: str | Path | bytes,
    inputs: Mapping[str, Given] | None = None,
    loss: str | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
) -> Model:
    """Returns the same with notices; `loss` names the output whose sum is the loss.

    `sizes` chooses free sizes by their symbols, and `drawn` says how inputs are filled that nobody gives.

    Raises: ModelRefusal for what cannot come in.
    """
    return model_of(read_program(path, inputs, sizes, drawn), loss)


def read_program(
    path: str | Path | bytes,
    inputs: Mapping[str, Given] | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
) -> Reading:
    """Returns the results and leaves of a program as expressions; see `read_pt2`.

    Raises: ModelRefusal for what cannot come in.
    """
    archive = Archive(path)
    try:
        reading = Reading(Program(archive, sizes), read_weights(archive), dict(inputs or {}), drawn or Drawn())
        reading.run()
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError, RecursionError):
        raise archive.refusal("its graph is not what torch.export writes") from None
    return reading


def model_of(reading: Reading, loss: str | None = None, rules_are_known: bool = False) -> Model:
    """Returns the graph of a program that was read; `loss` names the output whose sum is the loss.

    With `rules_are_known`, it does not say that rules of its own may be missing.
    Raises: ModelRefusal if there is no such output, or none that could be shown.
    """
    lost = [] if rules_are_known else [f"{line or 'The model'}: {_LOST_RULE}." for line, _ in reading.own_rules]
    notices = (*reading.notices, *dict.fromkeys(lost), f"Saved by PyTorch {reading.program.version}.")
    graph = _graph_of(reading, loss)
    return Model(replace(graph, extra={**graph.extra, NOTICES: notices}), notices)


def _graph_of(reading: Reading, loss: str | None) -> Graph:
    outputs = _named_outputs(reading)
    if not outputs:
        raise reading.program.archive.refusal("no output of it depends on numbers that could be shown")
    if loss is not None and loss not in outputs:
        raise ModelRefusal(f'There is no output "{loss}"; there are: {", ".join(outputs)}.')
    first = next(iter(outputs.values()))
    is_scalar = len(outputs) == 1 and first.shape == () and first.spec.is_differentiable
    chosen = first if is_scalar else None if loss is None else outputs[loss]
    roots = [*outputs.values()] if chosen is None else [library["Loss"](chosen, name="loss"), *outputs.values()]
    unread = [item for item in reading.leaves.values() if isinstance(item, Expression)]
    traced = trace([*roots, *unread])
    (page,) = traced.graph.pages
    names = {expression.application: port.path.partition("/")[2] for expression, port in traced.ports.items()}
    blocks, modules = dict(page.blocks), dict[str, str]()
    for application, (line, module) in reading.origins.items():
        name = names.get(application)
        if name is not None:
            modules[name] = module
            if line:
                blocks[name] = replace(blocks[name], extra={**blocks[name].extra, ORIGIN: line})
    for path, leaf in reading.leaves.items():
        if leaf.application.type.is_variable:
            modules[names[leaf.application]] = path.rpartition(".")[0]
    for item in outputs.values():
        # What nobody reads would be no output of its page.
        modules.pop(names[item.application], None)
    return with_pages(replace(traced.graph, pages=(replace(page, blocks=blocks),)), modules)


def _named_outputs(reading: Reading) -> dict[str, Expression]:
    """Returns the outputs by name, `output` or `output_0`; blocks that make one alone are called so."""
    several, found = len(reading.outputs) > 1, dict[str, Expression]()
    for place, item in enumerate(reading.outputs):
        if isinstance(item, Expression):
            name = f"output_{place}" if several else "output"
            found[name] = item
            if len(item.application.outputs) == 1 and item.application.name is None:
                item.application.name = name
    return found


__all__ = ["Drawn", "Given", "Model", "ModelRefusal", "from_pt2", "model_of", "read_program", "read_pt2"]
