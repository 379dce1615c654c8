"""Every layout of a served model at every load: replicas tried as arrays, and the best."""
