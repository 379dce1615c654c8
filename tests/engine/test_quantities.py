"""The declaration of a quantity, its cost, and the trace that explains it."""

import numpy as np
import pytest

from app.engine.quantities import REGISTRY, quantity, quantity_at
from app.engine.trace import Array, Node, Origin, Traced, plain, traced_input, traced_search
from app.engine.units import unit_of


@pytest.fixture(autouse=True)
def _registry():
    before = dict(REGISTRY)
    yield
    REGISTRY.clear()
    REGISTRY.update(before)


def _declare():
    @quantity(unit="s", source="definition", at="testing.duration_s")
    def duration_s(*, work: Array, rate: Array) -> Array:
        """Duration.

        More words.
        """
        return work / rate

    return duration_s


def _input(name: str, value: float, kind: str = "vendor") -> Traced:
    return traced_input(name, value, "1", Origin(kind=kind, source="a data sheet"))


def test_plain_call_is_just_the_function():
    duration_s = _declare()
    assert duration_s(work=np.array([6.0]), rate=np.array([2.0])) == np.array([3.0])


def test_record_holds_label_unit_and_formula():
    record = _declare().quantity
    assert (record.label, record.unit, record.formula) == ("Duration", "s", "return work / rate")
    assert quantity_at("testing.duration_s") is record


def test_traced_call_has_the_value_of_the_plain_one_and_names_its_inputs():
    result = _declare()(work=_input("w", 6.0), rate=_input("r", 2.0))
    assert plain(result) == 3.0
    assert result.node.name == "testing.duration_s"
    assert [(role, node.name) for role, node in result.node.inputs] == [("work", "w"), ("rate", "r")]
    assert {node.kind for node in result.node.walk()} == {"quantity", "input"}


def test_quantity_called_inside_another_is_found():
    duration_s = _declare()

    @quantity(unit="s", source="definition", at="testing.twice_s")
    def twice_s(*, work: Array, rate: Array) -> Array:
        """Twice the duration."""
        return 2 * duration_s(work=work, rate=rate)

    names = [node.name for _, node in twice_s(work=_input("w", 6), rate=_input("r", 2)).node.inputs]
    assert names == ["w", "r", "testing.duration_s"]


def test_leaf_runs_on_bare_values():
    @quantity(unit="1", source="definition", at="testing.bare", leaf=True)
    def bare(*, count: Array) -> Array:
        """Bare."""
        assert not isinstance(count, Traced)
        return np.array([float(np.ceil(count[0]))])

    result = bare(count=_input("n", 2.5))
    assert plain(result)[0] == 3.0
    assert result.node.inputs[0][1].name == "n"


def test_two_quantities_cannot_stand_at_one_place():
    _declare()
    with pytest.raises(ValueError, match=r"two quantities at testing\.duration_s"):
        _declare()


def test_places_in_lists_are_found():
    @quantity(unit="1", source="definition", at="testing.tiers[].switches")
    def switches(*, leaves: Array) -> Array:
        """Switches."""
        return leaves * 1

    assert quantity_at("testing.tiers[3].switches") is switches.quantity


@pytest.mark.parametrize(
    "operation",
    [
        lambda x: np.where(x > 1, x, 2 * x),
        lambda x: np.maximum(x, 3).sum(axis=-1),
        lambda x: np.concatenate([x, x])[..., np.array([0, 1])],
        lambda x: np.ceil(x) // 2 % 3,
        lambda x: np.clip(x, 0, 1) ** 0.5,
        lambda x: np.sum(np.stack([x, -x]), axis=0),
    ],
)
def test_traced_arithmetic_agrees_bit_for_bit(operation):
    value = np.array([0.3, 2.7])
    traced = Traced(value, Node("input", "x", value))
    assert np.array_equal(plain(operation(traced)), operation(value))
    assert isinstance(operation(traced), Traced)


@pytest.mark.parametrize("strip", [np.asarray, float, bool, lambda x: np.array([x])])
def test_nothing_strips_a_trace_in_silence(strip):
    with pytest.raises(TypeError):
        strip(_input("x", 1.0))


def test_search_keeps_the_winner_and_what_was_searched():
    winner = traced_search("performance.layout", 8, "1", {"memory": _input("m", 1)}, "best of 120 layouts")
    assert winner.node.kind == "search"
    assert winner.node.note == "best of 120 layouts"


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("memory_bandwidth_bytes_per_s", "B/s"), ("peak_16_bit_flop_per_s", "FLOP/s"), ("tdp_w", "W"),
        ("dry_bulb_c", "degC"), ("layers", "1"), ("micro_batch", "1"), ("wacc", "1"), ("tokens", "tokens"),
        ("electricity_price_usd_per_kwh", "USD/kWh"), ("workload.sequence_length", "1"),
        ("global_batch_sequences", "sequences"), ("max_power_w", "W"),
    ],
)  # fmt: skip
def test_unit_is_read_off_the_name(name, unit):
    assert unit_of(name) == unit
