"""ONNX's own tests of its operators, and models that PyTorch exports: equal numbers, and PyTorch's gradients."""

from __future__ import annotations

import io
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from gradwire.engine.autodiff.graph_from_expressions import trace
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.interop.models.inputs import Inputs
from gradwire.interop.onnx.file import ModelFile
from gradwire.interop.onnx.from_onnx import read_onnx
from gradwire.interop.onnx.program import Program, Sizes
from gradwire.interop.onnx.reading import Reading

onnx = pytest.importorskip("onnx", minversion="1.21", reason="onnx 1.21 or newer is not installed")
torch = pytest.importorskip("torch", minversion="2.9", reason="PyTorch 2.9 or newer is not installed")
pytest.importorskip("onnxscript", reason="onnxscript, which PyTorch exports with, is not installed")

# Those that draw numbers, two of sizes that ONNX Runtime and PyTorch round otherwise than ONNX's evaluator, and inverse
# transforms, whose zeros it rounds to 1.9e-7 in float32: tests/interop/opset/test_operators.py has one.
OTHERWISE = (
    "bernoulli",
    "dft_inverse",
    "resize_downsample_scales_linear_align_corners",
    "resize_downsample_scales_cubic_align_corners",
)
GRADIENT = 3e-6


def node_tests() -> Iterator[Any]:
    from onnx.backend.test.loader import load_model_tests

    with warnings.catch_warnings(action="ignore"):
        yield from load_model_tests(kind="node")


def tensor(item: Any) -> Array:
    """Returns an input or output of a recorded test.

    Raises: TypeError for sequences and the like.
    """
    if isinstance(item, onnx.TensorProto):
        return np.asarray(onnx.numpy_helper.to_array(item))
    if isinstance(item, np.ndarray | np.generic | int | float | bool):
        return np.asarray(item)
    raise TypeError


def outputs(model: bytes, feeds: dict[str, Array]) -> list[Array]:
    found = Reading(Program(ModelFile(model)), Inputs(Sizes(), feeds)).outputs.values()
    expressions = [item for item in found if isinstance(item, Expression)]
    traced = trace(expressions)
    ports = run_graph(traced.graph).snapshot.ports
    return [np.asarray(ports[traced.ports[item]].value if isinstance(item, Expression) else item) for item in found]


def outcome(test: Any) -> str:
    """Returns `equal`, `refused`, `no tensors` or `wrong`."""
    for inputs, wanted in test.data_sets:
        names = [item.name for item in test.model.graph.input]
        try:
            feeds = {name: tensor(item) for name, item in zip(names, inputs, strict=False) if item is not None}
            expected = [tensor(item) for item in wanted]
        except TypeError:
            return "no tensors"
        try:
            got = outputs(test.model.SerializeToString(), feeds)
        except GradwireError:
            return "refused"
        for have, want in zip(got, expected, strict=False):
            is_near = have.shape == want.shape and have.dtype == want.dtype
            if not is_near or not np.allclose(have, want, test.rtol, max(test.atol, 1e-7), equal_nan=True):
                return "wrong"
    return "equal"


def test_onnxs_tests_of_its_operators_give_equal_numbers_or_a_sentence(counted: Callable[[str, int], None]) -> None:
    wrong, counts = [], Counter[str]()
    for test in node_tests():
        if not any(name in test.name for name in OTHERWISE):
            found = outcome(test)
            counts[found] += 1
            wrong += [test.name] if found == "wrong" else []
    for name, count in counts.items():
        counted(f"node tests of ONNX, {name}", count)
    assert wrong == []
    # Of 1,884 in ONNX 1.23; most of the others are quantized, of texts or sequences, or of dtypes that no block has.
    assert counts["equal"] > 1_480


def convolutional() -> tuple[Any, Any]:
    nn = torch.nn
    net = nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(4, 8, 3, stride=2, padding=1, groups=2), nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(8, 3),
    )  # fmt: skip
    net[1].running_mean.normal_()
    net[1].running_var.uniform_(0.5, 2)
    return net, torch.randn(2, 1, 8, 8)


def transformer() -> tuple[Any, Any]:
    nn = torch.nn

    class Block(nn.Module):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.attention = nn.MultiheadAttention(16, 2, batch_first=True)
            self.first, self.second = nn.LayerNorm(16), nn.LayerNorm(16)
            self.net = nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.Linear(32, 16))

        def forward(self, x: Any) -> Any:
            y = self.first(x)
            x = x + self.attention(y, y, y, need_weights=False)[0]
            return x + self.net(self.second(x))

    return nn.Sequential(Block(), Block(), nn.Linear(16, 5)), torch.randn(2, 4, 16)


def recurrent() -> tuple[Any, Any]:
    nn = torch.nn

    class Layers(nn.Module):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.long = nn.LSTM(3, 5, batch_first=True)
            self.gated = nn.GRU(5, 4, batch_first=True, bidirectional=True)
            self.last = nn.Linear(8, 2)

        def forward(self, x: Any) -> Any:
            return self.last(self.gated(self.long(x)[0])[0])

    return Layers(), torch.randn(2, 6, 3)


def weighed(net: Any) -> Any:
    """Returns a model with a scalar output: the outputs weighed by numbers that differ."""

    class Weighed(torch.nn.Module):  # type: ignore[name-defined, misc]  # PyTorch may be missing
        def __init__(self) -> None:
            super().__init__()
            self.net = net

        def forward(self, x: Any) -> Any:
            y = self.net(x)
            return (y * torch.linspace(0.5, 1.5, y.numel()).reshape(y.shape)).sum()

    return Weighed().eval()


def exported(model: Any, x: Any, is_new: bool) -> bytes:
    file = io.BytesIO()
    with warnings.catch_warnings(action="ignore"):
        torch.onnx.export(model, (x,), file, input_names=["x"], output_names=["y"], dynamo=is_new, verbose=False)
    return file.getvalue()


def _by_gates(array: Array, order: list[int]) -> Array:
    """Returns a tensor with its gates in ONNX's order."""
    parts = np.split(array, len(order), axis=0)
    return np.concatenate([parts[place] for place in order])


def forms(value: Array, gradient: Array) -> Iterator[tuple[Array, Array]]:
    """Yields a parameter and its gradient in the forms that exporters write."""
    yield value, gradient
    if value.ndim == 2:
        yield value.T, gradient.T
    for order in ([0, 3, 1, 2], [1, 0, 2]):
        if value.ndim == 2 and not value.shape[0] % len(order):
            yield _by_gates(value, order)[None], _by_gates(gradient, order)[None]


@pytest.mark.parametrize("is_new", [True, False], ids=["dynamo", "script"])
@pytest.mark.parametrize(("made", "least"), [(convolutional, 4), (transformer, 20), (recurrent, 4)])
def test_models_that_pytorch_exports_have_its_loss_and_gradients(made: Any, least: int, is_new: bool) -> None:
    torch.manual_seed(0)
    net, x = made()
    for item in net.parameters():
        # Equal ones, as zeros of biases, are merged by the exporter.
        if item.ndim == 1:
            item.data.uniform_(0.25, 0.75)
    model = weighed(net)
    read = read_onnx(exported(model, x, is_new), {"x": x.numpy()})
    x.requires_grad_()
    loss = model(x)
    loss.backward()
    run = run_graph(read.graph).snapshot
    assert run.loss is not None
    np.testing.assert_allclose(run.loss.value, loss.item(), rtol=1e-5)
    ends = {key.path: port for key, port in run.ports.items() if port.gradient is not None}
    assert_near(np.asarray(ends["main/x"].gradient), x.grad.numpy())
    ports = list(ends.values())
    matched = 0
    for item in net.parameters():
        for value, gradient in forms(item.detach().numpy(), item.grad.numpy()):
            same = [port for port in ports if np.array_equal(np.asarray(port.value), value)]
            for port in same:
                assert_near(np.asarray(port.gradient), gradient)
            matched += bool(same)
    assert matched >= least


def assert_near(found: Array, wanted: Array) -> None:
    np.testing.assert_allclose(found, wanted, rtol=0, atol=GRADIENT * max(1e-3, float(np.abs(wanted).max())))
