"""Which rows a fit does not see, and which are predicted with it."""

from __future__ import annotations

import numpy as np
import pytest

from app.validation.serving.cases import BOTH, ENGINE, MODEL, PAIR, Without, parts_of

WORDS = {MODEL: np.array(["a", "a", "b", "b"]), ENGINE: np.array(["x", "y", "x", "y"])}


@pytest.mark.parametrize(
    ("group", "words", "unseen", "own"),
    [
        (MODEL, {MODEL: "a"}, [1, 1, 0, 0], [1, 1, 0, 0]),
        (PAIR, {MODEL: "a", ENGINE: "x"}, [1, 0, 0, 0], [1, 0, 0, 0]),
        (BOTH, {MODEL: "a", ENGINE: "x"}, [1, 1, 1, 0], [1, 0, 0, 0]),
    ],
)
def test_rows_left_out(group: str, words: dict[str, str], unseen: list[int], own: list[int]) -> None:
    part = Without(group, words)
    assert part.members(WORDS).astype(int).tolist() == unseen
    assert part.own(WORDS).astype(int).tolist() == own


def test_every_part_that_there_is() -> None:
    assert [one.label for one in parts_of(WORDS, MODEL, PAIR)] == [
        "model=a", "model=b", "model_engine=a+x", "model_engine=a+y", "model_engine=b+x", "model_engine=b+y",
    ]  # fmt: skip
    assert len(parts_of({name: words[:1] for name, words in WORDS.items()}, PAIR)) == 1
