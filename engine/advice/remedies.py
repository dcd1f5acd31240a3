"""Fixes for problems outside the linter: tries edits and offers those that solve the problem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.repairs import repairs
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem, listed
from gradwire.engine.base.tensor_spec import Shape, TensorSpec
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.graph.paths import is_in_loop, split_path
from gradwire.engine.graph.ports import pages_along

# Each trial of an edit takes an inference.
TRIED = 24


def remedies(run: Evaluation) -> dict[Problem, tuple[Fix, ...]]:
    """Returns the fixes for the problems of a run that are listed, the best first, where there are any."""
    problems = listed(run.snapshot.problems)
    mended = repairs(run.graph, run.lowered.inferred.expanded, problems)
    found: dict[Problem, tuple[Fix, ...]] = {problem: (fix,) for problem, fix in mended.items()}
    for problem in problems:
        fixes = _remedies(problem, run)
        if fixes:
            found[problem] = fixes
    return found


def _remedies(problem: Problem, run: Evaluation) -> tuple[Fix, ...]:
    try:
        made = [make(problem, run) for make in _MAKERS.get(problem.code, ())]
    except Exception:  # The problem itself is shown; a fix is extra, and other fixes are offered without it.
        return ()
    return tuple(fix for fix in made if fix is not None)


def loose_end(inferred: Inferred) -> tuple[str, Port] | None:
    """Returns the most likely place for a Loss: the page and the last unused output."""
    used = {link.source for link in inferred.expanded.links}
    for path in reversed(inferred.expanded.instances):
        page_name, _, block_id = path.partition("/")
        if is_in_loop(path):
            continue
        for name in inferred.outputs.get(path, ()):
            port = PortName(path, name)
            if port not in used and inferred.specs[port].is_differentiable and "/" not in block_id:
                return page_name, Port(block_id, name)
    return None


def _add_loss(problem: Problem, run: Evaluation) -> Fix | None:
    """Returns a fix that adds a Loss after the last unused output, or that sums all losses.

    It sums them if the graph names a Loss that does not exist.
    """
    if problem.at:
        return Fix("Add up all Loss blocks", partial(edits.set_loss, loss=None))
    end = loose_end(run.lowered.inferred)
    if end is None:
        return None
    page, source = end
    return Fix("Add a Loss", partial(fixes.add_loss, page=page, source=source))


def _remove_stop(problem: Problem, run: Evaluation) -> Fix | None:
    page, block_id = _place(run.graph, problem.at)
    if page is None:
        return None
    return Fix("Remove the StopGradient", partial(edits.remove_blocks, page_name=page, ids=block_id))


def _insert_cast(problem: Problem, run: Evaluation) -> Fix | None:
    return _first_that_helps(problem, run, _casts)


def _insert_reshape(problem: Problem, run: Evaluation) -> Fix | None:
    return _first_that_helps(problem, run, _reshapes)


def _clip(problem: Problem, run: Evaluation) -> Fix | None:
    """Returns a fix that keeps 0 away from a logarithm; negative numbers are a mistake of another kind."""
    page, block_id = _place(run.graph, problem.at)
    instance = run.lowered.inferred.expanded.instances.get(problem.at)
    if page is None or instance is None or instance.block.type != "Log":
        return None
    source = run.lowered.ports.get(instance.inputs["x"])
    value = None if source is None else run.results[source]
    if value is None or not (value >= 0).all():
        return None
    edit = partial(fixes.clip_below, page=page, target=Port(block_id, "x"), dtype=value.dtype.name)
    return Fix("Clamp the input to a small positive minimum", edit)


def _divide_safely(problem: Problem, run: Evaluation) -> Fix | None:
    """Returns a fix that makes 0 of 0 / 0, the mean of nothing; other divisions by 0 are mistakes of other kinds."""
    page, block_id = _place(run.graph, problem.at)
    instance = run.lowered.inferred.expanded.instances.get(problem.at)
    if page is None or instance is None or instance.block.type != "Divide":
        return None
    sources = [run.lowered.ports.get(instance.inputs[name]) for name in ("x", "y")]
    values = [None if source is None else run.results[source] for source in sources]
    if (
        values[0] is None
        or values[1] is None
        or not (values[0] == 0)[np.broadcast_to(values[1] == 0, values[0].shape)].all()
    ):
        return None
    return Fix("Use DivNoNan", partial(fixes.as_safe_quotient, page=page, quotient=block_id), changes_loss=True)


def _subtract_largest(problem: Problem, run: Evaluation) -> Fix | None:
    """Returns a fix for an Exp that overflows in a softmax, which is the same for numbers that are less by one."""
    name, block_id = _place(run.graph, problem.at)
    if name is None or run.graph.page(name).blocks[block_id].type != "Exp":
        return None
    page = run.graph.page(name)
    readers = {wire.target.block: page.blocks[wire.target.block] for wire in page.wires_from(Port(block_id, "y"))}
    total = next((reader for reader, block in readers.items() if block.type == "ReduceSum"), "")
    quotient = next((reader for reader, block in readers.items() if block.type == "Divide"), "")
    divisor, dividend = page.wires.get(Port(quotient, "y")), page.wires.get(Port(quotient, "x"))
    if divisor is None or dividend is None or len(readers) != 2:
        return None
    if (divisor.source.block, dividend.source.block) != (total, block_id):
        return None
    edit = partial(fixes.shift_by_largest, page=name, exp=block_id, axis=readers[total].parameters.get("axis"))
    detail = "Same result, and the largest exponent becomes 0. A StopGradient keeps the shift out of the gradient."
    return Fix("Subtract the largest first", edit, detail=detail)


_MAKERS: dict[str, tuple[Callable[[Problem, Evaluation], Fix | None], ...]] = {
    "no_loss": (_add_loss,),
    "stop_unused": (_remove_stop,),
    "dtype": (_insert_cast,),
    "shape": (_insert_reshape,),
    "nonfinite": (_clip, _divide_safely, _subtract_largest),
}
_Specs = dict[str, TensorSpec]
_Tries = Callable[[str, str, _Specs], Iterator[Fix]]


def _casts(page: str, block_id: str, specs: _Specs) -> Iterator[Fix]:
    """Yields casts of each input to another input's dtype; non-differentiable ones first, so that gradients survive."""
    dtypes = sorted({spec.dtype for spec in specs.values()}, key=lambda dtype: (dtype.kind != "f", -dtype.itemsize))
    order = sorted(specs.items(), key=lambda item: item[1].is_differentiable)
    for dtype in [*dtypes, np.dtype(np.float64), np.dtype(np.int64)]:
        for port, spec in order:
            if spec.dtype != dtype:
                edit = partial(fixes.insert, page=page, target=Port(block_id, port), type_name="Cast")
                yield Fix(f"Insert Cast to {dtype.name}", partial(edit, parameters={"dtype": dtype.name}))


def _reshapes(page: str, block_id: str, specs: _Specs) -> Iterator[Fix]:
    """Yields reshapes of each input to another's shape of equal size, then with one more axis."""
    most = max((len(spec.shape) for spec in specs.values()), default=0)
    for port, spec in specs.items():
        same = [other.shape for other in specs.values() if _size(other) == _size(spec)]
        more: list[Shape] = [(*spec.shape, 1), (1, *spec.shape)] if len(spec.shape) < most else []
        for shape in dict.fromkeys([*same, *more]):
            if shape != spec.shape:
                edit = partial(fixes.insert, page=page, target=Port(block_id, port), type_name="Reshape")
                yield Fix(f"Insert Reshape to {list(shape)}", partial(edit, parameters={"shape": shape}))


def _first_that_helps(problem: Problem, run: Evaluation, tries: _Tries) -> Fix | None:
    inferred = run.lowered.inferred
    page, block_id = _place(run.graph, problem.at)
    instance = inferred.expanded.instances.get(problem.at)
    if page is None or instance is None:
        return None
    specs = {port: inferred.specs[source] for port, source in instance.inputs.items() if source in inferred.specs}
    for _, fix in zip(range(TRIED), tries(page, block_id, specs), strict=False):
        if _helps(fix, problem, inferred):
            return fix
    return None


def _helps(fix: Fix, problem: Problem, inferred: Inferred) -> bool:
    """Returns whether the block loses its problem of that kind, and the graph has fewer errors."""
    try:
        after = infer_specs(fix.edit(inferred.graph)).problems
    except EditError:
        return False
    errors = [sum(item.severity == "error" for item in problems) for problems in (inferred.problems, after)]
    return errors[1] < errors[0] and not any((item.at, item.code) == (problem.at, problem.code) for item in after)


def _place(graph: Graph, path: str) -> tuple[str | None, str]:
    """Returns the name of the page with the block at a path, and the block's id."""
    prefix, block_id = split_path(path)
    pages = pages_along(graph, prefix)
    return (pages[-1].name if pages else None), block_id


def _size(spec: TensorSpec) -> int:
    return int(np.prod(spec.shape, dtype=np.int64))
