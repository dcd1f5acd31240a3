"""The appearance of the whole program: what each choice puts on, and who hears of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QApplication

from gradwire.app.look import motion
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import make_animation, moves, set_moves
from gradwire.app.look.system import wants_less_motion
from gradwire.app.look.theme import font, theme
from gradwire.app.look.wire_pens import flow_pens, pen, status_pens
from gradwire.engine.autodiff.status import Status


@pytest.fixture
def heard(qapp: QApplication) -> Iterator[tuple[Appearance, list[object]]]:
    """An appearance in the dark theme, and what is heard of it."""
    made, told = Appearance("dark"), list[object]()
    made.changed.connect(told.append)
    made.texts_changed.connect(lambda: told.append("texts"))
    yield made, told
    Appearance("dark")


def worn() -> tuple[str, int]:
    """Returns the ground of the application, and the size of its texts in px."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application.palette().window().color().name(), application.font().pixelSize()


def ground(name: str, is_strong: bool = False) -> str:
    return theme("dark" if name == "dark" else "light", is_strong).color("bg.app").name()


def test_a_theme_is_put_on_once_and_told(heard: tuple[Appearance, list[object]]) -> None:
    made, told = heard
    assert (worn(), told) == ((ground("dark"), 12), [])
    made.choose("light")
    made.choose("light")
    assert (worn(), told) == ((ground("light"), 12), [theme("light")])
    made.choose("dark")
    assert (made.choice, made.theme, told[1:]) == ("dark", theme("dark"), [theme("dark")])
    made.choose("light")
    assert (made.choice, worn()[0]) == ("light", ground("light"))


def test_contrast_is_the_users_or_the_systems(
    heard: tuple[Appearance, list[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _ = heard
    made.choose_contrast("on")
    assert made.theme.is_strong and worn()[0] == ground("dark", is_strong=True) == "#000000"
    made.choose_contrast("off")
    assert not made.theme.is_strong
    monkeypatch.setattr("gradwire.app.look.appearance.wants_contrast", lambda: True)
    assert not made.theme.is_strong
    made.choose_contrast("system")
    assert made.theme.is_strong
    made.choose_contrast("off")
    assert not made.theme.is_strong


def test_texts_have_the_size_chosen(heard: tuple[Appearance, list[object]]) -> None:
    made, told = heard
    for scale, px in ((1.25, 15), (1.25, 15), (1.0, 12)):
        made.set_text_scale(scale)
        assert worn() == (ground("dark"), px)
    assert told == ["texts", "texts"]


def test_another_shape_of_wires_is_told_once(heard: tuple[Appearance, list[object]]) -> None:
    made, told = heard
    for has_curves in (False, True, True):
        made.choose_curves(has_curves)
        assert made.has_curves is has_curves
    assert told == [theme("dark")]


def test_each_font_has_the_features_of_its_kind(qapp: object) -> None:
    """Fixed pitch has no ligatures and a zero with a stroke; the other has figures of one width, and its own l."""
    told = {
        kind: {
            name: made.featureValue(QFont.Tag(name)) if made.isFeatureSet(QFont.Tag(name)) else None
            for name in ("calt", "zero", "tnum", "ss03")
        }
        for kind, made in (("mono", font("mono", 11)), ("ui", font("ui", 11)))
    }
    assert told["mono"] == {"calt": 0, "zero": 1, "tnum": None, "ss03": None}
    assert told["ui"] == {"calt": None, "zero": None, "tnum": 1, "ss03": 1}
    hints = [font("mono", 11).styleHint(), font("ui", 11).styleHint()]
    assert hints == [QFont.StyleHint.Monospace, QFont.StyleHint.SansSerif]
    assert [font("ui", px).pixelSize() for px in (0.2, 1.4, 1.6, 11.5)] == [1, 1, 2, 12]


def test_pens_of_wires_have_dashes_in_px_and_pipes_the_width_of_their_gradient(qapp: object) -> None:
    dark = theme("dark")
    dashed = pen(QColor("#ff0000"), 2.0, 7, 5)
    assert (dashed.widthF(), dashed.dashPattern(), dashed.capStyle()) == (2.0, [3.5, 2.5], Qt.PenCapStyle.FlatCap)
    assert pen(QColor("#ff0000"), 2.0).style() is Qt.PenStyle.SolidLine
    # 3 px and up to 5 more; from 4 px on there is room for a core of 1.3.
    for t, widths in ((0.0, [3.0]), (0.19, [3.95]), (0.2, [4.0, 1.3]), (1.0, [8.0, 1.3])):
        found = flow_pens(dark, t, None, True)
        assert [stroke.widthF() for stroke in found] == pytest.approx(widths)
        assert found[0].color() == dark.ramp(t)
        assert len(flow_pens(dark, t, None, False)) == 1
    colors = {sign: flow_pens(dark, 0.5, sign, False)[0].color() for sign in (-1, 0, 1)}
    assert colors == {-1: dark.diverging(-0.9), 0: dark.color("text.secondary"), 1: dark.diverging(0.9)}
    assert [stroke.widthF() for stroke in status_pens(dark, Status.ZERO)] == [7.6, 5.2]


def test_animations_are_the_users_choice_else_that_of_the_system(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        for chosen in (True, False):
            set_moves(chosen)
            assert moves() is chosen
        set_moves(None)
        assert not moves()  # there is no screen
        monkeypatch.setattr(motion, "_UNSEEN", ())
        has_duration = qapp.style().styleHint(qapp.style().StyleHint.SH_Widget_Animation_Duration) > 0
        assert moves() is has_duration
    finally:
        set_moves(None)


def test_an_animation_goes_from_0_to_1(qapp: QApplication) -> None:
    shown = list[float]()
    made = make_animation(qapp, shown.append, 100)
    assert (made.startValue(), made.endValue(), made.duration()) == (0.0, 1.0, 100)
    made.setCurrentTime(50)
    assert shown and 0 < shown[-1] < 1


@pytest.mark.parametrize(
    ("platform", "answer", "wanted"),
    [
        ("linux", "false\n", True),
        ("linux", "true\n", False),
        ("linux", "", False),
        ("darwin", "1\n", True),
        ("darwin", "0", False),
        ("plan9", "false", False),
    ],
)
def test_the_system_is_asked_for_reduced_motion_in_its_own_way(platform: str, answer: str, wanted: bool) -> None:
    asked: list[tuple[str, ...]] = []

    def ask(command: tuple[str, ...]) -> str:
        asked.append(command)
        return answer

    assert wants_less_motion(platform, ask) is wanted
    assert len(asked) == (platform != "plan9")
