"""The words of a page's script, from the tables that the canvas reads."""

from __future__ import annotations

from gradwire.app.base.translation import decimal, grouped, tr
from gradwire.app.canvas.painting.labels.labels import label_width
from gradwire.app.look.status_texts import status_label, status_sentence, status_word
from gradwire.app.look.statuses import LOOKS
from gradwire.engine.autodiff.status import Status


def page_words() -> dict[str, object]:
    """Returns all texts that the script writes."""
    return {
        "decimal": decimal("."),
        "group": grouped(1000)[1:2],
        "look": {"letter": label_width("0")},
        "labels": {str(status): status_label(status) for status in Status},
        "statuses": {str(status): status_word(status) for status in Status},
        "sentences": {str(status): status_sentence(status) for status in Status},
        "boxed": [str(status) for status, look in LOOKS.items() if look.border],
        "some": tr("{name} {count} of {size}"),
        "numbers": tr("{count} numbers"),
        "true": tr("true"),
        "false": tr("false"),
        "empty": tr("empty"),
        "value": tr("value"),
        "close": tr("Close"),
        "open": tr("The StopGradient lets gradients pass."),
        "closed": tr("The StopGradient blocks gradients."),
        "nan": tr("The first NaN arises at {block}."),
        "infinite": tr("The first infinite number arises at {block}."),
        "step": tr("Step {step} of {count}: {block}"),
        "stuck": tr("This number cannot be moved here."),
        "wrong": tr("{text} is no number that fits here."),
        "left": tr("One number leaves what this page can compute; open the graph in Gradwire."),
        "linked": tr("The link to what is shown here is copied."),
        "link": tr("This link leads to what is shown here: {link}"),
        "python": tr("Computed in Gradwire only, so what depends on it shows a question mark: {blocks}."),
    }
