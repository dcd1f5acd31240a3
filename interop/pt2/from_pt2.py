"""A file of `torch.export.save` as a graph: the way into this room."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import Found, Model, model_of
from gradwire.interop.models.inputs import Drawn, Given
from gradwire.interop.models.own_pages import OwnPage
from gradwire.interop.pt2.archive import Archive
from gradwire.interop.pt2.program import Program
from gradwire.interop.pt2.reading import Reading
from gradwire.interop.pt2.unread import ends_of
from gradwire.interop.pt2.weights import read_weights

_LOST_RULE: Final = "the gradient rule of an autograd.Function is not in the file"


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
    return model_of(found_in(read_program(path, inputs, sizes, drawn)), loss)


def read_program(
    path: str | Path | bytes,
    inputs: Mapping[str, Given] | None = None,
    sizes: Mapping[str, int] | None = None,
    drawn: Drawn | None = None,
    own_pages: Mapping[int, OwnPage] | None = None,
) -> Reading:
    """Returns the results and leaves of a program as expressions; see `read_pt2`.

    `own_pages` has the pages of functions with rules of their own, for which a live module has nodes with numbers.

    Raises: ModelRefusal for what cannot come in.
    """
    archive = Archive(path)
    try:
        program, weights = Program(archive, sizes), read_weights(archive)
        reading = Reading(program, weights, dict(inputs or {}), drawn or Drawn(), own_pages=own_pages or {})
        reading.run()
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError, RecursionError):
        raise archive.refusal("its graph is not what torch.export writes") from None
    return reading


def found_in(reading: Reading, rules_are_known: bool = False) -> Found:
    """Returns what a program became; with `rules_are_known`, it does not say that rules of its own may be missing."""
    lost = [] if rules_are_known else [f"{line or 'The model'}: {_LOST_RULE}." for line, _ in reading.own_rules]
    notices = (*reading.notices, *dict.fromkeys(lost), f"Saved by PyTorch {reading.program.version}.")
    name = reading.program.archive.name
    pages = [page for pair in reading.own_pages.values() for page in (pair.forward, pair.backward)]
    return Found(name, _named_outputs(reading), reading.leaves, reading.origins, notices, ends_of(reading), pages)


def _named_outputs(reading: Reading) -> dict[str, Expression]:
    """Returns the outputs by name, `output` or `output_0`."""
    several = len(reading.outputs) > 1
    named = {f"output_{place}" if several else "output": item for place, item in enumerate(reading.outputs)}
    return {name: item for name, item in named.items() if isinstance(item, Expression)}
