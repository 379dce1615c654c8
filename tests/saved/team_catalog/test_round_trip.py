"""What is exported is imported as the same, for every kind, as CSV and as a workbook."""

from __future__ import annotations

import csv
import io

import pytest

from app.catalog.own.cells import header_of, lines_of
from app.catalog.own.columns import own_kinds
from app.saved.team_catalog.service import TeamCatalog
from app.surfaces.files.catalog_table import catalog_csv, catalog_xlsx
from tests.saved.team_catalog.conftest import NewTeam

SAMPLE = 12
OURS = "Our own measurement"


def renamed(team: TeamCatalog, kind: str) -> bytes:
    """Rows of a kind as if a team had them: under keys of its own, with sources that say everything."""
    out = io.StringIO()
    writer = csv.DictWriter(out, header_of(kind), restval="")
    writer.writeheader()
    for part in team.catalog().builtin.parts(kind)[:SAMPLE]:
        for line in lines_of(part, own=False):
            if kind == "aliases":
                line["alias"] = f"ours {line['alias']}"
            elif kind == "assumptions":
                line["applies_to"] = ";".join(filter(None, [line["applies_to"], "team=ours"]))
            else:
                line["key"] = f"ours_{line['key']}"
            said = {
                "source": f"{OURS}: {line['source']}"[:900],
                "as_of": line["as_of"] or "2026",
                "value_kind": "measured",
            }
            writer.writerow({**line, **said})
    return out.getvalue().encode()


@pytest.mark.parametrize("kind", own_kinds())
def test_the_builtin_rows_say_nothing_new(team: TeamCatalog, kind: str) -> None:
    found = team.import_file(catalog_csv(team.catalog(), kind, own=False), kind=kind).plan
    assert found.lines
    assert found.counts == {"added": 0, "changed": 0, "same": len(found.lines), "refused": 0}


@pytest.mark.slow
@pytest.mark.parametrize("kind", own_kinds())
def test_own_rows_of_every_kind(new_team: NewTeam, kind: str) -> None:
    team, other = new_team(), new_team()
    added = team.import_file(renamed(team, kind), kind=kind, dry_run=False)
    assert added.applied
    assert added.plan.counts["added"] == len(added.plan.lines), added.plan.refused
    text = catalog_csv(team.catalog(), kind, own=True)
    assert team.import_file(text, kind=kind).plan.counts["same"] == len(
        team.import_file(text, kind=kind).plan.lines
    )
    assert other.import_file(text, kind=kind, dry_run=False).applied
    assert catalog_csv(other.catalog(), kind, own=True) == text
    for part in team.rows(kind):
        assert part.own.startswith("Acme, entered on ")
        assert {name: fact.value for name, fact in part.facts.items()} == {
            name: fact.value for name, fact in other.catalog().part(kind, part.key).facts.items()
        }


@pytest.mark.slow
def test_a_workbook_holds_every_kind(new_team: NewTeam) -> None:
    team, other = new_team(), new_team()
    for kind in ("accelerators", "prices", "sites", "models"):
        team.import_file(renamed(team, kind), kind=kind, dry_run=False)
    book = catalog_xlsx(team.catalog(), own_kinds(), own=True)
    assert other.import_file(book, dry_run=False).plan.refused == ()
    assert {(part.kind, part.key) for part in other.rows()} == {(part.kind, part.key) for part in team.rows()}
    counts = team.import_file(catalog_xlsx(other.catalog(), own_kinds(), own=True)).plan.counts
    assert (counts["added"], counts["changed"], counts["refused"]) == (0, 0, 0)
