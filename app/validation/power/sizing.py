"""Power that racks and trays are designed for."""

from __future__ import annotations

import re

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.facility.it.power import accelerator_tdp_power_w
from app.scenarios.evaluation.service import EvaluatedScenario
from app.validation.power.asked import Asked, Predicted
from app.validation.power.evaluated import ANY_JOB, evaluated
from app.validation.power.hardware import hardware_of
from app.validation.rows import UnsupportedRowError

ACCELERATORS = re.compile(r"(\d[\d,]*) (?:gpu|accelerator)s?")
PROCESSORS = re.compile(r"(\d+) (?:cpu|processor)s?")


def scalable_unit(asked: Asked) -> Predicted:
    """Every SuperNode of a unit at its rating, with the network between them and storage."""
    hardware = hardware_of(asked.statement, asked.neighbours, asked.catalog)
    said = asked.statement.said
    if found := ACCELERATORS.search(said):
        supernodes = _whole(int(found[1].replace(",", "")) / hardware.accelerators)
    elif (racks := asked.statement.racks) and "racks" in hardware.system.facts:
        supernodes = _whole(racks / hardware.system.facts["racks"].value)
    else:
        raise UnsupportedRowError("it says neither how many accelerators nor how many racks the unit has")
    document = {
        "name": "Scalable unit",
        "workload": ANY_JOB,
        "supernode": hardware.supernode,
        "pod": {"supernodes": supernodes},
        "operations": {"spares": 0},
    }
    found_power = evaluated(asked.catalog, document)
    design_w = float(found_power.evaluation.sections.power.it_power_design_w[0])
    if np.isnan(design_w):
        raise UnsupportedRowError(f"the power of its network is not known: {_unknown_parts(found_power)}")
    return Predicted(
        value=design_w,
        assumed=(*hardware.assumed, f"{supernodes} x {hardware.system.name}, network and storage"),
    )


def compute_tray(asked: Asked) -> Predicted:
    """TDP of the accelerators and processors of a tray."""
    hardware = hardware_of(asked.statement, asked.neighbours, asked.catalog)
    said = asked.statement.said
    facts = hardware.system.facts
    trays = facts["nodes"].value if "nodes" in facts else 1
    accelerators = _stated(ACCELERATORS, said, facts["accelerators"].value / trays)
    processors = _stated(PROCESSORS, said, facts["cpus"].value / trays)
    accelerator = asked.catalog.part("accelerators", hardware.accelerator)
    if "tdp_w" not in accelerator.facts:
        raise UnsupportedRowError(f"the TDP of {accelerator.name} is not known")
    cpu = _processor(hardware.system, asked.catalog)
    total_w = accelerator_tdp_power_w(
        accelerators_used=np.array([accelerators, processors]),
        tdp_w=np.array([accelerator.facts["tdp_w"].value, cpu.facts["max_power_w"].value]),
    ).sum()
    return Predicted(
        value=float(total_w),
        assumed=(f"{accelerators:g} x {accelerator.name}, {processors:g} x {cpu.name}, at their TDP",),
    )


def _unknown_parts(found: EvaluatedScenario) -> str:
    """Parts of the catalog of which something is not known."""
    fields = {problem.field for problem in found.problems if problem.kind == "missing_input"}
    return ", ".join(sorted(field for field in fields if "/" in field)) or "no part is named"


def _stated(pattern: re.Pattern[str], said: str, usual: float) -> float:
    found = pattern.search(said)
    return float(found[1].replace(",", "")) if found else usual


def _processor(system: Part, catalog: Catalog) -> Part:
    """The processor of a system by the name that stands in its entry."""
    model = str(system.attributes.get("cpu_model", ""))
    for part in catalog.parts("cpus"):
        if part.name.partition(" (")[0].lower() in model.lower() and "max_power_w" in part.facts:
            return part
    raise UnsupportedRowError(f"the TDP of {model or 'its processors'} is not known")


def _whole(supernodes: float) -> int:
    if supernodes < 1 or supernodes != int(supernodes):
        raise UnsupportedRowError(f"the unit is {supernodes:g} of the catalog's systems, not a whole number")
    return int(supernodes)
