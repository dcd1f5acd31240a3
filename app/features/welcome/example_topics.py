"""The names of the topics of examples."""

from __future__ import annotations

from gradwire.app.base.translation import tr

TOPIC_NAMES = {
    "training": "Trainings",
    "softmax": "Softmax",
    "regression": "Regression",
    "networks": "Networks",
    "mixtures": "Mixtures and RBM",
    "adversarial": "Adversarial",
    "straight_through": "Straight-through",
    "reinforcement": "Reinforcement",
    "depth": "Long chains",
    "loops": "Loops",
    "second_order": "Second order",
    "guide": "TensorFlow's guide",
    "identities": "Identities",
    "own_gradients": "Own gradients",
    "zeros": "Zeros and NaN",
    "other": "More",
}


def topic_text(topic: str) -> str:
    """Returns the displayed name of a topic."""
    return tr(TOPIC_NAMES[topic])
