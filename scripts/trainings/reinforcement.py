"""Lessons with rewards: temporal differences, a slow copy as target, and a policy with a baseline."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from scripts.trainings.drawing import Lesson, after, descent, drawn, of_example, steps, without
from scripts.trainings.exact_numbers import exact_products, solved_exactly

STATES, DISCOUNT = 5, 0.9


def _walk() -> tuple[Array, Array, Array]:
    """Returns a walk on five places: one hot the place and the next one, in both directions, and the reward.

    Beyond the ends the walk is over, so the next place is no place; the right end pays 1.
    """
    places = [(s, s + step) for s in range(STATES) for step in (-1, 1)]
    here = np.array([[float(s == k) for k in range(STATES)] for s, _ in places])
    there = np.array([[float(t == k) for k in range(STATES)] for _, t in places])
    return here, there, np.array([float(t == STATES) for _, t in places])


def _true_values() -> list[float]:
    """Returns the solution of V = r + 0.9 P V: of as many equations, each the mean over the two moves from a place."""
    here, there, reward = _walk()
    return _solution(here, here, there, reward)


def _residual_values() -> list[float]:
    """Returns the values of the least squares of reward + 0.9 V(s') - V(s) over all ten moves, by normal equations."""
    here, there, reward = _walk()
    return _solution(here - DISCOUNT * there, here, there, reward)


def _solution(weights: Array, here: Array, there: Array, reward: Array) -> list[float]:
    """Returns V with transposed(weights) (here - 0.9 there) V = transposed(weights) reward."""
    rows = exact_products(weights.T, here - DISCOUNT * there)
    right = exact_products(weights.T, reward[:, np.newaxis])
    return solved_exactly(rows, [row[0] for row in right])


def td() -> Lesson:
    """TD(0) over all moves at once: it ends at the solution of the linear equations, without the stop elsewhere."""
    here, there, reward = _walk()
    values = gw.Variable(np.zeros(STATES), name="V")
    now = gw.MatVec(gw.Constant(here, name="here"), values, name="V_here")
    later = gw.MatVec(gw.Constant(there, name="there"), values, name="V_there")
    held = gw.StopGradient(later, name="stop")
    discounted = gw.Multiply(held, gw.Constant(DISCOUNT, name="discount"), name="discounted")
    target = gw.Add(gw.Constant(reward, name="reward"), discounted, name="target")
    error = gw.Subtract(target, now, name="error")
    loss = gw.Loss(gw.Square(error, name="square"), reduction="mean", name="loss")
    checks = [
        after(1000, "main/V.y", "V solves V = r + 0.9 P V", value=_true_values(), rtol=1e-9),
        without(
            "main/stop",
            1000,
            "main/V.y",
            "Without the stop: least squares",
            value=_residual_values(),
            rtol=1e-9,
        ),
    ]
    return Lesson(
        "td",
        "TD(0) and its residual",
        "A walk on five places goes left or right by chance, and pays 1 at the right end. With the target held fixed "
        "V becomes the true expectation, from 0.07 to 0.69. Ignore the stop, and V is also bent to make the future "
        "fit the past: the loss becomes smaller, and all values are wrong.",
        drawn(loss),
        steps(descent(1), rounds=1000, checks=checks),
    )


def q_learning() -> Lesson:
    """Q-learning on a corridor of five places; the target is a slow copy. Q of the best move is 0.9 to the distance."""
    moves = [(s, a) for s in range(STATES) for a in (0, 1)]
    where = [max(s - 1, 0) if a == 0 else s + 1 for s, a in moves]
    reward = np.array([float(t == STATES) for t in where])
    goes_on = 1 - reward
    q = gw.Variable(np.zeros((STATES, 2)), name="Q")
    slow = gw.Variable(np.zeros((STATES, 2)), name="Q_slow")
    flat = gw.Reshape(q, shape=(2 * STATES,), name="Q_moves")
    best = gw.ReduceMax(slow, axis=1, name="best")
    next_best = gw.Gather(
        best, gw.Constant(np.array([min(t, STATES - 1) for t in where]), name="next"), name="next_best"
    )
    held = gw.StopGradient(
        gw.Multiply(next_best, gw.Constant(DISCOUNT * goes_on, name="discount"), name="discounted"), name="stop"
    )
    target = gw.Add(gw.Constant(reward, name="reward"), held, name="target")
    loss = gw.Loss(gw.Square(gw.Subtract(target, flat, name="error"), name="square"), reduction="mean", name="loss")
    values = [DISCOUNT ** (STATES - 1 - s) for s in range(STATES)]
    wanted = [[DISCOUNT * values[max(s - 1, 0)], values[s]] for s in range(STATES)]
    learn = descent(2, name="learn", loss="main/loss")
    copy = {"name": "copy", "assign": {"main/Q_slow": "main/Q.y"}, "every": 20}
    checks = [
        {"title": "Only Q learns", "step": "learn", "trains": ["main/Q"]},
        after(400, "main/Q.y", "Q is 0.9 to the distance", value=wanted, rtol=1e-9),
        without(
            "main/stop",
            400,
            "main/Q.y",
            "Without the stop, as in TensorFlow",
            value=[
                [0.5525294822155435, 0.643635099411309],
                [0.5525294822155435, 0.7263289376488932],
                [0.643635099411309, 0.8097176898170684],
                [0.7263289376488932, 0.8999997912701553],
                [0.8097176898170684, 1],
            ],
            rtol=1e-6,
        ),
    ]
    return Lesson(
        "q_learning",
        "Q-learning with a slow target",
        "Five places in a corridor; the last door pays 1. Q moves towards the reward plus 0.9 times the best that the "
        "slow copy knows of the next place, and every 20 rounds the copy takes over Q. The reward travels one place "
        "back with each copy. Ignore the stop, and the copy is trained to please Q.",
        drawn(loss),
        steps(learn, copy, rounds=400, checks=checks),
    )


def policy_gradient() -> Lesson:
    """The example with one action, by gradient descent: the baseline comes nearer to the reward by a tenth a round."""
    checks = [
        after(100, "main/b.y", "The baseline is 2 - 1.2 times 0.9 to the 100", value=2 - 1.2 * 0.9**100, rtol=1e-9),
        without("main/sg", 100, "main/b.y", "Without the stop it runs away", above=100),
    ]
    return Lesson(
        "policy_gradient",
        "A policy and its baseline, trained",
        "The action pays 2, and the baseline b learns to expect it: from 0.8 it comes a tenth of the way in each "
        "round. Ignore the stop: the actor's loss becomes smaller, too, if b grows beyond the reward, and the more it "
        "grows the less likely the action becomes. After 100 rounds b is above 100, and nothing holds it.",
        of_example("pg_stop"),
        steps(descent(0.1), rounds=100, checks=checks),
    )
