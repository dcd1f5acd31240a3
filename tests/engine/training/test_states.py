"""States of a training by hand: what fits to another one, and what a file of one may hold."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.training import state as states
from gradwire.engine.training.checks import TrainingCheck, compare
from gradwire.engine.training.state import State, state_from_bytes

W, C = np.array([1.0, 2.0]), np.array(3.0, "float32")
MEMORY = {("a", "w", 0): W, ("a", "w", 1): 2 * W, ("b", "c", 0): C}
WHOLE = State(7, {"w": W, "c": C}, MEMORY, {"a": 3, "b": 4})


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (WHOLE, ""), (State(0, {"c": C, "w": 5 * W}, MEMORY, {"b": 0, "a": 0}), ""),
        (State(7, {"w": W}, MEMORY, {"a": 3, "b": 4}), "c is only in the state."),
        (State(7, {**WHOLE.variables, "d": C}, MEMORY, {"a": 3, "b": 4}), "d is only in the graph and its plan."),
        (State(7, {"v": W, "x": C}, MEMORY, {"a": 3, "b": 4}), "c is only in the state."),
        (State(7, {"w": W, "b": C}, MEMORY, {"a": 3, "b": 4}), "b is only in the graph and its plan."),
        (State(7, {"w": W[:1], "c": C}, MEMORY, {"a": 3, "b": 4}), "w is .*2.* in the state, but .*1.* in the graph."),
        (State(7, {"w": W, "c": C.astype(float)}, MEMORY, {"a": 3, "b": 4}), "c is float32.* but float64"),
        (State(7, WHOLE.variables, {}, {"a": 3, "b": 4}), "c of b, memory 0 is only in the state."),
        (State(7, WHOLE.variables, MEMORY, {"a": 3}), "The state has the steps a, b, the plan a."),
        (State(7, WHOLE.variables, MEMORY, {}), "The state has the steps a, b, the plan none."),
    ],
)  # fmt: skip
def test_a_state_fits_if_all_has_the_same_names_and_specs(other: State, said: str) -> None:
    if said:
        with pytest.raises(GradwireError, match=said):
            WHOLE.check_fits(other)
    else:
        WHOLE.check_fits(other)


def test_a_state_fitted_to_another_has_what_fits() -> None:
    other = State(0, {"w": 0 * W, "c": np.zeros(2), "d": C}, {("a", "w", 0): 0 * W, ("a", "w", 2): W}, {"a": 0, "z": 5})
    found = WHOLE.fitted_to(other)
    assert (found.round, found.updates) == (7, {"a": 3, "z": 5})
    assert {name: array.tolist() for name, array in found.variables.items()} == {"w": [1, 2], "c": [0, 0], "d": 3}
    assert {key: array.tolist() for key, array in found.memory.items()} == {
        ("a", "w", 0): [1, 2],
        ("a", "w", 2): [1, 2],
    }
    assert WHOLE.fitted_to(other, lambda name: name != "w").variables["w"].tolist() == [0, 0]


def test_equal_states_have_equal_bytes_in_any_order_and_come_back() -> None:
    turned = State(7, {"c": C, "w": W}, dict(reversed(MEMORY.items())), {"b": 4, "a": 3})
    assert turned.to_bytes() == WHOLE.to_bytes() and turned.checksum() == WHOLE.checksum()
    assert State(8, WHOLE.variables, MEMORY, WHOLE.updates).checksum() != WHOLE.checksum()
    found = state_from_bytes(WHOLE.to_bytes(), "s")
    found.check_fits(WHOLE)
    assert (found.round, found.updates) == (7, {"a": 3, "b": 4})
    assert found.variables["w"].tolist() == [1, 2] and found.memory["a", "w", 1].tolist() == [2, 4]


def written(*left_out: str, how: int = zipfile.ZIP_STORED, **changes: Any) -> bytes:
    """Returns the bytes of the state with other facts, or without some members."""
    content = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHOLE.to_bytes())) as old, zipfile.ZipFile(content, "w", how) as new:
        for member in old.namelist():
            text = old.read(member)
            if member == "training.json":
                text = json.dumps({**json.loads(text), **changes}).encode()
            if member not in left_out:
                new.writestr(member, text)
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (written("4.npy"), "lacks 4.npy"), (written("training.json"), "is no state of a training"),
        (b"", "is no state"),
        (written(how=zipfile.ZIP_DEFLATED), "is compressed"), (written(format="x"), "training.json.format"),
        (written(version=0), "training.json.version"), (written(version=2), "training.json.version"),
        (written(round=-1), "training.json.round"), (written(variables=[1]), r"training.json.variables\[0\]"),
        (written(memory=[["a", "w"]]), r"training.json.memory\[0\]"),
        (written(updates={"a": -1}), "training.json.updates"),
        (written(memory=[["a", "w", -1]]), r"training.json.memory\[0\]"), (WHOLE.to_bytes()[:-30], "is no state"),
    ],
)  # fmt: skip
def test_a_damaged_state_is_refused_with_its_place(content: bytes, said: str) -> None:
    with pytest.raises(FileError, match=said):
        state_from_bytes(content, "s")


def test_the_facts_of_a_state_have_a_size(monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(io.BytesIO(WHOLE.to_bytes())) as archive:
        size = archive.getinfo("training.json").file_size
    monkeypatch.setattr(states, "MOST_FACTS", size)
    assert state_from_bytes(WHOLE.to_bytes(), "s").round == 7
    monkeypatch.setattr(states, "MOST_FACTS", size - 1)
    with pytest.raises(FileError, match=f"training.json has {size:,} bytes, above {size - 1:,}"):
        state_from_bytes(WHOLE.to_bytes(), "s")


@pytest.mark.parametrize(
    ("value", "text"),
    [(1 / 3, "0.333333333333"), ([1 / 3, 2.0], "[0.333333 2.      ]"), (np.arange(9.0), "[0. 1. 2. ... 6. 7. 8.]"),
     (np.arange(8.0), "[0. 1. 2. 3. 4. 5. 6. 7.]")],
)  # fmt: skip
def test_a_check_shows_a_number_with_twelve_digits_and_others_with_six(value: object, text: str) -> None:
    check = TrainingCheck("t", "value", 0, "p.y", value, None, False, 0.0, 0.0)
    assert compare(check, np.asarray(value), lambda: np.zeros(())).sentence == f"p.y is {text}, wanted {text}"
