"""Groups of changes: every field belongs to one, and mixing gives back both ends."""

from __future__ import annotations

import itertools

import pytest

from app.scenarios.examples import example, list_examples
from app.scenarios.load import build_scenario
from app.views.economics.difference.figures import GROUPS, differing, group_values, mixed
from tests.scenarios.support import document

PAIRS = list(itertools.pairwise(one.key for one in list_examples()))
LEFT_OUT = {"schema_version", "name", "description", "illustrative", "published", "uncertainty"}


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_no_change_and_every_change_are_the_ends(first: str, second: str) -> None:
    one, other = example(first).read().as_dict(), example(second).read().as_dict()
    for changes, end in (((), one), (differing(one, other), other)):
        made = build_scenario(mixed(one, other, changes)).as_dict()
        assert {k: v for k, v in made.items() if k not in LEFT_OUT} == {
            k: v for k, v in end.items() if k not in LEFT_OUT
        }


def test_only_what_is_said_otherwise_differs() -> None:
    plain = document().as_dict()
    assert differing(plain, document(name="Another").as_dict()) == ()
    assert differing(plain, document(pod__fabric={"oversubscription": 2}).as_dict()) == ("fabric",)
    assert differing(plain, document(facility={"power_cap": 0.8}).as_dict()) == ("layout",)
    assert differing(plain, document(facility={"site": "paris"}).as_dict()) == ("site",)
    terms = {"life_years": 4, "electricity_price_usd_per_kwh": 0.1}
    assert differing(plain, document(economics=terms).as_dict()) == ("prices", "terms")
    failures = {"operations.failures_per_node_day": 0.01, "economics.installation_share": 0.1}
    assert differing(plain, document(assumptions=failures).as_dict()) == ("operations", "terms")


def test_a_field_stands_in_one_group() -> None:
    stated = group_values(
        document(assumptions={"economics.installation_share": 0.1}).as_dict() | {"parallelism": "auto"}
    )
    places = [place for group in GROUPS for place in stated[group.key]]
    assert len(places) == len(set(places))
