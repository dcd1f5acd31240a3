"""The commands for pages: grouping, loops over a page, and the way from page to page and from round to round."""

from __future__ import annotations

from collections.abc import Callable

from gradwire.app.shell.commands.command import Command
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.window.pages import Pages


def _on(act: Callable[[Pages], object]) -> Callable[[WindowParts], object]:
    """Returns what acts on the pages of a window, or asks them."""
    return lambda window: act(window.editor.pages)


def _in_loop(window: WindowParts) -> object:
    return window.session.view.loops


def _gives(window: WindowParts) -> bool:
    found, graph = window.editor.pages.with_gradient(), window.session.graph
    return found is not None and graph.has_page(graph.gradients[found[0]])


def _several(window: WindowParts) -> bool:
    return len(window.session.graph.pages) > 1


PAGES: tuple[Command, ...] = (
    Command("group", "Group into page", "Graph", _on(Pages.group), ("Ctrl+G",), "folder", on_canvas=True,
            is_possible=lambda w: w.session.selection.blocks or w.session.selection.frames,
            tip="Move the selected blocks to a page; one block represents it"),
    Command("ungroup", "Ungroup", "Graph", _on(Pages.ungroup), ("Ctrl+Shift+G",), on_canvas=True,
            is_possible=_on(Pages.selected), tip="Replace the block by the contents of its page"),
    Command("fold", "Fold into a Scan", "Graph", _on(Pages.fold), ("Ctrl+Alt+G",), "refresh",
            on_canvas=True, is_possible=_on(Pages.selected_chain),
            tip="One block that repeats a page, in place of a chain of blocks that use it"),
    Command("unroll", "Unroll", "Graph", _on(Pages.unroll), ("Ctrl+Alt+Shift+G",), on_canvas=True,
            is_possible=_on(Pages.selected_loops), tip="A block for each round, in place of the Scan"),
    Command("enter", "Enter the page", "Graph", _on(Pages.enter), (), "folder", is_possible=_on(Pages.selected)),
    Command("leave", "Leave the page", "Graph", _on(Pages.leave), ("Backspace",), on_canvas=True,
            is_possible=lambda w: len(w.session.view.trail) > 1, tip="Go back to the page around this one"),
    Command("give_gradient", "Give this page its own gradient", "Graph", _on(Pages.give_gradient), (), "grad",
            is_possible=_on(Pages.without_gradient),
            tip="A page that computes the backward pass of this one, as tf.custom_gradient does"),
    Command("show_gradient", "Show this page's own gradient", "Graph", _on(Pages.show_gradient),
            is_possible=_gives, tip="The page that computes the backward pass of this one"),
    Command("remove_gradient", "Remove this page's own gradient", "Graph", _on(Pages.remove_gradient),
            is_possible=_on(Pages.with_gradient),
            tip="The blocks of the page give its gradient again; the page that gave it goes if unused elsewhere"),
    Command("next_page", "Next page", "View", lambda w: w.editor.pages.step(1), ("Ctrl+PgDown",),
            is_possible=_several),
    Command("previous_page", "Previous page", "View", lambda w: w.editor.pages.step(-1), ("Ctrl+PgUp",),
            is_possible=_several),
    Command("next_round", "Next round", "View", lambda w: w.layout.rounds.step(1), ("Alt+PgDown",),
            is_possible=_in_loop, tip="Of the Scan whose page is shown"),
    Command("previous_round", "Previous round", "View", lambda w: w.layout.rounds.step(-1), ("Alt+PgUp",),
            is_possible=_in_loop, tip="Of the Scan whose page is shown"),
)  # fmt: skip
