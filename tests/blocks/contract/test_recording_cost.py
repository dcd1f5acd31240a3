"""The cost of recording a block's function: as many of our calls for 100,000 elements as for a few."""

from __future__ import annotations

import functools

import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import in_one_test
from tests.blocks.contract.large_inputs import GROWING, larger, record
from tests.engine.calls import count_calls

FEW, MANY = 2, 20_000


@pytest.mark.long
@in_one_test(GROWING)
def test_recording_looks_at_no_single_element(block_type: BlockType) -> None:
    found = larger(block_type, FEW, MANY)
    assert found is not None
    small, large = (functools.partial(record, application) for application in found)
    small()  # fills caches that are filled once
    assert count_calls(large) == count_calls(small)
