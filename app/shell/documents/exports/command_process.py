"""The command in a process of its own, which reads a graph and writes it in another form."""

from __future__ import annotations

from PySide6.QtCore import QProcess

from gradwire.engine.base.processes.python_process import child_command


def start_command(process: QProcess, graph: str, *arguments: str) -> None:
    """Starts the command with these arguments, and gives it the text of a graph to read."""
    program, *words = child_command("gradwire.app.__main__:main", *arguments)
    process.start(program, words)
    process.write(graph.encode())
    process.closeWriteChannel()
