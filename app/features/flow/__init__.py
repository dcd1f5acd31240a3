"""The flow of gradients by block: how much each of them passes on.

The way in is `flow_lens.FlowLens`.
"""
