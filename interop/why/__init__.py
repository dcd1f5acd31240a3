"""Why parameters of a model do not learn: findings with a cause and a line of source, as text and as records.

`why` is the way in; `of_run` reads them from a run of the engine, `reasons` has their words, `paths` follows a gradient
that shrinks or grows, and `finding` has records and text.
"""
