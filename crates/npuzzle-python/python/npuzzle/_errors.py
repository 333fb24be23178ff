"""The exceptions. Their messages are those of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._npuzzle import Report


class NpuzzleError(Exception):
    """The base class of all exceptions of this package.

    `index` is the number of the board, from 0, if `solve_many` raised or returned the exception.
    """

    index: Optional[int] = None


class InputError(NpuzzleError, ValueError):
    """The input is not a board, or an argument has an invalid value.

    `str(error)` shows the position in the text, as the command line does. `message` is the reason
    without the position; `line` and `column` count from 1 and are None if the input is not a text.
    """

    def __init__(
        self,
        text: str,
        message: Optional[str] = None,
        line: Optional[int] = None,
        column: Optional[int] = None,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.line = line
        self.column = column


class PlanError(NpuzzleError, ValueError):
    """The request is valid but cannot be done, such as a table for a board that is too large."""


class LimitReached(NpuzzleError):
    """A limit was reached.

    `limit` is 'time', 'nodes' or 'memory'; `report` is the partial result or None.
    """

    def __init__(self, text: str, limit: str, report: Optional[Report] = None) -> None:
        super().__init__(text)
        self.limit = limit
        self.report = report

    def __reduce__(self):
        return type(self), (str(self), self.limit)
