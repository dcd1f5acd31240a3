"""Helpers of the block library that declare no block type: spellings, windows, conventions, update rules.

The blocks enter, the convention lens for `conventions` and `standpoints`, the public face for `update_rules`.
There is no single way in: each module serves several families.
"""
