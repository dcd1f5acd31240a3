"""Spellings for some of the calls only: not every framework takes each shape or parameter that TensorFlow takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.tensor_spec import TensorSpec


def spelled_for(template: str, fits: Callable[..., bool], **required: object) -> Callable[..., str]:
    """The template where parameters have the required values and `fits` accepts the specs of the inputs, if known."""

    def write(*, specs: Sequence[TensorSpec | None] = (), **texts: object) -> str:
        has_required = all(texts[name] == value for name, value in required.items())
        return template.format(**texts) if has_required and (not specs or fits(*specs)) else ""

    write.__doc__ = template
    return write


def as_one_of(dtypes: Sequence[str], text: str, spec: TensorSpec) -> str:
    """The source of a tensor where TensorFlow takes nothing but these dtypes: others are cast to the first of them."""
    return text if spec.dtype.name in dtypes else f"tf.cast({text}, tf.{dtypes[0]})"
