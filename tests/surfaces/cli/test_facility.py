"""podwright facility: what its commands print and write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.scenarios.load import build_scenario
from tests.scenarios.support import scenario
from tests.support import without_estimates


def test_components_caps_and_swing(run) -> None:
    code, out, err = run("facility", "it", "llama_3_1_405b_on_2048_dgx_h100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(
        "Load profile    auto, 0.70 of the rating without a cap; accelerators compute 70%"
    )
    (together,) = [line for line in lines if line.startswith("Total")]
    idle, at_work, peak, rated = (float(cell.replace(",", "")) for cell in together.split()[1:])
    assert at_work == pytest.approx(16_910, rel=5e-3)
    assert idle < at_work < peak < rated
    assert any(line.startswith("80%") for line in lines)
    assert "secondary source, low confidence" in out
    assert lines[-1].startswith("Steps ")


def test_blocks_and_what_losing_one_does(run) -> None:
    code, out, err = run("facility", "electrical", "llama_3_1_405b_on_2048_dgx_h100")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "Sized on        rating, NEC; 2N, ac_415, double_conversion"
    assert any(line.startswith("Rack feed") and "4 per rack" in line for line in lines)
    assert sum(line.startswith("UPS of pumps") for line in lines) == 2
    assert any(line.split()[0] == "distribution" for line in lines if line)


def test_what_is_unknown_is_said(run, tmp_path) -> None:
    path = tmp_path / "unknown.yaml"
    path.write_text(without_estimates("dense_128b_on_tpu_v5p").as_yaml())
    code, out, _ = run("facility", "electrical", str(path))
    assert code == 0
    assert "Fuel            unknown L" in out
    assert "unknown kW " not in out


LIQUID = "llama_3_1_405b_on_gb200_nvl72"


def test_loops_units_and_plants(run) -> None:
    code, out, err = run("facility", "cooling", LIQUID)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Plant           direct_liquid_adiabatic")
    assert any("1.50 L/min/kW" in line for line in lines)
    assert any(line.startswith("liquid to liquid") and "6 + 1" in line for line in lines)
    assert any(line.startswith("Coolant stops in the racks") and "on the UPS" in line for line in lines)
    assert any(line.startswith("direct_liquid_adiabatic") and line.endswith("chosen") for line in lines)


def test_as_json_with_a_tank(run) -> None:
    code, out, _ = run("facility", "cooling", LIQUID, "--json", "--tank", "500")
    assert code == 0
    found = json.loads(out)
    assert next(one for one in found["lost"] if one["lost"].startswith("Heat rejection"))["holds"]


def test_measures_curves_and_part_load(run) -> None:
    code, out, err = run("facility", "hours", "edge_node")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert any(line.startswith("Power usage effectiveness, annual") for line in lines)
    assert any(line.startswith("8,760 h") for line in lines)
    assert any(line.startswith("100%") for line in lines)
    assert lines[-1].startswith("PUE of a first year growing evenly over 12 months: 1.")


def test_every_hour_as_a_file(run, tmp_path: Path) -> None:
    file = tmp_path / "hours.csv"
    code, out, err = run("facility", "hours", "edge_node", "--csv", str(file))
    assert (code, out) == (0, "")
    assert "bytes" in err
    lines = file.read_text().splitlines()
    assert len(lines) == 8761
    assert lines[0].startswith("month,day,hour,dry_bulb_c,wet_bulb_c,pue,utility_w")


def test_the_first_limit_is_named_and_how_to_pass_it(run) -> None:
    code, out, err = run("facility", "racks", "llama_3_1_405b_on_gb200_nvl72")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("GB200 NVL72 (DGX GB200): the first limit is planned weight per rack")
    assert lines[1].startswith("Way out: Use racks that carry more (pod.floor.rack_weight_kg)")
    assert any(line.startswith("Feeds") and "4 of 60" in line for line in lines)
    assert any("QM9700" in line for line in lines[-3:])


def test_a_rack_that_does_not_fit_is_exit_3_where_it_must(run, tmp_path: Path) -> None:
    file = tmp_path / "pod.yaml"
    floor = {"nodes_per_rack": 5, "rack_power_w": 60e3}
    file.write_text(build_scenario(scenario(pod__supernodes=5, pod__floor=floor)).as_yaml())
    code, out, _ = run("facility", "racks", str(file))
    assert code == 0
    assert "is past a limit: heat to air" in out
    assert run("facility", "racks", str(file), "--require-fit")[0] == 3
    assert run("facility", "racks", "edge_node", "--require-fit")[0] == 0


@pytest.mark.slow
def test_a_line_a_site_in_order(run) -> None:
    code, out, err = run("facility", "sites", "edge_node", "--sort", "pue")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Least PUE: ")
    assert any(line.startswith("Place Site") for line in lines)
    assert sum("not ranked" in line for line in lines) == 3
    assert any("Stockholm *" in line for line in lines)
    assert any("262 km away" in line for line in lines)
    assert "no hourly series" in out
    assert "No other site beats these in cost and carbon at once" in out


@pytest.mark.slow
def test_sites_by_carbon_as_json(run) -> None:
    code, out, _ = run("facility", "sites", "edge_node", "--json", "--weights", "0,1,0,0")
    assert code == 0
    found = json.loads(out)
    carbon = [site["operational_kg"] for site in found["sites"] if site["place"] is not None]
    assert carbon == sorted(carbon)


def test_steps_and_verdict_as_text(run) -> None:
    code, out, err = run("facility", "savings", "edge_node", "--step", "liquid_cooling", "--step", "power_cap",
                         "--set", "power_cap=0.7")  # fmt: skip
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("Baseline        The same job on the same servers cooled by air")
    assert lines[4].startswith("Liquid cooling")
    assert lines[5].startswith("Power cap")
    assert "Not reached, with renewables counted or without." in out
