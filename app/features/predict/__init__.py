"""The prediction of gradients by the user, who sees each of them afterwards.

The way in is `predict_lens.PredictLens`.
"""
