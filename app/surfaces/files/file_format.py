"""A kind of file that an answer can be had as."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Answer = TypeVar("Answer")


class FileFormat(NamedTuple, Generic[Answer]):
    """What it is called and sent as, and what writes an answer as one."""

    name: str
    media_type: str
    suffix: str
    title: str
    write: Callable[[Answer], bytes]
