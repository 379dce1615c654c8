"""save, scenarios, and commands on what was saved."""

from __future__ import annotations

import json
import shutil

import pytest

from app.saved.imports import import_file
from app.settings import get_settings
from tests.catalog.weather.files import as_bytes, epw_lines
from tests.surfaces.cli.conftest import EDGE_NODE, FLAGSHIP

pytestmark = pytest.mark.slow

NAME = "Edge node, Llama 3.1 8B"


@pytest.fixture(scope="module")
def edge_id() -> str:
    """The edge node saved, with a second revision that is another design."""
    from app.surfaces.cli.common import saved_work_here

    saved, document = saved_work_here(), import_file(EDGE_NODE).as_dict()
    first = saved.create("scenario", document, note="first", tags=["edge"])
    document["economics"]["utilisation"] = 0.5
    saved.replace("scenario", first.id, document, version=None, note="half used")
    return first.id


def test_save_prints_the_id_that_evaluate_takes(run, tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(EDGE_NODE.read_text("utf-8").replace(NAME, "Saved by hand"), encoding="utf-8")
    code, out, _ = run("save", path, "--note", "a start", "--tag", "mine", "--tag", "small")
    assert code == 0
    id = out.split()[0]
    assert run("evaluate", id) == run("evaluate", path)
    assert run("evaluate", "Saved by hand") == run("evaluate", path)
    assert run("explain", id, "performance.mfu") == run("explain", path, "performance.mfu")
    listed = json.loads(run("scenarios", "--search", "by hand", "--json")[1])
    assert [one["id"] for one in listed] == [id]
    assert listed[0]["tags"] == ["mine", "small"]
    assert listed[0]["note"] == "a start"


def test_save_makes_a_further_revision_of_what_is_there(run, tmp_path):
    id = run("save", FLAGSHIP)[1].split()[0]
    code, out, _ = run("save", FLAGSHIP, "--id", id, "--note", "again", "--tag", "big", "--json")
    assert code == 0
    saved = json.loads(out)
    assert (saved["id"], saved["revision"], saved["note"], saved["tags"]) == (id, 2, "again", ["big"])


def test_a_file_of_an_older_revision_is_merged_or_told_both_values(run, tmp_path):
    text = EDGE_NODE.read_text("utf-8").replace(NAME, "Merged by hand")
    base, mine, theirs, both = (tmp_path / f"{name}.yaml" for name in ("base", "mine", "theirs", "both"))
    base.write_text(text, encoding="utf-8")
    mine.write_text(text.replace("tokens: 1e9", "tokens: 2e9"), encoding="utf-8")
    theirs.write_text(text.replace("spares: 0", "spares: 1"), encoding="utf-8")
    both.write_text(text.replace("tokens: 1e9", "tokens: 3e9"), encoding="utf-8")
    id = run("save", base)[1].split()[0]
    assert run("save", theirs, "--id", id)[0] == 0
    code, out, err = run("save", mine, "--id", id, "--base-revision", "1", "--json")
    assert (code, json.loads(out)["revision"]) == (0, 3)
    assert err == "Merged with revision 2; taken from there: Spare units.\n"
    code, out, err = run("save", both, "--id", id, "--base-revision", "1")
    assert (code, out) == (2, "")
    assert "Training tokens (yours 3000000000.0, theirs 2000000000.0)" in err
    assert "--prefer theirs" in err
    assert run("save", both, "--id", id, "--base-revision", "1", "--prefer", "mine")[0] == 0
    saved = run("export", id)[1]
    assert "spares: 1" in saved
    assert "3000000000" in saved or "3e9" in saved


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([EDGE_NODE, "--base-revision", "1"], "needs --id"),
        ([EDGE_NODE, "--id", "0" * 32, "--prefer", "mine"], "needs --base-revision"),
        ([EDGE_NODE, "--id", "0" * 32, "--base-revision", "1", "--prefer", "ours"], "mine, theirs"),
        (["none.yaml"], "does not exist"),
        ([EDGE_NODE, "--id", "0" * 32], "There is no saved scenario"),
        ([EDGE_NODE, "--tag", ""], "tag"),
    ],
)
def test_what_cannot_be_saved_is_one_clear_message(run, words, said):
    code, out, err = run("save", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert len(err.strip().splitlines()) == 1


def test_scenarios_lists_what_is_saved(run, edge_id):
    line = next(line for line in run("scenarios")[1].splitlines() if line.startswith(edge_id))
    assert line.endswith(f"revision 2  {NAME}  [edge]")
    assert "there are more" in run("scenarios", "--limit", "1")[1]
    assert run("scenarios", "--tag", "no one-has-this")[1] == "No saved scenario matches.\n"


def test_a_revision_is_exported_as_it_was(run, edge_id):
    first, second = (
        json.loads(run("export", edge_id, "--what", "evaluation", "--revision", str(number))[1])
        for number in (1, 2)
    )
    assert first["saved"]["note"] == "first"
    assert first["cost"]["usd_per_run"] < second["cost"]["usd_per_run"]
    assert second["scenario"]["economics"]["utilisation"] == 0.5
    code, _, err = run("export", edge_id, "--revision", "9")
    assert code == 2
    assert "revision 9" in err


ROWS = {
    "models": "key,name,organisation,family,layers,hidden,heads,feed_forward_hidden,vocabulary,source,as_of,value_kind\n"
    "ours_1b,Ours 1B,Acme,dense,16,2048,32,8192,128256,Own model,2026-11,assumption\n",
    "prices": "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "ours_dgx,dgx_h100,As quoted,USD/system,quote,284123.7,Quote 4711,2026-05-01,vendor\n",
}
RESTS_ON_OWN = """name: Ours
workload: {kind: training, model: ours_1b, tokens: 1e11, sequence_length: 8192, global_batch_sequences: 256}
supernode: {system: dgx_h100}
"""


@pytest.mark.parametrize("ending", ["yaml", "json", "xlsx"])
def test_own_rows_come_along_into_a_fresh_database(run, tmp_path, seeded_data_dir, monkeypatch, ending):
    for kind, text in ROWS.items():
        (tmp_path / f"{kind}.csv").write_text(text, encoding="utf-8")
        assert run("catalog", "import", tmp_path / f"{kind}.csv")[0] == 0
    (tmp_path / "own.yaml").write_text(RESTS_ON_OWN, encoding="utf-8")
    there = json.loads(run("evaluate", tmp_path / "own.yaml", "--json")[1])
    whole, without = tmp_path / f"whole.{ending}", tmp_path / f"without.{ending}"
    assert run("export", tmp_path / "own.yaml", "--own-prices", "-o", whole)[0] == 0
    assert (
        "own prices were left out (price of dgx_h100)"
        in run("export", tmp_path / "own.yaml", "-o", without)[2]
    )
    fresh = shutil.copytree(seeded_data_dir, tmp_path / "data")
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(fresh))
    get_settings.cache_clear()
    code, out, err = run("evaluate", whole)
    assert (code, out) == (2, "")
    assert "podwright save FILE" in err
    id, said = run("save", without)[1].split()[0], run("save", without)[2]
    assert "Own prices were left out: price of dgx_h100." in said
    here = json.loads(run("evaluate", id, "--json")[1])
    assert here["performance"] == there["performance"]
    assert here["cost"]["supernode_price_usd"] != there["cost"]["supernode_price_usd"]
    code, out, said = run("save", whole)
    assert code == 0, said
    assert "Own rows added: prices/ours_dgx." in said
    here = json.loads(run("evaluate", out.split()[0], "--json")[1])
    assert {**here, "provenance": there["provenance"]} == there
    get_settings.cache_clear()


EVERY_KIND = {
    "models": ROWS["models"],
    "systems": "key,name,vendor,category,year,status,accelerator_key,accelerators,scale_up_domain_accelerators,nodes,"
    "max_power_kw,typical_power_kw,cooling,rack_units,weight_kg,scale_up_gb_s_bidir_per_accel,scale_out_nics,"
    "scale_out_nic_gbit_s,source,as_of,value_kind\n"
    "ours_node,Our node,Acme,server,2026,shipping,nvidia_h100_sxm,8,8,1,10.3,8.1,air,8,131.7,900,8,400,Measured,2026-11,measured\n",
    "sites": "key,city,country,climate_key,rankable,elevation_m,carbon_g_per_kwh,electricity_usd_per_kwh,source,as_of,value_kind\n"
    "ours_graz,Graz,AT,graz_2023,yes,353,158.3,0.1137,Contract,2026-11,vendor\n",
    "prices": "key,part_key,item,unit,condition,typical,source,as_of,value_kind\n"
    "ours_price,ours_node,As quoted,USD/system,quote,284123.7,Quote 4711,2026-05-01,vendor\n",
}
RESTS_ON_EVERY_KIND = RESTS_ON_OWN.replace("dgx_h100", "ours_node") + "facility: {site: ours_graz}\n"


@pytest.mark.parametrize("ending", ["yaml", "json", "xlsx"])
def test_an_own_model_part_price_site_and_climate_give_identical_figures_elsewhere(
    run, tmp_path, seeded_data_dir, monkeypatch, ending
):
    own = shutil.copytree(seeded_data_dir, tmp_path / "own")
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(own))
    get_settings.cache_clear()
    (tmp_path / "graz.epw").write_bytes(as_bytes(epw_lines()))
    said = run("catalog", "climate", tmp_path / "graz.epw", "--key", "graz_2023", "--source", "Own station")
    assert said[0] == 0, said
    for kind, text in EVERY_KIND.items():
        (tmp_path / f"{kind}.csv").write_text(text, encoding="utf-8")
        said = run("catalog", "import", tmp_path / f"{kind}.csv")
        assert said[0] == 0, said
    (tmp_path / "own.yaml").write_text(RESTS_ON_EVERY_KIND, encoding="utf-8")
    there = json.loads(run("evaluate", tmp_path / "own.yaml", "--json")[1])
    assert there["cost"]["supernode_price_usd"] is not None
    file = tmp_path / f"file.{ending}"
    assert run("export", tmp_path / "own.yaml", "--own-prices", "-o", file)[0] == 0
    fresh = shutil.copytree(seeded_data_dir, tmp_path / "fresh")
    monkeypatch.setenv("PODWRIGHT_DATA_DIR", str(fresh))
    get_settings.cache_clear()
    code, out, said = run("save", file, "--dry-run")
    assert (code, out) == (0, "")
    for row in (
        "models/ours_1b",
        "systems/ours_node",
        "sites/ours_graz",
        "prices/ours_price",
        "climate/graz_2023",
    ):
        assert row in said
    assert "No saved scenarios" in run("scenarios")[1]
    assert run("catalog", "models", "ours_1b")[0] == 2, "a preview writes nothing"
    code, out, said = run("save", file)
    assert code == 0, said
    here = json.loads(run("evaluate", out.split()[0], "--json")[1])
    assert {**here, "provenance": there["provenance"]} == there
    get_settings.cache_clear()
