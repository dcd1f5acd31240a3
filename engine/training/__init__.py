"""Training: a graph run step by step with little memory, its variables moved after each step.

It imports `autodiff`, `executors` and below; the public face enters, the app does not.
The way in is `training.Training`; `training_plan` and the passes beside it compile one step.
"""
