"""Climate years that a workspace uploads: listed, used, replaced, kept with revisions, and removed."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from app.catalog.errors import CatalogLookupError
from app.catalog.pinned import LatestCatalog, PinnedCatalog, RecordingCatalog
from app.catalog.snapshot import Snapshot
from app.catalog.weather.year import About
from app.saved.store import SavedWork
from app.saved.team_catalog.errors import NotOwnError, RefusedLinesError, RowChangedError
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.facility.sites import SitesOptions, sites_answer
from tests.catalog.weather.files import as_bytes, epw_lines, with_cell
from tests.saved.team_catalog.conftest import NewTeam
from tests.scenarios.support import scenario

pytestmark = pytest.mark.slow

ABOUT = About(source="Own station on the roof", year_kind="measured year 2023")
SITE = {"name": "Graz", "climate": "graz_2023", "electricity_price_usd_per_kwh": 0.11}


@functools.cache
def weather(warmer: int = 0) -> bytes:
    lines = epw_lines()
    return as_bytes(with_cell(lines, 4000, 7, "35.5") if warmer else lines)


def graz() -> object:
    return build_scenario(scenario(facility={"site": SITE, "cooling": "air"}))


def test_an_uploaded_year_is_listed_with_what_is_said_of_it(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    (part,) = team.rows("climate")
    assert (part.key, part.name, part.attributes["year_kind"]) == ("graz_2023", "Graz, AUT", ABOUT.year_kind)
    assert part.own.startswith("Acme, entered")
    assert (part.source, part.facts["dry_bulb_mean_c"].licence) == (ABOUT.source, "not stated")
    assert part.facts["dry_bulb_mean_c"].ship == "check"
    year = team.catalog().climate("graz_2023")
    assert year.dry_bulb_c.shape == (8760,)
    assert year.binned_hours.sum() == 8760
    assert team.review() == ()


def test_a_design_stands_at_it_and_says_whose_it_is(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    found = evaluate_scenario(graz(), team.catalog())
    assert 1.0 < found.evaluation.sections.cooling.pue[0] < 1.5
    told = str(found.explain("cooling.pue"))
    assert "Graz, AUT, hourly year (measured year 2023)" in told
    assert "Acme, entered" in told


def test_other_teams_do_not_see_it(team: TeamCatalog, new_team: NewTeam) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    with pytest.raises(CatalogLookupError):
        new_team().catalog().climate("graz_2023")


def test_it_is_kept_with_a_revision_whatever_becomes_of_it(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    recording = RecordingCatalog(team.catalog())
    then = evaluate_scenario(graz(), recording)
    _, content = recording.snapshot.packed()
    stored = content()
    assert len(stored) < 250_000
    team.put_climate("graz_2023", weather(1), ABOUT, 1)
    assert team.catalog().climate("graz_2023").dry_bulb_c.max() == 35.5
    for change in ("replaced", "removed"):
        if change == "removed":
            team.remove("climate", "graz_2023", 2)
        pinned = PinnedCatalog(team.catalog(), Snapshot.unpacked(stored), "then")
        again = evaluate_scenario(graz(), pinned)
        assert again.as_json["cooling"] == then.as_json["cooling"]
        assert pinned.from_today == ()
    latest = LatestCatalog(team.catalog(), Snapshot.unpacked(stored))
    assert evaluate_scenario(graz(), latest).as_json["cooling"] == then.as_json["cooling"]
    assert latest.gone == ("climate/graz_2023", "graz_2023")


def test_a_saved_scenario_opens_unchanged_after_the_year_is_gone(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    actor = team._sessions.actor
    work = SavedWork(team._sessions.engine, team._builtin, team._workspace_id, actor)
    saved = work.create("scenario", graz().as_dict())  # type: ignore[attr-defined]
    before = work.reopened(saved.id, 1).evaluated.as_json["cooling"]
    team.remove("climate", "graz_2023", 1)
    opened = work.reopened(saved.id, 1)
    assert opened.evaluated.as_json["cooling"] == before
    assert opened.engine_moved == ()
    assert opened.from_today == ()


def test_warming_of_an_own_year(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    document = build_scenario(scenario(facility={"site": SITE, "cooling": "air", "warming_k": 2}))
    warm = evaluate_scenario(document, team.catalog()).evaluation.sections.cooling
    assert warm.pue[0] > evaluate_scenario(graz(), team.catalog()).evaluation.sections.cooling.pue[0]
    assert np.isfinite(warm.pue_hottest_hour[0])


def test_a_site_that_names_it_must_go_first(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    text = (
        "key,city,country,climate_key,rankable,climate_proxy_km,elevation_m,source,as_of,value_kind\n"
        "graz,Graz,AT,graz_2023,yes,0,340,Own,2026-11,measured\n"
    )
    assert team.import_file(text.encode(), kind="sites", dry_run=False).applied
    compared = sites_answer(
        evaluate_scenario(build_scenario(scenario()), team.catalog()), team.catalog(), SitesOptions()
    )
    (own,) = (site for site in compared.sites if site.own)
    assert (own.key, own.climate, own.rankable, own.unknown) == (
        "graz",
        "graz_2023",
        True,
        ("cost", "carbon"),
    )
    assert 1.0 < own.pue < 1.5
    with pytest.raises(RefusedLinesError, match="sites/graz name it"):
        team.remove("climate", "graz_2023", 1)
    team.remove("sites", "graz", 1)
    team.remove("climate", "graz_2023", 1)
    with pytest.raises(NotOwnError):
        team.remove("climate", "graz_2023", None)


@pytest.mark.parametrize(
    ("key", "content", "about", "said"),
    [
        ("ashburn_va", b"", ABOUT, "built-in climate year"),
        ("graz", b"nothing", ABOUT, "8 header lines"),
        ("graz", b"", About(), "source is missing"),
        ("Graz!", b"", ABOUT, "lower-case"),
    ],
)
def test_what_cannot_be_used_is_refused(
    team: TeamCatalog, key: str, content: bytes, about: About, said: str
) -> None:
    with pytest.raises(RefusedLinesError) as caught:
        team.put_climate(key, content or weather(), about, 0)
    assert said in caught.value.errors[0].message
    assert caught.value.errors[0].hint
    assert team.rows() == ()


def test_a_line_that_is_wrong_is_named(team: TeamCatalog) -> None:
    content = as_bytes(with_cell(epw_lines(), 77, 9, "wet"))
    with pytest.raises(RefusedLinesError) as caught:
        team.put_climate("graz", content, ABOUT, 0)
    assert caught.value.errors[0].line == 77


def test_somebody_else_was_faster(team: TeamCatalog) -> None:
    team.put_climate("graz_2023", weather(), ABOUT, 0)
    with pytest.raises(RowChangedError):
        team.put_climate("graz_2023", weather(1), ABOUT, 0)
    assert team.catalog().climate("graz_2023").dry_bulb_c.max() < 35
