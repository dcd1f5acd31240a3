"""Bounds and words of expressions: what is still computed, what is refused, and the whole sentence that says so."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.base.errors import ParameterError
from gradwire.interop.typed import array_makers
from gradwire.interop.typed.array_expressions import NoExpression, computed
from gradwire.interop.typed.tensor_text import read_array, read_typed

_NOT = "which is not computed; write its result"
_LARGE = "computes a number that is too large"
_HELD = "holds a number that is too large"


def said(text: str) -> str:
    with pytest.raises(ParameterError) as refused:
        read_typed(text, ".")
    return str(refused.value)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("arange(start=1, end=4)", [1, 2, 3]),
        ("torch.arange(1, end=5)", [1, 2, 3, 4]),
        ("arange(3, start=1)", [1, 2]),
        ("arange(3, step=2)", [0, 2]),
        ("arange(5, 1, step=-2)", [5, 3]),
        ("arange(2, 1)", []),
        ("zeros(2, 3, shape=(1,))", [0]),
        ("zeros([2, 1])", [[0], [0]]),
        ("zeros(0)", []),
        ("full(fill_value=3, shape=2)", [3, 3]),
        ("eye(2, 1)", [[1], [0]]),
        ("eye(2, num_columns=1)", [[1], [0]]),
        ("linspace(0, 49)", np.arange(50)),
        ("logspace(0, 49)", 10.0 ** np.arange(50)),
        ("repeat([1, 2], 0)", []),
        ("tile([1, 2], (2, 1))", [[1, 2], [1, 2]]),
        ("diag([1, 2]) @ [[1], [2]]", [[1], [4]]),
        ("outer([1, 2], [3, 4])", [[3, 4], [6, 8]]),
        ("dot([1, 2], [3, 4])", 11),
        ("reshape([1, 2], 2, 1)", [[1], [2]]),
        ("ravel([[1], [2]])", [1, 2]),
        ("mean([[1, 2], [3, 4]], dim=0)", [2, 3]),
        ("mean([[1, 2], [3, 4]], axis=1)", [1.5, 3.5]),
        ("[[1, 2], [3, 4]].T", [[1, 3], [2, 4]]),
        ("[1, 2].sum()", 3),
        ("true + 1", 2),
        ("torch.pi", math.pi),
        ("math.tau", math.tau),
        ("np.euler_gamma", 0.5772156649015329),
        ("-[1, 2] + 0", [-1, -2]),
        ("[1, 2] + [3]", [4, 5]),
        ("2 - [1, 2]", [1, 0]),
        ("7 // 2", 3),
        ("rint(2.5) + pow(2, 3)", 10),
        ("[1, 2] / 0", [math.inf, math.inf]),
        ("(-8) ** 2", 64),
        ("randn(2) - randn(2)", (lambda it: it.standard_normal(2) - it.standard_normal(2))(rng())),
        ("randn(2, seed=0)", rng().standard_normal(2)),
        ("rand((2, 1))", rng().random((2, 1))),
        ("random(size=2)", rng().random(2)),
        ("standard_normal(shape=2)", rng().standard_normal(2)),
        ("normal()", rng().normal()),
        ("normal(5, 2, 3)", rng().normal(5, 2, 3)),
        ("normal(5, size=(2, 1))", rng().normal(5, 1, (2, 1))),
        ("normal(scale=2, size=3)", rng().normal(0, 2, 3)),
        ("uniform(1, 3, 2)", rng().uniform(1, 3, 2)),
        ("uniform(size=2)", rng().uniform(size=2)),
        ("uniform(high=4, size=2)", rng().uniform(0, 4, 2)),
        ("randint(5, size=3)", rng().integers(0, 5, 3)),
        ("randint(2, 4, (2, 2))", rng().integers(2, 4, (2, 2))),
        ("integers(1)", 0),
    ],
)
def test_what_is_called_is_what_numpy_makes(text: str, numbers: object) -> None:
    found = read_typed(text, ".")
    assert found.shape == np.shape(numbers)
    np.testing.assert_allclose(found, np.asarray(numbers, float), rtol=1e-14)


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("zeros(2, dtype=np.int8)", "int8"),
        ("zeros(2, dtype='float32')", "float32"),
        ("zeros(2, dtype=float)", "float64"),
        ("zeros(2, dtype=int)", "int64"),
        ("zeros(2, dtype=bool)", "bool"),
        ("zeros(2, dtype=torch.long)", "int64"),
        ("np.float32(1/3)", "float32"),
        ("np.bool_(1 - 1)", "bool"),
        ("zeros(2) * 2", "float16"),
        ("array([1, 2]) * 2", "float16"),
    ],
)
def test_a_dtype_that_is_named_wins(text: str, dtype: str) -> None:
    assert read_typed(text, ".", np.dtype("float16")).dtype == dtype


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("e + 1", f"has e, {_NOT}"),
        ("x.e", f"has x.e, {_NOT}"),
        ("foo.pi", f"has foo.pi, {_NOT}"),
        ("np.true", f"has np.true, {_NOT}"),
        ("zeros(2).real", f"has zeros(2).real, {_NOT}"),
        ("foo.zeros(2)", f"has foo, {_NOT}"),
        ("foo.float32(1/3)", f"has foo.float32, {_NOT}"),
        ("float32(1/3)", f"has float32, {_NOT}"),
        ("np.float32(1/3, 2)", f"has np.float32, {_NOT}"),
        ("np.float32(1/3, x=2)", f"has np.float32, {_NOT}"),
        ("np.float32(x=1/3)", f"has np.float32, {_NOT}"),
        ("tensor([1, 2], 3) * 2", f"has tensor, {_NOT}"),
        ("tensor([1], foo=2) * 2", f"has tensor, {_NOT}"),
        ("sqrt(2, out=3)", f"has sqrt, {_NOT}"),
        ("sqrt(*[2])", f"has sqrt(*[2]), {_NOT}"),
        ("zeros(2) + (not 1)", f"has not 1, {_NOT}"),
        ("zeros(2) << 1", f"has zeros(2) << 1, {_NOT}"),
        ("zeros(2)[0]", f"has zeros(2)[0], {_NOT}"),
        ("f" * 50 + "(2)", f"has {'f' * 40}, {_NOT}"),
        # A matrix of NumPy would stay one, and a lone number is a size to PyTorch.
        ("np.matrix([1, 2]) * 2", f"has np.matrix, {_NOT}"),
        ("np.matrix([1, 2]).reshape(2)", f"has np.matrix, {_NOT}"),
        ("torch.Tensor(3) * 2", "has no numbers in Tensor; write them"),
        ("torch.Tensor(3)", "has no numbers in Tensor; write them"),
        ("zeros(2, dtype=None)", "has dtype None, which is unknown"),
        ("zeros(2, dtype='complex64')", "has dtype complex64, which is unknown"),
        ("randn(2, seed=1.5)", "needs a whole number of at least 0 as its seed"),
        ("randn(2, seed=-1)", "needs a whole number of at least 0 as its seed"),
        ("arange()", "calls arange with arguments that do not fit"),
        ("arange(1, 2, 3, 4)", "calls arange with arguments that do not fit"),
        ("normal(0, 1, 2, 3)", "calls normal with arguments that do not fit"),
        ("uniform(0, 1, 2, 3)", "calls uniform with arguments that do not fit"),
        ("matmul(3, 4)", "calls matmul with arguments that do not fit"),
        ("arange(1, 2, 0)", "needs a range of finite numbers with a step that is not 0"),
        ("arange(inf)", "needs a range of finite numbers with a step that is not 0"),
        ("randint(5, 5)", "draws whole numbers from an empty range"),
        ("randint(0)", "draws whole numbers from an empty range"),
        ("full(2, [1, 2])", "needs one number where it has several or none"),
        ("linspace(0)", "needs one number where it has several or none"),
        ("zeros(2, -1)", "has a negative size in [2, -1]"),
        ("zeros(1.5)", "needs whole numbers as sizes, not 1.5"),
        ("tile([1], True)", "needs whole numbers as sizes, not True"),
        ("arange(6).reshape(4, -1)", "has 6 numbers, which do not fill the shape [4, -1]"),
        ("[1, 2] + [1, 2, 3]", "combines shapes that do not fit: [2], [3]"),
        ("ones((2, 3)) @ ones((2, 3))", "combines shapes that do not fit: [2, 3], [2, 3]"),
        ("1 // 0", "divides by 0, or computes a number that is too large"),
        ("0.0 ** -1", _LARGE),
        ("2.0 ** 5000", _LARGE),
        # Whole numbers of up to 2048 bits are computed, though no dtype holds them.
        ("2**1024", _HELD),
        ("2**1025", _LARGE),
        ("(2**1024) * (2**1023)", _HELD),
        ("(2**1024) * (2**1024)", _LARGE),
    ],
)
def test_what_is_not_computed_is_said_in_a_sentence(text: str, sentence: str) -> None:
    assert said(text) == sentence


def test_a_text_is_no_expression_from_a_length_on_or_in_two_lines() -> None:
    assert computed(f"1 +{' ' * 1996}1").array == 2
    for text in (f"1 +{' ' * 1997}1", "1 +\n1", "1 -1", "pi -1", "(1) +pi"):
        with pytest.raises(NoExpression):
            computed(text)
    assert computed("1-1").array == 0 and computed("1 - 1").array == 0


def test_all_numbers_on_the_way_count() -> None:
    assert computed("zeros(2) + zeros(2)", 6).array.size == 2
    for text, most in (("zeros(2) + zeros(2)", 5), ("zeros(2)", 1), ("[zeros(2), zeros(2)]", 3)):
        with pytest.raises(ParameterError, match=r"^computes too many numbers$"):
            computed(text, most)
    assert computed("zeros(2)", 2).array.size == 2


@pytest.mark.parametrize(
    ("text", "work"),
    [
        ("ones((2, 3)) @ ones((3, 4))", 24),
        ("ones((5, 2, 3)) @ ones((3, 4))", 120),
        ("ones((2, 3)) @ ones((5, 3, 4))", 120),
        ("ones((2, 3)) @ ones(3)", 6),
        ("ones(3) @ ones((3, 4))", 12),
        ("ones(3) @ ones(3)", 3),
    ],
)
def test_a_product_is_bounded_by_its_multiplications(text: str, work: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_makers, "MOST_PRODUCTS", work)
    assert read_typed(text, ".").size > 0
    monkeypatch.setattr(array_makers, "MOST_PRODUCTS", work - 1)
    assert said(text) == "multiplies matrices that are too large"


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("zeros((3, 4))", 12),
        ("arange(0, 1, 0.3)", 4),
        ("repeat([1, 2], 3)", 6),
        ("tile([1, 2], (3, 2))", 12),
        ("diag([1, 2, 3])", 9),
        ("eye(3, 2)", 6),
        ("linspace(0, 1, 7)", 7),
        ("ones((2, 1)) + ones(3)", 6),
        ("maximum(ones((2, 1)), ones(3))", 6),
        ("ones((2, 1)) ** ones(3)", 6),
        ("outer([1, 2], [1, 2, 3])", 6),
        ("randn(2, 3)", 6),
    ],
)
def test_an_array_may_be_as_large_as_the_limit(text: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(array_makers, "MOST_ELEMENTS", size)
    assert computed(text).array.size == size
    monkeypatch.setattr(array_makers, "MOST_ELEMENTS", size - 1)
    assert said(text) == f"would have {size} numbers; at most {size - 1} are allowed"


def test_an_array_has_at_most_sixteen_axes() -> None:
    ones = ", ".join(["1"] * 16)
    assert read_typed(f"zeros(({ones}))", ".").ndim == 16
    assert said(f"zeros(({ones}, 1))") == "may have at most 16 axes"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[1, 2].reshape(2147483648)", "has a shape that is no list of sizes: 2147483648"),
        ("[1, 2].reshape(2147483647)", "has 2 numbers, which do not fill the shape [2147483647]"),
        ("[1, 2].reshape(-2)", "has a shape that is no list of sizes: -2"),
        ("[1, 2].reshape(1.0, 2)", "has a shape that is no list of sizes: [1.0, 2]"),
        ("np.matrix([1, 2]).reshape(2)", 'must be numbers, in brackets for lists, not ".reshape(2)"'),
        ("torch.Tensor(3)", "has no numbers in torch.Tensor; write them"),
        ("tf.Tensor(shape=(2,))", "has no numbers in tf.Tensor; write them"),
        ("array([1], order=C, order=C)", "has order twice in array; leave one out"),
    ],
)
def test_what_is_printed_is_refused_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_array(text)
    assert str(refused.value) == sentence


def test_whole_numbers_of_printed_tensors_are_sizes_to_pytorch_alone() -> None:
    assert read_array("tf.Tensor(3)").shape == () and read_array("torch.Tensor([3])").shape == (1,)
    assert read_array("torch.tensor(3)").shape == () and read_array("torch.Tensor(3.5)") == 3.5
