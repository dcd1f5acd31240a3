"""Models that PyTorch has saved: their loss and every gradient, their pages and lines; and files that lie."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import NAME, Graph
from gradwire.interop.models.inputs import Drawn
from gradwire.interop.models.names import block_name
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.pt2.from_pt2 import from_pt2, read_pt2
from tests.interop.pt2.recorded import Recorded, assert_near, beginning, compare, input_names
from tests.sweeps import a_third_of

MODELS, NETWORKS, HOSTILE, WRITES = map(Recorded, ("models", "networks", "hostile", "writes"))
OPERATIONS = Recorded("operations")
ROWS = {row["id"]: row for row in MODELS.rows()}


def gradients_of(graph: Graph) -> dict[str, Array]:
    """Returns the gradient of each Input of the model, and of each Variable, by its id."""
    return {
        key.path.rpartition("/")[2]: np.asarray(port.gradient)
        for key, port in run_graph(graph).snapshot.ports.items()
        if type_at(graph, key.path) in ("Input", "Variable")
    }


def type_at(graph: Graph, path: str) -> str:
    """Returns the type of the block that a path through pages leads to."""
    page, *inner, block = path.split("/")
    for name in inner:
        page = str(graph.page(page).blocks[name].parameters["page"])
    return graph.page(page).blocks[block].type


def loss_of(graph: Graph) -> float:
    loss = run_graph(graph).snapshot.loss
    assert loss is not None
    return float(np.asarray(loss.value))


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row["loss"] and row["opens"] == "yes"])
def test_recorded_models_have_pytorchs_loss_and_gradients(name: str) -> None:
    row, numbers = ROWS[name], MODELS.numbers(name)
    graph = from_pt2(MODELS.model(name), beginning(numbers, "in/"))
    assert_near(loss_of(graph), numbers["out/output"], 1e-5, name)
    found = gradients_of(graph)
    for leaf in row["gradients"]:
        # At kinks the gradient is TensorFlow's, which is recorded, too.
        wanted = numbers.get(f"ours/{leaf}", numbers[f"grad/{leaf}"])
        assert_near(found[leaf.replace(".", "_")], wanted, row["rtol"], f"{name}, {leaf}")


def test_several_outputs_keep_their_names_and_make_no_loss() -> None:
    numbers = MODELS.numbers("two_outputs")
    graph = from_pt2(MODELS.model("two_outputs"), beginning(numbers, "in/"))
    found = run_graph(graph).snapshot
    assert found.loss is None
    for name in ("output_0", "output_1"):
        port = next(port for key, port in found.ports.items() if key.path == f"main/{name}")
        assert_near(port.value, numbers[f"out/{name}"], 1e-5, name)
    chosen = read_pt2(MODELS.model("two_outputs"), beginning(numbers, "in/"), loss="output_1").graph
    assert loss_of(chosen) == pytest.approx(float(numbers["out/output_1"].sum()), rel=1e-5)
    with pytest.raises(ModelRefusal, match='There is no output "mean"; there are: output_0, output_1'):
        read_pt2(MODELS.model("two_outputs"), {}, loss="mean")


@pytest.mark.parametrize("name", a_third_of(NETWORKS.names))
def test_networks_have_pytorchs_loss_and_gradients(name: str, tmp_path: Path) -> None:
    numbers = NETWORKS.numbers(name)
    given = dict(zip(input_names(NETWORKS.model(name)), beginning(numbers, "in_").values(), strict=True))
    graph = from_pt2(NETWORKS.model(name), given)
    # A saved model is the same one.
    path = tmp_path / "a.graph"
    path.write_text(dumps(graph), encoding="utf-8")
    graph = load(path).graph
    assert_near(loss_of(graph), numbers["out"], 1e-5, name)
    found = gradients_of(graph)
    for leaf, wanted in beginning(numbers, "gp_").items():
        assert_near(found[leaf.replace(".", "_")], wanted, 1e-4, f"{name}, {leaf}")


def test_modules_are_pages_and_blocks_keep_their_line_of_source() -> None:
    graph = from_pt2(NETWORKS.model("gpt"))
    pages = {page.name: page for page in graph.pages}
    assert {"main", "h", "h_0", "h_0_m", "h_0_m_0", "h_2_l2"} <= pages.keys()
    # Tied weights are one Variable, used as words and as the last layer.
    variables = [block.id for page in graph.pages for block in page.blocks.values() if block.type == "Variable"]
    assert len(variables) == len(set(variables))
    assert "wte_weight" in variables and "head_weight" not in variables
    lines = {str(block.extra.get("origin", "")) for page in graph.pages for block in page.blocks.values()}
    assert any(line.startswith("models.py:") for line in lines)


def test_another_batch_than_the_exported_one_opens() -> None:
    row, numbers = ROWS["regressor"], MODELS.numbers("regressor")
    given = {name: np.concatenate([array, array]) for name, array in beginning(numbers, "in/").items()}
    graph = from_pt2(MODELS.model(row["id"]), given)
    # A mean over the same examples twice is the same.
    assert loss_of(graph) == pytest.approx(float(numbers["out/output"]), rel=1e-5)


def test_inputs_that_nobody_gives_are_drawn_and_said() -> None:
    first, second = (read_pt2(MODELS.model("mlp")) for _ in range(2))
    assert dumps(first.graph) == dumps(second.graph)
    assert "Nobody gave x: its numbers are drawn with seed 0." in first.notices
    other = read_pt2(MODELS.model("mlp"), {"x": Drawn(1)})
    assert dumps(other.graph) != dumps(first.graph)
    assert not any("gave x" in notice for notice in other.notices)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"x": np.ones((2, 3, 4))}, "x has shape [2, 3, 4]; the program is for ["),
        ({"labels": np.full(3, 0.5)}, "labels is int64 in the program, which cannot hold these numbers"),
        ({"y": [1.0]}, 'There is no input "y"; there are: x, labels.'),
        ({"x": "abc"}, "x is no tensor of numbers"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(given: Mapping[str, Any], said: str) -> None:
    with pytest.raises(ModelRefusal) as found:
        from_pt2(MODELS.model("mlp"), given)
    assert said in str(found.value)


def test_ties_at_which_pytorch_gives_another_gradient_are_said() -> None:
    notices = read_pt2(MODELS.model("kinks")).notices
    assert any("of two equal numbers the first has the whole gradient here" in notice for notice in notices)


def test_long_paths_of_modules_have_names_of_their_own() -> None:
    paths = [f"{'stage.' * 12}{number}.{'deep.' * 10}weight" for number in range(50)]
    names = [block_name(path) for path in paths]
    assert len(set(names)) == 50
    assert all(NAME.fullmatch(name) for name in names)
    assert block_name("net.0.weight") == "net_0_weight"


@pytest.mark.parametrize("name", ["part", "filled", "read_before"])
def test_what_is_written_into_a_part_reaches_the_whole(name: str) -> None:
    compare(name, WRITES)


@pytest.mark.parametrize("name", ["turned", "other"])
def test_writing_where_other_tensors_would_change_is_refused_with_its_line(name: str) -> None:
    with pytest.raises(ModelRefusal, match=r"\w+\.py:\d+: \w+ writes into a view"):
        from_pt2(WRITES.model(name))


@pytest.mark.parametrize("row", HOSTILE.rows(), ids=lambda row: str(row["id"]))
def test_hostile_files_are_refused_in_one_sentence(row: Mapping[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "m.pt2"
    path.write_bytes(HOSTILE.model(row["id"]))
    if row["opens"] == "yes":
        assert from_pt2(path).pages
        return
    with pytest.raises(gw.GradwireError) as found:
        from_pt2(path)
    sentence = str(found.value)
    assert "\n" not in sentence and sentence.endswith(".")
    assert any(word.lower() in sentence.lower() for word in row["says"]), sentence


def test_a_file_cut_anywhere_is_refused(tmp_path: Path) -> None:
    whole = MODELS.model("mlp")
    for size in range(0, len(whole), max(1, len(whole) // 60)):
        with pytest.raises(ModelRefusal):
            from_pt2(whole[:size])


@pytest.mark.parametrize("name", OPERATIONS.names[::40])
def test_programs_of_one_operation_have_pytorchs_numbers(name: str) -> None:
    compare(name, OPERATIONS)
