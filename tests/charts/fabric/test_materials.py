"""Money and power of a bill by role."""

from __future__ import annotations

import pytest

from app.charts.fabric.materials import RoleSum, power_figure, price_figure, role_sums
from tests.charts.support import traces

SWITCHES = RoleSum("switch", "Switches", 3e5, 4e5, 5e5, 9_000)
MODULES = RoleSum("module", "Optical modules", 5e5, 6e5, 9e5, 8_000)
PANELS = RoleSum("patch_panel", "Patch panels", None, None, None, 0)


def test_bars_are_typical_prices_with_their_ranges() -> None:
    figure = price_figure([SWITCHES, MODULES])
    (bars,) = traces(figure)
    assert bars["x"] == [4e5, 6e5]
    assert bars["error_x"]["array"] == [1e5, 3e5]
    assert bars["error_x"]["arrayminus"] == [1e5, 1e5]
    assert figure.takeaway.startswith("Optical modules are 60")
    assert len(figure.rows) == 2


def test_a_role_without_a_price_stands_in_the_table_alone() -> None:
    figure = price_figure([SWITCHES, PANELS])
    assert traces(figure)[0]["y"] == ["Switches"]
    assert figure.rows[1].cells == ("Patch panels", "not published", "not published")
    assert figure.takeaway.endswith("of what is priced.")


def test_power_leaves_out_what_draws_none() -> None:
    figure = power_figure([SWITCHES, MODULES, PANELS])
    assert traces(figure)[0]["x"] == [9_000, 8_000]
    assert figure.takeaway.startswith("Switches draw 53")


@pytest.mark.parametrize("figure", [price_figure([PANELS]), power_figure([PANELS])])
def test_without_a_known_figure_nothing_is_drawn(figure) -> None:
    assert figure.plot is None
    assert "published" in figure.takeaway


def test_roles_add_up_over_networks_and_unknown_spreads() -> None:
    def line(role: str, price: float | None, power: float) -> dict[str, object]:
        return {"role": role, "power_w": power, "price_usd": dict.fromkeys(("low", "typical", "high"), price)}

    answer = {"lines": [line("switch", 1.0, 2.0), line("switch", 2.0, 3.0), line("nic", None, 0.0)]}
    switches, nics = role_sums(answer, {"switch": "Switches", "nic": "NICs", "dpu": "DPUs"})
    assert (switches.typical_usd, switches.power_w) == (3.0, 5.0)
    assert nics.typical_usd is None
