"""A layout of a served model in words, as people order hardware by it."""

from __future__ import annotations

from app.engine.performance.serving.replica_load import Replica
from app.engine.specs import ServingLayout
from app.engine.trace import first_of

ONE_KIND = ("", "")


def layout_words(layout: ServingLayout, on: str = "") -> str:
    """Degrees that are not 1: `TP 8`, `DP 48, EP 48`; and the kind of SuperNode in a mixed pod: `TP 8 on DGX H100`."""
    degrees = {
        "TP": layout.tensor_parallel,
        "DP": layout.data_parallel,
        "PP": layout.pipeline_parallel,
        "CP": layout.context_parallel,
        "EP": layout.expert_parallel,
    }
    shown = [f"{name} {first_of(value):,.0f}" for name, value in degrees.items() if first_of(value) != 1]
    return (", ".join(shown) or "one accelerator") + (f" on {on}" if on else "")


def replica_words(replica: Replica, on: tuple[str, str] = ONE_KIND) -> str:
    """Of one replica: its layout, or the instances of its group with theirs.

    `on` are the kinds of SuperNode that decode and that prefill, of a mixed pod.
    """
    if replica.prefill is None or replica.prefill_instances is None:
        return layout_words(replica.decode, on[0])
    return (
        f"{first_of(replica.prefill_instances):,.0f} prefill ({layout_words(replica.prefill, on[1])}) and "
        f"{first_of(replica.decode_instances):,.0f} decode ({layout_words(replica.decode, on[0])})"
    )


def counted_words(replicas: float, replica: Replica, on: tuple[str, str] = ONE_KIND) -> str:
    """How the accelerators of some replicas come about: `40 GPUs = 5 replicas of TP 8`, in our words.

    The accelerators are those of whole replicas.
    """
    accelerators = replicas * first_of(replica.accelerators)
    plural = "replica" if replicas == 1 else "replicas"
    many = "accelerator" if accelerators == 1 else "accelerators"
    return f"{accelerators:,.0f} {many} = {replicas:,.0f} {plural} of {replica_words(replica, on)}"
