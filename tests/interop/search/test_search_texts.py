"""The texts by which a block or a layer is found: names of frameworks, parts of lines, signs, words of formulas."""

from __future__ import annotations

import pytest

from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.search_texts import closed, plain, texts_of_layer, texts_of_type


@pytest.mark.parametrize(
    ("name", "aliases", "parts"),
    [
        ("MatMul", {"matmul", "bmm", "mm", "dot"}, set()),
        # `np.clip(x, 0, 6)` and `x * sign(x)` are special cases, lines of several calls are parts.
        ("Relu6", {"relu6"}, {"clip"}),
        ("Abs", {"abs", "absolute", "fabs"}, {"sign"}),
        ("Silu", {"silu", "swish"}, {"exp", "sigmoid"}),
        ("SquaredDifference", {"squareddifference"}, {"square"}),
        ("FloorDiv", {"floordiv"}, {"floor"}),
        ("L2Loss", {"l2loss"}, {"sum"}),
        ("Crelu", {"crelu"}, {"maximum", "concatenate", "relu", "cat"}),
        ("FlipLeftRight", {"flipleftright", "flip"}, {"flip"}),
        ("Huber", {"huber", "smoothl1"}, {"huberloss", "mean", "where", "abs"}),
        ("Softsign", {"softsign"}, {"abs"}),
        ("RandomUniformInt", {"statelessuniform", "randint"}, {"defaultrng", "integers", "randint", "key"}),
    ],
)
def test_a_line_of_one_call_gives_a_name_and_other_lines_give_parts(
    name: str, aliases: set[str], parts: set[str]
) -> None:
    texts = texts_of_type(library[name])
    assert ({*texts.aliases}, {*texts.parts}) == (aliases, parts)


@pytest.mark.parametrize(
    ("name", "signs", "function"),
    [
        ("Add", {"+", "x+y"}, ""),
        ("Multiply", {"*", "x*y", "×", "⊙"}, ""),
        ("Subtract", {"-", "x-y"}, ""),
        ("NotEqual", {"!=", "≠", "<>", "x≠y"}, ""),
        ("MatMul", {"@", "a*b"}, ""),
        ("Square", {"²", "^2", "**2", "x²"}, ""),
        ("ReduceSum", {"∑", "σ"}, ""),
        ("Identity", set(), ""),
        ("Ones", set(), ""),
        ("ReduceMax", set(), ""),
        ("Abs", {"|x|"}, ""),
        ("Silu", {"xσ(βx)"}, ""),
        ("Log", {"lnx"}, "ln"),
        ("Maximum", {"max(x,y)"}, "max"),
        ("Rint", {"rint(x)"}, "rint"),
        ("LogicalAnd", {"&", "&&", "∧", "xandy"}, "and"),
        ("LogicalNot", {"~", "!", "¬", "notx"}, "not"),
        ("Digamma", {"ψ(x)"}, ""),
        ("Log1p", {"ln(1+x)"}, ""),
    ],
)
def test_signs_are_those_of_code_and_formula_and_a_function_is_what_is_applied_to_inputs_alone(
    name: str, signs: set[str], function: str
) -> None:
    texts = texts_of_type(library[name])
    assert ({*texts.signs}, texts.function) == (signs, function)


def test_texts_have_name_category_and_words_without_blanks() -> None:
    texts = texts_of_type(library["Erf"])
    assert (texts.name.whole, texts.category) == ("erf", "specialfunctions")
    assert "stopgradient" in texts_of_type(library["StopGradient"]).aliases
    assert {"freeze", "nograd"} <= {*texts_of_type(library["StopGradient"]).words}
    layer = texts_of_layer(LAYERS["Dense"])
    assert (layer.name.whole, layer.category, layer.aliases, layer.signs) == ("dense", "layers", (), ())
    assert {"linear", "hiddenlayer"} <= {*layer.words} and len({*layer.words}) == len(layer.words)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("tf.nn.log_softmax(x)", "logsoftmax"),
        (" Random Normal ", "randomnormal"),
        ("x.detach()", "detach"),
        (".T", "t"),
        ("tf.", "tf"),
        ("nn.Linear(4.0, 8)", "linear"),
        ("2.5", "2.5"),
        ("3.", "3."),
        ("|x|", "|x|"),
        ("(x + y)", "(x+y)"),
        ("_", "_"),
        ("", ""),
    ],
    ids=lambda item: str(item).replace("|", "bar"),
)
def test_a_query_is_a_name_without_its_module_and_arguments_and_signs_stay(query: str, text: str) -> None:
    assert plain(query) == text


def test_signs_are_closed_as_a_keyboard_types_them() -> None:
    assert closed("x − y · 2") == "x-y*2"
