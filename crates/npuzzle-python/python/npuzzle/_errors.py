"""What can go wrong. The messages are those of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

if TYPE_CHECKING:
    from ._npuzzle import Report


class NpuzzleError(Exception):
    """Any of the others."""


class InputError(NpuzzleError, ValueError):
    """Something that is no board, or no value of an argument.

    As a text it shows the place, as the command line does; `message` is the reason alone, and `line`
    and `column`, from 1, are where it is in a text that was read.
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
    """What was asked for cannot be done, such as a table of a board that is too large."""


class LimitReached(NpuzzleError):
    """A limit was reached first: `limit` is 'time', 'nodes' or 'memory', `report` what is known by then."""

    def __init__(self, text: str, limit: str, report: Optional[Report] = None) -> None:
        super().__init__(text)
        self.limit = limit
        self.report = report

    def __reduce__(self):
        return type(self), (str(self), self.limit)
