"""What boundaries, factors and parts are called, and what each of them takes in."""

from __future__ import annotations

BOUNDARIES = {
    "accelerators": (
        "Accelerators by design power",
        "Hours of the accelerators at work times their TDP: what model cards print. No host, network, cooling or loss.",
    ),
    "meter": (
        "All of it at the meter",
        (
            "Everything the run draws at the utility meter: servers at the power they draw, network, storage, cooling "
            "and losses. SuperNodes that wait are not in it."
        ),
    ),
    "with_embodied": (
        "With the making of the hardware",
        "The meter, and the run's share of what making the machines emitted, by the hours of their used life.",
    ),
    "with_idle": (
        "With the hours of waiting",
        "The same, and SuperNodes that wait beside the run and the pod between its runs, at idle power.",
    ),
}
FACTORS = {
    "load": ("Load", "Accelerators at work over their design power."),
    "server": ("Servers", "Hosts, NICs, fans and power supplies around the accelerators."),
    "network_and_storage": ("Network and storage", "Scale-out switches and optics, storage and management."),
    "facility": (
        "Building",
        "Cooling, electrical losses and house load: the PUE with which the run is counted.",
    ),
}
PARTS = {
    "accelerators": "Accelerators",
    "hosts": "Hosts, NICs, fans and supplies",
    "network": "Network",
    "storage": "Storage and management",
    "cooling": "Cooling",
    "losses": "Electrical losses and house load",
}
EMBODIED = {
    "accelerators": "Making of accelerators",
    "hosts": "Making of hosts and chassis",
    "network": "Making of the network",
    "storage": "Making of the storage",
    "building": "Shell and plant",
}
LEFT_OUT = {
    "network": "The making of switches, optics and cables: no figure of them is published in the catalog's sources.",
    "storage": "The making of storage: no figure of it is published in the catalog's sources.",
    "building": "Shell and plant: no figure of theirs by the MW has a source in the catalog.",
}
"""By the name of what could be stated in their place."""
NOTES = (
    (
        "The grid's intensity is a yearly mean: the catalog holds no hourly series of any grid. State "
        "intensity_by_hour to weigh its hours."
    ),
    (
        "Where contracts are stated, the hours of solar and wind follow the site's weather file, without storage; they "
        "are of low confidence."
    ),
    (
        "Emissions of fuel burnt on site (generator tests), of refrigerants, of staff and of serving the model are not "
        "in it."
    ),
)
PURPOSE = "The carbon of a run"
"""What a workload without a run is refused with."""
