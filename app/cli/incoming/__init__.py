"""Commands that make graphs of what people have elsewhere.

It imports `interop` and the texts of `cli`; `command_line` enters.
The way in is `code_command.code` for text, `import_command.import_model` for models;
`shown_graph.show_graph` opens the window on what a script has.
"""
