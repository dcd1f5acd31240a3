"""One open document and its newest results: session, scheduler, and the process that evaluates."""
