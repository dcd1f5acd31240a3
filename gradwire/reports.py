"""The report of `why` as a page: the graph with the guilty block in view, and its sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike
from typing import Literal

from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.graph.graph import Graph
from gradwire.interop.models.graphs import ORIGIN, PARAMETER
from gradwire.interop.why.finding import Group, Report

TITLE = "Why parameters do not learn"


@dataclass(frozen=True, repr=False)
class WhyReport(Report):
    """What keeps parameters from learning, the most important first; its text is for people, `html` is a page of it.

    `findings` has a record for each parameter, `parameters` counts all trainable ones, `notes` say what was assumed.
    `graph` is the one that was asked, None where PyTorch alone has said it.
    """

    def html(self, *, embed: bool = False, title: str = TITLE, theme: Literal["dark", "light", "auto"] = "auto") -> str:
        """Returns the report as one file of HTML: its sentences, and below them the graph, which runs.

        It begins at the first guilty block, with its card; each sentence leads to its own.
        Raises: GradwireError if there is no graph.
        """
        from gradwire.app.cli.rendering import living_page  # loads Qt, which scripts do without
        from gradwire.app.features.share.web.page_choices import PageChoices, Told

        graph = self._asked()
        told = [Told(_path(graph, item), f"{item.title}.", _text(item)) for item in self.groups()]
        told += [Told("", "Note:", line) for line in self.notes]
        choices = PageChoices(is_embedded=embed, theme=theme, heading=self.head, told=tuple(told))
        return living_page(graph, title, choices).text

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the page into a file that ends in .html.

        Raises: GradwireError if there is no graph, FileError if the file cannot be written or has another ending.
        """
        from gradwire.engine.files.outputs import LIVING, PICTURE, Output

        target = Output(path, PICTURE)
        if target.path.suffix.lower() != LIVING:
            raise FileError(f'"{target.path.name}" must end in {LIVING}: the report is a page.')
        target.write(self.html(title=target.path.stem).encode("utf-8", "backslashreplace"))

    def _repr_html_(self) -> str | None:
        from gradwire.notebooks import MOST_BLOCKS, block_count, frame

        if self.graph is None or block_count(self.graph) > MOST_BLOCKS:
            return None
        from gradwire.app.cli.rendering import svg_text  # loads Qt, which scripts do without

        return frame(self.html(embed=True), svg_text(self.graph))

    def _asked(self) -> Graph:
        if self.graph is not None:
            return self.graph
        if self.ok:
            raise GradwireError(
                "Every gradient flows, so no graph was asked; gw.html(gw.from_torch(model, x)) shows that of the model."
            )
        raise GradwireError("PyTorch alone has said this, so there is no graph to show; print the report instead.")


def _text(group: Group) -> str:
    place = f"{group.spot.where}  {group.spot.code}".strip()
    return f"{place} — {group.reason}" if place else group.reason


def _path(graph: Graph, group: Group) -> str:
    """Returns the path of the guilty block: that of the finding, one of its line, or the parameter itself."""
    if group.spot.path:
        return group.spot.path
    wanted = {ORIGIN: group.spot.where, PARAMETER: group.parameter}
    found = (path for key, name in wanted.items() if name for path in _blocks(graph, key, name))
    own = f"{graph.pages[0].name}/{group.parameter.replace('.', '/')}"
    return next(found, own)


def _blocks(graph: Graph, key: str, name: str) -> Iterator[str]:
    for page in graph.pages:
        yield from (f"{page.name}/{path}" for path, block in page.blocks.items() if block.extra.get(key) == name)
