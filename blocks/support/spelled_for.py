"""Spellings for some of the calls only: not every framework takes each shape or parameter that TensorFlow takes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradwire.engine.base.tensor_spec import TensorSpec


def spelled_for(template: str, fits: Callable[..., bool], **required: object) -> Callable[..., str]:
    """Returns the template where parameters have the required values and `fits` accepts the known specs."""

    def write(*, specs: Sequence[TensorSpec | None] = (), **texts: object) -> str:
        has_required = all(texts[name] == value for name, value in required.items())
        return template.format(**texts) if has_required and (not specs or fits(*specs)) else ""

    write.__doc__ = template
    return write


def as_one_of(dtypes: Sequence[str], text: str, spec: TensorSpec) -> str:
    """Returns the source of a tensor for an operation with these dtypes alone: others are cast to the first."""
    return text if spec.dtype.name in dtypes else f"tf.cast({text}, tf.{dtypes[0]})"
