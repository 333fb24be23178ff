"""What is written in Rust. The package `npuzzle` is the door to it."""

from os import PathLike
from typing import Any, Iterable, Iterator, Literal, Protocol, Sequence, Union, final, overload

from ._errors import NpuzzleError

__version__: str

class _Array(Protocol):
    """What numpy, torch and memoryview have in common."""
    def tolist(self) -> Any: ...

BoardLike = Union[str, "Board", Sequence[Sequence[int]], Sequence[int], _Array]
"""A text in any format, rows of numbers, the numbers of a square row by row, or an array."""

_Metric = Literal["stm", "mtm"]
_Algorithm = Literal[
    "auto", "table", "ida", "astar", "wastar", "greedy", "bfs", "uniform", "bidirectional", "construct", "beam"
]
_Effort = Literal["fast", "normal", "best"]
_Tables = Literal["auto", "small", "large"]
_Notation = Literal["tile", "blank", "numbers", "boards"]
_Cache = Union[bool, str, PathLike[str]]
_Range = Union[int, tuple[int, int], range]

@final
class Board:
    def __new__(cls, board: BoardLike, /) -> Board: ...
    @staticmethod
    def goal_of(size: str | int | tuple[int, int], goal: BoardLike | None = None) -> Board: ...
    @property
    def rows(self) -> int: ...
    @property
    def cols(self) -> int: ...
    @property
    def blank(self) -> tuple[int, int]: ...
    @property
    def tiles(self) -> tuple[int, ...]: ...
    def slides(self) -> list[str]: ...
    def slide(self, way: str) -> Board: ...
    def is_solvable(self, goal: BoardLike | None = None) -> bool: ...
    def solvability(self, goal: BoardLike | None = None) -> str: ...
    def to_list(self) -> list[list[int]]: ...
    def to_svg(self, goal: BoardLike | None = None) -> str: ...
    def _repr_svg_(self) -> str: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> tuple[int, ...]: ...
    def __iter__(self) -> Iterator[tuple[int, ...]]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[str]: ...

@final
class Report:
    @property
    def status(self) -> Literal["solved", "unsolvable", "limit"]: ...
    @property
    def start(self) -> Board: ...
    @property
    def goal(self) -> Board: ...
    @property
    def solvable(self) -> bool: ...
    @property
    def metric(self) -> _Metric: ...
    @property
    def moves(self) -> int | None: ...
    @property
    def stm(self) -> int | None: ...
    @property
    def mtm(self) -> int | None: ...
    @property
    def optimal(self) -> bool: ...
    @property
    def lower_bound(self) -> int | None: ...
    @property
    def upper_bound(self) -> int | None: ...
    @property
    def solution(self) -> str | None: ...
    @property
    def slides(self) -> list[str] | None: ...
    @property
    def optimal_solutions(self) -> int | None: ...
    @property
    def solutions(self) -> list[str] | None: ...
    @property
    def algorithm(self) -> str | None: ...
    @property
    def heuristic(self) -> str | None: ...
    @property
    def reason(self) -> str: ...
    @property
    def limit(self) -> str | None: ...
    @property
    def seconds(self) -> float: ...
    @property
    def stats(self) -> dict[str, int]: ...
    def write(self, notation: _Notation) -> str | None: ...
    def boards(self) -> Boards | None: ...
    def to_json(self, notation: _Notation = "tile") -> str: ...
    def to_dict(self, notation: _Notation = "tile") -> dict[str, Any]: ...
    def to_html(self, title: str | None = None) -> str: ...
    def to_gif(self) -> bytes: ...
    def _repr_html_(self) -> str: ...

@final
class Check:
    @property
    def valid(self) -> bool: ...
    @property
    def shortest(self) -> bool | None: ...
    @property
    def fault(self) -> str | None: ...
    @property
    def read_as(self) -> Literal["boards", "letters", "numbers", "claim", "none"]: ...
    @property
    def sense(self) -> Literal["tile", "blank"] | None: ...
    @property
    def stm(self) -> int | None: ...
    @property
    def mtm(self) -> int | None: ...
    @property
    def lost(self) -> int | None: ...
    @property
    def lost_at(self) -> list[int]: ...
    def to_dict(self) -> dict[str, Any]: ...

@final
class Trace:
    @property
    def ending(self) -> str: ...
    @property
    def solution(self) -> list[int] | None: ...
    @property
    def stats(self) -> dict[str, int]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Steps: ...

@final
class Boards:
    def __iter__(self) -> Boards: ...
    def __next__(self) -> Board: ...
    def __length_hint__(self) -> int: ...

@final
class Steps:
    def __iter__(self) -> Steps: ...
    def __next__(self) -> dict[str, Any]: ...

def solve(
    board: BoardLike,
    /,
    *,
    goal: BoardLike | None = None,
    metric: _Metric = "stm",
    algorithm: _Algorithm = "auto",
    heuristic: str = "auto",
    weight: float | None = None,
    time: float | None = None,
    nodes: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    effort: _Effort | None = None,
    optimal: bool = False,
    all: bool | int | None = None,
    tables: _Tables = "auto",
    cache: _Cache | None = None,
    strict: bool = False,
) -> Report: ...
@overload
def solve_many(
    boards: Iterable[BoardLike] | str,
    /,
    *,
    errors: Literal["raise"] = "raise",
    goal: BoardLike | None = None,
    metric: _Metric = "stm",
    algorithm: _Algorithm = "auto",
    heuristic: str = "auto",
    weight: float | None = None,
    time: float | None = None,
    nodes: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    effort: _Effort | None = None,
    optimal: bool = False,
    all: bool | int | None = None,
    tables: _Tables = "auto",
    cache: _Cache | None = None,
    strict: bool = False,
) -> list[Report]: ...
@overload
def solve_many(
    boards: Iterable[BoardLike] | str,
    /,
    *,
    errors: Literal["return"],
    goal: BoardLike | None = None,
    metric: _Metric = "stm",
    algorithm: _Algorithm = "auto",
    heuristic: str = "auto",
    weight: float | None = None,
    time: float | None = None,
    nodes: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    effort: _Effort | None = None,
    optimal: bool = False,
    all: bool | int | None = None,
    tables: _Tables = "auto",
    cache: _Cache | None = None,
    strict: bool = False,
) -> list[Report | NpuzzleError]: ...
def distance(
    board: BoardLike,
    /,
    *,
    goal: BoardLike | None = None,
    metric: _Metric = "stm",
    time: float | None = None,
    nodes: float | None = None,
    memory: float | None = None,
    threads: int | None = None,
    cache: _Cache | None = None,
) -> int | None: ...
def heuristic(board: BoardLike, name: str = "manhattan", /, *, goal: BoardLike | None = None) -> int: ...
@overload
def generate(
    size: str | int | tuple[int, int] = "4x4",
    /,
    *,
    count: None = None,
    seed: int | None = None,
    name: str | None = None,
    goal: BoardLike | None = None,
    moves: _Range | None = None,
    metric: _Metric = "stm",
    unique: bool = False,
    unsolvable: bool = False,
    expanded: _Range | None = None,
    algorithm: _Algorithm = "auto",
    heuristic: str = "auto",
    time: float | None = None,
    cache: _Cache | None = None,
) -> Board: ...
@overload
def generate(
    size: str | int | tuple[int, int] = "4x4",
    /,
    *,
    count: int,
    seed: int | None = None,
    name: str | None = None,
    goal: BoardLike | None = None,
    moves: _Range | None = None,
    metric: _Metric = "stm",
    unique: bool = False,
    unsolvable: bool = False,
    expanded: _Range | None = None,
    algorithm: _Algorithm = "auto",
    heuristic: str = "auto",
    time: float | None = None,
    cache: _Cache | None = None,
) -> list[Board]: ...
def check(
    board: BoardLike,
    solution: str | Report | Iterable[str] | Iterable[int],
    /,
    *,
    goal: BoardLike | None = None,
    metric: _Metric = "stm",
    time: float | None = None,
    cache: _Cache | None = None,
) -> Check: ...
def trace(
    board: BoardLike,
    /,
    *,
    goal: BoardLike | None = None,
    algorithm: Literal["astar", "wastar", "greedy", "uniform", "bfs", "ida"] = "astar",
    heuristic: str = "manhattan",
    weight: float | None = None,
    tie_break: Literal["fifo", "lifo", "heap"] | None = None,
    duplicates: Literal["closed", "parent", "none"] | None = None,
    steps: int = 100,
) -> Trace: ...
