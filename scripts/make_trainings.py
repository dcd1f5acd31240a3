"""The trainings of the gallery, made anew from their lessons and placed: make trainings."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from gradwire.app.look.theme import load_fonts
from gradwire.engine.files.files import dumps
from scripts.place_examples import placed
from scripts.trainings import (
    attacks,
    basics,
    codes,
    depth,
    images,
    mixtures,
    players,
    reinforcement,
    sequences,
    transfer,
)
from scripts.trainings.drawing import Lesson

FOLDER = Path(__file__).parent.parent / "assets" / "trainings"
LESSONS: tuple[Callable[[], Lesson], ...] = (
    basics.linear_regression,
    basics.logistic_regression,
    basics.xor,
    basics.spirals,
    basics.moons,
    basics.sine,
    basics.rate_too_large,
    basics.batch_noise,
    images.digits_descent,
    images.digits_momentum,
    images.digits_adam,
    images.digits_cnn,
    images.digits_cnn_descent,
    images.digits_cnn_adam,
    images.glyphs_cnn,
    players.gan,
    players.gan_open,
    players.gan_twice,
    mixtures.em_closed,
    mixtures.em_gradient,
    mixtures.rbm_cd1,
    mixtures.rbm_cd5,
    attacks.attack_none,
    attacks.attack_sign,
    attacks.attack_l2,
    reinforcement.td,
    reinforcement.q_learning,
    reinforcement.policy_gradient,
    codes.straight_through,
    codes.vq_vae,
    codes.simsiam,
    codes.byol,
    transfer.gradient_reversal,
    transfer.mean_teacher,
    sequences.truncated,
    depth.vanishing,
    depth.dying_relu,
    depth.rnn_exploding,
    depth.rnn_clipped,
)


def main() -> None:
    """Writes the file of each lesson that has changed, and says which."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication([])
    load_fonts()
    FOLDER.mkdir(exist_ok=True)
    for lesson in (make() for make in LESSONS):
        path = FOLDER / f"{lesson.name}.graph"
        text = dumps(placed(lesson.drawn))
        if not path.exists() or text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8", newline="\n")
            print(path.name)
    application.quit()


if __name__ == "__main__":
    main()
