"""The parallel layout of a scenario, and what is wrong with one that cannot be laid out."""

from __future__ import annotations

from typing import Any

from app.catalog.frameworks import SEARCHED, STATED, automatic_frameworks, frameworks
from app.engine.performance.context_exchange import CONTEXT_EXCHANGES, RING
from app.engine.performance.memory_tiers import HOST, POOL, TIERS
from app.engine.performance.schedules import CODES
from app.engine.performance.section import layout_errors
from app.engine.specs import Framework, Layout, Pod, SuperNode, TrainingWorkload
from app.scenarios.document.layout import COUNTS, SWITCHES
from app.scenarios.document.pod import PodDocument
from app.scenarios.document.scenario import ParallelismDocument
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.software import hardware_of

FRAMEWORK_RULE = "framework"
OFFLOADED = {"optimizer_offload": ("optimizer", "both"), "activation_offload": ("activations", "both")}


def layout(inputs: Inputs, document: ParallelismDocument | str, framework: Framework) -> Layout | None:
    """The layout as stated, None where the engine is to search for one; `framework` decides what is left to it."""
    if isinstance(document, str):
        return None
    numbers = {
        name: inputs.scenario(f"layout.{name}", float(getattr(document, short)), f"parallelism.{short}")
        for short, name in (COUNTS | {switch: switch for switch in SWITCHES}).items()
    }
    stated = document.recompute
    share = {"none": 0.0, "selective": 0.0, "full": 1.0}.get(str(stated), stated)
    parts = {"recompute": float(share), "selective_recompute": float(stated == "selective")}
    numbers |= {
        name: inputs.scenario(f"layout.{name}", value, "parallelism.recompute")
        for name, value in parts.items()
    }
    group = document.shard_group
    numbers["shard_ranks"] = inputs.scenario(
        "layout.shard_ranks", 0.0 if group == "all" else float(group), "parallelism.shard_group"
    )
    reshard = document.pp == 1 if document.reshard == "auto" else document.reshard == "yes"
    numbers["reshard"] = inputs.scenario("layout.reshard", float(reshard), "parallelism.reshard")
    etp = document.etp
    numbers["expert_tensor_ranks"] = inputs.scenario(
        "layout.expert_tensor_ranks", 0.0 if etp == "auto" else float(etp), "parallelism.etp"
    )
    for name, words in OFFLOADED.items():
        numbers[name] = inputs.scenario(
            f"layout.{name}", float(document.offload in words), "parallelism.offload"
        )
    tiers = {word: code for code, word in TIERS.items()} | {"auto": HOST}
    numbers["offload_tier"] = inputs.scenario(
        "layout.offload_tier", tiers[document.offload_to], "parallelism.offload_to"
    )
    numbers["pipeline_inside"] = inputs.scenario(
        "layout.pipeline_inside", float(document.inside == "pipeline"), "parallelism.inside"
    )
    ways = {word: code for code, word in CONTEXT_EXCHANGES.items()}
    usual = framework.context_parallel[0] if framework.context_parallel else CONTEXT_EXCHANGES[RING]
    way = usual if document.context == "auto" else document.context
    numbers["context_exchange"] = inputs.scenario("layout.context_exchange", ways[way], "parallelism.context")
    numbers["schedule"] = inputs.scenario("layout.schedule", CODES[document.schedule], "parallelism.schedule")
    return Layout(**numbers)


def refuse_layout(document: ParallelismDocument | str) -> None:
    """Refuse a layout of a job that is no language model.

    Raises
    ------
    ScenarioError : the scenario states one
    """
    if not isinstance(document, str):
        raise refuse(
            "A generic job has no tensor, pipeline or data parallelism.",
            rule="workload_kind",
            path="parallelism",
            value=None,
            hint="Leave parallelism out; how its accelerators form a grid stands in workload.communication.",
        )


def refuse_domain_part(pod: PodDocument, words: str) -> None:
    """Refuse accelerators left out of each domain where no layout is the reason; `words` end the message.

    Raises
    ------
    ScenarioError : the scenario states it
    """
    if pod.accelerators_per_domain_used != "all":
        raise refuse(
            f"is of pods that {words}",
            rule="workload_kind",
            path="pod.accelerators_per_domain_used",
            value=pod.accelerators_per_domain_used,
            hint="Set it to all.",
        )


def check_layout(
    workload: TrainingWorkload,
    supernode: SuperNode,
    pod: Pod,
    layout: Layout | None,
    framework: Framework,
    generation: str,
) -> None:
    """Refuse a layout that cannot be, or that the framework does not run, and a precision that it does not train in.

    Raises
    ------
    ScenarioError : one message a fault, with the nearest valid choices; of a framework with the others that run it
    """
    if layout is None:
        if workload.precision not in framework.precisions:
            words = (
                f"{framework.name} trains in {', '.join(framework.precisions)}, not in {workload.precision}."
            )
            able = [one.key for one in _current(generation) if workload.precision in one.precisions]
            raise ScenarioError([_refused_by(framework, "workload.precision", words, able)])
        return
    job: Any = {"workload": workload, "supernode": supernode, "pod": pod, "layout": layout}
    if refused := layout_errors(**job, framework=framework):
        if faults := layout_errors(**job):  # in any framework
            raise ScenarioError(
                InputError(path=field, value=None, rule="layout", message=message)
                for field, message in faults
            )
        able = [one.key for one in _current(generation) if not layout_errors(**job, framework=one)]
        raise ScenarioError(_refused_by(framework, field, message, able) for field, message in refused)


def _current(generation: str) -> list[Framework]:
    """Frameworks that are in use on a generation, those that `auto` compares first."""
    hardware = hardware_of(generation)
    keys = (*automatic_frameworks(hardware, SEARCHED), *automatic_frameworks(hardware, STATED))
    return [frameworks()[key] for key in keys]


def _refused_by(framework: Framework, field: str, message: str, able: list[str]) -> InputError:
    hint = f"software.framework {' or '.join(able)} runs it." if able else "No framework in use runs it."
    return InputError(path=field, value=None, rule=FRAMEWORK_RULE, message=message, hint=hint)


def check_pooled(document: ParallelismDocument, *supernodes: SuperNode) -> None:
    """Nothing where every SuperNode has the pool that something is offloaded to.

    Raises
    ------
    ScenarioError : one has none
    """
    if document.offload_to != TIERS[POOL] or document.offload == "none":
        return
    for one in supernodes:
        if one.pool is None:
            raise refuse(
                f"is pool, and {one.name} has no memory pool.",
                rule="offload_tier",
                path="parallelism.offload_to",
                value=document.offload_to,
                hint="State supernode.memory_pool, or offload to the host.",
            )
