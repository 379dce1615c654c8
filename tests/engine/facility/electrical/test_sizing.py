"""Units and ratings from the utility feed to the shelf: hand-worked, published, limiting cases."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.electrical.kinds import KINDS
from app.engine.facility.electrical.redundancy import SCHEMES
from app.engine.facility.electrical.sizing import preferred_rating_w, size_chain
from tests.engine.facility.cases import defaults
from tests.engine.facility.electrical.cases import chain_of, electrical, loads_of, sized
from tests.support import number


def of(sizing, kind):
    """The figures of one kind of block."""
    at = sizing.kinds.index(kind)
    return {
        field.name: getattr(sizing, field.name)[at]
        for field in dataclasses.fields(sizing)
        if field.name != "kinds"
    }


@pytest.mark.parametrize(
    ("power", "rating"), [(1.0e6, 1.0e6), (1.01e6, 1.25e6), (3.2e3, 4e3), (8.01e5, 1e6), (630, 630)]
)
def test_preferred_ratings(power, rating):
    assert preferred_rating_w(power_w=number(power))[0] == pytest.approx(rating)


def test_what_is_unknown_has_no_rating():
    assert np.isnan(preferred_rating_w(power_w=number(np.nan))[0])


def test_an_nvl72_takes_four_feeds_and_four_shelves_on_each_side():
    """Eight shelves of 33 kW, N+N, as in the DGX GB200 user guide; one feed of 60 A at 415 V each."""
    chain = chain_of("2N")
    found = sized(chain, *loads_of(chain))
    feed, shelf = of(found, "rack_feed"), of(found, "shelf")
    assert (feed["needed"], feed["sharing"], feed["breaker_a"]) == (4, 8, 60)
    assert (shelf["needed"], shelf["sharing"]) == (4, 8)
    assert shelf["normal_load"] == pytest.approx(0.5)
    assert feed["places"] == 16


def test_switchboards_by_hand():
    chain = chain_of("2(N+1)")
    loads, racks = loads_of(chain, supernodes=40)
    board = of(sized(chain, loads, racks), "switchboard")
    load = loads.it_w[0] + loads.losses_w["distribution"][0]
    assert board["load_w"] == pytest.approx(load)
    assert board["needed"] == 3  # of 2.5 MW at most, for 5.6 MW
    assert board["rating_w"] == pytest.approx(2e6)  # the next above 1.87 MW
    assert board["normal_load"] == pytest.approx(load / (8 * 2e6))
    one_path = of(sized(chain_of("N+1"), loads, racks), "switchboard")
    assert one_path["sharing"] == 3  # a spare unit above is no second path
    assert board["current_a"] == pytest.approx(2e6 / (3**0.5 * 415 * 0.98))
    assert board["breaker_a"] == 4000


def test_direct_current_has_a_rectifier_and_no_transformer_to_low_voltage():
    chain = chain_of("2N", distribution="dc_800")
    found = sized(chain, *loads_of(chain))
    assert "lv_transformer" not in found.kinds
    assert chain.title("ups") == "Rectifier"
    assert of(found, "rack_feed")["rating_w"] == pytest.approx(800 * 250 * 0.8)
    assert of(found, "rack_feed")["needed"] == 1


def test_rack_batteries_leave_out_the_ups_but_not_that_of_the_pumps():
    chain = chain_of("2N", ups="rack_batteries")
    kinds = sized(chain, *loads_of(chain)).kinds
    assert "ups" not in kinds
    assert "pump_ups" in kinds


def test_thin_and_hot_air_takes_more_generators_and_larger_transformers():
    chain = chain_of("N+1")
    loads, racks = loads_of(chain, supernodes=120)
    low, high = sized(chain, loads, racks), sized(chain, loads, racks, elevation_m=2200, dry_bulb_c=48)
    assert of(high, "generator")["needed"] > of(low, "generator")["needed"]
    assert of(high, "lv_transformer")["capacity_w"] < of(high, "lv_transformer")["rating_w"]
    assert of(high, "ups")["capacity_w"] == of(high, "ups")["rating_w"]


def test_generators_carry_the_site_at_their_usual_load_with_the_spares_of_the_scheme():
    chain = chain_of("2N")
    loads, racks = loads_of(chain, supernodes=120)
    found = of(sized(chain, loads, racks), "generator")
    assert found["needed"] == np.ceil(loads.site_w[0] / (0.875 * 2.5e6))
    assert found["sharing"] == 2 * found["needed"]
    assert of(sized(chain_of("N+1"), loads, racks), "generator")["sharing"] == found["needed"] + 1
    assert of(sized(chain_of("N"), loads, racks), "generator")["sharing"] == found["needed"]


def test_iec_carries_the_whole_current_of_a_breaker():
    chain = chain_of("2N", standard="iec")
    feed = of(sized(chain, *loads_of(chain)), "rack_feed")
    assert feed["rating_w"] == pytest.approx(45.3e3 * 0.98, rel=1e-3)
    assert (feed["needed"], feed["breaker_a"]) == (3, 63)


def test_a_size_of_nought_is_no_unit():
    chain = chain_of("2N")
    loads, racks = loads_of(chain)
    found = size_chain(
        chain=chain,
        loads=loads,
        racks=number(racks),
        derating={},
        facility=dataclasses.replace(defaults(), ups_unit_w=number(0)),
        electrical=electrical(),
    )
    assert np.isnan(of(found, "ups")["sharing"])
    assert np.isfinite(of(found, "switchboard")["sharing"])


def test_loads_add_up_to_the_site():
    """Utility in = IT, losses, cooling and house."""
    loads, _ = loads_of(chain_of("3N/2"))
    total = loads.it_w + sum(loads.losses_w.values()) + loads.cooling_and_house_w
    assert total[0] == pytest.approx(loads.site_w[0], rel=1e-12)
    assert loads.carried_w["mv_transformer"][0] == pytest.approx(
        loads.carried_w["lv_transformer"][0]
        + loads.losses_w["lv_transformer"][0]
        + loads.cooling_and_house_w[0]
    )


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(scheme=st.sampled_from(sorted(SCHEMES)), supernodes=st.integers(1, 4000))
def test_units_suffice_and_none_is_larger_than_the_largest(scheme, supernodes):
    chain = chain_of(scheme)
    found = sized(chain, *loads_of(chain, supernodes=supernodes))
    assert found.kinds == KINDS
    assert (found.suffice * found.capacity_w >= found.load_w * (1 - 1e-9)).all()
    assert (found.normal_load <= 1 + 1e-9).all()
    assert (found.sharing + found.idle >= found.needed).all()
    assert of(found, "mv_transformer")["rating_w"] <= 20e6
