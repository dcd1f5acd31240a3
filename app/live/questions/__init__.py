"""Questions to the evaluator's process about a run, and their answers.

`live`, the panels, the lenses and the window ask them; the evaluator's process answers them.
The way in is `questions.Question`. Here are those that several features ask; a feature has its own in its folder.
"""
