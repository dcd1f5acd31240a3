"""Examples to learn from: sets by formula, their split and their batches."""

from __future__ import annotations

from collections.abc import Sequence
from os import path
from typing import Any, Literal

import numpy as np

from gradwire.blocks.random import embedded
from gradwire.blocks.support.batches import Batches, View, arrays_of
from gradwire.blocks.support.data_sets import Given, Request, classes_of, parts_of
from gradwire.blocks.support.glyphs import SIDE
from gradwire.blocks.support.shipped_sets import SIZES
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import Role, block
from gradwire.engine.blocktypes.draw import Draw, Moment, Parameters, Recipe, Writer
from gradwire.engine.blocktypes.parameters import NameOrNames, Names, Separator, Tensor
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.export.program_text import TensorText, array_text

SetName = Literal[
    "xor",
    "circles",
    "moons",
    "spirals",
    "blobs",
    "checkerboard",
    "line",
    "sine",
    "step",
    "digits",
    "iris",
    "glyphs",
    "file",
]
Labels = Literal["one_hot", "index", "value"]
MOST_CLASSES = 100
FILE = "file"
NUMBERS = ("line", "sine", "step")
# Rows that a set has where `n` is missing, and at most.
USUAL_ROWS, MOST_ROWS = 200, 1_000_000
USUAL = {"glyphs": 1_000, **{name: rows for name, (rows, _) in SIZES.items()}}
MOST = {**USUAL, "glyphs": 60_000}
# Classes of sets that have always the same, and features of those with other than two.
CLASSES = {"xor": 2, "moons": 2, "digits": 10, "iris": 3, "glyphs": 10}
FEATURES: dict[str, Shape] = {name: (features,) for name, (_, features) in SIZES.items()}
FEATURES |= {**dict.fromkeys(NUMBERS, (1,)), "glyphs": (SIDE, SIDE, 1)}


def _checked(given: Parameters) -> None:
    """Raises: ParameterError for a number out of its range."""
    if given["set"] == FILE:
        _check_given(given)
    n = _count(given)
    most = _given_rows(given) if given["set"] == FILE else MOST.get(given["set"], MOST_ROWS)
    if not 1 <= n <= most:
        raise ParameterError(f"n must be from 1 to {most:,}, not {n}")
    if not 2 <= given["classes"] <= MOST_CLASSES:
        raise ParameterError(f"classes must be from 2 to {MOST_CLASSES}, not {given['classes']}")
    if not 0 <= given["test"] < 1:
        raise ParameterError(f"test must be at least 0 and below 1, not {given['test']:g}")
    for name in ("seed", "noise", "batch", "step"):
        if given[name] < 0:
            raise ParameterError(f"{name} must be at least 0, not {given[name]:g}")


def _check_given(given: Parameters) -> None:
    """Raises: ParameterError if the content of the file is missing, or no examples."""
    x, y = given["inputs"], given["targets"]
    if (x is None or y is None) and not given["file"]:
        raise ParameterError("no file is chosen: browse in the inspector")
    if x is None or y is None:
        raise ParameterError(f'the file "{given["file"]}" has not been read; nothing reads it before it is allowed')
    if x.ndim < 2 or y.ndim not in (1, 2) or len(x) != len(y) or not x.size or not y.size or y.dtype.kind not in "iuf":
        raise ParameterError(f"inputs {list(x.shape)} and targets {list(y.shape)} must be as many rows and labels")
    is_index = y.dtype.kind in "iu" and y.shape[1:] in ((), (1,))
    if x.dtype.kind not in "iufb" or (is_index and not 0 <= y.min() <= y.max() < MOST_CLASSES):
        raise ParameterError(f"targets must be numbers, or indices of classes below {MOST_CLASSES}")
    if not 0 <= given["held"] < len(x):
        raise ParameterError(f"held must be at least 0 and below {len(x):,}, the rows of inputs, not {given['held']:,}")


def _given_rows(given: Parameters) -> int:
    """Returns how many rows `n` counts: all that are held but those of a test part of their own."""
    return len(given["inputs"]) - int(given["held"])


def _count(given: Parameters) -> int:
    usual = _given_rows(given) if given["set"] == FILE else USUAL.get(given["set"], USUAL_ROWS)
    return usual if given["n"] is None else int(given["n"])


def _view(given: Parameters) -> View:
    return View(_request(given), given["scale"], given["labels"], given["dtype"], given["part"] == "test")


def _request(given: Parameters) -> Request:
    names = ("noise", "turns", "classes", "seed", "test")
    content = Given(given["inputs"], given["targets"], given["held"]) if given["set"] == FILE else None
    return Request(given["set"], _count(given), *(given[name] for name in names))._replace(given=content)


def _rows(given: Parameters) -> int:
    """Returns the number of rows of the part.

    Raises: ParameterError if there are none, or fewer than a batch takes.
    """
    _checked(given)
    parts = parts_of(_request(given))
    if given["scale"] != "none" and not len(parts[0]):
        raise ParameterError("scale is fitted on the training part, which has no rows; lower test or add rows")
    count = len(parts[given["part"] == "test"])
    if count == 0:
        raise ParameterError(f"part {given['part']} has no rows; set test to the share of rows for it")
    if given["batch"] > count:
        raise ParameterError(f"batch {given['batch']} is above the {count} rows of the part {given['part']}")
    return count


def _specs(**given: Any) -> tuple[TensorSpec, TensorSpec]:  # Any: as the kinds of parameters decide
    rows = given["batch"] or _rows(given)
    _rows(given)
    kind = DTYPES[given["dtype"]]
    is_file = given["set"] == FILE
    features = given["inputs"].shape[1:] if is_file else FEATURES.get(given["set"], (2,))
    x = TensorSpec((rows, *features), kind)
    classes = classes_of(given["targets"]) if is_file else CLASSES.get(given["set"], given["classes"])
    if given["set"] in NUMBERS or given["labels"] == "value" or classes == 0:
        columns = given["targets"].shape[1:] if is_file else ()
        return x, TensorSpec((rows, *(columns or (1,))), kind)
    is_index = given["labels"] == "index"
    return x, TensorSpec((rows,), np.dtype(np.int64)) if is_index else TensorSpec((rows, classes), kind)


def _batches(given: Parameters) -> Batches:
    count = _rows(given)
    return Batches(count, given["batch"] or count, _changes(given) and given["order"] == "shuffled", given["seed"])


def _changes(given: Parameters) -> bool:
    """Returns whether a round may have other rows than the one before."""
    return bool(given["batch"]) and (given["order"] == "shuffled" or given["batch"] < _rows(given))


def _writer(given: Parameters, _: str) -> Writer:
    x, y = arrays_of(_view(given))
    batches = _batches(given)

    def write(moment: Moment, targets: Sequence[Array]) -> None:
        rows = batches.at(moment.round)
        # Without a check of each index, take copies straight into the target.
        x.take(rows, 0, targets[0], "clip")
        y.take(rows, 0, targets[1], "clip")

    return write


def _at(_: Parameters, moment: Moment, __: str) -> Parameters:
    return {"step": moment.round}


def _facts(given: Parameters) -> dict[str, int]:
    batches = _batches(given)
    return {"rows": _rows(given), "batch": given["batch"], "batches": batches.in_epoch, "waiting": batches.dropped}


def _recipe(given: Parameters) -> Recipe:
    name = path.basename(given["file"]) or "file" if given["set"] == FILE else given["set"]
    is_shuffled = given["order"] == "shuffled"
    return Recipe("rows", given["seed"] if is_shuffled else None, arrays_of(_view(given)), given["batch"], name)


def _embedding(framework: str) -> Any:
    @documented("numbers drawn by Gradwire")
    def write(**given: Any) -> str:
        content = {name: item.array for name, item in given.items() if isinstance(item, TensorText)}
        numbers = Data.function(**{name: value for name, value in {**given, **content}.items() if name != "specs"})
        texts = map(array_text, numbers) if framework == "numpy" else (embedded(framework, item) for item in numbers)
        return f"({', '.join(texts)})"

    return write


@block(
    "Sources",
    differentiable="never",
    outputs=("x", "y"),
    infer=_specs,
    role=Role.SOURCE,
    formula=r"(x, y) = \text{batch of the set}",
    gradient_formula=r"\text{none}",
    spelling=Spelling(**{name: _embedding(name) for name in ("numpy", "tensorflow", "torch", "jax")}),
    draw=Draw(
        changes=_changes, writer=_writer, is_of_round=True, is_of_rows=True, at=_at,
        in_test={"part": "test", "batch": 0},
        facts=_facts, recipe=_recipe,
    ),
)  # fmt: skip
def Data(
    *,
    set: SetName = "moons",
    n: int | None = None,
    noise: float = 0.1,
    turns: float = 1.0,
    classes: int = 2,
    seed: int = 0,
    batch: int = 0,
    order: Literal["shuffled", "in_order"] = "shuffled",
    test: float = 0.0,
    part: Literal["train", "test"] = "train",
    scale: Literal["none", "standard", "unit"] = "none",
    labels: Labels = "one_hot",
    dtype: Literal["float64", "float32"] = "float64",
    step: int = 0,
    file: str = "",
    sha256: str = "",
    columns: Names = (),
    label: NameOrNames = "",
    header: Literal["auto", "yes", "no"] = "auto",
    separator: Separator = "auto",
    decimal: Literal["auto", ".", ","] = "auto",
    text: Literal["refuse", "one_hot"] = "refuse",
    missing: Literal["refuse", "zero", "mean"] = "refuse",
    inputs: Tensor | None = None,
    targets: Tensor | None = None,
    held: int = 0,
) -> tuple[Array, Array]:
    """Examples x with their labels y, of a set by formula or one that comes with Gradwire: the same on every machine.

    In training each round takes the next `batch` of rows (0: all of them). An epoch takes the rows in an order of its
    own, or in theirs, and leaves out what fills no batch. Outside of training the block shows the batch of round
    `step`.

    `test` holds back that share of the rows; `part` shows them. The choice follows from the seed and the number of the
    row, so more rows move none. `scale` is fitted on the training part: mean 0 and deviation 1 of each feature, or from
    0 to 1.

    Classes come one hot, as an index, or as a value in one column. The sets line (2 x + 1), sine and step have a number
    for each x from -1 to 1 instead. `n` is the number of rows (200), `noise` the deviation of what is added, `turns`
    the length of a spiral and the frequency of the sine.

    The set digits has 1,797 images of 8 x 8 pixels from 0 to 16: Optical Recognition of Handwritten Digits, E. Alpaydin
    and C. Kaynak, UCI, CC BY 4.0; its pixels are scaled together. The set iris has 150 flowers: Iris, R. A. Fisher,
    UCI, CC BY 4.0. Both are as they are: without noise, the first `n` rows.

    The set glyphs has `n` images (1,000, at most 60,000) of printed digits, [28, 28, 1] from 0 to 1, each turned,
    scaled and moved at random. Its test part has weights of the fonts that training never draws.

    The set file has the rows of `file`, a path beside the graph to CSV, TSV, ARFF, NPY, NPZ, IDX or a folder of PNG
    images of one size, [height, width, channels] from 0 to 255. It is read only where that is allowed (`gradwire train
    --allow-data`, or a bar in the window). `sha256` is the sum that it should have. One line says how it was read.

    A table needs no more: `header`, `separator` and `decimal` follow from all of its rows, and `#` begins a comment.
    `label` names the column of y (the last one), or several: y then has a column for each. `columns` names those of x,
    else all others are taken but one that numbers the rows. A name may be the number of a column, from 0. Columns of
    texts are refused, or one_hot by `text`. `missing` says what missing numbers become.

    Elsewhere `label` names the array of an NPZ file (y, or y_train beside x_train; x_test and y_test are then the test
    part unless `test` is set), or the file with the labels of NPY, IDX and images; without it images have the class of
    their subfolder. `inputs` and `targets` hold the content, also without a file; their last `held` rows are the test
    part.
    """
    given = dict(locals())
    x, y = arrays_of(_view(given))
    if not _changes(given):
        return x, y
    rows = _batches(given).at(step)
    return x[rows], y[rows]
