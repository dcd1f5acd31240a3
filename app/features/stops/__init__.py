"""StopGradients: what each of them changes, what one on a wire would, and the button of all.

The way in is `stop_lens.StopLens`.
"""
