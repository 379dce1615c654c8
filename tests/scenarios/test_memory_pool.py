"""A memory pool of a SuperNode: what it adds, who reaches it, what refuses it, and what the work gains by it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.performance.serving.kv_cache import cache_tier, host_tier
from app.engine.specs import Design
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.scenarios.resolve.supernode import parts_of

CXL = {"technology": "cxl", "bytes_per_accelerator": 500e9}
HOSTS = {"technology": "host_memory", "bytes_per_accelerator": 100e9}
SESSIONS = {"turns": 8, "system_tokens": 1000, "added_tokens": 500, "answer_tokens": 300, "gap_s": 120}
SERVED: dict[str, Any] = {
    "workload": {
        "kind": "serving",
        "model": "llama_3_1_70b",
        "precision": "fp8",
        "requests": {"sessions": SESSIONS, "cache_tier": "accelerator"},
        "layout": {"tp": 4},
    },
    "supernode": {"system": "gb200_nvl72"},
    "pod": {"supernodes": 1},
}
TRAINED: dict[str, Any] = {
    "workload": {
        "kind": "training",
        "model": "llama_3_1_405b",
        "tokens": 1e12,
        "sequence_length": 8192,
        "global_batch_sequences": 1152,
    },
    "supernode": {"system": "gb200_nvl72"},
    "pod": {"supernodes": 16},
    "parallelism": {"tp": 4, "pp": 9, "recompute": "full", "offload": "optimizer", "offload_to": "pool"},
}
OF_PARTS: dict[str, Any] = {
    "custom": {
        "name": "own",
        "accelerator": "nvidia_gb200",
        "accelerators": 144,
        "nic_gbit_s": 400,
        "parts": {"accelerators_per_tray": 4, "processor": "cpu_grace"},
    }
}


def served(pool: dict[str, Any] | None = None, tier: str = "accelerator", **changes: Any) -> dict[str, Any]:
    values = copy.deepcopy(SERVED)
    values["workload"]["requests"]["cache_tier"] = tier
    values["workload"]["requests"]["sessions"] |= changes.pop("sessions", {})
    values |= changes
    values["supernode"] = copy.deepcopy(values["supernode"]) | ({"memory_pool": pool} if pool else {})
    return values


def design_of(values: dict[str, Any]) -> Design:
    return resolve(build_scenario(values), ready_catalog()).design


def refusal(values: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(ScenarioError) as caught:
        resolve(build_scenario(values), ready_catalog())
    return caught.value.errors[0].path, caught.value.errors[0].message


def test_modules_add_their_price_and_their_watts_to_a_catalog_system_by_hand() -> None:
    """500 GB for each of 72 at 10 USD and 0.26 W a GB, fed through supplies of 96.5 % and with fans of 6 %."""
    own, pooled = design_of(served()).supernode, design_of(served(CXL)).supernode
    assert pooled.price_usd[0] == own.price_usd[0]
    assert pooled.pool is not None
    assert pooled.pool.price_usd is not None
    modules_usd = pooled.pool.price_usd[0]
    assert modules_usd == pytest.approx(72 * 500 * 10)
    bought = [
        evaluate_scenario(build_scenario(served(pool)), ready_catalog()).evaluation.sections.cost
        for pool in (None, CXL)
    ]
    more = bought[1].capex_breakdown_usd["servers"][0] - bought[0].capex_breakdown_usd["servers"][0]
    assert more == pytest.approx(modules_usd)  # whatever the purchase channel makes of the system's price
    for name in ("max_power_w", "typical_power_w"):
        more = getattr(pooled, name)[0] - getattr(own, name)[0]
        assert more == pytest.approx(72 * 500 * 0.26 / (0.965 - 0.06))
    origin = resolve(build_scenario(served(CXL)), ready_catalog()).origins["supernode.pool.price_usd"]
    assert origin.kind == "derived"
    assert origin.low < modules_usd < origin.high


def test_modules_are_a_part_of_a_supernode_of_parts_and_memory_of_its_hosts_is_no_further_one() -> None:
    catalog = ready_catalog()
    plain, cxl, hosts = (
        parts_of(build_scenario(served(pool, supernode=OF_PARTS)), catalog) for pool in (None, CXL, HOSTS)
    )
    assert plain is not None
    assert cxl is not None
    assert hosts is not None
    line = next(one for one in cxl[1].parts.lines if one.name == "memory_pool")
    assert line.count[0] == 144
    assert line.total_price_usd[1] == pytest.approx(144 * 500 * 10)
    assert cxl[0].price_usd[0] == pytest.approx(cxl[1].parts.price_usd[1])
    more = cxl[1].parts.price_usd - plain[1].parts.price_usd
    assert np.all(more >= line.total_price_usd)  # racks may fill up, and all is assembled
    assert hosts[1].parts.price_usd == pytest.approx(plain[1].parts.price_usd)
    assert hosts[1].parts.rated_power_w == pytest.approx(plain[1].parts.rated_power_w)


def test_what_the_scenario_states_is_of_the_whole() -> None:
    stated = {"system": "gb200_nvl72", "override": {"price_usd": 4e6, "max_power_w": 140e3}}
    found = design_of(served(CXL, supernode=stated)).supernode
    assert found.price_usd[0] == 4e6
    assert found.max_power_w[0] == 140e3


def test_a_pool_of_the_hosts_takes_their_memory_and_never_outruns_the_links() -> None:
    """Over 60 drawn pools: bytes conserve, and no rate is above the scale-up links or the memory."""
    rng = np.random.default_rng(5)
    own = design_of(served())
    rooms = own.assumptions.rooms["performance"]
    whole = host_tier(own.supernode, rooms).capacity_bytes[0]
    for _ in range(60):
        pool = HOSTS | {
            "bytes_per_accelerator": float(rng.uniform(1e9, whole)),
            "bandwidth_bytes_per_s": float(10 ** rng.uniform(9, 13)),
        }
        found = design_of(served(pool))
        tier = cache_tier("pool", found.supernode, rooms)
        assert tier is not None
        left = host_tier(found.supernode, rooms).capacity_bytes[0]
        assert left + tier.capacity_bytes[0] == pytest.approx(whole)
        assert tier.link_bytes_per_s[0] <= found.supernode.accelerator.scale_up_bandwidth_bytes_per_s[0]
        assert tier.link_bytes_per_s[0] <= pool["bandwidth_bytes_per_s"]


def test_sessions_that_move_find_their_context_in_the_pool_alone() -> None:
    """One turn in 18 comes back to its replica: the host finds almost nothing, the pool as much as if all came back."""
    catalog = ready_catalog()
    moved = {"kept_share": 1 / 18}

    def performance(values: dict[str, Any]) -> Any:
        return evaluate_scenario(build_scenario(values), catalog).evaluation.sections.performance

    host = performance(served(tier="host", sessions=moved))
    pool = performance(served(HOSTS | {"bytes_per_accelerator": 200e9}, "pool", sessions=moved))
    kept = performance(served(HOSTS | {"bytes_per_accelerator": 200e9}, "pool"))
    assert host.context_hit_share[0] < 1 / 18
    assert pool.context_hit_share[0] == pytest.approx(kept.context_hit_share[0], rel=1e-6)
    assert pool.context_hit_share[0] > 0.5
    assert pool.tokens_per_s_per_accelerator[0] > 1.4 * host.tokens_per_s_per_accelerator[0]
    assert pool.saved_by_return_s[0] > 0


def trained(pool: dict[str, Any] | None, **parallelism: Any) -> Any:
    values = copy.deepcopy(TRAINED)
    values["parallelism"] |= parallelism
    if pool:
        values["supernode"]["memory_pool"] = pool
    return evaluate_scenario(build_scenario(values), ready_catalog()).evaluation


def test_states_in_a_pool_as_fast_as_the_host_take_its_step_and_slower_ones_longer() -> None:
    host = trained(None, offload_to="host").sections.performance
    alike = trained(HOSTS).sections.performance
    slow, slower = (
        trained(CXL | {"bandwidth_bytes_per_s": rate}).sections.performance for rate in (32e9, 16e9)
    )
    assert alike.step_time_s == pytest.approx(host.step_time_s)
    assert host.step_time_s[0] < slow.step_time_s[0] < slower.step_time_s[0]
    assert slow.memory_per_accelerator_bytes == pytest.approx(host.memory_per_accelerator_bytes)


def test_a_pool_that_is_too_small_is_a_problem_that_names_it() -> None:
    problems = [
        one for one in trained(CXL | {"bytes_per_accelerator": 1e9}).problems if one.kind == "infeasible"
    ]
    assert problems[0].constraint == "memory_pool"
    assert "the memory pool" in problems[0].message


@pytest.mark.parametrize(
    ("values", "path", "word"),
    [
        (
            served(HOSTS | {"bytes_per_accelerator": 300e9}),
            "supernode.memory_pool.bytes_per_accelerator",
            "240",
        ),
        (served(HOSTS, supernode={"system": "dgx_h100"}), "supernode.memory_pool.technology", "H100"),
        (served(tier="pool"), "workload.requests.cache_tier", "memory pool"),
        (copy.deepcopy(TRAINED), "parallelism.offload_to", "no memory pool"),
    ],
    ids=["more_than_the_hosts_have", "hosts_out_of_reach", "no_pool_to_cache_in", "no_pool_to_offload_to"],
)
def test_a_pool_that_cannot_be_is_refused_by_name(values: dict[str, Any], path: str, word: str) -> None:
    where, message = refusal(values)
    assert where == path
    assert word in message
