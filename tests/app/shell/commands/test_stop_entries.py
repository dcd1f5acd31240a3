"""StopGradients have what is done with them in their menu, and the search says what each withholds."""

from __future__ import annotations

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.shell.commands.search_sources import sources
from tests.app.window.driver import Driver

pytestmark = [pytest.mark.usefixtures("one_window"), pytest.mark.long]


def test_the_menu_of_a_stop_begins_with_letting_it_pass_and_comparing(user: Driver) -> None:
    user.open(example_path("softmax_stable"))
    assert list(user.popups.menu_of(user.points.title("stop")))[:2] == ["ignore_stops", "mode_compare"]
    assert "ignore_stops" not in list(user.popups.menu_of(user.points.title("m")))[:2]


def test_the_search_says_what_a_stop_withholds(user: Driver) -> None:
    user.open(example_path("em_Q_stop"))
    user.settle()
    entries = next(source for source in sources(user.window.parts) if source.id == "go").entries()
    told = [entry.detail for entry in entries if entry.detail.startswith("StopGradient")]
    assert told and all("withholds" in detail for detail in told)
