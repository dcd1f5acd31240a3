"""Users find blocks by the names that they know, from here and elsewhere."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.blocks.names.table import names
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.interop.search.block_search import (
    CATEGORIES,
    Fits,
    Hit,
    constant_from,
    find_offers,
    found_types,
    nearest_blocks,
    placeable_types,
)
from gradwire.interop.search.words import words_by_type
from tests.blocks.contract.contract import in_one_test
from tests.sweeps import a_third_of


def find_blocks(query: str, fits: Fits | None = None, used: Mapping[str, int] | None = None) -> list[Hit]:
    return [hit for hit in find_offers(query, fits, used) if isinstance(hit.type, BlockType)]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("tf.stop_gradient", "StopGradient"),
        ("stop_gradient", "StopGradient"),
        ("detach", "StopGradient"),
        (".detach()", "StopGradient"),
        ("x.detach()", "StopGradient"),
        ("lax.stop_gradient", "StopGradient"),
        ("jax.lax.stop_gradient(x)", "StopGradient"),
        ("reduce_max", "ReduceMax"),
        ("rmax", "ReduceMax"),
        ("max", "ReduceMax"),
        ("jnp.max", "ReduceMax"),
        ("torch.amax(x, dim=1)", "ReduceMax"),
        ("sum", "ReduceSum"),
        ("mean", "ReduceMean"),
        ("np.exp", "Exp"),
        ("exp", "Exp"),
        ("mul", "Multiply"),
        ("unsqueeze", "ExpandDims"),
        ("cat", "Concat"),
        ("-", "Subtract"),
        ("@", "MatMul"),
        ("==", "Equal"),
        ("Σ", "ReduceSum"),
        ("√", "Sqrt"),
        ("  ADD ", "Add"),
        ("np.clip", "ClipByValue"),
        ("clamp", "ClipByValue"),
        ("torch.bmm", "MatMul"),
        ("torch.mm", "MatMul"),
        ("F.relu", "Relu"),
        ("nn.ReLU", "Relu"),
        ("logsumexp", "ReduceLogSumExp"),
        ("softmax", "Softmax"),
        ("crossentropy", "SoftmaxCrossEntropyWithLogits"),
        ("F.cross_entropy", "SoftmaxCrossEntropyWithLogits"),
        ("nn.CrossEntropyLoss", "SoftmaxCrossEntropyWithLogits"),
        ("nn.MSELoss", "MeanSquaredError"),
        ("mae", "MeanAbsoluteError"),
        ("min", "ReduceMin"),
        ("conv", "Conv2D"),
        ("pool", "MaxPool2D"),
        ("torch.nn.functional.avg_pool2d", "AvgPool2D"),
        ("pad", "Pad"),
        ("sort", "Sort"),
        ("top", "TopK"),
        ("norm", "Norm"),
        ("np.linalg.norm", "Norm"),
        ("gather", "Gather"),
        ("scatter", "ScatterNd"),
        ("segment sum", "SegmentSum"),
        ("sum segment", "SegmentSum"),
        ("tf.math.unsorted_segment_sum", "UnsortedSegmentSum"),
        ("random normal", "RandomNormal"),
        ("torch.randn", "RandomNormal"),
        ("uniform", "RandomUniform"),
        ("adam", "ApplyAdam"),
        ("sgd", "ApplyGradientDescent"),
        ("resize", "ResizeBilinear"),
        ("erf", "Erf"),
        ("lgamma", "Lgamma"),
        ("gammaln", "Lgamma"),
        ("det", "MatrixDeterminant"),
        ("np.linalg.inv", "MatrixInverse"),
        ("solve", "MatrixSolve"),
        ("einsum", "Einsum"),
        ("cumsum", "Cumsum"),
        ("ln", "Log"),
        ("not", "LogicalNot"),
        ("or", "LogicalOr"),
        ("arange", "Range"),
        ("swish", "Silu"),
        ("view", "Reshape"),
        ("mask", "BooleanMask"),
        ("var", "ReduceVariance"),
        ("var_mean", "Moments"),
        ("astype", "Cast"),
        ("**", "Pow"),
        ("^", "Pow"),
        ("//", "FloorDiv"),
        ("%", "FloorMod"),
        ("&", "LogicalAnd"),
        ("|", "LogicalOr"),
        ("~", "LogicalNot"),
        ("≠", "NotEqual"),
        ("≤", "LessEqual"),
        (".T", "Transpose"),
        ("|x|", "Abs"),
        ("x + y", "Add"),
        ("1/x", "Reciprocal"),
        ("∏", "ReduceProd"),
        ("!=", "NotEqual"),
        ("<=", "LessEqual"),
        (">=", "GreaterEqual"),
        ("=", "Equal"),
    ],
    ids=lambda item: str(item).replace("|", "bar"),
)
def test_the_block_that_is_meant_comes_first(query: str, name: str) -> None:
    assert find_blocks(query)[0].type.name == name


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("max", "ReduceMax Maximum MaxPool2D"),
        ("pool", "MaxPool2D AvgPool2D"),
        ("conv", "Conv2D Conv1D Conv3D Conv2DTranspose"),
        ("^", "Pow LogicalXor"),
        ("clip", "ClipByValue ClipByNorm ClipByGlobalNorm"),
    ],
)
def test_of_many_hits_the_usual_ones_come_first(query: str, names: str) -> None:
    assert [hit.type.name for hit in find_blocks(query)][: len(names.split())] == names.split()


@pytest.mark.long
@in_one_test(placeable_types())
def test_a_block_is_found_by_its_own_name(item: BlockType) -> None:
    assert find_blocks(item.name)[0].type == item


def test_every_category_has_its_place_and_can_be_scanned() -> None:
    sizes = Counter(item.category for item in placeable_types())
    assert sizes.keys() == set(CATEGORIES)
    assert max(sizes.values()) <= 30


def test_in_a_category_the_usual_come_first_and_then_the_alphabet() -> None:
    names = [item.name for item in placeable_types() if item.category == "Arithmetic"]
    assert names[:4] == ["Add", "Subtract", "Multiply", "Divide"]
    assert names[4:] == sorted(names[4:])


def test_a_category_finds_its_blocks() -> None:
    assert {hit.type.category for hit in find_blocks("losses")} == {"Losses"}


def test_nothing_typed_gives_the_usual_six() -> None:
    assert [hit.type.name for hit in find_blocks("")] == ["Input", "Variable", "Add", "MatMul", "StopGradient", "Loss"]


def test_nothing_typed_gives_what_was_used_most() -> None:
    names = [hit.type.name for hit in find_blocks(" ", used={"Tanh": 3, "Erf": 5})]
    assert names[:3] == ["Erf", "Tanh", "Input"]
    assert len(names) == 6


def test_of_equal_hits_the_one_used_more_comes_first() -> None:
    assert find_blocks("soft", used={"Softsign": 1})[0].type.name == "Softsign"


def test_only_what_fits_is_found() -> None:
    hits = find_blocks("max", lambda item: item.name != "ReduceMax")
    assert hits and all(hit.type.name != "ReduceMax" for hit in hits)


def test_nonsense_finds_nothing_but_what_is_near_is_named() -> None:
    assert find_blocks("foo") == []
    assert nearest_blocks("redukmax")[0].name == "ReduceMax"
    assert len(nearest_blocks("reduse")) <= 3


@pytest.mark.parametrize("query", ["(", "[", "\\", "*", ".", "tf.", "{x}", "_", "\0", "a" * 5000])
def test_no_text_is_too_odd_to_search(query: str) -> None:
    find_blocks(query)
    nearest_blocks(query)


def test_parts_of_gradient_rules_and_blocks_without_their_page_cannot_be_placed() -> None:
    names = {item.name for item in placeable_types()}
    assert names.isdisjoint({"SumTo", "ScatterGradient", "Page"})
    assert names >= {"Input", "StopGradient", "Loss", "Where"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        (" .5", 0.5),
        ("−2", -2.0),
        ("1e3", 1000.0),
        ("nan", np.nan),
        ("-inf", -np.inf),
        ("+Infinity", np.inf),
        ("[1,2,3]", [1.0, 2.0, 3.0]),
        ("[1., nan, -inf]", [1.0, np.nan, -np.inf]),
        ("[[1, 2], [3, 4]]", [[1.0, 2.0], [3.0, 4.0]]),
    ],
)
def test_numbers_make_a_constant(text: str, value: object) -> None:
    found = constant_from(text)
    assert found is not None
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.array(value))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "e",
        "add",
        "[",
        "1 -2",
        "true",
        "np.zeros((10**6, 10**6))",
        "[[1,2],[3]]",
        "--1",
        "1_0",
        "__import__('os')",
        "[" * 5000,
    ],
)
def test_other_texts_make_no_constant(text: str) -> None:
    assert constant_from(text) is None


WORDS = json.loads((Path(__file__).parents[2] / "data" / "block_words" / "words.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("word", WORDS)
def test_a_beginner_finds_the_right_block_first(word: str) -> None:
    assert find_offers(word)[0].type.name in WORDS[word]


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("Mittelwert", "ReduceMean"),
        ("Wurzel", "Sqrt"),
        ("einfrieren", "StopGradient"),
        ("Gewicht", "Variable"),
        ("Ableitung", "Gradients"),
        ("hidden layer", "Dense"),
        ("Schicht", "Dense"),
        ("square root", "Sqrt"),
        ("standard deviation", "ReduceStd"),
        ("F.mse_loss", "MeanSquaredError"),
        ("tf.keras.losses.Hinge", "Hinge"),
        ("learning rate", "ApplyGradientDescent"),
        ("to_categorical", "OneHot"),
        ("cost function", "Loss"),
    ],
)
def test_words_of_people_and_frameworks_find_their_block(word: str, name: str) -> None:
    assert find_offers(word)[0].type.name == name


def test_the_words_are_of_types_and_layers_that_exist() -> None:
    names = {item.name for item in found_types()} | {layer.key for layer in LAYERS.values()}
    assert set(words_by_type()) <= names


@pytest.mark.parametrize("first", a_third_of(range(3)))
def test_every_name_in_the_table_finds_its_block(first: int) -> None:
    lost = []
    for item in placeable_types():
        for name in names().of_block(item.name)[first::3]:
            if item not in [hit.type for hit in find_offers(name)[:6]]:
                lost.append((name, item.name))
    assert lost == []


@pytest.mark.parametrize("query", ["xqzw", "redukmax", "zzz", "q" * 5000])
def test_what_means_nothing_has_three_neighbours(query: str) -> None:
    assert len(nearest_blocks(query)) == 3


@pytest.mark.parametrize("query", ["eig", "np.linalg.eig", "torch.linalg.eigvals(x)", "Eig"])
def test_a_decomposition_with_complex_numbers_offers_the_real_one_and_says_so(query: str) -> None:
    [hit] = find_offers(query)
    assert hit.type.name == "SelfAdjointEig"
    assert "complex" in hit.caveat and hit.why == hit.caveat
