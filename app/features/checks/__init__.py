"""The checks of a graph: their list, and the button that says whether they pass.

The way in is `check_lens.CheckLens`.
"""
