"""The canvas as gestures see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from PySide6.QtCore import QPointF, QRect

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.gestures.pointer import Pointer
from gradwire.app.canvas.painting.painted_page import PaintedPage
from gradwire.app.live.session import Session
from gradwire.engine.graph.graph import Port


class RoomHost(Protocol):
    """The members of a canvas that edits use for which blocks give way."""

    @property
    def session(self) -> Session:
        """The document that is shown."""

    @property
    def mirror(self) -> Mirror:
        """The arrays of the page that is shown."""

    def glide(self, before: Mapping[str, tuple[float, float]]) -> None:
        """Lets blocks glide from where they were before an edit that is shown already."""


class GestureHost(RoomHost, Protocol):
    """The members of a canvas that gestures use; `viewport` moves its camera, `painted` shows what is dragged."""

    viewport: Viewport
    painted: PaintedPage

    @property
    def camera(self) -> Camera:
        """The camera through which the page is seen."""

    @property
    def pointer(self) -> Pointer:
        """The newest place of the pointer."""

    def width(self) -> int:
        """Returns the width of the view. Units: px."""

    def height(self) -> int:
        """Returns the height of the view. Units: px."""

    def rect(self) -> QRect:
        """Returns the rectangle of the view. Units: px."""

    def update(self) -> None:
        """Paints the view at the next frame."""

    def say(self, reason: str) -> None:
        """Tells the user why a wire does not fit; "" when it does."""

    def request_search(self, scene: QPointF, *ends: Port, are_outputs: bool = True, is_beside: bool = False) -> None:
        """Opens the search for a block, to be joined to some ports, at a point of the scene."""
