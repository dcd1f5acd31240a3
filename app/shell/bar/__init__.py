"""The one bar of a window: mark, graph, modes, the switch of StopGradient, the search and the menu.

Everything in it is an action of the table of commands, or shows a state that one of them changes; it imports that
table, and nothing of it knows the bar. The way in is `top_bar.TopBar`.
"""
