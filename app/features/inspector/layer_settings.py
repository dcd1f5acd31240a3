"""The settings of a layer in the inspector: those of the page that a Page block uses, each edit makes it anew."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gradwire.app.live.session import Session
from gradwire.blocks.layers import layer_edits
from gradwire.blocks.layers.catalogue import Layer
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.parameters import Parameter
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.ports import used_page


def layer_of_block(session: Session, block: Block) -> Layer | None:
    """Returns the layer whose page a block of the page shown uses; None if it uses none that is still one."""
    page = used_page(session.graph, block)
    if page is None or page.template is None:
        return None
    return _layer_of(page, tuple(_specs(session, block.id).items()))


def setting_of(session: Session, block: Block) -> Callable[[Parameter], object]:
    """Returns what gives the settings of the layer that a block uses."""
    page = used_page(session.graph, block)
    given = {} if page is None or page.template is None else page.template.parameters
    return lambda parameter: given.get(parameter.name, parameter.default)


# Any: what the edit takes besides the graph.
def setting_edit(session: Session, block_id: str, name: str, value: object) -> tuple[Callable[..., Graph], list[Any]]:
    """Returns the edit that changes a setting of the layer that a block uses, and its arguments."""
    return layer_edits.set_setting, [session.page_name, block_id, name, value, _specs(session, block_id)]


def _specs(session: Session, block_id: str) -> dict[str, TensorSpec | None]:
    """Returns the specs that arrive at the inputs of a block."""
    wires = session.page.wires.values()
    return {wire.target.name: session.spec(wire.source) for wire in wires if wire.target.block == block_id}


# A selection is shown anew with each run, and mostly it is of the same page.
@functools.lru_cache(maxsize=16)
def _layer_of(page: Page, specs: tuple[tuple[str, TensorSpec | None], ...]) -> Layer | None:
    return layer_edits.layer_of_page(page, dict(specs))
