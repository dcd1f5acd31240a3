"""The inspector's view of several things: their number, and the parameters common to all blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gradwire.app.base.translation import tr, tr_count
from gradwire.app.features.inspector.parameter_rows import ParameterRows
from gradwire.app.kit.controls.apply import apply_edit
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.controls.parameter_editors import MIXED, ParameterEditor
from gradwire.app.kit.inspection import View
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.editing import set_for_all
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.edits.edits import set_parameter
from gradwire.engine.graph.graph import Block, same_value


class SeveralView(View):
    """The view of several things; a change of a parameter is one edit of all blocks."""

    def __init__(self, current: CurrentSession, appearance: Appearance, blocks: Sequence[Block]) -> None:
        super().__init__(current, appearance)
        self._ids = [block.id for block in blocks]
        self._rows: ParameterRows | None = None
        types = Counter(block.type for block in blocks)
        self._show_head(types)
        if not blocks:
            return
        section = self._add_section(tr("Parameters of all"), "inspector_parameters")
        if parameters := common_parameters(list(types)):
            self._rows = ParameterRows(parameters, self._common, appearance, section, {})
            self._rows.edited.connect(self._set_parameter)
            self._rows.left.connect(self._end_forecast)
            section.body.addWidget(self._rows)
        else:
            text = tr("These blocks have no parameter in common.")
            section.body.addWidget(plain_label(text, "inspector_nothing_common", "quiet", section, wraps=True))

    def refresh(self) -> None:
        """Shows the current values; a parameter that differs between the blocks shows none."""
        if self._rows is not None:
            self._rows.refresh(self._common)

    def _show_head(self, types: Counter[str]) -> None:
        chosen = self.session.selection
        counts = [
            tr_count("{count} block", "{count} blocks", len(self._ids)) if self._ids else "",
            tr_count("{count} wire", "{count} wires", len(chosen.wires)) if chosen.wires else "",
            tr_count("{count} frame", "{count} frames", len(chosen.frames)) if chosen.frames else "",
            tr_count("{count} note", "{count} notes", len(chosen.notes)) if chosen.notes else "",
        ]
        title, *others = filter(None, counts)
        kinds = [f"{count} {plain(name)}" for name, count in sorted(types.items())]
        summary = "\n".join(", ".join(line) for line in (others, kinds) if line)
        self._head.show_head(("copy", "text.secondary"), title, tr("Selected"), summary)

    def _common(self, parameter: Parameter) -> object:
        blocks = [self.session.page.blocks.get(block_id) for block_id in self._ids]
        values = [_value(block, parameter) for block in blocks if block is not None]
        return next(iter(values), MIXED) if all(same_value(item, values[0]) for item in values) else MIXED

    def _set_parameter(self, editor: ParameterEditor, value: object) -> None:
        name, page = editor.parameter.name, self.session.page_name
        key = ("step", page, tuple(self._ids), name) if editor.is_stepping else None
        self._forecast(editor.is_stepping)
        args = (page, self._ids, set_parameter, name, value)
        editor.show_error(apply_edit(self.session, tr("Set {name}", name=name), set_for_all, *args, merge_key=key))


def common_parameters(types: Sequence[str]) -> list[Parameter]:
    """Returns the parameters that all block types share by name and kind, as the first type declares them."""
    found = [library.get(name) for name in types]
    tables = [block_type.parameters for block_type in found if block_type is not None]
    if not tables or len(tables) < len(found):
        return []
    return [item for item in tables[0].values() if all(_is_alike(item, table.get(item.name)) for table in tables[1:])]


def _is_alike(one: Parameter, other: Parameter | None) -> bool:
    return other is not None and (other.kind.name, other.kind.choices) == (one.kind.name, one.kind.choices)


def _value(block: Block, parameter: Parameter) -> object:
    """Returns a block's value of a parameter; the default comes from its own type."""
    block_type = library.get(block.type)
    own = parameter if block_type is None else block_type.parameters.get(parameter.name, parameter)
    return block.parameters.get(own.name, own.default)
