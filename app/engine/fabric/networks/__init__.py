"""The networks of a pod beside its compute fabric: storage, in-band and out-of-band."""
