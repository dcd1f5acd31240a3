"""Random numbers that are a function of their names: the same bits on every machine, in any order of drawing.

A BLAKE2b hash of the names is the key of NumPy's Philox, which makes the i-th number from the key and i alone. So more
numbers of a name begin with the fewer. Only + - * / and roots follow, each in a given order, and no function of the
system's mathematical library, which may differ in the last bit.
Source: Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3 (2011). Cost: O(numbers).
"""

from __future__ import annotations

import hashlib
import math

import numpy as np

from gradwire.engine.base.tensor_spec import Array

Name = int | str
# As many uniform numbers make one that is nearly normal.
_ADDED = 12
_TURN = 2 * math.pi
# Coefficients of the Taylor series in x squared: on an eighth of a turn the next term is below 1e-16.
_SINE = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in reversed(range(9)))
_COSINE = tuple((-1.0) ** k / math.factorial(2 * k) for k in reversed(range(9)))

# Coefficients of 2 artanh in x squared: up to 0.172 the next term is below 1e-18.
_ARTANH = tuple(2 / (2 * k + 1) for k in reversed(range(12)))
_LOG_2, _ROOT_HALF = 0.6931471805599453, 0.7071067811865476


def key_of(*names: Name) -> int:
    """Returns the key of some names, 128 bits; other names or another order of them give another one."""
    digest = hashlib.blake2b(digest_size=16)
    for name in names:
        content = name.encode("utf-8", "surrogatepass") if isinstance(name, str) else b"%d" % name
        digest.update(b"%c%d:" % (b"s" if isinstance(name, str) else b"i", len(content)) + content)
    return int.from_bytes(digest.digest(), "little")


def generator(*names: Name) -> np.random.Generator:
    """Returns NumPy's generator over the numbers of some names."""
    return np.random.Generator(np.random.Philox(key=key_of(*names)))


def raw_numbers(count: int, *names: Name) -> Array:
    """Returns the first numbers of 64 bits of some names.

    Shapes: the result [count], uint64.
    """
    return np.asarray(np.random.Philox(key=key_of(*names)).random_raw(count), np.uint64)


def uniforms(shape: tuple[int, ...], *names: Name) -> Array:
    """Returns numbers from 0 up to and without 1, with 53 bits each."""
    return (raw_numbers(math.prod(shape), *names) >> np.uint64(11)).astype(np.float64).reshape(shape) * 2.0**-53


def nearly_normal(shape: tuple[int, ...], *names: Name) -> Array:
    """Returns noise of mean 0 and deviation 1: the sum of 12 uniform numbers, less 6; none is further off than 6.

    Its fourth moment is 2.9, that of a normal number 3.
    """
    terms = uniforms((*shape, _ADDED), *names)
    total = terms[..., 0]
    for number in range(1, _ADDED):
        total = total + terms[..., number]
    found: Array = np.asarray(total - _ADDED / 2)
    return found


def normals(shape: tuple[int, ...], *names: Name) -> Array:
    """Returns normal noise of mean 0 and deviation 1; each number takes two uniform ones.

    Source: Box and Muller (1958), with sine and logarithm of this module.
    """
    pairs = uniforms((*shape, 2), *names)
    return np.asarray(np.sqrt(-2 * logarithm(1 - pairs[..., 0])) * cosine(pairs[..., 1]))


def permutation(count: int, *names: Name) -> Array:
    """Returns the numbers below `count` in random order: sorted by their raw numbers, equal ones as they were."""
    return np.asarray(np.argsort(raw_numbers(count, *names), kind="stable"))


def sine(turns: Array) -> Array:
    """Returns the sine of angles, correct to 3e-16. Units: whole turns."""
    r = turns - np.rint(turns)
    size = np.abs(r)
    # From a quarter of a turn on the sine falls as it rose.
    size = np.where(size > 0.25, 0.5 - size, size)
    y = np.where(size > 0.125, _series(_COSINE, 0.25 - size), _series(_SINE, size) * (size * _TURN))
    return np.asarray(np.copysign(y, r))


def cosine(turns: Array) -> Array:
    """Returns the cosine of angles, correct to 3e-16. Units: whole turns."""
    return sine(0.25 - np.abs(turns - np.rint(turns)))


def logarithm(x: Array) -> Array:
    """Returns the natural logarithm of positive numbers, correct to 3e-16 of its size, or next to 1 of 1.

    Source: log m = 2 artanh((m - 1) / (m + 1)) for m from the root of a half up to its double.
    """
    m, exponent = np.frexp(x)
    is_low = m < _ROOT_HALF
    m, exponent = np.where(is_low, 2 * m, m), np.where(is_low, exponent - 1, exponent)
    s = (m - 1) / (m + 1)
    square, total = s * s, np.full_like(s, _ARTANH[0])
    for item in _ARTANH[1:]:
        total = total * square + item
    return np.asarray(exponent * _LOG_2 + total * s)


def _series(coefficients: tuple[float, ...], turns: Array) -> Array:
    x = turns * _TURN
    square = x * x
    total = np.full_like(square, coefficients[0])
    for item in coefficients[1:]:
        total = total * square + item
    return total
