"""Completion in a shell: its scripts, and the names of blocks that they ask for.

It imports the commands, and the engine's base; the command line enters.
The way in is `completion.print_completion`; `graph_names` answers each key without NumPy.
"""
