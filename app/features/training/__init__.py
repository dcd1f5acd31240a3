"""Training: what is trained by which rule, and the numbers on the way as charts and as a table.

The way in is `training_lens.TrainingLens`; `training_desk.TrainingDesk` is its part of a session.
`training_service` runs in the process that trains, without Qt.
"""
