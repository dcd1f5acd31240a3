"""Descriptions of the mouse gestures on the canvas: one table for the keyboard map and for the tests."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.base.translation import tr


@dataclass(frozen=True)
class GestureHelp:
    """One gesture. `command` is the equivalent command with a key, "" if there is none."""

    area: str
    text: str
    mouse: str
    command: str = ""


def gesture_help(pan_key: str) -> tuple[GestureHelp, ...]:
    """Returns all gestures, area by area."""
    return (*_view(pan_key), *_selection(), *_blocks(), *_wires(), *_numbers())


def _view(pan_key: str) -> list[GestureHelp]:
    area = tr("Mouse: view")
    pan = tr("middle-drag, right-drag, {key}+drag", key=pan_key)
    if not pan_key:
        pan = tr("middle-drag, right-drag")
    return [
        GestureHelp(area, tr("Move the view"), pan),
        GestureHelp(area, tr("Zoom at the pointer"), tr("wheel, Ctrl+wheel"), "zoom_in"),
        GestureHelp(area, tr("On a trackpad"), tr("two fingers move, pinch zooms")),
        GestureHelp(area, tr("Move sideways"), tr("Shift+wheel")),
        GestureHelp(area, tr("Scroll while dragging"), tr("hold near the edge")),
        GestureHelp(area, tr("Go somewhere far"), tr("click the minimap")),
        GestureHelp(area, tr("Back and forward"), tr("mouse buttons 4 and 5")),
        GestureHelp(area, tr("Actions"), tr("right click")),
    ]


def _selection() -> list[GestureHelp]:
    area = tr("Mouse: selection")
    return [
        GestureHelp(area, tr("Select"), tr("click")),
        GestureHelp(area, tr("Add to the selection"), tr("Shift+click")),
        GestureHelp(area, tr("Select in a box"), tr("drag on empty canvas"), "select_all"),
        GestureHelp(area, tr("Select with a lasso"), tr("Ctrl+Alt+drag")),
        GestureHelp(area, tr("Cancel, select nothing"), tr("Esc")),
    ]


def _blocks() -> list[GestureHelp]:
    area = tr("Mouse: blocks")
    return [
        GestureHelp(area, tr("Add a block"), tr("double-click, or drag from the palette"), "search"),
        GestureHelp(area, tr("Move"), tr("drag"), "nudge_right"),
        GestureHelp(area, tr("Move off the grid"), tr("Alt+drag")),
        GestureHelp(area, tr("Duplicate"), tr("Ctrl+drag"), "duplicate"),
        GestureHelp(area, tr("Insert on a wire"), tr("drop on it; Alt prevents")),
        GestureHelp(area, tr("Disconnect"), tr("shake it")),
        GestureHelp(area, tr("Change the width"), tr("drag the right edge")),
        GestureHelp(area, tr("Rename"), tr("double-click the title"), "rename"),
        GestureHelp(area, tr("Change its setting"), tr("double-click its body")),
        GestureHelp(area, tr("Turn its switch, choose from its list"), tr("click it"), "use_setting"),
        GestureHelp(area, tr("Another slice of its tensor"), tr("click the arrows below it"), "next_slice"),
        GestureHelp(area, tr("Enter a page"), tr("double-click its block"), "enter"),
    ]


def _wires() -> list[GestureHelp]:
    area = tr("Mouse: wires")
    return [
        GestureHelp(area, tr("Connect"), tr("drag from port to port, or to a block")),
        GestureHelp(area, tr("Find a block that fits"), tr("click a port, or drop the wire on nothing"), "search"),
        GestureHelp(area, tr("Combine two outputs"), tr("drop the wire on the other output")),
        GestureHelp(area, tr("Plug in elsewhere"), tr("drag the end at the input")),
        GestureHelp(area, tr("Duplicate a wire"), tr("Ctrl+drag the end at the output")),
        GestureHelp(area, tr("Cut wires"), tr("Ctrl+right-drag")),
        GestureHelp(area, tr("Put a dot on a wire"), tr("double-click it")),
        GestureHelp(area, tr("Path to the loss"), tr("Alt+click a wire")),
    ]


def _numbers() -> list[GestureHelp]:
    area = tr("Mouse: numbers")
    return [
        GestureHelp(area, tr("Change a number"), tr("drag sideways, or its slider")),
        GestureHelp(area, tr("Ten times finer"), tr("Shift+drag")),
        GestureHelp(area, tr("Ten times coarser"), tr("Ctrl+drag")),
        GestureHelp(area, tr("Type a number"), tr("double-click it")),
    ]
