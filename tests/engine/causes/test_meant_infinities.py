"""Blame for NaN by element, beside an evaluation in plain NumPy, and masks that are meant."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import Line
from tests.engine.causes.numpy_stories import Model, every_index, random_model
from tests.torture.support.counts import count


def nonfinite(snapshot: Snapshot) -> list[Problem]:
    return [problem for problem in snapshot.problems if problem.code == "nonfinite"]


def judge(seed: int) -> int:
    """Compares the origins of one random graph with NumPy's; returns how many tensors hold NaN."""
    model, end = random_model(seed)
    snapshot, found = evaluate(model.graph(end)), 0
    for name, value in model.values.items():
        if value.dtype == bool:
            continue
        result = snapshot.port(f"main/{name}.{model.ports[name]}")
        assert result.value is not None
        np.testing.assert_allclose(result.value, value, rtol=1e-9, err_msg=f"{seed} {name}")
        nans = [at for at in every_index(value) if np.isnan(value[at])]
        births = {birth for at in nans for birth in model.births((name, at))}
        if not births:
            continue
        found += 1
        nan = result.origin and result.origin.nan
        assert nan is not None and not nan.is_gradient, (seed, name)
        first = nan.at.removeprefix("main/")
        assert first in {birth for birth, _ in births}, (seed, name, nan)
        assert list(model.births((first, nan.index))) == [(first, nan.index)], (seed, name, nan)
        assert result.origin is not None and result.origin.forward is not None and result.origin.first is not None
        makers = set(model.makers((first, nan.index)))
        forward = result.origin.forward
        assert forward.at.removeprefix("main/") in {maker for maker, _ in makers}, (seed, name, forward)
        is_made = any(not model.is_source(maker) for maker, _ in makers)
        assert result.origin.first.at == (forward.at if is_made else nan.at), (seed, name)
    return found


def test_the_named_block_is_the_one_that_numpy_finds_in_random_graphs_with_masks() -> None:
    assert sum(judge(seed) for seed in range(count(25, 1000))) > 25


# Masks that are meant


def softmax_of(mask: np.ndarray, *scores: float) -> tuple[Model, str]:
    model = Model()
    x = model.source("Variable", np.resize(np.array(scores or (0.3, -1.2, 0.7)), mask.shape))
    return model, model.apply("Add", x, model.source("Constant", mask))


CAUSAL = np.where(np.tri(4, dtype=bool), 0.0, -np.inf)
PADDING = np.array([[0, 0, 0, -np.inf], [0, 0, -np.inf, -np.inf], [0, -np.inf, -np.inf, -np.inf]])
MASKS = {
    "causal": CAUSAL,
    "padding": PADDING,
    "one word": np.where(np.eye(3, dtype=bool), 0.0, -np.inf),
    "all but one": np.where(np.eye(3, dtype=bool), -np.inf, 0.0),
    "a vector": np.array([0, -np.inf, 0.0, -np.inf]),
}


def _attention(model: Model, x: str) -> str:
    return model.apply("MatMul", model.apply("Softmax", x), model.apply("Transpose", model.apply("Exp", x)))


def _shifted(model: Model, x: str) -> str:
    return model.apply("Exp", model.apply("Subtract", x, model.apply("ReduceMax", x)))


def _selected(model: Model, x: str) -> str:
    zero = model.source("Constant", np.array(0.0))
    return model.where(np.isfinite(model.values[x]), x, zero)


USES: dict[str, Callable[[Model, str], str]] = {
    "softmax": lambda model, x: model.apply("Softmax", x),
    "softmax twice": lambda model, x: model.apply("Softmax", model.apply("Softmax", x)),
    "logsumexp": lambda model, x: model.apply("ReduceLogSumExp", x),
    "maximum": lambda model, x: model.apply("ReduceMax", x),
    "exponential": lambda model, x: model.apply("Exp", x),
    "square of a softmax": lambda model, x: model.apply("Square", model.apply("Softmax", x)),
    "by hand, shifted": _shifted,
    "softmax by hand": lambda model, x: model.apply(
        "Divide", model.apply("Exp", x), model.apply("ReduceSum", model.apply("Exp", x))
    ),
    "selected": _selected,
    "at least": lambda model, x: model.apply("Maximum", x, model.source("Constant", np.array(-5.0))),
}


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("mask", MASKS)
def test_a_mask_that_is_meant_is_no_warning(mask: str, use: str) -> None:
    """Fifty masks: -inf in a Constant, of which no loss, gradient or NaN comes."""
    model, x = softmax_of(MASKS[mask])
    snapshot = evaluate(model.graph(USES[use](model, x)))
    assert nonfinite(snapshot) == []
    assert all(item.origin is None or item.origin.is_meant for item in snapshot.ports.values())


def test_attention_with_a_causal_mask_is_no_warning() -> None:
    model, x = softmax_of(CAUSAL)
    assert nonfinite(evaluate(model.graph(_attention(model, x)))) == []


def test_a_row_of_minus_infinity_is_told_at_the_softmax() -> None:
    mask = PADDING.copy()
    mask[1] = -np.inf
    model, x = softmax_of(mask)
    p = model.apply("Softmax", x)
    snapshot = evaluate(model.graph(p))
    (problem,) = (item for item in nonfinite(snapshot) if "gradient" not in item.message)
    assert (problem.at, problem.message) == (
        f"main/{p}", f'Softmax "{p}" makes NaN in row 1: all its inputs are -inf.'
    )  # fmt: skip
    origin = snapshot.port("main/loss.y").origin
    assert origin is not None and origin.nan is not None and origin.first == origin.nan
    assert (origin.nan.at, origin.nan.index) == (f"main/{p}", (1, 0))


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda m, x: m.apply("Multiply", x, m.source("Constant", np.zeros(3))),
         "makes NaN at element 1: (-inf) × 0 = NaN."),
        (lambda m, x: m.apply("Subtract", x, x), "makes NaN at element 1: (-inf) - (-inf) = NaN."),
        (lambda m, x: m.apply("Sin", x), "makes NaN at element 1: sin(-inf) = NaN."),
        (lambda m, x: m.apply("ReduceSum", m.apply("Add", x, m.source("Input", np.array([np.inf, 0, 0])))),
         "makes NaN at element 0: inf and -inf are among its terms."),
    ],
)  # fmt: skip
def test_what_makes_nan_of_a_held_infinity_is_written_with_its_numbers(
    build: Callable[[Model, str], str], sentence: str
) -> None:
    model, x = softmax_of(np.array([0, -np.inf, 0]))
    name = build(model, x)
    (problem,) = (item for item in nonfinite(evaluate(model.graph(name))) if "gradient" not in item.message)
    assert problem.message.endswith(f'"{name}" {sentence}')


def test_zero_times_infinity_in_a_product_of_matrices_is_told_there() -> None:
    model = Model()
    a = model.source("Variable", np.array([[0.0, 1.0], [2.0, 1.0]]))
    name = model.apply("MatMul", a, model.source("Constant", np.array([[np.inf], [1.0]])))
    messages = [item.message for item in nonfinite(evaluate(model.graph(name)))]
    assert f'MatMul "{name}" makes NaN at element [0, 0]: 0 × inf is among its terms.' in messages


def test_an_overflow_that_only_looks_harmless_is_told() -> None:
    """1 / (1 + exp(800)) is 0, where the true number is not."""
    model = Model()
    power = model.apply("Exp", model.source("Constant", np.array(800.0)))
    end = model.apply("Reciprocal", model.apply("Add", power, model.source("Constant", np.array(1.0))))
    assert next(problem.at for problem in nonfinite(evaluate(model.graph(end)))) == f"main/{power}"


def test_an_infinity_that_reaches_the_loss_is_told_at_its_source() -> None:
    model, x = softmax_of(np.array([0, -np.inf, 0]))
    snapshot = evaluate(model.graph(x))
    assert [problem.message for problem in nonfinite(snapshot)] == ['Constant "b1" holds -inf at element 1.']


def test_nan_among_labels_that_is_selected_away_first_is_no_warning() -> None:
    model = Model()
    labels = model.source("Input", np.array([np.nan, 1.0]))
    x = model.source("Variable", np.array([0.5, 0.2]))
    clean = model.where(np.array([False, True]), labels, x)
    assert nonfinite(evaluate(model.graph(model.apply("Square", model.apply("Subtract", x, clean))))) == []


def test_nan_among_labels_that_is_selected_away_too_late_breaks_the_gradient_there() -> None:
    """The gradient of a masked element is 0 × NaN."""
    model = Model()
    labels = model.source("Input", np.array([np.nan, 1.0]))
    square = model.apply("Square", model.apply("Subtract", model.source("Variable", np.array([0.5, 0.2])), labels))
    snapshot = evaluate(
        model.graph(model.where(np.array([False, True]), square, model.source("Constant", np.zeros(2))))
    )
    origin = snapshot.port("main/b1.y").origin
    assert [problem.at for problem in nonfinite(snapshot)] == ["main/b0"]
    assert origin is not None and origin.sentences[1:] == [
        f'Square "{square}" makes the gradient of x NaN at element 0: its input x is NaN there, and 0 × NaN = NaN.'
    ]


# Graphs of people

FIELD = Path(__file__).parent.parent.parent / "data" / "field"


def of_people(name: str) -> Snapshot:
    (file,) = FIELD.glob(f"{name}*.graph")
    return evaluate(load(file).graph)


def test_a_causal_mask_is_no_warning() -> None:
    assert nonfinite(of_people("04")) == []


def test_the_entropy_of_masked_scores_breaks_at_the_logarithm_of_zero() -> None:
    """The mask is meant: the softmax takes it up, and its exact 0 becomes log(0)."""
    snapshot = of_people("02")
    assert nonfinite(snapshot)[0].message == (
        'Log "log" makes -inf at element [0, 1]: log(0) = -inf. '
        'Multiply "Multiply" then makes NaN at element [0, 1]: 0 × (-inf) = NaN.'
    )
    origin = snapshot.port("main/L.y").origin
    assert origin is not None and origin.forward is not None and origin.nan is not None
    assert (origin.forward.at, origin.nan.at) == ("main/log", "main/Multiply")


def test_the_mean_of_nothing_is_told_at_the_division() -> None:
    origin = of_people("24").port("main/L.y").origin
    assert origin is not None and origin.nan is not None and origin.nan == origin.forward
    assert origin.nan.sentence == 'Divide "Divide" makes NaN: 0 / 0 = NaN.'


def test_a_label_that_is_missing_is_told_at_the_labels_and_at_the_step_that_meets_it() -> None:
    snapshot = of_people("16")
    assert [problem.at for problem in nonfinite(snapshot)] == ["main/labels"]
    origin = snapshot.port("main/w.y").origin
    assert origin is not None and origin.backward is not None and origin.nan is not None
    assert (origin.nan.at, origin.backward.at) == ("main/labels", "main/Square")
    assert origin.backward.reason == "its input x is NaN there, and 0 × NaN = NaN"


# Infinities that a block makes, from which no gradient is asked


def logarithm() -> Line:
    """Returns log(c) = [-inf, 0] behind a StopGradient, beside a variable x."""
    line = Line().source("x", [1.0, 2.0], "Variable").source("c", [0.0, 1.0], "Constant")
    return line.on("c.y").then("log", "Log").then("s", "StopGradient")


def and_exponential() -> Line:
    return logarithm().then("e", "Exp").then("m", "Multiply", "x.y").then("loss", "Loss")


TOLD = ["main/log"]
MADE: dict[str, tuple[Graph, list[str]]] = {
    "taken up": (and_exponential().graph(), []),
    "left where nothing reads it": (and_exponential().on("s.y").then("n", "Negative").graph(), TOLD),
    "read by nothing": (logarithm().on("x.y").loss(), TOLD),
    "taken up twice": (
        and_exponential().on("s.y").then("t", "Tanh").then("k", "Multiply", "x.y").then("more", "Loss").graph(), [],
    ),
    "taken up once, and once where a large number would not": (
        and_exponential().on("s.y").then("t", "IsFinite").then("f", "Cast", dtype="float64")
        .then("k", "Multiply", "x.y").then("more", "Loss").graph(), TOLD,
    ),
    "in the loss": (and_exponential().on("s.y").then("more", "Loss").graph(), TOLD),
    "made NaN beside": (
        and_exponential().on("s.y").then("n", "Sin").then("w", "IsFinite").graph(), TOLD,
    ),
    "moved first": (
        logarithm().then("t", "Reverse", axis=[0]).then("e", "Exp").then("m", "Multiply", "x.y").loss(), [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_an_infinity_that_is_made_is_meant_if_all_take_it_up_as_the_largest_number(name: str) -> None:
    graph, told = MADE[name]
    snapshot = evaluate(graph)
    assert [item.at for item in nonfinite(snapshot)] == told
    origin = snapshot.port("main/log.y").origin
    assert origin is not None and origin.is_meant is (not told)
