"""Questions that people ask about gradients: each is answered on the screen after at most two actions."""

from __future__ import annotations

import pytest

import gradwire as gw
from gradwire.app.canvas.painting.picture import with_places
from gradwire.engine.graph.graph import Graph
from tests.app.window.asking import Asker
from tests.app.window.driver import Driver

pytestmark = pytest.mark.usefixtures("one_window")


@pytest.fixture
def asker(user: Driver) -> Asker:
    """A user with a question in front of the window, who opens a separate graph for each."""
    return Asker(user)


def made(*outputs: object) -> Graph:
    return with_places(gw.graph(*outputs))


def test_what_the_loss_does_not_depend_on_has_gradient_0_and_the_reason_beside_it(asker: Asker) -> None:
    """Answers "The gradient of a tensor that the loss never uses: what is it, and why?"."""
    x, other = gw.Variable(2.0, name="x"), gw.Constant(5.0, name="other")
    asker.show(made(gw.Loss(gw.Square(x, name="q")), gw.Exp(other, name="e")))
    asker.click_block("other")
    assert asker.why() == ("no path", "No path leads from other to the loss: the loss does not depend on it.")
    asker.numbers(" | 5 | 0")


def test_a_forgotten_loss_is_said_and_added_by_one_click(asker: Asker) -> None:
    """Answers "Nothing has a gradient: is a loss missing?"."""
    asker.show(made(gw.Square(gw.Variable(3.0, name="x"), name="q")))
    assert asker.user.window.parts.layout.status.sentence.text == "Add a Loss to see gradients"
    asker.press("status_action")
    asker.label("q.x", "3", "∂L 6")


def test_variables_without_a_way_to_the_loss_are_in_the_table_of_who_trains_whom(asker: Asker) -> None:
    """Answers "Which of the variables get no gradient at all?"."""
    x, lost = gw.Variable(2.0, name="x"), gw.Variable(7.0, name="lost")
    asker.show(made(gw.Loss(gw.Square(x, name="q"), name="loss"), gw.Exp(lost, name="e")))
    asker.lens("matrix")
    assert "loss: trains x 4 · no path: lost" in asker.text("trained_by", "loss")


def test_a_stop_with_nothing_to_train_behind_it_is_called_redundant(asker: Asker) -> None:
    """Answers "Nothing behind this point can be trained: is that a problem?"."""
    x, data = gw.Variable(2.0, name="x"), gw.Constant(5.0, name="data")
    asker.show(made(gw.Loss(gw.Multiply(x, gw.StopGradient(data, name="sg"), name="m"))))
    said = 'StopGradient "sg" is redundant: it depends on no Variable and no Input.'
    assert asker.point_at("problems_list", 'StopGradient "sg" is redundant').startswith(said)


def test_a_variable_behind_a_stop_is_shown_blocked_with_what_is_kept_back(asker: Asker) -> None:
    """Answers "Behind a stop there is no gradient at all: where has it gone?"."""
    w = gw.Variable(2.0, name="w")
    asker.show(made(gw.Loss(gw.Multiply(gw.StopGradient(w, name="sg"), gw.Constant(3.0, name="c"), name="m"))))
    asker.click_block("w")
    result, sentence = asker.why()
    assert result == "0 blocked"
    assert sentence.endswith('StopGradient "sg", which always returns 0 (withheld: 3).')


def test_the_second_of_two_stops_in_a_row_is_called_redundant(asker: Asker) -> None:
    """Answers "Was the gradient not stopped before this already?"."""
    x = gw.Variable(2.0, name="x")
    first = gw.StopGradient(gw.Square(x, name="q"), name="first")
    asker.show(made(gw.Loss(gw.Add(x, gw.StopGradient(gw.Exp(first, name="e"), name="second"), name="a"))))
    said = 'StopGradient "second" is redundant: another StopGradient behind it already blocks every path.'
    assert asker.point_at("problems_list", 'StopGradient "second" is redundant').startswith(said)


def test_a_stop_whose_result_nothing_uses_is_warned_of(asker: Asker) -> None:
    """Answers "The stop was written, but its result thrown away: does anything tell?"."""
    x = gw.Variable(2.0, name="x")
    asker.show(made(gw.Loss(gw.Square(x, name="q")), gw.StopGradient(x, name="sg")))
    assert asker.row("problems_list", "no effect") == "Nothing uses this StopGradient, so it has no effect."


def test_temporal_differences_are_seen_with_and_without_the_stop(asker: Asker) -> None:
    """Answers "Is a stop missing on the target?"."""
    asker.open("td_semi")
    asker.compare()
    assert asker.text("compare_effect", "Variables among them: w.")
    assert asker.text("compare_first") == "First difference: round 0, wire Gather v_next → StopGradient"


def test_the_switch_shows_the_gradient_of_a_variable_without_stops(asker: Asker) -> None:
    """Answers "What would the gradient be if the target moved too?"."""
    asker.open("td_semi")
    asker.press("stop_switch")
    asker.click_block("w")
    asker.numbers("0 | 0.5 | −1.4", "1 | 1 | 0")
    assert asker.why("Without StopGradient")[1].endswith("Without StopGradient it would be [−1.4, 1.26].")


def test_the_switch_shows_what_a_stop_keeps_back_on_its_wire(asker: Asker) -> None:
    """Answers "What would come back here if nothing were stopped?"."""
    asker.open("td_semi")
    asker.press("stop_switch")
    asker.click_wire("sg.x")
    result, sentence = asker.why("Without StopGradient")
    assert (result, sentence.rpartition(". ")[2]) == ("0", "Without StopGradient it would be 1.26.")


def test_a_stopped_summand_of_the_loss_adds_to_its_value_and_nothing_to_gradients(asker: Asker) -> None:
    """Answers "Why is something added to the loss that is stopped?"."""
    x, t = gw.Variable(2.0, name="x"), gw.Variable(5.0, name="t")
    asker.show(made(gw.Loss(gw.Add(gw.Square(x, name="q"), gw.StopGradient(t, name="sg"), name="sum"))))
    asker.click_wire("sg.x")
    assert asker.why()[1] == "StopGradient stands on the only path from here to the loss. Its rule is 0."
    asker.numbers(" | 5 | 0")
    asker.label("Loss.x", "9", "∂L 1")


def test_a_recurrence_that_is_cut_keeps_the_gradient_of_the_last_steps(asker: Asker) -> None:
    """Answers "Why is the hidden state stopped between pieces of a sequence?"."""
    asker.open("rnn20_tbptt5")
    asker.click_block("w")
    assert asker.why()[0] == "1108"
    asker.click_block("h")
    assert asker.why()[0] == "0 blocked"


def test_a_tensor_minus_its_own_stop_is_0_and_has_gradient_1(asker: Asker) -> None:
    """Answers "Is x minus the stopped x not simply nothing?"."""
    asker.open("sg_x_minus_sgx")
    asker.label("loss.x", "0", "∂L 1")
    asker.click_block("x")
    assert asker.why()[0] == "1"
    asker.open_curve()
    assert asker.text("slice_sentence").startswith(
        "Finite differences estimate a slope of 0, but ∂L/∂x = 1: StopGradient"
    )


def test_a_stop_that_is_not_needed_has_no_effect(asker: Asker) -> None:
    """Answers "Is this stop needed at all?"."""
    asker.open("softmax_stable")
    asker.compare()
    said = "Changes no gradient: the stopped contributions cancel. Largest difference: 1.7e−16."
    assert asker.text("compare_effect", "Changes no gradient").startswith(said)


def test_two_paths_that_cancel_are_named_beside_each_other(asker: Asker) -> None:
    """Answers "Why does nothing come back to the maximum although nothing stops it?"."""
    asker.open("softmax_stable_tie_nosg")
    asker.click_block("mx")
    asker.lens("paths")
    assert asker.row("paths_list", "| 2.405") and asker.row("paths_list", "| −2.405")
    assert asker.text("paths_summary", "add up").startswith("2 paths to the loss add up to ∂L/∂mx.y ≈ ")


def test_the_table_of_losses_shows_that_the_actor_trains_the_critic(asker: Asker) -> None:
    """Answers "Which loss leaks into which network?"."""
    asker.open("pg_nostop")
    asker.lens("matrix")
    actor, critic = asker.text("trained_by", "actor").splitlines()
    assert "b 0.751" in actor and "b 1.2" in critic


def test_two_players_behind_stops_have_a_table_with_zeros_off_the_diagonal(asker: Asker) -> None:
    """Answers "Does the discriminator's loss train the generator?"."""
    asker.open("gan_stop")
    asker.lens("matrix")
    rows = asker.text("trained_by", "L_D").splitlines()
    assert rows[0].startswith("L_D: trains c 0.254, w 0.172 · gradient 0, blocked by ") and rows[0].endswith(": a, b")
    assert rows[1].startswith("L_G: trains a 0.167, b 0.334 · gradient 0, blocked by ")
    assert rows[1].endswith(": c · gradient 0, blocked by sgw: w")


def test_the_baseline_is_trained_by_the_policy_where_nothing_stops_it(asker: Asker) -> None:
    """Answers "Does the loss of the actor train the critic?"."""
    asker.open("pg_stop")
    asker.compare()
    assert asker.text("compare_effect", "Variables among them: b.")
    assert asker.text("compare_detail", "There A has now")


def test_a_leak_into_the_baseline_is_in_the_list_of_problems(asker: Asker) -> None:
    """Answers "Would anybody notice that the advantage is not stopped?"."""
    asker.open("pg_nostop")
    asker.choose("problems_list", "Multiply")
    assert asker.text("why_title") == "A policy gradient that trains its baseline"


@pytest.mark.parametrize(
    ("name", "said"), [("adv_sign_stop", "None of them is a variable."), ("adv_raw_stop", "Variables among them: w.")]
)
def test_a_stop_of_an_attack_matters_to_the_weights_only_if_the_attack_is_not_a_sign(
    asker: Asker, name: str, said: str
) -> None:
    """Answers "Should the adversarial example be stopped?"."""
    asker.open(name)
    asker.compare()
    assert asker.text("compare_effect", said)


def test_two_equal_maxima_are_said_to_share(asker: Asker) -> None:
    """Answers "Which of the equal maxima gets the gradient?"."""
    x = gw.Variable([1.0, 3.0, 3.0], name="x")
    asker.show(made(gw.Loss(gw.ReduceMax(x, name="m"))))
    asker.click_wire("m.x")
    assert asker.why()[1].endswith("2 equal maxima share the gradient.")
    asker.numbers("0 | 1 | 0", "1 | 3 | +0.5", "2 | 3 | +0.5")


def test_equal_operands_of_a_maximum_are_compared_between_the_programs(asker: Asker) -> None:
    """Answers "Who gets the gradient of a maximum of two equal numbers, and is that so everywhere?"."""
    x, y = gw.Variable(1.0, name="x"), gw.Variable(1.0, name="y")
    asker.show(made(gw.Loss(gw.Maximum(x, y, name="m"))))
    asker.lens("conventions")
    said = asker.text("conventions_rules", "m.y")
    assert [line.partition(",")[0] for line in said.splitlines() if "slope" in line] == [
        "TensorFlow 2.21: slope 1", "PyTorch 2.13: slope 0.5", "JAX 0.10: slope 0.5",
        "TensorFlow 2.21: slope 0", "PyTorch 2.13: slope 0.5", "JAX 0.10: slope 0.5",
    ]  # fmt: skip


def test_a_clipped_error_learns_nothing_where_it_is_largest(asker: Asker) -> None:
    """Answers "Why do the largest errors have no gradient?"."""
    asker.open("clip_then_square")
    asker.click_wire("clip.x")
    assert asker.why("not selected")[1].endswith(
        '2 of 4 elements are 0: not selected by ClipByValue "clip" (clip_min = −1, x = −2, clip_max = 1 at element 0).'
    )
    assert asker.row("problems_list", "squares what") == 'L2Loss "half" squares what ClipByValue "clip" clips.'


def test_the_place_of_a_maximum_has_no_derivative(asker: Asker) -> None:
    """Answers "Why does nothing come back through the index of the largest element?"."""
    x = gw.Variable([1.0, 3.0], name="x")
    place = gw.ArgMax(x, axis=0, name="place")
    asker.show(made(gw.Loss(gw.Cast(place, dtype="float64", name="number"))))
    asker.click_wire("place.x")
    result, sentence = asker.why()
    assert result == "0 no derivative"
    assert sentence.endswith('runs through ArgMax "place", which has no derivative.')
    assert asker.row("problems_list", 'ArgMax "place" has no derivative and blocks the only path to the loss')


def test_the_branch_that_was_not_chosen_is_named_as_the_origin_of_nan(asker: Asker) -> None:
    """Answers "Where chose the good side: where does NaN come from?"."""
    asker.open("where_bad")
    asker.click_block("x")
    sentence = asker.text("why_sentence_0")
    assert sentence == "log receives a gradient of 0 there, and its slope at x = 0 is infinite: 0 × ∞ is not a number."
    assert [asker.text(f"why_product_0_box_{place}") for place in range(3)] == ["0", "∞", "NaN"]
    origins = [asker.text(f"why_product_0_origin_{place}") for place in range(3)]
    assert origins == ["from pick: not selected", "slope of log at x = 0", "gradient of x[0]"]
    asker.numbers("0 | 0 | NaN", "1 | 1 | +1", "2 | 4 | +0.25")
    said = 'Where "pick" selects too late: the value or slope of Log "log" is not finite at 1 of'
    assert asker.row("problems_list", "Where").startswith(said)


def test_the_norm_at_0_is_named_with_a_fix(asker: Asker) -> None:
    """Answers "The distance is 0 and everything becomes NaN: which block was it?"."""
    x = gw.Variable([0.0, 0.0], name="x")
    asker.show(made(gw.Loss(gw.Norm(x, name="length"))))
    asker.choose("problems_list", 'Norm "length" is 0')
    assert asker.text("why_title") == "A root or a norm at 0"
    assert asker.button("why_fix")


def test_an_exponential_that_overflows_names_the_largest_argument(asker: Asker) -> None:
    """Answers "Why is the maximum subtracted in a softmax?"."""
    asker.open("softmax_naive")
    asker.click_block("e")
    said = 'Exp "e" makes inf at element 0: exp(1000) = inf, since 1000 > 709.78, the largest argument in float64.'
    said += ' Divide "p" then makes NaN at element 0: inf / inf = NaN.'
    assert asker.text("inspector_problem_text_0") == said


def test_nan_forward_and_nan_backward_have_an_origin_each(asker: Asker) -> None:
    """Answers "The loss is finite, and still there is NaN: which block began, and in which direction?"."""
    asker.open("where_bad")
    assert asker.row("problems_list", "-inf") == 'Log "log" makes -inf at element 0.'
    assert asker.row("problems_list", "gradient of x") == 'Log "log" makes the gradient of x NaN at element 0.'


def test_straight_through_rounds_the_value_and_passes_the_gradient_beside_it(asker: Asker) -> None:
    """Answers "How can a stopped difference change the value but not the gradient?"."""
    asker.open("ste")
    asker.click_wire("round.x")
    assert asker.why()[0] == "0 no derivative"
    asker.click_block("y")
    asker.numbers("0 | 0 | 0", "1 | 1 | 0", "2 | −1 | +1", "3 | 2 | 0")


def test_second_derivatives_are_values_on_wires(asker: Asker) -> None:
    """Answers "How does one get the derivative of a derivative?"."""
    asker.open("newton")
    asker.click_block("h0")
    asker.numbers("0 | 1330 | 0", "1 | 480 | 0")
    asker.click_block("h1")
    asker.numbers("0 | 480 | 0", "1 | 200 | 0")


def test_the_matrix_of_second_derivatives_is_the_value_of_a_block(asker: Asker) -> None:
    """Answers "Where is the whole matrix of second derivatives?"."""
    asker.open("newton")
    asker.click_block("H")
    asker.press("value_of_0")
    asker.numbers("0 | 1330 | 480", "1 | 480 | 200")


def test_a_chain_of_sigmoids_shows_the_gradient_vanish_wire_by_wire(asker: Asker) -> None:
    """Answers "In which layer does the gradient get lost?"."""
    asker.open("sigmoid_chain_5")
    asker.label("loss.x", "", "1")
    for number, left in enumerate(("6.1e−4", "0.00259", "0.0114", "0.0505", "0.225"), start=1):
        asker.label(f"s{number}.x", "", left)


def test_how_much_a_step_of_a_long_chain_passes_on_is_said(asker: Asker) -> None:
    """Answers "How fast does the gradient vanish?"."""
    asker.open("sigmoid_chain_20")
    said = "The gradient shrinks: each of 20 blocks multiplies it by 0.225 on average; 1.1e−13 of it remains at x."
    assert asker.said("lens_flow").startswith(said)


def test_a_gradient_that_explodes_is_said_with_its_factor(asker: Asker) -> None:
    """Answers "By how much does each step of a recurrence enlarge the gradient?"."""
    asker.open("rnn20")
    said = "The gradient grows: each of 20 blocks multiplies it by 1.5 on average; at h it is 3325 times as large."
    assert asker.said("lens_flow").startswith(said)


def test_a_network_that_starts_at_0_names_the_factor_and_offers_to_fill_it(asker: Asker) -> None:
    """Answers "Why does the first layer not learn at all?"."""
    asker.open("xor_zero_init")
    asker.click_block("W1")
    assert asker.why("multiplies")[1] == '0 because MatMul "HW" multiplies by W2, which is 0 everywhere.'
    assert asker.text("why_title_0") == "Fix: Fill W2 with small random numbers"
    assert asker.button("why_fix_0") == "Apply the fix"
