"""Evaluations that are kept follow every change of a catalog, and are of no one else's rows."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from app.catalog.lookup import Catalog
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.evaluation.service import Evaluations, evaluate_scenario, evaluated
from app.scenarios.examples import example
from tests.saved.team_catalog.conftest import NewTeam

DOCUMENT = example("llama_3_1_405b_on_2048_dgx_h100")
LINE = "key,field,value,unit,source,as_of,value_kind\nnvidia_h100_sxm,tdp_w,{power_w},W,Ours,2026,measured\n"
STEPS = st.lists(
    st.tuples(st.integers(0, 1), st.one_of(st.none(), st.integers(650, 750))), min_size=4, max_size=8
)


def state(team: TeamCatalog, power_w: int) -> None:
    team.import_file(LINE.format(power_w=power_w).encode(), dry_run=False)
    assert team.catalog().part("accelerators", "nvidia_h100_sxm").facts["tdp_w"].value == power_w


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_kept_evaluations_are_those_that_would_be_computed(
    new_team: NewTeam, teams_database: Engine, steps: list[tuple[int, int | None]]
) -> None:
    """Two teams and anyone who has no own rows, in any order of edits and questions."""
    teams, evaluations, document = (new_team(), new_team()), Evaluations(), DOCUMENT.read()
    for place, power_w in steps:
        if power_w is not None:
            state(teams[place], power_w)
        for catalog in (*(team.catalog() for team in teams), Catalog.open(teams_database)):
            kept = evaluations.of(document, catalog)
            assert kept.as_json == evaluate_scenario(document, catalog).as_json


def test_an_edit_is_seen_by_the_next_who_asks(new_team: NewTeam) -> None:
    team, document = new_team(), DOCUMENT.read()
    powers = []
    for power_w in (660, 720):
        state(team, power_w)
        scenario = evaluated(document, team.catalog())
        powers.append(float(scenario.resolved.design.supernode.accelerator.tdp_w[0]))
        assert scenario.as_json["provenance"]["catalog_revision"] == team.catalog().revision
    assert powers == [660, 720]
