"""Writes below each Loss what was predicted for it while a number moves."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from gradwire.app.base.translation import tr
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.loss_prediction import LossPrediction, Prediction
from gradwire.app.look.drawing import inked
from gradwire.app.look.theme import font

_GAP, _HEIGHT = 6.0, 22.0


def paint_predictions(painter: QPainter, look: Look, mirror: Mirror) -> None:
    """Paints the predicted loss below each used Loss of the page."""
    prediction = mirror.session.part(LossPrediction).newest
    if prediction is not None:
        for rect in _losses(mirror):
            _paint_prediction(painter, look, rect, prediction)


def _losses(mirror: Mirror) -> list[QRectF]:
    session = mirror.session
    on_page = (path.rpartition("/") for path in session.losses)
    names = [name for page, _, name in on_page if page == session.page_name]
    return [mirror.rect(name) for name in names if mirror.is_used_loss(name)]


def _paint_prediction(painter: QPainter, look: Look, loss: QRectF, prediction: Prediction) -> None:
    """Writes below a Loss what was predicted for it, in a frame of dashes: it is not what is."""
    theme, text = look.theme, tr("predicted {predicted}", predicted=prediction.predicted_text)
    painter.setFont(font("mono", 12))
    width = max(loss.width(), painter.fontMetrics().horizontalAdvance(text) + 20)
    box = QRectF(loss.center().x() - width / 2, loss.bottom() + _GAP, width, _HEIGHT)
    inked(painter, QPen(theme.color("grad.text"), 1 / look.scale, Qt.PenStyle.DashLine), theme.color("bg.raised"))
    painter.drawRoundedRect(box, 6, 6)
    inked(painter, theme.color("grad.text")).drawText(box, Qt.AlignmentFlag.AlignCenter, text)
