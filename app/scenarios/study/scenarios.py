"""A candidate of a study as the scenario that it stands for."""

from __future__ import annotations

from typing import Any

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import build_scenario
from app.scenarios.study.candidates import CandidateDocument, NetworkDocument
from app.scenarios.study.document import StudyDocument

BUILDING = {"own": "owned", "colocate": "colocation", "rent_reserved": "owned", "rent_on_demand": "owned"}
"""Building that a pod is evaluated in by its terms; rented capacity is evaluated as if owned, and paid by the
hour."""
RENTED = {"rent_reserved": "reserved", "rent_on_demand": "on_demand"}


def candidate_key(candidate: CandidateDocument) -> str:
    """The name of a candidate everywhere: its choices joined by slashes.

    >>> candidate_key(CandidateDocument(system="gb200_nvl72", supernodes=8, site="oslo"))
    'gb200_nvl72/8/as_sold/first/workload/auto/oslo/own'
    """
    layout = (
        "auto" if isinstance(candidate.layout, str) else candidate.layout.model_dump_json(exclude_none=True)
    )
    parts = (
        candidate.system,
        str(candidate.supernodes),
        "as_sold" if candidate.domain_size is None else str(candidate.domain_size),
        candidate.network or "first",
        candidate.number_format or "workload",
        layout,
        candidate.site,
        candidate.terms,
    )
    return "/".join(parts)


def network_of(study: StudyDocument, name: str | None) -> NetworkDocument:
    """The network of a name, the first one without."""
    networks = study.candidates.networks
    return next((one for one in networks if one.name == name), networks[0])


def candidate_values(
    study: StudyDocument, candidate: CandidateDocument, *, serving: bool = False
) -> dict[str, Any]:
    """The scenario of a candidate as plain values: its training, or what it serves."""
    common = study.common.model_dump(mode="json", exclude_none=True)
    supernode: dict[str, Any] = {"system": candidate.system}
    if candidate.domain_size is not None:
        supernode["override"] = {
            "accelerators": candidate.domain_size,
            "scale_up_domain_accelerators": candidate.domain_size,
        }
    if study.workload.training is None or serving:
        assert study.workload.serving is not None, "the document says that there is something to do"
        workload = study.workload.serving.model_dump(mode="json", exclude_none=True)
    else:
        workload = study.workload.training.model_dump(mode="json", exclude_none=True)
        if candidate.number_format is not None:
            workload["precision"] = candidate.number_format
    fabric = network_of(study, candidate.network).fabric.model_dump(mode="json", exclude_none=True)
    layout = candidate.layout
    trains = workload["kind"] == "training"
    return {
        "name": f"{study.name[:120]}: {candidate.supernodes:,} {candidate.system}"[:200],
        "workload": workload,
        "supernode": supernode,
        "pod": {"supernodes": candidate.supernodes, "fabric": fabric},
        "parallelism": layout if isinstance(layout, str) or not trains else layout.model_dump(mode="json", exclude_none=True),
        "facility": common["facility"] | {"site": candidate.site},
        "operations": common["operations"],
        "economics": common["economics"] | {"building": BUILDING[candidate.terms]},
        "uncertainty": common["uncertainty"],
        "assumptions": common["assumptions"],
    }  # fmt: skip


def candidate_scenario(
    study: StudyDocument, candidate: CandidateDocument, *, serving: bool = False
) -> ScenarioDocument:
    """The scenario of a candidate.

    Raises
    ------
    ScenarioError : no scenario can have these choices
    """
    return build_scenario(candidate_values(study, candidate, serving=serving))
