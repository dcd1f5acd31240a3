"""The status line says one thing: the gravest, with what can be done about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.features.problems.problem_rows import Row, rows_of
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.shell.status.sentence import SILENT, Sentence
from gradwire.app.shell.status.sentences import problem_sentence, sentence_of
from gradwire.engine.advice.advice import Advice
from gradwire.engine.advice.finding import Fix
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.window.graphs import with_block

Say = Callable[[Graph], Sentence]


@pytest.fixture
def say() -> Iterator[Say]:
    sessions: list[Session] = []

    def said(graph: Graph) -> Sentence:
        session = Session(graph, InlineEvaluator)
        sessions.append(session)
        rows = rows_of(session.problems, session.results, graph, Advice(), ())
        return sentence_of(session, problem_sentence(rows[0] if rows else None, session))

    yield said
    for session in sessions:
        session.close()


def log_of(number: float) -> Graph:
    return gw.graph(gw.Loss(gw.Log(gw.Input(np.array(number), name="x"), name="log")))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2.0, ""),
        # -∞ at 0, whose derivative is ∞; the log of -1 is NaN, and its derivative -1.
        (0.0, 'Inf starts at Log "log" and reaches 2 of 2 wires'),
        (-1.0, 'NaN starts at Log "log" and reaches 1 of 2 wires'),
    ],
)
def test_where_a_loss_that_is_no_number_starts(number: float, text: str, say: Say) -> None:
    assert say(log_of(number)).text == text


def test_a_block_of_a_model_is_said_with_its_line(say: Say) -> None:
    graph = log_of(-1.0)
    page = graph.page("main")
    log = dataclasses.replace(page.blocks["log"], extra={"origin": "model.py:7"})
    graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "log": log}))
    assert say(graph).text.startswith("NaN starts at model.py:7 and reaches")


def test_an_error_is_graver_than_a_loss_that_is_missing(say: Say) -> None:
    graph = gw.graph(gw.Loss(gw.Input(np.ones(2), name="x") + gw.Input(np.ones(2), name="y"), name="loss"))
    wrong = edits.set_parameter(graph, "main", "y", "value", np.ones(3))
    assert say(wrong).token == "error" and say(wrong).is_grave
    both = edits.remove_blocks(wrong, "main", ["loss"])
    assert say(both).token == "error"
    assert say(edits.remove_blocks(graph, "main", ["loss"])).act == "loss"


def row(severity: str, at: str = "main/e", fix: Fix | None = None) -> Row:
    return Row(severity, "Something is so.", "", at, "code", fix)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("told", "act", "is_grave"),
    [
        (row("error"), "go_to", True),
        (row("error", ""), "", True),
        (row("warning", fix=Fix("Mend it", lambda graph: graph)), "fix", True),
        (row("info", fix=Fix("Mend it", lambda graph: graph)), "", False),
    ],
)
def test_the_button_is_what_can_be_done(told: Row, act: str, is_grave: bool) -> None:
    session = Session(with_block(Graph(), "e", "Exp", (0, 0)), InlineEvaluator)
    said = problem_sentence(told, session)
    assert (said.act, bool(said.button), said.is_grave) == (act, bool(act), is_grave)
    assert said.text == ('Something is so, at Exp "e"' if told.at else "Something is so")
    assert problem_sentence(None, session) == SILENT
    session.close()


def test_a_sentence_about_layers_names_no_block() -> None:
    problem = Problem(
        "warning", "main/t1", "lint_vanishing_chain", "|∂L| falls from 1 at layer 9 to 0.1 at layer 1. So."
    )
    (told,) = rows_of([problem], None, Graph(), Advice(), ())
    session = Session(with_block(Graph(), "t1", "Tanh", (0, 0)), InlineEvaluator)
    assert problem_sentence(told, session).text == "|∂L| falls from 1 at layer 9 to 0.1 at layer 1"
    assert told.detail == "So."
    mended = dataclasses.replace(told, fix=Fix("Mend it", lambda graph: graph))
    assert problem_sentence(mended, session).button == "Why?"
    session.close()
