"""A share that is typed in percent is refused in percent."""

from __future__ import annotations

import pytest

from app.scenarios.errors import InputError
from app.surfaces.pages.studio.numbers import in_percent
from app.surfaces.pages.studio.offers import refusal


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("2.0 must be at most 1.", "200 % must be at most 100 %."),
        ("-0.05 must be above 0.", "-5 % must be above 0 %."),
        ("-3.0 must be at least -0.99. Expected: growth, 0.5 for half as much.", "-300 % must be at least -99 %. Expected: growth, 0.5 for half as much."),
        ("must be a number.", "must be a number."),
    ],
)  # fmt: skip
def test_numbers_are_in_the_unit_of_the_box(said: str, shown: str) -> None:
    assert in_percent(said) == shown


def test_the_studio_says_it_so() -> None:
    path = "workload.requests.cached_share"
    fault = InputError(
        path=path,
        value=2,
        rule="below",
        message="2 must be below 1.",
        hint="Expected: a share, 0 to below 1.",
    )
    assert refusal(fault).message == "200 % must be below 100 %. Expected: a share."
