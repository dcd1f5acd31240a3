"""Step compiler: expressions computed again and again with little memory, and sources that move in between.

It imports `autodiff`, `executors` and below; `training` enters.
The way in is `training_plan.TrainingPlan`; the passes beside it compile one step.
"""
