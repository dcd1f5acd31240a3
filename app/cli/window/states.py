"""The state that a window is brought to before it is drawn or read: its mode, what is open, and what is selected."""

from __future__ import annotations

from gradwire.app.cli.render_options import WindowState
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.shell.window.modes import Mode
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.base.errors import UsageError


def bring(window: MainWindow, state: WindowState) -> None:
    """Brings a window with a graph into a state.

    Raises: UsageError if the page has nothing of the selected name.
    """
    parts = window.parts
    if state.mode == "present":
        parts.layout.toggle_only_canvas()
    elif state.mode != Mode.BUILD:
        parts.modes.choose(Mode(state.mode))
    if state.selected:
        # As what an edit makes, it opens nothing by itself.
        parts.session.select(selection_of(state.selected, parts.session), is_made=state.open == "none")
    if state.open == "why":
        parts.panels.show_why()
    elif state.open == "panel" and parts.panels.bottom.mode:
        parts.panels.bottom.raise_panel(True)
    elif state.open in ("panel", "problems"):
        parts.panels.open_lens("problems")


def selection_of(name: str, session: Session) -> Selection:
    """Returns the block of a name, or the wires of a port: `m.x` the one that ends there, `x.y` all that begin there.

    Raises: UsageError if the page has no such block or wire.
    """
    page = session.page
    wires = [wire for wire in page.wires.values() if name in (str(wire.source), str(wire.target))]
    if name in page.blocks:
        return Selection(frozenset([name]))
    if not wires:
        blocks = f"its blocks are {', '.join([*page.blocks][:3])} and so on"
        raise UsageError(f'--select: page "{page.name}" has no block or wire "{name}"; {blocks}.')
    return Selection(wires=frozenset(wires))
