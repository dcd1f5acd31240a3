"""Training in the window: orders to a process of its own, its news, and the log of what it has reached.

It imports the engine and `live.process`; the lens of training, commands and the toolbar enter.
The way in is `training_desk.TrainingDesk`; `training_service` runs in the other process, without Qt.
"""
