"""Where the library meets the engine: the command line, and the window."""
