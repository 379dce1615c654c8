"""Times the main things: `python -m bench.run [--json FILE]`."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import os
import platform
import tempfile
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
from bench.operations import operations_measurements
from bench.pages import pages_measurements
from bench.pictures import picture_measurements
from bench.saved import saved_measurements
from bench.search import search_measurements
from bench.server import server_measurements
from bench.serving_search import SERVED, serving_search_measurements
from bench.studio import studio_measurements
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
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.pop("DATABASE_URL", None)
        os.environ["PODWRIGHT_DATA_DIR"] = folder
        measurements = print_table(Path(folder))
    if arguments.json:
        printed = json.dumps(as_json(measurements), indent=2)
        print(printed)
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(f"{printed}\n", encoding="utf-8")


def print_table(data_dir: Path) -> list[Measurement]:
    """Each measurement, printed as soon as it is made."""
    print(f"{'':36}{'median':>12}{'quickest':>12}{'slowest':>12}{'aim':>10}")
    measurements = []
    for measurement in itertools.chain(
        engine_measurements(example_design(EXAMPLE)),
        fabric_measurements(),
        facility_measurements(example_design(LIQUID_COOLED)),
        operations_measurements(example_design(EXAMPLE)),
        search_measurements(example_design(SEARCHED)),
        serving_search_measurements(example_design(SERVED)),
        supernode_measurements(),
        sweep_measurements(),
        uncertainty_measurements(),
        cable_measurements(),
        server_measurements(data_dir),
        api_measurements(data_dir),
        saved_measurements(data_dir),
        worker_measurements(data_dir),
        pages_measurements(data_dir),
        picture_measurements(data_dir),
        studio_measurements(data_dir),
    ):
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
    return f"{measurement.name:36}{columns}{f'{measurement.aim:g} {unit}':>10}{mark}"


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
