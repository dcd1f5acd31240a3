"""Lenses and panels of a graph that cannot be computed: they say unknown, never nothing."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel

from gradwire.app.live.selection import Selection
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.files import loads
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, wired, with_block

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]

CIRCLE = """{"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21",
 "loss": null, "pages": [
 {"name": "main", "blocks": [
  {"id": "e", "type": "Exp", "at": [400, 0]}, {"id": "loss", "type": "Loss", "at": [600, 0]},
  {"id": "sum", "type": "Add", "at": [200, 0]},
  {"id": "x", "type": "Input", "at": [0, 0], "parameters": {"value": {"dtype": "float64", "shape": [], "data": [1]}}}],
 "wires": [["sum.z", "e.x"], ["e.y", "loss.x"], ["x.y", "sum.x"], ["e.y", "sum.y"]]}]}"""


@pytest.fixture
def broken(user: Driver) -> Driver:
    """A graph with a cycle of wires, with its input selected."""
    user.show(loads(CIRCLE).graph)
    user.session.select(Selection(frozenset(["x"])))
    user.settle()
    return user


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("lens_paths", "No gradient reaches this graph: there are no paths to show."),
        ("lens_precision", "No digits are lost, and no zero is an underflow."),
        ("lens_conventions", "No block is at a kink, a tie or a zero now."),
        ("slice", "Unknown until the error or missing input on this path is fixed."),
    ],
)
def test_a_part_that_has_nothing_to_show_says_why(broken: Driver, command: str, said: str) -> None:
    refusals = broken.listen()
    broken.trigger(command)
    broken.qtbot.waitUntil(lambda: refusals == [said])


def test_a_wire_that_is_in_sight_is_gone_to_without_moving_the_page(user: Driver) -> None:
    user.show(chain())
    before = user.canvas.camera
    user.window.parts.viewing.go_to_wire(user.session.link(user.wire("loss.x")))
    assert user.canvas.camera == before and user.selection.wires == {user.wire("loss.x")}


def test_a_plug_in_whose_rule_fails_is_told_on_its_block_and_the_graph_stays_alive(
    user: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    @block("Arithmetic")
    def Foreign(x: Array) -> Array:
        """Returns the tensor itself."""
        return x

    Foreign.gradient(lambda *_: 1 // 0)
    monkeypatch.setitem(library._types, "Foreign", Foreign)
    graph = with_block(chain(), "f", "Foreign", (240, 480))
    user.show(wired(graph, "x.y > f.x", "f.y > t.x"))
    user.session.select(Selection(frozenset(["f"])))
    user.settle()
    assert user.session.results is not None and not user.session.results.problems
    user.show(wired(with_block(user.graph, "sum", "Add", (480, 240)), "f.y > sum.x", "e.y > sum.y", "sum.z > s.x"))
    user.session.select(Selection(frozenset(["f"])))
    user.qtbot.waitUntil(lambda: user.child(QLabel, "inspector_problem_text_0").isVisible())
    said = user.child(QLabel, "inspector_problem_text_0").text()
    assert said.startswith("Its gradient rule fails, which is a mistake in the block type; the log names it")
    results = user.session.results
    wires = [results.wire(user.session.link(user.wire(end))) for end in ("f.x", "e.x")]
    assert [wire.status for wire in wires if wire is not None] == ["unknown", "flow"]
