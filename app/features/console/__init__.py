"""The console: Python expressions over the values of a run; the lines run in the evaluator's process.

The way in is `console_lens.ConsoleLens`.
"""
