"""Media of 400 Gbit/s links on 100 Gbit/s lanes, as the catalog has them, for tests."""

from __future__ import annotations

from typing import Any

from app.engine.fabric.media.medium import FREE, Medium, Piece, PriceRange


def price(typical: float) -> PriceRange:
    return PriceRange(low=0.8 * typical, typical=typical, high=1.3 * typical)


def cable(key: str, family: str, reach_m: float, usd: float, watts: float, **changes: Any) -> Medium:
    """A cable with fixed ends that carries two links."""
    end = Piece(key=key, name=f"{key} end", price=FREE, power_w=watts)
    whole = Piece(key=key, name=key, price=price(usd), power_w=2 * watts)
    return _medium(key, family, reach_m, end, whole, captive=True, **changes)


def modules(key: str, family: str, reach_m: float, usd: float, watts: float, **changes: Any) -> Medium:
    """A twin-port module at each end, and a fibre of 87 USD a link."""
    end = Piece(key=key, name=key, price=price(usd), power_w=watts)
    fibre = Piece(key="mpo_trunk", name="MPO jumper", price=price(87), power_w=0.0)
    return _medium(key, family, reach_m, end, fibre, captive=False, **changes)


def _medium(
    key: str, family: str, reach_m: float, end: Piece, whole: Piece, *, captive: bool, links: int = 2
) -> Medium:
    return Medium(
        key=key,
        name=key,
        family=family,
        links=links,
        node_links=links,
        link_bandwidth_bytes_per_s=50e9,
        reach_m=reach_m,
        end_latency_s=0.0,
        switch_end=end,
        node_end=end,
        cable=whole,
        captive=captive,
    )


DAC = cable("dac", "copper", 2, 245, 0.1)
LACC = cable("lacc", "active_copper", 5, 387, 1.5)
SR4 = modules("sr4", "multimode", 50, 990, 15)
DR4 = modules("dr4", "single_mode", 100, 1241, 16)
FR4 = modules("fr4", "single_mode", 2000, 1700, 17)
LPO = modules("lpo", "lpo", 500, 800, 8.5)
ALL = (DAC, LACC, SR4, DR4, FR4, LPO)
