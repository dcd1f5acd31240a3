"""Every exception of the engine; each message is a sentence for the user, without Python names."""

from __future__ import annotations

import re

from engine.plain_text import plain

# Units: characters.
LONGEST_TOLD = 500


def told(error: BaseException) -> str:
    """What a mistake in a program says, in one line: its kind and its text."""
    error = error.raised if isinstance(error, EscapeError) else error
    text = re.sub(r"\s+", " ", str(error)).strip().rstrip(".")
    return plain(f"{type(error).__name__}: {text}" if text else type(error).__name__, LONGEST_TOLD)


class GradwireError(Exception):
    """Something that the user can mend; `str()` is the sentence to show."""


class EscapeError(Exception):
    """What code of a plug-in raised that nobody is meant to catch: it would end the program."""

    def __init__(self, raised: BaseException) -> None:
        super().__init__(str(raised))
        self.raised = raised


class BlockError(GradwireError):
    """What is wrong with one block; the engine adds which block and reports it as a problem with `code`.

    `plugin` names the plug-in whose code is to blame, if one is.
    """

    code = "runtime"
    plugin = ""

    @property
    def sentence(self) -> str:
        """The message as a sentence: with a capital and a full stop."""
        text = str(self)
        return text[:1].upper() + text[1:].rstrip(".") + "."


class ShapeError(BlockError):
    """Shapes that do not fit together, or an axis that is not there."""

    code = "shape"


class DtypeError(BlockError):
    """A dtype that the block does not take, or two that differ."""

    code = "dtype"


class ParameterError(BlockError):
    """A parameter that is missing, unknown or outside its range."""

    code = "parameter"


class MissingInputError(BlockError):
    """An input port that needs a wire and has none."""

    code = "missing_input"


class ValueProblem(BlockError):
    """Values that the block cannot work on, found only when it runs (an index out of range)."""

    code = "runtime"


class CodeError(BlockError):
    """Code of a block type that fails, which is not the user's mistake."""

    code = "fault"

    def __init__(self, error: BaseException, what: str = "its code fails", plugin: str = "") -> None:
        owner = f"plug-in {plugin}" if plugin else "block type"
        super().__init__(f"{what}, which is a mistake in the {owner}: {told(error)}")
        self.error, self.plugin = error, plugin


class OutOfMemoryError(BlockError):
    """A result that the machine has no room for."""

    code = "memory"


class EditError(GradwireError):
    """An edit that is impossible; the graph stays as it was."""


class CycleError(EditError):
    """A wire that would close a circle; `ring` names the blocks on it from its target to its source."""

    def __init__(self, message: str, ring: tuple[str, ...]) -> None:
        super().__init__(message)
        self.ring = ring


class NameUnknownError(GradwireError):
    """A name that is not in the library, the graph or the gallery."""


class FileError(GradwireError):
    """A file that cannot be read or written.

    `excerpt` is the line to blame, cut, with a mark at the place.
    Units: `line` and `column` count from 1; 0 means that no place in the file is to blame.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, excerpt: str = "") -> None:
        super().__init__(message)
        self.message, self.line, self.column, self.excerpt = message, line, column, excerpt


class ExportError(GradwireError):
    """A graph that cannot be written as a program; `plugin` names the plug-in whose code is to blame, if one is."""

    def __init__(self, message: str, plugin: str = "") -> None:
        super().__init__(message)
        self.plugin = plugin


class PluginError(GradwireError):
    """A plug-in whose block types are not declared as they must be."""


class UsageError(GradwireError):
    """A command that cannot be carried out as it was given."""


class FileChangedError(FileError):
    """A file that another has written since, and that is not to be overwritten unasked."""
