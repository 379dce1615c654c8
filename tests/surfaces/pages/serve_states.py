"""Serves the designs of `states.py` on a port: python -m tests.surfaces.pages.serve_states PORT."""

from __future__ import annotations

import sys

import uvicorn

from app.main import create_app
from tests.surfaces.pages.states import StateDesigns


def main() -> None:
    app = create_app()
    app.state.designs = StateDesigns()
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")


if __name__ == "__main__":
    main()
