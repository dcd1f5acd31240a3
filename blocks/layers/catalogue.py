"""The catalogue of layers: names, inputs, settings and words by which each is found."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gradwire.blocks.layers import attention, convolution, dense, normalization, recurrent
from gradwire.engine.base import schema
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.tensor_spec import Shape
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.parameters import IntList, Kind, Parameter, kind_of

PREFIX: Final = "layers."
"""What stands before the name of a layer where block types stand as well: `layers.Dense`."""
CATEGORY: Final = "Layers"
_Build = Callable[..., Expression | tuple[Expression, ...]]
# What every layer takes, which is no setting of a page.
_OF_PYTHON = ("name",)


@dataclass(frozen=True)
class Layer:
    """Template of pages: a function from expressions and settings to expressions.

    `shapes` are those of the inputs where nothing is wired to them. `states` may stay without a wire and have then the
    shape of the first input with `units` in the place of its last size. `words` are other names, of frameworks and of
    people; all are in lower case.
    """

    build: _Build
    words: tuple[str, ...]
    shapes: Mapping[str, Shape]
    states: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("y",)
    dtype: str = "float64"

    @property
    def name(self) -> str:
        """Name of the layer: `Dense`."""
        return str(self.build.__name__)

    @property
    def key(self) -> str:
        """Name among block types: `layers.Dense`."""
        return PREFIX + self.name

    @property
    def category(self) -> str:
        """Category beside those of block types."""
        return CATEGORY

    @property
    def help(self) -> str:
        """Text for people."""
        return inspect.cleandoc(self.build.__doc__ or "")

    @property
    def summary(self) -> str:
        """First sentence of the help."""
        return self.help.split("\n\n")[0].replace("\n", " ")

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs, in their order."""
        return (*self.shapes, *self.states)

    @functools.cached_property
    def parameters(self) -> dict[str, Parameter]:
        """Settings by name, with kinds and defaults as those of block types."""
        annotations = typing.get_type_hints(self.build)
        declared = inspect.signature(self.build).parameters.values()
        settings = [item for item in declared if item.name not in (*self.inputs, *_OF_PYTHON)]
        return {item.name: Parameter(item.name, _kind(annotations[item.name]), item.default) for item in settings}

    def normalize(self, settings: Mapping[str, object]) -> dict[str, Any]:  # Any: the kinds decide
        """Returns all settings in normal form, with defaults.

        Raises: ParameterError for an unknown or invalid one.
        """
        for name in settings:
            if name not in self.parameters:
                raise ParameterError(f"{self.name} has no parameter {name}; it has: {', '.join(self.parameters)}")
        return {
            name: parameter.normalize(settings.get(name, parameter.default))
            for name, parameter in self.parameters.items()
        }


def layer_of(key: str) -> Layer | None:
    """Returns the layer of a name among block types, `layers.Dense`; None if it is none."""
    return LAYERS.get(key.removeprefix(PREFIX)) if key.startswith(PREFIX) else None


def title_of(key: str) -> str:
    """Returns the name of a block type or layer as people read it: `Dense` for `layers.Dense`."""
    layer = layer_of(key)
    return key if layer is None else layer.name


def _kind(annotation: Any) -> Kind:  # Any: annotations have no common type
    if typing.get_origin(annotation) in (list, tuple, typing.get_origin(typing.Sequence[int])):
        return kind_of(IntList)
    kind = kind_of(annotation)
    return kind._replace(check=_seed) if annotation == (int | None) else kind


def _seed(value: object) -> int | None:
    return None if value is None else schema.whole(value, 0)


_VECTORS: Final[Shape] = (4, 3)
_SEQUENCES: Final[Shape] = (2, 5, 4)
_IMAGES: Final[Shape] = (2, 8, 8, 3)

LAYERS: Final[Mapping[str, Layer]] = {
    item.name: item
    for item in (
        Layer(dense.Dense, ("linear", "fully connected", "affine", "fc", "vollverbunden", "dicht"), {"x": _VECTORS}),
        Layer(
            convolution.Conv2D,
            ("conv", "convolution", "convolutional layer", "conv layer", "cnn", "faltung", "faltungsschicht"),
            {"x": _IMAGES},
        ),
        Layer(
            convolution.Embedding,
            ("lookup table", "word vectors", "token embedding", "einbettung"),
            {"indices": (2, 5)},
            dtype="int64",
        ),
        Layer(
            normalization.BatchNorm,
            ("batch normalization", "batchnorm1d", "batchnorm2d", "batchnormalisierung"),
            {"x": _VECTORS},
        ),
        Layer(normalization.LayerNorm, ("layer normalization", "layernormalisierung"), {"x": _VECTORS}),
        Layer(normalization.Dropout, ("drop", "regularization", "regularisierung"), {"x": _VECTORS}),
        Layer(
            recurrent.RNNCell,
            ("rnn", "simple rnn", "recurrent", "elman", "rekurrent"),
            {"x": _VECTORS},
            ("h",),
            ("h",),
        ),
        Layer(recurrent.GRUCell, ("gru", "gated recurrent unit"), {"x": _VECTORS}, ("h",), ("h",)),
        Layer(
            recurrent.LSTMCell,
            ("lstm", "long short term memory", "memory"),
            {"x": _VECTORS},
            ("h", "c"),
            ("h", "c"),
        ),
        Layer(
            attention.AttentionHead,
            ("attention", "self attention", "scaled dot product attention", "aufmerksamkeit"),
            {"x": _SEQUENCES},
        ),
        Layer(
            attention.MultiHeadAttention,
            ("multihead attention", "mha", "transformer attention", "mehrkopf aufmerksamkeit"),
            {"x": _SEQUENCES},
        ),
        Layer(
            dense.ResidualBlock,
            ("resnet", "residual", "skip connection", "shortcut", "restblock"),
            {"x": _VECTORS},
        ),
        Layer(
            dense.MLP,
            ("multilayer perceptron", "perceptron", "feed forward", "neural network", "neuronales netz"),
            {"x": _VECTORS},
        ),
    )
}
