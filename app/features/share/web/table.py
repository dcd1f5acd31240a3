"""All wires of a graph as rows of a table, to be read without a script, and by screen readers."""

from __future__ import annotations

from collections.abc import Iterator

from gradwire.app.canvas.painting.labels.label_texts import label_of
from gradwire.app.features.share.web.texts import quoted
from gradwire.app.live.session import Session
from gradwire.app.look.status_texts import status_word
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.export.live.program import LiveProgram


def table_rows(session: Session, program: LiveProgram) -> Iterator[str]:
    """Yields a row for each wire, of inner pages, too."""
    results = session.results
    for link in program.run.structure.port_index.wires:
        reading = None if results is None else results.wire(link)
        label = label_of(reading, True, False)
        status = Status.UNKNOWN if reading is None else reading.status
        gradient = "" if label.gradient is None else label.gradient.text
        texts = (label.value or "?", gradient, status_word(status))
        cells = "".join(f"<td>{quoted(text)}" for text in texts)
        name = plain(f"{link.source} → {link.target}")
        yield f'<tr data-wire="{quoted(f"{link.source}>{link.target}")}"><th scope=row>{quoted(name)}{cells}'
