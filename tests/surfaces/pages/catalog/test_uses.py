"""Links between rows."""

from __future__ import annotations

from app.catalog.lookup import Catalog
from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import address, get
from tests.surfaces.pages.test_pages import text_of


def test_system_names_its_accelerator_and_is_named_by_it(
    reading_client: AsgiClient, catalog: Catalog
) -> None:
    mixed = next(part for part in catalog.parts("systems") if part.attributes.get("accelerator_mix"))
    for key, count in (("nvidia_h100_sxm", "150,000"), ("nvidia_h200_sxm", "50,000")):
        accelerator = get(reading_client, f"/catalog/accelerators/{key}")
        assert address("systems", mixed.key) in accelerator
        assert f"{mixed.name} {count} accelerators" in text_of(accelerator)
        assert address("accelerators", key) in get(reading_client, address("systems", mixed.key))
    for system in catalog.parts("systems"):
        if key := system.attributes.get("accelerator_key"):
            assert address("systems", system.key) in get(reading_client, f"/catalog/accelerators/{key}")
