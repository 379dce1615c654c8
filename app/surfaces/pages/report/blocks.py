"""Parts of a report: chapters of pictures, tables and sentences, whatever the report is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from app.charts.figure import Figure
from app.surfaces.files.redaction import Redaction


class Picture(NamedTuple):
    """A chart with what it says; two `half` ones share a row.

    `height` is in pixels, where it is not that of the chart.
    """

    figure: Figure
    half: bool = False
    height: float = 0.0
    kind: str = "picture"


class Grid(NamedTuple):
    """A table; `words` are the columns of text, all others hold numbers."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = (0,)
    half: bool = False
    kind: str = "grid"


class Words(NamedTuple):
    """Sentences, each a paragraph; as a list where there are several things."""

    lines: tuple[str, ...]
    title: str = ""
    is_list: bool = False
    half: bool = False
    kind: str = "words"


Block = Picture | Grid | Words


class Chapter(NamedTuple):
    """A part with a heading and a place in the contents."""

    key: str
    title: str
    basis: str
    blocks: tuple[Block, ...]


class KeyLine(NamedTuple):
    """A key figure with its range."""

    label: str
    value: str
    beside: str


class Identity(NamedTuple):
    """Identity of a report: the program and the revision, catalog and inputs that it is made from."""

    name: str
    description: str
    facts: tuple[tuple[str, str], ...]  # revision, catalog, hash of the inputs
    kind: str = "design"


class Board(NamedTuple):
    """The version of two pages."""

    question: str
    answer: tuple[str, ...]
    fits: bool
    options: tuple[Block, ...]
    cost: tuple[Block, ...]
    cost_chart: tuple[Block, ...]
    time: tuple[Block, ...]
    risk: tuple[Block, ...]
    assumptions: tuple[Block, ...]
    decision: tuple[Block, ...]
    is_wide: bool = False
    """Whether options need the whole width of the sheet."""


OF_BLOCKS = ("options", "cost", "cost_chart", "time", "risk", "assumptions", "decision")
"""Fields of the board's version that hold blocks."""


class Subject(Protocol):
    """The subject of a report. A chapter that cannot be made has the reason in its place."""

    @property
    def identity(self) -> Identity: ...

    @property
    def key_figures(self) -> tuple[KeyLine, ...]: ...

    @property
    def left_out(self) -> tuple[str, ...]: ...

    def board(self) -> Board: ...

    def chapter_titles(self) -> tuple[tuple[str, str], ...]:
        """Keys and titles of the chapters that the full version may have, in their order."""
        ...

    def chapters(self, keys: Sequence[str]) -> tuple[Chapter, ...]: ...

    def shown(self, words: str) -> str:
        """A text after redaction."""
        ...


def pairs(pictures: Iterable[Figure]) -> tuple[Picture, ...]:
    """Charts side by side; those of which nothing is known are left out."""
    return tuple(Picture(one, half=True) for one in pictures if one.plot is not None)


def wholes(pictures: Iterable[Figure], height: float = 0.0) -> tuple[Picture, ...]:
    """Charts over the whole width."""
    return tuple(Picture(one, height=height) for one in pictures if one.plot is not None)


def neutral(blocks: Sequence[Block], redaction: Redaction) -> tuple[Block, ...]:
    """Blocks whose charts hold no name that is left out: labels are broken into lines when they are drawn."""
    return tuple(
        one._replace(figure=redaction.figure(one.figure)) if isinstance(one, Picture) else one
        for one in blocks
    )


def neutral_board(board: Board, redaction: Redaction) -> Board:
    """The same of the version of two pages."""
    kept: dict[str, Any] = {name: neutral(getattr(board, name), redaction) for name in OF_BLOCKS}
    return board._replace(**kept)
