"""Real models of torchvision and transformers: their values and gradients beside PyTorch's, and a report for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import PARAMETER
from tests.frameworks.installed import INSTALLED

torch = pytest.importorskip("torch", minversion="2.9", reason="PyTorch 2.9 or newer is not installed")
if "torch" in INSTALLED:
    from tests.frameworks.real_models import STANDARD, VISION

# Largest differences of the loss, of a gradient as a share of its largest number, and what rounding leaves where all
# terms cancel, as for a bias before a softmax. Deep networks with kinks run in float64: in float32, rounding puts some
# elements on the other side; there Gelu has TensorFlow's root of 2, which is float32's. Parts of the others compute in
# float32 anyway.
ROOM = {"float32": (1e-5, 1e-4, 1e-6), "float64": (1e-6, 1e-6, 1e-15)}


def weighed(net: Any, output: str | int | None) -> Any:
    """Returns a model with a scalar output: one of the outputs, weighed by numbers that differ."""

    class Weighed(torch.nn.Module):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def terms(self, *arguments: Any) -> Any:
            y = self.net(*arguments)
            y = y if output is None else y[output]
            return y * torch.linspace(0.5, 1.5, y.numel(), dtype=y.dtype).reshape(y.shape)

        def forward(self, *arguments: Any) -> Any:
            return self.terms(*arguments).sum()

    return Weighed().eval()


def gradients(graph: Graph) -> Iterator[tuple[str, Array]]:
    """Yields each parameter of the model with its gradient here."""
    # Pages inside read a Variable by an Input of its name.
    found = sorted(run_graph(graph).snapshot.ports.items(), key=lambda item: -item[0].path.count("/"))
    ports = {key.path.rpartition("/")[2]: port for key, port in found}
    for page in graph.pages:
        for block in page.blocks.values():
            if PARAMETER in block.extra:
                yield str(block.extra[PARAMETER]), np.asarray(ports[block.id].gradient)


def assert_equal_to_pytorch(graph: Graph, model: Any, arguments: tuple[Any, ...]) -> None:
    loss = model(*arguments)
    loss.backward()
    found = run_graph(graph).snapshot.loss
    assert found is not None
    of_value, of_gradient, rounding = ROOM[str(found.value.dtype)]
    # The terms of the loss cancel in part.
    size = model.terms(*arguments).abs().sum().item()
    np.testing.assert_allclose(found.value, loss.item(), rtol=0, atol=of_value * size)
    # Tied parameters are one Variable, under one of their names.
    parameters = dict(model.named_parameters(remove_duplicate=False))
    seen = set()
    for name, got in gradients(graph):
        want = parameters[name].grad
        seen.add(id(parameters[name]))
        if want is not None:
            room = of_gradient * float(want.abs().max()) + rounding
            np.testing.assert_allclose(got, want.numpy(), rtol=0, atol=room, err_msg=name)
    assert seen == {id(item) for item in parameters.values()}


def made(make: Callable[[], Any]) -> Any:
    """Makes a model; skips the test where torchvision, which transformers loads too, was built for another PyTorch."""
    torch.manual_seed(1)
    try:
        return make()
    except (ImportError, RuntimeError) as error:
        if "torchvision" not in str(error):
            raise
        pytest.skip(f"torchvision does not fit to PyTorch {torch.__version__} here: {error}"[:200])


def try_model(model: Any, arguments: tuple[Any, ...]) -> None:
    assert_equal_to_pytorch(gw.from_torch(model, *arguments), model, arguments)
    model.zero_grad()
    assert str(gw.why(model, *arguments))


@pytest.mark.parametrize("name", VISION)
def test_a_model_of_torchvision_has_pytorchs_numbers(name: str, counted: Callable[[str, int], None]) -> None:
    pytest.importorskip("torchvision", reason="torchvision is not installed; make frameworks does it")
    net, (x,), output = made(VISION[name])
    try_model(weighed(net, output).double(), (x.double(),))
    counted("models of torchvision, equal", 1)


@pytest.mark.parametrize("name", STANDARD)
def test_a_standard_model_has_pytorchs_numbers(name: str, counted: Callable[[str, int], None]) -> None:
    pytest.importorskip("transformers", reason="transformers is not installed; make frameworks does it")
    net, arguments, output = made(STANDARD[name])
    try_model(weighed(net, output), arguments)
    counted("standard models of PyTorch, equal", 1)
