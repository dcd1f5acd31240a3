"""Evaluation: a graph run whole, or updated after an edit, and its frozen results.

Each step has a full path and an incremental one. The incremental path costs as much as the edit touches:

| step | full | incremental |
|---|---|---|
| pages, specs | `autodiff.expand`, `autodiff.infer` | `autodiff.expand_update`, `autodiff.infer_update` |
| expressions, gradients | `autodiff.lower`, `autodiff.backward` | `lower_update` |
| steps | `blocktypes.plan` | `plan_update` |
| arrays of ports, sums | `autodiff.port_index`, `causes.term_sums` | `port_index_update`, `sums_update` |
| arrays | `evaluate` | `rerun`, which asks `update` for all of the above |

Both give the same bits. An update that cannot follow an edit raises `CannotUpdate`; then the full path runs.
It imports `causes`, `executors` and below; `explain`, `advice`, `export`, the public face and the app enter.
The way in is `evaluate.evaluate`, which returns a `snapshot.Snapshot`.
"""
