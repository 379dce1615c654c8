"""Running it: logs, measurements, limits and an orderly end. Plain ASGI; knows no other room."""
