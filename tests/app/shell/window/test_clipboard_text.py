"""Text for copy and paste: graphs with the pages they use, numbers, lists and tables."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.app.live.selection import Selection
from gradwire.app.shell.window.clipboard_text import copied_text, pasted_fragment
from gradwire.engine.base.errors import EditError
from gradwire.engine.edits import edits
from gradwire.engine.files.files import dumps
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.engine.edit_sequences import SEQUENCES, Step, after, rich_graph


def test_copied_text_holds_the_blocks_their_wires_frames_and_pages() -> None:
    fragment = pasted_fragment(
        copied_text(rich_graph(), "main", Selection(frozenset(["sum", "w", "x", "use"]), notes=frozenset(["why"])))
    )
    assert sorted(block.id for block in fragment.blocks) == ["sum", "use", "w", "x"]
    assert {str(item.source) for item in fragment.wires} == {"w.y", "x.y", "use.out"}
    assert [frame.title for frame in fragment.frames] == [frame.title for frame in rich_graph().page("main").frames]
    assert [note.text for note in fragment.notes] == ["Why?"]
    assert fragment.pages == (rich_graph().page("half"),)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(SEQUENCES, st.randoms(use_true_random=False))
def test_copied_text_holds_what_is_copied(steps: list[Step], numbers: random.Random) -> None:
    graph = after(steps)
    page = graph.pages[0]
    chosen = [item for item in page.blocks if numbers.random() < 0.5]
    copied = edits.copy_blocks(graph, page.name, chosen)
    if not copied.blocks:
        return
    pasted = pasted_fragment(copied_text(graph, page.name, Selection(frozenset(chosen))))
    # Files have an order of their own.
    assert {block.id: block for block in pasted.blocks} == {block.id: block for block in copied.blocks}
    assert (set(pasted.wires), pasted.frames) == (set(copied.wires), copied.frames)
    assert {item.name: item for item in pasted.pages} == {item.name: item for item in copied.pages}


@settings(deadline=None, derandomize=True, max_examples=60)
@given(SEQUENCES, st.integers(0, 9))
def test_pasting_where_it_was_copied_adds_no_page(steps: list[Step], number: int) -> None:
    graph = after(steps)
    page = graph.pages[number % len(graph.pages)]
    if page.blocks:
        fragment = pasted_fragment(copied_text(graph, page.name, Selection(frozenset(page.blocks))))
        pasted, ids = edits.paste(graph, page.name, fragment)
        assert [item.name for item in pasted.pages] == [item.name for item in graph.pages]
        assert ids.keys() == page.blocks.keys()


def test_pages_that_the_blocks_use_come_along() -> None:
    fragment = pasted_fragment(copied_text(rich_graph(), "main", Selection(frozenset(["use"]))))
    pasted, ids = edits.paste(Graph(), "main", fragment)
    assert [page.name for page in pasted.pages] == ["main", "half"]
    assert pasted.page("half") == rich_graph().page("half")
    assert pasted.page("main").blocks[ids["use"]].parameters["page"] == "half"


def test_another_page_of_that_name_is_left_alone() -> None:
    other = edits.add_block(edits.add_page(Graph(), "half")[0], "half", "Exp")[0]
    pasted, ids = edits.paste(
        other, "main", pasted_fragment(copied_text(rich_graph(), "main", Selection(frozenset(["use"]))))
    )
    assert [page.name for page in pasted.pages] == ["main", "half", "half_1"]
    assert pasted.page("half") is other.page("half")
    assert pasted.page("main").blocks[ids["use"]].parameters["page"] == "half_1"
    again, ids = edits.paste(
        pasted, "main", pasted_fragment(copied_text(rich_graph(), "main", Selection(frozenset(["use"]))))
    )
    assert len(again.pages) == 3
    assert again.page("main").blocks[ids["use"]].parameters["page"] == "half_1"


def test_pages_inside_pages_come_along_under_their_new_names() -> None:
    graph, outer = edits.group(rich_graph(), "half", ["twice"])
    text = copied_text(graph, "main", Selection(frozenset(["use"])))
    other = edits.add_block(edits.add_page(Graph(), outer)[0], outer, "Exp")[0]
    pasted, _ = edits.paste(other, "main", pasted_fragment(text))
    used = [block.parameters["page"] for block in pasted.page("half").blocks.values() if block.type == "Page"]
    assert used == [f"{outer}_1"]
    assert pasted.has_page(f"{outer}_1")


def test_a_page_cannot_be_pasted_into_itself() -> None:
    fragment = pasted_fragment(copied_text(rich_graph(), "main", Selection(frozenset(["use"]))))
    with pytest.raises(EditError, match="the page would contain itself"):
        edits.paste(rich_graph(), "half", fragment)


def test_pages_that_contain_each_other_are_refused() -> None:
    text = dumps(rich_graph()).replace('"type": "Add"', '"type": "Page", "parameters": {"page": "half"}')
    with pytest.raises(EditError, match='"half" on the clipboard contains itself'):
        edits.paste(Graph(), "main", pasted_fragment(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5),
        (" -3e-2\n", -0.03),
        ("[1,2,3]", [1, 2, 3]),
        ("[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("[1. 2. 3.]", [1, 2, 3]),
        ("[[1. 2.]\n [3. nan]]", [[1, 2], [3, np.nan]]),
        ("array([1., 2.])", [1, 2]),
        ("np.array([[1, 2]], dtype=float32)", [[1, 2]]),
        ("tensor([1.5000, -2.0000])", [1.5, -2]),
    ],
)
def test_a_number_or_a_list_becomes_a_constant(text: str, value: object) -> None:
    (block,) = pasted_fragment(text).blocks
    assert block.type == "Constant"
    np.testing.assert_array_equal(block.parameters["value"], np.array(value, np.float64))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("1,2\n3,4", [[1, 2], [3, 4]]),
        ("a,b\n1,2\n3,4", [[1, 2], [3, 4]]),
        ("0,5\t1,5\r\n2,0\t3\r\n", [[0.5, 1.5], [2, 3]]),
        ("0,5;1\n2;3", [[0.5, 1], [2, 3]]),
        ("1 2 3\n4 5 6", [[1, 2, 3], [4, 5, 6]]),
        ('"1","2"\n"3","4"', [[1, 2], [3, 4]]),
        ("1\n2\n3", [1, 2, 3]),
        ("x\n1\n2", [1, 2]),
        ("1,2,3", [1, 2, 3]),
        ("1;nan;-inf", [1, np.nan, -np.inf]),
    ],
)
def test_a_table_becomes_an_input(text: str, value: object) -> None:
    (block,) = pasted_fragment(text).blocks
    assert block.type == "Input"
    np.testing.assert_array_equal(block.parameters["value"], np.array(value, np.float64))


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("tensor([1.5000, -2.0000], requires_grad=True)", "float64"),
        ("Parameter containing:\ntensor([1.5, -2.0], requires_grad=True)", "float64"),
        ("<tf.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([ 1.5, -2. ], dtype=float32)>", "float32"),
    ],
)
def test_the_print_of_a_tensor_that_trains_becomes_a_variable(text: str, dtype: str) -> None:
    (block,) = pasted_fragment(text).blocks
    assert (block.type, block.parameters["value"].tolist()) == ("Variable", [1.5, -2])
    assert block.parameters["value"].dtype == dtype


def test_a_decimal_comma_of_the_user_is_that_of_a_pasted_number() -> None:
    (block,) = pasted_fragment("0,5", point=",").blocks
    assert (block.type, float(block.parameters["value"])) == ("Constant", 0.5)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The clipboard holds no text."),
        ("hello there", "neither blocks nor numbers"),
        ("[1, 2", "The text lacks a closing bracket."),
        ("1,2\n3", "The text has 1 cells in line 2 but 2 in line 1."),
        ("1,2\n3,x", 'The text holds "x" in line 2, column 2'),
        ("1,2\n3,", "The text has an empty cell in line 2, column 2"),
        ('{"format": "other"}', "The clipboard holds no blocks. Line 1, column 12: "),
        ('{"format":\n NaN}', "Line 2, column 2: NaN is not JSON"),
        ('{"a":' * 100, "nested deeper than 64 levels"),
        ("{" + " " * 2**26, "more text than a file may have"),
        ("1,2\n3," + "4" * 200_000, "The text holds a cell that is too long or breaks its line"),
        ("y = np.linalg.lstsq(a, b)", "Line 1, column 5: np.linalg.lstsq is not known here"),
        ("a = x * 2\nb = foo(a)", r"Line 2, column 5: foo is not known here.*\. Once more takes the rest\."),
        ("y = (x +", "is never closed"),
        ("3 -2", "The text lacks a comma before"),
        ("1,234\t2", "may group digits"),
        ("0,5\t1.5", "write all decimals with one sign"),
        (dumps(Graph()), "whose first page has no blocks"),
        (dumps(Graph(())), "whose first page has no blocks"),
        (dumps(rich_graph()).replace('"needs": []', '"needs": ["quantum"]'), "need quantum"),
    ],
)
def test_other_text_is_refused_with_a_reason(text: str, sentence: str) -> None:
    with pytest.raises(EditError, match=sentence) as caught:
        pasted_fragment(text)
    assert str(caught.value).endswith(".")


def test_a_program_becomes_its_blocks_and_the_rest_of_one_with_a_mistake() -> None:
    fragment = pasted_fragment(">>> p = softmax(x - stop(max(x)))")
    assert {block.id: block.type for block in fragment.blocks}["p"] == "Softmax"
    assert len(fragment.wires) == 5
    rest = pasted_fragment("a = x * 2\nb = foo(a)", is_lenient=True)
    assert {block.type for block in rest.blocks} == {"Input", "Constant", "Multiply"}


def test_a_few_words_become_layers() -> None:
    fragment = pasted_fragment("dense 8 tanh, dense 1")
    assert [block.type for block in fragment.blocks].count("Variable") == 4


def test_wires_to_blocks_that_the_text_lacks_are_left_out() -> None:
    found = Block("a", "Exp"), Block("b", "Exp")
    ends = (
        Wire(Port("a", "y"), Port("b", "x")),
        Wire(Port("gone", "y"), Port("a", "x")),
        Wire(Port("b", "y"), Port("gone", "x")),
    )
    page = Page("main", {block.id: block for block in found}, {wire.target: wire for wire in ends})
    assert pasted_fragment(dumps(Graph((page,)))).wires == ends[:1]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.text(alphabet='0123456789.,;[]{}"\t\n -enaif', max_size=40))
def test_any_text_is_pasted_or_refused(text: str) -> None:
    try:
        assert pasted_fragment(text).blocks
    except EditError as error:
        assert str(error).endswith(".")  # noqa: PT017
