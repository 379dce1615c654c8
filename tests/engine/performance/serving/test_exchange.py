"""What ranks send each other: bytes by hand, networks by reach, never cheaper beyond a domain than within."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.collectives.shared_links import nothing_shared
from app.engine.performance.serving.exchange import (
    RESULT_BYTES,
    Copies,
    all_reduce_s,
    all_reduces,
    copies_of,
    exchange,
    expert_dispatch_s,
    reach_of,
    reaches_across,
    sending_s,
)
from app.engine.performance.serving.machine import ServingMachine
from app.engine.performance.serving.served_model import served_model
from app.engine.specs import ServingLayout
from tests.engine.performance.cases import deepseek_v3
from tests.engine.performance.serving import memory_cases as cases
from tests.engine.performance.serving.pods import tapered
from tests.engine.performance.serving.speed_cases import roofline
from tests.support import number

LAYOUTS = 300
HOPPER = {"scale_up_bandwidth_bytes_per_s": 450e9, "scale_out_bandwidth_bytes_per_s": 50e9}


def machine(domain: Any, **changes: Any) -> ServingMachine:
    values = HOPPER | {"domain_accelerators": domain} | changes
    links = values.pop("shared_links", nothing_shared())
    return dataclasses.replace(
        cases.machine(cases.GB200_BYTES),
        shared_links=links,
        **{name: np.atleast_1d(np.asarray(value, dtype=float)) for name, value in values.items()},
    )


def layout(tp: Any, dp: Any, ep: Any) -> ServingLayout:
    degrees = (np.atleast_1d(np.asarray(degree, dtype=float)) for degree in (tp, dp, ep))
    names = ("tensor_parallel", "data_parallel", "expert_parallel")
    return ServingLayout(pipeline_parallel=number(1), **dict(zip(names, degrees, strict=True)))


def copies(dp: Any, ep: Any, *, tp: Any = 1, domain: Any = 8, forwarded: bool) -> Copies:
    chosen = layout(tp, dp, ep)
    reach = reach_of(chosen.tensor_parallel * chosen.data_parallel, machine(domain))
    return copies_of(served_model(deepseek_v3()), chosen, reach, forwarded=forwarded)


def seconds(chosen: ServingLayout, on: ServingMachine, *, decoding: bool, tokens: float = 4096) -> Any:
    """Of experts' exchange alone, with what engines were fitted to reach of their links."""
    return exchange(
        model=served_model(deepseek_v3()),
        parts=cases.parts(),
        layout=chosen,
        machine=on,
        reduced_tokens=number(tokens),
        dispatched_tokens=number(tokens),
        speedup=number(1),
        decoding=decoding,
        assumptions=roofline(
            dispatch_bandwidth_share=0.3,
            forward_bandwidth_share=0.5,
            across_bandwidth_share=0.85,
            across_exposed=0.6,
        ),
    )[1]


def test_all_reduce_by_hand() -> None:
    """Two ranks, 100 tokens of 4,096: 2 x 1/2 x 100 x 4,096 x 2 B at 1 GB/s, and 5 us x (1 + 0.2)."""
    found = all_reduce_s(
        all_reduces=number(1), tokens=number(100), hidden=number(4096), tensor_parallel=number(2),
        latency_s=number(5e-6), growth=number(0.2), across_latency_s=number(1), across=number(0),
        bytes_per_s=number(1e9),
    )  # fmt: skip
    assert found[0] == pytest.approx(6e-6 + 819200 / 1e9)


@pytest.mark.parametrize(
    ("tensor", "data", "norm", "expected"),
    [(1, 1, 0, 0), (8, 1, 0, 120), (4, 2, 0, 60), (8, 1, 2, 180), (8, 1, 1, 120)],
)
def test_all_reduces_of_a_pass(tensor: float, data: float, norm: float, expected: float) -> None:
    """60 layers: two each; with replicas of attention one; norms over all heads one more."""
    found = all_reduces(
        layers=number(60),
        query_key_norm=number(norm),
        tensor_parallel=number(tensor),
        data_parallel=number(data),
    )
    assert found[0] == expected


def sending(**changes: float) -> float:
    values = {
        "tokens": 2, "token_bytes": 7168 * 3, "copies": 8, "copies_across": 4, "across": 1,
        "within_bytes_per_s": 1e11, "across_bytes_per_s": 4e10, "exposed": 0.5,
    } | changes  # fmt: skip
    return float(sending_s(**{name: number(value) for name, value in values.items()})[0])


def test_sending_by_hand() -> None:
    """Two tokens of 7,168 to 8 experts, one byte there and two back, at 100 GB/s within a domain.

    Beyond it half of them over 40 GB/s, half of that hidden: less than handling all of them. Over 10 GB/s it is more.
    """
    handled = 2 * 7168 * 8 * 3 / 1e11
    assert sending(across=0) == pytest.approx(handled)
    assert sending() == pytest.approx(handled)
    assert sending(across_bytes_per_s=1e10) == pytest.approx(0.5 * 2 * 7168 * 4 * 3 / 1e10)


def test_dispatch_by_hand() -> None:
    """58 layers of two latencies, each longer beyond the domain, and the sending."""
    common = {"expert_layers": number(58), "latency_s": number(1e-5), "across_latency_s": number(2e-5)}
    found = expert_dispatch_s(data_parallel=number(16), across=number(1), sending_s=number(1e-4), **common)
    assert found[0] == pytest.approx(58 * (6e-5 + 1e-4))
    alone = expert_dispatch_s(data_parallel=number(1), across=number(0), sending_s=number(1e-4), **common)
    assert alone[0] == 0  # one replica of attention dispatches nothing


def test_copies_of_a_decoded_token_go_straight_to_its_experts() -> None:
    """8 experts over 32 ranks in four domains of 8: three quarters of them leave their domain."""
    found = copies(32, 32, forwarded=False)
    assert (found.all[0], found.across[0]) == (8, 6)
    inside = copies(4, 4, forwarded=False)
    assert (inside.all[0], inside.across[0]) == (4, 0)


def test_copies_of_a_prompt_leave_once_for_each_domain() -> None:
    """Three other domains, each with any of 8 experts with a chance of 1 - 0.75^8; then to every rank with one."""
    found = copies(32, 32, forwarded=True)
    assert found.across[0] == pytest.approx(3 * (1 - 0.75**8))
    assert found.all[0] == pytest.approx(32 * (1 - (31 / 32) ** 8))
    assert copies(8, 8, forwarded=True).across[0] == 0


def test_slices_of_an_expert_all_need_the_token() -> None:
    """64 ranks, experts whole on 8 of them and cut over 8: with 8 experts nearly every rank needs the token."""
    whole, cut = copies(64, 64, forwarded=False), copies(64, 8, forwarded=False)
    assert (whole.all[0], cut.all[0]) == (8, 64)
    assert copies(64, 1, forwarded=False).all[0] == 64
    reached = copies(64, 8, forwarded=True)
    assert reached.all[0] == pytest.approx(64 * (1 - (7 / 8) ** 8))
    assert copies(64, 1, forwarded=True).across[0] == pytest.approx(7)  # slices lie in all eight domains


def test_tensor_ranks_share_the_tokens_of_their_replica() -> None:
    one, four = layout(1, 8, 8), layout(4, 2, 8)
    on = machine(8)
    assert seconds(one, on, decoding=False)[0] == pytest.approx(4 * seconds(four, on, decoding=False)[0])


@given(ranks=st.integers(1, 1024), domain=st.integers(1, 576))
def test_an_instance_within_its_domain_stays_there(ranks: int, domain: int) -> None:
    found = reaches_across(ranks=number(ranks), domain_accelerators=number(domain))
    assert found[0] == (1 if ranks > domain else 0)


def drawn() -> tuple[ServingLayout, Any, Any, Any]:
    """Layouts of all kinds, the domain they are on, and bandwidths: scale-up no less than scale-out."""
    rng = np.random.default_rng(21)
    tp = 2.0 ** rng.integers(0, 4, LAYOUTS)
    dp = rng.integers(2, 160, LAYOUTS).astype(float)
    ranks = (tp * dp).astype(int)
    over = [float(rng.choice([d for d in range(1, n + 1) if n % d == 0])) for n in ranks.tolist()]
    domain = np.maximum(rng.choice([4.0, 8.0, 16.0, 32.0, 72.0, 384.0], LAYOUTS), tp)
    out = 10 ** rng.uniform(9.5, 11.5, LAYOUTS)
    return layout(tp, dp, np.array(over)), domain, out * 10 ** rng.uniform(0, 1.5, LAYOUTS), out


@pytest.mark.parametrize("decoding", [True, False])
def test_beyond_a_domain_is_never_cheaper_than_within_one(decoding: bool) -> None:
    chosen, domain, up, out = drawn()
    links = {"scale_up_bandwidth_bytes_per_s": up, "scale_out_bandwidth_bytes_per_s": out}
    across = seconds(chosen, machine(domain, **links), decoding=decoding)
    within = seconds(chosen, machine(1e6, **links), decoding=decoding)
    assert np.isfinite(across).all()
    assert (across >= within * (1 - 1e-12)).all()
    assert (across > within * 1.01).any()  # and mostly dearer, or the link would not be counted


@pytest.mark.parametrize("decoding", [True, False])
def test_more_bandwidth_is_never_slower(decoding: bool) -> None:
    chosen, domain, up, out = drawn()
    base = seconds(
        chosen,
        machine(domain, scale_up_bandwidth_bytes_per_s=up, scale_out_bandwidth_bytes_per_s=out),
        decoding=decoding,
    )
    for faster in ((2 * up, out), (up, 2 * out), (2 * up, 2 * out)):
        links = dict(zip(HOPPER, faster, strict=True))
        assert (seconds(chosen, machine(domain, **links), decoding=decoding) <= base * (1 + 1e-12)).all()


@pytest.mark.parametrize("decoding", [True, False])
def test_bytes_are_at_least_those_that_tokens_need(decoding: bool) -> None:
    """A token must reach every other rank with any of its experts, and a partial result come back from each."""
    chosen, domain, up, out = drawn()
    ranks = chosen.tensor_parallel * chosen.data_parallel
    needed = ranks * (1 - (1 - 1 / chosen.expert_parallel) ** 8) - 1
    link = {"scale_up_bandwidth_bytes_per_s": up, "scale_out_bandwidth_bytes_per_s": out}
    tokens = 4096 / chosen.tensor_parallel
    m = deepseek_v3()
    least = m.expert_layers * tokens * m.hidden * (cases.parts().exchange_element_bytes + RESULT_BYTES)
    assert (seconds(chosen, machine(domain, **link), decoding=decoding) >= least * needed / up).all()


@pytest.mark.parametrize("decoding", [True, False])
def test_one_rank_more_than_a_domain_costs_what_it_carries(decoding: bool) -> None:
    """Expert parallelism over 9 ranks of two boxes is no bargain against 8 within one."""
    on = machine(8)
    within, beyond = (seconds(layout(1, n, n), on, decoding=decoding)[0] for n in (8, 9))
    assert within <= beyond


def test_prompts_over_more_domains_send_more() -> None:
    on = machine(8, scale_out_bandwidth_bytes_per_s=5e9)
    found = [seconds(layout(1, 8 * n, 8 * n), on, decoding=False)[0] for n in (1, 2, 3, 4, 8, 16)]
    assert found == sorted(found)
    assert found[1] > 3 * found[0]


@pytest.mark.parametrize("decoding", [True, False])
def test_an_oversubscribed_fabric_slows_instances_wider_than_its_unit(decoding: bool) -> None:
    """Units of 32 accelerators, three links down for each one up, and links so slow that they set the time."""
    slow = {"scale_out_bandwidth_bytes_per_s": 5e9}
    fabric = {"shared_links": tapered(32, 3)}
    # half of what 8 domains send is for those of the other leaf, 4 of 7 others
    for ranks, slower in ((32, 1.0), (64, 3 * 4 / 7)):
        chosen = layout(1, ranks, ranks)
        even = seconds(chosen, machine(8, **slow), decoding=decoding)
        uneven = seconds(chosen, machine(8, **slow, **fabric), decoding=decoding)
        assert uneven[0] == pytest.approx(slower * even[0])
