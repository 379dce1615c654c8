"""The reference of quantities is what the code says."""

from pathlib import Path

from app.engine.quantities import REGISTRY
from app.surfaces.files.quantity_reference import quantity_reference

PAGE = Path(__file__).resolve().parents[3] / "docs" / "quantities.md"


def test_page_is_up_to_date():
    assert PAGE.read_text(encoding="utf-8") == quantity_reference(), (
        "run: python -m app.surfaces.files.quantity_reference > docs/quantities.md"
    )


def test_every_quantity_has_formula_source_and_label():
    for path, quantity in REGISTRY.items():
        assert quantity.source.strip(), path
        assert quantity.formula.strip(), path
        assert quantity.label[:1].isupper(), path
