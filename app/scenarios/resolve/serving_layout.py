"""The layout of a served model as stated, and what is wrong with one that no engine could run."""

from __future__ import annotations

import math

from app.engine.specs import Pod
from app.engine.specs.serving import ServingLayout, ServingPlan
from app.engine.specs.workload import Architecture
from app.engine.trace import Array
from app.scenarios.document.serving_layout import KINDS, InstanceDocument, SplitDocument
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.resolve.inputs import Inputs

FIELD = "workload.layout"
PLAN = "workload.plan"
DEGREES = {
    "tp": "tensor_parallel",
    "dp": "data_parallel",
    "pp": "pipeline_parallel",
    "cp": "context_parallel",
}


def serving_plan(
    inputs: Inputs,
    document: str | InstanceDocument | SplitDocument,
    architecture: Architecture,
    pod: Pod,
    kinds: int = 0,
) -> ServingPlan | None:
    """The layout as stated, None where the engine is to choose one; `kinds` are further ones of the pod's SuperNodes.

    Raises
    ------
    ScenarioError : it does not fit the model or the pod; one message a fault
    """
    if isinstance(document, str):
        return None
    if isinstance(document, InstanceDocument):
        instances = {FIELD: document}
    else:
        instances = {f"{FIELD}.prefill": document.prefill, f"{FIELD}.decode": document.decode}
    faults = [
        fault
        for field, one in instances.items()
        for fault in (*_faults(one, field, architecture), *_not_there(one, field, kinds))
    ] or _beyond_the_pod(instances, pod)
    if faults:
        raise ScenarioError(faults)
    if isinstance(document, InstanceDocument):
        count = document.instances
        return ServingPlan(
            decode=_layout(inputs, document, f"{PLAN}.decode", FIELD, architecture),
            decode_instances=None
            if count is None
            else inputs.scenario(f"{PLAN}.decode_instances", count, f"{FIELD}.instances"),
            prefill=None,
            prefill_instances=None,
            decode_on=_kind_of(document, kinds),
        )
    return ServingPlan(
        decode=_layout(inputs, document.decode, f"{PLAN}.decode", f"{FIELD}.decode", architecture),
        decode_instances=_count(inputs, document.decode, "decode"),
        prefill=_layout(inputs, document.prefill, f"{PLAN}.prefill", f"{FIELD}.prefill", architecture),
        prefill_instances=_count(inputs, document.prefill, "prefill"),
        decode_on=_kind_of(document.decode, kinds),
        prefill_on=_kind_of(document.prefill, kinds),
    )


def _kind_of(document: InstanceDocument, kinds: int) -> int | None:
    """The stated kind of SuperNode by its place; None where it is open, or there is one kind."""
    return None if document.on == "auto" or not kinds else KINDS.index(document.on)


def _not_there(document: InstanceDocument, field: str, kinds: int) -> list[InputError]:
    """A fault where the pod has no such kind of SuperNode."""
    there = KINDS[: kinds + 1]
    if document.on == "auto" or document.on in there:
        return []
    further = f"{kinds} further kind{'' if kinds == 1 else 's'}" if kinds else "no further kinds"
    return [
        _fault(
            f"{field}.on", document.on, f"on is {document.on}, and pod.also has {further} of SuperNode.",
            f"Choose {' or '.join(there)}, or state the kind in pod.also.",
        )
    ]  # fmt: skip


def refuse_parallelism(document: object) -> None:
    """Refuse a training layout of a served model.

    Raises
    ------
    ScenarioError : the scenario states one
    """
    if not isinstance(document, str):
        raise refuse(
            "parallelism is the layout of a training job, and this scenario serves a model.",
            rule="workload_kind",
            path="parallelism",
            value=None,
            hint="Leave parallelism out, and state workload.layout: {tp: 8}, or prefill and decode.",
        )


def _layout(
    inputs: Inputs, document: InstanceDocument, path: str, field: str, architecture: Architecture
) -> ServingLayout:
    degrees = {
        name: inputs.scenario(f"{path}.{name}", float(getattr(document, short)), f"{field}.{short}")
        for short, name in DEGREES.items()
    }
    expert_path = f"{path}.expert_parallel"
    if document.ep is None:
        expert_parallel = inputs.derived(
            expert_path,
            float(_experts_over(document, architecture)),
            "ranks that whole experts are spread over",
            "tp x dp x cp where attention is data-parallel or prompts are cut, else 1; 1 of a model without experts",
        )
    else:
        expert_parallel = inputs.scenario(expert_path, float(document.ep), f"{field}.ep")
    return ServingLayout(
        expert_parallel=expert_parallel,
        redundant_experts=inputs.scenario(
            f"{path}.redundant_experts", float(document.redundant_experts), f"{field}.redundant_experts"
        ),
        **degrees,
    )


def _count(inputs: Inputs, document: InstanceDocument, name: str) -> Array:
    path, field = f"{PLAN}.{name}_instances", f"{FIELD}.{name}.instances"
    if document.instances is None:
        return inputs.derived(path, 1.0, f"{name} instances of a group", "one where the scenario states none")
    return inputs.scenario(path, float(document.instances), field)


def _experts_over(document: InstanceDocument, architecture: Architecture) -> int:
    if document.ep is not None:
        return document.ep
    copies = document.dp * document.cp
    return document.tp * copies if copies > 1 and architecture.experts[0] > 0 else 1


def _faults(document: InstanceDocument, field: str, a: Architecture) -> list[InputError]:
    heads, layers, experts = (round(float(number[0])) for number in (a.heads, a.layers, a.experts))
    ranks, ep = document.tp * document.dp * document.cp, _experts_over(document, a)
    faults = []
    if document.cp > 1 and a.linear_layers[0] > 0:
        faults.append(
            _fault(
                f"{field}.cp", document.cp, f"{a.name} has recurrent layers, which pass a state from token to token, and "
                "cutting prompts of them over ranks is not modelled.", "State cp: 1.",
            )
        )  # fmt: skip
    if document.cp > 1 and field == f"{FIELD}.decode":
        faults.append(
            _fault(
                f"{field}.cp", document.cp, "cp cuts prompts over ranks, and decode instances read none.",
                f"State cp: 1 here, or {FIELD}.prefill.cp.",
            )
        )  # fmt: skip
    if heads % document.tp:
        faults.append(
            _fault(
                f"{field}.tp", document.tp, f"tp {document.tp} does not divide the {heads} heads of {a.name}.",
                f"Nearest: {_nearest_divisors(heads, document.tp)}.",
            )
        )  # fmt: skip
    if document.pp > layers:
        faults.append(
            _fault(
                f"{field}.pp", document.pp, f"pp {document.pp} is more than the {layers} layers of {a.name}.",
                f"Choose at most {layers}.",
            )
        )  # fmt: skip
    if not experts:
        for name, value in (("ep", document.ep or 1), ("redundant_experts", document.redundant_experts)):
            if value > (1 if name == "ep" else 0):
                faults.append(
                    _fault(f"{field}.{name}", value, f"{a.name} has no experts to spread.", "Leave it out.")
                )
        return faults
    if ranks % ep:
        faults.append(
            _fault(
                f"{field}.ep", ep, f"ep {ep} does not divide the {ranks} ranks of tp {document.tp} x dp {document.dp}{_cut_words(document)}.",
                f"Nearest: {_nearest_divisors(ranks, ep)}.",
            )
        )  # fmt: skip
    held = experts + document.redundant_experts
    if held % ep:
        more = document.redundant_experts + -held % ep
        words = f" and {document.redundant_experts} copies" if document.redundant_experts else ""
        faults.append(
            _fault(
                f"{field}.ep", ep, f"ep {ep} does not divide the {experts} experts of {a.name}{words}.",
                f"Choose {_nearest_divisors(held, ep)}, or state redundant_experts: {more}.",
            )
        )  # fmt: skip
    return faults


def _beyond_the_pod(instances: dict[str, InstanceDocument], pod: Pod) -> list[InputError]:
    used = round(float(pod.accelerators_used[0]))
    sizes = {field: _size(one) * (one.instances or 1) for field, one in instances.items()}
    asked = sum(sizes.values())
    if asked <= used:
        return []
    path = max(sizes, key=lambda field: sizes[field])
    one = instances[path]
    size = _size(one)
    parts = f"tp {one.tp} x dp {one.dp} x pp {one.pp}{_cut_words(one)}" + (
        f" x {one.instances}" if one.instances else ""
    )
    return [
        _fault(
            path, f"{asked:,} accelerators",
            f"The layout asks for {asked:,} accelerators ({parts} in {path}), and the job has {used:,}.",
            f"Choose at most {used // size} instances, smaller degrees, or more pod.supernodes."
            if size <= used
            else f"Choose degrees whose product is at most {used:,}, or more pod.supernodes.",
        )
    ]  # fmt: skip


def _size(document: InstanceDocument) -> int:
    return document.tp * document.dp * document.pp * document.cp


def _cut_words(document: InstanceDocument) -> str:
    return f" x cp {document.cp}" if document.cp > 1 else ""


def _fault(path: str, value: object, message: str, hint: str) -> InputError:
    return InputError(path=path, value=value, rule="layout", message=message, hint=hint)


def _nearest_divisors(number: int, wanted: int) -> str:
    """The divisors of a number on either side of a wanted one.

    >>> _nearest_divisors(64, 7)
    '4 or 8'
    """
    divisors = {
        d
        for small in range(1, math.isqrt(number) + 1)
        if not number % small
        for d in (small, number // small)
    }
    below = max((divisor for divisor in divisors if divisor <= wanted), default=None)
    above = min((divisor for divisor in divisors if divisor > wanted), default=None)
    return " or ".join(str(divisor) for divisor in (below, above) if divisor is not None)
