"""A process that answers heavy requests with the whole application. Imported once, and forked for each worker."""

from __future__ import annotations

import asyncio
import gc
import logging.config
from contextlib import suppress
from multiprocessing.connection import Connection

gc.disable()  # imports leave no garbage, and looking for it takes a third of their time

from app.main import create_app  # noqa: E402
from app.scenarios.evaluation.service import evaluate_example  # noqa: E402
from app.server.heavy import serve_requests  # noqa: E402
from app.server.logs import logging_config  # noqa: E402
from app.server.on_demand import routers_of  # noqa: E402
from app.settings import Settings  # noqa: E402
from app.surfaces.pages.groups import GROUPS as PAGES  # noqa: E402
from app.surfaces.rest.router import GROUPS as REST  # noqa: E402
from app.surfaces.rest.services import NOT_READABLE  # noqa: E402

for group in (*PAGES, *REST):
    routers_of(group)  # each worker has them from here, and shares their memory

gc.freeze()
gc.enable()

WARMING = "edge_node"
"""A small example: evaluated once, so that no one waits for what every evaluation reads."""


def serve(pipe: Connection, settings: Settings) -> None:
    """Answer requests until the pipe ends."""
    logging.config.dictConfig(logging_config(settings.log_format, settings.log_level))
    app = create_app(settings, is_worker=True)
    with suppress(*NOT_READABLE):  # requests say what is wrong
        evaluate_example(WARMING, app.state.service.catalog_as_it_is())
    asyncio.run(serve_requests(app, pipe))
