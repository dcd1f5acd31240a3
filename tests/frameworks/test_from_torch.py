"""Live modules and functions of PyTorch: their gradients, names and lines, and what is refused beside its backward."""

from __future__ import annotations

import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph

torch = pytest.importorskip("torch", minversion="2.9", reason="PyTorch 2.9 or newer is not installed")
functional, tree_leaves = torch.nn.functional, torch.utils._pytree.tree_leaves
# Each model is made by a function: without PyTorch there is no class of its modules.


def network() -> Any:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.ReLU(), torch.nn.Linear(4, 2))


def given(*shape: int) -> Any:
    return torch.tensor(np.random.default_rng(1).normal(size=shape), dtype=torch.float32)


def rounding(gradient: Callable[[Any], Any]) -> Any:
    """Returns a rounding with a gradient rule of its own."""

    class Round(torch.autograd.Function):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        @staticmethod
        def forward(_: Any, x: Any) -> Any:
            return x.round()

        @staticmethod
        def backward(_: Any, g: Any) -> Any:
            return gradient(g)

    return Round


def halved(x: Any) -> Any:
    with torch.autocast("cpu"):
        return (x @ x).sum()


def gradients(graph: Graph) -> dict[str, Array]:
    found = run_graph(graph).snapshot.ports
    sources = {
        block.id for page in graph.pages for block in page.blocks.values() if block.type in ("Input", "Variable")
    }
    ends = {key.path.rpartition("/")[2]: port.gradient for key, port in found.items()}
    return {name: np.asarray(ends[name]) for name in sources}


def test_a_module_has_pytorchs_gradients_and_stays_as_it_was() -> None:
    model, x, y = network(), given(5, 3), given(5, 2)
    before = {name: item.clone() for name, item in model.state_dict().items()}
    random = torch.random.get_rng_state()

    def loss(x: Any, labels: Any, *, scale: float = 2.0) -> Any:
        return functional.mse_loss(model(x), labels) * scale

    found = gradients(gw.from_torch(loss, labels=y, x=x))
    assert all(torch.equal(before[name], item) for name, item in model.state_dict().items())
    assert all(item.grad is None for item in model.parameters())
    assert torch.equal(random, torch.random.get_rng_state())
    start = x.clone().requires_grad_()
    loss(start, y).backward()
    wanted = {f"model_{name.replace('.', '_')}": item.grad for name, item in model.named_parameters()}
    wanted["x"] = start.grad
    for name, want in wanted.items():
        np.testing.assert_allclose(found[name], want.numpy(), rtol=1e-4, atol=1e-6, err_msg=name)
    assert found.keys() == wanted.keys() | {"labels"}


def test_arguments_are_named_by_their_paths_and_blocks_have_lines() -> None:
    def loss(batch: Any, *, scale: Any) -> Any:
        return (batch["x"] * batch["mask"] * scale).sum()

    graph = gw.from_torch(loss, {"x": np.ones(3), "mask": np.array([1.0, 0.0, 1.0])}, scale=given(3))
    page = graph.page("main")
    assert {block.id for block in page.blocks.values() if block.type == "Input"} == {"batch_x", "batch_mask", "scale"}
    line = loss.__code__.co_firstlineno + 1
    assert {block.extra.get("origin") for block in page.blocks.values()} >= {f"test_from_torch.py:{line}"}


def test_a_batch_norm_that_is_called_twice_comes_in() -> None:
    class Model(torch.nn.BatchNorm1d):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def forward(self, x: Any) -> Any:
            return super().forward(super().forward(x).square()).pow(3).sum()

    model, x = Model(3), given(5, 3)
    start = x.clone().requires_grad_()
    model(start).backward()
    np.testing.assert_allclose(gradients(gw.from_torch(Model(3), x))["x"], start.grad.numpy(), rtol=1e-4, atol=1e-4)


def test_a_method_has_the_parameters_of_its_module() -> None:
    class Model(torch.nn.Linear):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def step(self, x: Any) -> Any:
            return self(x).square().sum()

    model = Model(3, 2)
    model.register_forward_hook(lambda _, __, y: y * 2)
    found = gradients(gw.from_torch(model.step, given(2, 3)))
    model.step(given(2, 3)).backward()
    assert found.keys() == {"weight", "bias", "x"}
    np.testing.assert_allclose(found["weight"], model.weight.grad.numpy(), rtol=1e-4)


def test_values_go_back_by_the_names_of_parameters() -> None:
    model, other, x = network(), network(), given(5, 3)
    with torch.no_grad():
        for item in other.parameters():
            item.add_(1)
    back = {name: torch.tensor(item) for name, item in gw.values(gw.from_torch(other, x)).items()}
    found = model.load_state_dict(back, strict=False)
    assert found.unexpected_keys == []
    assert {name for name, _ in model.named_parameters()}.isdisjoint(found.missing_keys)
    assert all(torch.equal(first, second) for first, second in zip(model.parameters(), other.parameters(), strict=True))


def test_a_module_that_keeps_what_it_computes_stays_as_it_was() -> None:
    class Model(torch.nn.Linear):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def __init__(self, *sizes: int) -> None:
            super().__init__(*sizes)
            self.seen: list[Any] = []
            self.last: Any = None

        def forward(self, x: Any) -> Any:
            self.last = self.hidden = super().forward(x).tanh()
            self.seen.append(self.hidden)
            return self.hidden.square()

    for model in (Model(3, 2), torch.nn.Sequential(Model(3, 2))):
        kept = [*model.modules()][-1]
        assert gradients(gw.from_torch(model, given(5, 3))).keys() >= {"x" if kept is model else "input"}
        assert gw.why(model, given(5, 3)).ok
        assert kept.seen == [] and kept.last is None and not hasattr(kept, "hidden")


@pytest.mark.parametrize("kind", ["GRU", "LSTM", "RNN"])
def test_a_recurrent_layer_comes_in_alone(kind: str) -> None:
    torch.manual_seed(0)
    model, x = getattr(torch.nn, kind)(3, 4), given(2, 1, 3)
    start = x.clone().requires_grad_()
    result, _ = model(start)
    found = gradients(gw.from_torch(lambda x: model(x)[0].square().sum(), x))
    result.square().sum().backward()
    np.testing.assert_allclose(found["x"], start.grad.numpy(), rtol=1e-4, atol=1e-6)
    states = gw.from_torch(lambda x: tree_leaves(model(x))[-1].sum(), x)
    assert gradients(states).keys() >= {"x"}
    assert gradients(gw.from_torch(model, x)).keys() == {"input", *dict(model.named_parameters())}


def test_results_may_be_a_named_tuple_and_hooks_know_them() -> None:
    class Results(NamedTuple):
        first: Any
        second: Any

    model = torch.nn.Linear(3, 2)
    model.register_forward_hook(lambda _, __, y: Results(y, y.tanh()))
    graph = gw.from_torch(model, given(5, 3))
    wanted = model(given(5, 3))
    run = gw.evaluate(graph, strict=False)
    np.testing.assert_allclose(np.asarray(run.value("output_1")), wanted.second.detach().numpy(), rtol=1e-5)


@pytest.mark.filterwarnings("ignore:.torch.jit:DeprecationWarning")
def test_what_was_compiled_comes_in_as_it_was_before() -> None:
    model = network().eval()
    names = gradients(gw.from_torch(model, given(5, 3))).keys()
    assert gradients(gw.from_torch(torch.compile(model), given(5, 3))).keys() == names


def test_an_exported_program_comes_in_with_its_own_arguments() -> None:
    x = given(5, 3)
    graph = gw.from_torch(torch.export.export(network().eval(), (x,)))
    (found,) = [block for block in graph.page("main").blocks.values() if block.type == "Input"]
    np.testing.assert_array_equal(found.parameters["value"], x.numpy())


def test_a_rule_that_is_the_gradient_of_its_forward_comes_in() -> None:
    zero = rounding(torch.zeros_like)
    graph = gw.from_torch(lambda x: (zero.apply(x) * x).sum(), given(3))
    assert not any("autograd.Function" in notice for notice in gw.notices(graph))


def test_a_hook_that_changes_a_gradient_is_refused() -> None:
    model = torch.nn.Linear(3, 2)
    model.weight.register_hook(lambda g: g.clamp(-0.01, 0.01))
    with pytest.raises(gw.GradwireError, match=r"gradient of weight is not PyTorch's; the model has a rule .* hook"):
        gw.from_torch(model, given(2, 3))


def test_ties_explain_their_own_gradients_and_no_lost_rules() -> None:
    x = given(3)
    graph = gw.from_torch(lambda a, b: torch.maximum(a, b).sum(), x, x.clone())
    assert any("of two equal numbers" in notice for notice in gw.notices(graph))
    straight = rounding(lambda g: g if g.sum() > 0 else -g)
    with pytest.raises(gw.GradwireError, match=r"is not PyTorch's; .* has a rule of its own"):
        gw.from_torch(lambda a, b: (straight.apply(a) * torch.maximum(b, b.clone())).sum(), x, x.clone())


AT_KINKS: dict[str, tuple[Callable[..., Any], list[list[float]]]] = {
    "clamp": (lambda a: a.clamp(0, 1), [[0, 0.5, 1, 2]]),
    "clamp_min": (lambda a: a.clamp(min=0), [[0, 1]]),
    "clip by tensors": (lambda a, b: a.clamp(b, b + 1), [[0, 0.5, 1, 2], [0, 0, 0, 0]]),
    "hardtanh": (lambda a: functional.hardtanh(a), [[-1, 0, 1]]),
    "selu": (lambda a: functional.selu(a), [[0, 1]]),
    "maximum": (lambda a, b: torch.maximum(a, b), [[1, 2], [1, 1]]),
    "norm": (lambda a: a.norm(), [[0, 0]]),
    "std": (lambda a: a.std(), [[2, 2]]),
    "dist": (lambda a, b: torch.dist(a, b), [[1], [1]]),
    "pow": (lambda a, b: a**b, [[0, 2], [0, 1]]),
    "xlogy": (lambda a, b: torch.xlogy(a, b), [[0, 1], [0, 2]]),
    "cumprod": (lambda a: a.cumprod(0), [[0, 2, 3]]),
    "atan2": (lambda a, b: torch.atan2(a, b), [[0, 1], [0, 1]]),
    "margin_ranking": (lambda a, b: functional.margin_ranking_loss(a, b, torch.ones(1)), [[1], [1]]),
    "hinge_embedding": (lambda a: functional.hinge_embedding_loss(a, torch.tensor([-1, 1])), [[1, 1]]),
    "cosine_embedding": (
        lambda a, b: functional.cosine_embedding_loss(a[None], b[None], -torch.ones(1)),
        [[1, 0], [0, 1]],
    ),
    "triplet": (lambda a, b: functional.triplet_margin_loss(a[None], b[None], b[None] + 1), [[0, 1], [0, 2]]),
}


@pytest.mark.parametrize("name", AT_KINKS)
def test_at_a_kink_the_gradient_is_pytorchs_or_a_notice_says_so(name: str) -> None:
    function, numbers = AT_KINKS[name]

    def loss(*given: Any) -> Any:
        return function(*given).sum()

    arrays = [np.array(item, np.float32) for item in numbers]
    graph = gw.from_torch(loss, *arrays)
    starts = [torch.tensor(item, requires_grad=True) for item in arrays]
    loss(*starts).backward()
    found = gradients(graph)
    pairs = [(found[f"given_{place}"], start.grad.numpy()) for place, start in enumerate(starts)]
    is_same = all(np.allclose(got, want, rtol=1e-4, atol=1e-5, equal_nan=True) for got, want in pairs)
    assert is_same or any("PyTorch" in notice and "Saved by" not in notice for notice in gw.notices(graph))


def test_outputs_whose_sum_never_changes_are_compared_all_the_same() -> None:
    assert gradients(gw.from_torch(torch.nn.Softmax(1), given(2, 3))).keys() == {"input"}
    straight = rounding(lambda g: 3 * g if g.sum() > 0 else g)
    with pytest.raises(gw.GradwireError, match=r"has a rule of its own"):
        gw.from_torch(lambda x: straight.apply(x.softmax(-1)) + x.softmax(-1), given(2, 3))


def test_gradients_that_only_rounding_leaves_are_no_difference() -> None:
    def straight_through(x: Any) -> Any:
        soft = x.softmax(-1)
        return (functional.one_hot(x.argmax(-1), 4).float() + soft - soft.detach()).sum()

    assert "x" in gradients(gw.from_torch(straight_through, given(2, 4)))


def test_a_softplus_that_is_linear_early_comes_in() -> None:
    graph = gw.from_torch(torch.nn.Softplus(2, 1), torch.tensor([-1.0, 0.3, 0.7, 4.0]))
    run = gw.evaluate(graph, strict=False)
    np.testing.assert_allclose(
        np.asarray(run.value("output")), [np.log1p(np.exp(-2)) / 2, np.log1p(np.exp(0.6)) / 2, 0.7, 4], 1e-6
    )


def test_distributions_come_in_though_they_check_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    # PyTorch's compiler turns the checks off for good when a test before this one uses it.
    monkeypatch.setattr(torch.distributions.Distribution, "_validate_args", True)

    def loss(mean: Any, deviation: Any, x: Any) -> Any:
        return -torch.distributions.Normal(mean, deviation).log_prob(x).sum()

    given_ones = given(3), torch.full((3,), 2.0), torch.tensor([0.5, -1.0, 3.0])
    mean, deviation, x = (item.numpy() for item in given_ones)
    found = gradients(gw.from_torch(loss, *given_ones))
    np.testing.assert_allclose(found["mean"], (mean - x) / deviation**2, rtol=1e-5)
    np.testing.assert_allclose(found["deviation"], 1 / deviation - (x - mean) ** 2 / deviation**3, rtol=1e-5)
    # The check itself stays: a run has it before.
    with pytest.raises(gw.GradwireError, match="does not run in PyTorch"):
        gw.from_torch(loss, given(3), -torch.ones(3), given(3))


def test_a_loss_whose_target_takes_no_gradient_comes_in() -> None:
    target = torch.tensor([1.0, -1.0, 1.0])
    assert "target" in gradients(gw.from_torch(torch.nn.SoftMarginLoss(), given(3), target))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: gw.from_torch(network(), given(5, 4)), r"does not run in PyTorch: mat1 and mat2"),
        (lambda: gw.from_torch(network()), r"do not fit the model: missing a required argument: 'input'"),
        (lambda: gw.from_torch(halved, given(3, 3)), r"autocast chooses other dtypes; export the model without it"),
        (
            lambda: gw.from_torch(lambda x: torch.sinc(x), given(3)),
            r"aten\.sinc\.default \(1 node at test_from_\w+\.py:\d+\)",
        ),
        (lambda: gw.from_torch(3), r"takes a module or a function of PyTorch, not a int"),
        (lambda: gw.from_torch(torch.nn.Dropout(), given(3)), r"dropout is active; call \.eval\(\)"),
        (lambda: gw.from_torch(lambda x: x if x.sum() > 0 else -x, given(3)), r"cannot export the model"),
        (
            lambda: gw.from_torch(torch.nn.LazyBatchNorm1d(), given(5, 3)),
            r"lazy and has no sizes yet; call the model once",
        ),
        (lambda: gw.from_torch(lambda x: torch.func.grad(torch.sum)(x), given(3)), r"PyTorch cannot|without blocks"),
    ],
)
def test_a_model_that_cannot_come_in_is_refused_in_one_sentence(
    call: Callable[[], Graph], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(gw.GradwireError, match=said) as found:
        call()
    assert "\n" not in str(found.value)
    assert capsys.readouterr() == ("", "")


def test_a_decision_in_an_installed_package_asks_for_a_part_of_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "site-packages" / "boxes"
    folder.mkdir(parents=True)
    file = folder / "keep.py"
    file.write_text("def keep(x):\n    return x if x.sum() > 0 else -x\n")
    keep = runpy.run_path(str(file))["keep"]
    sentence = r"keep\.py:2: .* this line is boxes's, so give a part of the model that ends before it"
    with pytest.raises(gw.GradwireError, match=sentence):
        gw.from_torch(lambda x: keep(x * 2), given(3))


def test_elements_that_rounding_puts_on_either_side_of_a_kink_are_no_other_gradient() -> None:
    x = np.random.default_rng(2).uniform(0, 4, 40_000).astype(np.float32)
    theirs, ours = torch.exp(torch.tensor(x)).numpy(), np.exp(x)
    level = np.zeros_like(x)
    (places,) = np.nonzero(theirs != ours)
    # There one of the two has zero before the kink, and the other the smallest step above it.
    level[places[:4]] = np.minimum(theirs, ours)[places[:4]]
    graph = gw.from_torch(lambda x: torch.relu(torch.exp(x) - torch.tensor(level)).sum(), torch.tensor(x))
    assert "x" in graph.page("main").blocks
