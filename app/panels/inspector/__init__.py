"""The inspector: what is selected, its parameters and its numbers.

It imports `controls`, `palette`, `values` and `why`; `startup` enters, and step mode for its texts.
The way in is `inspector.Inspector`.
"""
