"""Back-propagation one block at a time: its list of steps, and its buttons.

The way in is `step_lens.StepLens`.
"""
