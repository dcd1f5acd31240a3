"""Notes of examples and trainings: every sentence is tried on its graph, and every number in it is computed."""

from __future__ import annotations

import pytest

from tests.gallery import example_names
from tests.notes import (
    attack_facts,
    chain_facts,
    digit_training_facts,
    fit_facts,
    guide_facts,
    loop_facts,
    own_facts,
    player_facts,
    softmax_facts,
    stop_facts,
    stopped_training_facts,
    training_facts,
    trap_facts,
)
from tests.notes.facts import check_note, of
from tests.notes.trainings import training, training_names
from tests.sweeps import a_third_of

TRAININGS = (digit_training_facts, stopped_training_facts, training_facts)
EXAMPLES = (
    attack_facts,
    chain_facts,
    fit_facts,
    guide_facts,
    loop_facts,
    own_facts,
    player_facts,
    softmax_facts,
    stop_facts,
    trap_facts,
)


@pytest.mark.parametrize("name", a_third_of(example_names(), 1))
def test_every_sentence_of_an_example_is_true(name: str) -> None:
    (found,) = (made for module in EXAMPLES if (made := getattr(module, name.replace(".", ""), None)) is not None)
    check_note(of(name).graph, found(of(name)))


@pytest.mark.parametrize("name", a_third_of(training_names()))
def test_every_sentence_of_a_training_is_true(name: str) -> None:
    (found,) = (made for module in TRAININGS if (made := getattr(module, name, None)) is not None)
    check_note(training(name).graph, found(training(name)))
