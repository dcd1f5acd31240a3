"""Pictures of pages without a window: thumbnails, PNG, SVG and PDF."""

from __future__ import annotations

import dataclasses
import functools
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPaintDevice, QPainter, QPdfWriter, QPixmap

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import NOT_WIRED, BlockShape, shape_of, wired_ports
from gradwire.app.canvas.geometry.view.extent import extent
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.miniature import draw_miniature
from gradwire.app.canvas.painting.page_painter import PagePainter, Part
from gradwire.app.live.inferring import SOON
from gradwire.app.live.process.evaluator import Evaluator, InlineEvaluator
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Selection, Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.png import png
from gradwire.app.look.svg.svg_painter import SvgPainter, document
from gradwire.app.look.theme import Theme
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.files import load
from gradwire.engine.files.outputs import Output
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.layout.framed_layers import COLUMN_GAP, SCALAR_GAP
from gradwire.engine.layout.initial_positions import OutlineOf, with_missing_places
from gradwire.engine.layout.layout import Outline

MARGIN = 32.0
DESCRIPTION = "A graph with the value and the gradient on every wire."
# Larger pictures do not fit into the memory of most machines, and few programs open them.
LARGEST_SIDE = 16_000


def with_places(graph: Graph) -> Graph:
    """Returns the graph with a place for every block; the same graph if all have one."""
    if all(block.at is not None for page in graph.pages for block in page.blocks.values()):
        return graph
    return with_missing_places(graph, _outlines(graph))


def outlines_of(graph: Graph, page: Page) -> dict[str, Outline]:
    """Returns the outlines of a page's blocks, as arranging needs them."""
    outline = _outlines(graph)
    return {block.id: outline(graph, page, block) for block in page.blocks.values()}


def _outlines(graph: Graph) -> OutlineOf:
    inferred = infer_specs(graph, inside=SOON)
    wired = {page.name: wired_ports(page) for page in graph.pages}

    def outline(_: Graph, page: Page, block: Block) -> Outline:
        ports = wired[page.name].get(block.id, NOT_WIRED)
        return outline_of(shape_of(graph, block, f"{page.name}/{block.id}", ports, inferred))

    return outline


def outline_of(shape: BlockShape) -> Outline:
    """Returns the outline of a shape, as arranging needs it."""
    inputs = {port.name: port.y for port in shape.inputs}
    outputs = shape.outputs
    is_scalar = all(port.spec is not None and port.spec.shape == () for port in outputs)
    gap = SCALAR_GAP if is_scalar else COLUMN_GAP
    return Outline(shape.width, shape.height, inputs, {port.name: port.y for port in outputs}, gap)


class Drawing:
    """A page as a mirror has it, to be drawn into files: all of it, or some blocks and wires alone."""

    def __init__(self, mirror: Mirror, chosen: Selection | None = None, look: Look | None = None) -> None:
        self.mirror, self._chosen, self._look = mirror, chosen, look

    @property
    def size(self) -> QSize:
        """The size of what is drawn with a margin. Units: px at 100 %."""
        return self._area().size().toSize()

    def image(self, theme: Theme, ratio: float = 2.0) -> QImage:
        """Returns it at 100 %, `ratio` device pixels a px; fewer where the picture would be too large for a file."""
        size = self.size
        ratio = min(ratio, LARGEST_SIDE / max(size.width(), size.height(), 1))
        image = QImage(size * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        self._draw(image, theme)
        return image

    def svg(self, theme: Theme, title: str = "") -> bytes:
        """Returns it as SVG."""
        size, painter = self.size, SvgPainter()
        with painter:
            self._paint(painter, theme)
            return document(painter, size.width(), size.height(), plain(title), DESCRIPTION).encode()

    def pdf(self, theme: Theme, title: str = "") -> bytes:
        """Returns it as a PDF of one page of its size."""
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        writer = QPdfWriter(buffer)
        writer.setTitle(plain(title))
        writer.setResolution(96)
        size = QSizeF(self.size) * 72 / 96
        writer.setPageSize(QPageSize(size, QPageSize.Unit.Point))
        writer.setPageMargins(QMarginsF())
        self._draw(writer, theme)
        buffer.close()
        return bytes(data.data())

    def save(self, target: Output, theme: Theme) -> None:
        """Writes PNG, SVG or PDF, by the file's ending; a device, which has none, takes SVG.

        Raises: FileError if the file cannot be written.
        """
        suffix, title = target.path.suffix.lower(), target.path.stem
        if suffix == ".png":
            content = png(self.image(theme))
        else:
            content = self.pdf(theme, title) if suffix == ".pdf" else self.svg(theme, title)
        target.write(content)

    def _area(self) -> QRectF:
        area = self.mirror.bounds() if self._chosen is None else extent(self.mirror, self._chosen)
        return QRectF(area.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN).toAlignedRect())

    def _draw(self, device: QPaintDevice, theme: Theme) -> None:
        with QPainter(device) as painter:
            self._paint(painter, theme)

    def _paint(self, painter: QPainter, theme: Theme) -> None:
        area = self._area()
        painter.fillRect(QRectF(0, 0, area.width(), area.height()), theme.color("bg.canvas"))
        painter.translate(-area.topLeft())
        look = self._look or Look(theme)
        look = dataclasses.replace(look, theme=theme, scale=1.0, has_grid=False, lit=self._chosen, rest=0.0)
        PagePainter(self.mirror).draw(painter, look, Part(area))


class PagePicture(Drawing):
    """A page of a graph, evaluated once, that can be drawn in several ways."""

    def __init__(
        self,
        graph: Graph,
        page: str | None = None,
        has_curves: bool = False,
        make_evaluator: MakeEvaluator = InlineEvaluator,
    ) -> None:
        session = Session(with_places(graph), make_evaluator)
        session.wait_for_pages()
        if page is not None:
            session.view.show(page)
        super().__init__(Mirror(session, has_curves))
        self.mirror.rebuild()
        self._session = session

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The problems that the run found."""
        return self._session.results.problems if self._session.results is not None else ()

    def thumbnail(self, theme: Theme, width: int, height: int, ratio: float = 2.0) -> QImage:
        """Returns the structure of the page in a given size: small blocks with their icons, wires as they are."""
        image = QImage(QSize(width, height) * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        with QPainter(image) as painter:
            self._paint_thumbnail(painter, theme, width, height)
        return image

    def thumbnail_svg(self, theme: Theme, width: int, height: int) -> bytes:
        """Returns the same as SVG."""
        painter = SvgPainter()
        with painter:
            self._paint_thumbnail(painter, theme, width, height)
            return document(painter, width, height, self.mirror.session.page_name, DESCRIPTION).encode()

    def _paint_thumbnail(self, painter: QPainter, theme: Theme, width: int, height: int) -> None:
        area = QRectF(0, 0, width, height)
        painter.fillRect(area, theme.color("bg.canvas"))
        draw_miniature(painter, self.mirror, Look(theme), area)

    def close(self) -> None:
        """Ends the session behind the picture."""
        self._session.close()


def file_thumbnail(path: Path, size: QSize, appearance: Appearance, ratio: float) -> QPixmap:
    """Returns the first page of a file in little; `ratio` is that of device pixels to px."""
    pixels, style = (size.width(), size.height()), (appearance.theme, appearance.has_curves)
    return QPixmap.fromImage(_file_thumbnail(path, path.stat().st_mtime_ns, pixels, style, ratio))


# Every window's welcome page shows the same files.
@functools.lru_cache(maxsize=64)
def _file_thumbnail(
    path: Path, written_at: int, size: tuple[int, int], style: tuple[Theme, bool], ratio: float
) -> QImage:
    theme, has_curves = style
    return _drawn(PagePicture(load(path).graph, has_curves=has_curves), theme, size, ratio)


def structure_thumbnail(graph: Graph, size: QSize, appearance: Appearance, ratio: float) -> QPixmap:
    """Returns the first page of a graph in little, without running it: it may be what the program ended of."""
    picture = PagePicture(graph, has_curves=appearance.has_curves, make_evaluator=Evaluator)
    return QPixmap.fromImage(_drawn(picture, appearance.theme, (size.width(), size.height()), ratio))


def _drawn(picture: PagePicture, theme: Theme, size: tuple[int, int], ratio: float) -> QImage:
    """Returns the thumbnail of a picture, and ends its session."""
    image = picture.thumbnail(theme, *size, ratio)
    picture.close()
    return image
