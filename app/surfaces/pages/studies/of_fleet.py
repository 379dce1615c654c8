"""The utilisation of a saved fleet in a study, and where it is from."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.saved.errors import NotSavedError
from app.saved.store import SavedWork
from app.scenarios.errors import refuse
from app.surfaces.pages.saved.rights import saved_key
from app.surfaces.pages.studies.asking import UTILISATION
from app.surfaces.pages.studio.numbers import number_text
from app.surfaces.pages.studio.state import value_at, with_value
from app.views.fleet.answer import FleetAnswer
from app.views.fleet.used import DIGITS, used_utilisation
from app.views.written import read_back


class FleetUsed(NamedTuple):
    """The productive share of the last policy of a saved fleet, from the answer that is kept with a
    revision."""

    id: str
    revision: int
    name: str
    policy: str
    utilisation: float

    @property
    def key(self) -> str:
        return f"{self.id}@{self.revision}"

    @property
    def address(self) -> str:
        return f"/fleet/saved/{self.id}?revision={self.revision}"

    @property
    def percent(self) -> str:
        """The share as its box has it."""
        return f"{number_text(self.utilisation, UTILISATION.scale)} {UTILISATION.scale.unit}"

    @property
    def note(self) -> str:
        """The note of a study that is saved with it."""
        return f"Utilisation of {self.percent} from the fleet {self.name[:200]}, revision {self.revision}"

    def into(self, values: dict[str, Any]) -> dict[str, Any]:
        """A study that takes it."""
        return with_value(values, UTILISATION.path, self.utilisation)

    def is_in(self, values: dict[str, Any]) -> bool:
        """Return whether a study still has it, rather than a number typed since."""
        stated = value_at(values, UTILISATION.path)
        return isinstance(stated, int | float) and round(stated, DIGITS) == self.utilisation


def fleet_used(work: SavedWork, key: str) -> FleetUsed:
    """The utilisation of a saved fleet, its newest revision or the one that the key names.

    Raises
    ------
    NotSavedError : there is no such fleet or revision, or the caller may not know of it
    ScenarioError : no answer is kept with it, or no work was done
    """
    named = saved_key(key)
    if named is None:
        raise NotSavedError("fleet", key[:60])
    saved = work.get("fleet", named.id)
    revision = work.revision("fleet", named.id, named.revision or saved.revision).revision
    kept = work.kept("fleet", named.id, revision)
    if kept is None:
        raise refuse(
            f"The fleet {saved.name[:80]} has no answer.", rule="no_answer", hint="Run it, and save the run."
        )
    answer = read_back(FleetAnswer, kept)
    utilisation = used_utilisation(answer.utilisation)
    return FleetUsed(named.id, revision, saved.name, answer.policies[-1].name, utilisation)
