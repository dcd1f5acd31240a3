"""Parts of an expanded graph: uses of blocks, their ports and the wires between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gradwire.engine.autodiff.own_rules import OwnRule
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.graph.graph import Block
from gradwire.engine.graph.paths import name_in_rounds


class PortName(NamedTuple):
    """Port of the expanded graph, written `main/attention_1/scores.y`."""

    path: str
    port: str

    def __str__(self) -> str:
        return f"{self.path}.{self.port}"


class Link(NamedTuple):
    """Wire of the expanded graph."""

    source: PortName
    target: PortName


class Feed(NamedTuple):
    """Tensor that arrives at an input of a used page: its producer, and the port where its wire ends.

    It `is_stopped` if no gradient may pass.
    """

    source: PortName
    port: PortName
    is_stopped: bool = False


@dataclass(frozen=True)
class Instance:
    """One use of a block; `inputs` maps its input ports to the output ports that feed them.

    The input `x` of a used PageInput is the port that the using page wires to it. An entered Page block has its
    PageOutput blocks as inputs, by the names of its output ports, and the own gradient of its page, if it has one, as
    `rule`. `is_used` marks instances on a used page, and on one that gives a gradient.
    `port` is where the wire ends of which the first input is the source, if that is a port of another block.
    A PageInput that `is_stop` stops what is carried into its round. `loop` is the path of the loop of which an instance
    is a round, or else a helper, which takes tensors apart or puts them together for the rounds.
    """

    path: str
    block: Block
    type: BlockType | None
    inputs: Mapping[str, PortName]
    is_muted: bool = False
    is_used: bool = False
    is_entered: bool = False
    port: PortName | None = None
    is_stop: bool = False
    loop: str = ""
    rule: OwnRule | None = None

    @property
    def role(self) -> Role | None:
        """Role of the type; None for an unknown type."""
        if self.is_stop:
            return Role.STOP
        return None if self.type is None else self.type.role

    @property
    def title(self) -> str:
        """Name of the block for a sentence, with the rounds that it is in: `Tanh "rec[3]/cell"`."""
        return f'{plain(self.block.type)} "{name_in_rounds(self.path)}"'

    @property
    def is_helper(self) -> bool:
        """True if the instance only takes tensors apart or puts them together for the rounds of a loop."""
        return bool(self.loop) and not self.is_entered

    @property
    def parameters(self) -> Mapping[str, object]:
        """Parameters that differ from the default; a helper has none."""
        return {} if self.is_helper else self.block.parameters

    def again(self) -> Instance:
        """Returns a copy with a new identity, which marks everything known about the instance as outdated."""
        # Copying field by field would take four times as long.
        twin = object.__new__(Instance)
        twin.__dict__.update(self.__dict__)
        return twin
