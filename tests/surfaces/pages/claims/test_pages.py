"""The claims pages without a browser: all claims, the facts asked for, filters, one claim, errors."""

from __future__ import annotations

import re

import pytest

from app.validation.claims.judge import CALCULATIONS, PLACE_OF_A_FIGURE
from app.validation.claims.ledger import ledger
from tests.asgi import AsgiClient
from tests.surfaces.pages.validation.support import PAGE, get, words

PATH = "/claims"


def ids_of(page: str) -> list[str]:
    """Claims of the table, in order."""
    return re.findall(r'<tr id="([\w-]+)"', page)


def row_of(page: str, key: str) -> str:
    return words(page.split(f'<tr id="{key}">')[1].split("</tr>", maxsplit=1)[0])


def test_all_claims_are_on_the_page_and_none_is_blank(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH)
    ids = ids_of(page)
    assert sorted(ids) == sorted(ledger().claims)
    assert len(ids) == 127
    for key in ids:
        row = row_of(page, key).replace("&#39;", "'").replace("&amp;", "&")
        for text in PLACE_OF_A_FIGURE.split(ledger().claims[key].correction)[::2]:  # between the figures
            assert text.rstrip(".") in row
    wrong = [key for key, claim in ledger().claims.items() if claim.verdict == "wrong"]
    assert ids[:13] == wrong
    assert "61 right, 39 imprecise, 13 wrong, 14 that cannot be verified" in words(page)


@pytest.mark.parametrize(
    ("key", "facts"),
    [
        ("S2-37", ("1,620 GPU-days", "article: 130 GPU-days", "Wrong")),
        ("S2-12", ("A 3D torus", "Dimensions of the torus (3D) 3", "Wrong")),
        ("S2-14", ("A100 of RSC 16,000", "article: exactly 21,400", "16,000 A100", "Wrong")),
        ("S0-27", ("360 PFLOP/s", "720 PFLOP/s", "180 PFLOP/s", "dense", "Imprecise")),
    ],
)
def test_a_fact_is_visible(reading_client: AsgiClient, key: str, facts: tuple[str, ...]) -> None:
    row = row_of(get(reading_client, PATH), key)
    assert [fact for fact in facts if fact not in row] == []


def test_what_is_out_of_scope_is_said(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, PATH)).split("Out of scope what the articles")[1].lower()
    assert all(word in said for word in ("quantum", "blockchain", "homomorphic encryption", "emergent"))


def test_filters_work_together(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, verdict="wrong", article="S2", q="hbm")
    assert ids_of(page) == ["S2-07", "S2-22"]
    assert "2 of 127 claims" in words(page)
    assert '<option value="wrong" selected>' in page
    assert 'value="hbm"' in page


def test_nothing_matches(reading_client: AsgiClient) -> None:
    page = get(reading_client, PATH, q="zzzz")
    assert "No claims match." in page
    assert ids_of(page) == []


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"verdict": "wrnog"}, "verdict cannot be &#39;wrnog&#39;. Nearest: wrong."),
        ({"colour": "red"}, "“colour” is not something to filter claims by."),
        ({"q": "x" * 201}, "A search may have 200 characters; this one has 201."),
    ],
)
def test_a_bad_filter_is_one_clear_message(
    reading_client: AsgiClient, parameters: dict[str, str], message: str
) -> None:
    answer = reading_client.get(PATH, params={**parameters, "article": "S4"}, headers=PAGE)
    assert answer.status_code == 422
    assert answer.text.count('role="alert"') == 1
    assert message in answer.text
    assert len(ids_of(answer.text)) == 22  # the rest of what was asked for


def test_what_was_typed_stays_and_is_escaped(reading_client: AsgiClient) -> None:
    answer = reading_client.get(
        PATH, params={"verdict": "<b>", "q": "<script>alert(1)</script>"}, headers=PAGE
    )
    assert answer.status_code == 422
    assert "<script>alert(1)" not in answer.text
    assert "&lt;script&gt;alert(1)" in answer.text
    assert '<option value="&lt;b&gt;" selected>' in answer.text


def test_a_claim_shows_how_it_was_computed(reading_client: AsgiClient) -> None:
    page = get(reading_client, f"{PATH}/S2-37")
    said = words(page)
    assert "1,620 GPU-days" in said
    assert "computed / published 12.5×" in said
    assert "6 * parameters * tokens / achieved_flop_per_s" in said
    assert "Rule: right within 5 %, imprecise within a factor of 2, wrong beyond." in said
    assert 'href="/validation/training"' in page


@pytest.mark.slow
def test_every_link_of_a_claim_leads_somewhere(reading_client: AsgiClient) -> None:
    """A worked example, a scenario in the address, catalog rows and a page of the topic."""
    for key in ("S0-15", "S2-41", "S2-12", "S0-04", "S0-16"):
        page = get(reading_client, f"{PATH}/{key}")
        links = re.findall(r'<li><a href="([^"]+)"', page.split('id="open"')[1])
        assert links
        for link in links:
            answer = reading_client.get(link.replace("&amp;", "&"), headers=PAGE)
            assert answer.status_code == 200, link


def test_both_training_times_are_worked(reading_client: AsgiClient) -> None:
    said = words(get(reading_client, f"{PATH}/S0-15"))
    assert re.search(r"\b6[56]\.\d days", said)  # ours
    assert "160 days" in said  # the article's
    assert "flops / (accelerators * peak_flop_per_s * mfu)" in said
    assert "flops / total_speed / efficiency" in said


@pytest.mark.slow
@pytest.mark.parametrize("key", CALCULATIONS)
def test_every_computed_claim_has_a_page(reading_client: AsgiClient, key: str) -> None:
    page = get(reading_client, f"{PATH}/{key}")
    assert page.count('class="figure-of-claim"') >= 1


def test_a_claim_without_figures_says_so(reading_client: AsgiClient) -> None:
    assert "the verdict rests on the source below" in get(reading_client, f"{PATH}/S2-16")


def test_no_such_claim(reading_client: AsgiClient) -> None:
    answer = reading_client.get(f"{PATH}/S2-99", headers=PAGE)
    assert answer.status_code == 404
    assert "There is no claim “S2-99”." in answer.text
    assert 'href="/claims/S2-' in answer.text
