"""A kept run that requests can meet."""

from __future__ import annotations

from sqlalchemy import Engine
from sqlmodel import Session

from app.db.tables import PERSONAL_WORKSPACE_ID, OwnRunRow

OWN_RUN_ID = 1


def keep_own_run(engine: Engine) -> None:
    """Keep it, where it is not there or was removed."""
    with Session(engine) as session:
        if session.get(OwnRunRow, OWN_RUN_ID) is None:
            session.add(
                OwnRunRow(
                    id=OWN_RUN_ID,
                    workspace_id=PERSONAL_WORKSPACE_ID,
                    accelerator="nvidia_h100_sxm",
                    framework="megatron",
                    precision="bf16",
                    source="log",
                    measured_tokens_per_s=9000.0,
                    document={},
                )
            )
            session.commit()
