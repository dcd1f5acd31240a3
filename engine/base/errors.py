"""Exceptions of the engine; each message is a sentence for the user, without Python names."""

from __future__ import annotations

import sys
import traceback
from pathlib import PurePath

from gradwire.engine.base.mistakes import log_mistake
from gradwire.engine.base.untrusted_text import plain

# Units: characters.
LONGEST_TOLD = 500
NAMED = "the log names it"
# What runs the code of others, and what it calls, is not where its author has to look.
_NOT_THEIRS = {"gradwire", "numpy", "scipy", *sys.stdlib_module_names}


def told(error: BaseException) -> str:
    """Returns the line of foreign code at which it failed, `mine.py, line 3: return x.nowhere`.

    The words of Python or a library are for the log.
    """
    error = error.raised if isinstance(error, EscapeError) else error
    log_mistake("Code of a plug-in fails", error)
    walked = traceback.walk_tb(error.__traceback__)
    theirs = [item for item in walked if str(item[0].f_globals.get("__name__")).split(".")[0] not in _NOT_THEIRS]
    places = [(item.filename, item.lineno, item.line) for item in traceback.StackSummary.extract(iter(theirs[-1:]))]
    if isinstance(error, SyntaxError):
        places.append((error.filename or "<", error.lineno, error.text))
    if not places or places[-1][0].startswith("<"):
        return NAMED
    file, number, line = places[-1]
    return plain(f"{PurePath(file).name}, line {number}: {(line or '').strip()}".removesuffix(": "), LONGEST_TOLD)


class GradwireError(Exception):
    """Mistake that the user can fix; `str()` is the sentence to show."""


class EscapeError(Exception):
    """Exception of a plug-in that nobody should catch because it would end the program."""

    def __init__(self, raised: BaseException) -> None:
        super().__init__(str(raised))
        self.raised = raised


class BlockError(GradwireError):
    """Error in one block; the engine adds the block and reports the error as a problem with `code`.

    `plugin` names the plug-in whose code is to blame, if any.
    """

    code = "runtime"
    plugin = ""

    @property
    def sentence(self) -> str:
        """Message as a sentence, with a capital letter and a full stop."""
        text = str(self)
        return text[:1].upper() + text[1:].rstrip(".") + "."


class ShapeError(BlockError):
    """Incompatible shapes, or an axis out of range."""

    code = "shape"


class DtypeError(BlockError):
    """Dtype that the block does not accept, or two dtypes that differ."""

    code = "dtype"


class ParameterError(BlockError):
    """Parameter that is missing, unknown or out of range."""

    code = "parameter"


class WeightsError(ParameterError):
    """Parameter whose numbers lie in a file beside the graph's that is missing or was changed."""

    code = "weights"


class MissingInputError(BlockError):
    """Required input port without a wire."""

    code = "missing_input"


class ValueProblem(BlockError):
    """Invalid values that only a run reveals, such as an index out of range."""

    code = "runtime"


class GradientError(BlockError):
    """Gradient that a block does not have with these shapes and parameters; its rule says so."""

    code = "no_gradient"


class CodeError(BlockError):
    """Failing code of a block type; the user is not to blame.

    The author of a plug-in reads its line; what was raised is for the log.
    """

    code = "fault"

    def __init__(self, error: BaseException, what: str = "its code fails", plugin: str = "") -> None:
        if plugin:
            super().__init__(f"{what}, which is a mistake in the plug-in {plugin}: {told(error)}")
        else:
            super().__init__(f"{what}, which is a mistake in the block type; {NAMED}")
            log_mistake(what, error)
        self.error, self.plugin = error, plugin


class OutOfMemoryError(BlockError):
    """Result that needs more memory than the machine has."""

    code = "memory"


class EditError(GradwireError):
    """Impossible edit; the graph stays as it was."""


class CycleError(EditError):
    """Wire that would close a cycle; `ring` names the blocks on it from its target to its source."""

    def __init__(self, message: str, ring: tuple[str, ...]) -> None:
        super().__init__(message)
        self.ring = ring


class NameUnknownError(GradwireError):
    """Name that is not in the library, the graph or the gallery."""


class FileError(GradwireError):
    """File that cannot be read or written.

    `excerpt` is the shortened line to blame, with a mark at the place.
    Units: `line` and `column` count from 1; 0 means that no place in the file is to blame.
    """

    def __init__(self, message: str, line: int = 0, column: int = 0, excerpt: str = "") -> None:
        super().__init__(message)
        self.message, self.line, self.column, self.excerpt = message, line, column, excerpt


class ExportError(GradwireError):
    """Graph that cannot be exported as a program; `plugin` names the plug-in whose code is to blame, if any."""

    def __init__(self, message: str, plugin: str = "") -> None:
        super().__init__(message)
        self.plugin = plugin


class CannotUpdate(Exception):
    """An edit after which only a new evaluation gives the results; whatever was being updated is invalid now.

    It never reaches the user.
    """


class PluginError(GradwireError):
    """Plug-in with an invalid declaration of block types."""


class UsageError(GradwireError):
    """Command with invalid arguments."""


class FileChangedError(FileError):
    """File that another program has changed since, so that overwriting needs the user's consent."""


class CallError(GradwireError, TypeError):
    """Call or operator of Python whose arguments have no meaning, or more than one."""


class AttributeUnknownError(GradwireError, AttributeError):
    """Name that Python looks for on an expression or in `gradwire`, and does not find."""


class PlaceError(CallError, IndexError):
    """Index beyond the end of an axis; `for` ends by it, as by every IndexError."""
