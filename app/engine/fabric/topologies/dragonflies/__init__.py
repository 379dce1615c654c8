"""Groups of routers, every two joined."""
