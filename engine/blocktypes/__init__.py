"""Block types and their application: declarations, parameters, spellings, expressions and plans.

It imports `base`; all rooms above and the blocks enter.
The way in is `block_type.block`, the decorator that declares a type, and `library.library`, all types by name.
"""
