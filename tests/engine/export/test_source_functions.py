"""Functions as source that stands alone: it gives their numbers, whatever they read around themselves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import ShapeError
from gradwire.engine.export.program_text import FreeNames
from gradwire.engine.export.source_functions import FunctionSources

circle = 5.0
FACTORS = {"two": 2.0, "row": [1.0, 3.0]}
TABLE = np.array([1.0, 4.0])
LIMIT = np.float32(0.5)


def twice(x: float) -> float:
    """Returns the double.

    This line is left out.
    """
    return 2 * x


TASKS = {"twice": twice, "again": (1, 2)}


def own_import(r: float) -> float:
    import math as circle

    return circle.pi * r


def reads_constants(x: float) -> float:
    found: float = x * circle + FACTORS["two"]
    return found + FACTORS["row"][1] + TABLE[1] + LIMIT


def calls(x: float) -> float:
    return twice(twice(x)) + math.sqrt(4.0) + np.maximum(x, 1.0)


def by_table(x: float) -> float:
    return TASKS["twice"](x) + TASKS["again"][1]  # type: ignore[operator, index]  # a table of both


def refuses(x: float) -> float:
    if x < 0:
        raise ShapeError("less than nothing")
    return x


def hides(circle: float) -> float:
    TABLE = [circle, 2.0]  # noqa: N806  # hides the one around it
    return sum(TABLE)


def of_itself(count: int) -> int:
    return 1 if count < 2 else count * of_itself(count - 1)


def made(offset: float) -> Callable[[float], float]:
    def add(x: float) -> float:
        return x + offset

    return add


for item in (twice, own_import, reads_constants, calls, by_table, refuses, hides, of_itself):
    # Functions of ours are defined in programs; those of libraries are imported.
    item.__module__ = "gradwire.blocks.example"


def alone(function: Any) -> tuple[Any, list[str]]:
    """Returns what a program makes of a function, and its definitions."""
    sources = FunctionSources(FreeNames().take)
    name = sources.refer_to(function.__name__, function)
    names: dict[str, Any] = {"np": np}
    exec("\n".join([*sorted(sources.imports), *sources.definitions]), names)
    return names[name], sources.definitions


@pytest.mark.parametrize(
    ("function", "wanted"),
    [(own_import, 3 * math.pi), (reads_constants, 15 + 2 + 3 + 4 + 0.5), (calls, 12 + 2 + 3), (by_table, 8.0),
     (refuses, 3.0), (hides, 5.0), (of_itself, 6)],
)  # fmt: skip
def test_a_function_gives_the_same_alone(function: Any, wanted: float) -> None:
    found, _ = alone(function)
    assert found(3) == wanted == function(3)


def test_what_encloses_a_function_is_part_of_it() -> None:
    add = made(4.0)
    add.__module__ = "gradwire.blocks.example"
    assert alone(add)[0](1.0) == 5


def test_errors_of_ours_are_those_of_python() -> None:
    with pytest.raises(ValueError, match="less than nothing"):
        alone(refuses)[0](-1.0)


def test_a_definition_has_no_annotations_and_the_first_line_of_its_docstring() -> None:
    (text,) = alone(twice)[1]
    assert text == 'def twice(x):\n    """Returns the double."""\n    return 2 * x'


def test_functions_are_defined_once_and_before_those_that_call_them() -> None:
    sources = FunctionSources(FreeNames().take)
    assert [sources.refer_to(item.__name__, item) for item in (calls, twice, by_table)] == [
        "calls",
        "twice",
        "by_table",
    ]
    heads = [text.split("(")[0] for text in sources.definitions if text.startswith("def ")]
    assert heads == ["def twice", "def calls", "def by_table"]
    assert sources.imports == {"import math", "import numpy as np"}


def test_a_name_that_is_taken_is_given_with_a_number() -> None:
    names = FreeNames()
    names.take("twice")
    sources = FunctionSources(names.take)
    assert sources.refer_to("twice", twice) == "twice_2"
    assert sources.definitions[0].startswith("def twice_2(x):")
    assert sources.rename("twice") == "twice_3" and sources.definitions[-1] == "twice_3 = twice"


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), ("a", "'a'"), (np.float32(2), "np.float32(2.0)"), (np.dtype("int8"), "np.dtype('int8')"),
     (np.add, "np.add"), (np.float64, "np.float64"), (None, "None"), (ShapeError, "ValueError")],
)  # fmt: skip
def test_short_constants_and_what_libraries_have_stand_where_they_are_read(value: object, text: str) -> None:
    sources = FunctionSources(FreeNames().take)
    assert sources.refer_to("it", value) == text and sources.definitions == []


def test_modules_are_imported_by_the_names_that_programs_know() -> None:
    sources = FunctionSources(FreeNames().take)
    assert (sources.refer_to("np", np), sources.refer_to("math", math)) == ("np", "math")
    assert sources.imports == {"import numpy as np", "import math"}


def test_long_constants_are_defined_once() -> None:
    sources = FunctionSources(FreeNames().take)
    assert [sources.refer_to("row", item) for item in (FACTORS, FACTORS)] == ["row", "row"]
    assert sources.definitions == ["row = {'two': 2.0, 'row': [1.0, 3.0]}"]
    assert sources.refer_to("row", TABLE) == "row_2"


def test_an_import_by_another_name_says_so() -> None:
    sources = FunctionSources(FreeNames(["product"]).take)
    from itertools import product

    assert sources.refer_to("product", product) == "product_2"
    assert sources.imports == {"from itertools import product as product_2"}
