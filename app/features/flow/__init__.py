"""The flow of gradients by block: how much of it each of them passes on, on the page.

The way in is `flow_bars.FlowBars`.
"""
