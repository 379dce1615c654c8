"""Long work: job rows in the database, and executors that compute their chunks."""
