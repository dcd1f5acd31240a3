"""What a page's script draws of numbers, letter by letter: bars, curves, cells, sliders, and numbers as texts."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from typing import Any

import pytest
from PySide6.QtGui import QColor

import gradwire as gw
from gradwire.app.features.share.web.texts import attributes, coordinate, exact, in_html, quoted
from gradwire.app.features.share.web.token_theme import (
    TokenTheme,
    cell_rules,
    cell_step,
    of_theme,
    ramp_rules,
    ramp_step,
)
from gradwire.app.features.share.web.token_theme import variables as variables_of
from gradwire.app.features.share.web.training_bar import held_text, training_bar
from gradwire.app.look.theme import theme
from gradwire.engine.export.live.trainable import LiveTraining
from gradwire.engine.training.plan import Plan
from gradwire.engine.training.plan_reading import plan_of
from tests.pages.javascript import played

# 50 px are left for bars: 2 above them and 2 below.
BOX = (10, 20, 80, 54)
SCRIPTS = ("engine", "bounds", "live", "draw")
# JSON has no NaN and infinity: they come as texts.
READ = """const read = x => Array.isArray(x) ? x.map(read) : ({nan: NaN, inf: Infinity, '-inf': -Infinity})[x] ?? x;
return """


def drawn(function: str, *given: object) -> Any:  # Any: what the function of the script returns
    """Returns what a function of the script that draws makes of lists, numbers and texts."""

    def sent(item: object) -> object:
        if isinstance(item, list | tuple):
            return [*map(sent, item)]
        return str(item) if isinstance(item, float) and not math.isfinite(item) else item

    return played(SCRIPTS, f"{READ}{function}(...read(given))", sent(given))


def bars_markup(numbers: Sequence[float], has_numbers: bool) -> Any:  # Any: see `drawn`
    return drawn("AREAS.bars", list(numbers), [len(numbers)], BOX, has_numbers, "")


def bars_of(data: str, zero: float, more: str = "", crosses: str = "") -> str:
    line = f'<path class="zl" d="M10 {zero:g}h80"></path>'
    cross = f'<path class="al" d="{crosses}"></path>' if crosses else ""
    return f'<path class="ba" d="{data}"></path>{cross}{line}{more}'


@pytest.mark.parametrize(
    ("numbers", "markup"),
    [
        ([], ""),
        ([4, 2], bars_of("M12 22h36v50h-36zM52 47h36v25h-36z", 72)),
        ([-4, -2], bars_of("M12 22h36v50h-36zM52 22h36v25h-36z", 22)),
        ([3, -2], bars_of("M12 22h36v30h-36zM52 52h36v20h-36z", 52)),
        ([0], bars_of("M12 21.5h76v1h-76z", 22)),
        # Half a px is drawn as one, so that it is seen.
        ([100, 1.5], bars_of("M12 22h36v50h-36zM52 71.5h36v1h-36z", 72)),
        ([100, 2], bars_of("M12 22h36v50h-36zM52 71h36v1h-36z", 72)),
        ([math.nan, -4], bars_of("M52 22h36v50h-36z", 22, crosses="M26 43l8 8m0 -8l-8 8")),
        ([math.inf, -math.inf], bars_of("", 22, crosses="M26 43l8 8m0 -8l-8 8M66 43l8 8m0 -8l-8 8")),
        # In narrow columns a sixth is free at both sides; more than 16 numbers are not shown.
        ([1] * 20, bars_of("".join(f"M{coordinate(10 + 5 * n + 5 / 6)} 22h3.3v50h-3.3z" for n in range(16)), 72)),
    ],
)
def test_bars_are_as_high_as_their_numbers(numbers: list[float], markup: str) -> None:
    assert bars_markup(numbers, False) == markup


def test_numbers_stand_below_their_bars_where_all_of_them_fit() -> None:
    """Ten px less for the bars; a letter takes 6 px, and a number may stand out by 2 in all."""
    words = '<text class="m" x="30" y="71.6">1</text><text class="m" x="70" y="71.6">2</text>'
    assert bars_markup([1, 2], True) == bars_of("M12 42h36v20h-36zM52 22h36v40h-36z", 62, words)
    for numbers, count in (([1] * 8, 8), ([1] * 7 + [12], 8), ([1] * 7 + [123], 0)):
        assert bars_markup(numbers, True).count("<text") == count


SUNKEN = '<rect class="sk" x="10" y="20" width="80" height="54"></rect>'


@pytest.mark.parametrize(
    ("points", "look", "data"),
    [
        ([0, 1, 0.5], "cu", "M13 70L50 24L87 47"),
        ([-1, 3, 1], "cu", "M13 70L50 24L87 47"),
        ([5, 5], "cu", "M13 70L87 70"),
        ([5], "cu", "M13 70"),
        ([0, math.nan, 1], "cu", "M13 70M87 24"),
        ([0, 1, math.inf, 1, 0], "cu", "M13 70L31.5 24M68.5 24L87 70"),
        ([math.nan, math.nan], "al", "M46 43l8 8m0 -8l-8 8"),
    ],
)
def test_a_curve_fills_its_box_but_for_a_margin(points: Sequence[float], look: str, data: str) -> None:
    assert (
        drawn("AREAS.curve", points, [len(points)], BOX, False, "")
        == f'{SUNKEN}<path class="{look}" d="{data}"></path>'
    )


def test_cells_are_grouped_by_colour_and_negative_ones_have_a_notch() -> None:
    """Cells of 20 by 10, a px apart; a notch takes 35 of 100 of the shorter side."""
    found = drawn("AREAS.cells", [2, -1, math.nan, 0], [2, 2], (0, 0, 40, 20))
    assert found == (
        '<path class="c10" d="M0 0h19v9h-19z"></path><path class="cm5" d="M20 0h19v9h-19z"></path>'
        '<path class="cx" d="M0 10h19v9h-19z"></path><path class="c0" d="M20 10h19v9h-19z"></path>'
        '<path class="no" d="M39 0h-3.5L39 3.5z"></path>'
    )
    zeros = drawn("AREAS.cells", [0, 0], [1, 2], (5, 6, 60, 8))
    assert zeros == '<path class="c0" d="M5 6h29v7h-29zM35 6h29v7h-29z"></path>'
    upright = drawn("AREAS.cells", [-3, 1], [2, 1], (0, 0, 10, 40))
    assert upright.endswith('<path class="no" d="M9 0h-3.5L9 3.5z"></path>') and 'class="c3"' in upright


def test_gradients_are_amber() -> None:
    assert drawn("AREAS.bars", [1] * 16, [16], BOX, False, " g").startswith('<path class="ba g"')
    assert drawn("AREAS.curve", [1] * 17, [17], BOX, False, " g").startswith(SUNKEN + '<path class="cu g"')


def test_the_gradient_of_a_variable_stands_below_its_value_with_its_norm() -> None:
    """Two halves of 48 px, 8 between them; 14 in each are for words."""
    box, value, gradient = (10, 20, 80, 104), [1, 2], [3, -4]
    above = drawn("AREAS.bars", value, [2], (10, 34, 80, 34), False, "")
    assert drawn("AREAS.trainable", value, None, [2], "bars", box) == above
    below = drawn("AREAS.bars", gradient, [2], (10, 90, 80, 34), False, " g")
    norm = '<text class="gn" x="90" y="86">|∂L| 5</text>'
    assert drawn("AREAS.trainable", value, gradient, [2], "bars", box) == above + norm + below


@pytest.mark.parametrize(
    ("is_level", "number", "slope", "parts"),
    [
        (True, 2.5, 0.5, ("M8 31h100", "M58 31H83", "M83 22L91 22M87.5 25L91 22L87.5 19", "83", "31")),
        (True, -2.5, -1.0, ("M8 31h100", "M58 31H33", "M33 22L17 22M20.5 19L17 22L20.5 25", "33", "31")),
        (True, 9.0, 0.03, ("M8 31h100", "M58 31H108", "", "108", "31")),
        (True, math.nan, 0.0, ("M8 31h100", "M58 31H8", "", "8", "31")),
        (False, -5.0, -1.0, ("M8 31v100", "M8 81V131", "M16 131L16 147M13 143.5L16 147L19 143.5", "8", "131")),
        (False, 5.0, 0.5, ("M8 31v100", "M8 81V31", "M16 31L16 23M19 26.5L16 23L13 26.5", "8", "31")),
        (False, 0.0, 1 / 32, ("M8 31v100", "M8 81V81", "M16 81L16 80.5M19 84L16 80.5L13 84", "8", "81")),
    ],
)
def test_a_slider_has_track_filling_arrow_and_knob(
    is_level: bool, number: float, slope: float, parts: tuple[str, ...]
) -> None:
    track = [8, 31, 100]
    made = sliders("level" if is_level else "upright", [*track, 0, 0, 1, 1])
    assert f'<path class=tr d="{parts[0]}" />' in made
    assert tuple(drawn("sliderParts", is_level, track, number, slope, [-5, 5])) == parts[1:]


def sliders(kind: str, *tracks: list[float], stuck: bool = False) -> str:
    told = {"path": "main/x", "range": [-5, 5], "title": "x", "stuck": stuck, "ends": "-5 … 5"}
    made: str = played(SCRIPTS, "return slidersMarkup(given)", {"kind": kind, "tracks": tracks, **told})
    return made


def test_sliders_say_their_range_and_whether_they_move() -> None:
    one, other, _ = sliders("upright", [40, 28, 44, 10, 20, 60, 70], [100, 28, 44, 70, 20, 60, 70]).split("</g>")
    assert one == (
        "<g class=sl role=slider tabindex=0 aria-valuemin=-5 aria-valuemax=5 aria-orientation=vertical "
        'aria-label="x main/x[0]"><rect class=hit x=10 y=20 width=60 height=70 /><path class=tr d="M40 28v44" />'
        '<path class=fi /><path class=sa /><circle class=kn r=4.5 /><text class="m" x="40" y="85.6"></text>'
    )
    assert 'aria-label="x main/x[1]"' in other and "disabled" not in one + other
    level = sliders("level", [18, 51, 104, 10, 20, 120, 70], stuck=True)
    assert 'aria-valuemax=5 aria-disabled=true aria-label="x main/x[0]"' in level
    assert "aria-orientation" not in level and '<text class="sn" x="10" y="34.7"></text></g>' in level
    assert '<path class=tr d="M18 51h104" />' in level
    # The bounds stand at the right of the number.
    assert level.endswith('<text class="rg" x="130" y="34">-5 … 5</text>')


@pytest.mark.parametrize(
    ("numbers", "data"),
    [
        ((), None),
        ((0.0, 0.0), None),
        ((math.nan,), None),
        ((2.0, 1.0), "M5 -5.5h10.4v11h-10.4zM16 0h10.4v5.5h-10.4z"),
        ((-2.0, -1.0), "M5 -5.5h10.4v11h-10.4zM16 -5.5h10.4v5.5h-10.4z"),
        ((2.0, -1.0), "M5 -5.5h10.4v5.5h-10.4zM16 0h10.4v2.8h-10.4z"),
        ((2.0, 0.0), "M5 -5.5h10.4v11h-10.4zM16 5.5h10.4v1h-10.4z"),
        ((math.nan, 2.0), "M16 -5.5h10.4v11h-10.4z"),
        ((math.inf, -1.0, 2.0), "M12.3 0h6.7v2.8h-6.7zM19.7 -5.5h6.7v5.5h-6.7z"),
        ((1.0,) * 16, "".join(f"M{coordinate(5 + 1.375 * n)} -5.5h0.8v11h-0.8z" for n in range(16))),
    ],
)
def test_components_are_bars_11_px_high_in_all(numbers: tuple[float, ...], data: str | None) -> None:
    assert drawn("componentBars", numbers, 5) == ("" if data is None else f'<path d="{data}"></path>')


# Numbers and texts


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (12.0, "12"),
        (0.05, "0.1"),
        (0.04, "0"),
        (-0.05, "0"),
        (-0.06, "-0.1"),
        (2.25, "2.3"),
        (-2.25, "-2.2"),
        (99.96, "100"),
    ],
)
def test_a_coordinate_has_a_tenth_halves_up(value: float, text: str) -> None:
    assert coordinate(value) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "0"), (-0.0, "0"), (1.0, "1"), (-2.5, "-2.5"), (100.0, "100"), (123.456, "123.456"), (0.1, "0.1"),
        (0.05, "0.05"), (1e-6, "0.000001"), (1.5e-6, "0.0000015"), (1e-7, "1e-7"), (-1.5e-7, "-1.5e-7"),
        (1e16, "10000000000000000"), (1.5e20, "150000000000000000000"), (1e21, "1e+21"), (1.25e21, "1.25e+21"),
        (1e22, "1e+22"), (5e-324, "5e-324"), (1.7976931348623157e308, "1.7976931348623157e+308"),
        (1234567.5, "1234567.5"), (math.nan, "nan"), (math.inf, "inf"), (-math.inf, "-inf"), (120.0, "120"),
    ],
)  # fmt: skip
def test_a_number_is_written_as_scripts_write_it(number: float, text: str) -> None:
    """`Number.prototype.toString` of ECMAScript: exponents from 1e21 on and below 1e-6."""
    assert exact(number) == text


def test_attributes_are_quoted_and_those_of_none_left_out() -> None:
    assert attributes(class_="a", aria_label='"<&', x=None, y=0) == ' class="a" aria-label="&quot;&lt;&amp;" y="0"'
    assert quoted("a > b") == "a &gt; b"
    assert in_html('<path d="M0"></path><text x="1">"a"</text>') == '<path d="M0"/><text x=1>"a"</text>'.replace(
        'd="M0"/', "d=M0 /"
    )
    assert in_html('<g x="a b"></g>') == '<g x="a b"></g>'


# Colours


@pytest.mark.parametrize(
    ("t", "step"), [(-1, 0), (0, 0), (0.03, 0), (0.04, 1), (0.5, 8), (0.96, 15), (0.97, 16), (1, 16), (2, 16)]
)
def test_magnitudes_have_16_steps(t: float, step: int) -> None:
    assert ramp_step(t) == step


@pytest.mark.parametrize(
    ("t", "step"),
    [(-2, -10), (-1, -10), (-0.96, -10), (-0.94, -9), (-0.05, 0), (0, 0), (0.04, 0), (0.05, 1), (1, 10), (3, 10)],
)
def test_cells_have_10_steps_on_each_side(t: float, step: int) -> None:
    assert cell_step(t) == step


def test_a_page_has_the_theme_of_its_reader_or_one() -> None:
    def declared(dress: object) -> str:
        return f"[{dress.name}]"  # type: ignore[attr-defined]

    assert of_theme("light", declared) == "[light]"
    assert of_theme("dark", declared) == "[dark]@media print{[light]}"
    assert of_theme("auto", declared) == "[light]@media(prefers-color-scheme:dark){[dark]}"


@pytest.mark.parametrize(("name", "other"), [("dark", "light"), ("light", "dark")])
def test_variables_have_the_colours_of_a_theme(name: str, other: str) -> None:
    dress = theme(name)  # type: ignore[arg-type]
    text, ramp = dress.css("text.primary"), dress.ramp(5 / 16).name()
    assert variables_of(dress, ["text.primary", "ramp.5"]) == (
        f":root{{--text-primary:{text};--ramp-5:{ramp};color-scheme:{name}}}"
        f".in-{name}{{display:inline}}.in-{other}{{display:none}}"
    )
    ramps = ramp_rules(dress)
    assert ramps.startswith(f".r0{{--s:{dress.ramp(0.0).name()}}}") and ramps.count("--s:") == 17
    assert ramps.endswith(f".r16{{--s:{dress.ramp(1.0).name()}}}")
    cells = cell_rules(dress)
    assert cells.startswith(f".cm10{{fill:{dress.diverging(-1.0).name()}}}") and cells.count("fill:") == 21
    assert f".c0{{fill:{dress.diverging(0.0).name()}}}.c1{{fill:{dress.diverging(0.1).name()}}}" in cells


def test_a_painted_colour_is_its_variable_with_its_opacity() -> None:
    dress = TokenTheme()
    first, second = dress.color("text.primary"), dress.color("value")
    assert first is dress.color("text.primary") and first.rgb() != second.rgb()
    assert dress.paint(first) == ("var(--text-primary)", 1.0) and dress.paint(second) == ("var(--value)", 1.0)
    faint = QColor(second)
    faint.setAlpha(51)
    assert dress.paint(faint) == ("var(--value)", pytest.approx(0.2))
    assert dress.paint(dress.ramp(0.5)) == ("var(--ramp-8)", 1.0)
    assert dress.paint(dress.diverging(-1.0)) == ("var(--cell--10)", 1.0)
    # A colour of no token stays what it is.
    assert dress.paint(QColor("#ff0000"))[0] != "var(--value)"


# The bar that trains


def training(*stops: list[str], held: tuple[tuple[str, int], ...] = (), is_tested: bool = False) -> LiveTraining:
    runs = [{"open": []}, *({"open": names} for names in stops)]
    return LiveTraining({"until": 1200, "runs": runs}, (), held, 0, is_tested)


@pytest.mark.parametrize(
    ("stops", "options"),
    [
        ((), ""),
        ((["s"],), "<option value=0>nothing<option value=1 selected>without the stop"),
        (
            (["s"], ["t"], ["s", "t"]),
            "<option value=0>nothing<option value=1 selected>without s<option value=2>without t"
            "<option value=3>without any stop",
        ),
    ],
)
def test_a_training_beside_the_own_one_is_without_stops(stops: tuple[list[str], ...], options: str) -> None:
    found = training_bar(training(*stops), Plan(()))
    label = f"<label>Beside it<select id=beside>{options}</select></label>"
    assert (label in found) is bool(options) and ("id=beside" in found) is bool(options)
    assert '<progress max="1200" value="0" aria-label="Round"></progress>' in found and "of 1,200" in found
    assert '<button type="button" data-train="run">Train</button>' in found
    assert '<button type="button" role="radio" aria-checked="true" data-pace="10">in 10 s</button>' in found
    assert '<button type="button" role="radio" aria-checked="false" data-pace="">full speed</button>' in found


@pytest.mark.parametrize(
    ("test_every", "is_tested", "is_said"), [(0, False, False), (5, False, True), (5, True, False), (0, True, False)]
)
def test_rows_held_back_that_a_page_does_not_measure_are_named(test_every: int, is_tested: bool, is_said: bool) -> None:
    found = training_bar(training(is_tested=is_tested), Plan((), test_every=test_every))
    assert ("<p>Rows held back are measured in Gradwire only.</p>" in found) is is_said


def test_a_page_says_which_rows_it_holds() -> None:
    assert held_text(training()) == ""
    rows = training(held=(("a", 1500), ("b", 2)))
    assert held_text(rows) == "The page holds 1,500 rows of a. The page holds 2 rows of b."
    assert held_text(training(held=(("a", 3),), is_tested=True)).endswith("of a. It holds the rows held back, too.")


def test_each_step_with_a_rule_has_a_field_for_its_rate() -> None:
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(1.0, name="w")), name="L"))

    def rates(*steps: dict[str, object]) -> list[tuple[str, ...]]:
        bar = training_bar(training(), plan_of(dataclasses.replace(graph, training={"steps": steps})))
        return re.findall(r'<label>([^<]*)<input inputmode="decimal" size="7" data-rate="(\d)" value="([^"]*)"', bar)

    down, up = ({"name": name, "rule": {"type": "descent", "rate": 0.25}} for name in ("down", "up"))
    assert rates(down) == [("Rate", "0", "0.25")]
    given = {"name": "set", "assign": {"main/w": "main/L.y"}}
    assert rates(given, down, up) == [("Rate down", "1", "0.25"), ("Rate up", "2", "0.25")]
