"""Tools of developers: the product imports none of them, and no wheel has them.

Scripts, tests and benchmarks may use them. The way in is `python -m tools.state_sheets`.
"""
