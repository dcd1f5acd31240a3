"""`gw.why` on live modules: broken ones with parameter, cause and line, healthy ones without an alarm."""

from __future__ import annotations

import logging

import pytest

import gradwire as gw
from tests.frameworks.installed import INSTALLED

torch = pytest.importorskip("torch", minversion="2.9", reason="PyTorch 2.9 or newer is not installed")
if "torch" in INSTALLED:
    from tests.frameworks.broken_models import CASES, Broken, DeadByBias, Net, X, Y
    from tests.frameworks.healthy_models import CASES as HEALTHY

nn, functional = torch.nn, torch.nn.functional


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
# PyTorch warns about some of these mistakes.
@pytest.mark.filterwarnings(
    "ignore:To copy construct from a tensor:UserWarning", r"ignore:std\(\)..degrees:UserWarning"
)
def test_a_mistake_is_named_with_its_parameters_and_its_line(case: Broken) -> None:
    report = gw.why(case.kind(), *case.arguments)
    first, faults = report.findings[0], [item for item in report.findings if not item.is_note]
    found = {item.parameter for item in faults} - {"loss"}
    # Where a gradient becomes too small is a matter of degree.
    assert found >= case.parameters if case.status == "vanishing" else found == case.parameters, str(report)
    assert first.status == case.status, str(report)
    assert case.words in first.reason
    if case.where:
        assert first.where == case.where, str(report)
    assert not report.ok
    assert first.parameter in str(report) and first.where in str(report)


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_model_gives_no_alarm(name: str) -> None:
    torch.manual_seed(0)
    model, arguments = HEALTHY[name]()
    report = gw.why(model, *arguments)
    assert report.ok, str(report)
    assert str(report).startswith(("Every gradient flows", "Nothing is wrong"))


def test_a_model_stays_as_it_was() -> None:
    model, norm = DeadByBias(), nn.BatchNorm1d(4)
    before = {name: item.clone() for name, item in [*model.state_dict().items(), *norm.state_dict().items()]}
    random, apply = torch.random.get_rng_state(), vars(torch.autograd.Function)["apply"]
    gw.why(lambda x, y: model(norm(x), y), X, Y)
    after = {**model.state_dict(), **norm.state_dict()}
    assert all(torch.equal(before[name], item) for name, item in after.items())
    assert all(item.grad is None for item in model.parameters())
    assert torch.equal(random, torch.random.get_rng_state())
    assert vars(torch.autograd.Function)["apply"] is apply
    assert logging.root.manager.disable == logging.NOTSET


def test_a_note_says_what_is_without_effect_and_what_is_frozen() -> None:
    model = nn.Sequential(nn.Linear(4, 5), nn.BatchNorm1d(5), nn.Linear(5, 2))
    model[2].weight.requires_grad_(False)
    report = gw.why(lambda x, y: functional.mse_loss(model(x), y), X, Y)
    assert {item.parameter: str(item.status) for item in report.findings} == {
        "model.0.bias": "harmless",
        "model.2.weight": "frozen",
    }
    assert report.ok


def test_a_gate_that_opens_with_the_first_step_is_a_note() -> None:
    class Model(Net):
        def prepare(self) -> None:
            self.gate, self.more = nn.Parameter(torch.zeros(1)), nn.Linear(5, 5)

        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            hidden = self.hidden(x)
            return functional.mse_loss(self.fc2(hidden + self.gate * self.more(hidden)), y)

    report = gw.why(Model(), X, Y)
    assert {item.parameter: str(item.status) for item in report.findings} == {
        "more.weight": "zero_at_first",
        "more.bias": "zero_at_first",
    }
    assert report.ok
    assert "by gate, which is 0 everywhere" in report.findings[0].reason


def test_a_model_that_is_frozen_altogether_has_nothing_to_train() -> None:
    report = gw.why(nn.Linear(4, 2).requires_grad_(False), X)
    assert not report.ok
    assert str(report).startswith("There is no parameter that is to be trained.")
    assert {str(item.status) for item in report.findings} == {"frozen"}


def test_a_parameter_that_a_cast_has_made_a_tensor_is_not_registered() -> None:
    class Model(Net):
        def prepare(self) -> None:
            self.scale = nn.Parameter(torch.ones(5, dtype=torch.float64)).float()

        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return functional.mse_loss(self.fc2(self.hidden(x) * self.scale), y)

    assert [(item.parameter, str(item.status)) for item in gw.why(Model(), X, Y).findings] == [
        ("scale", "unregistered")
    ]


def test_a_sample_has_no_gradient_and_one_by_a_formula_has() -> None:
    class Model(Net):
        def forward(self, x: torch.Tensor, y: torch.Tensor, is_sampled: bool) -> torch.Tensor:
            spread = torch.distributions.Normal(self.fc1(x), 1.0)
            return functional.mse_loss(self.fc2(spread.sample() if is_sampled else spread.rsample()), y)

    found = gw.why(Model(), X, Y, True).findings
    assert {item.parameter: str(item.status) for item in found} == dict.fromkeys(("fc1.weight", "fc1.bias"), "blocked")
    assert gw.why(Model(), X, Y, False).ok


def test_functions_name_what_they_read_from_outside() -> None:
    weights = torch.full((4, 2), 5.0, requires_grad=True)
    report = gw.why(lambda x, y: functional.mse_loss(x @ weights.clamp(-1, 1), y), X, Y)
    assert [(item.parameter, str(item.status)) for item in report.findings] == [("weights", "zero")]
    root = gw.why(lambda w: torch.sqrt(w.square().sum()), torch.zeros(3, requires_grad=True))
    assert [(item.parameter, str(item.status)) for item in root.findings] == [("w", "nonfinite")]


def test_a_layer_made_in_each_call_is_registered_nowhere() -> None:
    class Model(Net):
        def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
            return functional.mse_loss(self.fc2(nn.Linear(4, 5)(x)), y)

    found = {item.parameter.partition(" made")[0]: str(item.status) for item in gw.why(Model(), X, Y).findings}
    assert found == {
        "a [5, 4] tensor": "unregistered",
        "a [5] tensor": "unregistered",
        "fc1.weight": "unused",
        "fc1.bias": "unused",
    }


@pytest.mark.parametrize("loss", ["mse_loss", "l1_loss", "smooth_l1_loss"])
@pytest.mark.filterwarnings("ignore:Using a target size")
def test_labels_of_another_shape_are_named_and_pairs_that_are_meant_are_not(loss: str) -> None:
    net, labels = nn.Linear(4, 1), torch.linspace(0, 1, len(X))
    compare = getattr(functional, loss)
    (found,) = gw.why(lambda x, y: compare(net(x), y), X, labels).findings
    assert (found.parameter, str(found.status), found.operation) == ("loss", "crossed_shapes", loss)
    assert found.where.startswith("test_why.py:")
    assert gw.why(lambda x, y: compare(net(x)[:, 0], y), X, labels).ok

    def of_pairs(x: torch.Tensor) -> torch.Tensor:
        found = net(x)
        return (found - found[:, 0]).square().mean()

    assert gw.why(of_pairs, X).ok


def test_units_that_are_dead_for_a_batch_are_a_note_and_those_far_off_a_finding() -> None:
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 5), nn.ReLU(), nn.Linear(5, 3))
    with torch.no_grad():
        net[0].bias.fill_(9)
        net[0].bias[[0, 2]] = -5

    def loss(x: torch.Tensor) -> torch.Tensor:
        return net(x).square().mean()

    report = gw.why(loss, X)
    assert report.ok
    assert report.notes == (
        "2 of 5 units of net.0 (0, 2) receive no gradient from these inputs, as where a ReLU after them is always 0.",
    )
    with torch.no_grad():
        net[0].bias[[0, 2]] = -99
    (found,) = gw.why(loss, X).findings
    assert (found.parameter, str(found.status)) == ("net.0.bias", "dead_units")


def test_several_outputs_without_a_single_number_say_what_is_the_loss() -> None:
    report = gw.why(nn.Linear(4, 2), X)
    assert report.notes and "the loss is assumed" in report.notes[0]
    with_loss = gw.why(lambda x: {"loss": x.square().sum(), "found": x}, X)
    assert with_loss.notes == ("Of several outputs the only single number is the loss.",)


def test_whole_numbers_as_output_have_no_derivative() -> None:
    class Model(Net):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.out(x).argmax(-1)

    assert {str(item.status) for item in gw.why(Model(), X).findings} == {"non_differentiable"}


def test_an_export_has_the_lines_of_helpers() -> None:
    case = next(item for item in CASES if item.name == "DetachedInAHelper")
    graph = gw.from_torch(case.kind(), *case.arguments)
    (stop,) = [block for page in graph.pages for block in page.blocks.values() if block.type == "StopGradient"]
    assert stop.extra["origin"] == case.where
    assert stop.extra["operation"] == "detach"


def test_what_is_no_model_is_refused_in_one_sentence() -> None:
    with pytest.raises(gw.GradwireError, match="takes a module or a function of PyTorch, not a int"):
        gw.why(3)
    with pytest.raises(gw.GradwireError, match="do not fit the model"):
        gw.why(nn.Linear(4, 2))
