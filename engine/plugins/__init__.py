"""Plug-ins: packages of others that add block types, and the guards around their code.

It imports `graph` and below; `blocks` enters to load them, the app to try, list and disable them.
The way in is `plugins.load_plugins`, and `plugin_trial.tried` for a trial in a process of its own.
"""
