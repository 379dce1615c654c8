"""The history of a scenario, and a revision opened again."""

from __future__ import annotations

import dataclasses
import html
import json
import re

import pytest
import sqlalchemy as sa

from app.catalog.ready import ready_catalog, ready_engine
from app.saved.records import Change
from app.saved.store import SavedWork
from app.settings import get_settings
from tests.asgi import AsgiClient
from tests.surfaces.pages.saved.test_saving import MAIN, SCRIPT, post_save, saved, scenario
from tests.surfaces.pages.studio.test_routes import text_of

pytestmark = pytest.mark.slow


def revise(client: AsgiClient, id: str, number: int, note: str = "", **changes: float) -> None:
    """Save revision `number` over the one before it."""
    form = {"version": str(number - 1), "revision": str(number - 1), "note": note}
    assert "saved" in post_save(client, id, scenario(name="My pod", **changes), **form).json()


def lines(page: str) -> list[str]:
    return [text_of(line) for line in re.findall(r"<tr>.*?</tr>", page, re.DOTALL)][1:]


def test_revisions_say_what_changed(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, "Longer", workload__tokens=20e12)
    revise(asgi_client, id, 3, workload__tokens=20e12, economics__wacc=0.08, pod__supernodes=1024,
           workload__global_batch_sequences=1024)  # fmt: skip
    newest, longer, first = lines(asgi_client.get(f"/designs/{id}/history").text)
    assert "Revision 3 newest" in newest
    assert (
        "3 fields: Global batch size 2,048 seqs to 1,024 seqs, SuperNodes 2,048 to 1,024, Cost of capital 10"
        in newest
    )
    assert "Longer 1 field: Training tokens 15.6 T to 20 T" in longer
    assert "The first" in first
    assert "Restore revision 1" in first
    assert "Restore" not in newest
    assert re.search(r"[\d.]+.days [\d.]+.M.USD [\d.]+.MW", first)


@pytest.mark.slow
def test_long_history_comes_in_pages(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    work = SavedWork(ready_engine(get_settings()), lambda: ready_catalog(get_settings()))
    for number in range(2, 29):
        work.replace("scenario", id, scenario(name=f"Pod {number}"), version=None)
    page = asgi_client.get(f"/designs/{id}/history").text
    assert len(lines(page)) == 25
    more = re.search(r'href="(/designs/\w+/history\?after=[^"]+)"', page)
    assert more
    rest = asgi_client.get(more.group(1)).text
    assert [line.split(" newest")[0].split(" just")[0].split("B ")[-1] for line in lines(rest)][-1].endswith(
        "Revision 1"
    )
    assert "Name Pod 3 to Pod 4" in text_of(page)
    assert "Back to the newest" in rest
    assert asgi_client.get(f"/designs/{id}/history?after=nonsense").status_code == 422


def test_restoring_makes_a_new_revision(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, workload__tokens=20e12)
    answer = asgi_client.post(f"/designs/{id}/revisions/1/restore", data={"revision": "2"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/designs/{id}/history")
    newest = lines(asgi_client.get(f"/designs/{id}/history").text)[0]
    assert "Revision 3 newest" in newest
    assert "Restored from revision 1" in newest
    revise(asgi_client, id, 4, workload__tokens=30e12)
    late = asgi_client.post(f"/designs/{id}/revisions/2/restore", data={"revision": "3"}, headers=SCRIPT)
    assert "Revision 4 was saved meanwhile" in text_of(late.json()["form"])
    assert asgi_client.post(f"/designs/{id}/revisions/1/restore", data={"version": ""}).status_code == 400


def test_a_save_is_undone_and_done_again(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, workload__tokens=20e12)
    page = asgi_client.get(f"/designs/{id}/history").text
    assert "Undo this save" in lines(page)[0]
    assert page.count("Undo this save") == 1
    undone = asgi_client.post(f"/designs/{id}/revisions/2/undo", data={"csrf": ""})
    assert (undone.status_code, undone.headers["location"]) == (303, f"/designs/{id}/history")
    newest = lines(asgi_client.get(f"/designs/{id}/history").text)[0]
    assert "Undid revision 2 1 field: Training tokens 20 T to 15.6 T" in newest
    assert "Redo revision 2" in newest
    asgi_client.post(f"/designs/{id}/revisions/3/undo", data={"csrf": ""})
    newest = lines(asgi_client.get(f"/designs/{id}/history").text)[0]
    assert "Revision 4 newest" in newest
    assert "15.6 T to 20 T" in newest


def test_undoing_an_older_save_keeps_what_came_after(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, workload__tokens=20e12)
    revise(asgi_client, id, 3, workload__tokens=20e12, economics__wacc=0.08)
    told = asgi_client.post(f"/designs/{id}/revisions/2/undo", data={"csrf": ""}, headers=SCRIPT).json()
    assert told["said"] == "Revision 2 is undone"
    work = SavedWork(ready_engine(get_settings()), lambda: ready_catalog(get_settings()))
    assert work.get("scenario", id).document == scenario(name="My pod", economics__wacc=0.08)
    revise(asgi_client, id, 5, workload__tokens=25e12, economics__wacc=0.08)
    revise(asgi_client, id, 6, workload__tokens=30e12, economics__wacc=0.08)
    asked = asgi_client.post(f"/designs/{id}/revisions/5/undo", data={"csrf": ""})
    assert asked.status_code == 409
    assert "Training tokens Revision 5: 25 T Yours 15.6 T Theirs 30 T" in text_of(asked.text)
    assert asgi_client.post(f"/designs/{id}/revisions/1/undo", data={"csrf": ""}).status_code == 404


def test_revisions_have_names(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, workload__tokens=20e12)
    form = asgi_client.get(f"/designs/{id}/revisions/1/name")
    assert "Name revision 1" in text_of(form.text)
    name = {"name": "As <ordered>", "note": "Signed"}
    answer = asgi_client.post(f"/designs/{id}/revisions/1/name", data=name)
    assert answer.headers["location"] == f"/designs/{id}/history"
    history = asgi_client.get(f"/designs/{id}/history").text
    assert "As &lt;ordered&gt;" in history
    assert "Revision 1 As <ordered>" in lines(history)[1]
    then = text_of(asgi_client.get(f"/designs/{id}?revision=1").text)
    assert "Revision 1 “As <ordered>”, as it was on" in then
    assert "Signed. The figures are those of then." in then
    refused = asgi_client.post(f"/designs/{id}/revisions/2/name", data=name)
    assert refused.status_code == 422
    assert "Revision 1 has this name." in text_of(refused.text)
    assert 'value="As &lt;ordered&gt;"' in refused.text
    told = asgi_client.post(f"/designs/{id}/revisions/2/name", data={"name": "Longer"}, headers=SCRIPT).json()
    assert told["said"] == "Revision 2 is called Longer"
    assert "Revision 2 “Longer” , saved just now" in text_of(asgi_client.get(f"/designs/{id}").text)
    asgi_client.post(f"/designs/{id}/revisions/1/name/remove", data={"csrf": ""})
    assert "ordered" not in asgi_client.get(f"/designs/{id}/history").text
    assert asgi_client.get(f"/designs/{id}/revisions/9/name").status_code == 404
    assert asgi_client.get(f"/designs/{MAIN}/revisions/1/name").status_code == 404


def test_an_old_revision_begins_a_scenario_of_its_own(asgi_client: AsgiClient) -> None:
    id = saved(asgi_client)
    revise(asgi_client, id, 2, workload__tokens=20e12)
    page = asgi_client.get(f"/designs/{id}?revision=1").text
    address = re.search(r'href="([^"]+)" data-dialog>Save as a new scenario', page)
    assert address
    form = asgi_client.get(html.unescape(address[1])).text
    sent = html.unescape(re.findall(r'name="scenario" value="([^"]*)"', form)[0])
    made = post_save(asgi_client, id, json.loads(sent), new="yes", name="Begun again").json()
    assert "trains on 15.6 T tokens" in text_of(asgi_client.get(made["address"]).text)


def test_example_has_no_history(asgi_client: AsgiClient) -> None:
    for path in ("/history", "?revision=1"):
        answer = asgi_client.get(f"/designs/{MAIN}{path}", headers=SCRIPT)
        assert answer.status_code == 404
        assert "it is an example" in answer.json()["detail"]


@pytest.fixture
def later(asgi_client: AsgiClient) -> str:
    """A scenario that was saved before the memory of its accelerators became half as fast."""
    id = saved(asgi_client)
    revise(asgi_client, id, 2, "Longer", workload__tokens=20e12)
    with ready_engine(get_settings()).begin() as connection:
        part = "SELECT id FROM part WHERE kind = 'accelerators' AND key = 'nvidia_h100_sxm'"
        connection.execute(
            sa.text(
                f"UPDATE fact SET value = value / 2 WHERE field = 'memory_bandwidth_bytes_per_s' AND part_id = ({part})"
            )
        )
        connection.execute(sa.text("UPDATE setting SET value = value || '+' WHERE name = 'catalog_revision'"))
    return id


def test_old_revision_keeps_its_figures(asgi_client: AsgiClient, later: str) -> None:
    now = text_of(asgi_client.get(f"/designs/{later}").text)
    assert "The catalog has changed since it was saved" in now
    page = asgi_client.get(f"/designs/{later}?revision=1").text
    text = text_of(page)
    assert "Revision 1, as it was on" in text
    assert "1 catalog value has moved since" in text
    assert re.search(r"HBM bandwidth|memory bandwidth", text)
    assert "Today's engine computes the same figures from the same values." in text
    assert 'href="/catalog/accelerators/nvidia_h100_sxm"' in page
    assert "<fieldset disabled>" in page
    assert 'data-action="save"' not in page
    figures = re.findall(r'class="key-value"><span class="number">([\d.,]+)', page)
    kept = lines(asgi_client.get(f"/designs/{later}/history").text)[1]
    assert figures[0] in kept
    explained = asgi_client.get(f"/designs/{later}/explain/performance.elapsed_time_s?revision=1").text
    assert figures[0] in text_of(explained)
    assert asgi_client.get(f"/designs/{later}/explain/cost.nothing?revision=1").status_code == 404
    today = re.search(r'href="(/designs/\w+\?s=[^"]+)"[^>]*>Evaluate with today', page)
    assert today
    assert figures[0] not in re.findall(
        r'class="key-value"><span class="number">([\d.,]+)', asgi_client.get(today.group(1)).text
    )


@pytest.mark.slow
def test_engine_that_computes_otherwise_changes_no_saved_figure(
    asgi_client: AsgiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = saved(asgi_client)
    page = asgi_client.get(f"/designs/{id}?revision=1").text
    work = SavedWork(ready_engine(get_settings()), lambda: ready_catalog(get_settings()))
    then = work.reopened(id, 1)
    elapsed = then.evaluated.as_json["performance"]["elapsed_time_s"]
    path = "performance.elapsed_time_s"
    change = Change(path=path, label="Elapsed time", before=elapsed, after=2 * elapsed, unit="s")
    then.evaluated.as_json["performance"]["elapsed_time_s"] = 2 * elapsed
    monkeypatch.setattr(SavedWork, "reopened", lambda *_: dataclasses.replace(then, engine_moved=(change,)))
    again = asgi_client.get(f"/designs/{id}?revision=1").text
    figures = r'class="key-value"><span class="number">([\d.,]+)'
    assert re.findall(figures, again) == re.findall(figures, page)
    assert "computes 1 figure otherwise from the same values" in text_of(again)
    explained = text_of(asgi_client.get(f"/designs/{id}/explain/{path}?revision=1").text)
    assert "The revision was saved with" in explained
