"""Carbon of a run against published accounts."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.carbon.embodied import embodied_accelerators_kg, embodied_hosts_kg, embodied_pod_kg
from app.engine.economics.carbon.operational import operational_kg, operational_tdp_only_kg, run_energy_kwh
from app.engine.economics.carbon.section import Carbon, evaluate_carbon
from app.engine.specs import SuperNode
from tests.engine.economics.pods import facility, pod, with_assumptions
from tests.support import number


def carbon(**changes: object) -> Carbon:
    return evaluate_carbon(**pod(**changes))


def test_llama_3_1_model_card() -> None:
    # 30.84 million H100 hours at 700 W are printed as 8,930 t: 0.414 kg/kWh, accelerators alone.
    found = operational_tdp_only_kg(
        accelerator_tdp_power_w=number(16384 * 700),
        elapsed_time_s=number(30.84e6 * 3600 / 16384),
        carbon_intensity_kg_per_kwh=number(0.414),
    )
    assert found[0] == pytest.approx(8930e3, rel=0.005)


def test_bloom() -> None:
    # 433,195 kWh at 57 g/kWh are 24.69 t (arXiv 2211.02001).
    energy = run_energy_kwh(run_power_w=number(433195e3), elapsed_time_s=number(3600))
    found = operational_kg(run_energy_kwh=energy, carbon_intensity_kg_per_kwh=number(0.057))
    assert found[0] == pytest.approx(24.69e3, rel=0.001)


def test_dgx_h100_within_the_published_bound() -> None:
    # HGX H100 baseboard 1,312 kg (vendor); a DGX H100 is put at 3 to 5 t.
    values = with_assumptions()
    board = embodied_accelerators_kg(
        supernodes=number(1),
        spare_supernodes=number(0),
        accelerators_per_supernode=number(8),
        accelerator_embodied_kg=values.accelerator_embodied_kg,
    )
    hosts = embodied_hosts_kg(embodied_accelerators_kg=board, host_embodied_ratio=values.host_embodied_ratio)
    found = embodied_pod_kg(embodied_accelerators_kg=board, embodied_hosts_kg=hosts)
    assert board[0] == pytest.approx(1312)
    assert 3000 < found[0] < 5000


def test_meter_is_above_the_accelerators() -> None:
    found = carbon()
    assert found.run_energy_kwh[0] == pytest.approx(22e3 * (1 - 0.05 / 18) * 78 * 24)
    assert found.operational_kg[0] > 1.5 * found.operational_tdp_only_kg[0]
    assert found.total_kg[0] == found.operational_kg[0] + found.embodied_kg[0]
    assert found.embodied_kg[0] < found.embodied_pod_kg[0]


@pytest.mark.slow
@given(intensity=st.floats(0, 1.2))
def test_proportional_to_the_grid(intensity: float) -> None:
    one, many = carbon(facility=facility(carbon=1.0)), carbon(facility=facility(carbon=intensity))
    assert many.operational_kg[0] == pytest.approx(intensity * one.operational_kg[0])
    assert many.embodied_kg[0] == one.embodied_kg[0]


def test_contracts_take_their_share_off_the_market_based_figure_alone() -> None:
    """GHG Protocol, Scope 2: 80 % contracted free of carbon leaves a fifth; where it stands nothing changes."""
    plain = carbon()
    found = carbon(facility=replace(facility(), clean_energy_share=np.array([0.8])))
    assert plain.operational_market_kg is None
    assert found.operational_market_kg is not None
    assert found.operational_market_kg[0] == pytest.approx(0.2 * plain.operational_kg[0])
    assert found.operational_kg[0] == plain.operational_kg[0]
    assert found.total_kg[0] == plain.total_kg[0]


def test_unknown_intensity() -> None:
    found = carbon(facility=facility(carbon=np.nan))
    assert np.isnan(found.operational_kg[0])
    assert np.isnan(found.total_kg[0])
    assert found.embodied_kg[0] > 0
    assert isinstance(pod()["supernode"], SuperNode)
