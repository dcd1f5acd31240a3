"""The evaluator's process: how it is started, fed, watched and replaced.

`live` enters, and the rooms that start evaluators or need a session without one.
The way in is `scheduler.Scheduler` in the window's process and `worker.Worker` in the other.
The evaluator's process begins in `serving`, which loads no Qt.
"""
