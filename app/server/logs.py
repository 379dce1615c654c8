"""Logs of the standard library: lines for people on a terminal, JSON for programs, the request in every line."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any

from app.server.request_id import current_request_id

FIELDS = ("method", "route", "status", "milliseconds", "bytes", "account")
"""What the line about a request holds beside its message."""


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        content: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := current_request_id():
            content["request_id"] = request_id
        content |= {name: getattr(record, name) for name in FIELDS if getattr(record, name, None) is not None}
        if record.exc_info:
            content["error"] = self.formatException(record.exc_info)
        return json.dumps(content, ensure_ascii=False, default=str)


class TextFormatter(logging.Formatter):
    """Time, level, message, and the request in brackets."""

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        request_id = current_request_id()
        message = record.getMessage().replace("\n", "\n  ")
        line = f"{when} {record.levelname.lower():<7} {message}" + (f" [{request_id}]" if request_id else "")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def logging_config(log_format: str, log_level: str) -> dict[str, Any]:
    """For `logging.config.dictConfig`, in this process and in each worker. "auto" is text on a terminal.

    Requests are told once, by Podwright: the server's own line would show addresses with what they hold.
    """
    if log_format == "auto":
        log_format = "text" if sys.stderr.isatty() else "json"
    formatter = JsonFormatter if log_format == "json" else TextFormatter
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"chosen": {"()": formatter}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "chosen"}},
        "root": {"handlers": ["stderr"], "level": "WARNING" if log_level == "debug" else log_level.upper()},
        "loggers": {
            "app": {"level": log_level.upper()},
            "uvicorn": {"level": log_level.upper()},
            "uvicorn.access": {"level": "CRITICAL", "propagate": False},
        },
    }
