"""Weights of a served model in the memory of the host: what the engine does with them, on which machines."""

from __future__ import annotations

from app.catalog.serving_engines import has_feature
from app.engine.performance.serving.setting import EXPERTS, LAYERS
from app.engine.specs import Accelerator
from app.engine.specs.serving import HostWay, HostWeights
from app.scenarios.document.serving import ENGINES, HostWeightsDocument, runs_on
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

PATH = "workload.host_weights"
STREAM, COMPUTE = "stream", "compute"
ONE_MEMORY = "shared with the processor"
"""By which the catalog says that accelerator and host have one memory."""


def host_weights(
    inputs: Inputs,
    document: HostWeightsDocument,
    *,
    engine: str,
    version: str | None,
    accelerator: Accelerator,
    mixture: bool,
) -> HostWeights | None:
    """Weights in the memory of the host as stated; None where all lie in the accelerators' own.

    Raises
    ------
    ScenarioError : the machine has one memory, the model no experts, or the engine cannot
    """
    if document.part == "none":
        return None
    if has_one_memory(inputs, accelerator):
        raise refuse(
            f"{accelerator.name} and its processor have one memory, so nothing is gained by weights in the host.",
            rule="host_weights",
            path=f"{PATH}.part",
            value=document.part,
            hint="Leave it out, or choose a smaller number format.",
        )
    if document.part == EXPERTS and not mixture:
        raise refuse(
            "names experts, and the model has none.",
            rule="host_weights",
            path=f"{PATH}.part",
            value=document.part,
            hint="State layers or auto.",
        )
    found = _possible(document, engine, version, mixture)
    if found is None:
        raise _cannot(document, engine, version, accelerator, mixture)
    return HostWeights(
        way=found,
        share=inputs.derived(
            f"{PATH}.share", 0.0, "share of the weights in the host, to begin a search with", "share is auto"
        )
        if isinstance(document.share, str)
        else inputs.scenario(f"{PATH}.share", document.share),
        auto=isinstance(document.share, str),
    )


def host_way(
    inputs: Inputs, *, engine: str, version: str | None, accelerator: Accelerator, mixture: bool
) -> HostWay | None:
    """What part: auto would be, as a way out of too little memory; None where the engine or the machine has none."""
    if has_one_memory(inputs, accelerator):
        return None
    return _possible(HostWeightsDocument(part="auto"), engine, version, mixture)


def has_one_memory(inputs: Inputs, accelerator: Accelerator) -> bool:
    """Return whether an accelerator of the catalog shares its memory with the processor."""
    if accelerator.key not in inputs.catalog.keys("accelerators"):
        return False
    kind = str(inputs.catalog.part("accelerators", accelerator.key).attributes.get("memory_type", ""))
    return ONE_MEMORY in kind


def _possible(
    document: HostWeightsDocument, engine: str, version: str | None, mixture: bool
) -> HostWay | None:
    """The part and the way that the engine has of those that are asked for, experts before layers."""
    parts = (EXPERTS, LAYERS) if mixture else (LAYERS,)
    for part in parts if document.part == "auto" else (document.part,):
        for way in (COMPUTE, STREAM) if document.way == "auto" else (document.way,):
            if has_feature(engine, f"{part}_{way}", version):
                return HostWay(
                    part=part,
                    computed=way == COMPUTE,
                    prefill_crosses=has_feature(engine, f"{part}_fetched_for_prompts", version),
                )
    return None


def _cannot(
    document: HostWeightsDocument, engine: str, version: str | None, accelerator: Accelerator, mixture: bool
) -> Exception:
    able = [
        one
        for one in ENGINES
        if one != "auto"
        and runs_on(one, accelerator.vendor)
        and _possible(document, one, None, mixture) is not None
    ]
    what = "weights" if document.part == "auto" else f"weights of {document.part}"
    how = {STREAM: " and fetches them when they are used", COMPUTE: " to be multiplied there"}.get(
        document.way, ""
    )
    named = f"{engine} {version}" if version else engine
    return refuse(
        f"{named} keeps no {what} in the host{how}.",
        rule="host_weights",
        path=f"{PATH}.part" if document.way == "auto" else f"{PATH}.way",
        value=document.part if document.way == "auto" else document.way,
        hint=f"State {' or '.join(able)} as workload.engine.name, or leave it out."
        if able
        else "Leave it out.",
    )
