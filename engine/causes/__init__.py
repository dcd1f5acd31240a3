"""The reasons behind zeros and non-finite numbers in gradients, found in the arrays of a run.

It imports `autodiff`, `executors` and below; `evaluation` and `explain` enter.
The way in is `zero_roots.ZeroRoots` for zeros, and `nonfinite_origins.Origins` for NaN and infinity.
"""
