"""The lens of training: what is trained by which rule, the numbers on the way as charts and as a table.

It imports `live.training`, the controls of the panels and the base of all lenses; the table of lenses enters.
The way in is `training_lens.TrainingLens`.
"""
