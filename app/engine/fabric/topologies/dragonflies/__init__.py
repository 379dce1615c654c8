"""Groups of routers, every two of them joined."""
