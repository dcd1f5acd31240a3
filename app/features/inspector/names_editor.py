"""The editor of a list of names of which all that are possible are known: a switch for each name."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT, ParameterEditor
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import make_grid, named
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.parameters import Parameter

COLUMNS = 2


class NamesEditor(ParameterEditor):
    """Switches for names, in their order. A name in the value that is not on offer has one too, to be turned off."""

    def __init__(
        self, parameter: Parameter, value: object, names: Sequence[str], appearance: Appearance, parent: QWidget
    ) -> None:
        super().__init__(parameter, value, parent)
        self._names, self._appearance = tuple(names), appearance
        self._box = QWidget(self)
        self._grid = make_grid(self._box, margins=0, spacing=(4, 4))
        self._nothing: QLabel = plain_label(tr("none on this page"), f"no_{parameter.name}", "quiet", self._box)
        self._nothing.setFixedHeight(FIELD_HEIGHT)
        self._switches: dict[str, Switch] = {}
        self._place(self._box)
        self._show()

    def stops(self) -> list[QWidget]:
        """Returns the switches."""
        return [*self._switches.values()] or [self._box]

    def _chosen(self) -> tuple[str, ...]:
        return self._value if isinstance(self._value, tuple) else ()

    def _show(self) -> None:
        self.show_error("")
        wanted = tuple(dict.fromkeys([*self._names, *map(str, self._chosen())]))
        if wanted != tuple(self._switches) or not wanted:
            self._rebuild(wanted)
        for name, switch in self._switches.items():
            switch.setChecked(name in self._chosen())

    def _rebuild(self, names: tuple[str, ...]) -> None:
        for old in self._switches.values():
            dismiss(old, self._grid)
        self._switches = {}
        for place, name in enumerate(names):
            switch, says = Switch(self._appearance, plain(name), self._box), f"{self.parameter.name} {plain(name)}"
            named(switch, f"{self.parameter.name}_{name}", says=says).setMinimumHeight(FIELD_HEIGHT)
            switch.clicked.connect(self._take)
            self._grid.addWidget(switch, *divmod(place, COLUMNS))
            self._switches[name] = switch
        self._grid.removeWidget(self._nothing)
        self._nothing.setVisible(not names)
        if not names:
            self._grid.addWidget(self._nothing, 0, 0)

    def _take(self) -> None:
        self._commit(tuple(name for name, switch in self._switches.items() if switch.isChecked()))
