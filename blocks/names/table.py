"""The table of names: what a name means in a framework, and which names a block has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, Literal

from gradwire.blocks.names.elementwise import METHODS
from gradwire.blocks.names.entry import MEANINGS, Meaning, refusal
from gradwire.blocks.names.from_spellings import spelled_meanings
from gradwire.blocks.names.signature import Signature
from gradwire.engine.base.nearest import nearest

Framework = Literal["numpy", "torch", "tensorflow", "jax", "keras", ""]
"""The empty one stands for our own reading, in which arguments may have the names of all frameworks."""

# Where a framework keeps its functions; the longest that fits counts. A part that is kept tells functions apart.
_HOMES: Mapping[str, tuple[Framework, str]] = {
    **dict.fromkeys(("np", "numpy", "scipy.special", "scipy.linalg"), ("numpy", "")),
    **dict.fromkeys(("np.linalg", "numpy.linalg"), ("numpy", "linalg.")),
    **dict.fromkeys(("torch", "torch.nn.functional", "nn.functional", "F", "torch.special"), ("torch", "")),
    **dict.fromkeys(("torch.autograd", "autograd", "Tensor", "torch.Tensor"), ("torch", "")),
    "torch.linalg": ("torch", "linalg."),
    **dict.fromkeys(
        ("tf", "tensorflow", "tf.math", "tf.nn", "tf.linalg", "tf.image", "tf.debugging"), ("tensorflow", "")
    ),
    **dict.fromkeys(("jnp", "jax.numpy", "jax", "jax.nn", "jax.lax", "lax", "jax.scipy.special"), ("jax", "")),
    **dict.fromkeys(("jax.scipy.linalg", "jax.ops", "nn", "jax.lax.linalg"), ("jax", "")),
    "jnp.linalg": ("jax", "linalg."),
    "jax.numpy.linalg": ("jax", "linalg."),
    **dict.fromkeys(("keras.ops", "keras.activations", "keras.losses", "keras.backend", "K"), ("keras", "")),
    **dict.fromkeys(("tf.keras.activations", "tf.keras.losses", "tf.keras.backend", "tf.keras.ops"), ("keras", "")),
}
_MODULES = "arithmetic creation elementwise joining linear losses picking reductions refusals shapes windows systems"
_MODULES += " numerics more_losses"


@dataclass(frozen=True, eq=False)
class Spoken:
    """A name in one framework: what it means, and its signature there (None for our own reading)."""

    written: str
    framework: Framework
    meaning: Meaning
    signature: Signature | None

    @property
    def block(self) -> str:
        """The block type that it stands for; empty for a composition."""
        return self.meaning.block

    def __call__(self, *args: Any, **keywords: Any) -> Any:  # Any: tensors of either kind
        """Returns what a call with these arguments gives, bound by the framework's signature.

        Raises: GradwireError, with a sentence, if they have no meaning, or several.
        """
        if self.signature is None:
            return self.meaning(*args, **keywords)
        return self.meaning.called(self.signature, args, keywords, self.written)


class Names:
    """All names; `find` and `method` look them up as they are written."""

    def __init__(self) -> None:
        for module in _MODULES.split():
            import_module(f"gradwire.blocks.names.{module}")
        self._functions: dict[str, dict[Framework, Spoken]] = {}
        self._methods: dict[str, dict[Framework, Spoken]] = {}
        self._of_block: dict[str, list[str]] = {}
        for meaning in MEANINGS:
            self._take_ours(meaning)
        # Of two blocks that spell a name the same, the one that is called so has it.
        of_blocks = sorted(spelled_meanings(), key=lambda item: item.name.replace("_", "") != item.block.lower())
        for meaning in (*MEANINGS, *of_blocks):
            self._take(meaning)
        for name in METHODS:
            if found := self._ours(name):
                self._methods.setdefault(name, {}).setdefault("", found)

    def find(self, written: str, framework: Framework = "") -> Spoken | None:
        """Returns what a function means, by its name as written: `exp`, `torch.exp`, `F.softmax`, `np.linalg.norm`.

        `framework` says whose a name without a module is; otherwise it is read as our own. None for an unknown name.
        """
        home, _, last = written.rpartition(".")
        if home not in _HOMES:
            return self._ours(written) if not framework else self._in(framework, written)
        framework, part = _HOMES[home]
        return self._in(framework, f"{part}{last}")

    def method(self, name: str, framework: Framework = "") -> Spoken | None:
        """Returns what a method of a tensor means; it is called with the tensor first. None for an unknown name."""
        found = self._methods.get(name, {})
        if framework in found:
            return found[framework]
        ours = found.get("")
        if ours is None or not framework:
            return ours
        return self._in(framework, name) or ours

    def of_block(self, block: str) -> list[str]:
        """Returns all names of a block type, ours first: `softmax`, `torch.softmax`, `tf.nn.softmax`."""
        return list(self._of_block.get(block, ()))

    def functions(self) -> Iterator[tuple[str, Meaning]]:
        """Yields the functions that Python has under our own names, in alphabetical order."""
        for name in sorted(self._functions):
            found = self._ours(name)
            if found is not None and not found.meaning.refusal:
                yield name, found.meaning

    def methods(self) -> Iterator[tuple[str, Meaning]]:
        """Yields the methods that expressions have, in alphabetical order."""
        for name, found in sorted(self._methods.items()):
            if "" in found and not found[""].meaning.refusal:
                yield name, found[""].meaning

    def nearest(self, name: str) -> list[str]:
        """Returns at most three functions that look like a name."""
        return nearest(name, self._functions)

    def _ours(self, name: str) -> Spoken | None:
        """Returns our own reading: declared, or the one that all frameworks with that name share."""
        found = self._functions.get(name, {})
        if "" in found or not found:
            return found.get("")
        meanings = list({id(item.meaning): item.meaning for item in found.values()}.values())
        if len(meanings) > 1:
            return Spoken(name, "", _ambiguous(name, meanings), None)
        return Spoken(name, "", meanings[0], None)

    def _in(self, framework: Framework, name: str) -> Spoken | None:
        found = self._functions.get(name, {})
        if framework == "keras" and framework not in found:
            # Keras repeats the names of NumPy and TensorFlow with arguments of its own.
            return self._ours(name) if found else None
        return found.get(framework)

    def _take_ours(self, meaning: Meaning) -> None:
        if meaning.name.startswith("_"):
            return
        spoken = Spoken(meaning.name, "", meaning, None)
        self._functions.setdefault(meaning.name, {})[""] = spoken
        if meaning.is_method:
            self._methods.setdefault(meaning.name, {})[""] = spoken
        self._note(meaning, meaning.name)

    def _take(self, meaning: Meaning) -> None:
        for signature in meaning.signatures:
            for written in signature.written:
                home, _, last = written.rpartition(".")
                if home in _HOMES:
                    framework, part = _HOMES[home]
                    spoken = Spoken(written, framework, meaning, signature)
                    kept = self._functions.setdefault(f"{part}{last}", {}).setdefault(framework, spoken)
                    if kept.meaning is meaning:
                        self._note(meaning, written)
        for signature in meaning.of_methods:
            for written in signature.written:
                home, _, last = written.rpartition(".")
                self._methods.setdefault(last, {})[_HOMES[home][0]] = Spoken(
                    written, _HOMES[home][0], meaning, signature
                )

    def _note(self, meaning: Meaning, written: str) -> None:
        known = self._of_block.setdefault(meaning.block, [])
        if meaning.block and written not in known:
            known.append(written)


def _ambiguous(name: str, meanings: list[Meaning]) -> Meaning:
    blocks = " or ".join(sorted(item.block or item.name for item in meanings))
    message = f"{name} has more than one meaning; use the block that you mean: {blocks}"
    return refusal(name, message)


@cache
def names() -> Names:
    """Returns the table; it is made when it is first asked for."""
    return Names()


def ours(name: str) -> Spoken:
    """Returns what a name of ours means.

    Raises: KeyError if the table lacks it, which no text can cause.
    """
    found = names().find(name)
    if found is None:
        raise KeyError(name)
    return found
