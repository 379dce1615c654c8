"""Lines that cannot be used: each named by line, column and value, with a way out, and nothing is written."""

from __future__ import annotations

import pytest

from app.catalog.own import planning
from app.saved.access import Actor, ForbiddenError, HiddenError
from app.saved.team_catalog.errors import RefusedLinesError
from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.errors import ScenarioError

SAID = "source,as_of,value_kind"
OURS = "Ours,2026-11,measured"
BAD = [
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,much,{OURS}", "tdp_w", "number", "'much' is not a number"),
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,-1,{OURS}", "tdp_w", "greater_than_equal", "-1"),
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,1e400,{OURS}", "tdp_w", "number", "not a finite number"),
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,650,,2026,measured", "source", "missing", "source is missing"),
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,650,Ours,soon,measured", "as_of", "date", "no date"),
    ("accelerators", f"key,tdp_w,{SAID}\nnvidia_h100_sxm,650,Ours,2026,guess", "value_kind", "one_of", "guess"),
    ("accelerators", f"key,tdp_w,url,{SAID}\nnvidia_h100_sxm,650,javascript:x,{OURS}", "url", "url", "no web address"),
    ("accelerators", f"key,name,vendor,{SAID}\nacme_one,One,Acme,{OURS}", "generation", "literal_error", "generation"),
    ("accelerators", f"key,name,generation,{SAID}\nAcme One,One,other,{OURS}", "key", "string_pattern_mismatch", "key"),
    ("accelerators", f"key,name,generation,{SAID}\ndgx_h100,One,other,{OURS}", "key", "unique", "systems"),
    ("accelerators", f"key,tdp_watts,{SAID}\nnvidia_h100_sxm,650,{OURS}", "tdp_watts", "unknown_column", "tdp_w"),
    ("accelerators", f"key,tdp_w,{SAID}\n,650,{OURS}", "key", "missing", "key is missing"),
    ("accelerators", f"key,scale_up_gb_s_unidir,{SAID}\nnvidia_h100_sxm,500,{OURS}", "scale_up_gb_s_bidir",
     "value_error", "is not twice"),
    ("systems", f"key,bf16_dense_pflops,{SAID}\ndgx_h100,9,{OURS}", "bf16_dense_pflops", "agrees", "chips add up to"),
    ("systems", f"key,accelerator_key,{SAID}\ndgx_h100,nvidia_h100_sxn,{OURS}", "accelerator_key", "unknown_key",
     "nvidia_h100_sxm"),
    ("models", f"key,layers,{SAID}\nllama_3_1_8b,64,{OURS}", "published_params_b", "agrees", "are published"),
    ("prices", f"key,part_key,item,unit,condition,typical,{SAID}\nours,dgx_h10,X,USD/unit,new,1,{OURS}", "part_key",
     "unknown_key", "dgx_h100"),
    ("prices", f"key,item,unit,typical,{SAID}\ndemand_charge,X,USD/unit,1,{OURS}", "unit", "same_unit", "USD/kW-month"),
    ("prices", f"key,item,unit,low,{SAID}\nours,X,USD/unit,1,{OURS}", "low", "number", "needs the other end"),
    ("sites", f"key,city,country,climate_key,rankable,{SAID}\nours,Ours,DE,nowhere,yes,{OURS}", "climate_key",
     "unknown_key", "no row has the key"),
    ("assumptions", f"room,name,value,unit,description,{SAID}\neconomics,no_such,1,1,X,{OURS}", "name", "unknown_key",
     "No computation asks"),
    ("climate", f"key,city,{SAID}\nours,Ours,{OURS}", "kind", "kind", "8,760 hours"),
    ("", f"key,field,value,unit,{SAID}\nnvidia_h100_sxm,tdp_w,650,,{OURS}", "unit", "missing", "printed in W"),
    ("", f"key,field,value,unit,{SAID}\nnvidia_h100_sxm,tdp_w,650,TB,{OURS}", "unit", "unit", "cannot be stated in"),
    ("", f"key,field,value,unit,{SAID}\nnvidia_h100_sxm,tpd_w,650,W,{OURS}", "field", "unknown_field", "tdp_w"),
    ("", f"key,field,value,unit,{SAID}\nnvidia_h100_sxn,tdp_w,650,W,{OURS}", "kind", "kind", "nvidia_h100_sxm"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "text", "column", "rule", "words"), BAD, ids=[f"{row[0]}-{row[2]}-{row[3]}" for row in BAD]
)
def test_a_bad_line(team: TeamCatalog, kind: str, text: str, column: str, rule: str, words: str) -> None:
    found = team.import_file(text.encode(), kind=kind).plan
    (line,) = found.refused
    assert found.writes == ()
    fault = next(fault for fault in line.faults if fault.column == column)
    assert fault.rule == rule
    assert words in f"{fault.message} {fault.hint}"
    with pytest.raises(RefusedLinesError):
        team.import_file(text.encode(), kind=kind, dry_run=False)
    assert team.rows() == ()


def test_every_line_is_reported_and_refused_ones_can_be_left_out(team: TeamCatalog) -> None:
    text = (
        f"key,tdp_w,idle_w,{SAID}\nnvidia_h100_sxm,650,,{OURS}\nnvidia_a100_sxm_80,,much,{OURS}\n"
        f"nvidia_b200_sxm,,,{OURS}\nnvidia_h100_sxm,,60,Other,2026,measured\n"
    ).encode()
    found = team.import_file(text, kind="accelerators").plan
    assert [(line.place.line, line.outcome) for line in found.lines][:2] == [(2, "changed"), (3, "refused")]
    assert len(found.lines) == 4
    (change,) = found.lines[0].changes
    assert (change.before, change.after, change.unit, change.was_own) == ("700", "650", "W", False)
    team.import_file(text, kind="accelerators", dry_run=False, skip_refused=True)
    assert [part.key for part in team.rows()] == ["nvidia_h100_sxm"]
    assert len({fact.source for fact in team.rows()[0].facts.values() if fact.own}) == 2


def test_the_same_value_twice_is_refused(team: TeamCatalog) -> None:
    text = f"key,tdp_w,{SAID}\nnvidia_h100_sxm,650,{OURS}\nnvidia_h100_sxm,640,{OURS}\n".encode()
    found = team.import_file(text, kind="accelerators").plan
    assert {fault.rule for line in found.refused for fault in line.faults} == {"twice"}


@pytest.mark.parametrize(
    ("content", "rule"),
    [(b"", "file"), (b"\xff\xfe\x00k", "encoding"), (b'key,"tdp\n', "csv"), (b"x" * 1_000_001, "file"),
     (b"PK\x03\x04 no workbook", "file")],
)  # fmt: skip
def test_a_file_that_cannot_be_read(team: TeamCatalog, content: bytes, rule: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        team.import_file(content)
    assert caught.value.errors[0].rule == rule


def test_a_workspace_has_so_many_rows(team: TeamCatalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_OWN_ROWS", 1)
    lines = "\n".join(f"{key},650,{OURS}" for key in ("nvidia_h100_sxm", "nvidia_b200_sxm"))
    found = team.import_file(f"key,tdp_w,{SAID}\n{lines}".encode(), kind="accelerators").plan
    assert [line.faults[0].rule for line in found.refused] == ["at_most"]


def test_formulas_and_tags_are_plain_text(team: TeamCatalog) -> None:
    name = "=HYPERLINK(1) <script>"
    text = f"key,name,generation,tdp_w,{SAID}\nacme_one,{name},other,500,{OURS}"
    team.import_file(text.encode(), kind="accelerators", dry_run=False)
    assert team.catalog().part("accelerators", "acme_one").name == name


def test_rights(team: TeamCatalog, new_team: object) -> None:
    database, builtin = team._sessions.engine, team.catalog().builtin
    workspace = team._workspace_id
    text = f"key,tdp_w,{SAID}\nnvidia_h100_sxm,650,{OURS}".encode()
    viewer = TeamCatalog(database, lambda: builtin, workspace, Actor(roles={workspace: "viewer"}))
    assert viewer.rows() == ()
    with pytest.raises(ForbiddenError):
        viewer.import_file(text, kind="accelerators")
    stranger = TeamCatalog(database, lambda: builtin, workspace, Actor(roles={workspace + 1: "owner"}))
    with pytest.raises(HiddenError):
        stranger.rows()
