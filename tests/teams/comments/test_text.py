"""What a comment may hold, and whom it names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.documents import MODELS
from app.scenarios.errors import ScenarioError
from app.scenarios.reading.messages import all_paths
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.together.comments import comment_text
from app.teams.comments.anchors import Anchor, check_anchor, has_place, is_field
from app.teams.comments.records import Person
from app.teams.comments.text import LONGEST, clean_body, clean_guest_name, named_in

ADA = Person(id="1", name="Ada Lovelace", email="ada@example.org")
ALAN = Person(id="2", name="Alan Turing", email="alan@example.org")
ALAN_KAY = Person(id="3", name="Alan Kay", email="kay@example.org")
GRACE = Person(id="4", name="Grace", email="grace@example.org")
PEOPLE = [ADA, ALAN, ALAN_KAY, GRACE]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("@ada look", ["Ada Lovelace"]),
        ("@Ada, look", ["Ada Lovelace"]),
        ('see @"alan turing".', ["Alan Turing"]),
        ("@alan", []),  # two are called so
        ("(@kay@example.org)", ["Alan Kay"]),
        ("@ALAN@EXAMPLE.ORG.", ["Alan Turing"]),
        ("@grace and @ada and @grace", ["Grace", "Ada Lovelace"]),
        ("grace@example.org, x@ada", []),
        ("@", []),
        ('@no one @"No Body" @@ada', []),
    ],
)
def test_whom_a_text_names(body, names):
    assert [one.name for one in named_in(body, PEOPLE)] == names


@pytest.mark.parametrize("text", ["", " \n\t", "x" * (LONGEST + 1), "a\x00", "a\x1b[31m", "a\ud800"])
def test_what_is_no_text_is_refused(text):
    with pytest.raises(ScenarioError) as refused:
        clean_body(text)
    assert refused.value.errors[0].path == "body"


def test_what_is_kept():
    assert clean_body("  a\r\nb\tc \n") == "a\nb\tc"
    assert clean_body("a\rb") == "a\nb"
    assert clean_guest_name("  Ada \n L. ") == "Guest: Ada L."
    for name in ("", " ", "x" * 81, "a\x07"):
        with pytest.raises(ScenarioError):
            clean_guest_name(name)


@given(st.text(alphabet=st.sampled_from("<>&\"'@ahtps:/. ()=\n")))
def test_no_text_becomes_an_element(body):
    """Whatever is written: the page holds its text, and no tag but our links."""
    html = str(comment_text(body))
    without_links = html.replace("</a>", "")
    for part in without_links.split("<")[1:]:
        assert part.startswith('a href="http')
    assert "'" not in html.partition(">")[0]


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "javascript:alert(1)",
        'https://x/"onmouseover="alert(1)',
        "https://x/<svg/onload=alert(1)>",
        "data:text/html,<script>1</script>",
    ],
)
def test_attacks_stay_text(body):
    html = str(comment_text(body))
    assert "<script" not in html
    assert "<img" not in html
    assert "<svg" not in html
    assert 'href="javascript' not in html
    assert 'href="data' not in html
    assert '"onmouseover' not in html


def test_every_field_of_the_form_can_be_commented():
    assert all(is_field("scenario", path) for path in fields_by_path())
    assert is_field("scenario", "pod.also[3].supernodes")
    for kind in MODELS:
        assert is_field(kind, "name")
        assert all(is_field(kind, path) for path in all_paths(MODELS[kind]))
        assert not is_field(kind, "")
        assert not is_field(kind, "__class__")


@pytest.mark.parametrize(
    "path", ["", "a..b", "a.", ".a", "a[", "a[x]", "a[-1]", "a]b", "a" * 300, "a[0][0]", "b"]
)
def test_no_such_place(path):
    assert not has_place({"a": [{"b": None}]}, path)


def test_a_place_may_be_unknown():
    assert has_place({"a": [{"b": None}]}, "a[0].b")
    assert has_place({"a": [{"b": None}]}, "a")
    for anchor in (Anchor("result", "a"), Anchor("field", "cost.tco_usd"), Anchor("whole", "name")):
        with pytest.raises(ScenarioError):
            check_anchor(anchor, "scenario", None)
