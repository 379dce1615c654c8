"""The REST API: what the pages can do, for other programs. `router.create_api` puts it together."""
