"""The pages of own rows: the form, the import with its report, the list; and who may use them."""

from __future__ import annotations

import re

import pytest

from tests.people import ActingClient, People
from tests.surfaces.pages.catalog.support import PAGE

pytestmark = pytest.mark.slow

CHIP = "/catalog/accelerators/nvidia_h100_sxm"
SOURCE = {"source": "Measured <i>here</i>", "as_of": "2026-11", "value_kind": "measured"}
FORM = {"kind": "accelerators", "of_key": "nvidia_h100_sxm", "version": "0", **SOURCE}
PRICES = (
    "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "our_dgx,dgx_h100,DGX H100 as quoted,USD/system,quote,250000,Quote 4711,2026-11,vendor\n"
)
BAD = PRICES + "bad,dgx_h100,<script>alert(1)</script>,USD/systm,quote,-1,,2026-13,guess\n"
_made = iter(range(1, 1000))


@pytest.fixture
def owner(people: People) -> ActingClient:
    """Someone with a workspace of their own, in which nothing is stated yet."""
    return people.client(f"Ada {next(_made)}")


def form(client: ActingClient, path: str, values: dict[str, str], status: int = 303) -> str:
    csrf = client.headers["x-csrf-token"]
    answer = client.post(path, data={**values, "csrf": csrf}, headers=PAGE, follow_redirects=False)
    assert answer.status_code == status, answer.text[:2000]
    return answer.text if status != 303 else answer.headers["location"]


def page(client: ActingClient, path: str) -> str:
    answer = client.get(path, headers=PAGE)
    assert answer.status_code == 200, answer.text[:500]
    return answer.text


def hidden(text: str) -> dict[str, str]:
    """The hidden fields of the first form that writes an import."""
    part = text.split('action="/catalog/own/import/apply"')[1].split("</form>", maxsplit=1)[0]
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', part))


def test_an_override_and_the_way_back(owner: ActingClient) -> None:
    before = page(owner, CHIP)
    assert "Override values" in before
    assert form(owner, "/catalog/own/edit", {**FORM, "tdp_w": "650"}) == CHIP
    after = page(owner, CHIP)
    assert "built-in: 700" in after.replace("\u2009", " ").replace("\u202f", " ")
    assert "Your own" in after
    assert "Measured &lt;i&gt;here&lt;/i&gt;" in after
    assert "Your own" in page(owner, "/catalog/accelerators")
    assert "Measured &lt;i&gt;here&lt;/i&gt;" in page(owner, "/catalog/own")
    assert 'value="650"' in page(owner, "/catalog/own/edit?kind=accelerators&key=nvidia_h100_sxm")
    gone = {"kind": "accelerators", "key": "nvidia_h100_sxm", "version": "1"}
    assert form(owner, "/catalog/own/remove", gone) == CHIP
    assert "Your own" not in page(owner, CHIP)


def test_what_was_not_touched_keeps_its_source(owner: ActingClient) -> None:
    form(owner, "/catalog/own/edit", {**FORM, "tdp_w": "650"})
    other = {**FORM, "source": "Another", "version": "1", "tdp_w": "650", "idle_w": "60"}
    form(owner, "/catalog/own/edit", other)
    facts = owner.get(f"/api/v1{CHIP}").json()["facts"]
    assert (facts["tdp_w"]["source"], facts["idle_w"]["source"]) == ("Measured <i>here</i>", "Another")


def test_a_form_comes_back_with_its_faults_and_all_that_was_typed(owner: ActingClient) -> None:
    text = form(owner, "/catalog/own/edit", {**FORM, "source": "", "tdp_w": "650"}, 422)
    assert 'value="650"' in text
    assert "source is missing" in text
    text = form(owner, "/catalog/own/edit", {**FORM, "tdp_w": "much"}, 422)
    assert "is not a number" in text
    taken = {"kind": "accelerators", "key": "nvidia_h100_sxm", "name": "X", "generation": "other", **SOURCE}
    assert "have a row nvidia_h100_sxm already" in form(owner, "/catalog/own/edit", taken, 422)
    form(owner, "/catalog/own/edit", {**FORM, "tdp_w": "650"})
    assert "row was changed in the meantime" in form(
        owner, "/catalog/own/edit", {**FORM, "tdp_w": "640"}, 409
    )


def test_an_import_is_looked_at_and_then_written(owner: ActingClient) -> None:
    csrf = {"csrf": owner.headers["x-csrf-token"], "kind": "prices", "text": ""}
    files = {"file": ("ours.csv", BAD.encode(), "text/csv")}
    answer = owner.post("/catalog/own/import", data=csrf, files=files, headers=PAGE)
    assert answer.status_code == 200, answer.text[:500]
    assert "1 added, 0 changed, 0 the same, 1 refused" in answer.text
    assert "unknown unit" in answer.text
    assert "<script>alert" not in answer.text
    fields = hidden(answer.text)
    assert fields["skip_refused"] == "yes"
    assert form(owner, "/catalog/own/import/apply", {**fields, "skip_refused": "yes"}) == "/catalog/own"
    assert "DGX H100 as quoted" in page(owner, "/catalog/own")
    again = owner.post("/catalog/own/import", data={**csrf, "text": PRICES}, headers=PAGE)
    assert again.status_code == 200
    assert "nothing to write" in again.text


def test_a_refused_file_is_not_written_unasked(owner: ActingClient) -> None:
    files = {"file": ("prices.csv", BAD.encode(), "text/csv")}
    csrf = {"csrf": owner.headers["x-csrf-token"]}
    fields = hidden(owner.post("/catalog/own/import", data=csrf, files=files, headers=PAGE).text)
    text = form(owner, "/catalog/own/import/apply", {**fields, "skip_refused": ""}, 200)
    assert "Nothing is written yet" in text
    assert "no own rows yet" in page(owner, "/catalog/own")
    bad = owner.post(
        "/catalog/own/import", data=csrf, files={"file": ("x.csv", b"", "text/csv")}, headers=PAGE
    )
    assert bad.status_code == 422
    assert "The file is empty" in bad.text


def test_an_import_needs_the_token_of_its_page(owner: ActingClient) -> None:
    files = {"file": ("prices.csv", PRICES.encode(), "text/csv")}
    answer = owner.post("/catalog/own/import", files=files, headers={**PAGE, "x-csrf-token": "no"})
    assert answer.status_code == 403


def test_members_read_and_editors_write(people: People) -> None:
    key = f"pages-{next(_made)}"
    people.team(key, {f"viewer of {key}": "viewer", f"editor of {key}": "editor"})
    viewer, editor = people.client(f"viewer of {key}"), people.client(f"editor of {key}")
    form(editor, f"/catalog/own/edit?workspace={key}", {**FORM, "tdp_w": "650"})
    shown = page(viewer, f"{CHIP}?workspace={key}")
    assert "Your team" in shown
    assert "/catalog/own/edit" not in shown
    assert f"by editor of {key}" in page(viewer, f"/catalog/own?workspace={key}")
    form(viewer, f"/catalog/own/edit?workspace={key}", {**FORM, "tdp_w": "640"}, 403)
    assert viewer.get(f"/catalog/own/import?workspace={key}", headers=PAGE).status_code == 403
    stranger = people.client("someone of no team")
    theirs = stranger.get(f"{CHIP}?workspace={key}", headers=PAGE).text
    assert "Measured &lt;i&gt;here" not in theirs
    assert "Measured &lt;i&gt;here" not in page(stranger, CHIP)


def test_forms_of_every_kind(owner: ActingClient) -> None:
    from app.catalog.own.columns import own_kinds

    for kind in own_kinds():
        path = "/catalog/own/model" if kind == "models" else f"/catalog/own/edit?kind={kind}"
        assert 'name="source"' in page(owner, path)
    assert owner.get("/catalog/own/edit?kind=climate", headers=PAGE).status_code == 404
    assert owner.get("/catalog/own/edit?kind=accelerators&key=nope", headers=PAGE).status_code == 404
