"""The bar below a page's pictures that trains the graph: its elements, and the words that its script writes."""

from __future__ import annotations

from typing import cast

from gradwire.app.base.translation import grouped, tr
from gradwire.app.features.share.web.texts import attributes, exact, quoted
from gradwire.engine.export.live.trainable import LiveTraining
from gradwire.engine.training.plan import Plan

# The scripts and the style sheet of pages that train.
SCRIPTS, SHEET = ("chance", "trainer", "training"), "training"
Texts = dict[str, object]


def training_words() -> dict[str, str]:
    """Returns the texts that the script writes while it trains."""
    return {
        "train": tr("Train"),
        "pause": tr("Pause"),
        "more": tr("Go on"),
        "round": tr("Round {round}: {losses}"),
        "pair": tr("{losses}, {without} {others}"),
        "alone": tr("without the stop"),
        "without": tr("without {stop}"),
        "without_all": tr("without any stop"),
        "ended": tr("Round {round}: {what} ends the training by its plan."),
        "overflow": tr("Round {round}: a number of {what} would not be finite, so nothing was written and it stops."),
        "curve": tr("Losses by round: {losses}"),
        "log": tr("logarithmic"),
        "held": tr("held back"),
        "linked_start": tr("The link to the start of this training is copied: it has more numbers than a link holds."),
    }


def training_bar(training: LiveTraining, plan: Plan) -> str:
    """Returns the elements of the bar."""
    parts = [_buttons(), _rounds(training), _curve(), *_rates(plan), _pace(), _stops(training), "<dl id=measured></dl>"]
    if plan.test_every and not training.is_tested:
        parts.append(f"<p>{quoted(tr('Rows held back are measured in Gradwire only.'))}</p>")
    return f"<section{attributes(id='training', aria_label=tr('Training'))}>{''.join(parts)}</section>"


def held_text(training: LiveTraining) -> str:
    """Returns what of data sets a page holds, as a sentence; "" if there are none."""
    held = [
        tr("The page holds {count} rows of {name}.", count=grouped(count), name=name) for name, count in training.held
    ]
    return " ".join([*held, *([tr("It holds the rows held back, too.")] if training.is_tested else [])])


def _buttons() -> str:
    buttons = (
        ("run", tr("Train"), ""),
        ("once", tr("One round"), ""),
        ("start", tr("Back to the start"), tr("Round 0, with the numbers that the training has begun with")),
    )
    made = (
        f"<button{attributes(type='button', data_train=key, title=said or None)}>{quoted(text)}</button>"
        for key, text, said in buttons
    )
    return f"<div class=run>{''.join(made)}</div>"


def _rounds(training: LiveTraining) -> str:
    until = cast(int, training.document["until"])
    count = tr("of {count}", count=grouped(until))
    bar = f"<progress{attributes(max=until, value=0, aria_label=tr('Round'))}></progress>"
    return (
        f"<dl><dt>{quoted(tr('Round'))}<dd><b id=round>0</b> <span id=until>{quoted(count)}</span>{bar}</dl>"
        f"<dl><dt>{quoted(tr('Loss'))}<dd id=losses></dl>"
    )


def _curve() -> str:
    return (
        "<figure><svg id=curve role=img></svg><span id=top></span><span id=log></span><span id=bottom></span></figure>"
    )


def _rates(plan: Plan) -> list[str]:
    """Returns a field for the rate of each step that has one."""
    rated = [(number, step.name, step.rule) for number, step in enumerate(plan.steps) if step.rule is not None]
    title = tr("Rate")
    return [
        f"<label>{quoted(title if len(rated) == 1 else f'{title} {name}')}"
        f"<input{attributes(inputmode='decimal', size=7, data_rate=number, value=exact(rule.rate.at(0)))}></label>"
        for number, name, rule in rated
    ]


def _pace() -> str:
    choices = "".join(
        f"<button{attributes(type='button', role='radio', aria_checked=is_on, data_pace=key)}>{quoted(text)}</button>"
        for key, text, is_on in (("10", tr("in 10 s"), "true"), ("", tr("full speed"), "false"))
    )
    return f"<div class=pace role=radiogroup{attributes(aria_label=tr('Pace'))}>{choices}</div>"


def _stops(training: LiveTraining) -> str:
    """Returns the choice of the run that is trained beside the graph's own; nothing where there are no stops."""
    runs = cast(list[Texts], training.document["runs"])[1:]
    if not runs:
        return ""
    options = [f"<option value=0>{quoted(tr('nothing'))}"]
    for number, run in enumerate(runs, 1):
        stops = cast(list[str], run["open"])
        said = tr("without {stop}", stop=stops[0]) if len(stops) == 1 else tr("without any stop")
        said = tr("without the stop") if len(runs) == 1 else said
        options.append(f"<option value={number}{' selected' if number == 1 else ''}>{quoted(said)}")
    return f"<label>{quoted(tr('Beside it'))}<select id=beside>{''.join(options)}</select></label>"
