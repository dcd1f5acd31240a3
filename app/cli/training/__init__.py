"""What a training of the command begins with, and what it leaves when it ends, by itself or by a signal.

It imports the engine's learning and files; the command `gradwire train` enters.
The way in is `beginnings.begin` and `outputs.TrainingOutputs`.
"""
