"""Every figure of both sections explains itself down to the inputs."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.section import evaluate_facility
from app.engine.leaves import leaves
from app.engine.quantities import quantity_at
from app.engine.specs import HeatReuse
from app.engine.trace import Origin, Traced, plain, traced_input
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, pod_of, rack
from tests.support import dgx_h100, number


def _wrapped(item, path):
    if isinstance(item, np.ndarray):
        return traced_input(path, item, "", Origin(kind="vendor", source="a data sheet"))
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        return dataclasses.replace(
            item,
            **{
                field.name: _wrapped(getattr(item, field.name), f"{path}.{field.name}")
                for field in dataclasses.fields(item)
            },
        )
    return item


@dataclasses.dataclass(frozen=True)
class Earlier:
    """What earlier rooms hand over."""

    network_power_w: np.ndarray
    tokens_per_s: np.ndarray
    spare_supernodes_installed: np.ndarray
    storage_power_w: np.ndarray


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plant", "supernode"),
    [
        ("auto", dgx_h100()),
        ("air_tower", dgx_h100()),
        ("direct_liquid_dry", rack()),
        ("direct_liquid_adiabatic", rack()),
        ("direct_liquid_tower", rack()),
        ("direct_liquid_chiller", rack()),
        ("liquid_to_air", rack()),
        ("immersion_dry", rack()),
    ],
)
def test_every_leaf_is_a_quantity_that_ends_in_inputs(plant, supernode):
    earlier = _wrapped(Earlier(number(1e4), number(1e6), number(1), number(0)), "earlier")
    facility = dataclasses.replace(
        facility_at(climate("ashburn_va"), cooling=plant),
        heat_reuse=HeatReuse(share=number(0.5), supply_c=number(60)),
    )
    sections = evaluate_facility(
        supernode=_wrapped(supernode, "supernode"),
        pod=_wrapped(pod_of(16, 16 * supernode.accelerators[0]), "pod"),
        facility=_wrapped(facility, "facility"),
        fabric=earlier,
        performance=earlier,
        reliability=earlier,
        assumptions=_wrapped(defaults(), "assumptions.facility"),
    )
    bare = evaluate(facility=facility, supernode=supernode, network_power_w=1e4, spare_supernodes=1)
    for section, traced, straight in zip(("power", "cooling"), sections, bare, strict=True):
        figures = dict(leaves(traced, section))
        assert figures.keys() == dict(leaves(straight, section)).keys()
        for path, figure in figures.items():
            assert isinstance(figure, Traced), path
            assert figure.node.kind == "quantity", path
            assert figure.node.quantity is quantity_at(path)
            assert figure.node.quantity.label[0].isupper()
            ends = [node for node in figure.node.walk() if not node.inputs]
            assert {node.kind for node in ends} == {"input"}, path
            np.testing.assert_array_equal(plain(figure), dict(leaves(straight, section))[path])
