"""The comparison of a graph with itself, one thing otherwise, or with another: both train in lockstep.

The way in is `compare_lens.CompareLens`.
"""
