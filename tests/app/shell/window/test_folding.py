"""Which panels may be shown, and which sizes they get, without a whole window around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.kit.controls.docks import Dock
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.window.folding import SIZES_KEY, Folding, PanelSizes

NAMES = ("inspector", "problems", "slice")


@pytest.fixture
def frame(qtbot: QtBot) -> QMainWindow:
    """A window of 1200 by 800 px with the three panels in their places, all of them shown."""
    made, look, areas = QMainWindow(), Appearance("dark"), Qt.DockWidgetArea
    qtbot.addWidget(made)
    made.setCentralWidget(QLabel())
    docks = {name: Dock(name, name, QLabel(), look, made) for name in NAMES}
    made.addDockWidget(areas.RightDockWidgetArea, docks["inspector"])
    made.addDockWidget(areas.BottomDockWidgetArea, docks["problems"])
    made.splitDockWidget(docks["problems"], docks["slice"], Qt.Orientation.Horizontal)
    made.setCorner(Qt.Corner.BottomRightCorner, areas.RightDockWidgetArea)
    made.resize(1200, 800)
    made.show()
    return made


def docks_of(frame: QMainWindow) -> dict[str, Dock]:
    found = {dock.objectName().removeprefix("dock_"): dock for dock in frame.findChildren(Dock)}
    return {name: found[name] for name in NAMES}


def allowed(folding: Folding) -> set[str]:
    return {name for name in NAMES if folding.allows(name)}


def test_panels_are_folded_until_the_user_opens_them(frame: QMainWindow) -> None:
    docks = docks_of(frame)
    folding = Folding(docks, frame)
    assert allowed(folding) == set()
    for name in NAMES:
        docks[name].set_folded(False)
    assert allowed(folding) == set(NAMES)
    docks["slice"].set_folded(True)
    assert allowed(folding) == {"inspector", "problems"}
    folding.forget()
    assert allowed(folding) == set()


def test_a_narrow_window_hides_two_of_them_and_a_wide_one_shows_them_again(frame: QMainWindow) -> None:
    docks = docks_of(frame)
    folding = Folding(docks, frame)
    for name in NAMES:
        docks[name].set_folded(False)
    folding.is_narrow = True
    assert allowed(folding) == {"problems"}
    # What a narrow window folds is not the user's doing, of the others it is.
    docks["inspector"].set_folded(True)
    docks["problems"].set_folded(True)
    folding.is_narrow = False
    assert allowed(folding) == {"inspector", "slice"}


def test_what_has_no_room_is_not_shown_and_not_forgotten(frame: QMainWindow) -> None:
    docks = docks_of(frame)
    folding = Folding(docks, frame)
    docks["problems"].set_folded(False)
    docks["slice"].set_folded(False)
    folding.crowded_out = "slice"
    assert allowed(folding) == {"problems"}
    folding.crowded_out = ""
    assert allowed(folding) == {"problems", "slice"}
    folding.crowded_out = "slice"
    folding.forget()
    assert folding.crowded_out == ""


# Sizes


def settings(tmp_path: Path, *lines: str, scale: int = 100) -> Settings:
    made = Settings(tmp_path / "settings.ini")
    made.set_text(SIZES_KEY, "\n".join(lines))
    made.set_text("text_scale", str(scale))
    return made


def sizes(frame: QMainWindow) -> dict[str, tuple[int, int]]:
    QApplication.processEvents()
    return {name: dock.size().toTuple() for name, dock in docks_of(frame).items()}  # type: ignore[misc]


@pytest.mark.parametrize("scale", [100, 125])
def test_panels_get_the_sizes_that_the_user_gave_them_and_grow_with_texts(
    frame: QMainWindow, tmp_path: Path, scale: int
) -> None:
    given = settings(tmp_path, "inspector 280 0", "problems 300 160", "slice 250 160", scale=scale)
    PanelSizes(docks_of(frame), given, frame).give()
    found = sizes(frame)
    assert found["inspector"][0] == round(2.8 * scale)
    assert found["problems"][1] == found["slice"][1] == round(1.6 * scale)
    # Both share what is left between the sides, as 300 to 250.
    assert found["problems"][0] / found["slice"][0] == pytest.approx(300 / 250, abs=0.02)


def test_without_any_the_bottom_is_shared_640_to_400(frame: QMainWindow, tmp_path: Path) -> None:
    PanelSizes(docks_of(frame), settings(tmp_path), frame).give()
    found = sizes(frame)
    assert found["problems"][0] / found["slice"][0] == pytest.approx(1.6, abs=0.02)


@pytest.mark.parametrize(
    "line",
    [
        "inspector 200",
        "inspector 200 0 0",
        "inspector wide 0",
        "inspector -200 0",
        "inspector 123456 0",
        "other 200 0",
        "",
    ],
)
def test_what_is_no_size_is_passed_over(frame: QMainWindow, tmp_path: Path, line: str) -> None:
    plain = PanelSizes(docks_of(frame), settings(tmp_path), frame)._given()
    assert PanelSizes(docks_of(frame), settings(tmp_path, line), frame)._given() == plain
    assert PanelSizes(docks_of(frame), settings(tmp_path, "slice 99999 0"), frame)._given()["slice"] == (
        99999,
        0,
    )


@pytest.mark.parametrize("scale", [100, 200])
def test_sizes_of_all_that_is_shown_are_kept_at_texts_of_100_percent(
    frame: QMainWindow, tmp_path: Path, scale: int
) -> None:
    docks, given = docks_of(frame), settings(tmp_path, "slice 111 99", scale=scale)
    kept_alive = PanelSizes(docks, given, frame)
    found = sizes(frame)
    docks["inspector"].sized.emit()
    assert kept_alive is not None
    kept = {
        name: (int(width), int(height)) for name, width, height in map(str.split, given.text(SIZES_KEY).splitlines())
    }
    wanted = {name: tuple(round(length * 100 / scale) for length in size) for name, size in found.items()}
    assert kept == {
        "inspector": (wanted["inspector"][0], 0),
        "problems": wanted["problems"],
        "slice": wanted["slice"],
    }


def test_alone_in_its_row_a_panel_keeps_its_width_of_before(frame: QMainWindow, tmp_path: Path) -> None:
    docks, given = docks_of(frame), settings(tmp_path, "problems 333 99", "slice 111 99")
    kept_alive = PanelSizes(docks, given, frame)
    docks["slice"].hide()
    docks["inspector"].sized.emit()
    assert kept_alive is not None
    kept = dict(line.split(" ", 1) for line in given.text(SIZES_KEY).splitlines())
    assert kept["slice"] == "111 99"
    assert kept["problems"] == f"333 {docks['problems'].height()}"
