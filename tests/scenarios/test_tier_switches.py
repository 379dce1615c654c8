"""Switches and rate of the tiers above the leaves, from the document to bill and cables."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.fabric.cables import cables_of
from app.views.fabric.materials import BillOptions, fabric_bill
from tests.scenarios.every_input.designs import merged
from tests.support import read_example

SMALL = {
    "workload": {"global_batch_sequences": 256},
    "pod": {"supernodes": 256},
    "parallelism": {"tp": 8, "pp": 8, "vpp": 1, "micro_batch": 1},
}


def evaluated(**fabric: Any) -> EvaluatedScenario:
    base = read_example("llama_3_1_405b_on_2048_dgx_h100").model_dump(mode="json", exclude_unset=True)
    values = merged(copy.deepcopy(base), SMALL)
    values["pod"]["fabric"] = {"topology": "rail_fat_tree", "management_ports": 0} | fabric
    return evaluate_scenario(build_scenario(values), ready_catalog())


HPN = {
    "switch": "th5", "planes": 2, "nic_gbit_s": 400, "uplink_gbit_s": 400, "oversubscription": 16 / 15,
    "scalable_unit_supernodes": 128,
}  # fmt: skip
CHASSIS = {
    "topology": "fat_tree", "switch": "th4", "spine_switch": "arista_7800r3_576", "scalable_unit_supernodes": 2, "tiers": 3,
    "spine_oversubscription": 7,
}  # fmt: skip
FORMS = {"switch": "th4", "spine_switch": "th5"}


@pytest.mark.parametrize("fabric", [HPN, CHASSIS, FORMS])
def test_bill_of_pieces_and_bill_of_the_evaluation_count_alike(fabric: dict[str, Any]) -> None:
    design = evaluated(**fabric)
    bill = fabric_bill(design, ready_catalog(), BillOptions())
    for difference in bill.differences:
        if difference.group != "NICs and DPUs":
            assert difference.bought == pytest.approx(difference.evaluated_bought, abs=8), difference.group
    assert not [problem for problem in bill.problems if problem.constraint == "reach"]


def test_modules_at_the_ends_of_a_link_are_those_of_their_cages() -> None:
    """QSFP-DD of 400 Gbit/s in the leaf, two links of single-mode fibre a module of 800 Gbit/s in the spine."""
    bill = fabric_bill(evaluated(**FORMS), ready_catalog(), BillOptions())
    modules = {line.item: (line.piece.key, line.installed) for line in bill.lines if line.role == "module"}
    links = 256 * 8
    assert modules["Spine links: lower switch modules"] == ("dr4_400g_qsfpdd", links)
    assert modules["Spine links: switch modules"][1] == links / 2
    assert "OSFP" in str(ready_catalog().part("optics", modules["Spine links: switch modules"][0]).attributes)
    switches = {line.item: line.piece.key for line in bill.lines if line.role == "switch"}
    assert switches == {"Leaf switches": "th4", "Spine switches": "th5"}


def test_ports_of_four_links_down_and_two_links_up_have_the_names_of_their_breakouts() -> None:
    compute = cables_of(evaluated(**HPN), ready_catalog())[0]
    of = compute.graph.links
    leaf = compute.graph.of_kind("leaf")[0]
    down = compute.text(np.flatnonzero((of.tier == 0) & (of.upper == leaf)))["Z-Port"].tolist()
    up = compute.text(np.flatnonzero((of.tier == 1) & (of.lower == leaf)))["A-Port"].tolist()
    assert sorted(down) == sorted(
        f"swp{cage}s{place}".encode() for cage in range(1, 33) for place in range(4)
    )
    assert sorted(up) == sorted(f"swp{cage}s{place}".encode() for cage in range(33, 63) for place in range(2))


@pytest.mark.parametrize(
    ("fabric", "path", "words"),
    [
        ({"switch": "th4", "uplink_gbit_s": 800}, "pod.fabric.uplink_gbit_s", "carries 400"),
        ({"switch": "qm9700", "spine_switch": "sn5600"}, "pod.fabric.spine_switch", "speaks Ethernet"),
        ({"switch": "qm9700", "spine_switch": "qm8700"}, "pod.fabric.spine_switch", "lanes of 50"),
        ({"switch": "th5", "core_switch": "th5_bailly"}, "pod.fabric.core_switch", "optics inside"),
        ({"switch": "th5", "spine_switch": "nothing"}, "pod.fabric.spine_switch", "nothing"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_a_way_out(
    fabric: dict[str, Any], path: str, words: str
) -> None:
    with pytest.raises(ScenarioError) as error:
        evaluated(**fabric)
    fault = error.value.errors[0]
    assert fault.path == path
    assert words in fault.message
    assert fault.hint
