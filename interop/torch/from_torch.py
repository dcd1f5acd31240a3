"""A live module or function of PyTorch as a graph: the way into this room."""

from __future__ import annotations

from typing import Any

from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import Model, model_of
from gradwire.interop.pt2.from_pt2 import found_in, read_program
from gradwire.interop.torch.comparing import refuse_other_gradients, run
from gradwire.interop.torch.exporting import call_of, exported, inputs_of, saved
from gradwire.interop.torch.own_functions import rules_of, standing_in


def from_torch(target: Any, *arguments: Any, check: bool = True, **keywords: Any) -> Graph:
    """Returns the graph of a module, a function or an exported program, called with these arguments.

    With `check`, one backward pass of PyTorch stands beside ours, and other gradients are refused; those at ties and
    kinks are TensorFlow's, which a notice says. The module stays as it was.
    Raises: ModelRefusal, with what to do, for what cannot come in.
    """
    return read_module(target, *arguments, check=check, **keywords).graph


def read_module(target: Any, *arguments: Any, check: bool = True, **keywords: Any) -> Model:
    """Returns the same with notices.

    Raises: ModelRefusal for what cannot come in.
    """
    call = call_of(target, arguments, keywords)
    # First: a model that does not run says why better than its export.
    wanted = run(call) if check else None
    rules = rules_of(call)
    program = exported(call, region=standing_in(rules))
    reading = read_program(saved(program), inputs_of(program, call), own_pages=rules.pages)
    model = model_of(found_in(reading, rules_are_known=check))
    if wanted is None:
        return model
    return model.with_notices(refuse_other_gradients(reading, wanted, call, program, rules.refusals))
