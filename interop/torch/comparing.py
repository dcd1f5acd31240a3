"""One backward pass of PyTorch beside ours; what an export loses without a word shows there.

The gradients of the module are compared with those of the graph. Where they differ, those of the exported program say
whether the export lost a rule, or a tie or kink has another convention here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from gradwire.blocks.support.conventions import Convention, conventions_of
from gradwire.engine.autodiff.graph_from_expressions import Trace, trace
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.interop.models.own_pages import with_own_pages
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.reading import Reading
from gradwire.interop.torch.exporting import FAULTS, Call, array_of, first_line
from gradwire.interop.torch.tracing import restored
from gradwire.interop.torch.versions import Torch, pytorch

# Gradients may differ by this share of their largest number.
_ROOM: Final = 1e-3
# What rounding may leave of terms of size 1. Units: steps of the dtype.
_ROUNDING: Final = 16
# Where rounding decides on which side of a kink some elements lie, gradients may differ by this share of their length.
_ROOM_OF_LENGTH: Final = 0.02
# Its place in the table of conventions.
_PYTORCH: Final = 1
_BENT_AT_ZERO: Final = frozenset(("Relu", "Relu6", "LeakyRelu", "Selu", "Abs"))


@dataclass(frozen=True)
class Run:
    """The results of a module, None for what is no tensor of floats, and the gradients of their weighed sum.

    Gradients have the names of parameters; those of the arguments follow in their order.
    """

    outputs: Sequence[Array | None]
    parameters: Mapping[str, Array]
    arguments: Sequence[Array | None]


def run(call: Call) -> Run:
    """Returns what PyTorch computes; the module, its state, its gradients and the random numbers stay as they were.

    Raises: ModelRefusal, with PyTorch's reason, if the model does not run.
    """
    try:
        return _run(call, is_by_arguments=True)
    except ModelRefusal:
        # Some losses of PyTorch refuse targets that want a gradient.
        return _run(call, is_by_arguments=False)


def _run(call: Call, is_by_arguments: bool) -> Run:
    """Returns what PyTorch computes, with gradients by the arguments too if that is wanted."""
    torch = pytorch()
    tree = torch.utils._pytree
    flat, shape = tree.tree_flatten((call.arguments, dict(call.keywords)))
    is_leaf = [is_by_arguments and is_float(torch, item) for item in flat]
    leaves = [
        item.detach().clone().requires_grad_() if is_wanted else None
        for item, is_wanted in zip(flat, is_leaf, strict=True)
    ]
    parameters = _parameters(call)
    state = {**parameters, **{name: item.clone() for name, item in call.module.named_buffers(remove_duplicate=False)}}
    with torch.enable_grad(), torch.random.fork_rng(devices=[]):
        # What writes into its argument may do so into a copy, not into a leaf.
        given = [_copy(torch, item) if leaf is None else leaf.clone() for item, leaf in zip(flat, leaves, strict=True)]
        arguments, keywords = tree.tree_unflatten(given, shape)
        try:
            with restored(torch, call.module):
                result = torch.func.functional_call(call.module, state, arguments, keywords)
            outputs = tree.tree_leaves(result)
            trained = {name: item for name, item in parameters.items() if item.requires_grad}
            starts = [*trained.values(), *(leaf for leaf in leaves if leaf is not None)]
            found = iter(_gradients(torch, outputs, starts))
        except FAULTS as error:
            raise ModelRefusal(f"The model does not run in PyTorch: {first_line(error)}.") from error
    return Run(
        [array_of(item) if is_float(torch, item) else None for item in outputs],
        {name: next(found) for name in trained},
        [None if leaf is None else next(found) for leaf in leaves],
    )


def refuse_other_gradients(
    reading: Reading, wanted: Run, call: Call, program: Torch, refusals: Sequence[str] = ()
) -> list[str]:
    """Compares the values and gradients of PyTorch with those of the blocks.

    Returns notices of the kinks that explain other gradients. `refusals` say why rules of their own have no pages.
    Raises: ModelRefusal for what is not PyTorch's, unless a known kink explains it.
    """
    ours = _Ours(reading, refusals)
    for place, (want, output) in enumerate(zip(wanted.outputs, reading.outputs, strict=True)):
        if want is not None and isinstance(output, Expression) and not _agree(ours.value(output), want, 0):
            raise ModelRefusal(f"The value of output {place} is not PyTorch's; this model is not read as it is meant.")
    gradients = _by_leaf(reading, wanted, program)
    other = ours.other(gradients)
    if not other:
        return []
    lost = _by_leaf(reading, run(Call(program.module(), call.arguments, call.keywords, program)), program)
    scale = _scale(gradients)
    for name in other:
        if not _agree(lost[name], gradients[name], scale):
            raise ModelRefusal(f"The gradient of {name} is not PyTorch's; {ours.lost_rule(name)}.")
    unlike = [name for name in ours.other(lost) if not ours.is_rounded(name, lost)]
    unexplained = [name for name in unlike if name not in ours.below_kinks]
    if unexplained:
        raise ModelRefusal(
            f"The gradient of {unexplained[0]} is not PyTorch's, and no known kink explains it; "
            "check=False shows the graph all the same."
        )
    return ours.notices_of_kinks() if unlike else []


class _Ours:
    """Values and gradients of the blocks, with the outputs weighed as in PyTorch."""

    def __init__(self, reading: Reading, refusals: Sequence[str]) -> None:
        self._reading, self._refusals = reading, refusals
        outputs = [item for item in reading.outputs if isinstance(item, Expression)]
        losses = [library["Loss"](item, weights_of(item)) for item in outputs if item.spec.is_differentiable]
        leaves = [item for item in reading.leaves.values() if isinstance(item, Expression)]
        self._roots = [*losses, *outputs, *leaves]
        self._trace: Trace = trace(self._roots)
        # Why gradients are zero, which a snapshot says, would take twice as long as the gradients.
        self._run: Evaluation = run_graph(with_own_pages(self._trace.graph, reading.own_pages.values()))

    def value(self, expression: Expression) -> Array:
        """Returns a value.

        Raises: ModelRefusal, with the reason, where an error hides it.
        """
        found = self._run.tensor(self._trace.ports[expression], is_gradient=False)
        if found is None:
            raise ModelRefusal(next(item.message for item in self._run.snapshot.problems if item.severity == "error"))
        return found

    def other(self, wanted: Mapping[str, Array]) -> list[str]:
        """Returns the leaves whose gradient is another one."""
        scale = _scale(wanted)
        return [name for name, want in wanted.items() if not _agree(self._gradient(name), want, scale)]

    def is_rounded(self, name: str, wanted: Mapping[str, Array]) -> bool:
        """Returns whether a gradient differs only as far as rounding decides about elements next to a kink."""
        got, want = self._gradient(name).astype(float), wanted[name].astype(float)
        is_near = float(np.linalg.norm(got - want)) <= _ROOM_OF_LENGTH * float(np.linalg.norm(want))
        return is_near and name in self._below_bends

    @cached_property
    def _below_bends(self) -> set[str]:
        """The leaves on which a block depends whose input is zero at some element, as far as rounding can tell."""
        bends = [item for item in topological_order(self._roots) if item.type.name in _BENT_AT_ZERO]
        pairs = ((item, x) for item in bends for x in item.inputs if x is not None)
        return self._leaves_of(item for item, x in pairs if _reaches_zero(self.value(x)))

    def _leaves_of(self, applications: Iterable[Application]) -> set[str]:
        sources = _sources(applications)
        return {name for name, leaf in self._reading.leaves.items() if leaf.application in sources}

    @cached_property
    def below_kinks(self) -> set[str]:
        """The leaves on which a block depends that lies on a tie or kink now."""
        return self._leaves_of(self._kinks)

    @cached_property
    def _kinks(self) -> dict[Application, Convention]:
        """The blocks that stand where PyTorch chooses another gradient."""
        found = ((item, self._kink_of(item)) for item in topological_order(self._roots))
        return {item: convention for item, convention in found if convention is not None}

    def notices_of_kinks(self) -> list[str]:
        """Returns a line for each such block in whose line of source nothing is said of that yet."""
        found = dict[str, None]()
        for item, convention in self._kinks.items():
            origin = self._reading.origins.get(item)
            where = origin.text or origin.operation if origin is not None else item.type.name
            if not any(notice.startswith(f"{where}: ") for notice in self._reading.notices):
                chosen = convention.rules[_PYTORCH].sentence
                found[f"{where}: {item.type.name} is where PyTorch chooses another gradient. {chosen}"] = None
        return [*found]

    def lost_rule(self, name: str) -> str:
        """Returns a clause that says which line has the rule that is missing in the export."""
        leaf = self._reading.leaves[name].application
        for line, results in self._reading.own_rules:
            if line and leaf in _sources(item.application for item in results if isinstance(item, Expression)):
                return f"{line} has a rule of its own (autograd.Function){self._reason}"
        return "the model has a rule of its own (a hook or an autograd.Function), which torch.export leaves out"

    @property
    def _reason(self) -> str:
        """A clause that says why a rule has no page, "" where that is unknown."""
        said = next(iter(self._refusals), "")
        return f", which cannot be traced: {said}; check=False shows the graph without it" if said else ""

    def _gradient(self, name: str) -> Array:
        leaf = self._reading.leaves[name]
        found = self._run.tensor(self._trace.ports[leaf], is_gradient=True)
        return np.zeros(leaf.shape) if found is None else found

    def _kink_of(self, application: Application) -> Convention | None:
        """Returns the convention for the point where a block stands, if PyTorch's is another one."""
        conventions = conventions_of(application.type.name)
        if not conventions or any(item is None for item in application.inputs):
            return None
        xs = [self.value(item) for item in application.inputs if item is not None]
        with np.errstate(all="ignore"):
            results = application.type.function(*xs, **application.parameters)
        ys = results if isinstance(results, tuple) else (results,)
        found = (item for item in conventions if item.explains(_PYTORCH, xs, ys, **application.parameters))
        return next(found, None)


def _reaches_zero(x: Array) -> bool:
    step = float(np.finfo(x.dtype).eps)
    return bool(np.any(np.abs(x) <= _ROUNDING * step * _largest([x])))


def _sources(applications: Iterable[Application]) -> set[Application]:
    """Returns all on which some applications depend, and themselves."""
    found, waiting = set[Application](), [*applications]
    while waiting:
        application = waiting.pop()
        if application not in found:
            found.add(application)
            waiting += [item.application for item in application.inputs if item is not None]
    return found


def _by_leaf(reading: Reading, found: Run, program: Torch) -> dict[str, Array]:
    """Returns the gradients by the names that the leaves have in the program."""
    names = program.graph_signature.user_inputs
    of_inputs = {name: item for name, item in zip(names, found.arguments, strict=True) if item is not None}
    both = {**found.parameters, **of_inputs}
    return {name: both[name] for name in reading.leaves if name in both}


def _gradients(torch: Torch, outputs: Sequence[Any], starts: Sequence[Any]) -> list[Array]:
    """Returns the gradients of the weighed sum of all outputs; zeros where no path leads."""
    ends = [item for item in outputs if isinstance(item, torch.Tensor) and item.requires_grad]
    if not ends or not starts:
        return [np.zeros(tuple(item.shape)) for item in starts]
    weights = [torch.as_tensor(weights_of(array_of(item)), dtype=item.dtype, device=item.device) for item in ends]
    found = torch.autograd.grad(ends, starts, grad_outputs=weights, allow_unused=True)
    pairs = zip(found, starts, strict=True)
    return [np.zeros(tuple(start.shape)) if item is None else array_of(item) for item, start in pairs]


def _parameters(call: Call) -> dict[str, Any]:
    """Returns the parameters by all of their names; those of a program are copies, without the hooks of the module."""
    named = dict(call.module.named_parameters(remove_duplicate=False))
    if call.program is None:
        return named
    copies = {id(item): item.detach().clone().requires_grad_(item.requires_grad) for item in named.values()}
    return {name: copies[id(item)] for name, item in named.items()}


def weights_of(output: Expression | Array) -> Array:
    """Returns the weights of an output: near 1, and not all equal, for which a softmax has no gradient."""
    return (1 + np.sin(np.arange(math.prod(output.shape))) / 2).reshape(output.shape).astype(output.dtype)


def _agree(got: Array, want: Array, scale: float) -> bool:
    """Returns whether arrays agree within the room; NaN and infinities have to be the same.

    `scale` is the size of terms that may have cancelled.
    """
    if got.shape != want.shape:
        return False
    step = max(float(np.finfo(item.dtype).eps) for item in (got, want))
    room = max(_ROOM * _largest([want]), _ROUNDING * step * scale)
    return bool(np.allclose(got.astype(float), want.astype(float), rtol=0, atol=room, equal_nan=True))


def _scale(gradients: Mapping[str, Array]) -> float:
    """Returns the size of the largest gradient, at least that of the loss itself."""
    return max(1.0, _largest(gradients.values()))


def _largest(arrays: Iterable[Array]) -> float:
    finite = [np.abs(array[np.isfinite(array)]) for array in arrays]
    return max((float(array.max()) for array in finite if array.size), default=0.0)


def is_float(torch: Torch, item: Any) -> bool:
    """Returns whether something is a tensor of floats."""
    return isinstance(item, torch.Tensor) and item.is_floating_point()


def _copy(torch: Torch, item: Any) -> Any:
    return item.clone() if isinstance(item, torch.Tensor) else item
