"""Specs built by hand for tests of single rooms; figures as in the catalog."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
import os
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from app.catalog.assumptions import choose, read_assumptions
from app.engine.specs import Accelerator, Architecture, Assumptions, SuperNode, TrainingWorkload
from app.engine.trace import Array
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.examples import example

ROOT = Path(__file__).resolve().parents[1]
SEED_DATA = ROOT / "seed_data"
SWEEPS = "PODWRIGHT_TEST_SWEEPS"
Record = TypeVar("Record")
Case = TypeVar("Case")


@functools.cache
def sweeps() -> str:
    """What decides which part of a sweep is tried: the commit, unless PODWRIGHT_TEST_SWEEPS says otherwise.

    `all` tries all parts. Whatever else it says decides as a commit does: a run is repeated by what its head says.
    """
    command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
    asked = os.environ.get(SWEEPS, "")
    return (
        asked or subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip() or "none"
    )


def part_of(cases: Iterable[Case], *, parts: int = 3) -> list[Case]:
    """One part of many cases of one kind, spread over all: another one for another commit."""
    if sweeps() == "all":
        return [*cases]
    return [*cases][int(hashlib.sha256(sweeps().encode()).hexdigest(), 16) % parts :: parts]


@functools.cache
def described_api() -> dict[str, Any]:
    """The description of the API as docs/ has it: making it takes seconds, and test_openapi.py holds the two equal."""
    found: dict[str, Any] = json.loads((ROOT / "docs" / "openapi.json").read_bytes())
    return found


@functools.cache
def read_example(key: str) -> ScenarioDocument:
    """A worked example as a document, read once: YAML takes its time."""
    return example(key).read()


def without_estimates(key: str) -> ScenarioDocument:
    """A worked example with what no one publishes left unknown."""
    return read_example(key).model_copy(update={"estimates": {}})


def number(value: float) -> Array:
    return np.array([value], dtype=float)


def build(kind: type[Record], **values: Any) -> Record:
    """A spec record; numbers become arrays of shape (1,)."""
    return kind(
        **{
            name: number(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
            for name, value in values.items()
        }
    )


def assumptions(room: str, kind: type[Record], **context: str) -> Record:
    """A room's assumptions as its CSV file states them, for a context such as generation="hopper"."""
    rows = read_assumptions(SEED_DATA / "assumptions" / f"{room}.csv")
    values = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        row = choose(rows, field.name, context)
        assert row is not None, f"seed_data/assumptions/{room}.csv has no {field.name} for {context}"
        values[field.name] = number(row.value)
    return kind(**values)


def llama_3_1_405b() -> Architecture:
    return build(
        Architecture, key="llama_3_1_405b", name="Llama 3.1 405B", attention="gqa",
        layers=126, attention_layers=126, hidden=16384, heads=128, kv_heads=8, head_dim=128,
        vocabulary=128256, tied_embedding=0, feed_forward_hidden=53248, mlp_matrices=3,
        experts=0, experts_per_token=0, shared_experts=0, expert_hidden=0, expert_layers=0,
        latent_query_rank=0, latent_kv_rank=0, latent_nope_dim=0, latent_rope_dim=0,
        latent_value_dim=0, window_layers=0, window_tokens=0, published_parameters=405e9,
    )  # fmt: skip


def llama_405b_training() -> TrainingWorkload:
    return build(
        TrainingWorkload, architecture=llama_3_1_405b(), tokens=15.6e12,
        sequence_length=8192, global_batch_sequences=2048, prediction_modules=0,
        precision="bf16", measured_over_predicted=1,
    )  # fmt: skip


def h100() -> Accelerator:
    return build(
        Accelerator, key="nvidia_h100_sxm", name="H100 SXM5 80GB", vendor="NVIDIA",
        generation="hopper", peak_flop_per_s=989.4e12, peak_16_bit_flop_per_s=989.4e12,
        achievable_16_bit_flop_per_s=794.5e12, memory_bytes=85520809984,
        memory_bandwidth_bytes_per_s=3.35e12, scale_up_bandwidth_bytes_per_s=450e9,
        scale_up_pair_bandwidth_bytes_per_s=450e9, tdp_w=700, idle_w=75, price_usd=27500,
    )  # fmt: skip


def dgx_h100() -> SuperNode:
    return build(
        SuperNode, key="dgx_h100", name="DGX H100", accelerator=h100(), accelerators=8,
        scale_up_domain_accelerators=8, host_memory_bytes=2e12, scale_up_topology="switched", scale_up_latency_s=1e-6,
        nodes=1, scale_out_nics=8, scale_out_nic_bandwidth_bytes_per_s=50e9, max_power_w=10200,
        typical_power_w=8000, liquid_share=0, cooling="air", racks=0.25, rack_units=8,
        price_usd=330000, price_is_listed=1, price_includes_nics=True, price_includes_network=0,
    )  # fmt: skip


def replaced_at(item: Any, place: str, value: Any) -> Any:
    """The same with another value at a place such as `assumptions.operations.failures_per_node_day`, in no tuple."""
    name, _, rest = place.partition(".")
    if isinstance(item, Assumptions):
        return Assumptions(rooms={**item.rooms, name: replaced_at(item.rooms[name], rest, value)})
    inner = replaced_at(getattr(item, name), rest, value) if rest else value
    return dataclasses.replace(item, **{name: inner})
