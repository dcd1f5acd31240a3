"""The rows of the list of problems, of problems and findings made by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.settings import Settings
from gradwire.app.features.problems.problem_rows import ASK_FOR_PLUGIN, FAULT, Row, fix_text, key_of, rows_of
from gradwire.app.features.problems.problems import HIDDEN_RULES, ProblemsPanel
from gradwire.app.features.problems.why_strip import WhyStrip
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.advice import Advice
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linter import RULES
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import page_edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.graph import Graph

FIX = Fix("Mend it", lambda graph: graph)


def graph(stops: int = 0) -> Graph:
    """The loss of x times itself, stopped so many times."""
    x = gw.Input(np.array(3.0), name="x")
    stopped = [gw.StopGradient(x, name=f"stop_{n}") for n in range(stops)]
    return gw.graph(gw.Loss(gw.Multiply(x, stopped[0] if stops else x, name="m"), *[], name="loss"), *stopped[1:])


def row(problem: Problem, advice: Advice | None = None) -> Row:
    (found,) = rows_of([problem], None, graph(), advice or Advice(), set())
    return found


@pytest.mark.parametrize(
    ("problem", "sentence", "detail"),
    [
        (Problem("error", "main/m", "shape", "It is wrong."), "It is wrong.", "Multiply"),
        (Problem("error", "main/m", "shape", "It is wrong"), "It is wrong", "Multiply"),
        (Problem("error", "main/m", "shape", "One. Two. Three.", "b"), "One.", "Multiply, port b: Two. Three."),
        (Problem("error", "main/none", "shape", "One. Two."), "One.", "none: Two."),
        (Problem("error", "other/m", "shape", "One. Two."), "One.", "m: Two."),
        (Problem("error", "main/rec/m", "shape", "One."), "One.", "m"),
        (Problem("error", "", "file", "One. Two."), "One.", "Two."),
        (Problem("error", "", "file", "One."), "One.", ""),
        (Problem("error", "main/m", "nonfinite", "It makes NaN: log(0). Two."), "It makes NaN.",
         "Multiply: log(0). Two."),
        (Problem("error", "main/m", "shape", "It says: this. Two."), "It says: this.", "Multiply: Two."),
        (Problem("error", "main/m", FAULT, "Its code fails. Two."), "m has failed", "Its code fails. Two."),
    ],
)  # fmt: skip
def test_a_row_has_the_first_sentence_and_below_it_block_port_and_rest(
    problem: Problem, sentence: str, detail: str
) -> None:
    found = row(problem)
    assert (found.sentence, found.detail.replace(" / ", "/")) == (sentence, detail)
    assert (found.severity, found.at, found.code, found.fix) == ("error", problem.at, problem.code, None)


@pytest.mark.parametrize(
    ("code", "message", "fix"),
    [
        ("unknown_type", "The plug-in a has it.", ASK_FOR_PLUGIN),
        ("unknown_type", "Nothing has it.", None),
        ("shape", "The plug-in a has it.", None),
    ],
)
def test_a_type_of_a_plug_in_leads_to_the_list_of_them(code: str, message: str, fix: Fix | None) -> None:
    problem = Problem("error", "main/m", code, message)
    assert row(problem).fix is fix
    assert row(problem, Advice(remedies={problem: FIX})).fix is FIX


@pytest.mark.parametrize(
    ("at", "origin", "line", "place"),
    [
        ("main/m", "", 0, "main / m"),
        ("main/m", "model.py:3", 0, "main / m, model.py:3"),
        ("main/m", "", 7, "main / m, line 7"),
        ("", "", 7, "line 7"),
        ("", "", 0, ""),
    ],
)
def test_a_row_tells_its_place_in_graph_model_and_file(at: str, origin: str, line: int, place: str) -> None:
    assert Row("error", "x", "", at, "shape", origin=origin, line=line).place == place


def test_lines_of_the_file_belong_to_their_problems() -> None:
    problems = [Problem("error", "main/m", "shape", "One."), Problem("error", "main/x", "shape", "Two.")]
    found = rows_of(problems, None, graph(), Advice(), set(), {problems[1]: 5})
    assert [item.line for item in found] == [0, 5]


def test_the_gravest_comes_first_and_nan_before_other_errors() -> None:
    given = [
        Problem("info", "main/x", "a", "1."), Problem("warning", "main/x", "b", "2."),
        Problem("error", "main/x", "shape", "3."), Problem("error", "main/x", "nonfinite", "4."),
        Problem("info", "main/x", "nonfinite", "5."),
    ]  # fmt: skip
    found = rows_of(given, None, graph(), Advice(), set())
    assert [item.sentence for item in found] == ["4.", "3.", "2.", "5.", "1."]


def test_advice_that_is_hidden_is_not_told_nor_its_culprit() -> None:
    rule, other = RULES[0].name, RULES[1].name
    findings = (Finding(rule, "warning", "main/m", "One.", FIX), Finding(other, "warning", "main/x", "Two."))
    codes = [finding.code for finding in findings]
    culprits = [
        Problem("warning", "main/m", codes[0], "Culprit one."),
        Problem("warning", "main/x", codes[0], "Culprit two."),
        Problem("warning", "main/x", f"lint_{other}", "Culprit three."),
    ]

    def told(*hidden: str) -> list[str]:
        found = rows_of([], None, graph(), Advice(findings), set(hidden), culprits=culprits)
        return sorted(item.sentence for item in found)

    # A finding on the same place takes the row of a culprit.
    assert "Culprit one." not in told() and {"One.", "Two.", "Culprit two."} <= set(told())
    assert "One." not in told(rule) and "Two." in told(rule)
    assert [item.rule for item in rows_of([], None, graph(), Advice(findings), {other})] == [rule]
    hidden = told(codes[0].removeprefix("lint_"))
    assert "Culprit two." not in hidden


def blocked(count: int) -> Results:
    return results_of(evaluate(several(count)), 1)


def several(count: int) -> Graph:
    """The sum of x and of x by so many stops."""
    x = gw.Input(np.array(3.0), name="x")
    total = gw.Square(x, name="q")
    for number in range(count):
        total = gw.Add(total, gw.StopGradient(x, name=f"stop_{number}"), name=f"s_{number}")
    return gw.graph(gw.Loss(total, name="loss"))


@pytest.mark.parametrize(
    ("count", "sentence"),
    [
        (0, None),
        (1, "1 wire receives 0 because StopGradient blocks it"),
        (2, "2 wires receive 0 because StopGradient blocks them"),
        (6, "6 wires receive 0 because StopGradient blocks them"),
    ],
)
def test_all_blocked_wires_have_one_row(count: int, sentence: str | None) -> None:
    found = rows_of([], blocked(count), several(count), Advice(), set())
    assert [item.sentence for item in found] == ([sentence] if sentence else [])
    if found:
        assert (found[0].severity, found[0].at, found[0].code) == ("info", "main/stop_0", "blocked")
        assert [f"x → stop_{n}" in found[0].detail for n in range(count)] == [n < 4 for n in range(count)]
        assert ("2 more" in found[0].detail) is (count == 6)


def test_a_row_stays_the_same_while_only_its_numbers_change() -> None:
    def key(sentence: str, at: str = "main/m", code: str = "tie") -> tuple[str, str, str]:
        return key_of(Row("info", sentence, "", at, code))

    assert key("2 of -3.5 share") == key("7 of 1 share") != key("2 of 3 part")
    assert key("2", at="main/x") != key("2") != key("2", code="shape")


def test_a_fix_says_where_the_loss_changes_too() -> None:
    assert [fix_text(Fix("Mend it", lambda graph: graph, changes)) for changes in (False, True)] == [
        "Mend it", "Mend it (changes the loss)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "parts"),
    [
        (None, (False, False, False, False)),
        (Row("info", "a", "", "", "x"), (False, False, False, False)),
        (Row("info", "a", "", "", "x", FIX), (True, False, False, True)),
        (Row("info", "a", "", "", "x", None, RULES[0].name), (True, True, True, False)),
        (Row("info", "a", "", "", "x", FIX, RULES[0].name), (True, True, True, True)),
        (Row("info", "a", "", "", "x", None, "no such rule"), (False, False, False, False)),
    ],
)
def test_the_strip_shows_what_there_is_to_say_or_do(shown: Row | None, parts: tuple[bool, ...], qtbot: QtBot) -> None:
    parent, heard = QWidget(), list[object]()
    qtbot.addWidget(parent)
    strip = WhyStrip(Appearance("dark"), parent)
    strip.fix_wanted.connect(heard.append)
    strip.hide_wanted.connect(heard.append)
    strip.explain(shown)
    widgets = (strip, strip._title, strip._hide, strip._fix)
    assert tuple(not item.isHidden() for item in widgets) == parts
    strip._fix.click()
    strip._hide.click()
    assert heard == [shown, *([shown.rule] if shown is not None else [])]


@pytest.fixture
def panel(qtbot: QtBot, tmp_path: Path) -> ProblemsPanel:
    session = Session(graph(1), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    made = ProblemsPanel(CurrentSession(session), Appearance("dark"), Settings(tmp_path / "s.ini"))
    qtbot.addWidget(made)
    session.setParent(made)
    return made


def entries(panel: ProblemsPanel, index: QModelIndex) -> list[str]:
    return [action.objectName() for action in panel._menu(index).actions()]


@pytest.mark.parametrize(
    ("shown", "names"),
    [
        (Row("info", "a", "", "", "x"), []),
        (Row("info", "a", "", "main/m", "x"), ["show_place"]),
        (Row("info", "a", "", "main/m", "tie"), ["show_place", "show_conventions"]),
        (Row("info", "a", "", "", "x", FIX), ["fix_problem"]),
        (Row("info", "a", "", "", "x", None, "some_rule"), ["silence_rule", "hide_rule"]),
        (
            Row("info", "a", "", "main/m", "tie", FIX, "some_rule"),
            ["show_place", "show_conventions", "fix_problem", "silence_rule", "hide_rule"],
        ),
    ],
)
def test_the_menu_of_a_row_has_what_can_be_done(panel: ProblemsPanel, shown: Row, names: list[str]) -> None:
    panel._show([shown])
    assert entries(panel, panel._model.index(0, 0)) == names
    assert entries(panel, QModelIndex()) == []
    panel._settings.set_table(HIDDEN_RULES, {"other_rule": True})
    panel._show([shown])
    assert entries(panel, panel._model.index(0, 0)) == [*names, "show_rules"]
    panel.session.apply("Silence", page_edits.silence_rule, "some_rule")
    assert entries(panel, QModelIndex()) == ["apply_rules", "show_rules"]


def test_what_is_chosen_in_the_menu_is_done(panel: ProblemsPanel) -> None:
    heard: list[object] = []
    for signal in (panel.current.requests.place_chosen, panel.current.requests.command_chosen, panel.fix_chosen):
        signal.connect(heard.append)
    panel._show([Row("info", "a", "", "main/m", "tie", FIX, "some_rule")])
    menu = panel._menu(panel._model.index(0, 0))
    for action in menu.actions()[:3]:
        action.trigger()
    assert heard == ["main/m", "main/m", "lens_conventions", FIX]
    menu.actions()[3].trigger()
    silenced = heard[-1]
    assert isinstance(silenced, Fix) and "some_rule" in silenced.edit(panel.session.graph).silenced
    menu.actions()[4].trigger()
    assert panel._hidden() == {"some_rule"}
    panel._hide("a_rule")
    assert list(panel._settings.table(HIDDEN_RULES)) == ["some_rule", "a_rule"]
    panel._menu(QModelIndex()).actions()[-1].trigger()
    assert panel._hidden() == set()


def test_a_fix_is_applied_or_asks_for_the_plug_in(panel: ProblemsPanel) -> None:
    heard: list[object] = []
    panel.fix_chosen.connect(heard.append)
    panel.current.requests.command_chosen.connect(heard.append)
    for fix in (None, FIX, ASK_FOR_PLUGIN):
        panel._fix(Row("info", "a", "", "", "x", fix))
    assert heard == [FIX, "plugins"]


def test_the_current_row_stays_where_its_place_and_words_are(panel: ProblemsPanel) -> None:
    heard: list[tuple[str, ...]] = []
    panel.listed.connect(heard.append)
    first, second = Row("info", "2 a", "", "main/x", "x"), Row("info", "2 b", "", "main/m", "x")
    panel._show([first, second])
    assert heard == [("main/x", "main/m")] and panel.places == ("main/x", "main/m")
    assert panel.gravest is first and not panel._list.currentIndex().isValid()
    panel._show([first, second])
    assert len(heard) == 1
    panel._list.setCurrentIndex(panel._model.index(1, 0))
    panel._show([Row("info", "3 b", "", "main/m", "x")])
    assert panel._list.currentIndex().row() == 0 and heard[1:] == [("main/m",)]
    panel._show([])
    assert panel.gravest is None and not panel._list.currentIndex().isValid()
    panel._show([first, second])
    panel.show_first()
    assert panel._list.currentIndex().row() == 0
    panel._open_menu(QPoint(-5, -5))


def test_only_the_newest_of_waiting_refreshes_counts(panel: ProblemsPanel) -> None:
    panel._later.stop()
    panel._refresh_soon()
    assert panel._later.isActive() and panel._later.interval() == 120
    panel._later.start(500)
    panel._refresh_soon()
    assert panel._later.interval() == 500
    assert panel.session.results is not None
    panel._take_results(panel.session.results)
    assert not panel._later.isActive()


def test_only_a_fix_that_was_tried_asks_for_its_rounds(panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    monkeypatch.setattr(Session, "ask", lambda _, question, **__: asked.append(question))
    trial = object()
    monkeypatch.setattr(panel._strip, "explain", lambda _: None)
    rounds: list[object] = []
    monkeypatch.setattr(panel._strip, "show_rounds", rounds.append)
    fixes = (None, FIX, Fix("Mend it", FIX.edit, trial=trial))  # type: ignore[arg-type]
    for fix in fixes:
        panel._model.show([Row("info", "a", "", "main/m", "x", fix)])
        panel._list.setCurrentIndex(QModelIndex())
        assert panel._wanted is None
        panel._list.setCurrentIndex(panel._model.index(0, 0))
        assert (panel._wanted is not None) is (fix is fixes[2])
    assert [item for item in asked if item == panel._wanted] == [panel._wanted]
    panel._take_reply(Reply("another", 1, "no"))  # type: ignore[arg-type]
    panel._take_reply(Reply(panel._wanted, 1, "rounds"))  # type: ignore[arg-type]
    assert rounds == ["rounds"]


def test_rows_are_counted_anew_where_all_is_well_now(panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[str, ...]] = []
    panel._show([])
    panel._list.set_message(True)
    panel.listed.connect(heard.append)
    panel._show([])
    assert heard == []
    monkeypatch.setattr(Session, "results", None)
    panel._show([])
    assert heard == [()]
    panel._show([])
    assert heard == [()]


def test_other_settings_change_no_rows(panel: ProblemsPanel, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr(panel, "_refresh", lambda: seen.append(True))
    panel._take_setting("theme")
    assert seen == []
    panel._take_setting(HIDDEN_RULES)
    assert seen == [True]


def test_beside_all_rows_there_is_neither_a_fix_nor_a_tip(panel: ProblemsPanel) -> None:
    panel._show([Row("info", "a", "", "main/m", "x", FIX)])
    shown = panel._list
    assert shown.fix_place(QModelIndex()).isEmpty() and shown.fix_place(QPersistentModelIndex()).isEmpty()
    assert not shown.fix_place(panel._model.index(0, 0)).isEmpty()
    assert shown._tip(QPoint(5, 5000)) == ""


def test_only_a_row_with_a_place_leads_somewhere(panel: ProblemsPanel) -> None:
    heard: list[str] = []
    panel.current.requests.place_chosen.connect(heard.append)
    panel._show([Row("info", "a", "", "", "x"), Row("info", "b", "", "main/m", "x")])
    for index in (QModelIndex(), panel._model.index(0, 0), panel._model.index(1, 0)):
        panel._choose(index)
    assert heard == ["main/m"]
