"""The table editor of tensors in the window: the block that it opens, and dropped files."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QLocale, QPointF
from PySide6.QtWidgets import QWidget

from gradwire.app.base.tensor_files import read_tensor_file
from gradwire.app.base.translation import tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.hit_tests import block_at
from gradwire.app.features.inspector.data_file import name_in_folder, outside, read_file
from gradwire.app.kit.values.tensor_dialog import TensorDialog
from gradwire.app.look.appearance import Appearance
from gradwire.engine.base.errors import FileError
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.data_kinds import has_labels_apart
from gradwire.engine.files.wanted_files import FILE
from gradwire.engine.graph.graph import Block


class Tensors:
    """The single table editor, which opens blocks that hold a tensor. It is made when it is first needed."""

    def __init__(self, canvas: Canvas, appearance: Appearance, parent: QWidget) -> None:
        self._canvas, self._appearance, self._parent = canvas, appearance, parent

    @cached_property
    def _dialog(self) -> TensorDialog:
        return TensorDialog(self._canvas.current, self._appearance, self._parent)

    def edit(self, block_id: str) -> None:
        """Opens the tensor of a block, if it holds one."""
        session = self._canvas.session
        name = tensor_parameter(session.page.blocks[block_id]) if block_id in session.page.blocks else ""
        if name:
            self._dialog.show_tensor(session, block_id, name)

    def edit_selected(self) -> None:
        """Opens the tensor of the selected block."""
        block_id = self.selected()
        if block_id is not None:
            self.edit(block_id)

    def selected(self) -> str | None:
        """Returns the selected block, if it is a single one that holds a tensor."""
        session = self._canvas.session
        chosen = session.selection.blocks & session.page.blocks.keys() if session.graph.pages else frozenset()
        block = session.page.blocks[min(chosen)] if len(chosen) == 1 else None
        return block.id if block is not None and tensor_parameter(block) else None

    def place_file(self, path: Path, view: QPointF) -> None:
        """Puts the tensor of a file into the block under a point, else into a new Input there.

        A table with words and an archive, which are no tensors, are read by the Data block there, or by a new one.
        """
        session, scene = self._canvas.session, self._canvas.camera.to_scene(view)
        under = block_at(self._canvas.mirror, scene)
        try:
            array = read_tensor_file(path, QLocale().decimalPoint())
        except FileError as error:
            if has_labels_apart(path.name):
                session.refused.emit(tr_sentence(str(error)))
            elif under is not None and session.page.blocks[under].type == "Data":
                if refused := read_file(session, under, path.resolve()):
                    session.refused.emit(refused)
            else:
                self._place_examples(path.resolve(), scene)
            return
        if under is not None and tensor_parameter(session.page.blocks[under]):
            self._dialog.show_tensor(session, under, tensor_parameter(session.page.blocks[under]))
            self._dialog.open_file(path)
        else:
            self._canvas.page_actions.add_block("Input", scene, {"value": array})

    def _place_examples(self, path: Path, scene: QPointF) -> None:
        """Places a Data block that reads a table; to drop a file is to allow it."""
        session = self._canvas.session
        name = name_in_folder(session, "", path)
        if name is None:
            session.refused.emit(outside(path))
            return
        self._canvas.page_actions.add_block("Data", scene, {"set": FILE, FILE: name})
        session.data.allow(always=False)


def tensor_parameter(block: Block) -> str:
    """Returns the name of the parameter of a block that is a tensor, "" if there is none."""
    block_type = library.get(block.type)
    parameters = () if block_type is None else block_type.parameters.values()
    return next((item.name for item in parameters if item.kind.name == "tensor"), "")
