"""Models of other programs that are opened in a window: read in a process of its own, which can be stopped.

`opening` enters. The way in is `importing.Importing`; `reading_process` is the process, `import_dialog` says that it
reads and asks for what a model leaves open.
"""
