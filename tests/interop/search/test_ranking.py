"""Scores of the search for blocks: which kind of match comes before which, and what is said about it."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.blocks.layers.catalogue import Layer
from gradwire.interop.search.block_search import Hit, find_offers, named_value, nearest_blocks, similar_blocks

# A name, sign or word of people that is met as a whole; the type whose own name has the text counts 1 more.
_NAME, _SIGN, _SAID, _ALIAS, _FORMULA, _OWN = 100, 95, 92, 90, 85, 1
# The beginning of a name, of a later hump, of an alias or word, all words in any order; then what lies inside.
_BEGINS, _HUMP, _ALIAS_BEGINS, _SAID_BEGINS, _ALL_WORDS, _INSIDE = 80, 70, 60, 58, 50, 45
_PART, _CATEGORY, _IN_ALIAS, _IN_WORD, _HELP = 40, 35, 30, 28, 20
_AS_MANY_INPUTS = 12


def hit(query: str, name: str) -> Hit:
    return next(item for item in find_offers(query) if item.type.name == name)


@pytest.mark.parametrize(
    ("query", "name", "score", "matched", "why"),
    [
        ("erfc", "Erfc", _NAME + _OWN, "erfc", "its name"),
        ("tf.math.erfc(x)", "Erfc", _NAME + _OWN, "erfc", "its name"),
        ("dropout", "Dropout", _NAME + _OWN, "dropout", "its name"),
        ("x²", "Square", _SIGN, "x²", "written x²"),
        ("x - y", "Subtract", _SIGN, "x-y", "written x-y"),
        ("x · y", "Multiply", _SIGN, "x*y", "written x*y"),
        ("no grad", "StopGradient", _SAID, "nograd", 'people say "no grad"'),
        ("clip", "ClipByValue", _SAID + _OWN, "clip", 'people say "clip"'),
        ("rand", "RandomUniform", _SAID + _OWN - 0.01, "rand", 'people say "rand"'),
        ("dot-product", "Tensordot", _SAID - 0.01, "dotproduct", 'people say "dot product"'),
        ("amax", "ReduceMax", _ALIAS, "amax", "known as amax"),
        ("ln", "Log", _FORMULA, "ln", "its formula"),
        ("max", "Maximum", _FORMULA + _OWN, "max", "its formula"),
        ("redu", "ReduceMax", _BEGINS + _OWN, "reducemax", "its name"),
        ("sm", "SegmentMax", 65, "segmentmax", "its name"),
        ("soft", "LogSoftmax", _HUMP + _OWN, "logsoftmax", "its name"),
        ("smoothl", "Huber", _ALIAS_BEGINS, "smoothl1", "known as smoothl1"),
        ("fully", "Dense", _SAID_BEGINS, "fullyconnected", 'people say "fullyconnected"'),
        ("act", "Relu", _SAID_BEGINS, "activationfunction", 'people say "activation function"'),
        ("exp sum", "CumulativeLogsumexp", _ALL_WORDS, "cumulativelogsumexp", "its name"),
        ("cosh", "Acosh", _INSIDE + _OWN, "acosh", "its name"),
        ("zeros", "ScatterNd", _PART, "zeros", "known as zeros"),
        ("clip", "Relu6", _PART, "clip", "known as clip"),
        ("acti", "Elu", _CATEGORY, "activations", "its category"),
        ("lay", "MLP", _CATEGORY, "layers", "its category"),
        ("ack", "Stack", _INSIDE + _OWN, "stack", "its name"),
        ("thl", "Huber", _IN_ALIAS, "smoothl1", "known as smoothl1"),
        ("rank", "Svd", _IN_WORD, "lowrank", 'people say "low rank"'),
    ],
)  # fmt: skip
def test_each_kind_of_match_has_its_score_and_its_words(
    query: str, name: str, score: float, matched: str, why: str
) -> None:
    found = {(item.type.name, round(item.score, 6), item.matched, item.why) for item in find_offers(query)}
    assert (name, score, matched, why) in found


def test_what_is_short_matches_no_inner_letters() -> None:
    for query, name in [("mo", "Huber"), ("ran", "Svd"), ("ac", "Stack")]:
        assert all(item.type.name != name for item in find_offers(query) if item.why != "its name")


def test_a_block_comes_before_a_layer_of_its_name_and_a_layer_before_a_block_that_is_only_called_so() -> None:
    block, layer = find_offers("dropout")[:2]
    assert (block.score, layer.score, isinstance(layer.type, Layer)) == (101, 100.5, True)
    assert [item.type.name for item in find_offers("batchnorm")[:2]] == ["BatchNorm", "BatchNormalization"]


def test_words_one_by_one_add_up_to_half_of_what_a_whole_match_has() -> None:
    """Fillers and words of one or two letters do not count; each other one has its share, if it fits as a whole."""
    assert [(item.type.name, item.score) for item in find_offers("the sum of squares")] == [
        ("ReduceSum", (_SAID + _OWN) / 2 / 2),
        ("AddN", _ALIAS / 2 / 2),
    ]
    assert hit("the total sum", "ReduceSum").score == (_SAID + _SAID + _OWN) / 2 / 2
    assert hit("round it", "Round").why == 'people say "round"' and hit("round it", "Round").is_said
    assert not hit("round", "Round").is_said
    assert find_offers("@ it") == [] and find_offers("softma it was") == []


def test_what_help_says_is_found_last() -> None:
    for query in ("overflow", "ij", "float64"):
        found = find_offers(query)
        said = (_HELP, query, f'its help says "{query}"')
        assert found and {(item.score, item.matched, item.why) for item in found} == {said}
        assert all(query in item.type.help for item in found)
    # The word may end a sentence; a letter is no word.
    assert "DivNoNan" in [item.type.name for item in find_offers("float64")]
    assert find_offers("y") == []


def test_a_loss_is_found_without_the_word() -> None:
    assert hit("hinge loss", "Hinge").score == _NAME + _OWN
    assert find_offers("nn.HingeLoss()")[0].type.name == "Hinge"


def test_types_of_as_many_inputs_come_first_for_several_ends() -> None:
    for inputs, names in [(0, "ReduceMax Maximum"), (1, "ReduceMax Maximum"), (2, "Maximum ReduceMax")]:
        assert [item.type.name for item in find_offers("max", inputs=inputs)[:2]] == names.split()
    scores = {item.type.name: item.score for item in find_offers("max", inputs=2)}
    assert scores["Maximum"] == _FORMULA + _OWN + _AS_MANY_INPUTS and scores["ReduceMax"] == _ALIAS + _OWN
    # Any number of inputs suits all; layers have no ports to count.
    assert find_offers("concat", inputs=3)[0].score == _NAME + _OWN + _AS_MANY_INPUTS
    assert find_offers("dense", inputs=2)[0].score == _NAME + _OWN


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        (1, "Input Variable Add MatMul StopGradient Loss"),
        (2, "Add MatMul Loss Subtract Multiply Divide"),
        (3, "Where Concat ClipByValue LayerNormalization AddN BatchJacobian"),
    ],
)
def test_nothing_typed_gives_what_takes_all_ends(inputs: int, names: str) -> None:
    assert [item.type.name for item in find_offers("", inputs=inputs)] == names.split()


def test_of_the_nearest_blocks_only_those_of_like_names_are_similar() -> None:
    names = {query: [item.name for item in similar_blocks(query)] for query in ("redukmax", "matmull", "xqzw")}
    assert names == {"redukmax": ["ReduceMax", "ReduceMean"], "matmull": ["MatMul"], "xqzw": []}
    assert [item.name for item in nearest_blocks("redukmax")] == ["ReduceMax", "ReduceMean", "ReduceSum"]
    assert [item.name for item in nearest_blocks("redukmax", lambda item: item.name != "ReduceMax")] == [
        "ReduceMean",
        "ReduceSum",
        "ReduceMin",
    ]


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("x = [1, 2", "x", [1, 2]),
        ("x1=2\n", "x1", 2),
        ("1", None, 1),
        ("[[1, 2], [3, 4", None, [[1, 2], [3, 4]]),
        ("[1, 2]]", None, None),
        ("a = b", "a", None),
        ("x =", "x", None),
        ("y == 2", None, None),
        ("1x = 3", None, None),
        ("x = true", "x", None),
    ],
)
def test_a_value_may_have_a_name_and_lack_its_last_brackets(text: str, name: str | None, value: object) -> None:
    found, array = named_value(text)
    assert found == name
    assert array is None if value is None else np.array_equal(array if array is not None else [], np.array(value))
