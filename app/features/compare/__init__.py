"""The comparison of a graph with another: values and gradients that differ.

The way in is `compare_lens.CompareLens`.
"""
