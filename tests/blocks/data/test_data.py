"""Examples by formula: their numbers, written out here in plain Python, their split, scale, labels and batches."""

from __future__ import annotations

import hashlib
import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.library import library
from tests.engine.base.philox import philox, uniform_numbers

DATA = library["Data"]
FORMULAS = ("xor", "circles", "moons", "spirals", "blobs", "checkerboard", "line", "sine", "step")


def drawn(**given: Any) -> tuple[np.ndarray, np.ndarray]:
    """Returns x and y, with all other parameters as they are by default."""
    parameters = DATA.normalize(given)
    DATA.infer_outputs([], parameters)
    return DATA.function(**parameters)


def normal_numbers(count: int, *names: int | str) -> list[float]:
    terms = uniform_numbers(12 * count, *names)
    found = []
    for number in range(count):
        total = terms[12 * number]
        for term in terms[12 * number + 1 : 12 * number + 12]:
            total += term
        found.append(total - 6.0)
    return found


def sine(turns: float) -> float:
    """The sine by its Taylor series, term by term as the module about random numbers says."""
    rest = turns - round(turns)
    size = 0.5 - abs(rest) if abs(rest) > 0.25 else abs(rest)
    is_cosine = size > 0.125
    x = (0.25 - size if is_cosine else size) * (2 * math.pi)
    total = 0.0
    for k in reversed(range(9)):
        term = (-1.0) ** k / math.factorial(2 * k + (0 if is_cosine else 1))
        total = term if k == 8 else total * (x * x) + term
    return math.copysign(total if is_cosine else total * x, rest)


def cosine(turns: float) -> float:
    return sine(0.25 - abs(turns - round(turns)))


def test_xor_has_the_corners_in_turn_and_noise_on_them() -> None:
    x, y = drawn(set="xor", n=7, noise=0.5, seed=3, labels="index")
    noise = normal_numbers(14, "data", "xor", 3, "noise")
    corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)]
    assert x.tolist() == [[corners[i % 4][k] + 0.5 * noise[2 * i + k] for k in (0, 1)] for i in range(7)]
    assert y.tolist() == [0, 1, 1, 0, 0, 1, 1]


def test_line_sine_and_step_are_functions_of_places_from_minus_1_to_1() -> None:
    for name, function in {
        "line": lambda x: 2 * x + 1,
        "sine": lambda x: sine(1.5 * x),
        "step": lambda x: 1.0 if x > 0 else 0.0,
    }.items():
        places = [2 * u - 1 for u in uniform_numbers(9, "data", name, 4, "place")]
        noise = normal_numbers(9, "data", name, 4, "noise")
        x, y = drawn(set=name, n=9, noise=0.25, turns=1.5, seed=4)
        assert x.tolist() == [[place] for place in places]
        assert y.tolist() == [[function(place) + 0.25 * e] for place, e in zip(places, noise, strict=True)]


def test_a_checkerboard_has_four_by_four_fields() -> None:
    x, y = drawn(set="checkerboard", n=300, noise=0, labels="index")
    assert y.tolist() == [(math.floor((a + 1) * 2) + math.floor((b + 1) * 2)) % 2 for a, b in x]
    assert (np.abs(x) <= 1).all()


def test_circles_and_blobs_lie_where_they_should() -> None:
    x, y = drawn(set="circles", n=60, noise=0, classes=3, labels="index")
    np.testing.assert_allclose(np.hypot(*x.T), (y + 1) / 3, rtol=1e-15)
    x, y = drawn(set="blobs", n=60, noise=0, classes=5, labels="index")
    np.testing.assert_allclose(x[:, 0] + 1j * x[:, 1], np.exp(2j * np.pi * y / 5), atol=1e-15)


def test_moons_are_two_half_circles() -> None:
    x, y = drawn(set="moons", n=50, noise=0, labels="index")
    turns = uniform_numbers(50, "data", "moons", 0, "turn")
    angles = np.pi * np.array(turns)
    expected = [np.stack([np.cos(angles), np.sin(angles)], 1), np.stack([1 - np.cos(angles), 0.5 - np.sin(angles)], 1)]
    np.testing.assert_allclose(x, np.where(y[:, None] == 0, *expected), atol=1e-15)
    assert y.tolist() == [0, 1] * 25


def test_batches_have_the_hashes_of_plain_python() -> None:
    """Batch 0, 1 and 999 of spirals, bit for bit, without NumPy."""
    n, size = 60, 7
    radii = uniform_numbers(n, "data", "spirals", 5, "radius")
    noise = normal_numbers(2 * n, "data", "spirals", 5, "noise")
    rows = []
    for i, radius in enumerate(radii):
        turns = 1.25 * radius + (i % 3) / 3
        rows.append((radius * cosine(turns) + 0.1 * noise[2 * i], radius * sine(turns) + 0.1 * noise[2 * i + 1]))
    kept = [i for i, u in enumerate(uniform_numbers(n, "test", 5)) if not u < 0.2]
    for number in (0, 1, 999):
        epoch, batch = divmod(number, len(kept) // size)
        text = b"".join(b"%c%d:%b" % (kind, len(part), part) for kind, part in (
            (b"s", b"order"), (b"i", b"5"), (b"i", str(epoch).encode())
        ))  # fmt: skip
        keys = philox(int.from_bytes(hashlib.blake2b(text, digest_size=16).digest(), "little"), len(kept))
        order = sorted(range(len(kept)), key=lambda place: keys[place])[batch * size : (batch + 1) * size]
        expected = b"".join(struct.pack("<2d", *rows[kept[place]]) for place in order)
        x, y = drawn(set="spirals", n=n, noise=0.1, turns=1.25, classes=3, seed=5, batch=size, test=0.2,
                     labels="index", step=number)  # fmt: skip
        assert hashlib.sha256(x.astype("<f8").tobytes()).digest() == hashlib.sha256(expected).digest()
        assert y.tolist() == [kept[place] % 3 for place in order]


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(FORMULAS), st.integers(1, 60), st.integers(1, 60), st.floats(0, 0.9), st.integers(0, 99))
def test_more_rows_move_none(name: str, n: int, more: int, test: float, seed: int) -> None:
    for part in ("train", "test"):
        try:
            few = drawn(set=name, n=n, test=test, seed=seed, part=part)
        except ParameterError:  # the part has no rows
            continue
        many = drawn(set=name, n=n + more, test=test, seed=seed, part=part)
        for a, b in zip(few, many, strict=True):
            assert (b[: len(a)] == a).all()


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(1, 12), st.integers(0, 5), st.sampled_from(("shuffled", "in_order")))
def test_an_epoch_has_each_row_once_but_for_the_rest(n: int, batch: int, epoch: int, order: str) -> None:
    batch = min(batch, n)
    rounds = range(epoch * (n // batch), (epoch + 1) * (n // batch))
    seen = [row for step in rounds for row in drawn(set="line", n=n, batch=batch, order=order, step=step)[0][:, 0]]
    rows = drawn(set="line", n=n)[0][:, 0].tolist()
    assert len(seen) == n - n % batch
    assert len(set(seen)) == len(seen)
    assert set(seen) <= set(rows)
    if order == "in_order":
        assert seen == rows[: len(seen)]


@pytest.mark.parametrize("test", [0.1, 0.5])
def test_the_test_part_has_its_share_and_no_row_of_the_other(test: float) -> None:
    train, held = drawn(set="line", n=4000, test=test)[0], drawn(set="line", n=4000, test=test, part="test")[0]
    assert sorted([*train[:, 0], *held[:, 0]]) == sorted(drawn(set="line", n=4000)[0][:, 0])
    # Four standard errors of a share.
    assert abs(len(held) / 4000 - test) < 4 * math.sqrt(test * (1 - test) / 4000)


def test_the_scale_is_that_of_the_training_part() -> None:
    plain = {part: drawn(n=90, test=0.3, part=part)[0] for part in ("train", "test")}
    for scale, offset, width in (
        ("standard", plain["train"].mean(axis=0), plain["train"].std(axis=0)),
        ("unit", plain["train"].min(axis=0), np.ptp(plain["train"], axis=0)),
    ):
        for part, x in plain.items():
            found = drawn(n=90, test=0.3, part=part, scale=scale)[0]
            np.testing.assert_allclose(found, (x - offset) / width, rtol=1e-13, atol=1e-14)


def test_a_feature_that_never_changes_is_only_moved() -> None:
    assert drawn(set="blobs", n=1, noise=0, scale="standard")[0].tolist() == [[0, 0]]


def test_labels_come_in_three_forms() -> None:
    assert drawn(set="xor", n=4, labels="one_hot")[1].tolist() == [[1, 0], [0, 1], [0, 1], [1, 0]]
    assert drawn(set="xor", n=4, labels="value")[1].tolist() == [[0], [1], [1], [0]]
    assert drawn(set="xor", n=4, labels="index")[1].dtype == np.int64
    x, y = drawn(set="xor", n=4, dtype="float32")
    assert x.dtype == y.dtype == np.float32


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 0}, "n must be from 1 to 1,000,000, not 0"),
        ({"n": 2_000_000}, "n must be from 1 to 1,000,000, not 2000000"),
        ({"set": "iris", "n": 151}, "n must be from 1 to 150, not 151"),
        ({"classes": 1}, "classes must be from 2 to 100, not 1"),
        ({"test": 1.0}, "test must be at least 0 and below 1, not 1"),
        ({"seed": -1}, "seed must be at least 0, not -1"),
        ({"noise": -0.5}, "noise must be at least 0, not -0.5"),
        ({"batch": 201}, "batch 201 is above the 200 rows of the part train"),
        ({"part": "test"}, "part test has no rows; set test to the share of rows for it"),
        (
            {"set": "spirals", "n": 1, "test": 0.9, "part": "test", "scale": "standard"},
            "scale is fitted on the training part, which has no rows; lower test or add rows",
        ),
    ],
)
def test_wrong_parameters_are_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        drawn(**given)
    assert str(refused.value) == message


def test_digits_and_iris_are_those_of_their_authors() -> None:
    """The sums are those of scikit-learn's arrays as bytes; of iris in tenths of cm."""
    x, y = drawn(set="digits", labels="index")
    assert x.shape == (1797, 64)
    assert sha256(x) == "8f26b2bd9d135c256808f68f14fdabddde6d9c7f869ae419704b051f0f14b3b3"
    assert sha256(y) == "8ba4f891220f5e4c9c819638d1602d74b83618f167043c6da52a2a247841ddf0"
    x, y = drawn(set="iris", labels="index")
    assert x[0].tolist() == [5.1, 3.5, 1.4, 0.2]
    assert sha256(np.rint(x * 10)) == "9f83d709ff543630793c65970cd232a7b86de6f44338e64fb2847e5b5d757634"
    assert y.tolist() == [0] * 50 + [1] * 50 + [2] * 50
    assert drawn(set="digits", n=3)[1].shape == (3, 10)


def sha256(array: np.ndarray) -> str:
    return hashlib.sha256(array.astype(np.uint8).tobytes()).hexdigest()


def test_pixels_of_an_image_are_scaled_together() -> None:
    plain, test = drawn(set="digits", test=0.2)[0], drawn(set="digits", test=0.2, part="test")[0]
    assert (drawn(set="digits", test=0.2, scale="unit", part="test")[0] == test / 16).all()
    expected = (plain - plain.mean()) / plain.std()
    np.testing.assert_allclose(drawn(set="digits", test=0.2, scale="standard")[0], expected, rtol=1e-12, atol=1e-14)
