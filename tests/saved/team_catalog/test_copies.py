"""Copies in another workspace: own rows come along, their prices only by those who may pass them on."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.catalog.own.entries import Entry, OwnSource
from app.db.session import write_session
from app.db.tables import ShareGrantRow
from app.saved.access import Actor, ForbiddenError
from app.saved.packing import packed, unpacked
from app.saved.store import SavedWork
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario
from app.surfaces.files.formats import scenario_yaml
from app.surfaces.files.work import saved_work, work_of
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

QUOTE = OwnSource(citation="Quote 4711", as_of="2026-05-01", value_kind="vendor")
PRICE = {
    "part_key": "dgx_h100",
    "item": "As quoted",
    "unit": "USD/system",
    "condition": "quote",
    "typical": "284123.7",
}
CHIP = {"tdp_w": "651.3"}


@pytest.fixture
def own(new_team, teams_database):
    """Saved work and own rows of two teams, as someone of both has them, and a scenario of the first."""
    homes = [new_team().workspace_id for _ in range(2)]
    both = Actor(name="Ada", roles={homes[0]: "owner", homes[1]: "editor"})
    builtin = Catalog.open(teams_database)
    works = [SavedWork(teams_database, lambda: builtin, home, both) for home in homes]
    first, second = (TeamCatalog(teams_database, lambda: builtin, home, both) for home in homes)
    first.put([Entry(kind="prices", key="ours", cells=PRICE, source=QUOTE)], None)
    first.put([Entry(kind="accelerators", key="nvidia_h100_sxm", cells=CHIP, source=QUOTE)], None)
    return works, works[0].create("scenario", scenario(name="Ours")), second


def test_own_rows_come_with_a_copy_and_its_figures_hold_there(own):
    (first, second), original, rows = own
    copy = second.duplicate("scenario", original.id, receive=rows.receive, own_prices=True)
    assert copy.note == "Copy of revision 1; 2 own rows added"
    assert {f"{part.kind}/{part.key}" for part in rows.rows()} == {
        "prices/ours",
        "accelerators/nvidia_h100_sxm",
    }
    before, today = first.results(original.id, 1), second.evaluated(copy.document).as_json
    for section in ("performance", "power", "cost", "carbon"):
        assert second.results(copy.id, 1)[section] == before[section]
        assert unpacked(packed(today))[section] == before[section]


def test_without_own_prices_a_copy_is_computed_anew_and_keeps_none(own):
    (first, second), original, rows = own
    copy = second.duplicate("scenario", original.id, receive=rows.receive)
    assert copy.note == "Copy of revision 1; 1 own rows added; 1 own prices left out"
    assert [part.key for part in rows.rows()] == ["nvidia_h100_sxm"]
    before, after = first.results(original.id, 1), second.results(copy.id, 1)
    assert after["power"] == before["power"]
    assert after["cost"]["supernode_price_usd"] != before["cost"]["supernode_price_usd"]
    assert "284123" not in str(second.reopened(copy.id, 1).evaluated.explain("cost.supernode_price_usd"))


@pytest.mark.parametrize("role", ["viewer", "commenter"])
def test_a_viewer_takes_no_own_prices_along(own, role):
    works, original, rows = own
    home = works[1].workspace_id
    second = works[1].of(Actor(name="Vic", roles={works[0].workspace_id: role, home: "owner"}), home)
    with pytest.raises(ForbiddenError, match="Own prices leave a workspace only by those who may share"):
        second.duplicate("scenario", original.id, receive=rows.receive, own_prices=True)
    assert rows.rows() == ()
    with pytest.raises(ForbiddenError):
        saved_work(second, original.id, own_prices=True)
    work = saved_work(second, original.id)
    assert work.own_rows is not None
    assert work.own_rows.left_out == ("price of dgx_h100",)
    assert b"284123" not in scenario_yaml(work)


def test_whoever_came_by_a_share_gets_no_own_prices(own, teams_database):
    works, original, _ = own
    home = works[1].workspace_id
    with write_session(teams_database) as session:
        session.add(ShareGrantRow(saved_id=original.id, kind="scenario", workspace_id=home, role="editor"))
    guest = works[1].of(Actor(name="Gil", roles={home: "owner"}), home)
    with pytest.raises(ForbiddenError):
        saved_work(guest, original.id, own_prices=True)
    assert b"284123" not in scenario_yaml(saved_work(guest, original.id))
    holder = guest.get("scenario", original.id)
    assert (
        work_of(build_scenario(holder.document), guest, holder).own_rows is None
    )  # nor others by naming them


def test_a_copy_overwrites_no_row_of_the_workspace(own):
    (_, second), original, rows = own
    rows.put([Entry(kind="prices", key="ours", cells={**PRICE, "typical": "1000"}, source=QUOTE)], None)
    with pytest.raises(ScenarioError, match="Your catalog has prices/ours with other values"):
        second.duplicate("scenario", original.id, receive=rows.receive, own_prices=True)
    assert [part.facts["value"].value for part in rows.rows("prices")] == [1000.0]
    assert second.listed("scenario").items == ()
