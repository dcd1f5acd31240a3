"""The strategies from which the monkey chooses, and what a step of it is."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from tests.app.window.driver import LEFT, MIDDLE, RIGHT, Key, Mod
from tests.app.window.monkey import Spot
from tests.app.window.monkey_laws import Laws

TYPES = ("Input", "Constant", "Variable", "Add", "Multiply", "MatMul", "Exp", "Log", "ReduceSum", "ReduceMax", "AddN",
         "Concat", "Reshape", "Split", "Cast", "Greater", "Where", "StopGradient", "Loss", "Page", "PageInput",
         "PageOutput", "Reroute", "Gradients", "Relu", "Softmax")  # fmt: skip
QUERIES = ("tf.add", "relu", "0.5", "[1,2]", "loss", "nothing like it", "stop", "x = [[1, 2], [3, 4]]")
TEXTS = ("e", "name", "Two words", "", "3", "-0.5", "1e9", "nan", "x" * 70, "<b>", "9.5.1", "[1, 2]", "[[1], [2]]")
BOX_TEXTS = ("mute", "fit", "undo", "light", "arrange", "loss", "page", "e", "relu", "nothing like it")
CTRL, SHIFT, ALT, NONE = Mod.ControlModifier, Mod.ShiftModifier, Mod.AltModifier, Mod.NoModifier
KEYS = (Key.Key_Right, Key.Key_Left, Key.Key_Up, Key.Key_Down, Key.Key_Return, Key.Key_Escape, Key.Key_Tab, Key.Key_M,
        Key.Key_H, Key.Key_X, Key.Key_G, Key.Key_S, Key.Key_P, Key.Key_Y, Key.Key_C, Key.Key_D, Key.Key_J, Key.Key_L,
        Key.Key_A, Key.Key_I, Key.Key_Z, Key.Key_Home, Key.Key_End, Key.Key_Delete, Key.Key_Backspace, Key.Key_Space,
        Key.Key_Menu, Key.Key_1, Key.Key_2)  # fmt: skip

rows = st.integers(0, 31)
shares = st.sampled_from([0.5, 0.0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.9, 1.0])
# What is often is written twice.
kinds = st.sampled_from(["view", "title", "title", "body", "body", "input", "output", "wire", "frame", "note", "edge"])
buttons = st.sampled_from([LEFT, LEFT, LEFT, LEFT, MIDDLE, RIGHT])
spots = st.builds(Spot, kinds, rows, shares, shares)
modifiers = st.sampled_from([NONE, NONE, NONE, NONE, SHIFT, CTRL, ALT, CTRL | ALT, CTRL | SHIFT, ALT | SHIFT])
endings = st.sampled_from(["release", "release", "release", "release", "escape", "undo", "delete", "theme_light"])
ways = st.lists(spots, min_size=2, max_size=5)


def step(**strategies: st.SearchStrategy) -> Callable[[Callable[..., None]], Any]:
    """A rule after which everything that it left open is closed."""

    def decorated(act: Callable[..., None]) -> Any:
        @functools.wraps(act)
        def acted(self: Laws, **given: Any) -> None:
            act(self, **given)
            self.things.tidy()

        return rule(**strategies)(acted)

    return decorated


def type_inline(monkey: Laws, text: str, end: Any) -> None:
    if monkey.user.popups.fields():
        monkey.user.popups.type_inline(text, end, CTRL if end == Key.Key_Return else NONE)
