"""The curve of SuperNode sizes on a page."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.main import create_app
from app.scenarios.examples import example
from tests.asgi import asgi_client_of

NAME = "llama_3_1_405b_on_gb200_nvl72"


@pytest.mark.slow
def test_the_tab_has_catalog_systems_and_the_studio_does_not(seeded_data_dir: Path) -> None:
    asked = {"key": NAME, "scenario": example(NAME).read().as_dict()}
    with asgi_client_of(create_app()) as client:
        whole, alone = (
            client.post(f"/explore/supernode-sizes{query}", json=asked).json()["chart"]
            for query in ("?whole=1", "")
        )
    for shown in ("Speed at equal capital", "Exchange that nothing hides", "GB300 NVL72"):
        assert shown in whole
    assert "GB300 NVL72" not in alone
    assert "80 % of comparable runs" in alone
