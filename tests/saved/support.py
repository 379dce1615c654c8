"""Documents to save, and a catalog that differs in one place."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from app.catalog.lookup import Catalog
from tests.databases import engine_in
from tests.scenarios.support import scenario

UNKNOWN_ID = "0" * 32


def document(name: str = "My pod", **changes: Any) -> dict[str, Any]:
    """The smallest scenario that can be saved, with values at dotted places."""
    return scenario(name=name, **changes)


def supernode_design(name: str = "My node", **supernode: Any) -> dict[str, Any]:
    return {"name": name, "supernode": supernode or {"system": "dgx_h100"}}


def pod_design(name: str = "My fabric", **pod: Any) -> dict[str, Any]:
    return {"name": name, "pod": pod or {"supernodes": 16, "fabric": {"oversubscription": 2}}}


def projection(name: str = "My projection", **stated: Any) -> dict[str, Any]:
    return {"name": name, **(stated or {"flops": 5.76e23})}


def study(name: str = "My study", **stated: Any) -> dict[str, Any]:
    """A study with two columns kept by hand."""
    workload = {
        "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192,
        "global_batch_sequences": 256,
    }  # fmt: skip
    columns = [
        {"name": name, "candidate": {"system": "dgx_h100", "supernodes": count}}
        for name, count in (("Small", 8), ("Large", 16))
    ]
    return {"name": name, "workload": {"training": workload}, "chosen": columns, **stated}


def as_stored(values: Any) -> Any:
    """What plain values are once they were JSON: tuples become lists."""
    return json.loads(json.dumps(values))


def changed_catalog(seeded_data_dir: Path, folder: Path, *statements: str) -> Catalog:
    """The catalog of another day: a copy of the seeded one in which `statements` changed something."""
    engine = engine_in(shutil.copytree(seeded_data_dir, folder / "another_day"))
    with engine.begin() as connection:
        for statement in statements:
            assert connection.execute(sa.text(statement)).rowcount > 0, statement
        connection.execute(sa.text("UPDATE setting SET value = 'later' WHERE name = 'catalog_revision'"))
    return Catalog.open(engine)


FACT = (
    "UPDATE fact SET value = value * {factor} WHERE field = '{field}' "
    "AND part_id = (SELECT id FROM part WHERE kind = '{kind}' AND key = '{key}')"
)
