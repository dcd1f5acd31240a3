"""StopGradients: the switch of all, what is said while they are ignored, and the button that stops a long run.

The way in is `stop_switch.StopSwitch`.
"""
