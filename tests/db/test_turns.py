"""Writers take turns in the order in which they came."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from app.db.engine import open_engine
from app.db.turns import Turns, TurnTimeoutError, turns_of


def wait_until_standing(turns: Turns, count: int) -> None:
    while len(turns._waiting) < count:
        time.sleep(0.001)


def test_turns_are_taken_in_the_order_of_asking() -> None:
    turns, order = Turns(), []

    def take(number: int) -> None:
        with turns.turn():
            order.append(number)

    threads = [threading.Thread(target=take, args=(number,)) for number in range(12)]
    with turns.turn():
        for count, thread in enumerate(threads, start=1):
            thread.start()
            wait_until_standing(turns, count)
    for thread in threads:
        thread.join()
    assert order == list(range(12))


def test_one_at_a_time() -> None:
    turns, inside, most = Turns(), [0], [0]

    def take() -> None:
        for _ in range(200):
            with turns.turn():
                inside[0] += 1
                most[0] = max(most[0], inside[0])
                inside[0] -= 1

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_patience_ends_and_the_line_goes_on() -> None:
    turns = Turns()
    with turns.turn():
        with pytest.raises(TurnTimeoutError, match="busy"), turns.turn(patience_s=0.01):
            pass
        assert not turns._waiting
    with turns.turn(patience_s=0.01):
        pass


def test_a_turn_that_fails_is_given_up() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="inside"), turns.turn():
        raise ValueError("inside")
    with turns.turn(patience_s=0.01):
        pass


def test_one_line_for_each_database(tmp_path: Path) -> None:
    first, second = (open_engine(f"sqlite:///{tmp_path / name}") for name in ("a.db", "b.db"))
    assert turns_of(first) is turns_of(first.execution_options(writes=True))
    assert turns_of(first) is not turns_of(second)
