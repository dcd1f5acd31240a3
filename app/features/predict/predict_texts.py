"""The texts of the lens of prediction."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt, shape_text
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.predictions import ELEMENTS_ASKED, Grade, Task


def headings() -> tuple[str, ...]:
    """Returns the headings of the list of answers."""
    return tr("Wire"), tr("Your prediction"), tr("Gradient"), tr("Points")


def question_text(link: Link, task: Task, truth: Reading) -> str:
    """Returns the question about a wire; it reveals only the shape of the gradient."""
    wire, shape = place_text(link), shape_text(truth.shape)
    return {
        Task.NUMBER: tr("{wire}: which gradient flows back?", wire=wire),
        Task.SIGNS: tr("{wire}, shape {shape}: which signs does the gradient have?", wire=wire, shape=shape),
        Task.MAGNITUDE: tr(
            "{wire}, shape {shape}: how large is |∂L|? The power of ten is enough.", wire=wire, shape=shape
        ),
    }[task]


def hint_text(task: Task) -> str:
    """Returns the format of an answer."""
    return {
        Task.NUMBER: tr("A number, or only its sign: + or −"),
        Task.SIGNS: tr("One sign for each element: + − 0"),
        Task.MAGNITUDE: tr("A number such as 0.01; 0 if it is zero"),
    }[task]


def gradient_text(truth: Reading) -> str:
    """Returns a revealed gradient: its elements if they are few, else its norm."""
    if truth.size <= ELEMENTS_ASKED:
        return "  ".join(map(fmt, truth.first[: truth.size]))
    return f"|∂L| {fmt(truth.norm)}"


def verdict_text(link: Link, task: Task, found: Grade, truth: Reading) -> str:
    """Returns the grade of an answer as a sentence, with the truth."""
    wire, gradient = place_text(link), gradient_text(truth)
    if found.is_full:
        return tr("Right: {wire} has {gradient}.", wire=wire, gradient=gradient)
    if found.points and task is Task.NUMBER:
        return tr("The sign is right: {wire} has {gradient}.", wire=wire, gradient=gradient)
    if found.points:
        return tr("Partly right: {wire} has {gradient}.", wire=wire, gradient=gradient)
    return tr("Not right: {wire} has {gradient}.", wire=wire, gradient=gradient)


def points_text(points: int, of: int) -> str:
    """Returns the score."""
    return tr("Score: {points} of {of}", points=points, of=of)
