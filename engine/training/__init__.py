"""Training: the plan of training that a file holds, carried out round by round.

It imports `step_compiler`, `files`, `causes`, `evaluation` and below; the command line, the window and the face enter.
The way in is `run.TrainingRun`, below it `trainer.Trainer`; scripts use `training.Training`. State = variables + memory
of the rules + rounds; all else is a function of seed and round.
"""
