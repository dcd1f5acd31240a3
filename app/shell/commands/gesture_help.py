"""Descriptions of the mouse gestures on the canvas: one table for the keyboard map and for the tests."""

from __future__ import annotations

from gradwire.app.base.translation import tr


def gesture_help(pan_key: str) -> dict[str, list[tuple[str, str]]]:
    """Returns all gestures, area by area: the text, and what the mouse does."""
    pan = tr("middle-drag, right-drag, {key}+drag", key=pan_key) if pan_key else tr("middle-drag, right-drag")
    return {
        tr("Mouse: view"): [
            (tr("Move the view"), pan),
            (tr("Zoom at the pointer"), tr("wheel, Ctrl+wheel")),
            (tr("On a trackpad"), tr("two fingers move, pinch zooms")),
            (tr("Move sideways"), tr("Shift+wheel")),
            (tr("Scroll while dragging"), tr("hold near the edge")),
            (tr("Go somewhere far"), tr("click the minimap")),
            (tr("Back and forward"), tr("mouse buttons 4 and 5")),
            (tr("Actions"), tr("right click")),
        ],
        tr("Mouse: selection"): [
            (tr("Select"), tr("click")),
            (tr("Add to the selection"), tr("Shift+click")),
            (tr("Select in a box"), tr("drag on empty canvas")),
            (tr("Select with a lasso"), tr("Ctrl+Alt+drag")),
            (tr("Cancel, select nothing"), tr("Esc")),
        ],
        tr("Mouse: blocks"): [
            (tr("Add a block"), tr("double-click")),
            (tr("Move"), tr("drag")),
            (tr("Move off the grid"), tr("Alt+drag")),
            (tr("Duplicate"), tr("Ctrl+drag")),
            (tr("Insert on a wire"), tr("drop on it; Alt prevents")),
            (tr("Disconnect"), tr("shake it")),
            (tr("Change the width"), tr("drag the right edge")),
            (tr("Rename"), tr("double-click the title")),
            (tr("Change its setting"), tr("double-click its body")),
            (tr("Turn its switch, choose from its list"), tr("click it")),
            (tr("Another slice of its tensor"), tr("click the arrows below it")),
            (tr("Enter a page"), tr("double-click its block")),
            (tr("Open a layer, all layers"), tr("click its point, double-click; Esc closes")),
        ],
        tr("Mouse: wires"): [
            (tr("Connect"), tr("drag from port to port, or to a block")),
            (tr("Find a block that fits"), tr("click a port, or drop the wire on nothing")),
            (tr("Combine two outputs"), tr("drop the wire on the other output")),
            (tr("Plug in elsewhere"), tr("drag the end at the input")),
            (tr("Duplicate a wire"), tr("Ctrl+drag the end at the output")),
            (tr("Cut wires"), tr("Ctrl+right-drag")),
            (tr("Put a dot on a wire"), tr("double-click it")),
            (tr("Path to the loss"), tr("Alt+click a wire")),
        ],
        tr("Mouse: numbers"): [
            (tr("Change a number"), tr("drag sideways, or its slider")),
            (tr("Ten times finer"), tr("Shift+drag")),
            (tr("Ten times coarser"), tr("Ctrl+drag")),
            (tr("Type a number"), tr("double-click it")),
        ],
    }
