"""Tags are cleaned, and refused when they cannot be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.tags import LONGEST_TAG, MOST_TAGS, clean_tags
from app.scenarios.errors import ScenarioError


def test_tags_are_lower_case_and_once_each() -> None:
    assert clean_tags(["  Blue", "blue", "GB200  pods"]) == ("blue", "gb200 pods")


@pytest.mark.parametrize(
    ("tags", "rule", "path"),
    [
        ([""], "not_empty", "tags[0]"),
        (["a", " \t"], "not_empty", "tags[1]"),
        (["t" * 41], "at_most", "tags[0]"),
        (["a\x00b"], "plain_text", "tags[0]"),
        ([7], "text", "tags[0]"),
        ([str(number) for number in range(21)], "at_most", "tags"),
    ],
)
def test_what_is_no_tag_is_said(tags: list[str], rule: str, path: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        clean_tags(tags)
    (error,) = caught.value.errors
    assert (error.rule, error.path) == (rule, path)
    assert error.message


@given(st.lists(st.text(st.characters(categories=["L", "N", "Zs"]), min_size=1, max_size=12), max_size=8))
def test_clean_tags_stay_as_they_are(tags: list[str]) -> None:
    try:
        cleaned = clean_tags(tags)
    except ScenarioError as error:
        assert error.errors[0].rule in ("not_empty", "plain_text")  # noqa: PT017
        return
    assert clean_tags(cleaned) == cleaned
    assert len(cleaned) <= MOST_TAGS
    assert all(0 < len(tag) <= LONGEST_TAG and tag == tag.strip() for tag in cleaned)
