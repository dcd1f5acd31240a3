"""The console lens: Python expressions over the values of a run.

The table of lenses enters; the lines themselves run in the evaluator's process.
The way in is `console_lens.ConsoleLens`.
"""
