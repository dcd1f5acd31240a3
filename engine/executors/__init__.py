"""Executors: five ways to run a plan.

| executor | used by | when | cost |
|---|---|---|---|
| `blocktypes.plan.run` | scripts, the command line, first runs | all arrays may stay | one Python call a step |
| `arena.Arena`, compiled | the evaluator's process | reruns, large arrays fit | a C loop over instructions |
| `arena.Arena`, `numpy_program` | the same, without a compiler | the same | one NumPy call an instruction |
| `rematerialization` | the evaluator's process | large arrays do not all fit | dropped arrays computed again |
| `training.tiled_arena` | training | few arrays are wanted | fused loops over tiles, memory reused |

The first four give the same bits; the last adds up large tensors by tiles, which differs by rounding.
It imports `graph` and below. Rooms that run plans or read their arrays enter, and the blocks for `windows`.
The way in is `rematerialization.run_within` for a first run, and `arena.Arena` for those after it.
"""
