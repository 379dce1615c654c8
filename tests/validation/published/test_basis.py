"""The ways a run is predicted, and what follows for it."""

from __future__ import annotations

import pytest

from app.validation.judged import BASES, judged
from tests.validation.published.runs import RUN, run


@pytest.mark.parametrize(
    ("basis", "error"), [("both", 0.10), ("accelerator", 0.07), ("source", -0.05), ("fitted", 0.01)]
)
def test_error_is_that_of_the_fit(basis: str, error: float) -> None:
    assert judged([RUN], BASES[basis])[0].error == pytest.approx(error)


def test_first_fit_is_the_one_that_has_seen_neither_source_nor_accelerator() -> None:
    assert next(iter(BASES)) == "both"


@pytest.mark.parametrize(("measured", "held"), [(89.9, False), (90.0, True), (120.0, True), (120.1, False)])
def test_interval_holds_its_ends(measured: float, held: bool) -> None:
    one = judged([run("AB-002", measured_tokens_per_s=measured)], BASES["fitted"])[0]
    assert one.held is held
