"""Processes of the program: their start, their threads of OpenBLAS, their interruption, and their own records.

It imports `base` alone; all rooms enter.
The way in is `python_process.child_command` and `python_process.helper_command`.
"""
