"""Functions of PyTorch with a gradient rule of their own: each half a page, with PyTorch's values and gradients."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.file_reading import loads
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Block, Graph, Port, Wire
from gradwire.interop.torch.versions import version_of

torch = pytest.importorskip("torch", minversion="2.9", reason="PyTorch 2.9 or newer is not installed")
INSTALLED = version_of(torch)
X = np.array([[0.5, -1.2, 2.0], [-0.3, 0.8, -2.5]], np.float32)
FACTORS = np.array([[1.5, -0.5, 0.7], [0.2, -1.1, 2.2]], np.float32)
CODES = np.array([[1.0, 0.0, 1.0], [-1.0, 0.5, -2.0]], np.float32)
Rule = Callable[..., Any]
Halves = tuple[Rule, Rule]


def function(halves: Halves, setup: Rule | None = None) -> Any:
    """Returns a function with these halves."""
    forward, backward = halves
    parts = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    parts |= {} if setup is None else {"setup_context": staticmethod(setup)}
    return type("Own", (torch.autograd.Function,), {**parts, "__module__": __name__})


def straight_sign() -> Halves:
    return (lambda _, x: x.sign()), (lambda _, g: g)


def reversal() -> Halves:
    def forward(ctx: Any, x: Any, factor: float = 0.3) -> Any:
        ctx.factor = factor
        return x.view_as(x)

    return forward, (lambda ctx, g: (-ctx.factor * g, None)[: len(ctx.needs_input_grad)])


def clipped_binary() -> Halves:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return torch.where(x >= 0, 1.0, -1.0)

    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        gradient = g.clone()
        gradient[x.abs() > 1] = 0
        return gradient

    return forward, backward


def clipped_gradient() -> Halves:
    return (lambda _, x: x.clone()), (lambda _, g: g * torch.clamp(0.1 / (g.norm() + 1e-6), max=1.0))


def stable_log1pexp() -> Halves:
    def forward(ctx: Any, x: Any) -> Any:
        e = torch.exp(x)
        ctx.save_for_backward(e)
        return torch.log1p(e)

    return forward, (lambda ctx, g: g * (1 - 1 / (1 + ctx.saved_tensors[0])))


def own_exp() -> Halves:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.y = x.exp()
        return ctx.y

    return forward, (lambda ctx, g: g * ctx.y)


def once() -> Halves:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.mask = x > 0
        return x * ctx.mask

    return forward, torch.autograd.function.once_differentiable(lambda ctx, g: 2 * g * ctx.mask)


def of_autocast() -> Halves:
    cast = {"device_type": "cpu"}
    return torch.amp.custom_fwd(lambda _, x: x * 2, **cast), torch.amp.custom_bwd(lambda _, g: g * 3, **cast)


def nothing() -> Halves:
    return (lambda _, x: 2 * x), (lambda *_: None)


ONE = [straight_sign, reversal, clipped_binary, clipped_gradient, stable_log1pexp, own_exp, once, of_autocast, nothing]


def gradients(graph: Graph) -> dict[str, Any]:
    run = run_graph(loads(dumps(graph)).graph)
    assert [item.message for item in run.snapshot.problems if item.severity == "error"] == []
    return {key.path.removeprefix("main/"): port.gradient for key, port in run.snapshot.ports.items()}


def compare(model: Rule, *arrays: Any) -> Graph:
    """Compares the gradients of a loss by its arguments, a, b and so on, with PyTorch's; returns its graph."""
    graph = gw.from_torch(model, *map(torch.tensor, arrays))
    starts = [torch.tensor(item, requires_grad=True) for item in arrays]
    model(*starts).backward()
    found = gradients(graph)
    for name, start in zip("abc", starts, strict=False):
        want = np.zeros(start.shape) if start.grad is None else start.grad.numpy()
        got = np.zeros(start.shape) if found[name] is None else found[name]
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-5, err_msg=name)
    return graph


@pytest.mark.parametrize("halves", ONE)
def test_a_function_is_a_page_with_its_own_gradient(halves: Callable[[], Halves]) -> None:
    own = function(halves())
    graph = compare(lambda a: (own.apply(a) * torch.tensor(FACTORS) + a.square()).sum(), X)
    assert graph.gradients == {"Own": "Own_gradient"}


def test_arguments_that_are_no_tensors_make_pages_of_their_own() -> None:
    own = function(reversal())
    graph = compare(lambda a: (own.apply(a, 2.0) * own.apply(a, 0.5) * own.apply(a.exp(), 2.0)).sum(), X)
    assert graph.gradients == {"Own": "Own_gradient", "Own_1": "Own_1_gradient"}


def test_a_setup_beside_the_forward_half() -> None:
    def setup(ctx: Any, inputs: Any, _: Any) -> None:
        ctx.save_for_backward(inputs[0])
        ctx.power = inputs[1]

    def backward(ctx: Any, g: Any) -> Any:
        return 7 * ctx.saved_tensors[0] ** ctx.power * g, None

    own = function(((lambda x, power=3: x**power), backward), setup)
    compare(lambda a: (own.apply(a) + own.apply(a, 2)).sum(), X)


def test_keywords_of_apply_are_taken_where_pytorch_takes_them() -> None:
    own = function(((lambda x, power=3: x**power), lambda _, g: (7 * g, None)), lambda *_: None)

    def loss(a: Any) -> Any:
        return own.apply(a, power=2).sum()

    if INSTALLED >= (2, 13):
        compare(loss, X)
        return
    said = "apply() takes no keyword arguments; PyTorch 2.13 and newer can do this"
    with pytest.raises(gw.GradwireError, match=re.escape(said)):
        gw.from_torch(loss, torch.tensor(X))
    assert said in str(gw.why(loss, torch.tensor(X)))


@pytest.mark.skipif("INSTALLED < (2, 13)", reason="boxed_grads_call is of PyTorch 2.13")
def test_a_backward_half_may_take_a_list_of_all_gradients() -> None:
    own = function(((lambda _, x: (x.sin(), x.cos())), lambda _, g: 3 * g[0] - g[1]))
    own.boxed_grads_call = True
    graph = compare(lambda a: (own.apply(a)[0] * torch.tensor(FACTORS) + own.apply(a)[1]).sum(), X)
    assert graph.gradients == {"Own": "Own_gradient"}


def test_several_results_one_of_which_has_no_gradient() -> None:
    def forward(ctx: Any, x: Any, codes: Any) -> Any:
        near = (x[:, None] - codes).square().sum(-1).argmin(1)
        ctx.save_for_backward(near, codes)
        ctx.mark_non_differentiable(near)
        return codes[near], near

    def backward(ctx: Any, g: Any, _: Any) -> Any:
        near, codes = ctx.saved_tensors
        return g, torch.zeros_like(codes).index_add(0, near, 3 * g) if ctx.needs_input_grad[1] else None

    own = function((forward, backward))
    graph = compare(lambda a, b: (own.apply(a, b)[0] * torch.tensor(FACTORS)).square().sum(), X, CODES)
    assert graph.gradients == {"Own": "Own_gradient"}


def test_no_gradient_passes_a_result_that_is_marked() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        other = x.square()
        ctx.mark_non_differentiable(other)
        return x.round(), other

    own = function((forward, lambda _, g, h: g + h))
    compare(lambda a: (own.apply(a)[0] * 2 + own.apply(a)[1]).sum(), X)


def test_gradients_are_summed_to_the_shape_of_their_input() -> None:
    own = function((lambda _, x, b: x * b, lambda _, g: (g, g)))
    compare(lambda a, b: (own.apply(a, b) * torch.tensor(FACTORS)).sum(), X, X[0])


def test_a_function_alone_and_in_modules() -> None:
    own = function(straight_sign())
    assert gw.from_torch(own, torch.tensor(X)).gradients == gw.from_torch(own.apply, torch.tensor(X)).gradients
    block = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.Linear(3, 3))
    block.forward = lambda x: block[1](own.apply(block[0](x)))
    graph = gw.from_torch(torch.nn.Sequential(block, block), torch.tensor(X))
    assert graph.gradients == {"Own": "Own_gradient"}


def test_second_derivatives_go_through_the_rule() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.sign()

    own = function((forward, lambda ctx, g: g * torch.cos(ctx.saved_tensors[0]) * 3))
    x = torch.tensor(X, requires_grad=True)
    (first,) = torch.autograd.grad(own.apply(x).sum(), x, create_graph=True)
    (wanted,) = torch.autograd.grad(first.square().sum(), x)
    graph = gw.from_torch(lambda a: own.apply(a).sum(), torch.tensor(X))
    main = graph.page("main")
    (loss,) = [block.id for block in main.blocks.values() if block.type == "Loss"]
    end = main.wires[Port(loss, "x")].source
    blocks = {**main.blocks, "d": Block("d", "Gradients"), "q": Block("q", "Square")}
    pairs = {
        Port("d", "y"): end, Port("d", "xs_0"): Port("a", "y"), Port("q", "x"): Port("d", "g_0"),
        Port(loss, "x"): Port("q", "y"),
    }  # fmt: skip
    wires = {**main.wires, **{target: Wire(source, target) for target, source in pairs.items()}}
    found = gradients(replace(graph, pages=(replace(main, blocks=blocks, wires=wires), *graph.pages[1:])))
    np.testing.assert_allclose(found["a"], wanted.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(
    ("backward", "said"),
    [
        (lambda _, g: g * 3 if g.sum() > 0 else g, "it decides by the numbers of a tensor"),
        (lambda _, g: torch.as_tensor(g.numpy() * 3), "PyTorch cannot export the model"),
    ],
)
def test_a_rule_that_cannot_be_traced_is_refused_with_its_line(backward: Rule, said: str) -> None:
    own = function(((lambda _, x: x.square()), backward))

    def loss(a: Any) -> Any:
        return own.apply(a).sum()

    sentence = (
        rf"gradient of a is not PyTorch's; test_own_functions\.py:\d+ has a rule of its own .*{said}.* check=False"
    )
    with pytest.raises(gw.GradwireError, match=sentence):
        gw.from_torch(loss, torch.tensor(X))
    assert any(
        "autograd.Function" in notice for notice in gw.notices(gw.from_torch(loss, torch.tensor(X), check=False))
    )


def test_a_page_that_lets_no_gradient_through_is_named() -> None:
    own = function(nothing())
    layer = torch.nn.Linear(3, 2)

    def loss(a: Any) -> Any:
        return own.apply(layer(a)).sum()

    found = {item.parameter: item for item in gw.why(loss, torch.tensor(X)).findings}
    assert {item.status for item in found.values()} == {"blocked"}
    assert all("Own.apply at test_own_functions.py" in item.sentence for item in found.values())
