"""The inputs of the building: site, plant, power train and what the utility grants."""

from __future__ import annotations

from app.engine.facility.cooling.plants import PLANTS
from app.scenarios.declared_fields import declared_field
from app.surfaces.pages.studio.field import Field, choice, number, segments, select

COOLING = {"auto": "Auto: from the SuperNode"} | {name: plant.label for name, plant in PLANTS.items()}
AIR_HANDLING = {"perimeter": "Perimeter", "in_row": "In-row", "rear_door": "Rear door"}
COOLANTS = {"pg25": "PG 25 %", "pg30": "PG 30 %", "eg25": "EG 25 %"}
DISTRIBUTION = {"ac_415": "415 V", "ac_480": "480 V", "dc_800": "800 V DC"}
UPS = {"double_conversion": "Double conversion", "eco": "Eco mode", "rack_batteries": "Rack batteries"}
LOADS = {
    "auto": "Auto: from the workload", "large_batch": "Training, large batch",
    "strong_scaled": "Training, strong-scaled", "serving": "Serving",
}  # fmt: skip
AS_ASSUMED = (("", "As assumed"),)
SPARE = {"block_redundant": "Block redundant (catcher)"}


def facility_fields() -> tuple[Field, ...]:
    """Site, plant, coolant and redundancy."""
    redundancy = {word: word for word in declared_field("facility.redundancy").words} | SPARE
    return (
        choice("facility.site", "sites", used="facility.site.elevation_m"),
        select("facility.cooling", names=COOLING),
        select("facility.redundancy", names=redundancy),
        number("facility.coolant_supply_c", slider=(5, 70), snap="step",
               used="facility.coolant_supply_c"),
    )  # fmt: skip


def facility_details() -> tuple[Field, ...]:
    """Details that most scenarios leave at their defaults."""
    return (
        segments("facility.air_handling", names=AIR_HANDLING),
        segments("facility.coolant", names=COOLANTS),
        segments("facility.distribution", names=DISTRIBUTION),
        choice("facility.rectifier", "rectifiers", words=AS_ASSUMED),
        choice("facility.rack_converter", "rack_converters", words=AS_ASSUMED),
        choice("facility.busway", "busways", words=AS_ASSUMED),
        choice("facility.cdu", "cdus", words=AS_ASSUMED),
        select("facility.ups", names=UPS),
        select("facility.cooling_redundancy",
               names={"auto": "Auto", "N": "N", "N+1": "N+1", "2N": "2N"}),
        select("facility.load_profile", names=LOADS),
        number("facility.power_cap", slider=(0.3, 1), snap="step", step=0.05,
               empty="none", rest=1),
        number("facility.utility_limit_w", slider=(1e5, 1e10),
               empty="unlimited", rest=1e10),
        number("facility.warming_k", slider=(0, 5), snap="step", step=0.5, empty="none"),
        number("facility.clean_energy_share", slider=(0, 1),
               snap="step", step=0.05, empty="not stated"),
        number("facility.heat_reuse.share", slider=(0, 1), snap="step", step=0.05,
               empty="none"),
        number("facility.heat_reuse.supply_c", slider=(20, 120), snap="step"),
    )  # fmt: skip


POSITIONS = {
    "auto": "Auto", "in_rack": "In racks", "end_of_row": "End of row", "middle_of_row": "Middle of row",
    "network_rows": "Own rows",
}  # fmt: skip


def floor_fields() -> tuple[Field, ...]:
    """What decides how many racks there are, and where switches stand."""
    return (
        segments("pod.floor.switch_position", names=POSITIONS),
        number(
            "pod.floor.nodes_per_rack",
            used="pod.floor.nodes_per_rack",
            words=(("", "as many as fit"),),
        ),
        _number("rack_power_w"),
        _number("row_racks"),
    )


def rack_fields() -> tuple[Field, ...]:
    """The other limits and measures."""
    return (
        _number("rack_air_heat_w"),
        _number("rack_liquid_heat_w"),
        _number("rack_weight_kg"),
        _number("rack_own_weight_kg"),
        _number("rack_units"),
        _number("service_units"),
        _number("rack_width_m"),
        _number("rack_depth_m"),
        _number("cold_aisle_m"),
        _number("hot_aisle_m"),
        _number("tray_height_m"),
        number("pod.floor.slack_share", used="pod.floor.slack_share"),
        _number("end_slack_m"),
    )  # fmt: skip


def _number(name: str) -> Field:
    path = f"pod.floor.{name}"
    return number(path, used=path)


CARRIED_BY = {"auto": "Auto", "none": "None", "own": "Own", "in_band": "In-band"}
KINDS = {
    "auto": "Auto", "infiniband": "IB", "roce": "RoCE", "scheduled_ethernet": "Sched.", "ultra_ethernet": "UEC",
}  # fmt: skip


def kind_of_fabric() -> Field:
    """InfiniBand, RoCE, and what else there is."""
    return segments("pod.fabric.kind", names=KINDS)


def network_fields() -> tuple[Field, ...]:
    """Return whether each network is built, and the main things about it; the rest is left to the YAML."""
    return (
        segments("pod.networks.storage.carried_by", names=CARRIED_BY),
        *_of("storage"),
        number("pod.networks.storage.servers", words=(("", "sized to the hosts"),)),
        segments("pod.networks.in_band.carried_by", names=CARRIED_BY),
        *_of("in_band"),
        segments("pod.networks.out_of_band.carried_by", names=CARRIED_BY),
        _switch("out_of_band"),
    )


def _of(name: str) -> tuple[Field, ...]:
    path = f"pod.networks.{name}"
    return (
        _switch(name),
        number(f"{path}.port_gbit_s",
               used=f"{path}.port_bandwidth_bytes_per_s", used_factor=8e-9),
        number(f"{path}.oversubscription",
               used=f"{path}.oversubscription"),
    )  # fmt: skip


def _switch(name: str) -> Field:
    path = f"pod.networks.{name}.switch"
    return choice(path, "switches", used=f"{path}.ports", words=(("auto", "Automatic"),))
