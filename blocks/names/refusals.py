"""Names that NumPy and PyTorch read differently, and those that have no meaning before an evaluation."""

from __future__ import annotations

from gradwire.blocks.names.entry import refused

# By name: what it means here and there, and what to write.
_AMBIGUOUS = {
    "size": "In NumPy size is a number, in PyTorch a method; write x.shape.",
    "split": "In NumPy split takes counts, in PyTorch sizes; use Split, or slices such as x[:2].",
    "repeat": "In NumPy repeat repeats each element, in PyTorch it tiles the whole tensor; use Repeat or Tile.",
    "sort": "In NumPy sort gives values, in PyTorch a pair of values and places; use msort, Sort or ArgSort.",
    "equal": "In NumPy equal compares element by element, in PyTorch whole tensors; write x == y, or (x == y).all().",
    "cross": "In NumPy cross takes the last axis, in PyTorch the first one of size 3; use linalg.cross or Cross.",
    "pad": "In NumPy pad takes pairs for all axes, in PyTorch numbers from the last axis on; use Pad.",
    "diag": "Of a vector diag makes a matrix, of a matrix a vector; use MatrixDiag or diagonal.",
    "unique": "Unique values are as many as the values say; use Unique.",
    "nonzero": "Places of numbers other than 0 are as many as the values say; use WhereIndices.",
    "median": "In NumPy median is the mean of the middle two, in PyTorch the lower of them; use msort.",
    "topk": "NumPy has no topk; use TopK.",
}
_BEFORE_EVALUATION = {
    "item": "An expression has no number before it is evaluated; write gw.evaluate(x).value(x).",
    "tolist": "An expression has no numbers before it is evaluated; write gw.evaluate(x).value(x).",
    "numpy": "An expression has no array before it is evaluated; write gw.evaluate(x).value(x).",
    "backward": "The gradients need no backward: write run = gw.evaluate(gw.Loss(x)), then run.gradient(x).",
    "grad_fn": "An expression knows its gradients when it is evaluated; write gw.evaluate(loss).gradient(x).",
    "requires_grad": "A Variable is trained, an Input is not; gw.evaluate gives the gradients of both.",
}


for _name, _sentence in (_AMBIGUOUS | _BEFORE_EVALUATION).items():
    refused(_name, _sentence)
