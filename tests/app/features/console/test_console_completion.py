"""The completion of names by Tab in the console."""

from __future__ import annotations

import pytest

from gradwire.app.features.console.console_completion import Completed, completed

NAMES = ("main/x", "main/x.y", "main/exp", "main/exp.x", "main/exp.y", "main/inner_1/scores.y")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("va", "value"),
        ("2 * gra", "2 * gra"),
        ("grap", "graph"),
        ('value("', 'value("main/'),
        ('value("main/e', 'value("main/exp'),
        ('value("main/exp.y', 'value("main/exp.y'),
        ("value('main/x') + grad('main/in", "value('main/x') + grad('main/inner_1/scores.y"),
        ('value("sco', 'value("main/inner_1/scores.y'),
        ('value("exp', 'value("main/exp'),
        ('value("nothing', 'value("nothing'),
        ('value("main/x.y") + va', 'value("main/x.y") + value'),
        ('f("it\'s", n', 'f("it\'s", np'),
    ],
)
def test_a_name_is_completed_as_far_as_it_is_certain(before: str, after: str) -> None:
    assert completed(before, NAMES).before == after


def test_what_is_not_certain_is_a_choice() -> None:
    assert completed('value("main/exp', NAMES) == Completed(
        'value("main/exp', ("main/exp", "main/exp.x", "main/exp.y")
    )  # fmt: skip
    assert completed("gra", NAMES).choices == ("grad", "graph")
    assert completed('value("main/exp.y', NAMES).choices == ()
