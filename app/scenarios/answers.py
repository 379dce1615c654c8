"""Answers kept by what they follow from: the least recently asked for go first, and each is computed once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

Answer = TypeVar("Answer")


class Answers(Generic[Answer]):
    """A bounded cache, safe to share by threads. A caller that requests what is being computed waits for that computation.

    Parameters
    ----------
    shrink : called with all answers, oldest first, whenever one was added; says how many of the oldest to drop
    """

    def __init__(self, shrink: Callable[[tuple[Answer, ...]], int]) -> None:
        self._shrink = shrink
        self._kept: OrderedDict[Hashable, Answer] = OrderedDict()
        self._under_way: dict[Hashable, Future[Answer]] = {}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def at_hand(self, key: Hashable) -> Answer | None:
        """The answer of a key where it is kept; None where it would have to be computed."""
        with self._lock:
            return self._kept.get(key)

    def forget(self) -> None:
        """Drop what is kept."""
        with self._lock:
            self._kept.clear()

    def of(self, key: Hashable, compute: Callable[[], Answer]) -> Answer:
        """The answer of a key; what `compute` raises is raised to everyone who waits, and is not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            under_way = self._under_way.get(key)
            mine: Future[Answer] = Future()
            if under_way is None:
                self._under_way[key] = mine
        if under_way is not None:
            return under_way.result()
        try:
            answer = compute()
        except BaseException as error:
            with self._lock:
                del self._under_way[key]
            mine.set_exception(error)
            raise
        with self._lock:
            del self._under_way[key]
            self._kept[key] = answer
            for _ in range(self._shrink(tuple(self._kept.values()))):
                self._kept.popitem(last=False)
        mine.set_result(answer)
        return answer


def at_most(count: int) -> Callable[[tuple[Answer, ...]], int]:
    """Keep so many answers."""
    return lambda kept: max(0, len(kept) - count)
