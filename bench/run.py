"""Times the main things: `python -m bench.run [--json FILE] [--only SECTION ...]`."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import platform
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app import __version__
from app.engine.specs import Design
from app.paths import seed_data
from bench.api import api_measurements
from bench.cables import cable_measurements
from bench.engine import EXAMPLE, engine_measurements
from bench.fabric import fabric_measurements
from bench.facility import LIQUID_COOLED, facility_measurements
from bench.fleet import fleet_measurements
from bench.openings import opening_measurements
from bench.operations import operations_measurements
from bench.pages import pages_measurements
from bench.pictures import picture_measurements
from bench.saved import saved_measurements
from bench.search import search_measurements
from bench.server import server_measurements
from bench.serving_search import SERVED, serving_search_measurements
from bench.studio import studio_measurements
from bench.study import study_measurements
from bench.supernode import supernode_measurements
from bench.sweeps import sweep_measurements
from bench.timing import Measurement
from bench.uncertainty import uncertainty_measurements
from bench.workers import worker_measurements

SEARCHED = "gpt_3_175b_on_128_dgx_a100"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="print the figures as JSON and write them here"
    )
    parser.add_argument(
        "--only", nargs="+", default=(), choices=tuple(sections(Path())), help="time these sections alone"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("DATABASE_URL", None)
        os.environ["PODWRIGHT_DATA_DIR"] = folder
        measurements = print_table(Path(folder), arguments.only)
    if arguments.json:
        printed = json.dumps(as_json(measurements), indent=2)
        print(printed)
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(f"{printed}\n", encoding="utf-8")


def sections(data_dir: Path) -> dict[str, Callable[[], Iterator[Measurement]]]:
    """What is timed, by name, in this order."""
    return {
        "engine": lambda: engine_measurements(example_design(EXAMPLE)),
        "fabric": fabric_measurements,
        "facility": lambda: facility_measurements(example_design(LIQUID_COOLED)),
        "operations": lambda: operations_measurements(example_design(EXAMPLE)),
        "fleet": fleet_measurements,
        "search": lambda: search_measurements(example_design(SEARCHED)),
        "serving_search": lambda: serving_search_measurements(example_design(SERVED)),
        "study": study_measurements,
        "supernode": supernode_measurements,
        "sweeps": sweep_measurements,
        "uncertainty": uncertainty_measurements,
        "cables": cable_measurements,
        "server": lambda: server_measurements(data_dir),
        "api": lambda: api_measurements(data_dir),
        "saved": lambda: saved_measurements(data_dir),
        "workers": lambda: worker_measurements(data_dir),
        "pages": lambda: pages_measurements(data_dir),
        "pictures": lambda: picture_measurements(data_dir),
        "studio": lambda: studio_measurements(data_dir),
        "openings": lambda: opening_measurements(data_dir),
    }


def print_table(data_dir: Path, only: Sequence[str]) -> list[Measurement]:
    """Each measurement, printed as soon as it is made."""
    print(f"{'':40}{'median':>12}{'quickest':>12}{'slowest':>12}{'aim':>10}")
    measurements = []
    for name, measure in sections(data_dir).items():
        for measurement in measure() if not only or name in only else ():
            print(table_line(measurement), flush=True)
            measurements.append(measurement)
    return measurements


def table_line(measurement: Measurement) -> str:
    unit = measurement.unit
    figures = (measurement.value, measurement.quickest, measurement.slowest)
    mark = (
        "" if measurement.within_aim else "  short of its aim" if measurement.at_least else "  over its aim"
    )
    columns = "".join(f"{f'{figure:.3g} {unit}':>12}" for figure in figures)
    return f"{measurement.name:40}{columns}{f'{measurement.aim:g} {unit}':>10}{mark}"


def as_json(measurements: list[Measurement]) -> dict[str, Any]:
    return {
        "version": __version__,
        "example": EXAMPLE,
        "machine": {
            "system": platform.platform(terse=True),
            "python": platform.python_version(),
            "numpy": np.__version__,
            "cores": os.cpu_count(),
        },
        "measurements": [
            {**dataclasses.asdict(measurement), "within_aim": measurement.within_aim}
            for measurement in measurements
        ],
    }


def example_design(key: str) -> Design:
    from app.catalog.ready import ready_catalog
    from app.scenarios.load import read_scenario
    from app.scenarios.resolve import resolve

    path = seed_data() / "examples" / f"{key}.yaml"
    return resolve(read_scenario(path), ready_catalog()).design


if __name__ == "__main__":
    main()
