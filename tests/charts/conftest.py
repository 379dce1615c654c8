"""Every figure that a test here draws is whole: Plotly takes its document, its colours are tokens, its table has no gaps."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from app.charts.figure import Figure
from tests.charts.support import assert_whole


@pytest.fixture(scope="module", autouse=True)
def figures_drawn() -> Iterator[list[Figure]]:
    """Figures that were drawn since the last test, by fixtures too."""
    found: list[Figure] = []
    with pytest.MonkeyPatch.context() as patch:
        finish = Figure.__post_init__

        def kept(figure: Figure) -> None:
            finish(figure)
            found.append(figure)

        patch.setattr(Figure, "__post_init__", kept)
        yield found


@pytest.fixture(autouse=True)
def whole_figures(figures_drawn: list[Figure]) -> Iterator[None]:
    yield
    while figures_drawn:
        assert_whole(figures_drawn.pop())
