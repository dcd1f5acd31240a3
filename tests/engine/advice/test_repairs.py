"""Defects that only files can hold: each has a fix, and all together have one."""

from __future__ import annotations

import dataclasses
import pickle

import numpy as np
import pytest

from gradwire.engine.advice import repairs as repairing
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.repairs import REPAIRABLE, repair_all, repairs
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.base.errors import EditError
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits.edits import set_muted
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.torture.support.documents import wires

X = Block("scores", "Input", at=(0, 0), parameters={"value": np.array(2.0)})
EXP, LOSS = Block("e", "Exp", at=(200, 0)), Block("loss", "Loss", at=(400, 0))


def page(*found: Block, ends: tuple[str, ...] = (), surplus: tuple[str, ...] = (), name: str = "main") -> Page:
    extra = tuple(wire for text in surplus for wire in wires(text).values())
    return Page(name, {block.id: block for block in found}, wires(*ends), surplus=extra)


def defects(graph: Graph) -> list[Problem]:
    return [problem for problem in expand(graph).problems if problem.code in REPAIRABLE]


def fixes(graph: Graph) -> dict[Problem, Fix]:
    expanded = expand(graph)
    return repairs(graph, expanded, expanded.problems)


def the_fix(graph: Graph) -> Fix:
    (fix,) = fixes(graph).values()
    # It travels from the evaluator's process to the window.
    found: Fix = pickle.loads(pickle.dumps(fix))
    return found


@pytest.mark.parametrize(
    ("ends", "text", "source", "target"),
    [
        (("score.y > e.x", "e.y > loss.x"), "Connect scores.y to e.x instead", "scores.y", "e.x"),
        (("Scores.y > e.x", "e.y > loss.x"), "Connect scores.y to e.x instead", "scores.y", "e.x"),
        (("scores.z > e.x", "e.y > loss.x"), "Connect scores.y to e.x instead", "scores.y", "e.x"),
        (("scores.y > e.a", "e.y > loss.x"), "Connect scores.y to e.x instead", "scores.y", "e.x"),
        (("scores.y > e.x", "e.y > loss.wieghts"), "Connect e.y to loss.weights instead", "e.y", "loss.weights"),
    ],
)
def test_a_wire_that_leads_nowhere_is_joined_to_the_port_that_was_probably_meant(ends, text, source, target):
    graph = Graph((page(X, EXP, LOSS, ends=ends),))
    fix = the_fix(graph)
    assert fix.text == text
    mended = fix.edit(graph)
    assert str(mended.page("main").wires[Port(*target.split("."))].source) == source
    assert len(mended.page("main").wires) == 2
    assert not defects(mended)


@pytest.mark.parametrize(
    "ends", [("nobody.y > e.x", "e.y > loss.x"), ("scores.y > e.x", "scores.y > e.q"), ("scores.y > other.x",)]
)
def test_a_wire_without_a_likely_port_is_removed(ends):
    graph = Graph((page(X, EXP, LOSS, ends=ends),))
    fix = the_fix(graph)
    assert fix.text.startswith("Remove the wire to ")
    mended = fix.edit(graph)
    assert not defects(mended)
    assert len(mended.page("main").wires) == len(ends) - 1


def test_of_two_wires_into_a_port_the_second_goes_also_where_both_are_alike():
    for second in ("e.y > loss.x", "scores.y > loss.x"):
        graph = Graph((page(X, EXP, LOSS, ends=("scores.y > e.x", "e.y > loss.x"), surplus=(second,)),))
        fix = the_fix(graph)
        assert fix.text == "Remove the second wire into loss.x"
        mended = fix.edit(graph)
        assert mended.page("main").surplus == ()
        assert mended.page("main").wires == graph.page("main").wires


def test_a_wire_that_would_close_a_circle_is_not_offered_in_place_of_a_broken_one():
    other = Block("other", "Add")
    graph = Graph((page(other, EXP, ends=("other.z > e.x", "e.q > other.x")),))
    assert the_fix(graph).text == "Remove the wire to other.x"


def test_a_broken_numbered_wire_that_goes_takes_no_other_with_it():
    several = Block("several", "AddN")
    ends = ("nobody.y > several.values_0", "scores.y > several.values_1", "scores.y > several.values_2")
    mended = repair_all(Graph((page(X, several, ends=ends),)))
    assert [str(wire.target) for wire in mended.page("main").wires.values()] == ["several.values_0", "several.values_1"]


# Cycles


def circle(*found: Block) -> Graph:
    add = Block("add", "Add", at=(100, 0))
    return Graph(
        (page(X, add, EXP, LOSS, *found, ends=("scores.y > add.x", "add.z > e.x", "e.y > add.y", "e.y > loss.x")),)
    )


def test_a_circle_is_cut_where_a_wire_runs_back():
    graph = circle()
    fix = the_fix(graph)
    assert fix.text == "Remove the wire from e.y to add.y"
    assert not defects(fix.edit(graph))


def test_a_block_wired_to_itself_is_freed():
    graph = Graph((page(EXP, ends=("e.y > e.x",)),))
    assert not defects(the_fix(graph).edit(graph))


def test_a_circle_through_a_used_page_is_cut_outside_of_it():
    inner = page(
        Block("left", "PageInput", parameters={"name": "left", "value": np.array(1.0)}),
        Block("right", "PageOutput", parameters={"name": "right"}),
        ends=("left.y > right.x",),
        name="inner",
    )
    use = Block("use", "Page", at=(300, 0), parameters={"page": "inner"})
    for ends in (("use.right > e.x", "e.y > use.left"), ("use.right > use.left",)):
        graph = Graph((page(use, EXP, ends=ends), inner))
        mended = the_fix(graph).edit(graph)
        assert not defects(mended)
        assert mended.page("inner") is inner


def test_a_page_inside_itself_is_muted_there():
    use = Block("use", "Page", parameters={"page": "main"})
    graph = Graph((page(X, use),))
    fix = the_fix(graph)
    assert fix.text == "Mute use"
    assert fix.edit(graph) == set_muted(graph, "main", "use", True)
    assert not defects(fix.edit(graph))


def test_pages_inside_each_other_are_ended():
    pages = (
        page(Block("b", "Page", parameters={"page": "q"}), name="p"),
        page(Block("a", "Page", parameters={"page": "p"}), name="q"),
    )
    assert not defects(repair_all(Graph(pages)))


def test_many_pages_that_all_use_each_other_are_ended_in_one_round(monkeypatch):
    expansions = []
    monkeypatch.setattr(repairing, "expand", lambda graph: expansions.append(graph) or expand(graph))
    names = [f"p{number}" for number in range(8)]
    uses = [Block(f"u{name}", "Page", parameters={"page": name}) for name in names]
    graph = Graph(tuple(page(*uses, name=name) for name in names))
    repaired = repair_all(graph)
    assert not [item for item in expand(repaired).problems if item.code == "cycle"]
    assert len(expansions) == 2


# Everything


def test_all_is_repaired_at_once_and_twice_finds_nothing():
    graph = circle(Block("other", "Exp"), Block("again", "Exp"))
    main = graph.page("main")
    broken = wires("nobody.y > other.x", "score.y > again.x")
    graph = graph.with_page(
        dataclasses.replace(main, wires={**main.wires, **broken}, surplus=(Wire(Port("e", "y"), Port("e", "x")),))
    )
    assert len(defects(graph)) == 4
    mended = repair_all(graph)
    assert not defects(mended)
    assert mended.page("main").wires[Port("again", "x")].source == Port("scores", "y")
    with pytest.raises(EditError, match="nothing to repair"):
        repair_all(mended)


@pytest.mark.long
def test_thousands_of_broken_wires_circles_and_second_wires_are_repaired():
    found = [Block(f"b{number}", "Add") for number in range(1000)]
    ends = [f"b{number}.z > b{number}.x" for number in range(1000)] + [
        f"gone.z > b{number}.y" for number in range(1000)
    ]
    graph = Graph((page(*found, ends=tuple(ends), surplus=tuple(ends)),))
    assert len(defects(graph)) == 4_000
    assert not repair_all(graph).page("main").wires
    assert len(fixes(graph)) == len(set(defects(graph)))


def test_a_run_offers_the_fixes_and_a_loss_that_is_none_gives_way_to_all():
    graph = dataclasses.replace(circle(), loss="main/gone")
    found = {problem.code: fix for problem, fix in advise(run_graph(graph)).remedies.items()}
    assert found["cycle"].text == "Remove the wire from e.y to add.y"
    assert found["no_loss"].text == "Add up all Loss blocks"
    assert found["no_loss"].edit(graph).loss is None


# Which wire, which port


def test_of_a_circle_the_wire_that_runs_back_furthest_goes():
    blocks = [
        Block(name, "Exp", at=at) for name, at in (("a", (0, 0)), ("b", (300, 0)), ("c", (100, 0)), ("d", (700, 0)))
    ]
    ends = ("a.y > b.x", "b.y > c.x", "c.y > d.x", "d.y > a.x")
    assert the_fix(Graph((page(*blocks, ends=ends),))).text == "Remove the wire from d.y to a.x"
    # The same circle where another wire is the longest one back, whatever the order of the blocks.
    at = {"a": (0, 0), "b": (900, 0), "c": (100, 0), "d": (700, 0)}
    for order in ("abcd", "dcba", "bdac"):
        moved = [Block(name, "Exp", at=at[name]) for name in order]
        assert the_fix(Graph((page(*moved, ends=ends),))).text == "Remove the wire from b.y to c.x"


def test_a_wire_to_a_block_without_a_place_runs_nowhere_back():
    blocks = [Block("a", "Exp", at=(10, 0)), Block("b", "Exp", at=(20, 0)), Block("c", "Exp")]
    ends = ("a.y > b.x", "b.y > c.x", "c.y > a.x")
    # 20 to the right, and twice unknown: the first one of these is taken, not the one to the right.
    assert the_fix(Graph((page(*blocks, ends=ends),))).text != "Remove the wire from a.y to b.x"


def test_the_shortest_circle_through_a_block_is_cut():
    blocks = [Block("a", "Add", at=(0, 0)), Block("b", "Exp", at=(100, 0)), Block("c", "Exp", at=(900, 0))]
    ends = ("a.z > b.x", "b.y > a.x", "b.y > c.x", "c.y > a.y")
    graph = Graph((page(*blocks, ends=ends),))
    (first, *_) = fixes(graph).values()
    assert first.text == "Remove the wire from b.y to a.x"
    assert not defects(repair_all(graph)) and len(repair_all(graph).page("main").wires) == 2


@pytest.mark.parametrize(
    ("name", "found"),
    [
        # Four of five letters in common are alike enough: the ratio 2 M / T counts, from 0.8 on.
        ("scores", "scores.y"), ("SCORES", "scores.y"), ("scoresx", "scores.y"), ("score", "scores.y"),
        ("scorexyz", ""), ("cores", "scores.y"), ("abc", ""),
    ],
)  # fmt: skip
def test_a_block_of_a_similar_name_is_meant(name, found):
    fix = the_fix(Graph((page(X, EXP, ends=(f"{name}.q > e.x",) if name == "scores" else (f"{name}.y > e.x",)),)))
    assert fix.text == (f"Connect {found} to e.x instead" if found else "Remove the wire to e.x")


def test_of_several_blocks_the_most_similar_one_is_meant():
    others = [Block(name, "Input", parameters={"value": np.array(2.0)}) for name in ("scored", "scares", "Scored2")]
    graph = Graph((page(X, *others, EXP, ends=("scoresy.y > e.x",)),))
    assert the_fix(graph).text == "Connect scores.y to e.x instead"


def test_a_port_that_counts_gets_the_first_free_number():
    several = Block("several", "AddN")
    graph = Graph((page(X, several, ends=("scores.y > several.values_0", "scores.y > several.value")),))
    assert the_fix(graph).text == "Connect scores.y to several.values_1 instead"
    graph = Graph((page(X, several, ends=("scores.y > several.value",)),))
    assert the_fix(graph).text == "Connect scores.y to several.values_0 instead"


def test_a_port_that_has_a_wire_already_is_not_meant():
    graph = Graph((page(X, EXP, LOSS, ends=("scores.y > e.x", "e.y > loss.x", "scores.y > e.a")),))
    assert the_fix(graph).text == "Remove the wire to e.a"
    graph = Graph((page(X, EXP, ends=("score.y > e.x",), surplus=("scores.y > e.x",)),))
    assert {fix.text for fix in fixes(graph).values()} == {
        "Remove the wire to e.x", "Remove the second wire into e.x",
    }  # fmt: skip
    # The first wire that leads somewhere stays.
    assert repair_all(graph).page("main").wires == wires("scores.y > e.x")


def test_of_two_wires_into_a_port_the_first_one_that_leads_somewhere_stays():
    graph = Graph((page(X, EXP, LOSS, ends=("scores.y > e.x",), surplus=("gone.y > e.x", "e.y > e.x")),))
    assert repair_all(graph).page("main").wires == wires("scores.y > e.x")
    graph = Graph((page(X, EXP, ends=("gone.y > e.x",), surplus=("none.y > e.x", "scores.y > e.x")),))
    assert repair_all(graph).page("main").wires == wires("scores.y > e.x")


def test_names_of_ports_of_a_page_are_those_of_its_borders():
    inner = page(
        Block("left", "PageInput", parameters={"name": "left", "value": np.array(1.0)}),
        Block("other", "PageInput", parameters={"name": "other", "value": np.array(1.0)}),
        Block("right", "PageOutput", parameters={"name": "right"}), Block("sum", "Add"),
        ends=("left.y > sum.x", "other.y > sum.y", "sum.z > right.x"), name="inner",
    )  # fmt: skip
    use = Block("use", "Page", at=(300, 0), parameters={"page": "inner"})
    for target, text in (("lefd", "Connect scores.y to use.left instead"), ("xyz", "Remove the wire to use.xyz")):
        assert the_fix(Graph((page(X, use, ends=(f"scores.y > use.{target}",)), inner))).text == text
    # Its only output is meant, whatever the name.
    graph = Graph((page(X, use, EXP, ends=("use.foo > e.x",)), inner))
    assert the_fix(graph).text == "Connect use.right to e.x instead"


def test_beyond_a_hundred_broken_wires_the_others_are_removed(monkeypatch):
    monkeypatch.setattr(repairing, "COMPARED", 2)
    blocks = [Block(f"e{number}", "Exp") for number in range(4)]
    graph = Graph((page(X, *blocks, ends=tuple(f"score.y > e{number}.x" for number in range(4))),))
    texts = [fix.text for fix in fixes(graph).values()]
    assert texts == [
        "Connect scores.y to e0.x instead", "Connect scores.y to e1.x instead", "Remove the wire to e2.x",
        "Remove the wire to e3.x",
    ]  # fmt: skip
    assert repair_all(graph).page("main").wires == wires("scores.y > e0.x", "scores.y > e1.x")


def test_an_edit_of_what_is_gone_is_refused():
    graph = Graph((page(X, EXP, ends=("scores.y > e.x",), surplus=("scores.y > e.x",)),))
    (wire,) = graph.page("main").surplus
    mended = repairing.drop_surplus(graph, "main", wire)
    assert mended.page("main").surplus == () and mended.page("main").wires == graph.page("main").wires
    with pytest.raises(EditError, match="There is no wire from"):
        repairing.drop_surplus(mended, "main", wire)
